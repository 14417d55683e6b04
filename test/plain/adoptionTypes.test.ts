// @vitest-environment node
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

declare const __AI_MAJOR__: 6 | 7;

const root = fileURLToPath(new URL('../..', import.meta.url));
const sdk7 = 'node_modules/ai-sdk-react-v4';

/** Where this major's packages are; `npm run check` sees those of ai 6 alone. */
const packages = {
  6: {},
  7: { ai: [`${root}${sdk7}/node_modules/ai`], '@ai-sdk/react': [`${root}${sdk7}`] },
}[__AI_MAJOR__];

test('every form of adoption type-checks, and keeps the types of metadata, data and tools', () => {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
  config.include = [];
  config.files = ['test/plain/adoption.types.ts'];
  Object.assign(config.compilerOptions.paths, packages);
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const program = ts.createProgram(fileNames, options);
  const found = ts
    .getPreEmitDiagnostics(program)
    .map(({ file, messageText }) => [
      file?.fileName,
      ts.flattenDiagnosticMessageText(messageText, '\n'),
    ]);
  expect(found).toEqual([]);
  const used = program.getSourceFiles().map(({ fileName }) => fileName);
  expect(used.some((name) => name.includes(`${sdk7}/node_modules/ai/`))).toBe(__AI_MAJOR__ === 7);
}, 60_000);
