import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Policy } from 'helix-chat';
import { createFaultProxy, type FaultProxy, type FaultProxyOptions } from './faultProxy.ts';
import { type ClientSettings, type ClientView, type Press, twice } from './networkClient.tsx';
import type { Schedule, Step, When } from './schedule.ts';
import { type Bundles, type ServerProcess, startServer } from './serverProcess.ts';

/** A client wherever it runs: in this process, or in a browser. */
export interface RemoteClient {
  view(): ClientView | Promise<ClientView>;
  press(press: Press): Promise<void>;
  unmount(): Promise<void>;
  /** Takes away what is left of it after the last look. */
  close?(): Promise<void>;
}

/** Opens a client. `url` is where its page and its API are. */
export type OpenClient = (url: string, settings: ClientSettings) => Promise<RemoteClient>;

/** Where schedules are played. */
export interface Stage {
  readonly bundles: Bundles;
  readonly open: OpenClient;
  readonly page?: FaultProxyOptions['page'];
}

/** What came of a schedule. */
export interface Outcome {
  /** Promises that were broken; none is what is promised. */
  readonly broken: readonly string[];
  /** What the person saw when the faults had ended and nothing went on by itself. */
  readonly alone: ClientView;
  /** What befell requests. */
  readonly faults: readonly string[];
  /** What happened, for whoever has to find out why. */
  readonly story: readonly string[];
}

const CHAT = 'c1';
const LEASE_MS = 700;
/** Everything that waits, small enough for a test and far enough apart to mean something. */
const POLICY: Omit<Policy, 'backoffMs'> = {
  backoffCapMs: 300,
  budget: { moves: 10, perMs: 3_000 },
  breaker: { failures: 5, pauseMs: 300 },
  connectMs: 1_000,
  idleMs: 700,
  progressMs: 3_000,
  patienceMs: 8_000,
  pollMs: 40,
  pollCapMs: 300,
  quietReadMs: 500,
  heldReadMs: 1_500,
  stopMs: 500,
};
/** How long the end of a schedule is waited for; a bound for what hangs, not a measure. */
const BOUND_MS = 45_000;
/** How long a step waits at most for what it is to come after. */
const STEP_BOUND_MS = 6_000;
const LOOK_MS = 8;

/** What an app does by itself. */
const OF_THE_APP: ReadonlySet<string> = new Set(['start-new', 'sign-in', 'copy-ref']);
/** Acts of a person that put messages out again, or in another order than they were sent in. */
const REORDERS: ReadonlySet<Step['do']> = new Set([
  'edit-last',
  'edit-first',
  'stop',
  'stop-run',
  'retry',
  'regenerate',
  'send-first',
  'stop-send',
]);

/** Plays one schedule and says which promises were broken. */
export async function playSchedule(
  stage: Stage,
  schedule: Schedule,
  seed: number,
): Promise<Outcome> {
  const folder = join(stage.bundles.folder, `${schedule.kind}-${seed}`.replace(' ', '-'));
  mkdirSync(folder, { recursive: true });
  const server = await startServer(stage.bundles.server, {
    folder,
    keys: schedule.kind === 'keys',
    wordMs: schedule.wordMs,
    leaseMs: LEASE_MS,
    keepAliveMs: 150,
  });
  const proxy = await createFaultProxy({
    upstream: () => server.port(),
    kill: (downMs) => server.kill(downMs),
    whenDown: schedule.whenDown,
    ...(stage.page === undefined ? {} : { page: stage.page }),
  });
  try {
    const client = await stage.open(proxy.url, {
      api: `${proxy.url}/api/chat`,
      chatId: CHAT,
      keys: schedule.kind === 'keys',
      policy: { ...POLICY, backoffMs: schedule.backoffMs },
      seed,
    });
    return await new Play(schedule, { server, proxy, client }).toEnd();
  } finally {
    await proxy.close();
    await server.end();
  }
}

interface Scene {
  readonly server: ServerProcess;
  readonly proxy: FaultProxy;
  readonly client: RemoteClient;
}

class Play {
  readonly #schedule: Schedule;
  readonly #server: ServerProcess;
  readonly #proxy: FaultProxy;
  readonly #client: RemoteClient;
  readonly #broken = new Set<string>();
  readonly #story: string[] = [];
  readonly #began = performance.now();
  /** Whether anything was set aside by then, so that another message may have overtaken it. */
  #aside = false;
  #texts = 0;
  #told = 0;

  constructor(schedule: Schedule, { server, proxy, client }: Scene) {
    this.#schedule = schedule;
    this.#server = server;
    this.#proxy = proxy;
    this.#client = client;
  }

  async toEnd(): Promise<Outcome> {
    for (const step of this.#schedule.steps) await this.#take(step);
    this.#proxy.endFaults();
    await this.#server.up();
    this.#tell('the faults have ended');
    await this.#rest('when the faults had ended');
    const alone = await this.#judgeAlone();
    await this.#pressAll();
    await this.#goOn();
    await this.#press({ do: 'resync' });
    await this.#rest('after the last read');
    await this.#judgeEnd();
    await this.#judgeLeftovers();
    return {
      broken: [...this.#broken],
      alone,
      faults: this.#proxy.seen.flatMap(({ fault }) => fault ?? []),
      story: this.#story,
    };
  }

  // --- steps ---

  async #take(step: Step): Promise<void> {
    if (step.do === 'fault') {
      this.#proxy.arm(step.rule);
      this.#tell(`armed ${JSON.stringify(step.rule)}`);
      return;
    }
    await this.#wait(step.when);
    if (step.do === 'kill') {
      this.#tell(`killed, back after ${step.downMs} ms`);
      this.#server.kill(step.downMs);
      return;
    }
    await this.#press(this.#pressOf(step.do));
  }

  #pressOf(what: Exclude<Step['do'], 'fault' | 'kill'>): Press {
    if (what === 'send') return { do: 'send', text: this.#nextText() };
    if (what === 'edit-last') return { do: 'edit', at: 'last', text: this.#nextText() };
    if (what === 'edit-first') return { do: 'edit', at: 'first', text: this.#nextText() };
    return { do: what };
  }

  /** Some of it takes two, three or four bytes a character. */
  #nextText(): string {
    this.#texts += 1;
    return `Frage ${this.#texts}: größer 你好 🌊`;
  }

  async #press(press: Press): Promise<void> {
    this.#tell(Object.values(press).join(' '));
    await this.#client.press(press);
  }

  async #wait(when: When): Promise<void> {
    const proxy = this.#proxy;
    const bytes = proxy.streamed();
    const requests = proxy.seen.length;
    const came = (): boolean => {
      if (when.after === 'bytes') return proxy.streamed() >= bytes + when.count;
      return when.after === 'request' && proxy.seen.length > requests;
    };
    if (when.after === 'nothing') return;
    if (when.after === 'server') return this.#server.up();
    await this.#until(async () => came() || isAtRest(await this.#look()), STEP_BOUND_MS);
  }

  // --- looking ---

  async #look(): Promise<ClientView> {
    const view = await this.#client.view();
    if (view.pending.some(({ state }) => state !== 'held')) this.#aside = true;
    for (const flaw of view.flaws) this.#broken.add(flaw);
    return view;
  }

  async #until(holds: () => Promise<boolean>, boundMs: number): Promise<boolean> {
    const deadline = performance.now() + boundMs;
    while (!(await holds())) {
      if (performance.now() > deadline) return false;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    return true;
  }

  /** Nothing automatic is under way, and the server is done too. */
  async #rest(what: string): Promise<void> {
    // Seen in two looks: what a press has begun may not be drawn at the first.
    let looks = 0;
    const rested = await this.#until(async () => {
      const rests = isAtRest(await this.#look()) && (await this.#truth()).status !== 'active';
      looks = rests ? looks + 1 : 0;
      return looks > 1;
    }, BOUND_MS);
    const { state } = await this.#look();
    if (!rested) this.#broken.add(`stuck in ${state} ${what}`);
    this.#tell(`at rest: ${shown(await this.#look())}`);
  }

  /** What the server holds, read as a stranger reads it, past the proxy. */
  async #truth(): Promise<{ status: string; lines: string[] }> {
    await this.#server.up();
    const answer = await fetch(`http://127.0.0.1:${this.#server.port()}/api/chat/${CHAT}/snapshot`);
    if (answer.status === 404) return { status: 'ended', lines: [] };
    const { status, messages } = (await answer.json()) as SnapshotLike;
    const lines = messages.map(
      ({ role, parts }) => `${role}: ${parts.map(({ text }) => text ?? '').join('')}`,
    );
    return { status, lines };
  }

  async #there(): Promise<string[]> {
    const { lines } = await this.#truth();
    return lines
      .filter((line) => line.startsWith('user: '))
      .map((line) => line.slice('user: '.length));
  }

  // --- judging ---

  /** What automatic work has made of it, before the person presses anything more. */
  async #judgeAlone(): Promise<ClientView> {
    const view = await this.#look();
    const there = await this.#there();
    const pending = new Set(view.pending.map(({ text }) => text));
    for (const text of twice(there)) this.#broken.add(`doubled by itself: ${text}`);
    for (const text of view.expected) {
      if (!there.includes(text) && !pending.has(text)) this.#broken.add(`lost: ${text}`);
    }
    if (view.state === 'failed' && (view.exits ?? []).length === 0) {
      this.#broken.add(`failed without an action: ${view.failure}`);
    }
    for (const { text, exits } of view.pending) {
      if (exits?.length === 0) this.#broken.add(`pending without exit: ${text}`);
    }
    const reordered = this.#schedule.steps.some((step) => REORDERS.has(step.do));
    const wanted = view.sent.filter((text) => there.includes(text));
    if (!reordered && !this.#aside && JSON.stringify(wanted) !== JSON.stringify(there)) {
      this.#broken.add(`order: ${JSON.stringify(there)}`);
    }
    return view;
  }

  /** What is pending has an exit: the person presses until nothing is left. */
  async #pressAll(): Promise<void> {
    for (let presses = 0; presses < 12; presses += 1) {
      if ((await this.#look()).pending.length === 0) return;
      await this.#press({ do: 'send-first' });
      await this.#rest('after a press');
    }
    this.#broken.add('pending after all');
  }

  /** What a failure offers leads out of it, now that nothing goes wrong any more. */
  async #goOn(): Promise<void> {
    const tried = new Set<string>();
    for (;;) {
      const { state, exits = [], failure } = await this.#look();
      if (state !== 'failed') return;
      // What one action leads to may be another failure, with actions of its own.
      const action = exits.find((exit) => !OF_THE_APP.has(exit) && !tried.has(failure + exit));
      if (action === undefined) {
        // A page in the place of the conversation counts as a broken one: only a new chat is offered.
        const appGoesOn = exits.some((exit) => OF_THE_APP.has(exit));
        if (!appGoesOn) this.#broken.add(`no way on from: ${failure}`);
        return;
      }
      tried.add(failure + action);
      await this.#press({ do: 'act', action });
      await this.#rest(`after ${action}`);
    }
  }

  async #judgeEnd(): Promise<void> {
    const view = await this.#look();
    const { lines } = await this.#truth();
    const there = await this.#there();
    for (const text of twice(there)) this.#broken.add(`doubled: ${text}`);
    for (const text of view.expected) if (!there.includes(text)) this.#broken.add(`lost: ${text}`);
    if (JSON.stringify(view.screen) !== JSON.stringify(lines)) {
      this.#broken.add(`screen: ${JSON.stringify(view.screen)} server: ${JSON.stringify(lines)}`);
    }
  }

  /** An unmounted client leaves nothing: no timer, no listener, no connection in use. */
  async #judgeLeftovers(): Promise<void> {
    await this.#client.unmount();
    let left = '';
    const none = await this.#until(async () => {
      const { timers, listeners } = await this.#client.view();
      const settled = await this.#server.settled();
      const counts = { timers, listeners, requests: this.#proxy.underWay() };
      left = JSON.stringify({ ...counts, settled });
      return settled && Object.values(counts).every((count) => count === 0);
    }, BOUND_MS);
    if (!none) this.#broken.add(`left: ${left}`);
    await this.#client.close?.();
  }

  #tell(what: string): void {
    const { seen } = this.#proxy;
    for (const { method, path, fault } of seen.slice(this.#told)) {
      this.#story.push(`        ${method} ${path}${fault === undefined ? '' : ` (${fault})`}`);
    }
    this.#told = seen.length;
    this.#story.push(`${Math.round(performance.now() - this.#began)} ms: ${what}`);
  }
}

interface SnapshotLike {
  readonly status: string;
  readonly messages: readonly {
    readonly role: string;
    readonly parts: readonly { readonly text?: string }[];
  }[];
}

const isAtRest = ({ state, canStop }: ClientView): boolean =>
  (state === 'idle' || state === 'failed') && !canStop;

/** A view as one line of a story. */
function shown({ state, screen, pending, exits, failure }: ClientView): string {
  const short = screen.map((line) => (line.length > 60 ? `${line.slice(0, 60)}…` : line));
  return JSON.stringify({ state, screen: short, pending, exits, failure });
}
