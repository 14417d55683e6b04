import { emptyReply } from '../errors/clientFailures.ts';
import { HelixError } from '../errors/HelixError.ts';
import type {
  ChatHost,
  CutAnswer,
  FailAnswer,
  RefusalAnswer,
  TurnCall,
  TurnHost,
} from '../transport/turnHost.ts';
import { decideTrigger, isEmptyReply } from './decide.ts';
import { type Env, failureOf } from './draft.ts';
import type { RecoveryEvent } from './events.ts';
import type { Model } from './model.ts';
import type { ChatMessage } from './ports.ts';

/** What a held question of the transport may be answered with. */
export type Answer = RefusalAnswer | CutAnswer | FailAnswer;

interface TurnHostsOptions<M extends ChatMessage> {
  model(): Model<M>;
  env(): Env;
  dispatch(event: RecoveryEvent<M>): void;
  /** A call begins. Throws what ends it quietly where no act ordered it, or that act has been given up. */
  begins(call: TurnCall): void;
  /** A stream was accepted: the message of the act under way is the server's now. */
  taken(): void;
  keyOf(turnId: number): string | undefined;
  bytes(at: number): void;
  content(at: number): void;
  now(): number;
}

/** The ear that a bound transport calls: questions become events, and wait here for their answers. */
export interface TurnHosts {
  readonly host: ChatHost;
  /** Answers the question that is open, if one is. */
  answer(value: Answer): void;
  /** Older calls get the quiet answer from now on. */
  end(): void;
}

/** One a chat. Only the call that began last is listened to. */
export function createTurnHosts<M extends ChatMessage>(options: TurnHostsOptions<M>): TurnHosts {
  const { model, dispatch } = options;
  let latest = 0;
  let open: ((answer: Answer) => void) | undefined;

  const begin = (call: TurnCall): TurnHost => {
    latest += 1;
    const mine = latest;
    const isLatest = (): boolean => mine === latest;
    options.begins(call);
    if (call.kind === 'attach') dispatch({ type: 'attach-begun' });
    const turnId = model().turn?.id;
    const mayReanchor = (): boolean => {
      const env = options.env();
      const error = new HelixError({ code: 'transport_stream_drop', retryable: true });
      const facts = { error, phase: 'stream', committed: 'yes' } as const;
      if (env.allow('re-anchor', failureOf(model(), env, facts, true))) return true;
      dispatch({ type: 're-anchor-forbidden' });
      return false;
    };
    const ask = <A extends Answer>(event: RecoveryEvent<M>, whenStale: A): Promise<A> => {
      if (!isLatest()) return Promise.resolve(whenStale);
      return new Promise<A>((resolve) => {
        open = resolve as (value: Answer) => void;
        dispatch(event);
      });
    };
    return {
      continues: call.kind !== 'attach' && model().turn?.kind === 'continue',
      goesOn: call.kind === 'attach' && model().turn?.accepted === true,
      get requestKey() {
        if (call.kind === 'attach' || turnId === undefined) return undefined;
        return model().turn?.kind === 'submit' ? undefined : options.keyOf(turnId);
      },
      refused: (refusal) => ask<RefusalAnswer>({ type: 'request-refused', refusal }, 'hold'),
      accepted() {
        if (!isLatest()) return;
        options.bytes(options.now());
        dispatch({ type: 'stream-accepted' });
        options.taken();
      },
      cut: (cut) => ask<CutAnswer>({ type: 'stream-cut', cut }, 'leave'),
      failed: (error) => ask<FailAnswer>({ type: 'stream-failed', error }, 'leave'),
      ending(end) {
        if (!isLatest()) return undefined;
        const isEmpty = options.env().seesSoftFailures && isEmptyReply(model(), end);
        const error = isEmpty ? emptyReply() : undefined;
        dispatch({ type: 'stream-ending', end });
        return error;
      },
      trigger(trigger) {
        if (!isLatest()) return 'leave';
        const decision = decideTrigger(model(), trigger, options.env());
        if (decision !== 'ignore' && !mayReanchor()) return 'ignore';
        if (decision === 'leave') dispatch({ type: 'stream-left', trigger });
        if (decision === 'restart-step') dispatch({ type: 'step-restarted', trigger });
        return decision;
      },
      rejected(rejections) {
        if (isLatest()) dispatch({ type: 'answers-rejected', rejections });
      },
      run(run) {
        if (isLatest()) dispatch({ type: 'run-known', run });
      },
      bytes(at) {
        if (isLatest()) options.bytes(at);
      },
      content(at) {
        if (isLatest()) options.content(at);
      },
    };
  };

  return {
    host: { begin },
    answer(value) {
      const resolve = open;
      open = undefined;
      resolve?.(value);
    },
    end() {
      latest += 1;
    },
  };
}
