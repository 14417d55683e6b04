import { HelixError } from '../../../src/errors/HelixError.ts';
import type { Conflict, Env } from '../../../src/recovery/draft.ts';
import type { RecoveryEvent } from '../../../src/recovery/events.ts';
import { initialModel, type Model, type Turn } from '../../../src/recovery/model.ts';
import { resolvePolicy } from '../../../src/recovery/policy.ts';
import type { ReadResult } from '../../../src/recovery/readResult.ts';
import type { RecoveryStateName } from '../../../src/recovery/state.ts';
import { transition } from '../../../src/recovery/transition.ts';
import type { Cut, Refusal } from '../../../src/transport/turnHost.ts';

/**
 * Walks through everything that the transition can come to: from a fresh chat, with each fact that can reach it in each
 * job, in a few kinds of backend. Pages and tests are made from what it finds, so that they cannot tell a story of their
 * own.
 */

/** A kind of backend and of app that makes the transition decide otherwise. */
export interface Setting {
  readonly name: string;
  readonly keyed: boolean;
  readonly routes: 'known' | 'absent';
  readonly conflict: Conflict;
}

export const SETTINGS: readonly Setting[] = [
  { name: 'keys and routes', keyed: true, routes: 'known', conflict: 'wait' },
  { name: 'routes, no keys', keyed: false, routes: 'known', conflict: 'wait' },
  { name: 'plain backend', keyed: false, routes: 'absent', conflict: 'wait' },
  { name: 'keys and routes, ask', keyed: true, routes: 'known', conflict: 'ask' },
  { name: 'keys and routes, stop', keyed: true, routes: 'known', conflict: 'stop' },
];

/** Whose doing a fact is: the person's (or the app's), the network's, or time's. */
export type Doer = 'person' | 'network' | 'clock';

/** A fact with the words of the page for it. */
export interface Fact {
  readonly event: RecoveryEvent;
  readonly says: string;
  readonly by: Doer;
}

export interface Edge {
  readonly from: RecoveryStateName;
  readonly to: RecoveryStateName;
  readonly says: string;
  readonly by: Doer;
}

export interface Visit {
  readonly model: Model;
  readonly setting: Setting;
  /** The facts of the shortest way here. */
  readonly path: readonly string[];
  /** Where each possible fact leads, as keys of visits. */
  readonly next: readonly { readonly fact: Fact; readonly key: string }[];
}

export interface Exploration {
  readonly edges: readonly Edge[];
  /** By key: each distinct situation that was come to. */
  readonly visits: ReadonlyMap<string, Visit>;
}

/** Small limits make small numbers of situations; each limit is still met and crossed. */
const POLICY = resolvePolicy({ repeats: 1, reconnects: 1, reconnectsPerTurn: 2, reanchors: 1 });

export const envOf = (setting: Setting, mono = 0): Env => ({
  now: 1_000_000 + mono,
  mono,
  chance: 0.5,
  policy: POLICY,
  online: true,
  keyed: setting.keyed,
  routes: { stream: setting.routes, snapshot: setting.routes, stop: setting.routes },
  budgetWaitMs: 0,
  breakerWaitMs: 0,
  apartMs: 0,
  silentMs: 0,
  probes: false,
  canAuthorize: true,
  canContinue: setting.routes === 'known',
  hasDraft: true,
  seesSoftFailures: true,
  stopsServer: 'interrupt',
  mounted: true,
  freshAnswers: false,
  conflict: () => setting.conflict,
  allow: () => true,
});

const network = new HelixError({ code: 'transport_error', reason: 'network' });
const dropped = new HelixError({ code: 'transport_stream_drop', reason: 'cut' });
const runFailed = new HelixError({ code: 'provider_overloaded' });

interface Refused {
  readonly says: string;
  readonly status: number | undefined;
  readonly error: HelixError;
  readonly committed: Refusal['committed'];
}

/** The answers to a request that the decision tells apart. */
export const REFUSALS: readonly Refused[] = [
  { says: 'no response', status: undefined, error: network, committed: 'unknown' },
  {
    says: '429',
    status: 429,
    error: new HelixError({ code: 'provider_rate_limited', statusCode: 429 }),
    committed: 'no',
  },
  {
    says: '503',
    status: 503,
    error: new HelixError({ code: 'provider_overloaded', statusCode: 503 }),
    committed: 'no',
  },
  { says: '401', status: 401, error: new HelixError({ statusCode: 401 }), committed: 'no' },
  {
    says: '409: another reply is being written',
    status: 409,
    error: new HelixError({ code: 'state_already_running', statusCode: 409, runId: 'other' }),
    committed: 'no',
  },
  {
    says: '409: already answered',
    status: 409,
    error: new HelixError({ code: 'state_request_already_completed', statusCode: 409 }),
    committed: 'yes',
  },
  {
    says: '500: taken, answered later',
    status: 500,
    error: new HelixError({
      code: 'provider_overloaded',
      reason: 'deferred',
      statusCode: 500,
      retryAfterMs: 5_000,
    }),
    committed: 'yes',
  },
  {
    says: '500',
    status: 500,
    error: new HelixError({ code: 'framework_internal_error', statusCode: 500 }),
    committed: 'unknown',
  },
  {
    says: 'another 4xx',
    status: 422,
    error: new HelixError({ code: 'validation_error', statusCode: 422 }),
    committed: 'no',
  },
];

const SNAPSHOTS: readonly { says: string; result: ReadResult }[] = (
  ['active', 'paused', 'ended', 'failed'] as const
).flatMap((status) =>
  [true, false].map((found) => ({
    says: `the conversation: ${status}${found ? '' : ', without the message'}`,
    result: {
      kind: 'snapshot' as const,
      status,
      runId: 'run',
      messages: [],
      found,
      answered: found && status !== 'active',
      answers: { fate: found ? ('taken' as const) : ('open' as const), calls: ['call'] },
      ...(status === 'failed' ? { runError: runFailed } : {}),
    },
  })),
);

const BAD_READS: readonly { says: string; result: ReadResult }[] = [
  { says: 'the conversation cannot be reached', result: { kind: 'failed', error: network } },
  {
    says: 'the conversation may not be read (401)',
    result: { kind: 'failed', error: new HelixError({ statusCode: 401 }) },
  },
  { says: 'the conversation takes too long', result: { kind: 'timed-out' } },
  { says: 'there is no such route', result: { kind: 'absent' } },
];

const CUTS: readonly { says: string; last: Cut['last'] }[] = [
  { says: 'the stream is cut', last: 'none' },
  { says: 'there is no live reply (204)', last: 'gone' },
  { says: 'the replay differs', last: 'diverged' },
  { says: 'it is cut again', last: 'cut' },
  { says: 'the reconnect fails', last: network },
];

const message = (id: string) => ({ id, role: 'user', parts: [] });

const fact = (by: Doer, says: string, event: RecoveryEvent): Fact => ({ by, says, event });

const answerCalls = (entryId: string, again = false): Fact =>
  fact('person', again ? 'answer again' : 'answer a tool call', {
    ...{ type: 'act-requested', kind: 'submit', entryId, again },
    ...{ targetId: 'a1', answers: [] },
  });

/** The facts that a person can make in any situation. */
function pressesIn(model: Model): readonly Fact[] {
  const { state, queue, job } = model;
  const sends = queue.length + (model.turn === undefined ? 0 : 1);
  const id = `m${model.nextTurn}`;
  const facts: Fact[] = [];
  if (sends < 2) {
    facts.push(
      fact('person', 'send', {
        type: 'act-requested',
        kind: 'send',
        message: message(id),
        entryId: id,
      }),
    );
  }
  if (sends < 2 && model.after === undefined && model.turn === undefined) {
    facts.push(
      fact('person', 'regenerate', { type: 'act-requested', kind: 'regenerate', entryId: id }),
      fact('person', 'edit', {
        type: 'act-requested',
        kind: 'edit',
        message: message('m0'),
        targetId: 'm0',
        entryId: id,
      }),
    );
  }
  if (state.name !== 'idle' && state.name !== 'failed') {
    facts.push(fact('person', 'stop', { type: 'stop-requested' }));
  }
  if (state.name === 'failed') {
    facts.push(fact('person', 'dismiss', { type: 'dismissed' }));
    if (state.failure.actions.includes('continue')) {
      const event = { type: 'act-requested', kind: 'continue', entryId: id } as const;
      facts.push(fact('person', 'continue', event));
    }
  }
  if (state.name === 'backing-off') {
    facts.push(fact('person', 'try now', { type: 'try-now-requested' }));
  }
  if (state.name === 'idle' || state.name === 'failed' || job.at === 'streaming') {
    facts.push(fact('person', 'reload', { type: 'resync-requested' }));
  }
  if (state.name === 'idle' && job.at === 'rest') {
    facts.push(fact('person', 'open the chat', { type: 'load-requested' }), answerCalls(id));
  }
  if (state.name === 'failed' && model.failedSubmit !== undefined) {
    facts.push(answerCalls(id, true));
  }
  const [head] = queue;
  if (head !== undefined) {
    const entryId = head.pending.id;
    facts.push(
      fact('person', 'send again', { type: 'send-again-requested', entryId }),
      fact('person', 'take back', { type: 'entry-removed', entryId }),
      fact('person', 'stop and send', { type: 'stop-send-requested', entryId }),
    );
    if (head.pending.cause === 'asked') {
      facts.push(fact('person', 'wait', { type: 'wait-chosen', entryId }));
    }
  }
  return facts;
}

const reads = (ticket: number): readonly Fact[] =>
  [...SNAPSHOTS, ...BAD_READS].map(({ says, result }) =>
    fact('network', says, { type: 'snapshot-read', ticket, result }),
  );

const refusals = (stage: Refusal['stage']): readonly Fact[] =>
  REFUSALS.map(({ says, ...refusal }) =>
    fact('network', says, { type: 'request-refused', refusal: { stage, ...refusal } }),
  );

const noLiveRun: Fact = fact('network', 'there is no live reply (204)', {
  type: 'request-refused',
  refusal: { stage: 'request', error: undefined, status: 204, committed: 'yes' },
});

const ends = (says: string, finishReason: string | undefined): Fact =>
  fact('network', says, {
    type: 'stream-ending',
    end: { by: 'finish', finishReason, content: true },
  });

const cuts = (from: readonly (typeof CUTS)[number][]): readonly Fact[] =>
  from.map(({ says, last }) =>
    fact('network', says, {
      type: 'stream-cut',
      cut: { error: dropped, last, progressed: last === 'none', content: true },
    }),
  );

const timer = (ticket: number): Fact =>
  fact('clock', 'the wait is over', { type: 'timer-fired', ticket });

/** What can come from outside in a job: what its orders have asked for, and nothing else. */
function answersIn(model: Model): readonly Fact[] {
  const { job, ticket } = model;
  switch (job.at) {
    case 'rest':
      return [];
    case 'requesting':
      return [
        fact('network', 'a reply begins', { type: 'stream-accepted' }),
        ...refusals('request'),
      ];
    case 'held-attach':
    case 'attaching':
      return [
        fact('network', 'the live reply is joined', { type: 'stream-accepted' }),
        noLiveRun,
        ...refusals(job.at === 'attaching' ? 'request' : 'attach'),
      ];
    case 'authorizing':
      return [
        fact('network', 'signed in again', { type: 'authorized', ticket, ok: true }),
        fact('network', 'not signed in', { type: 'authorized', ticket, ok: false }),
      ];
    case 'streaming':
      if (job.end !== undefined) {
        return [fact('network', 'the reply ends', { type: 'chat-ended', aborted: false })];
      }
      return [
        ends('the reply is complete', 'stop'),
        ends('the reply was filtered', 'content-filter'),
        ends('the reply was stopped elsewhere', 'interrupted'),
        ...cuts(CUTS.slice(0, 1)),
        fact('network', 'the run fails', { type: 'stream-failed', error: runFailed }),
        fact('network', 'the attempt is superseded', {
          type: 'stream-left',
          trigger: {
            name: 'data-attempt-superseded',
            attemptId: undefined,
            runId: undefined,
            content: true,
          },
        }),
        fact('network', 'another run answers', {
          type: 'run-known',
          run: { runId: 'newer', attemptId: undefined },
        }),
      ];
    case 'reconnecting':
      return [
        fact('network', 'the reply goes on', { type: 'stream-content' }),
        ...cuts(CUTS.slice(1)),
      ];
    case 'closing':
      return job.next.to === 'fail'
        ? [fact('network', 'the failure is drawn', { type: 'chat-failed', error: job.next.error })]
        : [fact('network', 'the call is closed', { type: 'chat-ended', aborted: true })];
    case 'ending':
      return [fact('network', 'the call is closed', { type: 'read-ended' })];
    case 'probing':
    case 'held-read':
    case 'fail-read':
    case 'reading':
      return reads(ticket);
    case 'asking':
      return (['no', 'yes'] as const).map((wanted) =>
        fact('network', wanted === 'yes' ? 'answers go by themselves' : 'no answers go', {
          ...{ type: 'submit-decided', ticket, wanted },
          ...{ targetId: 'a1', answers: [], request: undefined },
        }),
      );
    case 'settling':
      return job.reading ? reads(ticket) : [timer(ticket)];
    default:
      return [timer(ticket)];
  }
}

/** What makes two situations the same for the transition: no clocks, no names, no texts, small counts. */
function keyOf(model: Model): string {
  const { state, job, turn, queue, run } = model;
  const act = (of: Turn | undefined) =>
    of && [
      ...[of.kind, of.accepted, of.unclear, Math.min(of.tries, 2), of.spent.length],
      of.refused?.again,
    ];
  const cause = 'cause' in state ? state.cause : undefined;
  const plan = 'plan' in job ? [job.plan.why, job.plan.keep !== undefined] : undefined;
  const next = 'next' in job ? [job.next.to, 'plan' in job.next && job.next.plan.why] : undefined;
  return JSON.stringify([
    [state.name, cause, 'attached' in state && state.attached],
    state.name === 'failed' && [state.failure.severity],
    [job.at, plan, next, 'tries' in job && job.tries, job.at === 'streaming' && job.end],
    'how' in job || ('absent' in job && job.absent),
    act(turn),
    model.after?.kind,
    queue.map(({ pending, turn: of }) => [pending.state, pending.cause, of.kind, of.unclear]),
    [run.stopping, model.own, model.paused, model.askAfter !== undefined],
    model.failedSubmit !== undefined,
    [Math.min(model.reanchors, 2), model.cuts.inARow],
  ]);
}

/** The facts that are possible in a situation. */
export const factsIn = (model: Model): readonly Fact[] => [
  ...answersIn(model),
  // The app answers at once: nobody can press meanwhile.
  ...(model.job.at === 'asking' ? [] : pressesIn(model)),
];

/** A call of the SDK that closes, a reply that ends, the app that is asked about answers: the fact before it says why. */
const isAftermath = ({ job }: Model): boolean =>
  job.at === 'closing' ||
  job.at === 'ending' ||
  job.at === 'asking' ||
  (job.at === 'streaming' && job.end !== undefined);

/** The first `limit` situations that can be come to in a setting, those of the shortest ways first. */
export function explore(setting: Setting, limit = 3_000): Exploration {
  const key = `${setting.name} ${limit}`;
  const found = explored.get(key) ?? exploreAnew(setting, limit);
  explored.set(key, found);
  return found;
}

const explored = new Map<string, Exploration>();

function exploreAnew(setting: Setting, limit: number): Exploration {
  const env = envOf(setting);
  const edges = new Map<string, Edge>();
  const visits = new Map<string, Visit>();
  const first = initialModel(true);
  const queue: Waiting[] = [{ model: first, key: keyOf(first), path: [] }];
  const seen = new Set(queue.map(({ key }) => key));
  for (const at of queue) {
    const { model, path } = at;
    const next: { fact: Fact; key: string }[] = [];
    for (const possible of factsIn(model)) {
      const after = transition(model, possible.event, env).model;
      const goesOn = possible.by !== 'person' || after.job === model.job;
      const why = at.why !== undefined && goesOn ? at.why : possible;
      const key = keyOf(after) + (isAftermath(after) ? why.says : '');
      next.push({ fact: possible, key });
      const edge = { from: model.state.name, to: after.state.name, says: why.says, by: why.by };
      edges.set(JSON.stringify(edge), edge);
      if (seen.has(key) || seen.size >= limit) continue;
      seen.add(key);
      const aftermath = isAftermath(after) ? { why } : {};
      queue.push({ model: after, key, path: [...path, possible.says], ...aftermath });
    }
    visits.set(at.key, { model, setting, path, next });
  }
  return { edges: [...edges.values()], visits };
}

interface Waiting {
  readonly model: Model;
  readonly key: string;
  readonly path: readonly string[];
  /** What brought about the aftermath that goes on here. */
  readonly why?: Fact;
}
