import { describe, expect, test } from 'vitest';
import { backingOff, refuse, refuseTyped, script } from '../setup/faultRules.ts';
import { instead } from '../setup/networkLayers.ts';
import { CHAT, leftovers } from '../setup/playScenario.ts';
import {
  answer,
  asked,
  otherTab,
  playTools,
  seen,
  stored,
  submits,
  type ToolPlay,
} from '../setup/toolPlay.ts';

const SAID = 'You said: t1 yes.';
const said = (game: ToolPlay): string => game.mounted.screen().at(-1) ?? '';

/** A chat whose reply waits for an answer to `t1`. */
async function waiting(...with_: Parameters<typeof playTools>): Promise<ToolPlay> {
  const game = await playTools(...with_);
  await asked(game, 'ask t1');
  game.heard.order.length = 0;
  return game;
}

async function answered(game: ToolPlay): Promise<void> {
  await answer(game, 't1');
  await game.rest(120_000);
}

/** An act resolves when its turn is over, which only the clock brings about. */
const press = (act: Promise<void>): void => void act;

/** What was sent, shown and told when the reply came after all. */
async function expectReply(game: ToolPlay, posts: number): Promise<void> {
  expect(submits(game)).toHaveLength(posts);
  expect(game.mounted.chat.recovery.name).toBe('idle');
  expect(said(game)).toBe(`assistant: ${SAID}`);
  expect(game.mounted.screen()).toEqual(await game.truth());
  expect(seen(game)).toEqual(await stored(game));
  expect(seen(game)).toEqual(['t1 output-available yes']);
  expect(game.heard.order).toEqual(['onFinish']);
  expect(await leftovers(game)).toEqual([]);
}

describe('an answer to a tool call', () => {
  test('goes by itself, once and without a key, and its reply goes on in the same message', async () => {
    const game = await waiting();
    expect(game.mounted.chat.status).toBe('ready');
    await answered(game);
    expect(submits(game)).toEqual([
      { answers: ['t1 output-available yes'], key: undefined, status: 200 },
    ]);
    expect(game.mounted.chat.messages).toHaveLength(2);
    await expectReply(game, 1);
  });

  test('may be an error', async () => {
    const game = await waiting();
    await game.mounted.chat.addToolOutput({
      ...{ tool: 'ask-person', toolCallId: 't1' },
      ...{ state: 'output-error', errorText: 'no idea' },
    } as never);
    await game.rest();
    expect(said(game)).toBe('assistant: You said: t1 error no idea.');
    expect(await leftovers(game)).toEqual([]);
  });

  test('goes together with one that was given in the same tick', async () => {
    const game = await playTools();
    await asked(game, 'ask t1 t2');
    await Promise.all([answer(game, 't1'), answer(game, 't2', 'no')]);
    await game.rest();
    expect(submits(game)).toHaveLength(1);
    expect(said(game)).toBe('assistant: You said: t1 yes, t2 no.');
    expect(await leftovers(game)).toEqual([]);
  });

  test('waits for the others, and for the end of the reply that calls', async () => {
    const game = await playTools();
    await game.send('ask t1 t2 and talk');
    await game.world.runUntil(() => seen(game).length === 2);
    await answer(game, 't1');
    await answer(game, 't2');
    expect(submits(game)).toHaveLength(0);
    expect(game.mounted.chat.status).toBe('streaming');
    await game.rest();
    expect(submits(game)).toHaveLength(1);
    expect(said(game)).toMatch(/go on here\.You said: t1 yes, t2 yes\.$/);
    const statuses = game.mounted.frames.map(({ status }) => status);
    const from = statuses.indexOf('streaming');
    expect(statuses.slice(from, statuses.lastIndexOf('streaming'))).not.toContain('ready');
    expect(await leftovers(game)).toEqual([]);
  });

  test('to a second step goes like the first', async () => {
    const game = await playTools();
    await asked(game, 'ask t1 then t2');
    await answered(game);
    expect(seen(game)).toEqual(['t1 output-available yes', 't2 input-available']);
    await answer(game, 't2', 'no');
    await game.rest();
    expect(submits(game)).toHaveLength(2);
    expect(said(game)).toBe('assistant: You said: t1 yes, t2 no.');
    expect(game.ran).toEqual(['t1', 't2']);
    expect(await leftovers(game)).toEqual([]);
  });

  test('that is given twice goes once', async () => {
    const game = await waiting();
    await Promise.all([answer(game, 't1'), answer(game, 't1')]);
    await game.rest();
    await answer(game, 't1');
    await game.world.advance(5000);
    expect(submits(game)).toHaveLength(1);
    expect(await leftovers(game)).toEqual([]);
  });

  test('carries the options of its own send, else those of the send that called', async () => {
    const headers: (string | null)[] = [];
    const game = await playTools({}, (through) => async (input, init) => {
      if (init?.method === 'POST') headers.push(new Headers(init.headers).get('x-mine'));
      return through(input, init);
    });
    const options = { headers: { 'x-mine': 'first', 'X-Helix-Request-Key': 'mine-1' } };
    void game.mounted.chat.sendMessage({ text: 'ask t1 and talk' }, options);
    await game.world.runUntil(() => seen(game).length === 1);
    await answer(game, 't1');
    await game.rest();
    expect(headers).toEqual(['first', 'first']);
    expect(submits(game)[0]?.key).toBeUndefined();
    void game.mounted.chat.sendMessage({ text: 'ask t2' }, { headers: { 'x-mine': 'first' } });
    await game.rest();
    await game.mounted.chat.addToolOutput({
      ...{ tool: 'ask-person', toolCallId: 't2', output: 'yes' },
      options: { headers: { 'x-mine': 'second' } },
    } as never);
    await game.rest();
    expect(headers.at(-1)).toBe('second');
    expect(submits(game)).toHaveLength(2);
    expect(await leftovers(game)).toEqual([]);
  });
});

const typedBody = { code: 'state_not_resumable', retryable: false } as const;

describe('answers that get no clear word', () => {
  const lost = { do: 'drop', taken: false } as const;

  test.each([
    ['no response', { on: 'send', fault: lost }],
    ['502', refuse(502)],
    ['503', refuse(503)],
    ['504', refuse(504)],
  ] as const)('%s: the conversation is read, and they go once more', async (_name, rule) => {
    const game = await waiting();
    script(game, rule);
    await answered(game);
    const log = game.server.requests.map(({ route }) => route);
    expect(log.slice(log.lastIndexOf('send') - 1)).toEqual(['snapshot', 'send']);
    await expectReply(game, 2);
  });

  test('no response twice: the person decides, and the same answers go', async () => {
    const game = await waiting();
    script(game, { on: 'send', times: 2, fault: lost });
    await answered(game);
    const { failure } = game.mounted.chat;
    expect(failure).toMatchObject({ phase: 'submit', committed: 'unknown' });
    expect(failure?.actions[0]).toBe('answer-again');
    expect(game.mounted.chat.status).toBe('error');
    expect(seen(game)).toEqual(['t1 output-available yes']);
    expect(game.heard.order).toEqual(['onError', 'onFinish', 'onFailure']);
    game.heard.order.length = 0;
    press(game.mounted.chat.retry());
    await game.rest();
    await expectReply(game, 3);
  });

  test('taken, and only the response was lost: the live reply is joined', async () => {
    const game = await waiting();
    script(game, { on: 'send', fault: { do: 'drop', taken: true } });
    await answered(game);
    await expectReply(game, 1);
  });

  test('taken, and over when the conversation is read: it is there, and nothing is said', async () => {
    const game = await waiting({}, (through, world) => async (input, init) => {
      if (String(input).endsWith('/snapshot') && init?.method !== 'POST') {
        await new Promise<void>((resolve) => world.after(4000, resolve));
      }
      return through(input, init);
    });
    script(game, { on: 'send', fault: { do: 'drop', taken: true } });
    await answered(game);
    expect(game.requests('stream')).toBe(0);
    await expectReply(game, 1);
  });

  test('no response and nothing to read: the person decides', async () => {
    const game = await waiting({ resync: false });
    script(game, { on: 'send', fault: lost });
    await answered(game);
    expect(game.mounted.chat.failure).toMatchObject({ phase: 'submit', committed: 'unknown' });
    game.heard.order.length = 0;
    press(game.mounted.chat.act('answer-again'));
    await game.rest();
    await expectReply(game, 2);
  });

  test('a conversation that cannot be read: the person decides', async () => {
    let dark = false;
    const game = await waiting(
      {},
      instead('snapshot', () => (dark ? new Response('no', { status: 503 }) : undefined)),
    );
    script(game, { on: 'send', fault: lost });
    dark = true;
    await answered(game);
    expect(game.mounted.chat.failure).toMatchObject({ phase: 'submit', committed: 'unknown' });
    expect(seen(game)).toEqual(['t1 output-available yes']);
    // A press reads first: what cannot be read is not sent blindly.
    press(game.mounted.chat.retry());
    await game.rest(120_000);
    expect(submits(game)).toHaveLength(1);
    dark = false;
    game.heard.order.length = 0;
    press(game.mounted.chat.retry());
    await game.rest();
    await expectReply(game, 2);
  });

  test('a stated wait is kept', async () => {
    const game = await waiting();
    script(game, refuse(503, 1, { 'retry-after': '7' }));
    const before = game.world.monotonic();
    await answer(game, 't1');
    await backingOff(game);
    expect(game.mounted.chat.recovery).toMatchObject({ cause: 'stated-wait', phase: 'submit' });
    await game.mounted.chat.act('try-now');
    await game.world.runUntil(() => submits(game).length === 2);
    expect(game.world.monotonic() - before).toBeGreaterThanOrEqual(7000);
    await game.rest();
    await expectReply(game, 2);
  });

  test('a stated wait that is too long is shown instead', async () => {
    const game = await waiting();
    script(game, refuse(503, 1, { 'retry-after': '90' }));
    await answered(game);
    expect(game.mounted.chat.failure?.retryAt).toBeGreaterThan(game.world.now());
    expect(submits(game)).toHaveLength(1);
    expect(await leftovers(game)).toEqual([]);
  });

  test('an app that forbids it keeps them from going once more', async () => {
    const asks: string[] = [];
    const game = await waiting({
      recovery: {
        allow(move) {
          asks.push(move);
          return move !== 'submit';
        },
      },
    });
    script(game, { on: 'send', fault: lost });
    await answered(game);
    expect(asks).toContain('submit');
    expect(submits(game)).toHaveLength(1);
    expect(game.mounted.chat.failure?.phase).toBe('submit');
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('answers that are refused', () => {
  test('another run is on: they go once more', async () => {
    const game = await waiting();
    script(game, refuseTyped({ code: 'state_already_running', retryable: true }));
    await answered(game);
    await expectReply(game, 2);
  });

  test('another run is on, whatever they do: once more and no further', async () => {
    const game = await waiting();
    script(game, refuseTyped({ code: 'state_already_running', retryable: true }, 9));
    await answered(game);
    expect(submits(game)).toHaveLength(2);
    expect(game.mounted.chat.failure).toMatchObject({ phase: 'submit', committed: 'no' });
    expect(game.mounted.chat.failure?.actions[0]).toBe('answer-again');
    expect(await leftovers(game)).toEqual([]);
  });

  test('another run is read to its end first, and they go when it is over', async () => {
    // The first look says that a run is on, and its stream says that it has just ended.
    let looks = 0;
    const game = await waiting({}, (through) => async (input, init) => {
      const answer_ = await through(input, init);
      if (!String(input).endsWith('/snapshot') || submits(game).length === 0) return answer_;
      looks += 1;
      if (looks > 1) return answer_;
      const body = (await answer_.json()) as object;
      return Response.json({ ...body, status: 'active', runId: 'other' });
    });
    script(game, refuseTyped({ code: 'state_already_running', retryable: true }));
    await answer(game, 't1');
    await game.rest();
    expect(looks).toBeGreaterThan(1);
    await expectReply(game, 2);
  });

  test('under an id that the server does not know: once more, under the one it has', async () => {
    const ids: string[] = [];
    const renames = (text: string): string => text.replace(/"msg_/g, '"row_');
    const game = await waiting({}, (through) => async (input, init) => {
      if (String(input).endsWith('/snapshot')) {
        const answer_ = await through(input, init);
        return new Response(renames(await answer_.text()), answer_);
      }
      if (init?.method !== 'POST') return through(input, init);
      const { messages } = JSON.parse(String(init.body)) as { messages: { id: string }[] };
      const id = messages.at(-1)?.id ?? '';
      if (id.startsWith('msg_')) {
        ids.push('msg_');
        const unknown = { error: 'x', ...typedBody, cause: 'resume_message_unknown' };
        return Response.json(unknown, { status: 409 });
      }
      if (id.startsWith('row_')) ids.push('row_');
      return through(input, { ...init, body: String(init.body).replace(/"row_/g, '"msg_') });
    });
    await answered(game);
    expect(ids).toEqual(['msg_', 'row_']);
    expect(submits(game)).toHaveLength(1);
    expect(said(game)).toContain(SAID);
    expect(game.mounted.chat.recovery.name).toBe('idle');
    expect(await leftovers(game)).toEqual([]);
  });

  const refusedAs = (body: object) =>
    refuse(409, 1, { 'content-type': 'application/json' }, JSON.stringify(body));

  test.each([
    ['for good', { error: 'x', ...typedBody }],
    ['with the flag true', { error: 'x', ...typedBody, retryable: true, toolCallIds: ['t1'] }],
    [
      'as not stored',
      { error: 'x', ...typedBody, cause: 'answer_not_stored', toolCallIds: ['t1'] },
    ],
  ] as const)('%s: never again by themselves; a press sends the same', async (_name, body) => {
    const game = await waiting();
    script(game, refusedAs(body));
    await answered(game);
    await game.world.advance(60_000);
    expect(submits(game)).toHaveLength(1);
    const { failure } = game.mounted.chat;
    expect(failure).toMatchObject({ phase: 'submit' });
    expect(failure?.error.code).toBe('state_not_resumable');
    expect(failure?.primary).toBe('answer-again');
    expect(seen(game)).toEqual(['t1 output-available yes']);
    expect(await stored(game)).toEqual(['t1 input-available']);
    game.heard.order.length = 0;
    press(game.mounted.chat.act('answer-again'));
    await game.rest();
    await expectReply(game, 2);
  });

  test('as not stored: giving the named answer anew sends it, and the failure goes', async () => {
    const game = await waiting();
    script(game, refuseTyped({ ...typedBody, reason: 'answer_not_stored', toolCallIds: ['t1'] }));
    await answered(game);
    expect(game.mounted.chat.failure?.error.toolCallIds).toEqual(['t1']);
    game.heard.order.length = 0;
    await answered(game);
    await expectReply(game, 2);
  });

  test('after the conversation has gone on: a notice with nothing to repeat', async () => {
    const game = await waiting();
    const turn = await game.server.foreignSend(CHAT, 'Never mind', { totalMs: 100 });
    await game.world.advance(200);
    await turn.ended();
    await answered(game);
    const { failure } = game.mounted.chat;
    expect(failure).toMatchObject({ phase: 'submit', severity: 'notice' });
    expect(failure?.error.code).toBe('state_run_superseded');
    expect(failure?.actions).toEqual(['dismiss']);
    expect(game.mounted.chat.status).toBe('ready');
    expect(submits(game)).toHaveLength(1);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(seen(game)).toEqual(await stored(game));
    expect(await leftovers(game)).toEqual([]);
  });

  test.each([
    ['400', refuse(400), 'no'],
    ['413', refuse(413), 'no'],
    ['422', refuseTyped({ code: 'validation_error', statusCode: 422 }), 'no'],
    ['429', refuse(429), 'no'],
    ['an untyped 409', refuse(409), 'unknown'],
    ['500', refuse(500), 'unknown'],
    ['a typed 500', refuseTyped({ code: 'framework_internal_error' }), 'unknown'],
  ] as const)(
    'by %s: failed, and they stay where they were given',
    async (_name, rule, committed) => {
      const game = await waiting();
      script(game, rule);
      await answered(game);
      await game.world.advance(60_000);
      expect(submits(game)).toHaveLength(1);
      expect(game.mounted.chat.failure).toMatchObject({ phase: 'submit', committed });
      expect(game.mounted.chat.failure?.actions.length).toBeGreaterThan(0);
      expect(seen(game)).toEqual(['t1 output-available yes']);
      expect(game.heard.order).toEqual(['onError', 'onFinish', 'onFailure']);
      // Whatever the row offers, the app can always send them.
      game.heard.order.length = 0;
      press(game.mounted.chat.act('answer-again'));
      await game.rest();
      await expectReply(game, 2);
    },
  );

  test('by 401: the sign-in is renewed once, and they go', async () => {
    let renewed = 0;
    const game = await waiting({
      onUnauthorized: () => {
        renewed += 1;
      },
    });
    script(game, refuse(401));
    await answered(game);
    expect(renewed).toBe(1);
    await expectReply(game, 2);
  });

  test('and taken meanwhile: reading the conversation ends the failure', async () => {
    const game = await waiting();
    script(game, refuse(500));
    await answered(game);
    const { mounted } = await otherTab(game);
    await game.world.advance(10);
    await mounted.chat.addToolOutput({
      ...{ tool: 'ask-person', toolCallId: 't1', output: 'yes' },
    } as never);
    await game.world.advance(5000);
    game.heard.order.length = 0;
    press(game.mounted.chat.act('reload'));
    await game.rest();
    expect(game.mounted.chat.failure).toBeUndefined();
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(game.heard.order).toEqual([]);
    await mounted.unmount();
    expect(await leftovers(game)).toEqual([]);
  });

  test('and the app reads the conversation: the same failure stands, told once', async () => {
    const game = await waiting();
    script(game, refuse(500));
    await answered(game);
    const { failure } = game.mounted.chat;
    await game.mounted.chat.resync();
    await game.rest();
    expect(game.mounted.chat.failure).toBe(failure);
    expect(game.heard.failures).toHaveLength(1);
    expect(submits(game)).toHaveLength(1);
    expect(await leftovers(game)).toEqual([]);
  });
});

/** The other tab has loaded the chat at the same call. */
async function twoTabs(question: string) {
  const game = await playTools();
  await asked(game, question);
  const other = await otherTab(game);
  game.heard.order.length = 0;
  return { game, other };
}

describe('answers that another tab gave first', () => {
  test('the same: its reply is shown, and nothing is said', async () => {
    const { game, other } = await twoTabs('ask t1');
    await answer(other, 't1');
    await game.world.advance(10);
    await answered(game);
    expect(game.mounted.chat.failure).toBeUndefined();
    expect(said(game)).toBe(`assistant: ${SAID}`);
    await other.mounted.unmount();
    expect(await leftovers(game)).toEqual([]);
  });

  test('another: the screen shows it, the person is told, and pressing on settles', async () => {
    const { game, other } = await twoTabs('ask t1');
    await answer(other, 't1', 'no');
    await game.world.advance(5000);
    await answered(game);
    expect(submits(game)).toHaveLength(2);
    expect(game.mounted.chat.failure).toMatchObject({ phase: 'submit' });
    expect(seen(game)).toEqual(['t1 output-available no']);
    expect(game.mounted.screen()).toEqual(await game.truth());
    press(game.mounted.chat.retry());
    await game.rest();
    expect(game.mounted.chat.failure).toBeUndefined();
    expect(submits(game)).toHaveLength(2);
    await other.mounted.unmount();
    expect(await leftovers(game)).toEqual([]);
  });

  test('another, and its reply is still being written: it is watched, then the person is told', async () => {
    const { game, other } = await twoTabs('ask t1');
    await answer(other, 't1', 'no');
    await answered(game);
    expect(game.mounted.chat.failure).toMatchObject({ phase: 'submit' });
    expect(said(game)).toBe('assistant: You said: t1 no.');
    await other.mounted.unmount();
    expect(await leftovers(game)).toEqual([]);
  });

  test('one of two: the other counts, the reply comes, and then the person is told of the one', async () => {
    const { game, other } = await twoTabs('ask t1 t2');
    const parts: unknown[] = [];
    await game.mounted.rerender({
      ...{ id: CHAT, onData: (part: unknown) => void parts.push(part) },
      ...{ onFailure: () => void game.heard.order.push('onFailure') },
      onFinish: ({ isError }: { isError: boolean }) =>
        void game.heard.order.push(isError ? 'failed' : 'finished'),
    } as never);
    await answer(other, 't1', 'no');
    press(other.mounted.chat.sendMessage());
    await game.world.advance(1000);
    expect(await stored(game)).toEqual(['t1 output-available no', 't2 input-available']);
    await answer(game, 't1');
    await answer(game, 't2');
    press(game.mounted.chat.sendMessage());
    await game.rest();
    expect(said(game)).toBe('assistant: You said: t1 no, t2 yes.');
    const { failure } = game.mounted.chat;
    expect(failure).toMatchObject({ phase: 'submit', committed: 'yes' });
    expect(failure?.error).toMatchObject({ reason: 'answer-rejected', toolCallIds: ['t1'] });
    expect(seen(game)).toEqual(['t1 output-available no', 't2 output-available yes']);
    expect(parts).toMatchObject([{ type: 'data-resume-rejected' }]);
    expect(game.heard.order).toEqual(['failed', 'onFailure']);
    press(game.mounted.chat.retry());
    await game.rest();
    expect(game.mounted.chat.failure).toBeUndefined();
    await other.mounted.unmount();
    expect(await leftovers(game)).toEqual([]);
  });
});
