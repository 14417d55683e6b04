import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { FailureAction } from '../../src/errors/failure.ts';
import { en } from '../../src/i18n/en.ts';
import type { PendingSend } from '../../src/recovery/ports.ts';
import type { RecoveryState } from '../../src/recovery/state.ts';
import { ConflictNotice } from '../../src/ui/ConflictNotice.tsx';
import { PendingSends } from '../../src/ui/PendingSends.tsx';
import { chatOf, pending } from './support/chat.ts';
import { expectAccessible, listen, showPage } from './support/page.tsx';

const button = (action: FailureAction) =>
  page.getByRole('button', { name: en.actions[action], exact: true });
const held = pending('p1', 'Please sum up.', { cause: 'foreign-run', files: ['a.txt', 'b.txt'] });

type Waiting = Extract<RecoveryState, { name: 'waiting-on-run' }>;
const waits = (init: Partial<Waiting> = {}, pendingSends: readonly PendingSend[] = [held]) =>
  chatOf({
    recovery: {
      name: 'waiting-on-run',
      since: 0,
      cause: 'foreign-run',
      attached: true,
      stopping: false,
      ...init,
    },
    pendingSends,
  });

describe('ConflictNotice', () => {
  it('waits unasked, and offers to stop the reply or to take the message back', async () => {
    const chat = waits();
    await showPage(<ConflictNotice chat={chat} />);
    const notice = page.getByRole('group', { name: en.conflict.waiting.title });
    await expect.element(notice).toHaveTextContent(en.conflict.waiting.sentence);
    await expect.element(notice).not.toHaveAttribute('data-helix-severity');
    expect(button('wait').query()).toBeNull();
    await expectAccessible();
    await userEvent.click(button('stop-send'));
    await userEvent.click(button('take-back'));
    expect(chat.acts).toEqual([
      ['stop-send', 'p1'],
      ['take-back', 'p1'],
    ]);
  });

  it('asks with the message before the eyes, and only waiting is filled', async () => {
    await showPage(<ConflictNotice chat={waits({ cause: 'asked' })} />);
    await expect.element(page.getByText('Please sum up.')).toBeVisible();
    await expect.element(page.getByText('2 files')).toBeVisible();
    const kinds = [...document.querySelectorAll('[data-helix-button]')].map((element) =>
      element.getAttribute('data-helix-button'),
    );
    expect(kinds).toEqual(['filled', 'bordered', 'plain']);
    await expect.element(button('wait')).toHaveAttribute('data-helix-button', 'filled');
    await expectAccessible();
  });

  it('while stopping keeps the pressed button, busy, with focus', async () => {
    const chat = waits();
    const { show } = await showPage(<ConflictNotice chat={chat} />);
    const element = button('stop-send').element() as HTMLElement;
    await userEvent.click(element);
    await show(<ConflictNotice chat={waits({ stopping: true })} />);
    await expect
      .element(page.getByRole('group', { name: en.conflict.stopping.title }))
      .toBeVisible();
    expect(document.activeElement).toBe(element);
    await expect.element(button('stop-send')).toHaveAttribute('aria-disabled', 'true');
    element.click();
    expect(chat.acts).toHaveLength(1);
  });

  it('leaves for the composer when the reply has ended that a press had stopped', async () => {
    const { show } = await showPage(<ConflictNotice chat={waits()} />);
    await userEvent.click(button('stop-send'));
    await show(<ConflictNotice chat={waits({ stopping: true })} />);
    await show(<ConflictNotice chat={chatOf()} />);
    await expect.element(page.getByRole('textbox', { name: 'Message' })).toHaveFocus();
    expect(document.querySelector('[data-helix-ui="conflict-notice"]')).toBeNull();
  });

  it('stays, resolved and on one row, while it holds focus and the reply ends by itself', async () => {
    const { show } = await showPage(<ConflictNotice chat={waits()} />);
    (button('take-back').element() as HTMLElement).focus();
    await show(<ConflictNotice chat={chatOf()} />);
    const notice = page.getByRole('group', { name: en.severities.recovered }).element();
    expect(notice.textContent).toBe(`${en.severities.recovered}${en.actions.dismiss}`);
    const middleOf = (part: string) => {
      const range = document.createRange();
      range.selectNodeContents(notice.querySelector(`[data-helix-part="${part}"]`) ?? notice);
      const { top, height } = range.getBoundingClientRect();
      return top + height / 2;
    };
    expect(Math.abs(middleOf('title') - middleOf('disc'))).toBeLessThanOrEqual(1);
  });

  it('moves focus from a wait that is chosen to the harmless action, and to the composer at the end', async () => {
    const { show } = await showPage(<ConflictNotice chat={waits({ cause: 'asked' })} />);
    await userEvent.click(button('wait'));
    await show(<ConflictNotice chat={waits()} />);
    await expect.element(button('take-back')).toHaveFocus();
    await userEvent.click(button('take-back'));
    await show(<ConflictNotice chat={chatOf()} />);
    await expect.element(page.getByRole('textbox', { name: 'Message' })).toHaveFocus();
  });

  it('never makes the stopping action the first stop of Tab, either way, after sending', async () => {
    await showPage(<ConflictNotice chat={waits()} />);
    (page.getByRole('textbox', { name: 'Message' }).element() as HTMLElement).focus();
    await userEvent.tab();
    await expect.element(button('stop-send')).not.toHaveFocus();
    (page.getByRole('textbox', { name: 'Message' }).element() as HTMLElement).focus();
    await userEvent.tab({ shift: true });
    await expect.element(button('take-back')).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await expect.element(button('take-back')).toBeVisible();
  });

  it('does not speak of a reply of our own', async () => {
    await showPage(<ConflictNotice chat={waits({ cause: 'own-run' })} />);
    expect(document.querySelector('[data-helix-ui]')).toBeNull();
  });

  it('is said once and politely, with the list silent beside it; a choice is not told again', async () => {
    const both = (chat: ReturnType<typeof waits>) => (
      <>
        <PendingSends chat={chat} />
        <ConflictNotice chat={chat} />
      </>
    );
    const { show, world } = await showPage(both(chatOf()));
    const heard = listen();
    await world.advance(200);
    await show(both(waits({ cause: 'asked' })));
    await world.advance(3_000);
    await userEvent.click(button('wait'));
    await show(both(waits()));
    await show(both(waits({ stopping: true })));
    await world.advance(20_000);
    const { title, sentence } = en.conflict.asking;
    expect(heard).toEqual([`status: ${title}. ${sentence}`]);
  });

  it('carries the one way back of a single message; with several each row has its own', async () => {
    const both = (chat: ReturnType<typeof waits>) => (
      <>
        <PendingSends chat={chat} />
        <ConflictNotice chat={chat} />
      </>
    );
    const { show } = await showPage(both(waits()));
    expect(document.querySelectorAll('[data-helix-action="take-back"]')).toHaveLength(1);
    await expect.element(button('take-back')).toBeVisible();
    await show(
      both(waits({}, [held, pending('p2', 'Then translate.', { cause: 'queue-paused' })])),
    );
    expect(
      [...document.querySelectorAll('[data-helix-action="take-back"]')].map((element) =>
        element.closest('[data-helix-ui]')?.getAttribute('data-helix-ui'),
      ),
    ).toEqual(['pending-sends', 'pending-sends']);
  });
});
