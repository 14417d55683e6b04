import { code, page, table } from '../docs/markdown.ts';

/** One change of the source, and whether a test noticed it. */
interface Mutant {
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly status: string;
  readonly location: { readonly start: { readonly line: number; readonly column: number } };
}

/** A file of Stryker's report. */
export interface MutatedFile {
  readonly source: string;
  readonly mutants: readonly Mutant[];
}

const NOTICED = ['Killed', 'Timeout'];
const UNNOTICED = ['Survived', 'NoCoverage'];

const counted = ({ mutants }: MutatedFile, statuses: readonly string[]): number =>
  mutants.filter(({ status }) => statuses.includes(status)).length;

const sum = (files: readonly MutatedFile[], statuses: readonly string[]): number =>
  files.reduce((total, file) => total + counted(file, statuses), 0);

/** How many of a hundred changes to these files a test notices. */
export function scoreOf(files: readonly MutatedFile[]): number {
  const noticed = sum(files, NOTICED);
  const all = noticed + sum(files, UNNOTICED);
  return all === 0 ? 100 : (100 * noticed) / all;
}

const percent = (score: number): string => `${score.toFixed(1)} %`;

type Named = readonly (readonly [path: string, file: MutatedFile])[];

const scores = (files: Named): string =>
  table(
    ['file', 'noticed', 'changes', 'unnoticed', 'of these never reached', 'by time-out'],
    files.map(([path, file]) => [
      code(path.replace('src/', '')),
      percent(scoreOf([file])),
      String(counted(file, NOTICED) + counted(file, UNNOTICED)),
      String(counted(file, UNNOTICED)),
      String(counted(file, ['NoCoverage'])),
      String(counted(file, ['Timeout'])),
    ]),
  );

const short = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').replaceAll('`', "'").trim();
  return line.length > 70 ? `${line.slice(0, 69)}…` : line;
};

/** The lines with the most changes that nothing notices. */
function survivors(files: Named): string {
  const lines = files.flatMap(([path, { source, mutants }]) => {
    const text = source.split('\n');
    const byLine = new Map<number, Mutant[]>();
    for (const mutant of mutants) {
      if (!UNNOTICED.includes(mutant.status)) continue;
      const { line } = mutant.location.start;
      byLine.set(line, [...(byLine.get(line) ?? []), mutant]);
    }
    return [...byLine].map(([line, found]) => ({ path, text: text[line - 1] ?? '', found }));
  });
  const most = lines.sort((a, b) => b.found.length - a.found.length).slice(0, 30);
  return table(
    ['file', 'line', 'unnoticed', 'for example'],
    most.map(({ path, text, found }) => [
      code(path.replace('src/', '')),
      code(short(text)),
      String(found.length),
      code(short(found[0]?.replacement ?? found[0]?.mutatorName ?? '')),
    ]),
  );
}

/** The page on mutation testing. `files`: of Stryker's report; `leftOut`: files with the reason. */
export function mutationPage(
  files: Readonly<Record<string, MutatedFile>>,
  leftOut: Readonly<Record<string, string>>,
  lowest: number,
): string {
  const named: Named = Object.entries(files)
    .filter(([, { mutants }]) => mutants.length > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const all = named.map(([, file]) => file);
  const room = (name: string) => named.filter(([path]) => path.startsWith(`src/${name}/`));
  const ofRoom = (name: string): string => percent(scoreOf(room(name).map(([, file]) => file)));
  const mutants = all.flatMap((file) => file.mutants);
  const ignored = mutants.filter(({ status }) => status === 'Ignored').length;
  const judged = sum(all, [...NOTICED, ...UNNOTICED]);
  return page(
    '<!-- Written by `npm run mutate`. Edit `scripts/mutation` instead. -->',
    '# Mutation testing',
    `The errors and the pure parts of recovery are changed in ${judged.toLocaleString('en')} small ways, one at a time: a
condition turned round, a string emptied, an order left out. **${percent(scoreOf(all))}** of the changes make a test fail:
${ofRoom('errors')} in \`src/errors\`, ${ofRoom('recovery')} in \`src/recovery\`. \`npm run mutate\` does it, and fails below
${lowest} %. From scratch it takes up to an hour on two cores; after that only what has changed is tried again.`,
    `- \`npm run mutate -- src/recovery/decide.ts\` tries one file, and leaves this page as it is.
- \`npm run mutate -- --concurrency 4\` uses more cores; \`--force\` forgets earlier runs; \`--page\` writes this page from the
  last report.
- The changes and what became of each are in \`reports/mutation/report.json\`.`,
    '## What is run',
    `For each change only the tests that reach it, in Node, without a page and without React: \`test/errors\`, \`test/adapters\`
and \`test/recovery\`. Most of what the transition does is held by \`test/recovery/turns\`: histories of facts, each with the
orders that it gives and what a person sees then, written down as they are. They notice that something has changed, and a
change of them is read like a change of the code; whether it is right is what the other tests, the scenarios and the
random walks say, and those are not part of this. Properties are tried on fewer inputs here than in \`npm test\`.`,
    '## What is left out',
    `- ${ignored.toLocaleString('en')} changes to what is evaluated once, when a file is loaded (the tables of the failures, sets of
  words, defaults of limits): each would need every test anew. \`test/errors\` and \`test/docs\` hold those tables.
- Fuzzing with hostile values, the walks, and all tests of the hook and the kit: they take too long for each change.
- Files that only act, and files of types:`,
    table(
      ['file', 'why'],
      Object.entries(leftOut).map(([path, why]) => [code(path.replace('src/', '')), why]),
    ),
    'No kind of change is left out.',
    '## By file',
    scores(named),
    '## What is not noticed',
    `The lines with the most changes that no test here notices. Many change nothing that can be seen: a check of what the
present job already implies, a field that nothing reads before it is written again, a comparison at a limit that times
do not meet. What is left is held by the tests of the hook.`,
    survivors(named),
  );
}
