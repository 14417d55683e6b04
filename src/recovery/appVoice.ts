import type { Failure } from '../errors/failure.ts';
import type { HelixError } from '../errors/HelixError.ts';
import type { ChatMessage } from './ports.ts';

/** How a turn ended, as the SDK's `onFinish` tells it. */
export interface Finish<M extends ChatMessage> {
  readonly message: M | undefined;
  readonly isAbort: boolean;
  readonly isDisconnect: boolean;
  readonly isError: boolean;
  readonly finishReason: string | undefined;
}

/** What an app passes to hear of a turn's end; the SDK's callbacks and ours. */
export interface AppListeners<M extends ChatMessage> {
  onError(error: HelixError): void;
  onFinish(finish: Finish<M>): void;
  onFailure(failure: Failure): void;
}

/**
 * What the app hears of a turn's end, in one order whatever ended it: `onError`, `onFinish`, `onFailure`, each once.
 * Inside the SDK's own `onError` its `onFinish` has yet to come, and ours waits for it.
 */
export interface AppVoice<M extends ChatMessage> {
  failed(failure: Failure): void;
  finished(finish: Finish<M>): void;
  /** Runs what the SDK's `onError` sets off. */
  insideError(work: () => void): void;
  /** The SDK's `onFinish` after its `onError`. */
  sdkFinished(finish: Finish<M>): void;
  /** Tells a failure that no turn's end precedes. */
  flush(): void;
}

/** One a chat. The listeners are looked up at each call, so that the latest render is heard. */
export function createAppVoice<M extends ChatMessage>(listeners: AppListeners<M>): AppVoice<M> {
  let inside = false;
  let owed: Finish<M> | undefined;
  let owedFailure: Failure | undefined;
  const flush = (): void => {
    if (owedFailure === undefined || owed !== undefined || inside) return;
    const failure = owedFailure;
    owedFailure = undefined;
    listeners.onFailure(failure);
  };
  return {
    failed(failure) {
      owedFailure = failure;
      if (failure.severity !== 'notice') listeners.onError(failure.error);
    },
    finished(finish) {
      if (inside && finish.isError) owed = finish;
      else listeners.onFinish(finish);
    },
    insideError(work) {
      inside = true;
      work();
      inside = false;
      flush();
    },
    sdkFinished(finish) {
      const told = owed;
      owed = undefined;
      // The SDK tells what it has read; the message on screen may be another one by now.
      if (told !== undefined) listeners.onFinish({ ...finish, message: told.message });
      flush();
    },
    flush,
  };
}
