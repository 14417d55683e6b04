import { lastAssistantMessageIsCompleteWithToolCalls, type UIMessage } from 'ai';
import type { Policy } from 'helix-chat';
import { createHelixChat, type HelixChat } from 'helix-chat/react';
import {
  CLIENT_HEADER,
  createFaultServer,
  createManualWorld,
  type FaultServer,
  type ManualWorld,
} from 'helix-chat/testing';
import { type Frame, lines, type MountedChat, mountChat, textOf } from '../setup/mountChat.tsx';
import { CHAT, policyOf } from '../setup/playScenario.ts';
import type { ServerMode } from './serverModes.ts';
import type { Action, Path, Step } from './steps.ts';
import { TOOL, toolReply } from './toolReply.ts';

/** Frames that one mounted hook drew, and where in them a person acted. */
interface Film {
  readonly frames: readonly Frame[];
  readonly marks: number[];
  /** Frames of another chat, which the hook was turned to for a while. */
  readonly elsewhere: { from: number; to: number }[];
}

/** One client: a chat object, and the hook that draws it. */
interface Client {
  readonly tab: string;
  readonly chat: HelixChat<UIMessage>;
  readonly elsewhere: HelixChat<UIMessage>;
  readonly films: Film[];
  mounted: MountedChat;
}

const PATIENCE_MS = 900_000;
const REPEATS = ['send-again', 'new-reply', 'reload', 'check', 'answer-again'];
/** Acts of a person that put messages out again, or in another order than they were sent in. */
const REORDERS: ReadonlySet<Step['do']> = new Set([
  'stop',
  'stop-run',
  'stop-waiting',
  'stop-send',
  'retry',
  'new-reply',
  'regenerate',
  'regenerate-first',
  'edit',
  'edit-first',
  'send-again',
  'send-again-last',
  'same',
  'ask-tool',
]);
/** What may keep the screen behind the server's transcript until it is read again. */
const DISTURBS: ReadonlySet<Step['do']> = new Set([
  'arm',
  'rule',
  'foreign',
  'offline',
  'stop-run',
]);
/** Acts of a person that cut the history somewhere. */
const CUTS: ReadonlySet<Step['do']> = new Set([
  'retry',
  'new-reply',
  'regenerate',
  'regenerate-first',
  'edit',
  'edit-first',
]);
/** Acts of a person that may put one request out, beside what is automatic. */
const POSTS: ReadonlySet<Step['do']> = new Set([
  'send',
  'ask-tool',
  'retry',
  'new-reply',
  'regenerate',
  'regenerate-first',
  'edit',
  'edit-first',
  'stop-send',
  'send-again',
  'send-again-last',
  'same',
  'answer',
  'try-now',
  'online',
  'wake',
]);

const isUser = ({ role }: UIMessage): boolean => role === 'user';
const isOurs = (line: string): boolean => /^user: (text|tool) /.test(line);
const firstTwice = (texts: readonly string[]): string[] => [
  ...new Set(texts.filter((text, at) => texts.indexOf(text) !== at)),
];

/** Plays one walk against one server and keeps book of what the person may expect. */
class Walk {
  readonly world: ManualWorld = createManualWorld();
  readonly server: FaultServer;
  readonly clients: Client[] = [];
  readonly broken = new Set<string>();
  /** Texts the person sent, in order. */
  readonly sent: string[] = [];
  /** Texts that were handed back to the composer. */
  readonly returned = new Set<string>();
  /** Texts behind a message that was edited, or a reply that was written anew: the person cut them off. */
  readonly cut = new Set<string>();
  /** Texts that the person pressed to send once more. */
  readonly pressed = new Set<string>();
  /** What an edit is to take the place of, by the new text. */
  readonly edits = new Map<string, string>();
  readonly calls = new Map<string, number>();
  readonly acts: { readonly at: number; readonly posts: boolean }[] = [];

  /** Timers of the clients that wait, without the server's. */
  readonly timers = new Set<object>();
  readonly clientWorld: ManualWorld = {
    ...this.world,
    after: (ms, task) => {
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
    },
  };

  readonly path: Path;
  readonly mode: ServerMode;

  constructor(path: Path, mode: ServerMode) {
    this.path = path;
    this.mode = mode;
    this.server = createFaultServer({ world: this.world, reply: toolReply(this.world) });
  }

  async begin(): Promise<void> {
    const policy: Policy = {};
    for (const step of this.path.steps) {
      if (step.do === 'arm') Object.assign(policy, policyOf(step.scenario));
    }
    const fetch = this.mode.between()(this.server.fetch);
    for (let at = 1; at <= this.path.clients; at += 1) {
      const tab = `tab-${at}`;
      const make = (id: string) =>
        createHelixChat<UIMessage>({
          id,
          world: this.clientWorld,
          fetch,
          headers: { [CLIENT_HEADER]: tab },
          recovery: policy,
          sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
          onToolCall: ({ toolCall }) => {
            const name = `${tab} ${toolCall.toolCallId}`;
            this.calls.set(name, (this.calls.get(name) ?? 0) + 1);
          },
          onDraft: (message) => void this.returned.add(textOf(message)),
          ...this.mode.client,
        });
      const chat = make(CHAT);
      const films: Film[] = [];
      const mounted = await this.mount(chat, films);
      this.clients.push({ tab, chat, elsewhere: make(`other-${at}`), films, mounted });
    }
  }

  async mount(chat: HelixChat<UIMessage>, films: Film[]): Promise<MountedChat> {
    const mounted = await mountChat(this.world, { chat });
    films.push({ frames: mounted.frames, marks: [], elsewhere: [] });
    return mounted;
  }

  hear(result: Promise<unknown>): void {
    result.catch((error: unknown) => this.broken.add(`rejected: ${String(error)}`));
  }

  nextText(kind: 'text' | 'tool'): string {
    const text = `${kind} ${this.sent.length + 1}`;
    this.sent.push(text);
    return text;
  }

  /** The person's messages that are in the chat, without the pending ones. */
  users({ mounted: { chat } }: Client): UIMessage[] {
    const pending = new Set(chat.pendingSends.map(({ message }) => message.id));
    return chat.messages.filter((message) => isUser(message) && !pending.has(message.id));
  }

  /** An act that cuts the history at this message, which goes too where it is the person's own. */
  cutFrom(client: Client, id: string): void {
    const { messages } = client.mounted.chat;
    const at = messages.findIndex((message) => message.id === id);
    if (at < 0) return;
    for (const message of messages.slice(at)) if (isUser(message)) this.cut.add(textOf(message));
  }

  /** Everything pending may go out by this press; edits among it cut the history again. */
  press(client: Client): void {
    for (const { message } of client.mounted.chat.pendingSends) {
      const text = textOf(message);
      this.pressed.add(text);
      const target = this.edits.get(text);
      if (target !== undefined) this.cutFrom(client, target);
    }
    for (const message of this.users(client)) this.pressed.add(textOf(message));
  }

  async take(step: Step): Promise<void> {
    const faulty = { client: 'tab-1', chatId: CHAT };
    switch (step.do) {
      case 'arm':
        this.server.arm(step.scenario, faulty);
        return;
      case 'rule':
        this.server.arm({ name: 'rule', rules: [step.rule] }, faulty);
        return;
      case 'foreign':
        // Refused where a run is on: then nothing comes in between.
        await this.server.foreignSend(CHAT, 'foreign', { totalMs: step.ms }).catch(() => {});
        await this.pass(step.wait);
        return;
      case 'wait':
        await this.world.advance(step.ms);
        return;
    }
    const client = this.clients[step.who];
    if (client === undefined) throw new Error('A step of a client that is not there.');
    client.films.at(-1)?.marks.push(client.mounted.frames.length);
    this.acts.push({ at: this.world.monotonic(), posts: POSTS.has(step.do) });
    await this.act(client, step);
    await this.pass(step.wait);
  }

  async pass(wait: number): Promise<void> {
    if (wait < 0) return;
    await this.world.settle();
    await this.world.advance(wait);
  }

  async act(client: Client, step: Action): Promise<void> {
    const { chat } = client.mounted;
    const { pendingSends: pending, messages, failure } = chat;
    switch (step.do) {
      case 'send':
        this.hear(chat.sendMessage({ text: this.nextText('text') }));
        return;
      case 'ask-tool':
        this.hear(chat.sendMessage({ text: this.nextText('tool') }));
        return;
      case 'same': {
        // The same words as a failed edit's are a message of their own.
        const failed = pending.find(
          ({ state, message }) => state === 'failed' && !this.edits.has(textOf(message)),
        );
        if (failed === undefined) return;
        this.press(client);
        this.hear(chat.sendMessage({ text: textOf(failed.message) }));
        return;
      }
      case 'answer': {
        const open = messages
          .flatMap(({ parts }) => parts)
          .find((part) => part.type === `tool-${TOOL}` && part.state === 'input-available');
        if (open === undefined || !('toolCallId' in open)) return;
        const { toolCallId } = open;
        this.hear(Promise.resolve(chat.addToolOutput({ tool: TOOL, toolCallId, output: 'yes' })));
        return;
      }
      case 'stop':
        this.hear(chat.stop());
        return;
      case 'stop-run':
        this.hear(chat.stopRun());
        return;
      case 'stop-waiting':
        this.hear(chat.act('stop-waiting'));
        return;
      case 'retry':
        if (!failure?.actions.some((action) => REPEATS.includes(action))) return;
        this.press(client);
        this.hear(chat.retry());
        return;
      case 'new-reply':
        if (this.users(client).length > 0) this.hear(chat.act('new-reply'));
        return;
      case 'regenerate':
        if (!messages.some(({ role }) => role === 'assistant')) return;
        this.press(client);
        this.hear(chat.regenerate());
        return;
      case 'regenerate-first': {
        const first = messages.find(({ role }) => role === 'assistant');
        if (first === undefined) return;
        this.cutFrom(client, first.id);
        this.hear(chat.regenerate({ messageId: first.id }));
        return;
      }
      case 'edit':
      case 'edit-first': {
        const target = this.users(client).at(step.do === 'edit' ? -1 : 0);
        if (target === undefined) return;
        const text = this.nextText('text');
        this.edits.set(text, target.id);
        this.cutFrom(client, target.id);
        this.hear(chat.sendMessage({ text, messageId: target.id }));
        return;
      }
      case 'take-back':
      case 'take-back-first': {
        const id = pending.at(step.do === 'take-back' ? -1 : 0)?.id;
        const back = chat.cancelPendingSend(id);
        this.hear(back.then((message) => message && this.returned.add(textOf(message))));
        return;
      }
      case 'hand-back':
        this.hear(chat.act('take-back'));
        return;
      case 'resync':
        this.hear(chat.resync());
        return;
      case 'stop-send':
        this.press(client);
        this.hear(chat.stopAndSend());
        return;
      case 'send-again':
      case 'send-again-last': {
        const id = step.do === 'send-again' ? undefined : pending.at(-1)?.id;
        if (pending.length === 0) return;
        this.press(client);
        this.hear(chat.act('send-again', id === undefined ? {} : { id }));
        return;
      }
      case 'try-now':
        this.hear(chat.act('try-now'));
        return;
      case 'dismiss':
        chat.dismiss();
        return;
      case 'offline':
      case 'online':
        this.world.setOnline(step.do === 'online');
        return;
      case 'wake':
        this.world.emit('visible');
        return;
      case 'remount':
        await client.mounted.unmount();
        this.judgeTimers();
        await this.world.advance(Math.max(0, step.wait));
        client.mounted = await this.mount(client.chat, client.films);
        return;
      case 'away': {
        const { frames } = client.mounted;
        const from = frames.length;
        await client.mounted.rerender({ chat: client.elsewhere });
        await this.world.advance(Math.max(0, step.wait));
        client.films.at(-1)?.elsewhere.push({ from, to: frames.length });
        await client.mounted.rerender({ chat: client.chat });
        return;
      }
    }
  }

  // --- afterwards ---

  async rest(): Promise<void> {
    const states = () => this.clients.map(({ mounted }) => mounted.chat.recovery);
    try {
      await this.world.runUntil(
        () => states().every(({ name }) => name === 'idle' || name === 'failed'),
        PATIENCE_MS,
      );
    } catch {
      this.broken.add(`stuck in ${JSON.stringify(states().map(({ name }) => name))}`);
    }
    await this.world.advance(12_000);
  }

  async truth(): Promise<string[]> {
    return lines(await this.server.transcript(CHAT));
  }

  async oursInTruth(): Promise<string[]> {
    return (await this.truth()).filter(isOurs).map((line) => line.slice('user: '.length));
  }

  expected(): string[] {
    // One client's edit or new reply cuts what the other has sent meanwhile, unseen by it.
    const cuts = this.path.clients === 2 && this.path.steps.some((step) => CUTS.has(step.do));
    return this.sent.filter((text) => !cuts && !this.returned.has(text) && !this.cut.has(text));
  }

  /** What automatic work has made of it, before the person presses anything more. */
  async judgeAlone(): Promise<void> {
    const there = await this.oursInTruth();
    const pending = new Set(
      this.clients.flatMap(({ mounted }) =>
        mounted.chat.pendingSends.map(({ message }) => textOf(message)),
      ),
    );
    for (const text of firstTwice(there)) {
      if (!this.pressed.has(text)) this.broken.add(`doubled by itself: ${text}`);
    }
    for (const text of this.expected()) {
      if (!there.includes(text) && !pending.has(text)) this.broken.add(`lost: ${text}`);
    }
    for (const { mounted } of this.clients) {
      const { failure, recovery, pendingSends } = mounted.chat;
      if (recovery.name === 'failed' && failure?.actions.length === 0) {
        this.broken.add('failed without an action');
      }
      for (const { failure: why, message } of pendingSends) {
        if (why?.actions.length === 0) this.broken.add(`pending without exit: ${textOf(message)}`);
      }
    }
    if (this.mode.client.resync || this.mode.client.requestKeys) this.judgeOrder(there);
    // Where nothing went wrong and nobody else wrote, nobody has to ask for the conversation.
    const undisturbed = this.path.steps.every(({ do: does }) => !DISTURBS.has(does));
    if (undisturbed && this.path.clients === 1 && this.mode.client.resync) await this.judgeScreen();
  }

  /** Held messages go first in, first out; what a person, a failure or a stop set aside may be overtaken. */
  judgeOrder(there: readonly string[]): void {
    if (this.path.clients === 2 || this.path.steps.some((step) => REORDERS.has(step.do))) return;
    const frames = this.films().flatMap((film) => film.frames);
    const aside = frames.some(({ pending }) => pending.some((line) => !line.startsWith('held')));
    if (aside) return;
    const wanted = this.sent.filter((text) => there.includes(text));
    if (JSON.stringify(wanted) !== JSON.stringify(there)) {
      this.broken.add(`order: ${JSON.stringify(there)}`);
    }
  }

  /** What is pending has an exit: the person presses until nothing is left. */
  async pressAll(): Promise<void> {
    for (const client of this.clients) {
      const { mounted } = client;
      for (let presses = 0; presses < 25; presses += 1) {
        const [first] = mounted.chat.pendingSends;
        const unanswered = mounted.chat.failure?.actions.includes('answer-again') === true;
        if (first === undefined && !unanswered) break;
        this.press(client);
        if (first === undefined) this.hear(mounted.chat.act('answer-again'));
        else this.hear(mounted.chat.act('send-again', { id: first.id }));
        await this.rest();
      }
      const left = mounted.pending();
      if (left.length > 0) this.broken.add(`pending after all: ${left.join(' | ')}`);
    }
  }

  async judgeEnd(): Promise<void> {
    for (const { mounted } of this.clients) this.hear(mounted.chat.resync());
    await this.rest();
    const there = await this.oursInTruth();
    const { requestKeys, resync } = this.mode.client;
    if (requestKeys || resync) {
      for (const text of firstTwice(there)) this.broken.add(`doubled: ${text}`);
    }
    for (const text of this.expected()) {
      if (!there.includes(text)) this.broken.add(`lost: ${text}`);
    }
    // Without a snapshot route two clients cannot know of each other, nor anyone of a stop's or a fault's outcome.
    if (resync) await this.judgeScreen();
    for (const [name, count] of this.calls) if (count > 1) this.broken.add(`ran twice: ${name}`);
  }

  async judgeScreen(): Promise<void> {
    const truth = JSON.stringify(await this.truth());
    for (const { mounted } of this.clients) {
      const screen = JSON.stringify(mounted.screen());
      if (screen !== truth) this.broken.add(`screen: ${screen} truth: ${truth}`);
    }
  }

  films(): Film[] {
    return this.clients.flatMap(({ films }) => films);
  }

  judgeFrames(): void {
    for (const film of this.films()) {
      const foreign = (at: number) => film.elsewhere.some(({ from, to }) => at >= from && at < to);
      const marks = new Set(film.marks);
      const returns = new Set(film.elsewhere.map(({ to }) => to));
      let rested = false;
      let before: Frame | undefined;
      for (const [at, frame] of film.frames.entries()) {
        if (foreign(at)) continue;
        const rests = isRest(frame);
        if (returns.has(at)) before = undefined;
        if (marks.has(at) || returns.has(at)) rested = false;
        if (rests && before !== undefined && !isRest(before)) rested = true;
        else if (!rests && rested) {
          this.broken.add(`flash: ${before?.state} (${before?.status}) before ${frame.state}`);
        }
        if (frame.texts.some((line) => line.includes('SECRET'))) {
          this.broken.add('server text on screen');
        }
        for (const line of firstTwice(frame.texts.filter(isOurs))) {
          this.broken.add(`in two places: ${line}`);
        }
        before = frame;
      }
    }
  }

  /** A person's acts each put out one request at most; the rest is automatic, at most ten in any minute. */
  judgeBudget(): void {
    for (const { tab } of this.clients) {
      const posts = this.server.requests
        .filter(({ route, client }) => route === 'send' && client === tab)
        .map(({ at }) => at);
      const acts = this.acts.filter(({ posts: may }) => may).length;
      for (const [first, from] of posts.entries()) {
        const within = posts.slice(first).filter((at) => at - from < 60_000).length;
        if (within > acts + 10) this.broken.add(`budget: ${within} requests for ${acts} acts`);
      }
    }
  }

  /** An unmounted client leaves no timer; where another is mounted, the two cannot be told apart. */
  judgeTimers(mounted = this.path.clients - 1): void {
    if (mounted > 0 || this.timers.size === 0) return;
    this.broken.add(`left: ${this.timers.size} timers of a client`);
  }

  async judgeLeftovers(): Promise<void> {
    for (const { mounted } of this.clients) await mounted.unmount();
    const { world } = this;
    this.judgeTimers(0);
    // The server may end by itself what it has begun.
    await world.advance(60_000);
    if (world.pending() > 0) this.broken.add(`left: ${world.pending()} timers`);
    if (world.listeners() > 0) this.broken.add(`left: ${world.listeners()} listeners`);
    if (!this.server.settled()) this.broken.add('left: requests or readers');
  }
}

const isRest = ({ status }: Frame): boolean => status === 'ready' || status === 'error';

/** Walks, lets faults end, presses what is left, and says which promises were broken. */
export async function walk(path: Path, mode: ServerMode): Promise<string[]> {
  const game = new Walk(path, mode);
  await game.begin();
  for (const step of path.steps) await game.take(step);
  await game.world.settle();
  game.server.disarm({ client: 'tab-1', chatId: CHAT });
  game.world.setOnline(true);
  await game.rest();
  game.judgeBudget();
  await game.judgeAlone();
  game.judgeFrames();
  await game.pressAll();
  await game.judgeEnd();
  await game.judgeLeftovers();
  return [...game.broken];
}
