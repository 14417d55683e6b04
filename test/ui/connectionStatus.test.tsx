import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { FailureAction } from '../../src/errors/failure.ts';
import { en } from '../../src/i18n/en.ts';
import type { RecoveryState } from '../../src/recovery/state.ts';
import type { ManualWorld } from '../../src/testing/manualWorld.ts';
import { createManualWorld } from '../../src/testing/manualWorld.ts';
import { ConnectionStatus } from '../../src/ui/ConnectionStatus.tsx';
import { backingOff, chatOf } from './support/chat.ts';
import { failureOf } from './support/failures.ts';
import { expectAccessible, listen, showPage } from './support/page.tsx';

const button = (action: FailureAction) =>
  page.getByRole('button', { name: en.actions[action], exact: true });
const words = () => document.querySelector('[data-helix-part="status"]')?.textContent ?? undefined;

const resyncing = (world: ManualWorld): RecoveryState => ({
  name: 'resyncing',
  since: world.now(),
  cause: 'cut',
  attached: true,
});
const idle: RecoveryState = { name: 'idle' };
const streaming = (slow: boolean): RecoveryState => ({
  name: 'streaming',
  since: 0,
  own: true,
  slow,
});
const failure = failureOf({ code: 'transport_error', reason: 'network' }, { phase: 'load' });
const status = (recovery: RecoveryState, offline = false) => (
  <ConnectionStatus chat={chatOf({ recovery, offline })} />
);

async function start() {
  const world = createManualWorld();
  const { show } = await showPage(status(idle), { world });
  return { world, show, heard: listen() };
}

describe('ConnectionStatus', () => {
  it('does not mention trouble of less than a second, nor its end', async () => {
    const { world, show, heard } = await start();
    await show(status(resyncing(world)));
    await world.advance(999);
    expect(words()).toBeUndefined();
    await show(status(idle));
    await world.advance(10_000);
    expect(words()).toBeUndefined();
    expect(heard).toEqual([]);
  });

  it('tells of trouble after a second and of its end for four, each once and politely', async () => {
    const { world, show, heard } = await start();
    await show(status(resyncing(world)));
    await world.advance(1_000);
    expect(words()).toBe(en.status.reconnecting);
    await expectAccessible();
    await world.advance(3_000);
    await show(status(streaming(false)));
    await world.advance(0);
    expect(words()).toBe(en.status.back);
    await world.advance(3_999);
    expect(words()).toBe(en.status.back);
    await world.advance(1);
    expect(words()).toBeUndefined();
    await world.advance(10_000);
    expect(heard).toEqual([`status: ${en.status.reconnecting}`, `status: ${en.status.back}`]);
  });

  it('stays at least a second', async () => {
    const { world, show } = await start();
    await show(status(resyncing(world)));
    await world.advance(1_100);
    await show(status(idle));
    await world.advance(899);
    expect(words()).toBe(en.status.reconnecting);
    await world.advance(1);
    expect(words()).toBe(en.status.back);
  });

  it('counts trouble that changes its kind as one', async () => {
    const { world, show } = await start();
    await show(status(resyncing(world)));
    await world.advance(600);
    await show(status(backingOff(failure, world.now(), 800, { of: 'read' })));
    await world.advance(400);
    expect(words()).toBe(en.status.reconnecting);
  });

  it('is not back when it ends in a failure, or because a person stopped waiting', async () => {
    const { world, show } = await start();
    await show(status(resyncing(world)));
    await world.advance(10_000);
    await show(status({ name: 'failed', failure }));
    await world.advance(0);
    expect(words()).toBeUndefined();
    const chat = chatOf({ recovery: resyncing(world) });
    await show(<ConnectionStatus chat={chat} />);
    await world.advance(10_000);
    await userEvent.click(button('stop-waiting'));
    expect(chat.acts).toEqual([['stop-waiting', undefined]]);
    await show(status(idle));
    await world.advance(1_000);
    expect(words()).toBeUndefined();
    await expect.element(page.getByRole('textbox', { name: 'Message' })).toHaveFocus();
  });

  it('offers to end it after ten seconds', async () => {
    const { world, show } = await start();
    await show(status(resyncing(world)));
    await world.advance(9_999);
    expect(button('stop-waiting').query()).toBeNull();
    await world.advance(1);
    await expect.element(button('stop-waiting')).toBeVisible();
    await expectAccessible();
  });

  it('says that a send takes long after ten seconds, and speaks of no return of the connection', async () => {
    const { world, show, heard } = await start();
    await show(status({ name: 'sending', since: world.now(), attempt: 1 }));
    await world.advance(9_999);
    expect(words()).toBeUndefined();
    await world.advance(1);
    expect(words()).toBe(en.status['sending-slowly']);
    await expect.element(button('stop-waiting')).toBeVisible();
    await show(status(streaming(false)));
    await world.advance(1_000);
    expect(words()).toBeUndefined();
    await show(status(streaming(true)));
    await world.advance(0);
    expect(words()).toBe(en.status['reply-slow']);
    await world.advance(5_000);
    expect(heard).toHaveLength(2);
  });

  it('counts down to the next read, silently', async () => {
    const { world, show, heard } = await start();
    const chat = chatOf({ recovery: backingOff(failure, world.now(), 12_000, { of: 'load' }) });
    await show(<ConnectionStatus chat={chat} />);
    await world.advance(1_000);
    expect(words()).toBe('Next try: in 11 seconds');
    await world.advance(2_000);
    expect(words()).toBe('Next try: in 9 seconds');
    await userEvent.click(button('try-now'));
    await userEvent.click(button('stop-waiting'));
    expect(chat.acts.map(([action]) => action)).toEqual(['try-now', 'stop-waiting']);
    await world.advance(8_000);
    expect(heard).toHaveLength(1);
  });

  it('leaves a send that is tried again to the banner', async () => {
    const { world, show } = await start();
    await show(status(backingOff(failure, world.now(), 12_000)));
    await world.advance(5_000);
    expect(words()).toBeUndefined();
  });

  it('says offline, with a try only where something waits', async () => {
    const { world, show } = await start();
    await show(status(idle, true));
    await world.advance(1_000);
    expect(words()).toBe(en.status.offline);
    expect(button('try-now').query()).toBeNull();
    await show(status(backingOff(failure, world.now(), 30_000, { cause: 'offline' }), true));
    await expect.element(button('try-now')).toBeVisible();
    await expectAccessible();
  });

  it('does not go from under focus: it says that it is over until focus leaves', async () => {
    const { world, show } = await start();
    await show(status(backingOff(failure, world.now(), 30_000, { of: 'load' })));
    await world.advance(1_000);
    (button('try-now').element() as HTMLElement).focus();
    await world.advance(1_000);
    await show(status(idle));
    await world.advance(0);
    expect(words()).toBe(en.status.back);
    await world.advance(4_000);
    expect(words()).toBe(en.status.back);
    await expect.element(button('dismiss')).toHaveFocus();
    await userEvent.tab();
    expect(words()).toBeUndefined();
  });

  it('is dismissed at once by a person', async () => {
    const { world, show } = await start();
    await show(status(backingOff(failure, world.now(), 30_000, { of: 'load' })));
    await world.advance(1_000);
    (button('try-now').element() as HTMLElement).focus();
    await world.advance(1_000);
    await show(status(idle));
    await world.advance(0);
    await userEvent.keyboard('{Enter}');
    expect(words()).toBeUndefined();
    await expect.element(page.getByRole('textbox', { name: 'Message' })).toHaveFocus();
  });

  it('takes no space', async () => {
    const { world, show } = await start();
    const top = () => page.getByRole('textbox').element().getBoundingClientRect().top;
    const before = top();
    await show(status(resyncing(world)));
    await world.advance(1_000);
    expect(top()).toBe(before);
  });

  it('leaves no timer and no listener behind', async () => {
    const world = createManualWorld();
    const { show, leave } = await showPage(status(idle), { world });
    await show(status(backingOff(failure, world.now(), 30_000, { of: 'load' })));
    await world.advance(3_000);
    await leave();
    await world.settle();
    expect(world.pending()).toBe(0);
    expect(world.listeners()).toBe(0);
  });
});
