import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { en } from '../../src/i18n/en.ts';
import type { AnyChat } from '../../src/ui/acting.ts';
import { ChatErrors } from '../../src/ui/ChatErrors.tsx';
import { ConnectionStatus } from '../../src/ui/ConnectionStatus.tsx';
import { ErrorBanner } from '../../src/ui/ErrorBanner.tsx';
import { MessageError } from '../../src/ui/MessageError.tsx';
import { PendingSends } from '../../src/ui/PendingSends.tsx';
import { ErrorToasts } from '../../src/ui/toast/ErrorToasts.tsx';
import { chatOf, failedChat, message, pending } from './support/chat.ts';
import { failureOf } from './support/failures.ts';
import { expectAccessible, listen, showPage } from './support/page.tsx';

const messages = [
  message('u1', 'user', 'One?'),
  message('a1', 'assistant', 'One.'),
  message('u2', 'user', 'Two?'),
  message('a2', 'assistant', 'Two.'),
];
const replyFailed = (messageId: string) =>
  failureOf(
    { code: 'provider_overloaded', retryable: true },
    { phase: 'stream', committed: 'yes', messageId },
  );
const notSent = failureOf({ code: 'provider_overloaded' });

/** Where failures stand: the component, and `app` or `drop-in`. */
const places = () =>
  [...document.querySelectorAll('[data-helix-card], [data-helix-ui="connection-status"]')].map(
    (element) =>
      `${element.getAttribute('data-helix-ui')} in ${element.closest('[data-helix-ui="chat-errors"]') ? 'drop-in' : 'app'}`,
  );
const rows = (chat: AnyChat) =>
  chat.messages.map(({ id }) => <MessageError key={id} chat={chat} messageId={id} />);

describe('ChatErrors', () => {
  it('draws a failure of the last reply first, before what is about the next message', async () => {
    const chat = failedChat(replyFailed('a2'), {
      messages,
      pendingSends: [pending('p1', 'Three')],
    });
    await showPage(<ChatErrors chat={chat} />);
    const drawn = [...document.querySelectorAll('[data-helix-ui="chat-errors"] > *')];
    expect(drawn.map((element) => element.getAttribute('data-helix-ui'))).toEqual([
      'message-error',
      'pending-sends',
    ]);
    await expectAccessible();
  });

  it('leaves a reply to the row that has a slot for it, and is read out once', async () => {
    const chat = failedChat(replyFailed('a2'), { messages });
    const calm = chatOf({ messages });
    const { show, world } = await showPage(
      <>
        {rows(calm)}
        <ChatErrors chat={calm} />
      </>,
    );
    const heard = listen();
    await show(
      <>
        {rows(chat)}
        <ChatErrors chat={chat} />
      </>,
    );
    await world.advance(3_000);
    expect(places()).toEqual(['message-error in app']);
    expect(heard).toHaveLength(1);
  });

  it('tells of a failure of an earlier reply by a toast, unless its row has a slot', async () => {
    const chat = failedChat(replyFailed('a1'), { messages });
    const { show } = await showPage(<ChatErrors chat={chat} />);
    expect(places()).toEqual(['error-toast in drop-in']);
    await show(
      <>
        {rows(chat)}
        <ChatErrors chat={chat} />
      </>,
    );
    expect(places()).toEqual(['message-error in app']);
  });

  it('shows a failure of a reply though no message is on the page', async () => {
    await showPage(<ChatErrors chat={failedChat(replyFailed('gone'))} />);
    expect(places()).toEqual(['error-toast in drop-in']);
  });

  it('leaves out whatever the app has placed itself for this chat, and nothing for another', async () => {
    const chat = failedChat(notSent, { pendingSends: [pending('p1', 'Three')] });
    const { show, world } = await showPage(
      <>
        <ConnectionStatus chat={{ ...chat, offline: true }} />
        <PendingSends chat={chat} />
        <ErrorBanner chat={chat} />
        <ChatErrors chat={{ ...chat, offline: true }} />
      </>,
    );
    await world.advance(1_000);
    expect(places()).toEqual(['connection-status in app', 'error-banner in app']);
    expect(document.querySelectorAll('[data-helix-ui="pending-sends"]')).toHaveLength(1);
    await show(
      <>
        <ErrorBanner chat={{ ...chat, id: 'other' }} />
        <ChatErrors chat={chat} />
      </>,
    );
    expect(places()).toContain('error-banner in drop-in');
  });

  it('leaves toasts to those that the app has placed, and then no banner has them either', async () => {
    const stop = failureOf({ code: 'transport_error' }, { phase: 'stop', committed: 'yes' });
    const chat = failedChat(stop);
    const { show } = await showPage(<ChatErrors chat={chat} />);
    expect(places()).toEqual(['error-toast in drop-in']);
    await show(
      <>
        <ErrorToasts chat={chat} />
        <ChatErrors chat={chat} />
      </>,
    );
    expect(places()).toEqual(['error-toast in app']);
  });

  it('draws the bubbles of pending messages only where the list of the app does not', async () => {
    const pendingSends = [pending('p1', 'Three')];
    const { show } = await showPage(<ChatErrors chat={chatOf({ pendingSends })} />);
    const bubbles = () => document.querySelectorAll('[data-helix-part="bubble"]').length;
    expect(bubbles()).toBe(1);
    await show(<ChatErrors chat={chatOf({ pendingSends, pendingInMessages: true })} />);
    expect(bubbles()).toBe(0);
    await expect.element(page.getByText(en.pending.states.waitingForReply)).toBeVisible();
  });

  it('keeps focus in a failure of a reply while another try is under way', async () => {
    const chat = failedChat(replyFailed('a2'), { messages, act: () => new Promise(() => {}) });
    const { show, world } = await showPage(<ChatErrors chat={chat} />);
    const repeat = page.getByRole('button', { name: en.actions['new-reply'] });
    await userEvent.click(repeat);
    const without = messages.slice(0, 3);
    await show(
      <ChatErrors
        chat={chatOf({
          messages: without,
          recovery: { name: 'sending', since: world.now(), attempt: 1 },
        })}
      />,
    );
    await expect.element(repeat).toHaveFocus();
    await expect.element(repeat).toHaveAttribute('aria-disabled', 'true');
    await show(<ChatErrors chat={chatOf({ messages })} />);
    await expect.element(page.getByRole('textbox')).toHaveFocus();
  });

  it('takes plain data of another state owner', async () => {
    const acts: string[] = [];
    await showPage(
      <ChatErrors
        view={{
          failure: {
            failureId: 'f1',
            title: en.titles.notSent,
            cause: en.causes.unclassified,
            severity: 'warning',
            severityLabel: en.severities.warning,
            surface: 'banner',
            announce: 'none',
            actions: [{ id: 'send-again', label: en.actions['send-again'], primary: true }],
          },
          pending: [pending('p1', 'Three')],
        }}
        onAction={(action, options) => {
          acts.push(`${action} ${options?.id ?? ''}`.trim());
        }}
      />,
    );
    await userEvent.click(page.getByRole('button', { name: en.actions['send-again'] }));
    await userEvent.click(page.getByRole('button', { name: en.actions['take-back'] }));
    expect(acts).toEqual(['send-again', 'take-back p1']);
  });

  it('draws nothing, and nothing breaks, without a chat', async () => {
    await showPage(<ChatErrors />);
    expect(document.querySelector('[data-helix-ui="chat-errors"]')?.children).toHaveLength(0);
  });

  it('offers a way to the text at its row where the banner has none', async () => {
    const forbidden = failureOf({ code: 'transport_error', reason: 'forbidden', retryable: false });
    const pendingSends = [pending('p1', 'Three', { state: 'failed', failure: forbidden })];
    const own = () => [
      { id: 'start-new', label: 'Start over', onAct() {} },
      { id: 'sign-in', label: 'Sign in', onAct() {} },
    ];
    await showPage(<ChatErrors chat={failedChat(forbidden, { pendingSends })} />, { actions: own });
    const buttons = [...document.querySelectorAll('[data-helix-action]')];
    expect(buttons.map((button) => button.getAttribute('data-helix-action'))).toEqual([
      'take-back',
      'start-new',
      'sign-in',
    ]);
  });

  it('marks a reply that was stopped, without a word of failure', async () => {
    const stopped = [
      ...messages.slice(0, 3),
      { ...message('a2', 'assistant', 'Tw'), metadata: { helixInterrupted: true } },
    ];
    const { world } = await showPage(<ChatErrors chat={chatOf({ messages: stopped })} />);
    const heard = listen();
    await world.advance(2_000);
    await expect.element(page.getByRole('group', { name: en.stoppedMark })).toBeVisible();
    expect(document.querySelectorAll('[data-helix-ui] button')).toHaveLength(0);
    expect(document.querySelector('[data-helix-icon="warning"]')).toBeNull();
    expect(heard).toEqual([]);
    await expectAccessible();
  });
});
