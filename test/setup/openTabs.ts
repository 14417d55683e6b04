import type { UIMessage } from 'ai';
import type { UseHelixChatOptions } from 'helix-chat/react';
import {
  CLIENT_HEADER,
  createFaultServer,
  createManualStore,
  createManualWorld,
  type FaultServer,
  type ManualStore,
  type ManualWorld,
} from 'helix-chat/testing';
import { lines, type MountedChat, mountChat } from './mountChat.tsx';
import type { Layer } from './networkLayers.ts';
import { openPage, type PageLife } from './pageLife.ts';
import { CHAT, TAB } from './playScenario.ts';

/** How a page goes away: for good, or kept aside by the browser as long as that likes, or without hearing of it. */
export type Death = 'reload' | 'navigate' | 'crash';

/** A tab of a browser, with one page after the other in it. */
export interface Tab {
  readonly name: string;
  readonly mounted: MountedChat;
  /** The tab's own view of the time that all tabs share. */
  readonly world: ManualWorld;
  send(text: string): Promise<void>;
  press(action: 'send-again' | 'take-back', id?: string): Promise<void>;
  /** The page dies in the middle of whatever it does; the next one takes its place. */
  reload(death?: Death): Promise<void>;
  /** The same page with other options. */
  reopen(change: UseHelixChatOptions<UIMessage>): Promise<void>;
  /** The page dies, and no other takes its place. */
  die(death: Death): Promise<void>;
  rest(maxMs?: number): Promise<void>;
}

/** A browser: tabs with one local storage, on one server and one clock. */
export interface Browser {
  readonly world: ManualWorld;
  readonly server: FaultServer;
  readonly local: ManualStore;
  open(change?: UseHelixChatOptions<UIMessage>, between?: Layer): Promise<Tab>;
  truth(): Promise<string[]>;
  /** POSTs of all tabs to the send route that the server has seen. */
  posts(): number;
  /** The request keys of these, in order. */
  keys(): (string | undefined)[];
  /** What anything left behind, once everything is closed. */
  leftovers(): Promise<string[]>;
}

let seeds = 1_000;

/** Opens a browser. `toServer`: the way of all its tabs to the server. */
export function openBrowser(toServer: Layer = (through) => through): Browser {
  const base = createManualWorld();
  const server = createFaultServer({ world: base });
  const wire = toServer(server.fetch, base);
  const local = createManualStore();
  const tabs: Tab[] = [];

  const open = async (
    change: UseHelixChatOptions<UIMessage> = {},
    between: Layer = (through) => through,
  ): Promise<Tab> => {
    const session = createManualStore();
    const name = tabs.length === 0 ? TAB : `${TAB}-${tabs.length + 1}`;
    const state: { page?: PageLife; mounted?: MountedChat; fetch?: typeof fetch } = {};
    const optionsOf = (more: UseHelixChatOptions<UIMessage>): UseHelixChatOptions<UIMessage> => ({
      id: CHAT,
      ...(state.fetch === undefined ? {} : { fetch: state.fetch }),
      headers: { [CLIENT_HEADER]: name },
      requestKeys: true,
      resync: true,
      storage: 'local',
      ...more,
    });
    const load = async (): Promise<void> => {
      seeds += 1;
      const page = openPage(base, { session, local }, seeds);
      state.page = page;
      state.fetch = page.fetch(between(wire, page.world));
      state.mounted = await mountChat(page.world, optionsOf(change));
    };
    const die = async (death: Death): Promise<void> => {
      if (death !== 'crash') state.page?.emit(death === 'reload' ? 'gone' : 'leaving');
      state.page?.end();
      // Nothing of it is left in this process; what it would say or write on its way out is not heard.
      await state.mounted?.unmount();
    };
    await load();
    const tab: Tab = {
      name,
      get mounted() {
        if (state.mounted === undefined) throw new Error('The tab is empty.');
        return state.mounted;
      },
      get world() {
        if (state.page === undefined) throw new Error('The tab is empty.');
        return state.page.world;
      },
      async send(text) {
        void tab.mounted.chat.sendMessage({ text });
        await base.settle();
      },
      async press(action, id) {
        void tab.mounted.chat.act(action, id === undefined ? {} : { id });
        await base.settle();
      },
      async reload(death = 'reload') {
        await die(death);
        await load();
      },
      reopen: (more) => tab.mounted.rerender(optionsOf(more)),
      die,
      async rest(maxMs = 20_000) {
        await base.runUntil(
          () =>
            ['idle', 'failed'].includes(tab.mounted.chat.recovery.name) &&
            !tab.mounted.chat.canStop,
          maxMs,
        );
        await base.settle();
      },
    };
    tabs.push(tab);
    return tab;
  };

  const sends = () => server.requests.filter(({ route }) => route === 'send');
  return {
    world: base,
    server,
    local,
    open,
    truth: async () => lines(await server.transcript(CHAT)),
    posts: () => sends().length,
    keys: () => sends().map(({ key }) => key),
    async leftovers() {
      for (const tab of tabs) await tab.mounted.unmount();
      await base.advance(60_000);
      const left: string[] = [];
      if (base.pending() > 0) left.push(`${base.pending()} timers`);
      if (local.watchers() > 0) left.push(`${local.watchers()} watchers`);
      if (!server.settled()) left.push('requests');
      return left;
    },
  };
}
