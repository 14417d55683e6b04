import type { UIMessage } from 'ai';
import type { UseHelixChat, UseHelixChatOptions } from 'helix-chat/react';
import type { Chunk, ReplyContext } from 'helix-chat/server';
import {
  createFaultServer,
  createManualWorld,
  type FaultScript,
  type FaultServer,
  type ManualWorld,
} from 'helix-chat/testing';

/** How a stage is set before the first message. */
export interface StageOptions {
  /** Questions that the server has answered before. */
  readonly asked?: readonly string[];
  /** What goes wrong with the next send. */
  readonly arm?: FaultScript['rules'];
  /** Whether the pending messages stand in the app's list. Default: `PendingSends` draws them. */
  readonly pendingInMessages?: boolean;
  readonly chat?: Partial<UseHelixChatOptions<UIMessage>>;
}

/** A chat on the scripted server and on a clock of its own, and a hand that drives both. */
export interface Stage {
  readonly world: ManualWorld;
  readonly server: FaultServer;
  readonly chatId: string;
  readonly options: UseHelixChatOptions<UIMessage>;
  /** The chat as it was drawn last. */
  chat(): UseHelixChat<UIMessage>;
  /** Keeps what was drawn. */
  see(chat: UseHelixChat<UIMessage>): void;
  /** Sends a message and lets everything happen that needs no time. */
  send(text: string, files?: readonly string[]): Promise<void>;
  /** Lets time pass. */
  pass(ms: number): Promise<void>;
  /** Lets time pass until the chat has come to this state. */
  until(state: UseHelixChat<UIMessage>['recovery']['name']): Promise<void>;
}

const ANSWER =
  'Three reasons cover about two thirds of the answers. The first is price after the trial, named by 31 %. ' +
  'The second is missing exports, which matters mostly to yearly plans. The third is slow answers from support.';

/** A reply at 40 ms a word, always the same. */
async function* answer(world: ManualWorld, { signal }: ReplyContext): AsyncGenerator<Chunk> {
  yield { type: 'start-step' };
  yield { type: 'text-start', id: 'text-1' };
  for (const delta of ANSWER.split(/(?<= )/)) {
    await new Promise<void>((resolve) => {
      const stop = world.after(40, resolve);
      signal.addEventListener('abort', () => {
        stop();
        resolve();
      });
    });
    if (signal.aborted) return;
    yield { type: 'text-delta', id: 'text-1', delta };
  }
  yield { type: 'text-end', id: 'text-1' };
  yield { type: 'finish-step' };
  yield { type: 'finish', finishReason: 'stop' };
}

const CHAT_ID = 'june-survey';

/** Sets a stage. */
export async function createStage(options: StageOptions = {}): Promise<Stage> {
  const world = createManualWorld();
  const server = createFaultServer({ world, reply: (context) => answer(world, context) });
  for (const question of options.asked ?? []) {
    const turn = await server.foreignSend(CHAT_ID, question);
    const ended = turn.ended();
    await world.advance(10_000);
    await ended;
  }
  if (options.arm) server.arm({ name: 'story', rules: options.arm });
  let seen: UseHelixChat<UIMessage> | undefined;
  const chat = () => {
    if (!seen) throw new Error('The chat of this story has not been drawn.');
    return seen;
  };
  return {
    world,
    server,
    chatId: CHAT_ID,
    options: {
      id: CHAT_ID,
      api: '/api/chat',
      fetch: server.fetch,
      requestKeys: true,
      resync: true,
      pendingInMessages: options.pendingInMessages ?? false,
      ...options.chat,
    },
    chat,
    see(drawn) {
      seen = drawn;
    },
    async send(text, files = []) {
      const parts = files.map((filename) => ({
        type: 'file' as const,
        filename,
        mediaType: 'text/plain',
        url: 'data:text/plain,survey',
      }));
      void chat().sendMessage({ text, files: parts });
      await world.settle();
    },
    pass: (ms) => world.advance(ms),
    until: (state) => world.runUntil(() => chat().recovery.name === state, 600_000),
  };
}
