import fc from 'fast-check';
import type { Policy } from 'helix-chat';
import type { FaultRule, ScenarioName } from 'helix-chat/testing';
import { SCENARIO_NAMES } from 'helix-chat/testing';
import { textOf } from '../setup/mountChat.tsx';
import { CHAT, leftovers, type Play, play, policyOf, TAB } from '../setup/playScenario.ts';

/** What a person, the network or another tab does next. */
export type Step =
  | { readonly do: 'send'; readonly wait: number }
  | { readonly do: 'arm'; readonly scenario: ScenarioName }
  | { readonly do: 'rule'; readonly rule: FaultRule }
  | { readonly do: 'foreign'; readonly ms: number }
  | {
      readonly do:
        | 'stop'
        | 'retry'
        | 'regenerate'
        | 'edit'
        | 'take-back'
        | 'resync'
        | 'stop-send'
        | 'send-again'
        | 'dismiss'
        | 'offline'
        | 'online'
        | 'try-now';
      readonly wait: number;
    }
  | { readonly do: 'wait'; readonly ms: number };

const wait = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 900 }) },
  { weight: 1, arbitrary: fc.integer({ min: 900, max: 9000 }) },
);

const rule = fc.oneof(
  fc.record({
    on: fc.constantFrom('send' as const, 'stream' as const),
    times: fc.integer({ min: 1, max: 3 }),
    fault: fc.record({
      do: fc.constant('break' as const),
      afterWords: fc.integer({ min: 0, max: 12 }),
      how: fc.constantFrom('cut' as const, 'broken-frame' as const),
    }),
  }),
  fc.record({
    on: fc.constantFrom('send' as const, 'stream' as const, 'snapshot' as const, 'stop' as const),
    times: fc.integer({ min: 1, max: 3 }),
    fault: fc.oneof(
      fc.record({ do: fc.constant('drop' as const), taken: fc.boolean() }),
      fc.record({
        do: fc.constant('refuse' as const),
        status: fc.constantFrom(400, 401, 403, 408, 409, 413, 425, 429, 500, 502, 503, 504),
        headers: fc.constant({ 'content-type': 'text/plain' }),
        body: fc.constant('SECRET-BODY'),
      }),
    ),
  }),
);

const plain = <const K extends string>(...kinds: K[]) =>
  fc.record({ do: fc.constantFrom(...kinds), wait });

export const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: plain('send') },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('arm' as const),
        scenario: fc.constantFrom(...SCENARIO_NAMES),
      }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('rule' as const), rule }) },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('foreign' as const),
        ms: fc.integer({ min: 500, max: 6000 }),
      }),
    },
    {
      weight: 6,
      arbitrary: plain(
        'stop',
        'retry',
        'regenerate',
        'edit',
        'take-back',
        'resync',
        'stop-send',
        'send-again',
        'dismiss',
        'offline',
        'online',
        'try-now',
      ),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('wait' as const),
        ms: fc.integer({ min: 1, max: 15_000 }),
      }),
    },
  ),
  { minLength: 1, maxLength: 14 },
);

interface Walk {
  readonly game: Play;
  /** Texts the person sent, in order. */
  readonly sent: string[];
  /** Texts handed back to the composer, or left behind on purpose by an edit of them. */
  readonly returned: Set<string>;
}

async function take(walk: Walk, step: Step): Promise<void> {
  const { game, sent, returned } = walk;
  const { chat } = game.mounted;
  switch (step.do) {
    case 'send': {
      const text = `text ${sent.length + 1}`;
      sent.push(text);
      void chat.sendMessage({ text });
      break;
    }
    case 'arm':
      game.server.arm(step.scenario, { client: TAB, chatId: CHAT });
      return;
    case 'rule':
      game.server.arm({ name: 'rule', rules: [step.rule] }, { client: TAB, chatId: CHAT });
      return;
    case 'foreign':
      await game.server.foreignSend(CHAT, 'foreign', { totalMs: step.ms }).catch(() => {});
      break;
    case 'stop':
      void chat.stop();
      break;
    case 'retry':
      if (
        chat.failure?.actions.some((action) =>
          ['send-again', 'new-reply', 'reload', 'check'].includes(action),
        )
      ) {
        void chat.retry();
      }
      break;
    case 'regenerate':
      if (chat.messages.some((message) => message.role === 'assistant')) void chat.regenerate();
      break;
    case 'edit': {
      const last = game.mounted.chat.messages.findLast(
        (message) =>
          message.role === 'user' && !chat.pendingSends.some(({ id }) => id === message.id),
      );
      if (last === undefined) break;
      const text = `text ${sent.length + 1}`;
      sent.push(text);
      returned.add(textOf(last));
      void chat.sendMessage({ text, messageId: last.id });
      break;
    }
    case 'take-back': {
      const back = chat.cancelPendingSend();
      await game.world.settle();
      const message = await Promise.race([back, game.world.advance(11_000).then(() => back)]);
      if (message !== undefined) returned.add(textOf(message));
      break;
    }
    case 'resync':
      void chat.resync();
      break;
    case 'stop-send':
      void chat.stopAndSend();
      break;
    case 'send-again':
      if (chat.pendingSends.length > 0) void chat.act('send-again');
      break;
    case 'try-now':
      void chat.act('try-now');
      break;
    case 'dismiss':
      chat.dismiss();
      break;
    case 'offline':
    case 'online':
      game.world.setOnline(step.do === 'online');
      break;
    case 'wait':
      await game.world.advance(step.ms);
      return;
  }
  await game.world.settle();
  await game.world.advance('wait' in step ? step.wait : 0);
}

/** Walks, lets faults end, sends what is pending by hand, and says which promises were broken. */
export async function walk(path: readonly Step[], options = {}): Promise<string[]> {
  const policy: Policy = {};
  for (const step of path) {
    if (step.do === 'arm') Object.assign(policy, policyOf(step.scenario));
  }
  const game = await play({ recovery: policy, ...options });
  const trail: Walk = { game, sent: [], returned: new Set() };
  for (const step of path) await take(trail, step);
  game.server.disarm({ client: TAB, chatId: CHAT });
  game.world.setOnline(true);
  const broken: string[] = [];
  const rested = () => ['idle', 'failed'].includes(game.mounted.chat.recovery.name);
  const settle = async (): Promise<void> => {
    try {
      await game.world.runUntil(rested, 700_000);
    } catch {
      broken.push(`stuck in ${JSON.stringify(game.mounted.chat.recovery)}`);
    }
    await game.world.advance(12_000);
  };
  await settle();
  if (game.mounted.chat.failure !== undefined && game.mounted.chat.failure.actions.length === 0) {
    broken.push('failed without an action');
  }
  // What is pending has an exit: the person presses send until nothing is left.
  for (let presses = 0; game.mounted.chat.pendingSends.length > 0 && presses < 20; presses += 1) {
    void game.mounted.chat.act('send-again', { id: game.mounted.chat.pendingSends[0]?.id ?? '' });
    await settle();
  }
  const pending = game.mounted.pending();
  if (pending.length > 0) broken.push(`pending after all: ${pending.join(' | ')}`);
  await game.mounted.chat.resync();
  await settle();
  const truth = await game.truth();
  const users = truth.filter((line) => line.startsWith('user: text')).map((line) => line.slice(6));
  const counts = new Map<string, number>();
  for (const text of users) counts.set(text, (counts.get(text) ?? 0) + 1);
  for (const [text, count] of counts) if (count > 1) broken.push(`doubled: ${text}`);
  const edited = path.some((step) => step.do === 'edit');
  for (const text of trail.sent) {
    // An edit cuts the history behind the edited message, on purpose: such a text may be gone.
    if (!edited && !counts.has(text) && !trail.returned.has(text)) broken.push(`lost: ${text}`);
  }
  const screen = game.mounted.screen();
  if (JSON.stringify(screen) !== JSON.stringify(truth)) {
    broken.push(`screen differs: ${JSON.stringify(screen)} from ${JSON.stringify(truth)}`);
  }
  for (const frame of game.mounted.frames) {
    if (frame.texts.some((line) => line.includes('SECRET'))) broken.push('server text on screen');
  }
  for (const left of await leftovers(game)) broken.push(`left: ${left}`);
  return broken;
}
