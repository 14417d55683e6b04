import { existsSync } from 'node:fs';

/** Flags that keep a headless Chromium quiet and offline. */
export const browserArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const candidates = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** The Chromium that browser tests drive: `CHROME_PATH`, else an installed one, else undefined. */
export function findBrowser() {
  const given = process.env.CHROME_PATH;
  if (given) return given;
  return candidates.find((path) => existsSync(path));
}

/** As `findBrowser`, for a config file: falls back to the usual path, whose absence the launch then reports. */
export function browserPath() {
  return findBrowser() ?? '/usr/bin/chromium';
}
