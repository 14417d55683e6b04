import { HelixError, type HelixErrorInit } from '../../../src/errors/HelixError.ts';
import type { Reason } from '../../../src/protocol/reasons.ts';
import { chatErrorResponse } from '../../../src/server/chatErrorResponse.ts';
import { cut, failing, finishing, http, refused } from '../../../stories/support/faults.ts';
import type { StageOptions } from '../../../stories/support/stage.ts';
import type { LiveChat } from './liveChat.tsx';

/** A server on which something goes wrong, and what a person does there; by default one message is sent. */
export interface Situation extends StageOptions {
  readonly begin?: (chat: LiveChat) => Promise<void>;
  /** What a person does once the server works again; by default another message is sent. */
  readonly end?: (chat: LiveChat) => Promise<void>;
}

const pathOf = ({ method, url }: Request) => `${method} ${new URL(url).pathname}`;
const isSend = (request: Request) => pathOf(request) === 'POST /api/chat';
const isRead = (request: Request) =>
  request.method === 'GET' && !pathOf(request).endsWith('/stream');
const isStop = (request: Request) => pathOf(request).endsWith('/stop');

const typed = (error: HelixErrorInit) => {
  const response = chatErrorResponse(new HelixError(error));
  response.headers.set('x-request-id', 'req_story_1');
  return response;
};
/** The conversation cannot be read when the page opens. */
const unread = (reason: Reason, retryable: boolean): Situation => ({
  answer: (request) =>
    isRead(request) ? typed({ code: 'state_history_incomplete', reason, retryable }) : undefined,
  begin: (chat) => chat.pass(60_000),
  end: (chat) => chat.chat().resync(),
});
const never = () => new Promise<Response>(() => {});

const SITUATIONS: Readonly<Record<string, Situation>> = {
  offline: {
    arm: [{ on: 'send', times: 99, fault: { do: 'drop', taken: false } }],
    async begin(chat) {
      chat.world.setOnline(false);
      await chat.send('How does that differ by plan?');
      await chat.pass(5_000);
    },
    async end(chat) {
      chat.world.setOnline(true);
    },
  },
  'no answer in time': { answer: (request) => (isSend(request) ? never() : undefined) },
  'an empty reply': { arm: [{ on: 'send', times: 99, fault: { do: 'reply', empty: true } }] },
  'a cut reply': {
    arm: cut,
    chat: { resync: false },
  },
  'a reply that breaks off at the model': finishing('error'),
  'a filtered reply': finishing('content-filter'),
  'a reply filtered to nothing': finishing('content-filter', ''),
  'a reply of full length': finishing('length'),
  'a limit with a wait of 90 s': {
    ...http(429, { 'retry-after': '90' }),
    async end(chat) {
      await chat.pass(90_000);
      await chat.send('And compare it with spring.');
    },
  },
  'a limit without a wait': http(429),
  'a used-up allowance': refused({
    code: 'provider_rate_limited',
    reason: 'quota',
    retryable: false,
  }),
  'signed out': http(401),
  forbidden: http(403),
  'not found': http(404),
  'too large': http(413),
  'a file of the wrong kind': http(415),
  'a page instead of an answer': http(200, { 'content-type': 'text/html' }, '<h1>Sign in</h1>'),
  'a conversation that is too long': refused({
    code: 'provider_invalid_request',
    reason: 'too-long',
  }),
  'an earlier reply that does not end': refused({ code: 'state_already_running' }),
  'a store that cannot be read': unread('store_error', true),
  'a conversation that changes while it is read': unread('snapshot_unstable', true),
  'a conversation that is broken': unread('corrupt_row', false),
  'a conversation that is not whole': unread('short_read', false),
  'a stop that does not get through': {
    answer: (request) => (isStop(request) ? new Response('', { status: 500 }) : undefined),
    async begin(chat) {
      await chat.send('How does that differ by plan?');
      await chat.until('streaming');
      await chat.pass(200);
      void chat.chat().stop();
      await chat.pass(0);
    },
  },
};

/** The situation of a line: a name from the list, or a code and how it came. */
export function situationOf(what: string): Situation {
  const named = SITUATIONS[what];
  if (named) return named;
  const [code = '', how = ''] = what.split(' ');
  const error = code === 'unclassified' ? {} : { code };
  if (how === 'refused') return refused(error);
  if (how === 'reply') return failing(error);
  if (how === 'midway') return failing(error, 5);
  throw new Error(`No situation is named "${what}".`);
}
