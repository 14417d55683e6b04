import {
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  type UIMessage,
} from 'ai';
import type { Failure, Policy } from 'helix-chat';
import {
  createHelixChat,
  type HelixChat,
  type HelixChatOptions,
  type UseHelixChat,
} from 'helix-chat/react';
import {
  CLIENT_HEADER,
  createManualStore,
  type ManualStore,
  type ManualWorld,
} from 'helix-chat/testing';
import { type MountedChat, mountChat, textOf } from '../setup/mountChat.tsx';
import type { Death } from '../setup/openTabs.ts';
import { openPage, type PageLife } from '../setup/pageLife.ts';
import { CHAT } from '../setup/playScenario.ts';
import type { Ledger, Life } from './ledger.ts';
import { TOOLS } from './replies.ts';
import { Screen } from './screen.ts';
import { clientOf, type ServerMode } from './serverModes.ts';
import type { App } from './steps.ts';
import type { Air } from './weather.ts';

/** What every tab of a walk shares. */
export interface Surroundings {
  readonly world: ManualWorld;
  /** The same world; the timers of clients are counted in it. */
  readonly clientWorld: ManualWorld;
  readonly ledger: Ledger;
  readonly mode: ServerMode;
  readonly app: App;
  readonly policy: Policy;
  /** What all tabs keep. */
  readonly local: ManualStore;
}

/** How long a slow store takes for each answer. */
const SLOW_MS = 150;

interface OpenCall {
  readonly toolCallId: string;
  readonly tool: string;
  readonly approvalId: string | undefined;
}

/** What a person may be asked in a message: calls without an answer. */
export function openCalls(messages: readonly UIMessage[]): OpenCall[] {
  return messages
    .flatMap(({ parts }) => parts as readonly Record<string, unknown>[])
    .flatMap((part) => {
      const { type, state, toolCallId } = part;
      if (typeof type !== 'string' || !type.startsWith('tool-')) return [];
      if (state !== 'input-available' && state !== 'approval-requested') return [];
      const approval = part.approval as { id?: unknown } | undefined;
      return [
        {
          toolCallId: String(toolCallId),
          tool: type.slice('tool-'.length),
          approvalId: state === 'approval-requested' ? String(approval?.id) : undefined,
        },
      ];
    });
}

/** One tab: a chat object, and the components that draw it. A reload makes everything in it anew. */
export class Tab {
  readonly name: string;
  readonly by: number;
  readonly #around: Surroundings;
  readonly #air: Air;
  readonly #count: number;
  readonly #session = createManualStore();
  #pages = 0;
  /** Chats that the component has made by an id, in this page. */
  #chats = 0;
  #page: PageLife;
  #life: Life;
  #chat: HelixChat<UIMessage> | HelixChatOptions<UIMessage>;
  #elsewhere: HelixChat<UIMessage> | HelixChatOptions<UIMessage>;
  #hooks: { readonly mounted: MountedChat; readonly screen: Screen }[] = [];
  /** Those of the components that are mounted, or are just being. */
  #screens: Screen[] = [];
  /** Texts before this moment that the server has held need not be shown: the page was loaded after it. */
  #since = 0;
  #turn = 0;
  /** What the app would press, as last drawn. */
  #latest: UseHelixChat<UIMessage> | undefined;
  readonly #heard = new Set<Failure>();
  /** The other tabs, of which one that shares a store with this one may show what is not here. */
  readonly #others: () => readonly Tab[];

  private constructor(
    by: number,
    around: Surroundings,
    air: Air,
    hooks: number,
    others: () => readonly Tab[],
  ) {
    this.by = by;
    this.name = `tab-${by + 1}`;
    this.#around = around;
    this.#air = air;
    // Two components that give ids are two clients.
    this.#count = around.app.byId === undefined ? hooks : 1;
    this.#others = others;
    this.#life = { by, over: false };
    this.#page = this.#load();
    this.#chat = this.#make(CHAT);
    this.#elsewhere = this.#make(`other-${by + 1}`);
  }

  static async open(
    by: number,
    around: Surroundings,
    air: Air,
    hooks: number,
    others: () => readonly Tab[],
  ): Promise<Tab> {
    const tab = new Tab(by, around, air, hooks, others);
    await tab.mount();
    return tab;
  }

  /** What a person sees and presses: the components take turns. */
  chat(): UseHelixChat<UIMessage> {
    this.#turn += 1;
    return this.#hook(this.#turn % this.#count).mounted.chat;
  }

  /** What the first component shows. */
  shown(): MountedChat {
    return this.#hook(0).mounted;
  }

  /** All components that show the chat. */
  all(): readonly MountedChat[] {
    return this.#hooks.map(({ mounted }) => mounted);
  }

  mark(): void {
    for (const { screen } of this.#hooks) screen.mark();
  }

  /** The mount that lives now, or the last one. */
  life(): Life {
    return this.#life;
  }

  /** Whether a promise that is made now is still waited for. */
  awaits(): () => boolean {
    return this.#page.isAlive;
  }

  /** What a person of this tab sees now. */
  shows(text: string): boolean {
    return this.#screens.some((screen) => !screen.away && screen.places().has(text));
  }

  async mount(): Promise<void> {
    const { ledger } = this.#around;
    this.#hooks = [];
    this.#screens = [];
    this.#life = { by: this.by, over: false };
    for (let at = 0; at < this.#count; at += 1) {
      const screen = new Screen(ledger, this.by, this.#since, (text) => this.isKept(text));
      this.#screens.push(screen);
      const mounted = await mountChat(this.#page.world, optionsOf(this.#chat), (chat) => {
        if (!screen.away) this.#latest = chat;
        screen.look(chat);
      });
      this.#hooks.push({ mounted, screen });
    }
  }

  async unmount(): Promise<void> {
    const hooks = this.#hooks;
    for (const { mounted, screen } of hooks) {
      screen.leave();
      await mounted.unmount();
    }
    this.#life.over = true;
  }

  /** Leaves the page of the chat for a while; the chat object stays where there is one. */
  async remount(ms: number, since: number): Promise<void> {
    await this.unmount();
    // What the component made by an id goes with it.
    if (this.#around.app.byId) {
      this.#since = since;
      this.#chats += 1;
    }
    await this.#around.world.advance(ms);
    await this.mount();
  }

  /** The page ends in the middle of whatever it does. */
  async die(death: Death): Promise<void> {
    if (death === 'reload') this.#page.emit('gone');
    this.#page.end();
    await this.unmount();
  }

  /** The page is loaded anew: only what the server and a store hold is left. */
  async reload(ms: number, since: number): Promise<void> {
    await this.#around.world.advance(ms);
    this.#page = this.#load();
    this.#chat = this.#make(CHAT);
    this.#elsewhere = this.#make(`other-${this.by + 1}`);
    this.#since = since;
    await this.mount();
  }

  #load(): PageLife {
    const { clientWorld, local } = this.#around;
    this.#pages += 1;
    return openPage(clientWorld, { session: this.#session, local }, 100 * this.by + this.#pages);
  }

  /** In a store, or on the screen of a tab with which this one shares it. */
  isKept(text: string): boolean {
    const { storage } = this.#around.app;
    if (storage === undefined) return false;
    if (this.isStored(text)) return true;
    return storage !== 'session' && this.#others().some((tab) => tab.shows(text));
  }

  /** In the store that this tab uses. */
  isStored(text: string): boolean {
    const { app, local } = this.#around;
    const store = app.storage === 'session' ? this.#session : local;
    const word = JSON.stringify(text);
    return store.keys().some((key) => store.text(key)?.includes(word));
  }

  /** Shows another chat for a while: another object, or another id. */
  async away(ms: number, since: number): Promise<void> {
    for (const { mounted, screen } of this.#hooks) {
      screen.leave();
      await mounted.rerender(optionsOf(this.#elsewhere));
    }
    this.#life.over = true;
    await this.#around.world.advance(ms);
    this.#life = { by: this.by, over: false };
    for (const { mounted, screen } of this.#hooks) {
      screen.comeBack(this.#around.app.byId ? since : this.#since);
      await mounted.rerender(optionsOf(this.#chat));
    }
  }

  /** A person, or the app, answers a call; an approval is given or refused. */
  answer(call: OpenCall, output: string, approved = true): void {
    const { ledger } = this.#around;
    const { toolCallId, tool, approvalId } = call;
    const chat = this.#latest;
    if (chat === undefined) return;
    this.mark();
    ledger.press(this.by, false);
    ledger.answers.set(toolCallId, [...(ledger.answers.get(toolCallId) ?? []), output]);
    ledger.hear(
      Promise.resolve(
        approvalId === undefined
          ? chat.addToolOutput({ tool, toolCallId, output })
          : chat.addToolApprovalResponse({ id: approvalId, approved }),
      ),
      this.awaits(),
    );
  }

  #hook(at: number) {
    const hook = this.#hooks[at] ?? this.#hooks[0];
    if (hook === undefined) throw new Error('The tab shows nothing.');
    return hook;
  }

  /** A chat, or what a component that has none gives the hook. */
  #make(id: string): HelixChat<UIMessage> | HelixChatOptions<UIMessage> {
    const { ledger, mode, app, policy } = this.#around;
    const page = this.#page;
    const options: HelixChatOptions<UIMessage> = {
      id,
      world: page.world,
      fetch: page.fetch(this.#air.fetch),
      headers: { [CLIENT_HEADER]: this.name },
      recovery: {
        ...policy,
        ...(app.moves === undefined ? {} : { budget: { moves: app.moves, perMs: 60_000 } }),
        ...(app.forbids === undefined ? {} : { allow: (move) => move !== app.forbids }),
      },
      sendAutomaticallyWhen: (options) =>
        lastAssistantMessageIsCompleteWithToolCalls(options) ||
        lastAssistantMessageIsCompleteWithApprovalResponses(options),
      onToolCall: ({ toolCall: { toolCallId, toolName } }) => {
        const run = `${this.name}.${this.#pages}.${this.#chats} ${toolCallId}`;
        ledger.runs.set(run, (ledger.runs.get(run) ?? 0) + 1);
        ledger.ran(this.#life, toolCallId, app.locks !== false);
        if (toolName === TOOLS.run) this.#runTool(toolCallId);
      },
      onFailure: (failure) => {
        if (this.#heard.has(failure)) ledger.broken.add(`told twice: ${failure.error.code}`);
        this.#heard.add(failure);
      },
      ...composerOf(app, ledger),
      ...(app.signsIn === undefined ? {} : { onUnauthorized: () => true }),
      ...(app.stopServer === undefined ? {} : { stopServer: app.stopServer }),
      ...(app.apart === undefined ? {} : { pendingInMessages: false }),
      ...storageOf(app, page, this.#around.local),
      ...conflictOf(app),
      ...clientOf(mode, app.learned === true),
    };
    return app.byId ? options : createHelixChat<UIMessage>(options);
  }

  /** The app's own tool: it answers at once, or a while later, whatever is shown by then. */
  #runTool(toolCallId: string): void {
    const { world, app } = this.#around;
    const call = { toolCallId, tool: TOOLS.run, approvalId: undefined };
    const answer = (): void => {
      for (const screen of this.#screens) screen.expectTurn();
      this.answer(call, `looked up ${toolCallId}`);
    };
    if (app.toolMs === undefined) answer();
    else world.after(app.toolMs, answer);
  }
}

/** What the component gives the hook. */
const optionsOf = (chat: HelixChat<UIMessage> | HelixChatOptions<UIMessage>) =>
  'kind' in chat ? { chat } : chat;

function storageOf({ storage }: App, { world }: PageLife, local: ManualStore) {
  if (storage === undefined) return {};
  return { storage: storage === 'slow' ? local.slowView(world, SLOW_MS) : storage };
}

function composerOf({ composer }: App, ledger: Ledger) {
  if (composer === 'absent') return {};
  return {
    onDraft(message: UIMessage): void {
      if (composer === 'throws') throw new Error('The composer is broken.');
      ledger.returned.add(textOf(message));
    },
  };
}

function conflictOf({ onConflict }: App) {
  if (onConflict === undefined) return {};
  if (onConflict !== 'in-turns') return { onConflict };
  let asked = 0;
  const choices = ['wait', 'stop', 'ask', 'fail'] as const;
  return {
    onConflict() {
      asked += 1;
      return choices[asked % choices.length] ?? 'wait';
    },
  };
}
