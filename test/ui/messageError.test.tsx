import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Failure, FailureAction } from '../../src/errors/failure.ts';
import { en } from '../../src/i18n/en.ts';
import type { AnyChat } from '../../src/ui/acting.ts';
import { MessageError } from '../../src/ui/MessageError.tsx';
import { chatOf, failedChat, message } from './support/chat.ts';
import { failureOf } from './support/failures.ts';
import { expectAccessible, listen, showPage } from './support/page.tsx';

const button = (action: FailureAction) =>
  page.getByRole('button', { name: en.actions[action], exact: true });

const transcript = [
  message('u1', 'user', 'One?'),
  message('a1', 'assistant', 'One.'),
  message('u2', 'user', 'Two?'),
  message('a2', 'assistant', 'Tw'),
];

/** The conversation with an error slot in each row. */
const rows = (chat: AnyChat, props: { role?: string } = {}) => (
  <div {...props}>
    {chat.messages.map(({ id }) => (
      <div key={id} data-helix-message={id} data-testid={id}>
        <p>{id}</p>
        <MessageError chat={chat} messageId={id} />
      </div>
    ))}
  </div>
);

const cut = (messageId?: string): Failure =>
  failureOf(
    { code: 'transport_stream_drop', reason: 'cut' },
    { phase: 'stream', committed: 'yes', ...(messageId !== undefined && { messageId }) },
  );

/** The rows in which an error stands. */
const places = () =>
  [...document.querySelectorAll('[data-helix-ui="message-error"]')].map((element) =>
    element.closest('[data-helix-message]')?.getAttribute('data-helix-message'),
  );

describe('MessageError', () => {
  it.each([
    ['the reply it names', 'a1', 'a1'],
    ['the reply to the message it names', 'u1', 'a1'],
    ['the last message, where it names one that is not there', 'gone', 'a2'],
    ['the last message, where it names none', undefined, 'a2'],
  ])('stands at %s', async (_, named, place) => {
    await showPage(rows(failedChat(cut(named), { messages: transcript })));
    expect(places()).toEqual([place]);
  });

  it('stands at the message where no reply has begun, and not at a pending one', async () => {
    const pendingMessage = message('p1', 'user', 'Later');
    const messages = [...transcript.slice(0, 3), pendingMessage];
    const chat = failedChat(cut('u2'), {
      messages,
      pendingSends: [{ id: 'p1', message: pendingMessage, state: 'held' }],
      pendingInMessages: true,
    });
    const { show } = await showPage(rows(chat));
    expect(places()).toEqual(['u2']);
    await show(rows({ ...chat, failure: cut() }));
    expect(places()).toEqual(['u2']);
  });

  it('says what happened, marks its severity in words, and is accessible', async () => {
    await showPage(rows(failedChat(cut('a2'), { messages: transcript })));
    const card = page.getByRole('group', { name: en.titles.replyIncomplete });
    await expect.element(card).toHaveTextContent(en.safety.incomplete);
    await expect.element(card).toHaveTextContent(en.severities.warning);
    await expectAccessible();
  });

  it('leaves what has no reply to the banner', async () => {
    const failure = failureOf({ code: 'provider_overloaded' }, { messageId: 'u2' });
    await showPage(rows(failedChat(failure, { messages: transcript })));
    expect(places()).toEqual([]);
  });

  it('keeps its place busy until the outcome of a press is known, then gives focus to the reply', async () => {
    const failure = failureOf(
      { code: 'provider_overloaded', retryable: true },
      { phase: 'stream', committed: 'yes', messageId: 'a2' },
    );
    const chat = failedChat(failure, { messages: transcript, act: () => new Promise(() => {}) });
    const { show, world } = await showPage(rows(chat));
    const element = button('new-reply').element() as HTMLElement;
    await userEvent.click(element);
    expect(chat.acts).toEqual([['new-reply', undefined]]);
    const sending = chatOf({
      messages: transcript,
      recovery: { name: 'sending', since: world.now(), attempt: 1 },
    });
    await show(rows(sending));
    expect(document.activeElement).toBe(element);
    await expect.element(button('new-reply')).toHaveAttribute('aria-disabled', 'true');
    const streaming = chatOf({
      messages: transcript,
      recovery: { name: 'streaming', since: world.now(), own: true },
    });
    await show(rows(streaming));
    expect(places()).toEqual([]);
    await expect.element(page.getByTestId('a2')).toHaveFocus();
  });

  it('is free again when the try has failed, and says so again', async () => {
    const failed = () =>
      failureOf(
        { code: 'provider_overloaded', retryable: true },
        { phase: 'stream', committed: 'yes', messageId: 'a2' },
      );
    const chat = failedChat(failed(), { messages: transcript, act: () => new Promise(() => {}) });
    const { show, world } = await showPage(rows(chat));
    const heard = listen();
    await world.advance(500);
    await userEvent.click(button('new-reply'));
    await show(
      rows(
        chatOf({
          messages: transcript,
          recovery: { name: 'sending', since: world.now(), attempt: 1 },
        }),
      ),
    );
    await world.advance(500);
    await show(rows(failedChat(failed(), { messages: transcript })));
    await world.advance(500);
    await expect.element(button('new-reply')).not.toHaveAttribute('aria-disabled');
    await expect.element(button('new-reply')).toHaveFocus();
    expect(heard).toHaveLength(2);
    expect(heard[0]).toBe(heard[1]);
    expect(heard[0]).toMatch(/^alert: No reply\./);
  });

  it('is not announced again by a rerender, nor politely within a live list', async () => {
    const chat = failedChat(cut('a2'), { messages: transcript });
    const { show, world } = await showPage(rows(chat));
    const heard = listen();
    await world.advance(500);
    await show(rows({ ...chat }));
    await show(rows({ ...chat, messages: [...transcript] }));
    await world.advance(5_000);
    expect(heard).toEqual([expect.stringMatching(/^status: Reply incomplete\./)]);
    await show(null);
    await world.advance(10_000);
    await show(rows({ ...chat, failure: { ...cut('a2'), id: 'other' } }, { role: 'log' }));
    await world.advance(1_000);
    expect(heard).toHaveLength(1);
  });
});

describe('the mark of a reply that stays a part', () => {
  it('stands at the reply, without actions, while its failure stands in the banner', async () => {
    const unreadable = failureOf(
      { code: 'state_history_incomplete', reason: 'corrupt_row', retryable: false },
      { phase: 'snapshot', committed: 'yes', messageId: 'u2', incomplete: true },
    );
    await showPage(rows(failedChat(unreadable, { messages: transcript })));
    expect(places()).toEqual(['a2']);
    await expect.element(page.getByRole('group', { name: en.incompleteMark })).toBeVisible();
    expect(document.querySelectorAll('[data-helix-ui="message-error"] button')).toHaveLength(0);
    await expectAccessible();
  });

  it('is not drawn for a failed read that cut no reply', async () => {
    const unread = failureOf(
      { code: 'state_history_incomplete', reason: 'corrupt_row', retryable: false },
      { phase: 'snapshot', committed: 'yes', messageId: 'u2' },
    );
    await showPage(rows(failedChat(unread, { messages: transcript })));
    expect(places()).toEqual([]);
  });
});
