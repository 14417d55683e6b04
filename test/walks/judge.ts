import { textOf } from '../setup/mountChat.tsx';
import { twice } from './ledger.ts';
import type { Step } from './steps.ts';
import type { Walk } from './walk.ts';

/** What may keep the screen behind the server's transcript until it is read again. */
const DISTURBS: ReadonlySet<Step['do']> = new Set([
  'arm',
  'dark',
  'rule',
  'weather',
  'foreign',
  'kill',
  'offline',
  'stop-run',
]);
/** Automatic repeats of one endpoint in a minute. */
const BUDGET = 10;

type Part = Record<string, unknown>;
interface Message {
  readonly role: string;
  readonly parts: readonly { type: string }[];
}

const callsOf = ({ parts }: Message): Part[] =>
  (parts as readonly Part[]).filter(({ toolCallId }) => toolCallId !== undefined);

const isOpen = ({ state }: Part): boolean =>
  state === 'input-available' || state === 'approval-requested';

/**
 * A message as a person meets it: what it says, and what its calls have come to. `asOpen`: calls that count as open
 * whatever is known here of an answer.
 */
function gist(message: Message, asOpen: ReadonlySet<unknown>): unknown {
  const calls = callsOf(message).map(({ toolCallId, type, state, output, errorText }) =>
    asOpen.has(toolCallId)
      ? [toolCallId, type, 'open']
      : [toolCallId, type, state, output, errorText],
  );
  return [message.role, textOf(message), ...calls];
}

/** How often one act is repeated by itself after a conflict of this kind. */
const REPEATS_AFTER: Readonly<Record<string, number>> = {
  state_run_start_conflict: 2,
  state_request_key_conflict: 1,
  state_concurrency_conflict: 2,
};

/** What automatic work has posted: never what may have been taken, where nothing tells; and not without end. */
export function judgePosts({ ledger, mode, path }: Walk): void {
  const { posts, broken } = ledger;
  const conflicts = new Map<string, number>();
  const repeats = posts.filter((post, at) => {
    const before = posts.slice(0, at).findLast(({ act, by }) => act === post.act && by === post.by);
    if (before === undefined || before.presses < post.presses) return false;
    const { conflict = '', presses, by, act } = before;
    const most = REPEATS_AFTER[conflict];
    const name = JSON.stringify([conflict, presses, by, act]);
    conflicts.set(name, (conflicts.get(name) ?? 0) + 1);
    if (most !== undefined && (conflicts.get(name) ?? 0) > most) {
      broken.add(`repeated more than ${most} times after ${conflict}`);
    }
    if (!mode.keys && !mode.routes && before.fate !== 'not-taken') {
      broken.add(`posted again by itself: ${post.text || post.act}`);
    }
    // A held message that meets a run once more is no repeat: the wait between its requests grows.
    return conflict !== 'state_already_running';
  });
  const most = path.app?.moves ?? BUDGET;
  for (const { at: from, life } of repeats) {
    const within = repeats.filter(
      (other) => other.life === life && other.at >= from && other.at - from < 60_000,
    ).length;
    if (within > most) broken.add(`budget: ${within} repeats in a minute`);
  }
}

/** What automatic work has made of it, before the person presses anything more. */
export async function judgeAlone(game: Walk): Promise<void> {
  const { ledger, tabs, path, mode } = game;
  const { broken } = ledger;
  const there = await game.truth();
  const pending = new Set(
    tabs.flatMap((tab) => tab.shown().chat.pendingSends.map(({ message }) => textOf(message))),
  );
  for (const text of twice(there)) {
    if (!ledger.pressed.has(text)) broken.add(`doubled by itself: ${text}`);
  }
  for (const { text } of ledger.expected()) {
    if (!there.includes(text) && !pending.has(text)) broken.add(`lost: ${text}`);
  }
  if (mode.keys || mode.routes) judgeOrder(game, there);
  const undisturbed = path.steps.every(({ do: does }) => !DISTURBS.has(does));
  // Where nothing went wrong and nobody else wrote, nobody has to ask for the conversation.
  if (undisturbed && path.clients === 1 && mode.routes) await judgeScreen(game);
}

/** Of one client's messages that nothing set aside and nobody pressed again, the earlier stands first. */
function judgeOrder({ ledger }: Walk, there: readonly string[]): void {
  const { sent, aside, pressed, broken } = ledger;
  const inOrder = sent.filter(
    ({ text, edits }) =>
      edits === undefined && there.includes(text) && !aside.has(text) && !pressed.has(text),
  );
  for (const by of new Set(inOrder.map((one) => one.by))) {
    const wanted = inOrder.filter((one) => one.by === by).map(({ text }) => text);
    const found = there.filter((text) => wanted.includes(text));
    if (JSON.stringify(wanted) !== JSON.stringify(found)) {
      broken.add(`order: ${JSON.stringify(found)}`);
    }
  }
}

/** What the server holds in the end, and what the person sees of it. */
export async function judgeEnd(game: Walk): Promise<void> {
  const { ledger, mode } = game;
  const { broken } = ledger;
  const there = await game.truth();
  if (mode.keys || mode.routes) {
    for (const text of twice(there)) broken.add(`doubled: ${text}`);
  }
  for (const { text } of ledger.expected()) {
    if (!there.includes(text)) broken.add(`lost: ${text}`);
  }
  // Without a snapshot route two clients cannot know of each other, nor anyone of a stop's or a fault's outcome.
  if (mode.routes) await judgeScreen(game);
  await judgeCalls(game);
  for (const tab of game.tabs) {
    const shown = tab.all().map(({ chat }) => JSON.stringify(chat.messages));
    if (new Set(shown).size > 1) broken.add('two components of one chat show different things');
  }
}

async function judgeScreen(game: Walk): Promise<void> {
  const transcript = await game.transcript();
  const open = transcript.flatMap((message) => callsOf(message).filter(isOpen));
  const paused = await game.paused();
  for (const tab of game.tabs) {
    const { messages, pendingSends } = tab.shown().chat;
    const pending = new Set(pendingSends.map(({ message }) => message.id));
    const shown: Message[] = messages.filter(({ id }) => !pending.has(id));
    // Answers go together: one that was given waits here for the others, or for a run that takes it.
    const unanswered = shown.flatMap((message) => callsOf(message).filter(isOpen));
    const waits = unanswered.length > 0 || !paused;
    const asOpen = new Set(waits ? open.map(({ toolCallId }) => toolCallId) : []);
    const truth = JSON.stringify(transcript.map((message) => gist(message, asOpen)));
    const screen = JSON.stringify(shown.map((message) => gist(message, asOpen)));
    if (screen !== truth) game.ledger.broken.add(`screen: ${screen} truth: ${truth}`);
  }
}

/** Each call ran once, and is answered by what was given for it, or open. */
async function judgeCalls(game: Walk): Promise<void> {
  const { runs, answers, broken } = game.ledger;
  for (const [name, count] of runs) if (count > 1) broken.add(`ran twice: ${name}`);
  const parts = (await game.transcript()).flatMap(
    (message) => message.parts as readonly Record<string, unknown>[],
  );
  const calls = parts.filter(({ toolCallId }) => toolCallId !== undefined);
  for (const id of twice(calls.map(({ toolCallId }) => String(toolCallId)))) {
    broken.add(`two calls with one id: ${id}`);
  }
  for (const { toolCallId, state, output, type } of calls) {
    if (state !== 'output-available' || type === 'tool-delete-file') continue;
    const given = answers.get(String(toolCallId)) ?? [];
    if (!given.includes(String(output))) broken.add(`an answer that nobody gave: ${toolCallId}`);
  }
}

/** Unmounted clients leave nothing behind; the server may end by itself what it has begun. */
export async function judgeLeftovers(game: Walk): Promise<void> {
  const { world, ledger, timers, backend } = game;
  const { broken } = ledger;
  // What came late on its way has arrived by now.
  await world.advance(10_000);
  const asked = game.requests().length;
  await world.advance(300_000);
  if (game.requests().length > asked) broken.add('requests without an end');
  for (const tab of game.tabs) {
    const { canSend, recovery } = tab.shown().chat;
    if (!canSend) broken.add(`canSend is false for good while ${recovery.name}`);
    const isPending = new Set(tab.shown().chat.pendingSends.map(({ message }) => textOf(message)));
    for (const { text } of ledger.sent) {
      if (tab.isStored(text) && !isPending.has(text)) broken.add(`kept for nothing: ${text}`);
    }
  }
  for (const tab of game.tabs) await tab.unmount();
  // A slow store is told once more, on the way out.
  if (game.path.app?.storage === 'slow') await world.advance(1000);
  if (timers.size > 0) broken.add(`left: ${timers.size} timers of a client`);
  await world.advance(60_000);
  if (world.pending() > 0) broken.add(`left: ${world.pending()} timers`);
  if (world.locks() > 0) broken.add(`left: ${world.locks()} locks`);
  if (world.listeners() > 0) broken.add(`left: ${world.listeners()} listeners`);
  if (game.local.watchers() > 0) broken.add(`left: ${game.local.watchers()} watchers`);
  if (!backend.settled()) broken.add('left: requests or readers');
  const open = [...ledger.open].filter(({ isAwaited }) => isAwaited()).length;
  if (open > 0) broken.add(`left: ${open} promises`);
}
