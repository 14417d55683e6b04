import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');
const manifest = JSON.parse(read('package.json')) as {
  exports: Record<string, string | { types: string; default: string }>;
};

/** Runs Node in the project's root, where `helix-chat/...` means the built package itself. */
function node(...args: string[]) {
  const run = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  return { exitCode: run.status, out: run.stdout, told: `${run.stdout}${run.stderr}` };
}

/** All modules of the build that a file of it reaches, and the packages that they name. */
function reach(entry: string) {
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (path: string) => {
    if (files.has(path)) return;
    files.add(path);
    for (const [, from = ''] of read(path).matchAll(/(?:from|import) ?["']([^"']+)["']/g)) {
      if (from.startsWith('.')) visit(new URL(from, `file:///${path}`).pathname.slice(1));
      else packages.add(from);
    }
  };
  visit(entry);
  return { files, packages };
}

beforeAll(() => {
  const { exitCode, told } = node('node_modules/tsdown/dist/run.mjs');
  // publint and attw are part of the build: a complaint of theirs ends it with another code.
  expect({ exitCode, told: exitCode === 0 ? '' : told }).toEqual({ exitCode: 0, told: '' });
}, 120_000);

describe('the built package', () => {
  const targets = Object.values(manifest.exports).flatMap((target) =>
    typeof target === 'string' ? [target] : [target.types, target.default],
  );

  test.each(targets)('%s exists', (target) => {
    expect(existsSync(`${root}${target}`)).toBe(true);
  });

  test('the stylesheet is under 4 kB as it is sent, and keeps its layer', () => {
    const css = read('dist/styles.css');
    expect(gzipSync(css, { level: 9 }).length).toBeLessThan(4_000);
    expect(css).toMatch(/^@layer helix ?\{/);
  });

  test.each(['react', 'ui'])('dist/%s.js begins with "use client"', (name) => {
    expect(read(`dist/${name}.js`)).toMatch(/^["']use client["']/);
  });

  test('the core loads neither ai nor React, and the server room loads no package but zod', () => {
    for (const entry of [
      'dist/index.js',
      'dist/server.js',
      'dist/adapters.js',
      'dist/testing.js',
      'dist/locales/en.js',
      'dist/locales/pt-BR.js',
    ]) {
      expect([...reach(entry).packages].filter((name) => !name.startsWith('zod'))).toEqual([]);
    }
  });

  test('a locale stays out of the core', () => {
    const core = [...reach('dist/index.js').files];
    expect(core.filter((path) => path.startsWith('dist/locales/'))).toEqual([]);
  });

  test('the components load no English before they need it', () => {
    const inEnglish = (entry: string) =>
      [...reach(entry).files].filter((path) => read(path).includes('The reply was'));
    expect(inEnglish('dist/locales/en.js')).not.toEqual([]);
    expect(inEnglish('dist/ui.js')).toEqual([]);
  });

  const locales = Object.keys(manifest.exports).flatMap((path) => {
    const [, tag] = /^\.\/locales\/(.+)$/.exec(path) ?? [];
    return tag === undefined ? [] : [tag];
  });

  test.each(locales.filter((tag) => tag !== 'en'))(
    'the locale %s is one file, without English',
    (tag) => {
      const file = `dist/locales/${tag}.js`;
      expect([...reach(file).files]).toEqual([file]);
      expect(read(file)).not.toContain('The reply');
    },
  );

  test.each([
    ...['.', './transport', './react', './ui', './server', './adapters', './testing'],
    ...['./locales/en', './locales/pt-BR'],
  ])('Node imports %s by its public name', (entry) => {
    const name = entry.replace('.', 'helix-chat');
    const script = `console.log(Object.keys(await import(${JSON.stringify(name)})).length)`;
    const { exitCode, out, told } = node('--input-type=module', '-e', script);
    expect({ exitCode, told: exitCode === 0 ? '' : told }).toEqual({ exitCode: 0, told: '' });
    expect(Number(out)).toBeGreaterThan(0);
  });

  test('no file of the build names a path of the machine it was built on', () => {
    const files = readdirSync(`${root}dist`, { recursive: true }).map(String);
    for (const file of files.filter((name) => name.endsWith('.js'))) {
      expect(read(`dist/${file}`)).not.toContain(root);
    }
  });
});
