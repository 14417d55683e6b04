import { describe, expect, test } from 'vitest';
import { HelixError, type HelixErrorInit } from '../../src/errors/HelixError.ts';
import { helixErrorFromResponse } from '../../src/errors/helixErrorFromResponse.ts';
import { parseHelixChatError } from '../../src/errors/parseHelixChatError.ts';
import { RunStartRejectedError } from '../../src/errors/runtimeErrors.ts';
import { type ErrorCode, sentenceOf } from '../../src/protocol/codes.ts';
import { chatErrorResponse } from '../../src/server/chatErrorResponse.ts';
import { entryFailureResponse } from '../../src/server/entryFailureResponse.ts';
import type { ChatStore } from '../../src/server/store/chatStore.ts';
import { createMemoryStore } from '../../src/server/store/memoryStore.ts';
import { type Bench, createBench, user } from './chatClient.ts';
import { follow, STEP, STEP_END } from './scriptedReply.ts';

// The table of typed answers of a chat route, row by row, in the order of the error handling document.

interface Row {
  readonly when: string;
  readonly answer: () => Response;
  readonly status: number;
  readonly code: ErrorCode;
  /** What the body holds beside its sentence and its code: nothing else may be in it. */
  readonly more?: object;
}

const typed = (init: HelixErrorInit, committed?: boolean) => () =>
  chatErrorResponse(new HelixError(init), { sessionId: 's1', committed });

const caused = (init: HelixErrorInit & { code: ErrorCode }, status: number): Row => ({
  when: `${init.code} with the cause ${init.reason}`,
  answer: typed(init),
  status,
  code: init.code,
  more: { cause: init.reason },
});

/** What an entry or a read can fail with, and its status before and after the input was committed. */
const FAILURES: readonly (readonly [HelixErrorInit & { code: ErrorCode }, number, number])[] = [
  [{ code: 'validation_error' }, 400, 500],
  [{ code: 'framework_completion_strategy_unavailable' }, 400, 500],
  [{ code: 'framework_completion_schema_unsupported' }, 400, 500],
  [{ code: 'state_session_not_found' }, 404, 409],
  [{ code: 'state_checkpoint_not_found' }, 404, 409],
  [{ code: 'state_checkpoint_foreign' }, 404, 409],
  [{ code: 'framework_agent_not_found' }, 404, 500],
  [{ code: 'state_history_incomplete', retryable: true }, 503, 409],
  [{ code: 'state_checkpoint_sequence_unavailable' }, 503, 409],
  [{ code: 'framework_usage_store_unavailable' }, 503, 500],
  [{ code: 'framework_hook_failed' }, 503, 500],
  [{ code: 'framework_agent_resolution_failed' }, 503, 500],
  [{ code: 'state_history_incomplete', retryable: false }, 409, 409],
  [{ code: 'state_agent_type_mismatch' }, 409, 409],
  [{ code: 'framework_agent_resolution_failed', retryable: false }, 500, 500],
  [{ code: 'framework_prompt_prefix_changed' }, 500, 500],
  [{ code: 'framework_not_supported' }, 500, 500],
];

const ROWS: readonly Row[] = [
  {
    when: 'a send while another run owns the session',
    answer: typed({ code: 'state_already_running' }),
    status: 409,
    code: 'state_already_running',
    more: { retryable: true },
  },
  ...(
    [
      'idempotency_mismatch',
      'entry_status_changed',
      'entry_abandoned',
      'resumed_companion_ref_missing',
      'request_key_taken',
    ] as const
  ).map(
    (reason): Row => ({
      when: `a run-start commit that was refused: ${reason}`,
      answer: () =>
        entryFailureResponse(new RunStartRejectedError('m', reason), { committed: false }),
      status: 409,
      code: 'state_run_start_conflict',
      more: { cause: reason },
    }),
  ),
  {
    when: 'a malformed request key',
    answer: typed({ code: 'validation_error' }),
    status: 400,
    code: 'validation_error',
  },
  {
    when: 'a request key that was used for other input',
    answer: typed({ code: 'state_request_key_conflict', runId: 'r1' }),
    status: 409,
    code: 'state_request_key_conflict',
    more: { runId: 'r1' },
  },
  {
    when: 'a request key whose run has ended, while a later one exists',
    answer: typed({ code: 'state_request_already_completed', runId: 'r1' }),
    status: 409,
    code: 'state_request_already_completed',
    more: { runId: 'r1' },
  },
  {
    when: 'an answer to a run that another entry superseded',
    answer: () => chatErrorResponse(new HelixError({ code: 'state_run_superseded' })),
    status: 409,
    code: 'state_run_superseded',
  },
  ...FAILURES.flatMap(([init, early, late]): readonly Row[] =>
    ([false, true] as const).map((committed) => ({
      when: `${init.code}, flag ${new HelixError(init).retryable}, ${committed ? 'after' : 'before'} the commit`,
      answer: typed(init, committed),
      status: committed ? late : early,
      code: init.code,
    })),
  ),
  caused({ code: 'state_not_resumable', reason: 'resume_message_unknown' }, 409),
  {
    when: 'an answer that was not stored, while a sibling was',
    answer: typed({
      code: 'state_not_resumable',
      reason: 'answer_not_stored',
      toolCallIds: ['t1', 't2'],
    }),
    status: 409,
    code: 'state_not_resumable',
    more: { cause: 'answer_not_stored', toolCallIds: ['t1', 't2'] },
  },
  caused({ code: 'transport_stream_drop', reason: 'run_not_live' }, 503),
  {
    when: 'a snapshot of a missing session',
    answer: typed({ code: 'state_session_not_found' }),
    status: 404,
    code: 'state_session_not_found',
  },
  caused({ code: 'state_history_incomplete', retryable: true, reason: 'snapshot_unstable' }, 503),
  caused({ code: 'state_history_incomplete', retryable: true, reason: 'store_error' }, 503),
  caused({ code: 'state_history_incomplete', retryable: false, reason: 'corrupt_row' }, 409),
  caused({ code: 'state_history_incomplete', retryable: false, reason: 'short_read' }, 409),
  {
    when: 'a snapshot that failed nobody knows why',
    answer: () => chatErrorResponse(new Error('hunter2'), { sessionId: 's1' }),
    status: 500,
    code: 'framework_internal_error',
  },
];

describe('the answer to', () => {
  test.each(ROWS.map((row) => [row.when, row] as const))('%s', async (_, row) => {
    const { status, code, more = {} } = row;
    const response = row.answer();
    const body = (await response.clone().json()) as Record<string, unknown>;
    expect([response.status, body]).toEqual([status, { error: sentenceOf(code), code, ...more }]);
    // Where the body carries no flag, the status is the only signal.
    const retryable = status === 503 || code === 'state_already_running';
    expect(parseHelixChatError({ status, body })).toMatchObject({ code, retryable, ...more });
    const { cause, ...fields } = more as { cause?: string };
    expect(await helixErrorFromResponse(response)).toMatchObject({
      code,
      retryable,
      statusCode: status,
      ...fields,
      ...(cause !== undefined && { reason: cause }),
    });
    // What the stock transport of `ai` 6 makes of it.
    const stock = parseHelixChatError(new Error(JSON.stringify(body)));
    expect(stock).toMatchObject({ code, ...more });
  });
});

// --- the same of our own route, over its requests ---------------------------------------------------------------------

const HELLO = [STEP, 'Hello', 100, ' there', STEP_END];

function bench(store?: ChatStore): Bench {
  const made: Bench = createBench({
    ...(store && { store }),
    reply: (context) => follow(made.world, HELLO, context),
  });
  return made;
}

const failing = (method: keyof ChatStore, error: unknown): ChatStore => ({
  ...createMemoryStore(),
  [method]: async () => {
    throw error;
  },
});

const read = async (response: Response) => [response.status, await response.json()];

describe('our route', () => {
  test.each(FAILURES)('reads from a store that fails with %o', async (init, early) => {
    const { send, get } = bench(failing('read', new HelixError(init)));
    for (const response of [await send(user('u1', 'Hi')), await get('c1/snapshot')]) {
      expect(await read(response)).toEqual([
        early,
        { error: sentenceOf(init.code), code: init.code },
      ]);
    }
  });

  test.each(FAILURES)('starts on a store that refuses with %o', async (init, early) => {
    const { send } = bench(failing('startRun', new HelixError(init)));
    expect(await read(await send(user('u1', 'Hi')))).toEqual([
      early,
      { error: sentenceOf(init.code), code: init.code },
    ]);
  });

  test('takes a key by the parameter, too', async () => {
    const { route, world, snapshot } = bench();
    const send = () => {
      const messages = [user('u1', 'Hi')];
      const body = JSON.stringify({ id: 'c1', messages, trigger: 'submit-message' });
      const url = 'http://helix.test/api/chat?requestKey=k1';
      return route(new Request(url, { method: 'POST', body }));
    };
    const [first, second] = [await send(), await send()];
    await world.advance(300);
    expect(second.headers.get('X-Helix-Run-Id')).toBe(first.headers.get('X-Helix-Run-Id'));
    expect(second.headers.get('X-Helix-Request-Key')).toBe('k1');
    expect((await snapshot()).messages).toHaveLength(2);
  });

  test.each([
    ['a header', { headers: { 'X-Helix-Request-Key': 'a key' } }],
    ['a parameter', { query: '?requestKey=a%20key' }],
  ])(
    'refuses a malformed key in %s before anything is read, and does not echo it',
    async (_, at) => {
      const { route } = bench(failing('read', new Error('was read')));
      const { headers = {}, query = '' } = at as {
        headers?: Record<string, string>;
        query?: string;
      };
      const body = JSON.stringify({
        id: 'c1',
        messages: [user('u1', 'Hi')],
        trigger: 'submit-message',
      });
      const url = `http://helix.test/api/chat${query}`;
      const response = await route(new Request(url, { method: 'POST', headers, body }));
      expect([...response.headers].join()).not.toContain('a key');
      expect(await read(response)).toEqual([
        400,
        { error: sentenceOf('validation_error'), code: 'validation_error' },
      ]);
    },
  );
});
