import { isHelixError } from 'helix-chat';
import { createManualWorld, type ManualWorld } from 'helix-chat/testing';
import { afterEach, describe, expect, test } from 'vitest';
import { lines, mountChat } from '../setup/mountChat.tsx';
import { ADOPTION_FORMS, type AdoptionForm, FORMS, promises } from './adoptionForms.ts';
import { playOurs } from './playStock.ts';
import { cross, reach } from './reach.ts';
import { startProtocolServer } from './startProtocolServer.ts';
import { FIVE_WORDS, REPLY } from './stockModel.ts';
import type { StockFault } from './stockServer.ts';

const TEXT = 'What is a helix?';
const whole = [`user: ${TEXT}`, `assistant: ${REPLY}`];

/** What one form can see: a transport that is not ours shows no status where the SDK throws none. */
const repeats503 = (form: AdoptionForm): boolean =>
  form === 'flat options' || form === 'a HelixChatTransport' || __AI_MAJOR__ === 7;

declare const __AI_MAJOR__: number;

const warn = console.warn;
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  console.warn = warn;
  for (const close of closing.splice(0)) await close();
});

describe.each(FORMS)('%s on a stock chat route', (form) => {
  const start = async (...faults: StockFault[]) => {
    const ours = await playOurs(({ api }) => ADOPTION_FORMS[form](api));
    ours.server.arm(...faults);
    return ours;
  };

  test('a turn is one request, and the reply is whole', async () => {
    const ours = await start();
    await ours.turn(TEXT);
    expect(ours.screen()).toEqual(whole);
    expect(ours.server.requests).toHaveLength(1);
    expect(ours.mounted.chat.recovery.name).toBe('idle');
  });

  test('an error chunk is a typed failure, and the part of the reply stays', async () => {
    const ours = await start({ do: 'model', plans: [{ failsAfter: 5 }] });
    await ours.turn(TEXT);
    const { chat } = ours.mounted;
    expect(isHelixError(chat.error)).toBe(true);
    expect(chat.error).toBe(chat.failure?.error);
    expect(chat.failure?.phase).toBe('stream');
    expect(ours.screen()).toEqual([`user: ${TEXT}`, `assistant: ${FIVE_WORDS}`]);
    expect(ours.server.posts()).toBe(1);
  });

  test('a cut is a cut, never a reply that looks whole', async () => {
    const ours = await start({ do: 'cut' });
    await ours.turn(TEXT);
    expect(ours.mounted.chat.failure?.error).toMatchObject({
      code: 'transport_stream_drop',
      reason: 'cut',
    });
    expect(ours.screen()).toEqual([`user: ${TEXT}`, `assistant: ${FIVE_WORDS}`]);
    expect(ours.server.posts()).toBe(1);
  });

  test('a 503 is repeated where the status can be seen, else the draft is kept', async () => {
    const ours = await start({ do: 'answer', status: 503 });
    await ours.turn(TEXT);
    const repeats = repeats503(form);
    expect(ours.server.posts()).toBe(repeats ? 2 : 1);
    expect(ours.mounted.pending()).toEqual(repeats ? [] : [`failed: ${TEXT}`]);
    expect(ours.screen()).toEqual(repeats ? whole : []);
  });

  test('a lost response is not repeated, and the draft is kept', async () => {
    const ours = await start({ do: 'lose' });
    await ours.turn(TEXT);
    expect(ours.server.posts()).toBe(1);
    expect(ours.mounted.chat.failure?.error.reason).toBe('network');
    expect(ours.mounted.pending()).toEqual([`failed: ${TEXT}`]);
  });

  test('a stop ends the reading without an error', async () => {
    const ours = await start();
    void ours.mounted.chat.sendMessage({ text: TEXT });
    await reach(ours.world, () => ours.screen().at(-1) === `assistant: ${FIVE_WORDS}`);
    void ours.mounted.chat.stop();
    await ours.rest();
    expect(ours.mounted.chat.status).toBe('ready');
    expect(ours.mounted.chat.error).toBeUndefined();
    expect(ours.server.posts()).toBe(1);
  });
});

describe.each(FORMS)('%s on the protocol server', (form) => {
  const start = async (world: ManualWorld) => {
    console.warn = () => {};
    const protocol = await startProtocolServer(world);
    const page = Object.assign(world, { origin: () => protocol.origin });
    const mounted = await mountChat(page, { id: 'c1', ...promises(form, protocol.api) });
    closing.push(async () => {
      await mounted.unmount();
      await cross();
      await protocol.close();
    });
    const truth = async (): Promise<string[]> => lines(await protocol.server.transcript('c1'));
    return { ...protocol, mounted, truth };
  };

  test.each([
    'superseded',
    'cut',
    'lost-response',
    'busy',
    'overloaded-twice',
    'unclassified',
  ] as const)(
    '%s: the message is there once, and the screen is the transcript',
    async (scenario) => {
      const world = createManualWorld();
      const { server, mounted, truth } = await start(world);
      server.arm(scenario);
      void mounted.chat.sendMessage({ text: TEXT });
      await reach(world, () => mounted.chat.status !== 'ready');
      await reach(world, () => ['idle', 'failed'].includes(mounted.chat.recovery.name));
      await cross();
      const held = await truth();
      expect(held.filter((line) => line === `user: ${TEXT}`)).toHaveLength(1);
      expect(mounted.pending()).toEqual([]);
      expect(mounted.screen()).toEqual(held);
      expect(mounted.chat.recovery.name).toBe(scenario === 'unclassified' ? 'failed' : 'idle');
    },
  );
});
