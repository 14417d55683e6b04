import type { HelixErrorInit } from 'helix-chat';
import type { FaultScript } from 'helix-chat/testing';
import type { StageOptions } from './stage.ts';

/** Every send is refused with this error, before anything is written. */
export const refused = (error: HelixErrorInit): StageOptions => ({
  arm: [{ on: 'send', times: 99, fault: { do: 'refuse-typed', error } }],
});

/** Every reply fails with this error, after so many words. */
export const failing = (error: HelixErrorInit, words = 0): StageOptions => ({
  arm: [{ on: 'send', times: 99, fault: { do: 'reply', words, attempts: 99, fails: error } }],
});

/** Something before the server answers every send with this status and no word that we know. */
export const http = (
  status: number,
  headers: Record<string, string> = {},
  body = '',
): StageOptions => ({
  arm: [
    {
      on: 'send',
      times: 99,
      fault: {
        do: 'refuse',
        status,
        headers: { 'content-type': 'text/plain', ...headers },
        body,
      },
    },
  ],
});

/** The model ends each reply after a few words, for this reason. */
export const finishing = (
  finishReason: string,
  text = 'The order changes. People on',
): StageOptions => ({
  async *reply() {
    yield { type: 'start-step' };
    yield { type: 'text-start', id: 'text-1' };
    yield { type: 'text-delta', id: 'text-1', delta: text };
    yield { type: 'text-end', id: 'text-1' };
    yield { type: 'finish-step' };
    yield { type: 'finish', finishReason };
  },
});

/** Another tab's reply is being written for this long when the send arrives. */
export const busy = (ms: number): StageOptions => ({
  arm: [{ on: 'send', fault: { do: 'foreign-run', ms } }],
});

/** Requests of this method are never answered. */
export const unanswered = (method: 'GET' | 'POST'): Pick<StageOptions, 'answer'> => ({
  answer: (request) => (request.method === method ? new Promise<Response>(() => {}) : undefined),
});

/** The connection of a reply breaks after five words. */
export const cut: FaultScript['rules'] = [
  { on: 'send', fault: { do: 'break', afterWords: 5, how: 'cut' } },
];
