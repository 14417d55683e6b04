import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { locales } from '../../scripts/entryPoints.mjs';
import { allSources, exportedNames } from '../architecture/sources.ts';

// What a user can import, by entry. A change of it is a change for users: `HELIX_WRITE_API=1` writes the lists anew.
const entries = ['.', 'transport', 'react', 'ui', 'server', 'adapters', 'testing'] as const;
const sources = allSources();

function offered(path: string): readonly string[] {
  const source = sources.find((candidate) => candidate.path === path);
  if (source === undefined) throw new Error(`src/${path} is missing`);
  return exportedNames(source)
    .map(({ name, typeOnly }) => (typeOnly ? `type ${name}` : name))
    .toSorted();
}

function listFile(entry: (typeof entries)[number]): string {
  const name = entry === '.' ? 'index' : entry;
  return fileURLToPath(new URL(`publicApi/${name}.txt`, import.meta.url));
}

test.each(entries)('%s offers the names of its list', (entry) => {
  const names = offered(entry === '.' ? 'index.ts' : `${entry}/index.ts`);
  const file = listFile(entry);
  if (process.env.HELIX_WRITE_API === '1') writeFileSync(file, `${names.join('\n')}\n`);
  expect(names).toEqual(readFileSync(file, 'utf8').trimEnd().split('\n'));
});

test.each(locales)('the locale %s offers its catalogue alone', (tag) => {
  expect(offered(`i18n/${tag}.ts`)).toEqual([tag.replace('-', '')]);
});

test('no entry is without its list', () => {
  const { exports } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as { exports: Record<string, unknown> };
  const listed = entries.map((entry) => (entry === '.' ? '.' : `./${entry}`));
  const code = Object.keys(exports).filter(
    (path) => !/^\.\/(?:locales\/|styles\.css$|package\.json$)/.test(path),
  );
  expect(code.toSorted()).toEqual(listed.toSorted());
});
