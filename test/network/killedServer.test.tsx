import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openNetworkClient } from './networkClient.tsx';
import { type Outcome, playSchedule } from './playSchedule.ts';
import type { BackendKind } from './schedule.ts';
import { type Bundles, bundle } from './serverProcess.ts';

let bundles: Bundles;
beforeAll(async () => {
  bundles = await bundle('server');
}, 60_000);
afterAll(() => bundles?.remove());
beforeEach(() => {
  console.warn = () => {};
});

const QUESTION = 'user: Frage 1: größer 你好 🌊';

/** One question; the server's process dies in the middle of the reply. The client waits long enough to see it again. */
async function killInReply(kind: BackendKind, downMs: number): Promise<Outcome> {
  const outcome = await playSchedule(
    { bundles, open: (_, settings) => openNetworkClient(settings) },
    {
      kind,
      wordMs: 5,
      backoffMs: 250,
      whenDown: 'gateway',
      steps: [
        {
          do: 'fault',
          rule: { on: 'send', fault: { do: 'kill', from: 1200, downMs, how: 'reset' } },
        },
        { do: 'send', when: { after: 'nothing' } },
        { do: 'try-now', when: { after: 'rest' } },
        { do: 'resync', when: { after: 'server' } },
      ],
    },
    downMs,
  );
  expect(outcome.broken.join('\n') && outcome.story.join('\n')).toBe('');
  expect(outcome.faults).toContain('kill');
  return outcome;
}

const KINDS: readonly BackendKind[] = ['keys', 'ids only'];

test.each(KINDS)(
  'the server dies in a reply and is soon back, with %s: the question stands once, the run is over, another reply is one press away',
  async (kind) => {
    const { alone } = await killInReply(kind, 0);
    expect(alone).toMatchObject({
      state: 'failed',
      failure: 'stream: transport_stream_drop (run_not_live)',
      screen: [QUESTION],
      pending: [],
    });
    expect(alone.exits?.[0]).toBe('new-reply');
  },
  120_000,
);

test.each(KINDS)(
  'the server dies in a reply and is away for long, with %s: it comes to the same once it is back',
  async (kind) => {
    const { alone } = await killInReply(kind, 1500);
    expect(alone).toMatchObject({ state: 'failed', screen: [QUESTION], pending: [] });
    expect(alone.exits?.[0]).toBe('new-reply');
  },
  120_000,
);
