import { classifyEntryFailure, WAKE_AFTER } from '../../src/errors/classifyEntryFailure.ts';
import * as clientFailures from '../../src/errors/clientFailures.ts';
import { HelixError } from '../../src/errors/HelixError.ts';
import { readUntypedAnswer } from '../../src/errors/untypedAnswer.ts';
import { en } from '../../src/i18n/en.ts';
import { CAUSES } from '../../src/protocol/causes.ts';
import {
  CATEGORIES,
  type Category,
  CODES,
  codeOfLegacy,
  type ErrorCode,
  isErrorCode,
} from '../../src/protocol/codes.ts';
import { isReason, REASONS, TIMEOUT_LAYERS } from '../../src/protocol/reasons.ts';
import * as frontend from '../../src/server/frontendHandlerErrors.ts';
import { httpStatusForHelixError } from '../../src/server/httpStatus.ts';
import { codeByStatus } from '../../src/server/providerReport.ts';
import { CODE_MEANINGS } from './codeMeanings.ts';
import { fixOf, SCREENS_HEAD, screensOf } from './errorScreens.ts';
import { code, codes, GENERATED, page, table } from './markdown.ts';

const ALL = Object.keys(CODES).filter(isErrorCode);

const flag = (retryable: boolean | null | undefined): string =>
  retryable === true ? 'true' : retryable === false ? 'false' : '–';

// --- codes ---------------------------------------------------------------------------------------------------------

function factsOf(name: ErrorCode): readonly string[] {
  const error = new HelixError({ code: name });
  const [early, late] = [false, true].map((committed) =>
    httpStatusForHelixError(error, { committed }),
  );
  return [
    code(name),
    CODE_MEANINGS[name],
    CODES[name].sentence,
    flag(CODES[name].retryable),
    `${early} / ${late}`,
    fixOf(error),
  ];
}

function ofCategory(category: Category): string {
  const members = ALL.filter((name) => CODES[name].category === category);
  if (members.length === 0) return '';
  return [
    `### ${category}`,
    table(
      ['code', 'means', 'people read', 'flag', 'status', 'mended by'],
      members.map((name) => factsOf(name)),
    ),
    table(
      ['code', ...SCREENS_HEAD],
      members.map((name) => [code(name), ...screensOf(new HelixError({ code: name }))]),
    ),
  ].join('\n\n');
}

const CODES_TEXT = `## Codes

The flag is what the code states of a repeat: true, false, or nothing (–); an error may state its own. The status is that of the
answer to a request that failed so, before its input was written and after it. 503 says that this request may be
repeated as it is; so once its input was written the answer is 409 or 500. A flag of true makes it 503 for any code that
is not among the 400s, 404s and \`state_already_running\`. A client reads the flag back from the status: true for 503 and for
\`state_already_running\`, else false. An event in a stream carries the error's own flag.

Below each table: where a failure is shown and what a person can do, in a chat in which everything is possible; the
filled button is bold. What recovery mends by itself is never shown as a failure. Codes are an open set: one that this
version does not know keeps its text and falls back to its category.`;

const unknownRows = (): readonly (readonly string[])[] => [
  ...Object.keys(CATEGORIES)
    .filter((category) => category !== 'unknown')
    .map((category) => [`${category}_…`, ...screensOf(new HelixError({ code: `${category}_x` }))]),
  ['none', ...screensOf(new HelixError())],
];

const ACTIONS_TEXT = `## Actions

What the buttons are called in English. A view leaves out what an app cannot draw.`;

// --- reasons -------------------------------------------------------------------------------------------------------

const REASONS_TEXT = `## Reasons

Why a failure happened, where its code alone does not say: a closed list. A reason with a screen of its own overrules that
of its code. These travel as the \`cause\` of a typed body or event: ${codes(CAUSES)}.`;

function reasonRow(name: string): readonly string[] {
  if (!isReason(name)) throw new TypeError(`${name} is no reason.`);
  const error = { category: 'unknown', reason: name } as const;
  const plain = screensOf({ category: 'unknown' });
  const own = screensOf(error);
  const screens = own.join() === plain.join() ? ['as its code', '', ''] : own;
  return [code(name), REASONS[name].sentence, ...screens];
}

// --- the client's own failures ---------------------------------------------------------------------------------------

type Made = readonly [what: string, error: HelixError];

/** Every failure that the client finds by itself. A new one does not compile until it stands here. */
const CLIENT_FAILURES: Readonly<Record<keyof typeof clientFailures, readonly Made[]>> = {
  networkFailureError: [
    ['no response', clientFailures.networkFailureError(false)],
    [
      'no response, and the device says that it is offline',
      clientFailures.networkFailureError(true),
    ],
  ],
  unexpectedResponse: [
    [
      'a success that is neither an event stream nor a typed body',
      clientFailures.unexpectedResponse(),
    ],
  ],
  timeoutFailure: [
    ['no answer in time (layer `connect`)', clientFailures.timeoutFailure('connect')],
    ['the whole took too long (layer `total`)', clientFailures.timeoutFailure('total')],
  ],
  cutFailure: [
    [
      'a stream that was cut, a broken frame, an abort that nobody here asked for',
      clientFailures.cutFailure(),
    ],
  ],
  silentFailure: [['a stream that fell silent (layer `idle`)', clientFailures.silentFailure()]],
  reanchorLimit: [['too many re-anchors without anything new', clientFailures.reanchorLimit()]],
  strandedRun: [
    ['a run that is called active and that nothing streams', clientFailures.strandedRun()],
  ],
  answerRejected: [['answers to tool calls that did not apply', clientFailures.answerRejected([])]],
  patienceOver: [
    ['a message has waited for the earlier reply long enough', clientFailures.patienceOver()],
  ],
  emptyReply: [['a reply that ended in order and brought nothing', clientFailures.emptyReply()]],
  snapshotBehind: [
    ['a snapshot from before a message that the server has taken', clientFailures.snapshotBehind()],
  ],
  corruptSnapshot: [
    [
      'a snapshot that cannot be one, on a route that was promised',
      clientFailures.corruptSnapshot(),
    ],
  ],
  filteredReply: [
    ['a finish reason `content-filter` without any text', clientFailures.filteredReply(false)],
    ['the same after some text', clientFailures.filteredReply(true)],
  ],
  lengthReply: [
    ['a finish reason `length` without any text', clientFailures.lengthReply(false)],
    ['the same after some text', clientFailures.lengthReply(true)],
  ],
  finishErrorReply: [
    ['a finish reason `error` without any text', clientFailures.finishErrorReply(false)],
    ['the same after some text', clientFailures.finishErrorReply(true)],
  ],
};

const errorCells = (error: {
  readonly code?: string | undefined;
  readonly reason?: string | undefined;
  readonly retryable?: boolean | undefined;
}): readonly string[] => [
  error.code === undefined ? 'none' : code(error.code),
  flag(error.retryable),
  error.reason === undefined ? '–' : code(error.reason),
];

const CLIENT_TEXT = `## Failures that the client makes

No server said these: the client found them.`;

const UNTYPED_TEXT = `### Answers without a typed body

A proxy, a framework or another backend: its text is never shown, the status and the headers count. \`x-should-retry\`
overrules the flag. Where a word of the body names a used-up allowance (\`insufficient_quota\`, \`credits-exhausted\`, the \`type\`
of a problem), in whatever envelope, the refusal is \`provider_rate_limited\`, reason \`quota\`, flag false unless a wait is stated.

A status that stands inside a stream is the model provider's, as the app itself has answered 200: see below.`;

const UNTYPED = [
  200, 400, 401, 402, 403, 404, 408, 409, 413, 415, 425, 429, 500, 502, 503, 504,
] as const;

// --- servers -------------------------------------------------------------------------------------------------------

const PROVIDER_STATUSES = [
  400, 401, 403, 404, 408, 409, 422, 429, 500, 502, 503, 504, 529,
] as const;

const SERVER_TEXT = `## Statuses of a model provider

What \`mapVercelError\` makes of a refused call, by its status. The flag is the AI SDK's own \`isRetryable\`; after a
\`RetryError\` it is false.`;

const LEGACY_TEXT = `## Legacy handler errors

Classes of older handlers, the answer that a route gives for them, and the code that a client reads.`;

function legacyRows(): readonly (readonly string[])[] {
  const { FrontendHandlerError: _, ...classes } = frontend;
  return Object.entries(classes).map(([name, Class]) => {
    const error = new Class('');
    const now = codeOfLegacy(error.code);
    return [code(name), code(error.code), String(error.statusCode), now ? code(now) : '–'];
  });
}

const ENTRY_TEXT = `## Entries that fail

\`classifyEntryFailure\` says what the failure of a start, a resume, a retry or a wake means for its run, and
\`entryFailureResponse\` answers it. A flag of true is transient, unless the entry was lost; so is what nobody recognises.`;

const ANSWERS = {
  lost: '409 `state_already_running`',
  refused: 'the status of its code',
  transient: '503; 409 or 500 once the input was written',
  fatal: 'the status of its code',
} as const;

function entryRows(): readonly (readonly string[])[] {
  return (Object.keys(ANSWERS) as (keyof typeof ANSWERS)[]).map((kind) => {
    const members = ALL.filter(
      (name) => classifyEntryFailure(new HelixError({ code: name })) === kind,
    );
    return [kind, ANSWERS[kind], WAKE_AFTER[kind].replaceAll('-', ' '), codes(members)];
  });
}

const OUTSIDE_TEXT = `## Not here

The snapshot read passes (\`snapshotPasses\`), the diagnostics of tool input, and the envelope of the sub-agent routes are
a runtime's own and have no counterpart in this package.`;

/** \`docs/errors.md\`: every code, reason and client-side failure, out of the tables that decide. */
export function errorsPage(): string {
  const categories = (Object.keys(CATEGORIES) as Category[]).map(ofCategory).filter(Boolean);
  return page(
    '# Errors',
    GENERATED,
    `Every failure becomes one \`HelixError\`: a code, a category, a flag, and a sentence that is safe to show. ${ALL.length} codes are
known. How a route answers with them: [writing a route](writing-a-route.md).`,
    CODES_TEXT,
    ...categories,
    '### Codes that nobody knows',
    table(['code', ...SCREENS_HEAD], unknownRows()),
    ACTIONS_TEXT,
    table(
      ['action', 'button'],
      Object.entries(en.actions).map(([action, label]) => [code(action), label]),
    ),
    REASONS_TEXT,
    table(['reason', 'people read', ...SCREENS_HEAD], Object.keys(REASONS).map(reasonRow)),
    'A reason `timeout` reads and is shown by its layer, and a rate limit that states its wait is waited for:',
    table(
      ['', 'people read', ...SCREENS_HEAD],
      [
        ...Object.entries(TIMEOUT_LAYERS).map(([layer, { sentence }]) => [
          `layer ${code(layer)}`,
          sentence,
          ...screensOf({
            category: 'transport',
            reason: 'timeout',
            layer: layer as keyof typeof TIMEOUT_LAYERS,
          }),
        ]),
        [
          `${code('rate-limit')} with a wait`,
          REASONS['rate-limit'].sentence,
          ...screensOf({ category: 'transport', reason: 'rate-limit', retryAfterMs: 1_000 }),
        ],
      ],
    ),
    CLIENT_TEXT,
    table(
      ['what', 'code', 'flag', 'reason', 'people read'],
      Object.values(CLIENT_FAILURES)
        .flat()
        .map(([what, error]) => [what, ...errorCells(error), error.message]),
    ),
    UNTYPED_TEXT,
    table(
      ['status', 'code', 'flag', 'reason'],
      UNTYPED.map((status) => [String(status), ...errorCells(readUntypedAnswer(status))]),
    ),
    SERVER_TEXT,
    table(
      ['status', 'code'],
      [
        ...PROVIDER_STATUSES.map((status) => [String(status), code(codeByStatus(status))]),
        ['another 4xx', code(codeByStatus(418))],
        ['another 5xx', code(codeByStatus(599))],
        ['none', code(codeByStatus(undefined))],
      ],
    ),
    ENTRY_TEXT,
    table(
      ['class', 'a request is answered', 'a wake', 'codes, with the flag of their row'],
      entryRows(),
    ),
    LEGACY_TEXT,
    table(['class', 'code', 'status', 'a client reads'], legacyRows()),
    OUTSIDE_TEXT,
  );
}
