import type { FaultRule } from 'helix-chat/testing';
import { CHAT, type Play, TAB } from './playScenario.ts';

/** Arms these faults for the next send of this tab and what follows from it. */
export const script = (game: Play, ...rules: FaultRule[]): void =>
  game.server.arm({ name: 'test', rules }, { client: TAB, chatId: CHAT });

/** The next sends are refused with an untyped answer. */
export const refuse = (
  status: number,
  times = 1,
  headers: Record<string, string> = {},
  body = 'no',
): FaultRule => ({
  on: 'send',
  times,
  fault: {
    do: 'refuse',
    status,
    headers: { 'content-type': 'text/plain', ...headers },
    body,
  },
});

type Typed = Extract<FaultRule['fault'], { do: 'refuse-typed' }>['error'];

/** The next sends are refused with a typed body. */
export const refuseTyped = (error: Typed, times = 1): FaultRule => ({
  on: 'send',
  times,
  fault: { do: 'refuse-typed', error },
});

export const streaming = (game: Play): Promise<void> =>
  game.world.runUntil(() => game.mounted.chat.status === 'streaming');

export const backingOff = (game: Play): Promise<void> =>
  game.world.runUntil(() => game.mounted.chat.recovery.name === 'backing-off');

/** Sends a text and lets its turn come to an end. */
export async function turn(game: Play, text: string): Promise<void> {
  await game.send(text);
  await game.rest();
}

/** The questions that the server holds, in order. */
export const asked = async (game: Play): Promise<string[]> =>
  (await game.truth()).filter((line) => line.startsWith('user: '));

/** The request keys of this tab's sends, in order. */
export const keysOf = (game: Play): (string | undefined)[] =>
  game.server.requests
    .filter((request) => request.route === 'send' && request.client === TAB)
    .map((request) => request.key);
