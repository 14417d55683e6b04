import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { brokenArrows, findRing } from './arrows.ts';
import { outsideNames } from './outsideWorld.ts';
import {
  allSources,
  exportedNames,
  importsOf,
  nodesOf,
  parseSource,
  type Source,
} from './sources.ts';

const sources = allSources();

test('the sources are found', () => {
  expect(sources.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['world.ts', 'protocol/codes.ts', 'errors/HelixError.ts']),
  );
});

test('a room imports what the table allows, by file and with its extension', () => {
  expect(sources.flatMap(brokenArrows)).toEqual([]);
});

test('no imports form a ring', () => {
  expect(findRing(sources)).toBeUndefined();
});

test('only world.ts names what is outside: clocks, timers, chance, the page and its storage', () => {
  expect(sources.flatMap(outsideNames)).toEqual([]);
});

test('nothing is exported by default', () => {
  expect(sources.filter(hasDefaultExport).map(({ path }) => path)).toEqual([]);
});

test('an entry point only lists names', () => {
  const entries = sources.filter(({ path }) => /(?:^|\/)index\.ts$/.test(path));
  const others = entries.flatMap(({ path, tree }) =>
    tree.statements
      .filter((statement) => !isListed(statement))
      .map((statement) => `${path}: ${statement.getText().slice(0, 60)}`),
  );
  expect(others).toEqual([]);
});

test('what is exported says what it is for', () => {
  const undocumented = sources.flatMap((source) =>
    exportedNames(source).flatMap(({ name, documented, passedOn }) =>
      documented || passedOn ? [] : [`${source.path}: ${name}`],
    ),
  );
  expect(undocumented).toEqual([]);
});

test.each(['react/index.ts', 'ui/index.ts'])('%s is marked for the client', (path) => {
  const entry = sources.find((source) => source.path === path);
  expect(entry?.tree.statements[0]?.getText()).toMatch(/^'use client';?$/);
});

function hasDefaultExport({ tree }: Source): boolean {
  for (const node of nodesOf(tree)) {
    if (ts.isExportAssignment(node)) return true;
    if (node.kind === ts.SyntaxKind.DefaultKeyword && !ts.isDefaultClause(node.parent)) return true;
    if (ts.isExportSpecifier(node) && node.name.text === 'default') return true;
  }
  return false;
}

function isListed(statement: ts.Statement): boolean {
  if (ts.isExpressionStatement(statement)) return statement.getText().startsWith("'use client'");
  return ts.isExportDeclaration(statement) && statement.exportClause !== undefined;
}

describe('the rules see what breaks them', () => {
  const arrows = (path: string, text: string) => brokenArrows(parseSource(path, text)).length;

  test.each([
    ['protocol/a.ts', "import { x } from '../errors/b.ts'", 1],
    ['protocol/a.ts', "import type { x } from '../errors/b.ts'", 1],
    ['protocol/a.ts', "export { x } from '../errors/b.ts'", 1],
    ['protocol/a.ts', "type X = import('../errors/b.ts').X", 1],
    ['protocol/a.ts', "const x = await import('../errors/b.ts')", 1],
    ['protocol/a.ts', "import '../errors/b.ts'", 1],
    ['protocol/a.ts', "import { x } from './b.ts'", 0],
    ['protocol/a.ts', "import { systemWorld } from '../world.ts'", 0],
    ['protocol/a.ts', "import * as z from 'zod/v4/mini'", 0],
    ['protocol/a.ts', "import * as z from 'zod'", 1],
    ['errors/a.ts', "import { x } from '../protocol/b.ts'", 0],
    ['errors/a.ts', "import { x } from '../protocol/b'", 1],
    ['errors/a.ts', "import { x } from '../protocol/index.ts'", 1],
    ['errors/a.ts', "import { x } from './index.ts'", 1],
    ['errors/a.ts', "import { x } from 'ai'", 1],
    ['errors/a.ts', "import { x } from '../../test/b.ts'", 1],
    ['recovery/a.ts', "import type { T } from '../transport/turnHost.ts'", 0],
    ['recovery/a.ts', "import { type T } from '../transport/turnHost.ts'", 0],
    ['recovery/a.ts', "import { type T, x } from '../transport/turnHost.ts'", 1],
    ['recovery/a.ts', "import '../transport/turnHost.ts'", 1],
    ['recovery/a.ts', "import { x } from 'react'", 1],
    ['transport/a.ts', "import { x } from 'ai'", 0],
    ['transport/a.ts', "import type { T } from '../recovery/state.ts'", 1],
    ['react/a.ts', "import type { UIMessage } from 'ai'", 0],
    ['react/a.ts', "import { x } from 'ai'", 1],
    ['react/a.ts', "import { en } from '../i18n/en.ts'", 1],
    ['ui/a.ts', "import type { T } from '../react/b.ts'", 1],
    ['world.ts', "import { x } from './protocol/codes.ts'", 1],
    ['utils/a.ts', '', 1],
    [
      'protocol/a.ts',
      "// import { x } from '../errors/b.ts'\nconst s = \"import '../errors/b.ts'\"",
      0,
    ],
  ])('%s with %s breaks %d', (path, text, broken) => {
    expect(arrows(path, text)).toBe(broken);
  });

  test('a ring, also of types', () => {
    const ring = [
      parseSource('errors/a.ts', "import type { B } from './b.ts'"),
      parseSource('errors/b.ts', "import { c } from './c.ts'"),
      parseSource('errors/c.ts', "export { a } from './a.ts'"),
      parseSource('errors/d.ts', "import { a } from './a.ts'"),
    ];
    expect(findRing(ring)).toEqual(['errors/a.ts', 'errors/b.ts', 'errors/c.ts', 'errors/a.ts']);
    expect(findRing(ring.slice(0, 2))).toBeUndefined();
  });

  test.each([
    ['recovery/a.ts', 'const t = Date.now()', 1],
    ['recovery/a.ts', 'const t = new Date()', 1],
    ['recovery/a.ts', 'const t = new Date(5)', 0],
    ['recovery/a.ts', 'setTimeout(() => {}, 5)', 1],
    ['recovery/a.ts', 'const later = setTimeout', 1],
    ['recovery/a.ts', 'globalThis.setTimeout(f, 5)', 1],
    ['recovery/a.ts', 'world.after(5, f)', 0],
    ['recovery/a.ts', 'clock.setTimeout(f, 5)', 0],
    ['recovery/a.ts', 'interface Clock { setTimeout(): void }', 0],
    ['recovery/a.ts', 'function f(navigator: N) { return navigator.onLine }', 0],
    ['recovery/a.ts', 'Math.random()', 1],
    ['recovery/a.ts', 'const { random } = Math', 1],
    ['recovery/a.ts', 'const { max } = Math', 0],
    ['recovery/a.ts', "Math['random']()", 1],
    ['ui/a.tsx', 'const { setTimeout: later } = globalThis', 1],
    ['transport/a.ts', 'AbortSignal.timeout(5)', 1],
    ['ui/a.tsx', 'navigator.clipboard.writeText(x)', 1],
    ['ui/a.tsx', "window.addEventListener('online', f)", 1],
    ['ui/a.tsx', "node.addEventListener('keydown', f)", 0],
    ['ui/a.tsx', 'document.activeElement', 0],
    ['ui/a.tsx', 'if (document.visibilityState) f()', 1],
    ['ui/a.tsx', 'localStorage.getItem(x)', 1],
    ['server/a.ts', 'document.title', 1],
    ['server/a.ts', 'request.document', 0],
    ['world.ts', 'Date.now()', 0],
  ])('%s with %s names %d', (path, text, names) => {
    expect(outsideNames(parseSource(path, text))).toHaveLength(names);
  });

  test.each([
    ['export default 1', true],
    ['export default function f() {}', true],
    ["export { x as default } from './b.ts'", true],
    ['switch (x) { default: break; }', false],
    ['export const x = 1', false],
  ])('%s', (text, isDefault) => {
    expect(hasDefaultExport(parseSource('errors/a.ts', text))).toBe(isDefault);
  });

  test.each([
    ['export const x = 1', 'value, bare'],
    ['/** Says. */\nexport const x = 1', 'value, documented'],
    ['// Says.\nexport const x = 1', 'value, bare'],
    ['export interface x {}', 'type, bare'],
    ['/** Says. */\nexport type x = 1', 'type, documented'],
    [
      '/** Says. */\nexport function x(a: 1): 1;\nexport function x(a: 2): 2 {}',
      'value, documented',
    ],
    ['export type x = 1;\n/** Says. */\nexport const x = 1', 'value, documented'],
    ["export { x } from './b.ts'", 'value, passed on'],
    ["export { type x } from './b.ts'", 'type, passed on'],
    ["export type { a as x } from './b.ts'", 'type, passed on'],
  ])('%s exports a %s', (text, is) => {
    const said = exportedNames(parseSource('errors/a.ts', text)).map(
      ({ name, typeOnly, documented, passedOn }) =>
        `${name}: ${typeOnly ? 'type' : 'value'}, ${passedOn ? 'passed on' : documented ? 'documented' : 'bare'}`,
    );
    expect(said).toEqual([`x: ${is}`]);
  });

  test('what is not exported is no name of a source', () => {
    expect(exportedNames(parseSource('errors/a.ts', 'const x = 1; interface Y {}'))).toEqual([]);
  });

  test('every form of an import is seen once', () => {
    const source = parseSource(
      'errors/a.ts',
      "import a from './1.ts'; import type { b } from './2.ts'; export * from './3.ts'; type C = import('./4.ts').C; void import('./5.ts');",
    );
    expect(importsOf(source).map(({ target, typeOnly }) => [target, typeOnly])).toEqual([
      ['errors/1.ts', false],
      ['errors/2.ts', true],
      ['errors/3.ts', false],
      ['errors/4.ts', true],
      ['errors/5.ts', false],
    ]);
  });
});
