import { describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { FailureAction } from '../../src/errors/failure.ts';
import { en } from '../../src/i18n/en.ts';
import { createManualWorld } from '../../src/testing/manualWorld.ts';
import { ErrorBanner } from '../../src/ui/ErrorBanner.tsx';
import { backingOff, chatOf, failedChat } from './support/chat.ts';
import { failureOf } from './support/failures.ts';
import { expectAccessible, listen, showPage } from './support/page.tsx';

const overloaded = () => failureOf({ code: 'provider_overloaded' });
const button = (action: FailureAction) =>
  page.getByRole('button', { name: en.actions[action], exact: true });

describe('ErrorBanner', () => {
  it('draws nothing while nothing is wrong', async () => {
    await showPage(<ErrorBanner chat={chatOf()} />);
    expect(document.querySelector('[data-helix-ui]')).toBeNull();
  });

  it('says what happened, what became of the message and what can be done', async () => {
    await showPage(<ErrorBanner chat={failedChat(overloaded())} />);
    const banner = page.getByRole('group', { name: 'Message not sent' });
    await expect.element(banner).toHaveAttribute('data-helix-severity', 'warning');
    await expect.element(banner).toHaveTextContent('Warning');
    await expect.element(banner).toHaveTextContent('its text is kept');
    await expect.element(button('send-again')).toBeVisible();
    await expectAccessible();
  });

  it.each([
    ['notice', failureOf({ code: 'state_already_running' }), 'Notice'],
    ['warning', failureOf({ code: 'validation_error' }), 'Warning'],
    ['blocking', failureOf({ code: 'provider_auth_error' }), 'Problem'],
  ] as const)('shows the severity %s as an icon and as a word', async (severity, failure, word) => {
    await showPage(<ErrorBanner chat={failedChat(failure)} />);
    const banner = page.getByRole('group');
    await expect.element(banner).toHaveAttribute('data-helix-severity', severity);
    await expect.element(banner).toHaveTextContent(word);
    expect(document.querySelector(`[data-helix-icon="${severity}"]`)).not.toBeNull();
  });

  it('leaves a failure of a reply to the reply', async () => {
    const failure = failureOf(
      { code: 'transport_stream_drop' },
      { phase: 'stream', committed: 'yes' },
    );
    await showPage(<ErrorBanner chat={failedChat(failure)} />);
    expect(document.querySelector('[data-helix-ui]')).toBeNull();
  });

  it('runs an action once, however often it is pressed', async () => {
    const chat = failedChat(overloaded(), { act: () => new Promise(() => {}) });
    await showPage(<ErrorBanner chat={chat} />);
    const element = button('send-again').element() as HTMLElement;
    element.click();
    element.click();
    await expect.element(button('send-again')).toHaveAttribute('aria-disabled', 'true');
    element.click();
    expect(chat.acts).toEqual([['send-again', undefined]]);
    expect(element.hasAttribute('disabled')).toBe(false);
  });

  it('names the pending message that failed', async () => {
    const failure = overloaded();
    const chat = failedChat(failure, {
      pendingSends: [
        { id: 'p1', message: { id: 'p1', role: 'user', parts: [] }, state: 'failed', failure },
      ],
    });
    await showPage(<ErrorBanner chat={chat} />);
    await userEvent.click(button('send-again'));
    expect(chat.acts).toEqual([['send-again', 'p1']]);
  });

  it('counts down to the next try of a send, silently, and ends by a press or by itself', async () => {
    const world = createManualWorld();
    const waiting = chatOf({
      status: 'submitted',
      recovery: backingOff(overloaded(), world.now(), 12_000),
    });
    const { show } = await showPage(<ErrorBanner chat={waiting} />, { world });
    const heard = listen();
    const timer = page.getByRole('timer');
    await expect.element(timer).toHaveTextContent('Next try: in 12 seconds');
    await world.advance(2_000);
    await expect.element(timer).toHaveTextContent('in 10 seconds');
    await world.advance(1_000);
    await expect.element(timer).toHaveTextContent('in 9 seconds');
    await world.advance(8_900);
    await expect.element(timer).toHaveTextContent('in 1 second');
    expect(heard.filter((text) => text.includes('Next try'))).toHaveLength(1);
    expect(heard.every((text) => text.startsWith('status:'))).toBe(true);
    await userEvent.click(button('try-now'));
    await userEvent.click(button('stop-waiting'));
    expect(waiting.acts.map(([action]) => action)).toEqual(['try-now', 'stop-waiting']);
    await show(
      <ErrorBanner
        chat={chatOf({ status: 'streaming', recovery: { name: 'streaming', since: 0, own: true } })}
      />,
    );
    expect(page.getByRole('timer').query()).toBeNull();
  });

  it('does not mention a wait under a second, nor a send that waits for the network', async () => {
    const world = createManualWorld();
    const short = chatOf({ recovery: backingOff(overloaded(), world.now(), 900) });
    const { show } = await showPage(<ErrorBanner chat={short} />, { world });
    expect(document.querySelector('[data-helix-ui]')).toBeNull();
    const recovery = backingOff(overloaded(), world.now(), 30_000, { cause: 'offline' });
    await show(<ErrorBanner chat={chatOf({ recovery, offline: true })} />);
    expect(document.querySelector('[data-helix-ui]')).toBeNull();
  });

  it("keeps a try closed for a server's stated wait, and for no pause of our own", async () => {
    const world = createManualWorld();
    const stated = backingOff(overloaded(), world.now(), 5_000, { cause: 'stated-wait' });
    const chat = chatOf({ recovery: stated });
    const { show } = await showPage(<ErrorBanner chat={chat} />, { world });
    await expect.element(button('try-now')).toHaveAttribute('aria-disabled', 'true');
    await expect.element(button('try-now')).toHaveAccessibleDescription(/Next try: in 5 seconds/);
    (button('try-now').element() as HTMLElement).click();
    expect(chat.acts).toEqual([]);
    for (const cause of ['backoff', 'budget', 'breaker'] as const) {
      await show(
        <ErrorBanner
          chat={chatOf({ recovery: backingOff(overloaded(), world.now(), 5_000, { cause }) })}
        />,
      );
      await expect.element(button('try-now')).not.toHaveAttribute('aria-disabled');
    }
  });

  it('stays under a focused try, busy while it is made, and resolves without losing focus', async () => {
    const world = createManualWorld();
    const { show } = await showPage(
      <ErrorBanner chat={chatOf({ recovery: backingOff(overloaded(), world.now(), 5_000) })} />,
      { world },
    );
    const element = button('try-now').element() as HTMLElement;
    element.focus();
    await show(
      <ErrorBanner
        chat={chatOf({ recovery: { name: 'sending', since: world.now(), attempt: 2 } })}
      />,
    );
    expect(document.activeElement).toBe(element);
    await show(
      <ErrorBanner
        chat={chatOf({ recovery: { name: 'streaming', since: world.now(), own: true } })}
      />,
    );
    await expect.element(page.getByRole('group', { name: 'Recovered' })).toBeVisible();
    await expect.element(button('dismiss')).toHaveFocus();
    await userEvent.tab();
    expect(document.querySelector('[data-helix-ui]')).toBeNull();
  });

  it('gives focus to the composer, caret at the end, when a press takes it away', async () => {
    const { show } = await showPage(<ErrorBanner chat={failedChat(overloaded())} />);
    await userEvent.click(button('take-back'));
    await show(<ErrorBanner chat={chatOf()} />);
    const composer = page.getByRole('textbox', { name: 'Message' });
    await expect.element(composer).toHaveFocus();
    expect((composer.element() as HTMLTextAreaElement).selectionStart).toBe('draft'.length);
  });

  it('gives focus to the composer when it is unmounted with focus inside', async () => {
    const { show } = await showPage(<ErrorBanner chat={failedChat(overloaded())} />);
    (button('send-again').element() as HTMLElement).focus();
    await show(null);
    await expect.element(page.getByRole('textbox', { name: 'Message' })).toHaveFocus();
  });

  it('never takes focus when it appears', async () => {
    const { show } = await showPage(<ErrorBanner chat={chatOf()} />);
    const composer = page.getByRole('textbox', { name: 'Message' });
    (composer.element() as HTMLElement).focus();
    await show(<ErrorBanner chat={failedChat(overloaded())} />);
    await expect.element(composer).toHaveFocus();
  });

  it('describes the composer while it stands', async () => {
    const { show } = await showPage(<ErrorBanner chat={failedChat(overloaded())} />);
    const composer = page.getByRole('textbox', { name: 'Message' });
    await expect
      .element(composer)
      .toHaveAccessibleDescription(/Message not sent.*its text is kept/);
    await show(<ErrorBanner chat={chatOf()} />);
    await expect.element(composer).not.toHaveAttribute('aria-describedby');
  });

  it('is closed by Escape from inside only, and only where it can be dismissed', async () => {
    const dismissible = failedChat(
      failureOf({ code: 'transport_error' }, { phase: 'stop', committed: 'yes' }),
    );
    const { show } = await showPage(<ErrorBanner chat={dismissible} />);
    await userEvent.click(page.getByRole('textbox'));
    await userEvent.keyboard('{Escape}');
    expect(dismissible.acts).toEqual([]);
    (button('dismiss').element() as HTMLElement).focus();
    await userEvent.keyboard('{Escape}');
    expect(dismissible.acts).toEqual([['dismiss', undefined]]);
    const chat = failedChat(overloaded());
    await show(<ErrorBanner chat={chat} />);
    (button('send-again').element() as HTMLElement).focus();
    await userEvent.keyboard('{Escape}');
    expect(chat.acts).toEqual([]);
  });

  it("draws the app's own actions, and none of them without its handler", async () => {
    const failure = failureOf({ code: 'transport_error', reason: 'signed-out', retryable: false });
    const { show } = await showPage(<ErrorBanner chat={failedChat(failure)} />);
    expect(button('sign-in').query()).toBeNull();
    await expect.element(button('take-back')).toBeVisible();
    const signIn = vi.fn();
    await show(null);
    await showPage(<ErrorBanner chat={failedChat(failure)} />, {
      actions: () => [{ id: 'sign-in', label: 'Log in', primary: true, onAct: signIn }],
    });
    await expect
      .element(page.getByRole('button', { name: 'Log in' }))
      .toHaveAttribute('data-helix-button', 'filled');
    await userEvent.click(page.getByRole('button', { name: 'Log in' }));
    expect(signIn).toHaveBeenCalledExactlyOnceWith(failure);
  });

  it('copies the support reference, or shows it where that does not work', async () => {
    const copied: string[] = [];
    const world = { ...createManualWorld(), copy: async (text: string) => void copied.push(text) };
    const failure = failureOf({ code: 'provider_auth_error', requestId: 'req_123' });
    const chat = failedChat(failure);
    const { show } = await showPage(<ErrorBanner chat={chat} />, { world });
    const heard = listen();
    await world.advance(5_000);
    await userEvent.click(button('copy-ref'));
    await world.advance(1_500);
    expect(copied).toEqual(['req_123']);
    expect(heard.at(-1)).toBe(`status: ${en.names.referenceCopied}`);
    expect(document.body.textContent).not.toContain('req_123');
    world.copy = () => Promise.reject(new Error('denied'));
    await show(<ErrorBanner chat={{ ...chat }} />);
    await userEvent.click(button('copy-ref'));
    await expect.element(page.getByText('req_123')).toHaveAttribute('dir', 'ltr');
    await world.advance(1_500);
    expect(heard.at(-1)).toBe(`status: ${en.causes.situations.copyFailed}`);
    expect(chat.acts).toEqual([]);
  });

  it('offers no copy where there is no clipboard', async () => {
    await showPage(<ErrorBanner chat={failedChat(failureOf({ code: 'provider_auth_error' }))} />);
    expect(button('copy-ref').query()).toBeNull();
  });

  it('passes ref, class, style and other props on', async () => {
    const ref = vi.fn();
    await showPage(
      <ErrorBanner
        chat={failedChat(overloaded())}
        ref={ref}
        className="mine"
        style={{ margin: 3 }}
        data-mine="1"
      />,
    );
    const element = document.querySelector('.mine') as HTMLElement;
    expect(element.dataset.mine).toBe('1');
    expect(element.style.margin).toBe('3px');
    expect(ref).toHaveBeenLastCalledWith(element);
  });
});
