import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { en } from '../../src/i18n/en.ts';
import type { PendingSend } from '../../src/recovery/ports.ts';
import { ErrorBanner } from '../../src/ui/ErrorBanner.tsx';
import { PendingSends } from '../../src/ui/PendingSends.tsx';
import { chatOf, failedChat, pending } from './support/chat.ts';
import { failureOf } from './support/failures.ts';
import { expectAccessible, listen, showPage } from './support/page.tsx';

const { 'send-again': again, 'take-back': back, edit } = en.actions;
const names = () =>
  [...document.querySelectorAll('[data-helix-ui="pending-sends"] button')].map((element) =>
    element.getAttribute('aria-label'),
  );
const list = (...pendingSends: PendingSend[]) => chatOf({ pendingSends });

describe('PendingSends', () => {
  it('draws nothing without pending messages', async () => {
    await showPage(<PendingSends chat={chatOf()} />);
    expect(document.querySelector('[data-helix-ui]')).toBeNull();
  });

  it.each([
    [{ state: 'held', cause: 'foreign-run' }, en.pending.states.waitingForReply, [back]],
    [{ state: 'held', cause: 'own-run' }, en.pending.states.waitingForReply, [back]],
    [{ state: 'held', cause: 'asked' }, en.pending.states.asked, [back]],
    [{ state: 'held', cause: 'awaiting-answer' }, en.pending.states.awaitingAnswer, [again, back]],
    [{ state: 'held', cause: 'queue-paused' }, en.pending.states.queuePaused, [again, back]],
    [{ state: 'held', cause: 'slept' }, en.pending.states.slept, [again, back]],
    [{ state: 'parked' }, en.pending.states.parked, [again, back]],
    [{ state: 'restored' }, en.pending.states.restored, [again, back]],
    [
      { state: 'failed', failure: failureOf({ code: 'provider_overloaded' }) },
      en.pending.states.failed,
      [again, back],
    ],
    [
      { state: 'failed', failure: failureOf({ code: 'validation_error' }) },
      en.pending.states.failed,
      [edit, back],
    ],
  ] as const)(
    'says where a message stands and offers the ways out of it (%#)',
    async (init, words, actions) => {
      await showPage(<PendingSends chat={list(pending('p1', 'Hello', init))} />);
      const row = page.getByRole('listitem');
      await expect.element(row).toHaveTextContent(words);
      await expect.element(row).toHaveAttribute('data-helix-state', init.state);
      expect(names()).toEqual(actions.map((label) => `${label}, Hello`));
      await expectAccessible();
    },
  );

  it('acts on the message of its row, by buttons of different names', async () => {
    const chat = list(pending('p1', 'Hello there'), pending('p2', 'Goodbye', { state: 'parked' }));
    await showPage(<PendingSends chat={chat} />);
    expect(new Set(names()).size).toBe(3);
    await userEvent.click(page.getByRole('button', { name: `${back}, Hello there` }));
    await userEvent.click(page.getByRole('button', { name: `${again}, Goodbye` }));
    expect(chat.acts).toEqual([
      ['take-back', 'p1'],
      ['send-again', 'p2'],
    ]);
  });

  it('leaves the acting to a banner that stands for the same failure', async () => {
    const failure = failureOf({ code: 'provider_overloaded' });
    const chat = failedChat(failure, {
      pendingSends: [pending('p1', 'Hello', { state: 'failed', failure })],
    });
    const { show } = await showPage(
      <>
        <PendingSends chat={chat} />
        <ErrorBanner chat={chat} />
      </>,
    );
    expect(names()).toEqual([]);
    await expect.element(page.getByRole('listitem')).toHaveTextContent(en.pending.states.failed);
    await show(<PendingSends chat={chat} />);
    expect(names()).toHaveLength(2);
  });

  it('draws text and files as they are, and names files that a reload has lost', async () => {
    const text = '<b>bold</b>\n  second line';
    const chat = list(
      pending('p1', text, {
        state: 'restored',
        files: ['a-long-report-name.pdf'],
        lostFiles: ['big.zip'],
      }),
    );
    await showPage(<PendingSends chat={chat} />);
    const bubble = document.querySelector('[data-helix-part="bubble"]');
    expect(bubble?.textContent).toBe(text);
    expect(bubble?.children).toHaveLength(0);
    expect(document.querySelector('[data-helix-part="file"]')?.textContent).toBe(
      'a-long-report-name.pdf',
    );
    await expect.element(page.getByRole('listitem')).toHaveTextContent(/Not kept: .*big\.zip/);
  });

  it('draws only states and buttons where the list of messages shows the texts already', async () => {
    const chat = chatOf({ pendingSends: [pending('p1', 'Hello')], pendingInMessages: true });
    await showPage(<PendingSends chat={chat} />);
    expect(document.querySelector('[data-helix-part="bubble"]')).toBeNull();
    await expect.element(page.getByRole('listitem', { name: 'Hello' })).toBeInTheDocument();
    expect(names()).toEqual([`${back}, Hello`]);
  });

  it('gives focus to the next row, the one before, then the composer', async () => {
    const [one, two, three] = ['One', 'Two', 'Three'].map((text) => pending(text, text)) as [
      PendingSend,
      PendingSend,
      PendingSend,
    ];
    const { show } = await showPage(<PendingSends chat={list(one, two, three)} />);
    const of = (text: string) => page.getByRole('button', { name: `${back}, ${text}` });
    await userEvent.click(of('Two'));
    await show(<PendingSends chat={list(one, three)} />);
    await expect.element(of('Three')).toHaveFocus();
    await show(<PendingSends chat={list(one)} />);
    await expect.element(of('One')).toHaveFocus();
    await show(<PendingSends chat={list()} />);
    await expect.element(page.getByRole('textbox', { name: 'Message' })).toHaveFocus();
  });

  it('tells of a new message once, with the count, and leaves failures to their own surface', async () => {
    const { show, world } = await showPage(<PendingSends chat={list()} />);
    const heard = listen();
    await world.advance(200);
    await show(<PendingSends chat={list(pending('p1', 'One'))} />);
    await world.advance(2_000);
    await show(<PendingSends chat={list(pending('p1', 'One'), pending('p2', 'Two'))} />);
    await world.advance(2_000);
    await show(<PendingSends chat={list(pending('p1', 'One'))} />);
    await world.advance(2_000);
    const failure = failureOf({ code: 'provider_overloaded' });
    await show(<PendingSends chat={list(pending('p1', 'One', { state: 'failed', failure }))} />);
    await world.advance(10_000);
    expect(heard).toEqual(['status: 1 message not sent yet', 'status: 2 messages not sent yet']);
  });
});
