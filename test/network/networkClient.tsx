import type { UIMessage } from 'ai';
import type { FailureAction, Policy } from 'helix-chat';
import { createHelixChat } from 'helix-chat/react';
import { systemWorld, type World } from '../../src/world.ts';
import {
  type Frame,
  type MountedChat,
  mountChat,
  type SteadyWorld,
  textOf,
} from '../setup/mountChat.tsx';

/** Which chat a client opens, and how. */
export interface ClientSettings {
  readonly api: string;
  readonly chatId: string;
  /** The server honours request keys. */
  readonly keys: boolean;
  readonly policy: Policy;
  /** Where its chance begins. */
  readonly seed: number;
}

/** What a person does. `first` and `last` are the places of their own messages in the conversation. */
export type Press =
  | { readonly do: 'send'; readonly text: string }
  | { readonly do: 'edit'; readonly at: 'first' | 'last'; readonly text: string }
  | {
      readonly do:
        | 'stop'
        | 'stop-run'
        | 'retry'
        | 'regenerate'
        | 'take-back'
        /** What the first pending message offers first. */
        | 'send-first'
        | 'stop-send'
        | 'try-now'
        | 'resync';
    }
  | { readonly do: 'remount' }
  /** An action that the failure offers. */
  | { readonly do: 'act'; readonly action: FailureAction };

/** What a person sees and what they may expect by now, as plain data. */
export interface ClientView {
  readonly state: string;
  readonly status: string;
  readonly canStop: boolean;
  /** `role: text` of each message that is not pending. */
  readonly screen: readonly string[];
  readonly pending: readonly {
    readonly text: string;
    readonly state: string;
    readonly exits: readonly string[] | undefined;
  }[];
  /** What the failure offers; undefined without one. */
  readonly exits: readonly FailureAction[] | undefined;
  /** What the failure is, for a reader of the report. */
  readonly failure: string | undefined;
  /** Texts that were sent, neither handed back nor cut off by an edit or a new reply. */
  readonly expected: readonly string[];
  readonly sent: readonly string[];
  /** Rules that were broken on the way. */
  readonly flaws: readonly string[];
  readonly timers: number;
  readonly listeners: number;
}

/** A person's client of one chat, mounted in React over the platform's `fetch` and clock. */
export interface NetworkClient {
  view(): ClientView;
  /** Does it, without waiting for what comes of it. */
  press(press: Press): Promise<void>;
  unmount(): Promise<void>;
}

const REPEATS: ReadonlySet<string> = new Set(['send-again', 'new-reply', 'reload', 'check']);

/** Opens the chat and waits until it is drawn. */
export async function openNetworkClient(settings: ClientSettings): Promise<NetworkClient> {
  const client = new Client(settings);
  await client.mount();
  return client;
}

class Client implements NetworkClient {
  readonly #world = new CountedWorld();
  readonly #sent: string[] = [];
  readonly #returned = new Set<string>();
  /** Texts that an edit or a new reply of this person has cut off. */
  readonly #cut = new Set<string>();
  /** What an edit takes the place of, by the new text. */
  readonly #edits = new Map<string, string>();
  readonly #flaws = new Set<string>();
  readonly #chat;
  /** Frames that were judged, of the mounted hook. */
  #judged = 0;
  /** The chat has come to rest, and the person has done nothing since. */
  #rested = false;
  #before: Frame | undefined;
  #mounted: MountedChat | undefined;

  constructor({ api, chatId, keys, policy, seed }: ClientSettings) {
    this.#world.random = chanceFrom(seed);
    this.#chat = createHelixChat<UIMessage>({
      id: chatId,
      api,
      world: this.#world,
      requestKeys: keys,
      resync: true,
      recovery: policy,
      onDraft: (message) => void this.#returned.add(textOf(message)),
    });
  }

  async mount(): Promise<void> {
    this.#mounted = await mountChat(this.#world, { chat: this.#chat });
    while (this.#mounted.frames.length === 0) await this.#world.advance(1);
    this.#judged = 0;
    this.#before = undefined;
  }

  async unmount(): Promise<void> {
    this.#judgeFrames();
    await this.#mounted?.unmount();
  }

  view(): ClientView {
    this.#judgeFrames();
    const { chat } = this.#shown;
    const { failure } = chat;
    return {
      state: chat.recovery.name,
      status: chat.status,
      canStop: chat.canStop,
      screen: this.#shown.screen(),
      pending: chat.pendingSends.map(({ message, state, failure: why }) => ({
        text: textOf(message),
        state,
        exits: why?.actions,
      })),
      exits: failure?.actions,
      failure: failure && `${failure.phase}: ${failure.error.code} (${failure.error.reason})`,
      expected: this.#sent.filter((text) => !this.#returned.has(text) && !this.#cut.has(text)),
      sent: this.#sent,
      flaws: [...this.#flaws],
      timers: this.#world.timers,
      listeners: this.#world.listeners,
    };
  }

  async press(press: Press): Promise<void> {
    this.#judgeFrames();
    this.#rested = false;
    if (press.do === 'remount') await this.#remount();
    else this.#act(press)?.catch((error: unknown) => this.#flaws.add(`rejected: ${String(error)}`));
  }

  /** Undefined where there is nothing to do it to. */
  #act(press: Exclude<Press, { do: 'remount' }>): Promise<unknown> | undefined {
    const { chat } = this.#shown;
    switch (press.do) {
      case 'send':
        this.#sent.push(press.text);
        return chat.sendMessage({ text: press.text });
      case 'edit': {
        const target = this.#users().at(press.at === 'first' ? 0 : -1);
        if (target === undefined) return undefined;
        this.#sent.push(press.text);
        this.#edits.set(press.text, target.id);
        this.#cutFrom(target.id);
        return chat.sendMessage({ text: press.text, messageId: target.id });
      }
      case 'stop':
        return chat.stop();
      case 'stop-run':
        return chat.stopRun();
      case 'retry':
        if (!chat.failure?.actions.some((action) => REPEATS.has(action))) return undefined;
        this.#mayGoOut();
        return chat.retry();
      case 'regenerate':
        if (!chat.messages.some(({ role }) => role === 'assistant')) return undefined;
        this.#mayGoOut();
        return chat.regenerate();
      case 'take-back':
        return chat
          .cancelPendingSend()
          .then((message) => message && this.#returned.add(textOf(message)));
      case 'send-first': {
        const [first] = chat.pendingSends;
        if (first === undefined) return undefined;
        const offered = first.failure?.actions.find((action) => REPEATS.has(action));
        this.#mayGoOut();
        return chat.act(offered ?? 'send-again', { id: first.id });
      }
      case 'stop-send':
        this.#mayGoOut();
        return chat.stopAndSend();
      case 'try-now':
        return chat.act('try-now');
      case 'resync':
        return chat.resync();
      case 'act':
        this.#mayGoOut();
        return chat.act(press.action);
    }
  }

  get #shown(): MountedChat {
    if (this.#mounted === undefined) throw new Error('The client is not mounted.');
    return this.#mounted;
  }

  async #remount(): Promise<void> {
    await this.unmount();
    if (this.#world.timers > 0) this.#flaws.add(`left by an unmount: ${this.#world.timers} timers`);
    await this.mount();
  }

  #users(): UIMessage[] {
    const { chat } = this.#shown;
    const pending = new Set(chat.pendingSends.map(({ message }) => message.id));
    return chat.messages.filter(({ id, role }) => role === 'user' && !pending.has(id));
  }

  /** Everything pending may go out by this press; edits among it cut the history. */
  #mayGoOut(): void {
    for (const { message } of this.#shown.chat.pendingSends) {
      const target = this.#edits.get(textOf(message));
      if (target !== undefined) this.#cutFrom(target);
    }
  }

  #cutFrom(id: string): void {
    const { messages } = this.#shown.chat;
    const at = messages.findIndex((message) => message.id === id);
    for (const message of at < 0 ? [] : messages.slice(at)) {
      if (message.role === 'user') this.#cut.add(textOf(message));
    }
  }

  #judgeFrames(): void {
    const frames = this.#mounted?.frames.slice(this.#judged) ?? [];
    this.#judged += frames.length;
    for (const frame of frames) {
      const rests = isRest(frame);
      if (rests && this.#before !== undefined && !isRest(this.#before)) this.#rested = true;
      else if (!rests && this.#rested) {
        this.#flaws.add(`flash: ${this.#before?.state} before ${frame.state}`);
      }
      this.#before = frame;
      if (frame.texts.some((line) => line.includes('SECRET'))) {
        this.#flaws.add('text of a gateway on screen');
      }
      for (const line of twice(frame.texts.filter((text) => text.startsWith('user: ')))) {
        this.#flaws.add(`in two places: ${line}`);
      }
    }
  }
}

const isRest = ({ status }: Frame): boolean => status === 'ready' || status === 'error';

/** What is in a list more than once. */
export const twice = (texts: readonly string[]): string[] => [
  ...new Set(texts.filter((text, at) => texts.indexOf(text) !== at)),
];

/** The platform's world, which knows what waits in it. */
class CountedWorld implements SteadyWorld {
  readonly #real: World = systemWorld();
  readonly now = this.#real.now;
  readonly monotonic = this.#real.monotonic;
  readonly online = this.#real.online;
  readonly visible = this.#real.visible;
  readonly origin = this.#real.origin;
  random = this.#real.random;
  timers = 0;
  listeners = 0;

  readonly after = (ms: number, task: () => void): (() => void) => {
    const over = once(() => {
      this.timers -= 1;
    });
    this.timers += 1;
    const cancel = this.#real.after(ms, () => {
      over();
      task();
    });
    return () => {
      over();
      cancel();
    };
  };

  readonly onPageEvent: World['onPageEvent'] = (listener) => {
    const over = once(() => {
      this.listeners -= 1;
    });
    this.listeners += 1;
    const forget = this.#real.onPageEvent(listener);
    return () => {
      over();
      forget();
    };
  };

  settle(): Promise<void> {
    return this.advance(0);
  }

  advance(ms: number): Promise<void> {
    return new Promise((resolve) => this.#real.after(ms, resolve));
  }
}

function once(task: () => void): () => void {
  let done = false;
  return () => {
    if (!done) task();
    done = true;
  };
}

/** Numbers in [0, 1) that are the same for the same seed. */
function chanceFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
