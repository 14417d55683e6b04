import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { errorsPage } from '../../scripts/docs/errorsPage.ts';
import { PAGES } from '../../scripts/docs/pages.ts';

import { CODES } from '../../src/protocol/codes.ts';
import { REASONS } from '../../src/protocol/reasons.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test.each(PAGES)(
  '$path says what the source says; `npm run docs` writes it anew',
  ({ path, write }) => {
    expect(readFileSync(`${root}${path}`, 'utf8')).toBe(write());
  },
  60_000,
);

describe('the page on errors', () => {
  const text = errorsPage();
  const first = (line: string) => /^\| `([^`]+)` \|/.exec(line)?.[1];
  const rows = text.split('\n').flatMap((line) => first(line) ?? []);

  test('has two rows for every code: what it is, and what people see', () => {
    for (const code of Object.keys(CODES)) {
      expect([code, rows.filter((name) => name === code).length]).toEqual([code, 2]);
    }
  });

  test('has a row for every reason', () => {
    for (const reason of Object.keys(REASONS)) expect(rows).toContain(reason);
  });

  test('has no empty fact, and no line that a table would lose', () => {
    expect(text).not.toMatch(/undefined|\[object|NaN/);
    const columns = (line: string) => line.split(/(?<!\\)\|/).length;
    for (const block of text.split('\n\n').filter((found) => found.startsWith('|'))) {
      expect(new Set(block.split('\n').map(columns)).size).toBe(1);
    }
  });
});

describe('a link', () => {
  const files = [
    'README.md',
    'CONTRIBUTING.md',
    ...readdirSync(`${root}docs`).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
  ];
  const linked = files.flatMap((file) =>
    [
      ...readFileSync(`${root}${file}`, 'utf8').matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g),
    ].map(([, to = '']) => [file, to] as const),
  );

  test.each(linked)('of %s to %s leads somewhere', (file, to) => {
    expect(existsSync(join(root, dirname(file), to))).toBe(true);
  });

  test('leads from the README to every page', () => {
    const from = linked.flatMap(([file, to]) => (file === 'README.md' ? [to] : []));
    for (const file of files.slice(2)) expect(from).toContain(file);
  });
});
