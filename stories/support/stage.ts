import type { UIMessage } from 'ai';
import type { RecoveryState, UseHelixChat, UseHelixChatOptions } from 'helix-chat/react';
import type { Chunk, ReplyContext } from 'helix-chat/server';
import {
  createFaultServer,
  createManualWorld,
  type FaultScript,
  type FaultServer,
  inProcessFetch,
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
  /** How the model answers. Default: a few sentences, three words in 120 ms. */
  readonly reply?: (world: ManualWorld, context: ReplyContext) => AsyncGenerator<Chunk>;
  /** Answers a request before the server sees it. */
  readonly answer?: ((request: Request) => Response | Promise<Response> | undefined) | undefined;
  readonly chat?: Partial<UseHelixChatOptions<UIMessage>>;
}

/** A chat on the scripted server and on a clock of its own, and a hand that drives both. */
export interface Stage {
  readonly world: ManualWorld;
  readonly server: FaultServer;
  readonly chatId: string;
  /** What was copied, the newest last. */
  readonly copied: readonly string[];
  readonly options: UseHelixChatOptions<UIMessage>;
  /** The chat as it was drawn last. */
  chat(): UseHelixChat<UIMessage>;
  /** Keeps what was drawn. */
  see(chat: UseHelixChat<UIMessage>): void;
  /** Sends a message and lets everything happen that needs no time. */
  send(text: string, files?: readonly string[]): Promise<void>;
  /** Answers requests before the server sees them, from here on. */
  answerWith(answer: StageOptions['answer']): void;
  /** From here on nothing goes wrong any more. */
  mend(): void;
  /** Lets time pass. */
  pass(ms: number): Promise<void>;
  /** The story is told: from here on its clock may go with that of whoever looks. */
  letGo(): void;
  /** Keeps the clock going once the story is told. The returned function stops it. */
  keepTime(): () => void;
  /** Lets time pass until the chat has come to one of these states. */
  until(...states: readonly RecoveryState['name'][]): Promise<void>;
}

const ANSWER =
  'Three reasons cover about two thirds of the answers. The first is price after the trial, named by 31 %. ' +
  'The second is missing exports, which matters mostly to yearly plans. The third is slow answers from support.';

/** A reply at three words in 120 ms, always the same. */
async function* answer(world: ManualWorld, { signal }: ReplyContext): AsyncGenerator<Chunk> {
  yield { type: 'start-step' };
  yield { type: 'text-start', id: 'text-1' };
  for (const delta of ANSWER.match(/(?:\S+\s*){1,3}/g) ?? []) {
    await new Promise<void>((resolve) => {
      const stop = world.after(120, resolve);
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

const TICK_MS = 250;
/** Tests and pictures are of one moment. */
const still =
  '__vitest_browser_runner__' in globalThis || new URLSearchParams(location.search).has('still');

const CHAT_ID = 'june-survey';

/** Sets a stage. */
export async function createStage(options: StageOptions = {}): Promise<Stage> {
  const copied: string[] = [];
  const world = Object.assign(createManualWorld(), {
    copy: async (text: string) => {
      copied.push(text);
    },
  });
  let told = false;
  let front = options.answer;
  let broken = true;
  const server = createFaultServer({
    world,
    reply: (context) => ((broken && options.reply) || answer)(world, context),
  });
  let answering = 0;
  const serve = async (request: Request) => {
    answering += 1;
    try {
      return (broken && (await front?.(request))) || (await server.handle(request));
    } finally {
      answering -= 1;
    }
  };
  /** Reading the body of a request takes a browser time of its own: until then no time of the story may pass. */
  const quiet = async () => {
    if (answering === 0) return;
    for (let turn = 0; answering > 0 && turn < 50; turn++) await world.settle();
    await world.settle();
  };
  const until = (holds: () => boolean, ms: number) =>
    world.runUntil(async () => {
      await quiet();
      return holds();
    }, ms);
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
    copied,
    options: {
      id: CHAT_ID,
      api: '/api/chat',
      fetch: inProcessFetch(serve),
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
      await quiet();
    },
    answerWith(answer) {
      front = answer;
    },
    mend() {
      broken = false;
      server.disarm();
    },
    async pass(ms) {
      let passed = false;
      world.after(ms, () => {
        passed = true;
      });
      await until(() => passed, ms);
      await world.advance(0);
    },
    letGo() {
      told = true;
    },
    keepTime() {
      const timer = setInterval(() => {
        if (told && !still) void world.advance(TICK_MS);
      }, TICK_MS);
      return () => clearInterval(timer);
    },
    until: (...states) => until(() => states.includes(chat().recovery.name), 900_000),
  };
}
