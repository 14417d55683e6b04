import { describe, expect, it } from 'vitest';
import {
  CLIENT_HEADER,
  createFaultServer,
  type FaultServer,
} from '../../src/testing/faultServer.ts';
import { createManualWorld, type ManualWorld } from '../../src/testing/manualWorld.ts';
import {
  SCENARIO_NAMES,
  SCENARIOS,
  type ScenarioName,
  scenarioOf,
} from '../../src/testing/scenarios.ts';
import { wordReplyText } from '../../src/testing/wordReply.ts';
import { type Read, readEvents, textOf, types, user } from '../server/chatClient.ts';

const TAB = 'tab-1';

interface Lab {
  readonly world: ManualWorld;
  readonly server: FaultServer;
  send(id?: string, options?: { key?: string; client?: string | null }): Promise<Response>;
  /** Sends and leaves at once: only the status. */
  statusOf(id?: string, options?: { key?: string; client?: string | null }): Promise<number>;
  get(name: 'stream' | 'snapshot'): Promise<Response>;
  transcript(): Promise<string[]>;
}

function createLab(): Lab {
  const world = createManualWorld();
  const server = createFaultServer({ world });
  const headersOf = (client: string | null): Record<string, string> =>
    client === null ? {} : { [CLIENT_HEADER]: client };
  const lab: Lab = {
    world,
    server,
    statusOf: async (id, options) => {
      const response = await lab.send(id, options);
      await response.body?.cancel();
      return response.status;
    },
    send: (id = 'u1', { key, client = TAB } = {}) =>
      server.fetch('/api/chat', {
        method: 'POST',
        headers: {
          ...headersOf(client),
          ...(key === undefined ? {} : { 'X-Helix-Request-Key': key }),
        },
        body: JSON.stringify({ id: 'c1', messages: [user(id, `Question ${id}`)] }),
      }),
    get: (name) => server.fetch(`/api/chat/c1/${name}`, { headers: headersOf(TAB) }),
    transcript: async () => (await server.transcript('c1')).map(textOf),
  };
  return lab;
}

function armed(name: ScenarioName): Lab {
  const lab = createLab();
  lab.server.arm(name, { client: TAB, chatId: 'c1' });
  return lab;
}

const answer = (id: string) => wordReplyText(`Question ${id}`);
const words = (text: string) => text.match(/\S+/g)?.length ?? 0;

async function finished(lab: Lab, response: Response): Promise<Read> {
  const read = readEvents(response);
  await lab.world.runUntil(() => read.ended !== 'open');
  return read;
}

/** Nothing of the server is left once its runs have ended. */
async function expectRest(lab: Lab): Promise<void> {
  await lab.world.advance(20_000);
  expect(lab.server.settled()).toBe(true);
  expect(lab.world.pending()).toBe(0);
}

describe('without a fault', () => {
  it('answers word by word, the same for the same question', async () => {
    const lab = createLab();
    const response = await lab.send();
    const read = readEvents(response);
    await lab.world.advance(400);
    expect(words(read.text())).toBe(10);
    expect(lab.server.settled()).toBe(false);
    await lab.world.runUntil(() => read.ended === 'done');

    expect(read.text()).toBe(answer('u1'));
    expect(await lab.transcript()).toEqual(['Question u1', answer('u1')]);
    await expectRest(lab);
  });

  it('is the same run twice', async () => {
    const play = async () => {
      const lab = createLab();
      return (await finished(lab, await lab.send())).chunks;
    };
    expect(await play()).toEqual(await play());
  });
});

describe('the scenarios', () => {
  it('are the 21 of the list, each with its promise', () => {
    expect(SCENARIOS.map((scenario) => scenario.name)).toEqual(SCENARIO_NAMES);
    expect(SCENARIOS).toHaveLength(21);
    expect(scenarioOf('nothing')).toBeUndefined();
    for (const { promise } of SCENARIOS) {
      expect(promise.ends === 'failed').toBe(promise.code !== undefined);
    }
  });

  it.each<[ScenarioName, number, string | null, Record<string, string>]>([
    ['rate-limited', 503, 'provider_rate_limited', { 'retry-after': '2' }],
    ['rate-limited-429', 429, null, { 'retry-after': '2' }],
    ['overloaded-twice', 503, 'provider_overloaded', {}],
    ['signed-out', 401, null, {}],
    ['unavailable', 503, 'framework_agent_resolution_failed', {}],
    ['key-conflict', 409, 'state_request_key_conflict', {}],
    ['html-502', 502, null, { 'content-type': 'text/html; charset=utf-8' }],
    ['login-200', 200, null, { 'content-type': 'text/html; charset=utf-8' }],
  ])('%s: the send is answered %i %s, and nothing is written', async (name, status, code, head) => {
    const lab = armed(name);
    const response = await lab.send('u1', { key: 'k1' });
    const text = await response.text();

    expect(response.status).toBe(status);
    expect(response.headers.get('x-request-id')).toBeTruthy();
    expect(response.headers.get('x-helix-request-key')).toBeNull();
    for (const [header, value] of Object.entries(head)) {
      expect(response.headers.get(header)).toBe(value);
    }
    if (code === null) expect(() => JSON.parse(text)).toThrow();
    else expect(JSON.parse(text)).toMatchObject({ code });
    expect(await lab.transcript()).toEqual([]);
    await expectRest(lab);
  });

  it('overloaded-twice: the third send goes through', async () => {
    const lab = armed('overloaded-twice');
    const statuses = [];
    for (let at = 0; at < 3; at++) statuses.push(await lab.statusOf('u1', { key: 'k1' }));
    expect(statuses).toEqual([503, 503, 200]);
    await expectRest(lab);
    expect(await lab.transcript()).toEqual(['Question u1', answer('u1')]);
  });

  it.each<[ScenarioName, string | undefined, boolean | undefined, number]>([
    ['auth', 'provider_auth_error', false, 0],
    ['unclassified', undefined, undefined, 3],
    ['unknown-code', 'provider_quota_drained', undefined, 3],
  ])('%s: the reply ends in an error event, code %s', async (name, code, retryable, said) => {
    const lab = armed(name);
    const read = await finished(lab, await lab.send());
    const snapshot = (await (await lab.get('snapshot')).json()) as { status: string };

    expect(types(read.chunks).slice(-2)).toEqual(['data-helix-error', 'error']);
    const data = read.chunks.at(-2)?.data as { code?: string; retryable?: boolean };
    expect([data.code, data.retryable]).toEqual([code, retryable]);
    expect(words(read.text())).toBe(said);
    expect(snapshot.status).toBe('failed');
    expect(await lab.transcript()).toEqual(['Question u1']);
    await expectRest(lab);
  });

  it('superseded: five words, the trigger, and the whole reply', async () => {
    const lab = armed('superseded');
    const read = await finished(lab, await lab.send());
    const at = read.chunks.findIndex((chunk) => chunk.type === 'data-attempt-superseded');
    const said = (chunks: Read['chunks']) =>
      chunks
        .filter((chunk) => chunk.type === 'text-delta')
        .map((chunk) => chunk.delta)
        .join('');

    expect(words(said(read.chunks.slice(0, at)))).toBe(5);
    expect(said(read.chunks.slice(at))).toBe(answer('u1'));
    expect(await lab.transcript()).toEqual(['Question u1', answer('u1')]);
    await expectRest(lab);
  });

  it('cut: the body breaks after five words as undici’s does, and the run goes on', async () => {
    const lab = armed('cut');
    const response = await lab.send();
    let text = '';
    let failure: unknown;
    const pump = async () => {
      const reader = response.body?.getReader();
      for (let step = await reader?.read(); step && !step.done; step = await reader?.read()) {
        text += new TextDecoder().decode(step.value);
      }
    };
    void pump().catch((error: unknown) => {
      failure = error;
    });
    await lab.world.runUntil(() => failure !== undefined);

    expect(failure).toBeInstanceOf(TypeError);
    expect((failure as TypeError).message).toBe('terminated');
    expect(text.match(/text-delta/g)).toHaveLength(5);
    await expectRest(lab);
    expect(await lab.transcript()).toEqual(['Question u1', answer('u1')]);
  });

  it('silent: five words and no further byte, however long one waits', async () => {
    const lab = armed('silent');
    const read = readEvents(await lab.send());
    await lab.world.advance(120_000);

    expect(words(read.text())).toBe(5);
    expect(read.comments).toEqual([]);
    expect(read.ended).toBe('open');
    expect(lab.server.settled()).toBe(false);
    await read.leave();
    await expectRest(lab);
  });

  it('broken-frame: half a line after five words, then the rest', async () => {
    const lab = armed('broken-frame');
    const response = await lab.send();
    const text = response.text();
    await lab.world.advance(5000);
    const frames = (await text).split('\n\n').filter((frame) => frame.startsWith('data: {'));
    const broken = frames.filter((frame) => {
      try {
        JSON.parse(frame.slice(6));
        return false;
      } catch {
        return true;
      }
    });

    expect(broken).toHaveLength(1);
    const before = frames.slice(0, frames.indexOf(broken[0] ?? ''));
    expect(before.filter((frame) => frame.includes('text-delta'))).toHaveLength(5);
    expect(frames.at(-1)).toContain('"finish"');
    await expectRest(lab);
  });

  it('empty: a reply with nothing in it', async () => {
    const lab = armed('empty');
    const read = await finished(lab, await lab.send());
    expect(types(read.chunks)).toEqual(['data-run', 'start', 'finish']);
    expect(await lab.transcript()).toEqual(['Question u1']);
    await expectRest(lab);
  });

  it('lost-response: the message is taken and the connection closes before a byte', async () => {
    const lab = armed('lost-response');
    await expect(lab.send('u1', { key: 'k1' })).rejects.toThrow(TypeError);
    expect(await lab.transcript()).toEqual(['Question u1']);
    const again = await finished(lab, await lab.send('u1', { key: 'k1' }));
    expect(again.text()).toBe(answer('u1'));
    expect(await lab.transcript()).toEqual(['Question u1', answer('u1')]);
    await expectRest(lab);
  });

  it('busy: another client’s turn of six seconds is in the way', async () => {
    const lab = armed('busy');
    const began = lab.world.monotonic();
    const refused = await lab.send('u1', { key: 'k1' });
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { code: 'state_already_running', retryable: true },
    ]);
    const foreign = await finished(lab, await lab.get('stream'));
    expect(foreign.text()).toContain('another tab');
    expect(lab.world.monotonic() - began).toBe(6000);
    expect(await lab.statusOf('u1', { key: 'k1' })).toBe(200);
    await expectRest(lab);
    expect(await lab.transcript()).toEqual([
      'A question from another tab',
      wordReplyText('A question from another tab'),
      'Question u1',
      answer('u1'),
    ]);
  });

  it.each([{ key: 'k1' }, {}])(
    'already-completed: answered, overtaken, refused (%o)',
    async (options) => {
      const lab = armed('already-completed');
      const refused = await lab.send('u1', options);
      expect([refused.status, await refused.json()]).toMatchObject([
        409,
        { code: 'state_request_already_completed' },
      ]);
      expect(await lab.transcript()).toEqual([
        'Question u1',
        answer('u1'),
        'A later question',
        wordReplyText('A later question'),
      ]);
      await expectRest(lab);
    },
  );

  it.each<[ScenarioName, [number, string][]]>([
    [
      'snapshot-unstable',
      [
        [503, 'snapshot_unstable'],
        [503, 'snapshot_unstable'],
      ],
    ],
    ['snapshot-corrupt', [[409, 'corrupt_row']]],
  ])('%s: cut, then 204 once, then the snapshot fails', async (name, failures) => {
    const lab = armed(name);
    const read = await finished(lab, await lab.send());
    expect(read.ended).toBe('broken');
    expect((await lab.get('stream')).status).toBe(204);
    for (const [status, cause] of failures) {
      const response = await lab.get('snapshot');
      expect([response.status, await response.json()]).toMatchObject([
        status,
        { code: 'state_history_incomplete', cause },
      ]);
    }
    expect((await lab.get('snapshot')).status).toBe(200);
    const again = await lab.get('stream');
    expect(again.status).toBe(200);
    await again.body?.cancel();
    await expectRest(lab);
  });
});

describe('arming', () => {
  it('leaves other tabs and readers of the truth alone', async () => {
    const lab = armed('unavailable');
    expect(await lab.statusOf('u0', { client: 'tab-2' })).toBe(200);
    await lab.world.advance(5000);
    expect(await lab.statusOf('u2', { client: null })).toBe(200);
    await lab.world.advance(5000);
    expect(await lab.statusOf('u1')).toBe(503);
    await expectRest(lab);
  });

  it('leaves another chat alone', async () => {
    const lab = createLab();
    lab.server.arm('unavailable', { chatId: 'c2' });
    expect(await lab.statusOf('u1')).toBe(200);
    await expectRest(lab);
  });

  it('does not touch reads before the send', async () => {
    const lab = armed('snapshot-corrupt');
    expect((await lab.get('snapshot')).status).toBe(404);
    expect((await lab.get('stream')).status).toBe(204);
    expect(lab.server.requests.map((request) => request.fault)).toEqual([undefined, undefined]);
  });

  it('is over with the next message', async () => {
    const lab = armed('overloaded-twice');
    expect(await lab.statusOf('u1')).toBe(503);
    expect(await lab.statusOf('u2')).toBe(200);
    await lab.world.advance(5000);
    expect(await lab.statusOf('u1')).toBe(200);
    await expectRest(lab);
  });

  it('waits for a reply that it can spoil: a refused send does not use it up', async () => {
    const lab = armed('auth');
    const turn = await lab.server.foreignSend('c1', 'First', { totalMs: 500 });
    expect(await lab.statusOf('u1')).toBe(409);
    const ended = turn.ended();
    await lab.world.advance(1000);
    await ended;
    const read = await finished(lab, await lab.send('u1'));
    expect(types(read.chunks).at(-1)).toBe('error');
    await expectRest(lab);
  });

  it('a fault of a refused send befalls no other message', async () => {
    const lab = armed('auth');
    const turn = await lab.server.foreignSend('c1', 'First', { totalMs: 500 });
    expect(await lab.statusOf('u1')).toBe(409);
    lab.server.disarm({ client: TAB, chatId: 'c1' });
    const ended = turn.ended();
    await lab.world.advance(1000);
    await ended;
    const read = await finished(lab, await lab.send('u1'));
    expect(read.text()).toBe(answer('u1'));
    await expectRest(lab);
  });

  it('busy, where another turn is in the way already, adds none', async () => {
    const lab = armed('busy');
    await lab.server.foreignSend('c1', 'First', { totalMs: 500 });
    expect(await lab.statusOf('u1')).toBe(409);
    await lab.world.advance(1000);
    expect(await lab.statusOf('u1')).toBe(200);
    await expectRest(lab);
    expect((await lab.transcript()).filter((text) => !text.startsWith('You asked'))).toEqual([
      'First',
      'Question u1',
    ]);
  });

  it('takes the place of what was armed before, and can be taken back', async () => {
    const lab = armed('html-502');
    lab.server.arm('signed-out', { client: TAB, chatId: 'c1' });
    expect(await lab.statusOf('u1')).toBe(401);
    lab.server.arm('signed-out', { client: TAB, chatId: 'c1' });
    lab.server.disarm({ client: TAB, chatId: 'c1' });
    expect(await lab.statusOf('u1')).toBe(200);
    await expectRest(lab);
  });

  it('takes a script of one’s own, and says so of an unknown name', async () => {
    const lab = createLab();
    lab.server.arm({
      name: 'teapot',
      rules: [{ on: 'send', times: 2, fault: { do: 'refuse', status: 418, body: 'short' } }],
    });
    expect([await lab.statusOf(), await lab.statusOf()]).toEqual([418, 418]);
    expect(() => lab.server.arm('nothing' as never)).toThrow(/^\[helix-chat\] arm: "nothing"/);
  });

  it('a superseding fault may spoil several attempts', async () => {
    const lab = createLab();
    lab.server.arm({
      name: 'three bad attempts',
      rules: [
        {
          on: 'send',
          fault: { do: 'reply', words: 2, attempts: 3, fails: { code: 'provider_overloaded' } },
        },
      ],
    });
    const read = await finished(lab, await lab.send());
    expect(read.chunks.filter((chunk) => chunk.type === 'data-attempt-superseded')).toHaveLength(3);
    expect(await lab.transcript()).toEqual(['Question u1', answer('u1')]);
    await expectRest(lab);
  });
});

describe('the log', () => {
  it('says of each request what it was and how it was answered', async () => {
    const lab = armed('lost-response');
    const heard: unknown[] = [];
    const leave = lab.server.onRequest((request) => heard.push(request.status));
    await lab.send('u1', { key: 'k1' }).catch(() => {});
    await lab.get('snapshot');
    leave();
    await lab.server.fetch('/elsewhere');

    expect(lab.server.requests).toMatchObject([
      {
        method: 'POST',
        path: '/api/chat',
        route: 'send',
        chatId: 'c1',
        client: TAB,
        key: 'k1',
        messageId: 'u1',
        fault: 'drop',
        status: 'lost',
      },
      { method: 'GET', route: 'snapshot', chatId: 'c1', status: 200 },
      { path: '/elsewhere', route: undefined, status: 404 },
    ]);
    expect(heard).toEqual([undefined, 'lost', undefined, 200]);
    await expectRest(lab);
  });

  it('foreign turns are not in it', async () => {
    const lab = createLab();
    const turn = await lab.server.foreignSend('c1', 'Hello from afar', { totalMs: 100 });
    const ended = turn.ended();
    await lab.world.advance(200);
    await ended;
    expect(lab.server.requests).toEqual([]);
    expect(await lab.transcript()).toEqual(['Hello from afar', wordReplyText('Hello from afar')]);
    await expect(
      Promise.all([lab.server.foreignSend('c1', 'a'), lab.server.foreignSend('c1', 'b')]),
    ).rejects.toThrow(/^\[helix-chat\] foreignSend: the server answered 409/);
    await expectRest(lab);
  });
});

describe('the in-process fetch', () => {
  it('rejects at once with the reason when its signal has aborted, and no request is made', async () => {
    const lab = createLab();
    const signal = AbortSignal.abort('gone');
    await expect(lab.server.fetch('/api/chat/c1/stream', { signal })).rejects.toBe('gone');
    expect(lab.server.requests).toEqual([]);
  });

  it('rejects when it aborts before the headers, and what comes late is thrown away', async () => {
    const lab = armed('already-completed');
    const controller = new AbortController();
    const pending = lab.server.fetch('/api/chat', {
      method: 'POST',
      headers: { [CLIENT_HEADER]: TAB },
      body: JSON.stringify({ id: 'c1', messages: [user('u1', 'Question u1')] }),
      signal: controller.signal,
    });
    controller.abort();
    await expect(pending).rejects.toMatchObject({ name: 'AbortError' });
    await expectRest(lab);
  });

  it('breaks the body when it aborts in the middle, and the server stops reading', async () => {
    const lab = createLab();
    const controller = new AbortController();
    const response = await lab.server.fetch('/api/chat', {
      method: 'POST',
      body: JSON.stringify({ id: 'c1', messages: [user('u1', 'Question u1')] }),
      signal: controller.signal,
    });
    const read = readEvents(response);
    await lab.world.advance(200);
    controller.abort();
    await lab.world.settle();
    expect(read.ended).toBe('broken');
    await expectRest(lab);
    expect(await lab.transcript()).toEqual(['Question u1', answer('u1')]);
  });

  it('takes a Request and an absolute URL', async () => {
    const lab = createLab();
    const url = 'http://helix.test/api/chat/c1/stream';
    expect((await lab.server.fetch(new Request(url))).status).toBe(204);
    expect((await lab.server.fetch(new URL(url))).status).toBe(204);
  });
});
