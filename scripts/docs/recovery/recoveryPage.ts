import { decideRefusal, type Verdict } from '../../../src/recovery/decide.ts';
import { decideSubmit, type SubmitVerdict } from '../../../src/recovery/decideSubmit.ts';
import type { ActKind, Turn } from '../../../src/recovery/model.ts';
import { resolvePolicy } from '../../../src/recovery/policy.ts';
import { chatStatusOf, type RecoveryStateName } from '../../../src/recovery/state.ts';
import { code, GENERATED, page, table } from '../markdown.ts';
import {
  type Edge,
  envOf,
  explore,
  REFUSALS,
  SETTINGS,
  type Setting,
} from './exploreTransition.ts';
import { LIMITS } from './limits.ts';

/** `docs/recovery.md`: what recovery does, read off the functions that do it. */
export function recoveryPage(): string {
  return page(
    GENERATED,
    '# How helix-chat recovers',
    INTRO,
    '![The states of a chat and what leads from one to the next](recovery-states.svg)',
    DIAGRAM_NOTE,
    '## States',
    statesTable(),
    '## When a request is not answered with a reply',
    ANSWERS_NOTE,
    ...ACTS.flatMap(({ title, kind }) => [`### ${title}`, answersTable(kind)]),
    '## From state to state',
    EDGES_NOTE,
    edgesTable(),
    '## Limits',
    LIMITS_NOTE,
    limitsTable(),
  );
}

const INTRO = `A chat is always in exactly one of seven states. What happened is a fact, what follows is decided by one pure function
([\`src/recovery/transition.ts\`](../src/recovery/transition.ts)) that knows no clock and no network, and one file acts on
what it decides ([\`src/recovery/controller.ts\`](../src/recovery/controller.ts)). This page was made by walking through
everything that the function can come to. The promises behind it, the weightiest first:

1. **Your text is never lost.** A message is in the conversation or in \`pendingSends\`, never in both, never in neither.
2. **It is never sent twice.** With request keys, or with a snapshot route that keeps message ids, the conversation holds
   each message once, however often requests fail. Without either, nothing that may have arrived is posted again but by
   a person's press.
3. **The screen ends equal to the conversation on the server.** No half, doubled or superseded text stays.
4. **It always settles.** Automatic work is bounded, and every state has a way out.
5. **A stop is not an error, and a time-out is not a stop.**
6. **On a backend without these routes and keys it is never worse than \`useChat\` alone.**`;

const DIAGRAM_NOTE = `Black: what the network brings. Blue: what a person does. Green: what comes with time. Left out of the picture, because it
is the same everywhere: *stop* leads to \`idle\` from each state, and a message sent while something is under way is held
and goes when that is over.`;

const MEANINGS: Record<RecoveryStateName, string> = {
  idle: 'Nothing is under way.',
  sending: 'A request is out and no reply has begun.',
  streaming: 'A reply is being read.',
  resyncing:
    'The conversation is read from the server, because a reply was cut or superseded, or because it is not clear whether a message arrived.',
  'waiting-on-run':
    'Another reply is being written. It is shown as it comes; the message is held and goes when it ends.',
  'backing-off':
    'The next try waits: for its back-off, a time that the server stated, the network, or a shared limit.',
  failed: 'Nothing goes on by itself. `failure` says what happened and which actions make sense.',
};

function statesTable(): string {
  const statuses: Record<RecoveryStateName, string> = {
    idle: status({ name: 'idle' }),
    sending: status({ name: 'sending', since: 0, attempt: 1 }),
    streaming: status({ name: 'streaming', since: 0, own: true }),
    resyncing: both(
      status({ name: 'resyncing', since: 0, cause: 'cut', attached: true }),
      status({ name: 'resyncing', since: 0, cause: 'load', attached: false }),
      'while a chat is opened',
    ),
    'waiting-on-run': both(
      status({ ...WAITING, attached: true }),
      status({ ...WAITING, attached: false }),
      'while there is no stream to show',
    ),
    'backing-off': both(
      status({ ...BACKING_OFF, of: 'send' }),
      status({ ...BACKING_OFF, of: 'read' }),
      'while a reply is on screen',
    ),
    failed: both(
      status({ name: 'failed', failure: { ...FAILURE, severity: 'warning' } }),
      status({ name: 'failed', failure: { ...FAILURE, severity: 'notice' } }),
      'for a notice',
    ),
  };
  return table(
    ['`recovery.name`', 'what it means', '`status`'],
    STATE_NAMES.map((name) => [code(name), MEANINGS[name], statuses[name]]),
  );
}

type State = Parameters<typeof chatStatusOf>[0];
type FailedState = Extract<State, { name: 'failed' }>;

const FAILURE = {} as FailedState['failure'];
const WAITING = {
  name: 'waiting-on-run',
  since: 0,
  cause: 'foreign-run',
  stopping: false,
} as const satisfies Partial<State>;
const BACKING_OFF = {
  name: 'backing-off',
  since: 0,
  cause: 'backoff',
  retryAt: 0,
  attempt: 1,
  attempts: 1,
  phase: 'send',
  failure: FAILURE,
} as const satisfies Partial<State>;

const status = (state: State): string => code(chatStatusOf(state));
const both = (usual: string, other: string, when: string): string =>
  usual === other ? usual : `${usual}; ${other} ${when}`;

export const STATE_NAMES = Object.keys(MEANINGS) as readonly RecoveryStateName[];

const ACTS: readonly { title: string; kind: ActKind }[] = [
  { title: 'A new message', kind: 'send' },
  { title: 'Another reply, or a changed message', kind: 'regenerate' },
  { title: 'Answers to tool calls', kind: 'submit' },
];

const ANSWERS_NOTE = `*Keys*: the endpoint is known to honour the request key that helix-chat sends, so the same request may be repeated.
*Routes*: it has the snapshot route, so the conversation can be read. A repeat always waits (see [limits](#limits)) and
carries the same key. What is not accepted returns to the person with its text, with the actions that make sense.`;

const COLUMNS: readonly Setting[] = SETTINGS.slice(0, 3);

function answersTable(kind: ActKind): string {
  return table(
    ['the answer', ...COLUMNS.map(({ name }) => name)],
    REFUSALS.map(({ says, ...refusal }) => [
      says,
      ...COLUMNS.map((setting) => {
        const env = { ...envOf(setting), canAuthorize: true, policy: resolvePolicy() };
        const refused = { stage: 'request', ...refusal } as const;
        const turn = actOf(kind);
        return kind === 'submit'
          ? answersInWords(decideSubmit(turn, refused, env))
          : inWords(kind, decideRefusal(turn, refused, env));
      }),
    ]),
  );
}

const actOf = (kind: ActKind): Turn => ({
  id: 1,
  kind,
  message: kind === 'send' ? { id: 'm1', role: 'user', parts: [] } : undefined,
  targetId: kind === 'send' ? undefined : 'a1',
  request: undefined,
  attempts: [],
  requests: 1,
  tries: 1,
  conflicts: 0,
  spent: [],
  unclear: false,
  accepted: false,
  readFailed: false,
  answers: [],
});

function inWords(kind: ActKind, verdict: Verdict): string {
  const back = kind === 'send' ? 'give it back' : 'put the history back';
  switch (verdict.do) {
    case 'repeat':
      return verdict.wait === 'none' ? 'repeat at once' : 'back off, repeat';
    case 'read':
      return verdict.absent === 'fail'
        ? `read the conversation: there, it settles; not there, ${back}`
        : 'read the conversation: there, it settles; not there, repeat';
    case 'hold':
      return 'as the [conflict policy](conflict-policy.md) says';
    case 'authorize':
      return `\`onUnauthorized\` once, then repeat; without it ${back}`;
    case 'defer':
      return 'it stays; wait as stated, then read the conversation';
    case 'fail':
      return verdict.committed === 'unknown' ? `${back}: it may have arrived` : back;
  }
}

function answersInWords(verdict: SubmitVerdict): string {
  const back = 'they stay where they were given';
  switch (verdict.do) {
    case 'authorize':
      return `\`onUnauthorized\` once, then repeat; without it ${back}`;
    case 'fail':
      return verdict.committed === 'unknown' ? `${back}: they may have arrived` : back;
    case 'read-answers':
      return verdict.again === 'no'
        ? `read the conversation: taken, it settles; else ${back}`
        : 'read the conversation: taken, it settles; still waited for, once more';
  }
}

const EDGES_NOTE = `Every way from one state to another that was found, with what leads there. *Italic*: a person's press.`;

/** What was found in all settings together, each once. */
export function allEdges(): readonly Edge[] {
  const edges = SETTINGS.flatMap((setting) => explore(setting).edges);
  return [...new Map(edges.map((edge) => [JSON.stringify(edge), edge])).values()];
}

function edgesTable(): string {
  const edges = allEdges().filter(({ from, to }) => from !== to);
  const rows = STATE_NAMES.flatMap((from) =>
    STATE_NAMES.flatMap((to) => {
      const found = edges.filter((edge) => edge.from === from && edge.to === to);
      if (found.length === 0) return [];
      const words = found.map(({ says, by }) => (by === 'person' ? `*${says}*` : says)).sort();
      return [[code(from), code(to), [...new Set(words)].join('; ')]];
    }),
  );
  return table(['from', 'to', 'what leads there'], rows);
}

const LIMITS_NOTE =
  'Each is an option of `recovery`. Times are in milliseconds; 0 switches a time-out off.';

function limitsTable(): string {
  const defaults = resolvePolicy();
  return table(
    ['option', 'default', 'what it limits'],
    Object.entries(LIMITS).map(([name, says]) => {
      const value = defaults[name as keyof typeof defaults];
      return [code(name), shown(value), says];
    }),
  );
}

function shown(value: unknown): string {
  if (value === undefined) return 'none';
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([name, number]) => `${name} ${shown(number)}`)
      .join(', ');
  }
  return typeof value === 'number' ? value.toLocaleString('en') : String(value);
}
