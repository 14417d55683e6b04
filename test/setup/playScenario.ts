import type { UIMessage } from 'ai';
import type { UseHelixChatOptions } from 'helix-chat/react';
import {
  CLIENT_HEADER,
  createFaultServer,
  createManualWorld,
  type FaultServer,
  type FaultServerOptions,
  type ManualWorld,
  type ScenarioName,
  scenarioOf,
} from 'helix-chat/testing';
import { lines, type MountedChat, mountChat } from './mountChat.tsx';

export const CHAT = 'c1';
export const TAB = 'tab-1';

export interface Play {
  readonly world: ManualWorld;
  readonly server: FaultServer;
  readonly mounted: MountedChat;
  readonly heard: Heard;
  /** Sends a text as a person would, without waiting for it. */
  send(text: string): Promise<void>;
  /** Advances until nothing automatic is under way. */
  rest(maxMs?: number): Promise<void>;
  truth(): Promise<string[]>;
  /** POSTs of this tab to the send route. */
  posts(): number;
  requests(route: string): number;
}

/** The callbacks that an app hears, in order. */
export interface Heard {
  readonly order: string[];
  readonly errors: unknown[];
  readonly failures: unknown[];
  readonly finished: string[];
}

/** A chat on the scripted server with a manual clock, mounted in React in StrictMode. `between`: a network of one's own; `serving`: what the server is made of. */
export async function play(
  change: UseHelixChatOptions<UIMessage> = {},
  between: (fetch: typeof globalThis.fetch, world: ManualWorld) => typeof globalThis.fetch = (
    fetch,
  ) => fetch,
  serving: (world: ManualWorld) => Omit<FaultServerOptions, 'world'> = () => ({}),
): Promise<Play> {
  const world = createManualWorld();
  const server = createFaultServer({ world, ...serving(world) });
  const heard: Heard = { order: [], errors: [], failures: [], finished: [] };
  const mounted = await mountChat(world, {
    id: CHAT,
    fetch: between(server.fetch, world),
    headers: { [CLIENT_HEADER]: TAB },
    requestKeys: true,
    resync: true,
    onError(error) {
      heard.order.push('onError');
      heard.errors.push(error);
    },
    onFinish({ message, isError }) {
      heard.order.push('onFinish');
      heard.finished.push(`${isError ? 'error ' : ''}${lines([message])[0]}`);
    },
    onFailure(failure) {
      heard.order.push('onFailure');
      heard.failures.push(failure);
    },
    ...change,
  });
  await world.advance(0);
  const ours = (route: string): number =>
    server.requests.filter((request) => request.route === route && request.client === TAB).length;
  return {
    world,
    server,
    mounted,
    heard,
    async send(text) {
      void mounted.chat.sendMessage({ text });
      await world.settle();
    },
    async rest(maxMs = 20_000) {
      await world.runUntil(
        () => ['idle', 'failed'].includes(mounted.chat.recovery.name) && !mounted.chat.canStop,
        maxMs,
      );
      await world.settle();
    },
    truth: async () => lines(await server.transcript(CHAT)),
    posts: () => ours('send'),
    requests: ours,
  };
}

/** Arms a scenario for the next send of this tab. */
export function arm(server: FaultServer, name: ScenarioName): void {
  server.arm(name, { client: TAB, chatId: CHAT });
}

export const policyOf = (name: ScenarioName) => scenarioOf(name)?.policy ?? {};

/** Unmounts, lets the server end what it does by itself, and says what is left. */
export async function leftovers({ mounted, world, server }: Play): Promise<string[]> {
  await mounted.unmount();
  await world.advance(60_000);
  const left: string[] = [];
  if (world.pending() > 0) left.push(`${world.pending()} timers`);
  if (world.listeners() > 0) left.push(`${world.listeners()} listeners`);
  if (world.locks() > 0) left.push(`${world.locks()} locks`);
  if (!server.settled()) left.push('requests');
  return left;
}
