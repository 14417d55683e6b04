import type { Path } from './steps.ts';

/** What JSON leaves out is a choice of the app that was not made. */
const plain = (path: Path): Path => JSON.parse(JSON.stringify(path)) as Path;

const literal = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'string') return `'${value.replaceAll("'", "\\'")}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  const fields = Object.entries(value).map(([name, field]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`;
    return `${key}: ${literal(field)}`;
  });
  return `{ ${fields.join(', ')} }`;
};

/** A walk as an entry of `knownWalks.ts`, and as the command that walks it again. */
export function printWalk(path: Path, broken: readonly string[]): string {
  const { steps, ...choices } = plain(path);
  const head = literal(choices).slice(2, -2);
  const lines = steps.map((step) => `      ${literal(step)},`).join('\n');
  return (
    `Into knownWalks.ts, under a name that says what went wrong (${broken[0] ?? 'nothing'}):\n\n` +
    `  '…': {\n    ${head},\n    steps: [\n${lines}\n    ],\n  },\n\n` +
    `Again: WALK='${JSON.stringify(plain(path)).replaceAll("'", "'\\''")}' npm run soak`
  );
}
