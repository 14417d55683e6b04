import { ChatErrors } from 'helix-chat/ui';
import { describe, expect, it } from 'vitest';
import { en } from '../../src/i18n/en.ts';
import type { FaultScript } from '../../src/testing/faultScript.ts';
import type { StageOptions } from '../../stories/support/stage.ts';
import { showChat } from './support/liveChat.tsx';

const QUESTION = 'How does that differ by plan?';
const start = (options: StageOptions = {}) =>
  showChat({ dock: (chat) => <ChatErrors chat={chat} /> }, { asked: ['Before'], ...options });

/** What the drop-in shows now: each component with its words, and its buttons in brackets. */
function shown(): string[] {
  const lines: string[] = [];
  const drop = document.querySelector('[data-helix-ui="chat-errors"]');
  for (const surface of drop?.querySelectorAll('[data-helix-ui]') ?? []) {
    const words =
      surface.querySelector('[data-helix-part="title"]') ??
      surface.querySelector('[data-helix-part="status"]');
    const buttons = [...surface.querySelectorAll('[data-helix-action]')].map(
      (button) =>
        `${button.getAttribute('data-helix-action')}${button.hasAttribute('aria-disabled') ? ' (closed)' : ''}`,
    );
    lines.push(
      `${surface.getAttribute('data-helix-ui')}: ${words?.textContent} [${buttons.join(', ')}]`,
    );
  }
  return lines;
}

const silent = (request: Request): Promise<Response> | undefined =>
  request.method === 'POST' ? new Promise<Response>(() => {}) : undefined;
const busy: StageOptions['arm'] = [{ on: 'send', fault: { do: 'foreign-run', ms: 20_000 } }];
const overloaded = (retryAfterMs?: number): FaultScript['rules'] => [
  {
    on: 'send',
    times: 9,
    fault: {
      do: 'refuse-typed',
      error: {
        code: 'provider_overloaded',
        ...(retryAfterMs !== undefined && { retryAfterMs }),
      },
    },
  },
];
const unreadable: StageOptions['answer'] = (request) =>
  request.method === 'GET' ? new Response('', { status: 503 }) : undefined;
const cutAndGone: StageOptions['arm'] = [
  { on: 'send', fault: { do: 'break', afterWords: 5, how: 'cut' } },
];

describe('what stands on the page in each state, after how long, and what is heard', () => {
  it('nothing while idle', async () => {
    const chat = await start();
    await chat.pass(60_000);
    expect(shown()).toEqual([]);
    expect(chat.heard).toEqual([]);
    await chat.leave();
  });

  it('sending: a word after ten seconds, with a way to end it, said once', async () => {
    const chat = await start({ answer: silent });
    await chat.send(QUESTION);
    await chat.pass(9_800);
    expect(shown()).toEqual([]);
    await chat.pass(200);
    const slow = `connection-status: ${en.status['sending-slowly']} [stop-waiting]`;
    expect(shown()).toEqual([slow]);
    await chat.pass(5_000);
    expect(shown()).toEqual([slow]);
    expect(chat.heard).toEqual([`status: ${en.status['sending-slowly']}`]);
    await chat.leave();
  });

  it('streaming: nothing while it flows', async () => {
    const chat = await start();
    await chat.send(QUESTION);
    await chat.until('streaming');
    await chat.pass(1_000);
    expect(chat.chat().recovery.name).toBe('streaming');
    expect(shown()).toEqual([]);
    await chat.until('idle');
    expect(chat.heard).toEqual([]);
    await chat.leave();
  });

  it('streaming: a word after fifteen seconds without a byte', async () => {
    const chat = await start({
      arm: [{ on: 'send', fault: { do: 'break', afterWords: 5, how: 'silence' } }],
      chat: { recovery: { idleMs: 60_000 } },
    });
    await chat.send(QUESTION);
    await chat.until('streaming');
    await chat.pass(14_000);
    expect(shown()).toEqual([]);
    await chat.pass(2_000);
    expect(shown()).toEqual([`connection-status: ${en.status['reply-slow']} []`]);
    expect(chat.heard).toEqual([`status: ${en.status['reply-slow']}`]);
    await chat.leave();
  });

  it('resyncing: a word after one second, a way to end it after ten', async () => {
    const chat = await start({
      arm: cutAndGone,
      answer: (request) => (request.method === 'GET' ? new Promise(() => {}) : undefined),
      chat: { recovery: { quietReadMs: 60_000, connectMs: 60_000 } },
    });
    await chat.send(QUESTION);
    await chat.until('resyncing');
    await chat.pass(900);
    expect(shown()).toEqual([]);
    await chat.pass(100);
    expect(shown()).toEqual([`connection-status: ${en.status.reconnecting} []`]);
    await chat.pass(9_000);
    expect(shown()).toEqual([`connection-status: ${en.status.reconnecting} [stop-waiting]`]);
    expect(chat.heard).toEqual([`status: ${en.status.reconnecting}`]);
    await chat.leave();
  });

  it("waiting on another's reply: the notice and the message at once, said once", async () => {
    const chat = await start({ arm: busy });
    await chat.send(QUESTION);
    await chat.until('waiting-on-run');
    await chat.pass(200);
    const words = en.conflict.waiting;
    expect(shown()).toEqual([
      `pending-sends: ${en.pending.states.waitingForReply} []`,
      `conflict-notice: ${words.title} [stop-send, take-back]`,
    ]);
    await chat.pass(5_000);
    expect(chat.heard).toEqual([`status: ${words.title}. ${words.sentence}`]);
    await chat.leave();
  });

  it('asking: the choice to wait as well', async () => {
    const chat = await start({ arm: busy, chat: { onConflict: 'ask' } });
    await chat.send(QUESTION);
    await chat.until('waiting-on-run');
    await chat.pass(200);
    expect(shown().at(-1)).toBe(
      `conflict-notice: ${en.conflict.asking.title} [wait, stop-send, take-back]`,
    );
    await chat.leave();
  });

  it('behind the own reply: the message only', async () => {
    const chat = await start();
    await chat.send(QUESTION);
    await chat.until('streaming');
    await chat.send('And one more thing');
    await chat.pass(400);
    expect(shown()).toEqual([`pending-sends: ${en.pending.states.waitingForReply} [take-back]`]);
    expect(chat.heard).toEqual(['status: 1 message not sent yet']);
    await chat.leave();
  });

  it('backing off: nothing under a second, then the banner with the next try; said once an incident', async () => {
    const chat = await start({ arm: overloaded() });
    await chat.send(QUESTION);
    const seen: string[] = [];
    while (chat.chat().recovery.name !== 'failed') {
      const { recovery } = chat.chat();
      if (recovery.name === 'backing-off') {
        const short = recovery.retryAt - recovery.since < 1_000;
        expect(shown().length, `a wait of ${recovery.retryAt - recovery.since} ms`).toBe(
          short ? 0 : 1,
        );
        seen.push(...shown());
      }
      await chat.pass(250);
    }
    await chat.pass(2_000);
    expect(new Set(seen)).toEqual(
      new Set(
        seen.length > 0 ? [`error-banner: ${en.titles.waiting} [try-now, stop-waiting]`] : [],
      ),
    );
    expect(chat.heard.filter((text) => text.startsWith('alert'))).toHaveLength(1);
    expect(chat.heard.filter((text) => text.includes(en.titles.waiting)).length).toBeLessThan(2);
    await chat.leave();
  });

  it('a stated wait: the repeat is closed until the time, the ear gets the time once, no sound while it runs', async () => {
    const chat = await start({ arm: overloaded(20_000) });
    await chat.send(QUESTION);
    await chat.until('backing-off');
    await chat.pass(500);
    expect(shown()).toEqual([
      `error-banner: ${en.titles.waiting} [try-now (closed), stop-waiting]`,
    ]);
    const heard = [...chat.heard];
    expect(heard).toHaveLength(1);
    expect(heard[0]).toMatch(/^status: .*in 2[01] seconds$/);
    await chat.pass(15_000);
    expect(chat.heard).toEqual(heard);
    await chat.leave();
  });

  it('a read that is tried again: the status, not the banner', async () => {
    const chat = await start({ answer: unreadable });
    await chat.until('backing-off');
    await chat.pass(1_000);
    expect(shown().every((line) => line.startsWith('connection-status: '))).toBe(true);
    await chat.until('failed');
    await chat.pass(2_000);
    expect(shown()).toEqual([expect.stringMatching(`^error-banner: ${en.titles.notLoaded}`)]);
    await chat.leave();
  });

  it('parked by a stop: the message at once, to be sent again or taken back', async () => {
    const chat = await start({ answer: silent });
    await chat.send(QUESTION);
    await chat.pass(1_000);
    void chat.chat().stop();
    await chat.until('idle');
    await chat.pass(200);
    expect(shown()).toEqual([`pending-sends: ${en.pending.states.parked} [send-again, take-back]`]);
    await chat.leave();
  });

  it('a reply put off: its time, and no word of a lost connection', async () => {
    const chat = await start({
      arm: [
        {
          on: 'send',
          fault: {
            do: 'refuse-typed',
            error: { code: 'framework_internal_error', reason: 'deferred', retryAfterMs: 30_000 },
          },
        },
      ],
    });
    await chat.send(QUESTION);
    await chat.pass(1_000);
    expect(shown()).toEqual([
      expect.stringMatching(
        /^connection-status: The reply comes later: in \d\d seconds \[reload\]$/,
      ),
    ]);
    await chat.pass(25_000);
    expect(chat.heard).toEqual([expect.stringContaining('The reply comes later: ')]);
    await chat.leave();
  });

  it('offline: after a second, with a way to try; back again for four seconds', async () => {
    const chat = await start({
      arm: [{ on: 'send', times: 99, fault: { do: 'drop', taken: false } }],
    });
    chat.world.setOnline(false);
    await chat.send(QUESTION);
    await chat.pass(900);
    expect(shown()).toEqual([]);
    await chat.pass(1_000);
    expect(shown()).toEqual([`connection-status: ${en.status.offline} [try-now]`]);
    await chat.pass(60_000);
    expect(shown()).toEqual([`connection-status: ${en.status.offline} [try-now]`]);
    chat.mend();
    chat.world.setOnline(true);
    await chat.until('idle');
    await chat.pass(1_000);
    const back = `connection-status: ${en.status.back} []`;
    expect(shown()).toEqual([back]);
    await chat.pass(4_000);
    expect(shown()).toEqual([]);
    expect(chat.heard).toEqual([`status: ${en.status.offline}`, `status: ${en.status.back}`]);
    await chat.leave();
  });
});
