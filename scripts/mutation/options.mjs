/**
 * Files of `src/errors` and `src/recovery` that are not mutated: they have no behaviour of their own, or they act rather
 * than decide, so that what holds them are the tests of the hook, which need a page. With the reason.
 */
export const LEFT_OUT = {
  'src/errors/errorDetail.ts': 'types only',
  'src/recovery/effects.ts': 'types only',
  'src/recovery/events.ts': 'types only',
  'src/recovery/ports.ts': 'types only',
  'src/recovery/readResult.ts': 'types only',
  'src/recovery/controller.ts': 'acts: performs the orders',
  'src/recovery/turnHosts.ts': 'acts: asks for the transport and answers it',
  'src/recovery/appVoice.ts': 'acts: calls the app',
  'src/recovery/jobScope.ts': 'acts: timers and requests of a job',
  'src/recovery/gateClock.ts': 'acts: one timer',
  'src/recovery/shares.ts': 'acts: places in the shared limits',
  'src/recovery/keptSends.ts': 'acts: reads and writes the store',
};

/** What Stryker is run with. */
export const OPTIONS = {
  testRunner: 'vitest',
  vitest: { configFile: 'scripts/mutation/vitest.config.ts', related: false },
  plugins: ['@stryker-mutator/vitest-runner'],
  mutate: [
    'src/errors/*.ts',
    'src/recovery/*.ts',
    ...Object.keys(LEFT_OUT).map((file) => `!${file}`),
  ],
  coverageAnalysis: 'perTest',
  // What is evaluated once, when a file is loaded, would need a fresh context and every test for each of its mutants.
  ignoreStatic: true,
  incremental: true,
  incrementalFile: 'reports/mutation/incremental.json',
  reporters: ['json', 'clear-text', 'progress-append-only'],
  clearTextReporter: {
    allowColor: false,
    logTests: false,
    reportTests: false,
    reportMutants: false,
  },
  jsonReporter: { fileName: 'reports/mutation/report.json' },
  concurrency: 2,
  ignorePatterns: [
    ...['dist', 'stories', 'example-app', 'compat', '.storybook', 'test-results', 'reports'],
    // A second one of these within the project would be taken for its own.
    'biome.json',
  ],
  disableTypeChecks: false,
  timeoutMS: 15_000,
};
