import { describe, expect, test } from 'vitest';
import { linger, type OurSide, playOurs, playStock, wordsOf } from './playStock.ts';
import { cross, pass, reach } from './reach.ts';
import { FIVE_WORDS, REPLY } from './stockModel.ts';
import type { Elsewhere, StockFault } from './stockServer.ts';

declare const __AI_MAJOR__: number;

const TEXT = 'What is a helix?';

interface Row {
  readonly name: string;
  readonly faults: readonly StockFault[];
  /** Requests beside those that stock `useChat` makes: only what "Plain backends" names. */
  readonly repeats: number;
  readonly ends: 'idle' | 'failed';
  /** Of the failure; `undefined` where nothing names the cause. */
  readonly code?: string;
  readonly reason?: string;
  readonly text: 'on-screen' | 'draft';
  /** What is on screen of the reply. */
  readonly reply: string | undefined;
  readonly on?: 6 | 7;
}

const html = { 'content-type': 'text/html; charset=utf-8' };
const page = (title: string) => `<!doctype html><title>${title}</title><h1>${title}</h1>`;
const frame = (chunk: object) => `data: ${JSON.stringify(chunk)}\n\n`;
const answer = (
  status: number,
  body = 'Nginx says no.',
  headers: Record<string, string> = { 'content-type': 'text/plain' },
): StockFault => ({ do: 'answer', status, headers, body });

const recovered = { ends: 'idle', text: 'on-screen', reply: REPLY } as const;
const drafted = { repeats: 0, ends: 'failed', text: 'draft', reply: undefined } as const;
const kept = { repeats: 0, ends: 'failed', text: 'on-screen' } as const;

const rows: readonly Row[] = [
  { name: 'nothing', faults: [], repeats: 0, ...recovered },
  {
    name: 'an untyped 429 with a wait',
    faults: [answer(429, 'Slow down', { 'retry-after': '2' })],
    repeats: 1,
    ...recovered,
  },
  { name: '503 once', faults: [answer(503)], repeats: 1, ...recovered },
  { name: '503 twice', faults: [answer(503), answer(503)], repeats: 2, ...recovered },
  { name: '408', faults: [answer(408)], repeats: 1, ...recovered },
  { name: '425', faults: [answer(425)], repeats: 1, ...recovered },
  {
    name: '503 for as long as it is tried',
    faults: Array.from({ length: 4 }, () => answer(503)),
    ...drafted,
    repeats: 3,
    code: 'transport_error',
  },
  {
    name: 'an error chunk without a code',
    faults: [{ do: 'model', plans: [{ failsAfter: 5 }] }],
    ...kept,
    reply: FIVE_WORDS,
  },
  {
    name: 'a cut after five words',
    faults: [{ do: 'cut' }],
    ...kept,
    code: 'transport_stream_drop',
    reason: 'cut',
    reply: FIVE_WORDS,
  },
  {
    name: 'a broken frame after five words',
    faults: [{ do: 'insert', bytes: ['data: {"type":"text-del\n\n'] }],
    ...kept,
    code: 'transport_stream_drop',
    reason: 'cut',
    reply: FIVE_WORDS,
  },
  {
    name: 'seventy seconds of silence',
    faults: [{ do: 'model', plans: [{ pauseMs: 70_000 }] }],
    repeats: 0,
    ...recovered,
  },
  {
    name: 'a lost response',
    faults: [{ do: 'lose' }],
    ...drafted,
    code: 'transport_error',
    reason: 'network',
  },
  {
    name: 'an HTML 502',
    faults: [answer(502, page('502 Bad Gateway'), html)],
    ...drafted,
    code: 'transport_error',
  },
  {
    name: '504',
    faults: [answer(504)],
    ...drafted,
    code: 'transport_error',
  },
  { name: 'an untyped 500', faults: [answer(500)], ...drafted },
  { name: 'an untyped 400', faults: [answer(400)], ...drafted },
  {
    name: 'an untyped 409',
    faults: [answer(409, '{"error":"busy"}', { 'content-type': 'application/json' })],
    ...drafted,
  },
  {
    name: 'a login page',
    faults: [answer(200, page('Sign in'), html)],
    ...drafted,
    code: 'transport_error',
    reason: 'unexpected-response',
  },
  { name: '401', faults: [answer(401)], ...drafted, reason: 'signed-out' },
  {
    name: 'an empty reply',
    faults: [{ do: 'model', plans: [{ silent: true }] }],
    ...kept,
    code: 'framework_internal_error',
    reason: 'empty-reply',
    reply: undefined,
  },
  {
    name: 'a superseded attempt told by a part',
    faults: [
      {
        do: 'insert',
        bytes: [
          { type: 'data-attempt-superseded', data: {}, transient: true },
          { type: 'text-start', id: 't' },
          { type: 'text-delta', id: 't', delta: `${FIVE_WORDS}` },
        ].map(frame),
      },
    ],
    repeats: 0,
    ...recovered,
  },
  {
    name: 'a reset step of a newer server',
    faults: [
      {
        do: 'insert',
        bytes: [
          { type: 'reset-step' },
          { type: 'text-start', id: 't' },
          { type: 'text-delta', id: 't', delta: `${FIVE_WORDS}` },
        ].map(frame),
      },
    ],
    repeats: 0,
    ...recovered,
  },
  {
    name: 'a stream retry of the SDK',
    faults: [{ do: 'model', plans: [{ failsAfter: 3 }, {}], streamRetries: 1 }],
    repeats: 0,
    ...recovered,
    // `streamText` writes no boundary for it: to any client the retry goes on where the attempt stopped.
    reply: `A helix is${REPLY}`,
    on: 7,
  },
];

const table = rows.filter(({ on }) => on === undefined || on === __AI_MAJOR__);

/** The sentences in which a chat, a conversation or what is in it would be gone. */
const LOST =
  /(chat|conversation|history|session)[^.]*(lost|missing|gone|not found|deleted|no longer|does not exist|could not be (found|read|loaded|brought))/i;

function expectHonestWords({ failures }: OurSide): void {
  for (const words of wordsOf(failures)) {
    expect(words).not.toMatch(LOST);
    expect(words).not.toMatch(/exploded|srv|nginx|gateway|sign in<|row_/i);
  }
}

function expectOneLook({ server }: OurSide): void {
  for (const route of ['stream', 'snapshot', 'stop'] as const) {
    expect(server.looks(route), route).toBeLessThanOrEqual(1);
  }
}

describe('a stock chat route without routes and keys', () => {
  test.each(table)('$name', async (row) => {
    const stock = await playStock();
    stock.server.arm(...row.faults);
    await stock.turn(TEXT);
    const ours = await playOurs();
    ours.server.arm(...row.faults);
    await ours.turn(TEXT);

    expect(ours.server.posts()).toBe(stock.server.posts() + row.repeats);
    expect(await linger(ours)).toBe(0);
    const { chat } = ours.mounted;
    expect(chat.recovery.name).toBe(row.ends);
    expect(chat.failure?.error.code).toBe(row.code);
    expect(chat.failure?.error.reason).toBe(row.reason);
    expect(chat.error).toBe(chat.failure?.error);
    expect(ours.screen()).toEqual([
      ...(row.text === 'on-screen' ? [`user: ${TEXT}`] : []),
      ...(row.reply === undefined ? [] : [`assistant: ${row.reply}`]),
    ]);
    expect(ours.mounted.pending()).toEqual(row.text === 'draft' ? [`failed: ${TEXT}`] : []);
    expect(chat.messages.map(({ role }) => role)[0]).toBe('user');
    expectHonestWords(ours);
    expectOneLook(ours);
    for (const note of ours.notes) expect(note).toMatch(/^\[helix-chat\] .+\. .+\. .+\.$/);
  });
});

const json = { 'content-type': 'application/json' };

/** What stock servers and the proxies before them answer to an address that is no route. */
const elsewhere: readonly (Elsewhere & { readonly name: string })[] = [
  { name: 'an HTML 404', status: 404, headers: html, body: page('Not found') },
  { name: 'a JSON 404', status: 404, headers: json, body: '{"error":"not found","code":404}' },
  { name: 'a 404 with a word of its own', status: 404, headers: json, body: '{"code":"NotFound"}' },
  { name: '405', status: 405, headers: { allow: 'POST' } },
  { name: '501', status: 501 },
  { name: 'the page of the app', status: 200, headers: html, body: page('My app') },
  { name: 'JSON of something else', status: 200, headers: json, body: '{"ok":true}' },
  { name: 'a list', status: 200, headers: json, body: '[]' },
  { name: 'an empty 200', status: 200 },
  { name: '400', status: 400, headers: json, body: '{"error":"bad request"}' },
  { name: '500', status: 500, body: 'Unexpected end of JSON input' },
  { name: '502', status: 502, headers: html, body: page('Bad gateway') },
];

describe('whatever a stock server answers where our routes would be', () => {
  test.each(elsewhere)(
    '$name: each is looked for once, and is never a failure',
    async (answers) => {
      const ours = await playOurs(undefined, { elsewhere: answers });
      const fails = [
        'transport_stream_drop',
        undefined,
        'transport_error',
        'transport_stream_drop',
      ];
      ours.server.arm(
        { do: 'cut' },
        { do: 'model', plans: [{ failsAfter: 5 }] },
        { do: 'lose' },
        { do: 'cut' },
      );
      for (const [index, code] of fails.entries()) {
        await ours.turn(`${TEXT} ${index}`);
        expect(ours.mounted.chat.recovery.name).toBe('failed');
        expect(ours.mounted.chat.failure?.error.code, String(index)).toBe(code);
        expect(ours.mounted.chat.failure?.phase).toBe(index === 2 ? 'send' : 'stream');
      }
      await stopInTheMiddle(ours);
      await stopInTheMiddle(ours);
      expect(ours.mounted.chat.status).toBe('ready');
      expect(ours.server.posts()).toBe(6);
      expectHonestWords(ours);
      expectOneLook(ours);
    },
  );
});

describe('a refusal where our routes would be that a real route could give too', () => {
  test.each([401, 403, 429, 503])('%i: one look an act, and never a failure', async (status) => {
    const ours = await playOurs(undefined, { elsewhere: { status } });
    ours.server.arm({ do: 'cut' }, { do: 'lose' });
    await ours.turn(TEXT);
    expect(ours.mounted.chat.failure).toMatchObject({ phase: 'stream', error: { reason: 'cut' } });
    expectOneLook(ours);
    await ours.turn(`${TEXT} 1`);
    expect(ours.mounted.chat.failure).toMatchObject({
      phase: 'send',
      error: { reason: 'network' },
    });
    await stopInTheMiddle(ours);
    expect(ours.mounted.chat.recovery.name).toBe('idle');
    expect(ours.server.looks('stop')).toBe(1);
    expect(ours.server.posts()).toBe(3);
    expectHonestWords(ours);
  });
});

/** Sends a message, and stops the reply at the fifth word. */
async function stopInTheMiddle(
  side: Pick<OurSide, 'server' | 'world' | 'screen' | 'rest'> & {
    readonly mounted: {
      readonly chat: { sendMessage(m: { text: string }): unknown; stop(): unknown };
    };
  },
): Promise<void> {
  void side.mounted.chat.sendMessage({ text: 'once more' });
  await reach(side.world, () => side.screen().at(-1) === `assistant: ${FIVE_WORDS}`);
  void side.mounted.chat.stop();
  await side.rest();
  await pass(side.world, 10_000);
}

describe('what a person does on a stock chat route', () => {
  test('stop keeps what was read, and posts nothing that stock does not', async () => {
    const stock = await playStock();
    await stopInTheMiddle(stock);
    const ours = await playOurs();
    await stopInTheMiddle(ours);
    expect(ours.screen()).toEqual(stock.screen());
    expect(ours.mounted.chat.status).toBe('ready');
    expect(ours.server.posts()).toBe(stock.server.posts());
    expect(await linger(ours)).toBe(0);
    expectOneLook(ours);
  });

  test('sending again after a lost response is one more post of the same message', async () => {
    const ours = await playOurs();
    ours.server.arm({ do: 'lose' });
    await ours.turn(TEXT);
    expect(ours.server.posts()).toBe(1);
    void ours.mounted.chat.act('send-again');
    await reach(ours.world, () => ours.server.posts() === 2);
    await ours.rest();
    expect(ours.screen()).toEqual([`user: ${TEXT}`, `assistant: ${REPLY}`]);
    expect(ours.mounted.pending()).toEqual([]);
    const [first, second] = ours.server.requests.filter(({ path }) => path === '');
    expect(second?.body.messages).toEqual(first?.body.messages);
    expectOneLook(ours);
  });

  test.each([
    { name: 'a failed send', faults: [answer(500)] },
    { name: 'a cut reply', faults: [{ do: 'cut' as const }] },
  ])('`regenerate()` after $name does what it does in stock', async ({ faults }) => {
    const stock = await playStock();
    stock.server.arm(...faults);
    await stock.turn(TEXT);
    void stock.mounted.chat.regenerate();
    await reach(stock.world, () => stock.server.posts() === 2);
    await stock.rest();
    const ours = await playOurs();
    ours.server.arm(...faults);
    await ours.turn(TEXT);
    void ours.mounted.chat.regenerate();
    await reach(ours.world, () => ours.server.posts() === 2);
    await ours.rest();
    expect(ours.screen()).toEqual(stock.screen());
    expect(ours.mounted.chat.recovery.name).toBe('idle');
    expect(await linger(ours)).toBe(0);
  });

  test('in a silence of seventy seconds the reply counts as slow, and nothing is ended', async () => {
    const ours = await playOurs();
    ours.server.arm({ do: 'model', plans: [{ pauseMs: 70_000 }] });
    void ours.mounted.chat.sendMessage({ text: TEXT });
    await reach(ours.world, () => ours.screen().at(-1) === `assistant: ${FIVE_WORDS}`);
    await pass(ours.world, 69_000);
    expect(ours.mounted.chat.recovery).toMatchObject({ name: 'streaming', slow: true });
    expect(ours.mounted.chat.status).toBe('streaming');
    expect(ours.server.quiet()).toBe(false);
    await ours.rest();
    expect(ours.mounted.chat.recovery.name).toBe('idle');
    expect(ours.screen()).toEqual([`user: ${TEXT}`, `assistant: ${REPLY}`]);
    expect(ours.server.requests).toHaveLength(1);
  });

  test('a message written while the reply streams waits for it, and goes once', async () => {
    const ours = await playOurs();
    void ours.mounted.chat.sendMessage({ text: TEXT });
    await reach(ours.world, () => ours.screen().at(-1) === `assistant: ${FIVE_WORDS}`);
    void ours.mounted.chat.sendMessage({ text: 'and a spiral?' });
    await cross();
    expect(ours.server.posts()).toBe(1);
    expect(ours.mounted.pending()).toEqual(['held: and a spiral?']);
    await reach(ours.world, () => ours.server.posts() === 2);
    await ours.rest();
    expect(ours.screen()).toEqual([
      `user: ${TEXT}`,
      `assistant: ${REPLY}`,
      'user: and a spiral?',
      `assistant: ${REPLY}`,
    ]);
    expect(ours.server.requests).toHaveLength(2);
  });
});

describe('an attempt that is superseded in the middle of a reply', () => {
  test.each(['data-attempt-superseded', 'reset-step'])(
    '%s: only the step under way is taken back, in one turn, without a flash',
    async (type) => {
      const finished: unknown[] = [];
      const ours = await playOurs(({ api }) => ({
        api,
        onFinish: ({ message }) => void finished.push(message.parts.length),
      }));
      const chunks = [
        { type: 'text-end', id: 't' },
        { type: 'finish-step' },
        { type: 'start-step' },
        { type: 'text-start', id: 't' },
        { type: 'text-delta', id: 't', delta: ' which is wrong' },
        type === 'reset-step' ? { type } : { type, data: {}, transient: true },
        { type: 'text-start', id: 't' },
      ];
      ours.server.arm({ do: 'insert', bytes: chunks.map(frame) });
      const from = ours.mounted.frames.length;
      await ours.turn(TEXT);
      expect(ours.screen()).toEqual([`user: ${TEXT}`, `assistant: ${REPLY}`]);
      expect(ours.server.requests).toHaveLength(1);
      expect(finished).toHaveLength(1);
      const frames = ours.mounted.frames.slice(from);
      const end = frames.findIndex(({ state }) => state === 'idle');
      for (const { status, texts } of frames.slice(0, end)) {
        expect(['submitted', 'streaming']).toContain(status);
        expect(texts[0]).toBe(`user: ${TEXT}`);
      }
      const begun = frames.findIndex(({ texts }) => texts.at(-1) === `assistant: ${FIVE_WORDS}`);
      expect(begun).toBeGreaterThan(0);
      const last = (text: string) => frames.findLastIndex(({ texts }) => texts.at(-1) === text);
      const wrong = last(`assistant: ${FIVE_WORDS} which is wrong`);
      expect(wrong).toBeGreaterThan(begun);
      expect(last(`assistant: ${FIVE_WORDS}`)).toBeGreaterThan(wrong);
      for (const { texts } of frames.slice(begun)) {
        expect(texts.at(-1)?.startsWith(`assistant: ${FIVE_WORDS}`)).toBe(true);
      }
    },
  );
});

describe('a stock chat route of another origin', () => {
  test.each(table.filter(({ name }) => /cut|lost|error chunk|nothing/.test(name)))(
    '$name: no key goes out, and the rest is the same',
    async (row) => {
      const ours = await playOurs(undefined, { page: 'https://app.example' });
      ours.server.arm(...row.faults);
      await ours.turn(TEXT);
      expect(ours.mounted.chat.recovery.name).toBe(row.ends);
      expect(ours.mounted.chat.failure?.error.reason).toBe(row.reason);
      for (const { headers } of ours.server.requests) {
        expect(headers).not.toHaveProperty('x-helix-request-key');
      }
      expectOneLook(ours);
    },
  );
});
