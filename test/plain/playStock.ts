import type { UIMessage } from 'ai';

import { describeError, type Failure } from 'helix-chat';
import { en } from 'helix-chat/locales/en';
import type { UseHelixChatOptions } from 'helix-chat/react';
import { createManualWorld, type ManualWorld } from 'helix-chat/testing';
import { afterEach } from 'vitest';
import { type MountedChat, mountChat } from '../setup/mountChat.tsx';
import { type MountedStock, mountStock } from './mountStock.tsx';
import { cross, pass, reach } from './reach.ts';
import { type Elsewhere, type StockServer, startStockServer } from './stockServer.ts';

/** One client on a stock server of its own. */
interface Side {
  readonly world: ManualWorld;
  readonly server: StockServer;
  /** Sends a text, and goes on until the turn is over and the server at rest. */
  turn(text: string): Promise<void>;
  /** Goes on until nothing is under way. */
  rest(): Promise<void>;
  screen(): string[];
}

export interface OurSide extends Side {
  readonly mounted: MountedChat;
  /** Every failure that the app or a person could see, those of waits included. */
  readonly failures: readonly Failure[];
  /** Notes for the developer that were written to the console. */
  readonly notes: readonly string[];
}

export interface StockSide extends Side {
  readonly mounted: MountedStock;
}

const closing: (() => Promise<void>)[] = [];
const warn = console.warn;

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  console.warn = warn;
});

/** The hook on a stock server. `page`: where the page comes from; default the server's own origin. */
export async function playOurs(
  options: (server: StockServer) => UseHelixChatOptions<UIMessage> = ({ api }) => ({ api }),
  at: { readonly elsewhere?: Elsewhere; readonly page?: string } = {},
): Promise<OurSide> {
  const clock = createManualWorld();
  const server = await startStockServer(clock, at.elsewhere);
  const world: ManualWorld = Object.assign(clock, { origin: () => at.page ?? server.origin });
  const notes: string[] = [];
  // A look for a route that is not there ends in a note for the developer, which these tests judge themselves.
  console.warn = (text: unknown) => void notes.push(String(text));
  const failures: Failure[] = [];
  const mounted = await mountChat(world, {
    id: 'c1',
    onFailure: (failure) => void failures.push(failure),
    ...options(server),
  });
  closing.push(async () => {
    await mounted.unmount();
    await server.close();
  });
  const isOver = (): boolean =>
    ['idle', 'failed'].includes(mounted.chat.recovery.name) && server.quiet();
  const rest = async (): Promise<void> => {
    await reach(
      world,
      () => {
        const { recovery } = mounted.chat;
        if (recovery.name === 'backing-off') failures.push(recovery.failure);
        return isOver();
      },
      120_000,
    );
    await cross();
  };
  return {
    world,
    server,
    mounted,
    failures,
    notes,
    async turn(text) {
      const before = server.requests.length;
      void mounted.chat.sendMessage({ text });
      await reach(world, () => server.requests.length > before);
      await rest();
    },
    rest,
    screen: () => mounted.screen(),
  };
}

/** Stock `useChat` on a server that goes wrong in the same way. */
export async function playStock(elsewhere?: Elsewhere): Promise<StockSide> {
  const world = createManualWorld();
  const server = await startStockServer(world, elsewhere);
  const mounted = mountStock(server.api);
  await cross();
  closing.push(async () => {
    mounted.unmount();
    await cross();
    await server.close();
  });
  const rest = async (): Promise<void> => {
    await reach(
      world,
      () => ['ready', 'error'].includes(mounted.chat.status) && server.quiet(),
      120_000,
    );
    await cross();
  };
  return {
    world,
    server,
    mounted,
    async turn(text) {
      const before = server.requests.length;
      void mounted.chat.sendMessage({ text }).catch(() => {});
      await reach(world, () => server.requests.length > before);
      await rest();
    },
    rest,
    screen: mounted.screen,
  };
}

/** Nothing goes out by itself after the turn, however long one waits. */
export async function linger(side: Side): Promise<number> {
  const before = side.server.requests.length;
  await pass(side.world, 300_000);
  return side.server.requests.length - before;
}

/** Everything that a person would read of these failures. */
export function wordsOf(failures: readonly Failure[]): string[] {
  return failures.flatMap((failure) => {
    const view = describeError(failure, { catalog: en });
    const { title, cause, safety, when, wait, reference, partialMark, actions } = view;
    return [title, cause, safety, when, wait, reference, partialMark]
      .concat(actions.map(({ label }) => label))
      .filter((text) => text !== undefined);
  });
}
