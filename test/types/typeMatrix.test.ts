// @vitest-environment node
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Where the packages of each supported release are; the newest of ai 6 stands under its own name. */
const SDKS = {
  'ai 6': undefined,
  'the oldest ai 6': 'node_modules/ai-sdk-react-v3-floor',
  'ai 7': 'node_modules/ai-sdk-react-v4',
  'the oldest ai 7': 'node_modules/ai-sdk-react-v4-floor',
} as const;

const react18 = 'compat/react18/node_modules/@types';
const REACTS = {
  'React 19': {},
  'React 18': {
    react: [`${root}${react18}/react`],
    'react/*': [`${root}${react18}/react/*`],
    'react-dom': [`${root}${react18}/react-dom`],
    'react-dom/*': [`${root}${react18}/react-dom/*`],
  },
} as const;

/** Each release of the SDK once, and the other React beside the newest of each major. */
const PAIRS: readonly (readonly [keyof typeof SDKS, keyof typeof REACTS])[] = [
  ['ai 6', 'React 19'],
  ['the oldest ai 6', 'React 19'],
  ['ai 7', 'React 19'],
  ['the oldest ai 7', 'React 19'],
  ['ai 6', 'React 18'],
  ['ai 7', 'React 18'],
];

interface Checked {
  /** What the compiler has against it, with its place. */
  readonly found: readonly string[];
  readonly files: readonly string[];
}

const parsed = new Map<string, ts.SourceFile>();

/** The app, and the rooms that the SDK's types reach. React's own types an app meets in declarations alone. */
const CONSUMER = ['/test/types/consumer.types.tsx'];
const WITH_ROOMS = [...CONSUMER, '/src/react/', '/src/transport/'];

/** Type-checks the files of `checked` against these packages. */
function check(sdk: string | undefined, react: object, checked: readonly string[]): Checked {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
  config.include = [];
  config.files = ['test/types/consumer.types.tsx'];
  const aliases =
    sdk === undefined
      ? {}
      : { ai: [`${root}${sdk}/node_modules/ai`], '@ai-sdk/react': [`${root}${sdk}`] };
  Object.assign(config.compilerOptions.paths, aliases, react);
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const host = ts.createCompilerHost(options);
  const readFile = host.getSourceFile.bind(host);
  // The platform's declarations are the same in every program, and much to read.
  host.getSourceFile = (name, how, ...rest) => {
    const kept = parsed.get(name) ?? readFile(name, how, ...rest);
    if (kept !== undefined && name.includes('/typescript/lib/')) parsed.set(name, kept);
    return kept;
  };
  const program = ts.createProgram(fileNames, options, host);
  const all = program.getSourceFiles();
  const read = all.filter(({ fileName }) => checked.some((part) => fileName.includes(part)));
  const problems = [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...read.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]),
  ];
  const found = problems.map(({ file, start, messageText }) => {
    const line =
      file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
    const place = file?.fileName.replace(root, '') ?? '';
    return `${place}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
  return { found, files: all.map(({ fileName }) => fileName) };
}

describe('what an app writes against every entry point', () => {
  test('there is a place for each release that is supported', () => {
    const places = [...Object.values(SDKS), react18].filter((place) => place !== undefined);
    expect(places.filter((place) => !existsSync(`${root}${place}`))).toEqual([]);
  });

  test.each(PAIRS)('type-checks with %s and %s', { timeout: 60_000 }, (sdk, react) => {
    const place = SDKS[sdk];
    const { found, files } = check(
      place,
      REACTS[react],
      react === 'React 18' ? CONSUMER : WITH_ROOMS,
    );
    expect(found).toEqual([]);
    const reads = (part: string): boolean => files.some((name) => name.includes(part));
    expect(
      reads(place === undefined ? '/node_modules/ai/dist/' : `/${place}/node_modules/ai/`),
    ).toBe(true);
    expect(reads(`/${react18}/react/`)).toBe(react === 'React 18');
    expect(files.filter((name) => /\/node_modules\/@types\/react\/index/.test(name))).toHaveLength(
      1,
    );
  });
});
