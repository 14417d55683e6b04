import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SCENARIOS } from 'helix-chat/testing';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readme = readFileSync(`${root}README.md`, 'utf8');
const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
  scripts: Record<string, string>;
  exports: Record<string, unknown>;
};
/** The first cells of the rows of the table that follows this heading. */
function firstCells(heading: string): string[] {
  const section = readme.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| `?([^|`]+?)`? +\|/gm)].map(([, cell = '']) => cell).slice(1);
}

test('its table names every room, and no other', () => {
  const rooms = readdirSync(`${root}src`)
    .filter((name) => name !== 'index.ts')
    .map((name) => `src/${name}`);
  expect(firstCells('Rooms').toSorted()).toEqual([...rooms, 'example-app'].toSorted());
});

test('its faults are faults of the panel', () => {
  const titles = SCENARIOS.map(({ title }) => title);
  const named = firstCells('Break it');
  expect(named.length).toBeGreaterThan(3);
  for (const title of named) expect(titles).toContain(title);
});

test('its commands and entry points exist', () => {
  for (const [, command = ''] of readme.matchAll(/^npm (?:run )?(\w+)/gm)) {
    expect(Object.keys(manifest.scripts)).toContain(command);
  }
  const line = readme.split('Entry points:')[1]?.split('. ESM')[0] ?? '';
  const named = [...line.matchAll(/`(?:helix-chat)?([^`]*)`/g)].map(([, path]) => `.${path}`);
  const offered = Object.keys(manifest.exports).filter((path) => path !== './package.json');
  const locales = offered.filter((path) => path.startsWith('./locales/'));
  const others = offered.filter((path) => !locales.includes(path));
  expect(named.toSorted()).toEqual([...others, './locales/<tag>'].toSorted());
  const tags = readme.split('Locales: ')[1]?.split('.')[0]?.split(', ');
  expect(tags).toEqual(locales.map((path) => path.replace('./locales/', '')));
});

test('its pictures are there, each under 300 kB', () => {
  const pictures = [...readme.matchAll(/docs\/[\w-]+\.png/g)].map(([path]) => path);
  expect(pictures).toHaveLength(2);
  for (const path of pictures) expect(statSync(`${root}${path}`).size).toBeLessThan(300_000);
});
