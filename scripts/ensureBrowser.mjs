import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findBrowser } from './browser.mjs';

const canInstall = () => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

/** Whether a Chromium can be driven. Installs Debian's where that needs no question: on a system with apt-get, as root. */
export function ensureBrowser() {
  if (!findBrowser() && canInstall()) {
    process.stdout.write('Installing Chromium ...\n');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const quiet = { env, stdio: ['ignore', 'ignore', 'inherit'] };
    spawnSync('apt-get', ['update', '-qq'], quiet);
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], quiet);
  }
  const found = findBrowser();
  if (found && existsSync(found)) return true;
  process.stderr.write(
    `[helix-chat] No Chromium was found${found ? ` at ${found}` : ''}. The browser tests cannot run without one. Install Chromium or Chrome, or set CHROME_PATH to its program.\n`,
  );
  return false;
}
