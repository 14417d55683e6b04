import {
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  type UIMessage,
} from 'ai';
import type { Failure, Policy } from 'helix-chat';
import { createHelixChat, type HelixChat, type UseHelixChat } from 'helix-chat/react';
import { CLIENT_HEADER, type ManualWorld } from 'helix-chat/testing';
import { type MountedChat, mountChat, textOf } from '../setup/mountChat.tsx';
import { CHAT } from '../setup/playScenario.ts';
import type { Ledger } from './ledger.ts';
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
}

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
  #page = 0;
  #chat: HelixChat<UIMessage>;
  readonly #elsewhere: HelixChat<UIMessage>;
  #hooks: { readonly mounted: MountedChat; readonly screen: Screen }[] = [];
  /** Those of the components that are mounted, or are just being. */
  #screens: Screen[] = [];
  /** Texts before this moment need not be shown: the page was loaded after it. */
  #since = 0;
  #turn = 0;
  /** What the app would press, as last drawn. */
  #latest: UseHelixChat<UIMessage> | undefined;
  readonly #heard = new Set<Failure>();

  private constructor(by: number, around: Surroundings, air: Air, hooks: number) {
    this.by = by;
    this.name = `tab-${by + 1}`;
    this.#around = around;
    this.#air = air;
    this.#count = hooks;
    this.#chat = this.#make(CHAT);
    this.#elsewhere = this.#make(`other-${by + 1}`);
  }

  static async open(by: number, around: Surroundings, air: Air, hooks: number): Promise<Tab> {
    const tab = new Tab(by, around, air, hooks);
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

  async mount(): Promise<void> {
    const { clientWorld, ledger } = this.#around;
    this.#hooks = [];
    this.#screens = [];
    for (let at = 0; at < this.#count; at += 1) {
      const screen = new Screen(ledger, this.by, this.#since);
      this.#screens.push(screen);
      const mounted = await mountChat(clientWorld, { chat: this.#chat }, (chat) => {
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
  }

  /** Leaves the page of the chat for a while; the chat object stays. */
  async remount(ms: number): Promise<void> {
    await this.unmount();
    await this.#around.world.advance(ms);
    await this.mount();
  }

  /** The page is loaded anew: only what the server and a store hold is left. */
  async reload(ms: number, since: number): Promise<void> {
    await this.unmount();
    this.#page += 1;
    this.#chat = this.#make(CHAT);
    await this.#around.world.advance(ms);
    this.#since = since;
    await this.mount();
  }

  /** Shows another chat for a while. */
  async away(ms: number): Promise<void> {
    const chat = this.#elsewhere;
    for (const { mounted, screen } of this.#hooks) {
      screen.leave();
      await mounted.rerender({ chat });
    }
    await this.#around.world.advance(ms);
    for (const { mounted, screen } of this.#hooks) {
      screen.comeBack();
      await mounted.rerender({ chat: this.#chat });
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
    );
  }

  #hook(at: number) {
    const hook = this.#hooks[at] ?? this.#hooks[0];
    if (hook === undefined) throw new Error('The tab shows nothing.');
    return hook;
  }

  #make(id: string): HelixChat<UIMessage> {
    const { clientWorld, ledger, mode, app, policy } = this.#around;
    const page = `${this.name}.${this.#page}`;
    return createHelixChat<UIMessage>({
      id,
      world: clientWorld,
      fetch: this.#air.fetch,
      headers: { [CLIENT_HEADER]: this.name },
      recovery: {
        ...policy,
        ...(app.forbids === undefined ? {} : { allow: (move) => move !== app.forbids }),
      },
      sendAutomaticallyWhen: (options) =>
        lastAssistantMessageIsCompleteWithToolCalls(options) ||
        lastAssistantMessageIsCompleteWithApprovalResponses(options),
      onToolCall: ({ toolCall: { toolCallId, toolName } }) => {
        const run = `${page} ${toolCallId}`;
        ledger.runs.set(run, (ledger.runs.get(run) ?? 0) + 1);
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
      ...conflictOf(app),
      ...clientOf(mode, app.learned === true),
    });
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
