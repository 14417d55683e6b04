import type { RecoveryReport } from 'helix-chat';
import { SCENARIO_NAMES, type ScenarioName } from 'helix-chat/testing';
import { describe, expect, test } from 'vitest';
import { refuse, refuseTyped, script, streaming, turn } from '../setup/faultRules.ts';
import { instead } from '../setup/networkLayers.ts';
import { arm, CHAT, leftovers, type Play, play, policyOf } from '../setup/playScenario.ts';
import { stepReply } from '../setup/stepReply.ts';

type Options = NonNullable<Parameters<typeof play>[0]>;

/** A chat and everything that it reports. */
async function reporting(
  change: Options = {},
  ...rest: Parameters<typeof play> extends [unknown?, ...infer R] ? R : never
): Promise<{ game: Play; reports: RecoveryReport[] }> {
  const reports: RecoveryReport[] = [];
  const game = await play({ onEvent: (report) => void reports.push(report), ...change }, ...rest);
  return { game, reports };
}

const types = (reports: readonly RecoveryReport[]): string[] => reports.map(({ type }) => type);
const one = <T extends RecoveryReport['type']>(reports: readonly RecoveryReport[], type: T) =>
  reports.filter((report): report is Extract<RecoveryReport, { type: T }> => report.type === type);

describe('an app that watches recovery hears', () => {
  test('of a message that is sent and answered', async () => {
    const { game, reports } = await reporting({ resync: false });
    await turn(game, 'hi');
    expect(reports).toMatchObject([
      { type: 'sent', phase: 'send', attempt: 1 },
      { type: 'reply-started', phase: 'send', attempt: 1, ms: 0 },
    ]);
    expect(reports.every(({ at }) => Number.isFinite(at))).toBe(true);
    expect(await leftovers(game)).toEqual([]);
  });

  test('of a refusal, the wait, the repeat, and that the trouble is over', async () => {
    const { game, reports } = await reporting({ resync: false });
    script(game, refuse(503));
    await turn(game, 'hi');
    expect(types(reports)).toEqual([
      'sent',
      'request-refused',
      'backing-off',
      'sent',
      'reply-started',
      'recovered',
    ]);
    expect(reports[1]).toMatchObject({
      phase: 'send',
      attempt: 1,
      status: 503,
      code: 'transport_error',
    });
    const [wait] = one(reports, 'backing-off');
    expect(wait).toMatchObject({ phase: 'send', attempt: 2, cause: 'backoff', status: 503 });
    expect(reports[3]).toMatchObject({ attempt: 2 });
    expect(one(reports, 'recovered')[0]?.ms).toBeGreaterThanOrEqual(wait?.ms ?? Number.NaN);
    expect(await leftovers(game)).toEqual([]);
  });

  test('of a failure, once, as the app is told of it', async () => {
    const { game, reports } = await reporting();
    script(game, refuseTyped({ code: 'validation_error' }));
    await turn(game, 'hi');
    expect(one(reports, 'failed')).toMatchObject([
      {
        phase: 'send',
        code: 'validation_error',
        severity: 'warning',
        committed: 'no',
        attempts: 1,
        status: 400,
      },
    ]);
    expect(game.heard.failures).toHaveLength(1);
    expect(await leftovers(game)).toEqual([]);
  });

  test('of a stop, of a stop that is refused, and of its failure', async () => {
    const { game, reports } = await reporting(
      {},
      instead('stop', () => new Response('x', { status: 500 })),
    );
    await game.send('hi');
    await streaming(game);
    await game.mounted.chat.stop();
    await game.rest();
    await game.world.advance(10_000);
    expect(types(reports)).toContain('stopped');
    const refused = one(reports, 'request-refused').filter(({ phase }) => phase === 'stop');
    expect(refused.map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, 500],
      [2, 500],
    ]);
    expect(one(reports, 'failed')).toMatchObject([{ phase: 'stop', status: 500 }]);
    expect(await leftovers(game)).toEqual([]);
  });

  test('of a message that is held behind another reply, of that reply, and of one that is taken back', async () => {
    const { game, reports } = await reporting();
    arm(game.server, 'busy');
    await game.send('hi');
    await game.world.runUntil(() => game.mounted.chat.recovery.name === 'waiting-on-run');
    await game.world.runUntil(() => game.mounted.chat.status === 'streaming');
    expect(one(reports, 'held')).toMatchObject([{ cause: 'foreign-run' }]);
    expect(one(reports, 'attached')).toMatchObject([{ own: false }]);
    await game.mounted.chat.cancelPendingSend();
    await game.rest();
    expect(types(reports)).toContain('taken-back');
    expect(await leftovers(game)).toEqual([]);
  });

  test('of a stream that broke off and goes on', async () => {
    const { game, reports } = await reporting();
    script(game, { on: 'send', fault: { do: 'break', afterWords: 4, how: 'cut' } });
    await turn(game, 'hi');
    expect(one(reports, 'cut')).toMatchObject([
      { attempt: 1, code: 'transport_stream_drop', reason: 'cut' },
    ]);
    expect(one(reports, 'spliced')).toMatchObject([{ attempt: 1 }]);
    expect(types(reports).at(-1)).toBe('recovered');
    expect(await leftovers(game)).toEqual([]);
  });

  test('of an attempt that is superseded, and of the read that follows', async () => {
    const { game, reports } = await reporting({}, undefined);
    arm(game.server, 'superseded');
    await turn(game, 'hi');
    expect(one(reports, 're-anchored')).toMatchObject([
      { trigger: 'data-attempt-superseded', attempt: 1 },
    ]);
    expect(one(reports, 'conversation-read')).toContainEqual(
      expect.objectContaining({ cause: 'superseded', run: 'active' }),
    );
    expect(one(reports, 'attached')).toMatchObject([{ own: true }]);
    expect(await leftovers(game)).toEqual([]);
  });

  test('of a conversation that cannot be read on load', async () => {
    let left = 1;
    const { game, reports } = await reporting(
      {},
      instead('snapshot', () => {
        left -= 1;
        return left < 0 ? undefined : new Response('x', { status: 500 });
      }),
    );
    await game.rest();
    expect(reports).toContainEqual(
      expect.objectContaining({ type: 'request-refused', phase: 'load', attempt: 1, status: 500 }),
    );
    expect(types(reports)).toContain('backing-off');
    expect(await leftovers(game)).toEqual([]);
  });

  test('that it is asked to renew the sign-in', async () => {
    const { game, reports } = await reporting({ onUnauthorized: () => false });
    script(game, refuse(401));
    await turn(game, 'hi');
    expect(one(reports, 'sign-in-asked')).toMatchObject([{ phase: 'send' }]);
    expect(one(reports, 'failed')).toMatchObject([{ reason: 'signed-out', status: 401 }]);
    expect(await leftovers(game)).toEqual([]);
  });

  test('of another try at a failed reply, in the phase of its failures', async () => {
    const serving = stepReply(['One, ', 'x', { code: 'framework_max_steps_exhausted' }], ['two']);
    const resync = { retry: `/api/chat/${CHAT}/retry` };
    const { game, reports } = await reporting({ resync }, undefined, serving);
    await turn(game, 'hi');
    reports.length = 0;
    void game.mounted.chat.act('continue');
    await game.world.settle();
    await game.rest();
    expect(one(reports, 'sent')).toMatchObject([{ phase: 'regenerate', attempt: 1 }]);
    expect(one(reports, 'reply-started')).toMatchObject([{ phase: 'regenerate' }]);
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('what an app hears', () => {
  const SECRET = 'sk-planted0123456789abcdef';
  const TEXT = 'plantedwords';
  const planted = `${TEXT} of a person, ${SECRET}`;

  test.each(SCENARIO_NAMES)(
    'holds no text and no secret, whatever goes wrong: %s',
    async (name) => {
      const { game, reports } = await reporting({ recovery: policyOf(name as ScenarioName) });
      arm(game.server, name as ScenarioName);
      await game.send(planted);
      await game.rest(600_000);
      expect(reports.length).toBeGreaterThan(0);
      const told = JSON.stringify(reports);
      expect(told).not.toContain(TEXT);
      expect(told).not.toContain('planted');
      expect(await leftovers(game)).toEqual([]);
    },
  );

  test.each([
    ['a code that is a secret', { code: SECRET }],
    ['a code that is a sentence', { code: `provider_${TEXT} was said` }],
    ['a text as the cause', { code: 'provider_error', cause: planted }],
    ['a long code', { code: `provider_${TEXT.repeat(20)}` }],
  ])('holds none that a server puts into its answer: %s', async (_name, body) => {
    const answer = JSON.stringify({
      error: planted,
      detail: planted,
      retryable: false,
      runId: SECRET,
      ...body,
    });
    const { game, reports } = await reporting(
      {},
      instead(
        'send',
        () => new Response(answer, { status: 400, headers: { 'x-request-id': SECRET } }),
      ),
    );
    await game.send('hi');
    await game.rest();
    expect(one(reports, 'failed')).toHaveLength(1);
    expect(JSON.stringify(reports)).not.toContain('planted');
    expect(await leftovers(game)).toEqual([]);
  });

  test('breaks nothing where it throws', async () => {
    const said: string[] = [];
    console.error = (...words: unknown[]) => void said.push(words.join(' '));
    console.warn = console.error;
    const game = await play({
      onEvent: () => {
        throw new Error('the app');
      },
    });
    script(game, refuse(503));
    await turn(game, 'hi');
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(said.join()).toMatch(/\[helix-chat\].*onEvent/);
    expect(await leftovers(game)).toEqual([]);
  });
});
