import type { UIMessage } from 'ai';
import { type FailureAction, helixErrorFromResponse, type Policy } from 'helix-chat';
import type { UseHelixChat } from 'helix-chat/react';
import {
  createManualStore,
  createManualWorld,
  type LoggedRequest,
  type ManualStore,
  type ManualWorld,
} from 'helix-chat/testing';
import { textOf } from '../setup/mountChat.tsx';
import { CHAT, policyOf } from '../setup/playScenario.ts';
import { createBackend, type WalkBackend } from './backend.ts';
import { judgeAlone, judgeEnd, judgeLeftovers, judgePosts } from './judge.ts';
import { isOurs, Ledger, type Life, type Post } from './ledger.ts';
import type { ServerMode } from './serverModes.ts';
import type { Action, Path, Step } from './steps.ts';
import { openCalls, type Surroundings, Tab } from './tab.ts';
import { type Air, createAir, createReplica, type Weather } from './weather.ts';

const PATIENCE_MS = 900_000;
/** Longer than any wait of a chat without a request. */
const QUIET_MS = 120_000;
/** A slow store has taken what it was told by then. */
const KEPT_AFTER_MS = 1000;
/** A person who presses once more gives a reply that is in the way some time. */
const BETWEEN_PRESSES_MS = 4000;
const REPEATS: readonly FailureAction[] = [
  'send-again',
  'new-reply',
  'reload',
  'check',
  'answer-again',
];
/** Buttons that the app draws by itself. */
const OF_THE_APP: readonly FailureAction[] = [
  'sign-in',
  'plan',
  'remove-file',
  'start-new',
  'copy-ref',
  'show-again',
  'reload-page',
];
/** Acts that may cut the history somewhere: by themselves, or because they repeat one that does. */
const CUTS: ReadonlySet<Step['do']> = new Set([
  'retry',
  'new-reply',
  'regenerate',
  'regenerate-first',
  'edit',
  'edit-first',
  'send-again',
  'send-again-last',
  'stop-send',
  'same',
  'act',
]);

const isUser = ({ role }: UIMessage): boolean => role === 'user';

/** The code of a typed refusal; any other has none. */
const codeOf = async (answer: Response): Promise<string> =>
  (await helixErrorFromResponse(answer)).code ?? '';

/** One walk under way. */
export class Walk {
  readonly world: ManualWorld;
  readonly ledger: Ledger;
  readonly backend: WalkBackend;
  /** What all tabs keep in common. */
  readonly local: ManualStore = createManualStore();
  readonly tabs: Tab[] = [];
  readonly #airs: Air[] = [];
  /** Timers of the clients that wait, without those of the server and the app. */
  readonly timers = new Set<object>();
  readonly path: Path;
  readonly mode: ServerMode;
  /** Everything that was under way has been drawn: what is on screen is what is. */
  #drawn = true;

  readonly #clientWorld: ManualWorld;

  constructor(path: Path, mode: ServerMode) {
    this.path = path;
    this.mode = mode;
    this.world = createManualWorld(path.app?.locks === false ? { locks: null } : {});
    this.#clientWorld = { ...this.world, after: (ms, task) => this.#after(ms, task) };
    this.ledger = new Ledger(path.clients === 1, this.world.monotonic);
    this.backend = createBackend(this.world, CHAT, (before, after) =>
      this.ledger.changed(before, after),
    );
  }

  /** A timer of a client, counted. */
  #after(ms: number, task: () => void): () => void {
    const timer = {};
    this.timers.add(timer);
    const cancel = this.world.after(ms, () => {
      this.timers.delete(timer);
      task();
    });
    return () => {
      this.timers.delete(timer);
      cancel();
    };
  }

  async begin(): Promise<void> {
    const policy: Policy = {};
    for (const step of this.path.steps) {
      if (step.do === 'arm') Object.assign(policy, policyOf(step.scenario));
    }
    const through = this.mode.between()((input, init) => this.backend.server().fetch(input, init));
    const lags = this.path.steps.some(
      (step) => step.do === 'weather' && step.weather.gust.do === 'lag',
    );
    const replica = lags ? createReplica(through, `/api/chat/${CHAT}/snapshot`) : undefined;
    const around: Surroundings = {
      world: this.world,
      clientWorld: this.#clientWorld,
      ledger: this.ledger,
      mode: this.mode,
      app: this.path.app ?? {},
      policy,
      local: this.local,
    };
    for (let by = 0; by < this.path.clients; by += 1) {
      const air = createAir(this.world, this.backend, through, replica);
      this.#airs.push(air);
      const noted: Air = { ...air, fetch: this.#noting(by, air.fetch) };
      const hooks = by === 0 ? (this.path.hooks ?? 1) : 1;
      const others = (): Tab[] => this.tabs.filter((tab) => tab.by !== by);
      this.tabs.push(await Tab.open(by, around, noted, hooks, others));
    }
  }

  /** Enters every post of a client into the ledger, with what can be known of its fate. */
  #noting(by: number, through: typeof fetch): typeof fetch {
    return async (input, init) => {
      if (init?.method !== 'POST' || !String(input).endsWith('/chat')) return through(input, init);
      const life = this.tabs[by]?.life() ?? { by, over: false };
      const post = this.#postOf(life, init);
      this.ledger.posts.push(post);
      if (post.isSend) this.ledger.posted(life, post.text);
      try {
        const answer = await through(input, init);
        const { status } = answer;
        const unclear = status < 300 || status === 500 || status === 502 || status === 504;
        post.fate = unclear ? 'maybe-taken' : 'not-taken';
        if (status === 409) post.conflict = await codeOf(answer.clone());
        return answer;
      } catch (error) {
        post.fate = 'maybe-taken';
        throw error;
      }
    };
  }

  #postOf(life: Life, init: RequestInit): Post {
    const { by } = life;
    const { messages, trigger, messageId } = JSON.parse(String(init.body)) as {
      messages: UIMessage[];
      trigger?: string;
      messageId?: string;
    };
    const last = messages.at(-1);
    const asked = messages.findLast(isUser);
    const act = [trigger, messageId, last?.id, last?.role === 'assistant' ? last.parts : ''];
    return {
      by,
      life,
      at: this.world.monotonic(),
      act: JSON.stringify([...act, asked === undefined ? '' : textOf(asked)]),
      text: last?.role === 'user' ? textOf(last) : '',
      isSend: trigger === 'submit-message' && last?.role === 'user',
      presses: this.ledger.presses(by),
      fate: 'open',
    };
  }

  async take(step: Step): Promise<void> {
    const faulty = { client: 'tab-1', chatId: CHAT };
    switch (step.do) {
      case 'arm':
        this.backend.server().arm(step.scenario, faulty);
        return;
      case 'rule':
        if (this.#unlearns(step.rule.on, step.rule.fault)) return;
        this.backend.server().arm({ name: 'rule', rules: [step.rule] }, faulty);
        return;
      case 'weather':
        if (this.#canBlow(step.weather)) this.#airs[step.who]?.blow(step.weather);
        return;
      case 'dark':
        if (!this.mode.routes) return;
        this.#airs[step.who]?.blow({ on: 'send', times: 1, gust: { do: 'drop', taken: true } });
        this.#airs[step.who]?.blow({
          on: 'snapshot',
          times: step.reads,
          gust: { do: 'drop', taken: false },
        });
        return;
      case 'kill':
        this.backend.kill();
        this.#drawn = false;
        return;
      case 'foreign': {
        // Refused where a run is on: then nothing comes in between.
        const server = this.backend.server();
        await server.foreignSend(CHAT, 'foreign', { totalMs: step.ms }).catch(() => {});
        await this.#pass(step.wait);
        return;
      }
      case 'wait':
        await this.#pass(step.ms);
        return;
    }
    const tab = this.tabs[step.who];
    if (tab === undefined) throw new Error('A step of a client that is not there.');
    tab.mark();
    this.ledger.press(tab.by, CUTS.has(step.do));
    await this.#act(tab, step);
    await this.#pass(step.wait);
  }

  /** A refusal by which a client that was told nothing, on a new page, takes a route for absent. */
  #unlearns(on: string, fault: { readonly do: string }): boolean {
    const tellsNothing = this.path.app?.learned === true;
    const isNew = this.path.steps.some((step) => step.do === 'reload');
    return tellsNothing && isNew && on !== 'send' && fault.do === 'refuse';
  }

  /** Weather that this kind of server cannot have, or that no client could see through. */
  #canBlow({ on, gust }: Weather): boolean {
    const { keys, routes } = this.mode;
    const learned = this.path.app?.learned === true;
    if (this.#unlearns(on, gust)) return false;
    // Without a key a request that arrives after everybody has looked for it is one more.
    if (gust.do === 'late' || gust.do === 'hang') return keys && (!learned || gust.do === 'late');
    // Without keys the conversation is all there is to go by.
    if (gust.do === 'lag') return keys;
    if (gust.do === 'page' && on !== 'send') return !learned;
    return routes || on === 'send';
  }

  async #pass(wait: number): Promise<void> {
    this.#drawn = wait >= 0;
    if (wait < 0) return;
    await this.world.settle();
    await this.world.advance(wait);
  }

  /** The person's messages that are in the chat, without the pending ones. */
  #users({ messages, pendingSends }: UseHelixChat<UIMessage>): UIMessage[] {
    const pending = new Set(pendingSends.map(({ message }) => message.id));
    return messages.filter((message) => isUser(message) && !pending.has(message.id));
  }

  /** An act that cuts the history at this message, which goes too where it is the person's own. */
  #cutFrom({ messages }: UseHelixChat<UIMessage>, id: string): void {
    const at = messages.findIndex((message) => message.id === id);
    if (at < 0) return;
    for (const message of messages.slice(at).filter(isUser)) {
      this.ledger.mayLeave.add(textOf(message));
    }
  }

  /** Everything pending may go out by this press; edits among it cut the history again. */
  #pressed(tab: Tab, chat: UseHelixChat<UIMessage>): void {
    const { ledger } = this;
    const life = tab.life();
    for (const { message } of chat.pendingSends) {
      const text = textOf(message);
      ledger.pressedBy(life, text);
      const target = ledger.sent.find((sent) => sent.text === text)?.edits;
      if (target !== undefined) this.#cutFrom(chat, target);
    }
    for (const message of this.#users(chat)) ledger.pressedBy(life, textOf(message));
  }

  async #send(tab: Tab, chat: UseHelixChat<UIMessage>, kind: string): Promise<void> {
    const { ledger } = this;
    const text = ledger.text(kind, tab.life());
    const { canSend } = chat;
    const told = this.#drawn;
    ledger.hear(chat.sendMessage({ text }), tab.awaits());
    if (!told) return;
    await this.world.settle();
    const went = ledger.posts.some((post) => post.by === tab.by && post.text === text);
    if (went !== canSend) {
      ledger.broken.add(`canSend was ${canSend}, and the message ${went ? 'went' : 'was held'}`);
    }
  }

  async #act(tab: Tab, step: Action): Promise<void> {
    const chat = tab.chat();
    const { pendingSends: pending, messages, failure } = chat;
    const { ledger } = this;
    const hear = (result: Promise<unknown>): void => ledger.hear(result, tab.awaits());
    switch (step.do) {
      case 'send':
        return this.#send(tab, chat, step.ask ?? 'text');
      case 'same': {
        // The same words as a failed edit's are a message of their own.
        const failed = pending.find(
          ({ state, message }) =>
            state === 'failed' &&
            ledger.sent.some(({ text, edits }) => text === textOf(message) && edits === undefined),
        );
        if (failed === undefined || !this.#drawn) return;
        this.#pressed(tab, chat);
        hear(chat.sendMessage({ text: textOf(failed.message) }));
        return;
      }
      case 'answer':
      case 'deny': {
        const call = openCalls(messages).find(({ tool }) => tool !== 'look-up');
        if (call === undefined || !this.#drawn) return;
        tab.answer(call, `answer ${ledger.now()}`, step.do === 'answer');
        return;
      }
      case 'stop':
        for (const { message } of pending) ledger.aside.add(textOf(message));
        for (const message of this.#users(chat)) ledger.aside.add(textOf(message));
        hear(chat.stop());
        return;
      case 'stop-waiting':
        hear(chat.act('stop-waiting'));
        return;
      case 'stop-run':
        hear(chat.stopRun());
        return;
      case 'retry':
        if (!failure?.actions.some((action) => REPEATS.includes(action))) return;
        this.#pressed(tab, chat);
        hear(chat.retry());
        return;
      case 'new-reply':
        if (this.#users(chat).length > 0) hear(chat.act('new-reply'));
        return;
      case 'regenerate':
        if (!messages.some(({ role }) => role === 'assistant')) return;
        this.#pressed(tab, chat);
        hear(chat.regenerate());
        return;
      case 'regenerate-first': {
        const first = messages.find(({ role }) => role === 'assistant');
        if (first === undefined) return;
        this.#cutFrom(chat, first.id);
        hear(chat.regenerate({ messageId: first.id }));
        return;
      }
      case 'edit':
      case 'edit-first': {
        const target = this.#users(chat).at(step.do === 'edit' ? -1 : 0);
        if (target === undefined || !isOurs(textOf(target))) return;
        ledger.edited.add(textOf(target));
        const text = ledger.text('text', tab.life(), target.id);
        this.#cutFrom(chat, target.id);
        hear(chat.sendMessage({ text, messageId: target.id }));
        return;
      }
      case 'take-back':
      case 'take-back-first': {
        const entry = pending.at(step.do === 'take-back' ? -1 : 0);
        // Gone from the screen a moment before it is handed over.
        if (entry !== undefined) ledger.mayLeave.add(textOf(entry.message));
        const id = entry?.id;
        const back = chat.cancelPendingSend(id);
        hear(back.then((message) => message && ledger.returned.add(textOf(message))));
        return;
      }
      case 'hand-back':
        hear(chat.act('take-back'));
        return;
      case 'resync':
        hear(chat.resync());
        return;
      case 'stop-send':
        this.#pressed(tab, chat);
        hear(chat.stopAndSend());
        return;
      case 'send-again':
      case 'send-again-last': {
        const id = step.do === 'send-again' ? undefined : pending.at(-1)?.id;
        if (pending.length === 0) return;
        this.#pressed(tab, chat);
        hear(chat.act('send-again', id === undefined ? {} : { id }));
        return;
      }
      case 'try-now':
        hear(chat.act('try-now'));
        return;
      case 'act':
        this.#pressOne(tab, chat, step.pick);
        return;
      case 'dismiss':
        chat.dismiss();
        return;
      case 'offline':
      case 'online':
        this.world.setOnline(step.do === 'online');
        return;
      case 'hide':
      case 'show':
        this.world.setVisible(step.do === 'show');
        return;
      case 'wake':
        this.world.emit('visible');
        return;
      case 'restored':
        this.world.emit('restored');
        return;
      case 'sleep':
        this.world.jumpClock(step.ms);
        this.world.emit('visible');
        return;
      case 'remount':
        await this.#remount(tab, Math.max(0, step.wait));
        return;
      case 'reload':
      case 'crash':
        await tab.die(step.do);
        await this.#leftBehind(tab);
        await tab.reload(Math.max(0, step.wait), ledger.now());
        return;
      case 'away':
        await tab.away(Math.max(0, step.wait), ledger.now());
        return;
    }
  }

  /** A button that a failure on screen lists: the chat's own, or that of one pending message. */
  #pressOne(tab: Tab, chat: UseHelixChat<UIMessage>, pick: number): void {
    const buttons = [
      ...(chat.failure?.actions ?? []).map((action) => ({ action, id: undefined })),
      ...chat.pendingSends.flatMap(({ id, failure }) =>
        (failure?.actions ?? []).map((action) => ({ action, id })),
      ),
    ].filter(({ action }) => !OF_THE_APP.includes(action));
    const button = buttons[pick % Math.max(1, buttons.length)];
    if (button === undefined) return;
    if (REPEATS.includes(button.action) || button.action === 'stop-send') this.#pressed(tab, chat);
    const on = button.id === undefined ? {} : { id: button.id };
    this.ledger.hear(chat.act(button.action, on), tab.awaits());
  }

  async #remount(tab: Tab, ms: number): Promise<void> {
    await tab.unmount();
    if (this.path.app?.byId) await this.#leftBehind(tab);
    await tab.remount(ms, this.ledger.now());
  }

  /** What only a page knew, or a component, is gone with it, unless it is kept. */
  async #leftBehind(tab: Tab): Promise<void> {
    const storage = this.path.app?.storage;
    const now = this.world.monotonic();
    const there = new Set(await this.truth());
    for (const { text, by, ms } of this.ledger.sent) {
      // A store that is slow may not have been told of it in time.
      const isKept = storage === 'slow' ? now - ms > KEPT_AFTER_MS || tab.isKept(text) : storage;
      if (by === tab.by && !there.has(text) && !isKept) this.ledger.gone.add(text);
    }
  }

  // --- afterwards ---

  /** Lets everything automatic come to its end, what goes on in the background of `idle` too. */
  async rest(): Promise<void> {
    const states = () => this.tabs.map((tab) => tab.shown().chat.recovery);
    const isQuiet = this.#quietSince();
    const atRest = (): boolean =>
      states().every(({ name }) => name === 'idle' || name === 'failed') &&
      (this.timers.size === 0 || isQuiet());
    try {
      await this.world.runUntil(atRest, PATIENCE_MS);
    } catch {
      const names = JSON.stringify(states().map(({ name }) => name));
      this.ledger.broken.add(`stuck in ${names} with ${this.timers.size} timers`);
    }
    await this.world.settle();
    this.#drawn = true;
  }

  /** Whether a tab does nothing more than to renew from time to time what it keeps from the others. */
  #quietSince(): () => boolean {
    let asked = this.requests().length;
    let since = this.world.monotonic();
    return () => {
      const now = this.world.monotonic();
      if (this.requests().length > asked) since = now;
      asked = this.requests().length;
      return this.path.app?.storage !== undefined && now - since > QUIET_MS;
    };
  }

  /** What is pending has an exit: the person presses until nothing is left. */
  async pressAll(): Promise<void> {
    for (const tab of this.tabs) {
      const chat = () => tab.shown().chat;
      for (let presses = 0; presses < 25; presses += 1) {
        const [first] = chat().pendingSends;
        const unanswered = chat().failure?.actions.includes('answer-again') === true;
        if (first === undefined && !unanswered) break;
        tab.mark();
        this.ledger.press(tab.by, true);
        this.#pressed(tab, chat());
        const act = first === undefined ? 'answer-again' : 'send-again';
        const on = first === undefined ? {} : { id: first.id };
        this.ledger.hear(chat().act(act, on), tab.awaits());
        await this.rest();
        await this.world.advance(BETWEEN_PRESSES_MS);
      }
      const left = tab.shown().pending();
      if (left.length > 0) this.ledger.broken.add(`pending after all: ${left.join(' | ')}`);
    }
  }

  /** The person answers whatever is asked of them, until nothing is. */
  async answerAll(): Promise<void> {
    for (const tab of this.tabs) {
      for (let answers = 0; answers < 10; answers += 1) {
        const [call] = openCalls(tab.shown().chat.messages.slice(-1));
        if (call === undefined) break;
        tab.answer(call, `last answer ${answers}`);
        await this.rest();
      }
    }
  }

  async readAgain(): Promise<void> {
    for (const tab of this.tabs) {
      tab.mark();
      this.ledger.hear(tab.shown().chat.resync(), tab.awaits());
    }
    await this.rest();
  }

  calm(): void {
    for (const air of this.#airs) air.calm();
    this.backend.server().disarm({ client: 'tab-1', chatId: CHAT });
    this.world.setOnline(true);
    this.world.setVisible(true);
  }

  transcript(): Promise<readonly { role: string; parts: readonly { type: string }[] }[]> {
    return this.backend.server().transcript(CHAT);
  }

  /** The person's texts that the server holds, in order. */
  async truth(): Promise<string[]> {
    return (await this.transcript())
      .filter(({ role }) => role === 'user')
      .map(textOf)
      .filter(isOurs);
  }

  /** The latest run waits for answers. */
  paused(): Promise<boolean> {
    return this.backend.paused(CHAT);
  }

  requests(): readonly LoggedRequest[] {
    return this.backend.requests();
  }
}

/** Walks, lets faults end, presses what is left, and says which promises were broken. */
export async function walk(path: Path, mode: ServerMode): Promise<string[]> {
  const game = new Walk(path, mode);
  await game.begin();
  for (const step of path.steps) await game.take(step);
  await game.world.settle();
  for (const tab of game.tabs) tab.mark();
  game.calm();
  await game.rest();
  judgePosts(game);
  await judgeAlone(game);
  await game.pressAll();
  await game.readAgain();
  await game.answerAll();
  await game.pressAll();
  await game.readAgain();
  await judgeEnd(game);
  await judgeLeftovers(game);
  return [...game.ledger.broken];
}
