import type { UIMessage } from 'ai';
import { createAnswers } from '../recovery/answers.ts';
import type { Leftover } from '../recovery/leftover.ts';
import { resolvePolicy } from '../recovery/policy.ts';
import { standsAtCall } from '../recovery/toolParts.ts';
import { checkChatOptions, type HelixChatOptions } from './chatOptions.ts';
import type { HelixDefaults } from './HelixProvider.tsx';
import { noteMounted } from './noteMounted.ts';
import { type ChatMemory, createSession, type Session } from './session.ts';

/** A chat as the hook holds it: sessions open with the first component that shows it and end with the last. */
export interface MountableChat<M extends UIMessage> {
  readonly kind: 'helix-chat';
  readonly id: string;
  /** Opens the session on first use; `defaults` count only then. */
  open(defaults?: HelixDefaults): Session<M>;
  /** A pending message, a failure, or an answer that is still to come or to go would be lost with it. */
  holdsSomething(): boolean;
  /** One more component shows the chat. The returned function takes it back; the last one ends all work. */
  retain(): () => void;
}

/** Makes a chat whose session opens with its first mount. `latest`: a hook's options; without it the options listen themselves. */
export function mountableChat<M extends UIMessage>(
  options: HelixChatOptions<M>,
  latest?: () => HelixChatOptions<M>,
): MountableChat<M> {
  checkChatOptions(options);
  resolvePolicy(options.recovery);
  let session: Session<M> | undefined;
  let defaults: HelixDefaults = {};
  let id = options.id;
  let retained = 0;
  let started = false;
  /** What the last session left, until the next one opens. */
  let reopened: { messages: M[]; kept: readonly Leftover<M>[] } | undefined;
  let forgetMounted = (): void => {};
  const memory: ChatMemory<M> = {
    seenCalls: new Set(),
    submitted: new Set(),
    answers: createAnswers(),
    renamedIds: new Map(),
    identity: {},
    awaited: { message: undefined, missed: 0 },
    transport: undefined,
  };

  const open = (given?: HelixDefaults): Session<M> => {
    if (session === undefined) {
      defaults = given ?? defaults;
      session = createSession(
        options,
        latest ?? (() => options),
        defaults,
        id,
        latest === undefined ? options : undefined,
        memory,
      );
      id = session.chat.id;
      reopen(session);
    }
    return session;
  };

  /** The chat goes on where it was left, also for an act that comes before the next mount. */
  const reopen = ({ chat, controller }: Session<M>): void => {
    if (reopened === undefined) return;
    const { messages, kept } = reopened;
    reopened = undefined;
    chat.messages = [...memory.answers.apply(messages)];
    controller.adopt(kept);
  };

  /** The last component left: nothing goes on. What was pending is kept for the next mount. */
  const close = (): void => {
    if (retained > 0 || session === undefined) return;
    const ended = session;
    session = undefined;
    started = false;
    const kept = ended.controller.leftovers();
    ended.end();
    const messages = ended.chat.messages;
    reopened = { messages, kept };
  };
  const self: MountableChat<M> = {
    kind: 'helix-chat',
    get id() {
      id ??= open().chat.id;
      return id;
    },
    open,
    holdsSomething() {
      const messages = session?.chat.messages ?? reopened?.messages ?? [];
      if (standsAtCall(messages) || memory.answers.fresh(messages)) return true;
      if (reopened !== undefined && reopened.kept.length > 0) return true;
      if (session === undefined) return false;
      const { queue, state } = session.controller.model();
      return queue.length > 0 || state.name !== 'idle';
    },
    retain() {
      retained += 1;
      const current = open();
      if (retained === 1) forgetMounted = noteMounted(self, current.endpoint, current.chat.id);
      if (!started) {
        started = true;
        current.controller.start();
        current.controller.dispatch({ type: current.loads ? 'load-requested' : 'mounted' });
      }
      return () => {
        retained -= 1;
        if (retained === 0) forgetMounted();
        // A remount in the same tick (StrictMode) keeps the session.
        current.world.after(0, close);
      };
    },
  };
  return self;
}
