import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Failure, FailureAction } from '../../src/errors/failure.ts';
import { describeError } from '../../src/i18n/describeError.ts';
import { en } from '../../src/i18n/en.ts';
import { createManualWorld } from '../../src/testing/manualWorld.ts';
import type { AnyChat } from '../../src/ui/acting.ts';
import { ErrorBanner } from '../../src/ui/ErrorBanner.tsx';
import { MessageError } from '../../src/ui/MessageError.tsx';
import type { ErrorToastsProps } from '../../src/ui/toast/ErrorToasts.tsx';
import { ErrorToasts } from '../../src/ui/toast/ErrorToasts.tsx';
import { backingOff, chatOf, failedChat, message, pending } from './support/chat.ts';
import { failureOf } from './support/failures.ts';
import { expectAccessible, listen, showPage } from './support/page.tsx';

const button = (action: FailureAction) =>
  page.getByRole('button', { name: en.actions[action], exact: true });
const close = () => button('dismiss');
const toasts = () => [...document.querySelectorAll<HTMLElement>('[data-helix-ui="error-toast"]')];
const titles = () =>
  toasts().map((toast) => toast.querySelector('[data-helix-part="title"]')?.textContent);
const region = () => document.querySelector('[data-helix-ui="error-toasts"]');
const composer = () => page.getByRole('textbox', { name: 'Message' }).element() as HTMLElement;

const stopFailed = (id = 'stop') =>
  failureOf({ code: 'transport_error' }, { id, phase: 'stop', committed: 'yes' });
const notSent = (id = 'send') =>
  failureOf({ code: 'provider_overloaded', retryable: true }, { id });
/** A notice with nothing to do but to put it away. */
const remark = (id = 'remark'): Failure => ({
  ...stopFailed(id),
  severity: 'notice',
  actions: ['dismiss'],
});
const viewOf = (failure: Failure) => describeError(failure, { catalog: en });

// The queue's timers are the page's: they run by hand here.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});
/** Axe waits by the clock. */
const accessible = () => {
  vi.useRealTimers();
  return expectAccessible();
};
const pass = async (ms: number) => {
  await vi.advanceTimersByTimeAsync(ms);
  await new Promise<void>((done) => requestAnimationFrame(() => done()));
};

describe('what becomes a toast', () => {
  it('a failure without a place of its own; the banner leaves it out', async () => {
    const chat = failedChat(stopFailed());
    await showPage(
      <>
        <ErrorToasts chat={chat} />
        <ErrorBanner chat={chat} />
      </>,
    );
    expect(titles()).toEqual([en.titles.stillRunning]);
    expect(document.querySelector('[data-helix-ui="error-banner"]')).toBe(null);
    await accessible();
  });

  it('not what has its place on the page and is seen there', async () => {
    const chat = failedChat(notSent());
    await showPage(
      <>
        <ErrorToasts chat={chat} />
        <ErrorBanner chat={chat} />
      </>,
    );
    await pass(100);
    expect(titles()).toEqual([]);
    expect(region()).toBe(null);
  });

  it('what would have a place, where the page has none', async () => {
    await showPage(<ErrorToasts chat={failedChat(notSent())} />);
    expect(titles()).toEqual([en.titles.notSent]);
  });

  it('nothing for a chat at rest, without a chat, or for a line of the connection', async () => {
    const offline = failureOf({ code: 'transport_error', reason: 'offline' });
    await showPage(
      <>
        <ErrorToasts chat={chatOf()} />
        <ErrorToasts chat={undefined} />
        <ErrorToasts chat={failedChat(offline)} />
      </>,
    );
    expect(titles()).toEqual([]);
  });

  it('a pointer to what is off screen, which leads there and goes when it is seen', async () => {
    await page.viewport(800, 600);
    const failure = failureOf(
      { code: 'transport_stream_drop', reason: 'cut' },
      { phase: 'stream', committed: 'yes', messageId: 'a1' },
    );
    const chat = failedChat(failure, { messages: [message('a1', 'assistant', 'Tw')] });
    await showPage(
      <>
        <ErrorToasts chat={chat} />
        <div style={{ blockSize: 2_000 }} />
        <MessageError chat={chat} messageId="a1" />
        <div style={{ blockSize: 2_000 }} />
      </>,
    );
    const heard = listen();
    await vi.waitFor(() => expect(titles()).toEqual([en.titles.replyIncomplete]));
    const show = page.getByRole('button', { name: en.names.showPlace, exact: true });
    await userEvent.click(show);
    const place = document.querySelector('[data-helix-ui="message-error"]') as HTMLElement;
    expect(place.contains(document.activeElement)).toBe(true);
    await vi.waitFor(() => expect(titles()).toEqual([]));
    expect(place.contains(document.activeElement)).toBe(true);
    expect(heard.length).toBeLessThanOrEqual(1);
  });

  it('every failure, if the app says so: banner and inline errors leave theirs out', async () => {
    const reply = failureOf(
      { code: 'provider_overloaded', retryable: true },
      { phase: 'stream', committed: 'yes', messageId: 'a1' },
    );
    const ui = (chat: AnyChat) => (
      <>
        <ErrorToasts chat={chat} route="all" />
        <MessageError chat={chat} messageId="a1" />
        <ErrorBanner chat={chat} />
      </>
    );
    const messages = [message('a1', 'assistant', '')];
    const { show } = await showPage(ui(failedChat(reply, { messages })));
    expect(titles()).toEqual([en.titles.noReply]);
    expect(document.querySelectorAll('[data-helix-card]')).toHaveLength(1);
    await show(ui(failedChat(notSent(), { messages })));
    expect(titles()).toEqual([en.titles.notSent]);
    expect(document.querySelectorAll('[data-helix-card]')).toHaveLength(1);
  });

  it('failures in words', async () => {
    const onAction = vi.fn();
    await showPage(<ErrorToasts view={viewOf(notSent())} onAction={onAction} />);
    await userEvent.click(button('send-again'));
    expect(onAction).toHaveBeenCalledWith('send-again', undefined);
  });
});

describe('one incident', () => {
  it('is one toast through waiting, trying, failing again and going well', async () => {
    const world = createManualWorld();
    const { show } = await showPage(null, { world });
    const at = (init: Partial<AnyChat>) => <ErrorToasts chat={chatOf(init as object)} />;
    await show(at({ recovery: backingOff(notSent(), world.now(), 20_000) }));
    const [toast] = toasts();
    expect(toast?.dataset.helixState).toBe('waiting');
    await expect.element(button('stop-waiting')).toBeVisible();
    await show(at({ recovery: { name: 'sending', since: world.now(), attempt: 2 } }));
    expect(toast?.dataset.helixState).toBe('trying');
    expect(toast?.textContent).toContain(en.status.trying);
    const failed = notSent();
    await show(at({ failure: failed, recovery: { name: 'failed', failure: failed } }));
    expect(toast?.dataset.helixState).toBe('failed');
    expect(toast?.textContent).toContain('2 times');
    await userEvent.click(button('send-again'));
    await show(at({ recovery: { name: 'sending', since: world.now(), attempt: 1 } }));
    await show(at({ recovery: { name: 'streaming', since: world.now(), own: true } }));
    expect(toast?.isConnected).toBe(true);
    expect(toast?.dataset.helixState).toBe('recovered');
    expect(titles()).toEqual([en.severities.recovered]);
    composer().focus();
    await userEvent.hover(composer());
    await pass(3_900);
    expect(titles()).toEqual([en.severities.recovered]);
    await pass(200);
    expect(titles()).toEqual([]);
  });

  it('is no recovery when the person has ended it', async () => {
    const world = createManualWorld();
    const { show } = await showPage(null, { world });
    await show(
      <ErrorToasts chat={chatOf({ recovery: backingOff(notSent(), world.now(), 20_000) })} />,
    );
    await userEvent.click(button('stop-waiting'));
    const parked = pending('p1', 'Hello', { state: 'parked' });
    await show(<ErrorToasts chat={chatOf({ pendingSends: [parked] })} />);
    expect(titles()).toEqual([]);
    expect(document.activeElement).toBe(composer());
  });

  it('nor when a stop elsewhere has parked the message', async () => {
    const world = createManualWorld();
    const { show } = await showPage(null, { world });
    await show(
      <ErrorToasts chat={chatOf({ recovery: backingOff(notSent(), world.now(), 20_000) })} />,
    );
    const parked = pending('p1', 'Hello', { state: 'parked' });
    await show(<ErrorToasts chat={chatOf({ pendingSends: [parked] })} />);
    expect(titles()).toEqual([]);
  });

  it('is said once, by the announcer of the page alone', async () => {
    const chat = failedChat(notSent());
    const { show, world } = await showPage(<ErrorToasts chat={chat} />);
    const heard = listen();
    await world.advance(500);
    await show(<ErrorToasts chat={{ ...chat }} />);
    await world.advance(10_000);
    expect(heard).toHaveLength(1);
    expect(heard[0]).toMatch(/^alert: Message not sent\./);
    const live = '[aria-live], [role="alert"], [role="status"], [role="log"], [role="alertdialog"]';
    expect(region()?.matches(live)).toBe(false);
    expect(region()?.querySelector(live)).toBe(null);
  });

  it('acts once, however often it is pressed', async () => {
    const chat = failedChat(notSent(), { act: () => new Promise(() => {}) });
    await showPage(<ErrorToasts chat={chat} />);
    await userEvent.dblClick(button('send-again'));
    expect(chat.acts).toEqual([['send-again', undefined]]);
    await expect.element(button('send-again')).toHaveAttribute('aria-disabled', 'true');
  });

  it('can be put away, and comes back only as a new failure', async () => {
    const first = notSent();
    const chat = failedChat(first);
    const { show } = await showPage(<ErrorToasts chat={chat} />);
    await userEvent.click(close());
    expect(titles()).toEqual([]);
    expect(chat.acts).toEqual([]);
    await show(<ErrorToasts chat={{ ...chat }} />);
    expect(titles()).toEqual([]);
    await show(<ErrorToasts chat={failedChat(notSent())} />);
    expect(titles()).toEqual([en.titles.notSent]);
  });

  it('is dismissed with its toast, where it can be', async () => {
    const chat = failedChat(remark());
    await showPage(<ErrorToasts chat={chat} />);
    await userEvent.click(close());
    expect(chat.acts).toEqual([['dismiss', undefined]]);
  });
});

describe('time', () => {
  const three = async (props: Partial<ErrorToastsProps> = {}) => {
    const shown = await showPage(<ErrorToasts chat={failedChat(remark())} {...props} />);
    expect(titles()).toHaveLength(1);
    composer().focus();
    await userEvent.hover(composer());
    return shown;
  };

  it('takes a notice with nothing to do after 8 s', async () => {
    await three();
    await pass(7_900);
    expect(titles()).toHaveLength(1);
    await pass(200);
    expect(titles()).toEqual([]);
  });

  it('or after what the app says', async () => {
    await three({ duration: 20_000 });
    await pass(19_900);
    expect(titles()).toHaveLength(1);
    await pass(200);
    expect(titles()).toEqual([]);
  });

  it('never takes one with an action, nor a warning', async () => {
    const warning: Failure = { ...remark('warning'), severity: 'warning' };
    await showPage(
      <ErrorToasts chat={[failedChat(stopFailed()), { ...failedChat(warning), id: 'b' }]} />,
    );
    await pass(10 * 60_000);
    expect(titles()).toHaveLength(2);
  });

  it('stands still under a pointer', async () => {
    await three();
    await userEvent.hover(toasts()[0] as HTMLElement);
    await pass(60_000);
    expect(titles()).toHaveLength(1);
    await userEvent.hover(composer());
    await pass(4_000);
    expect(titles()).toHaveLength(1);
    await pass(4_100);
    expect(titles()).toEqual([]);
  });

  it('stands still while focus is inside', async () => {
    await three();
    (close().element() as HTMLElement).focus();
    await pass(60_000);
    expect(titles()).toHaveLength(1);
    composer().focus();
    await pass(8_100);
    expect(titles()).toEqual([]);
  });

  it('stands still in a hidden page', async () => {
    const { world } = await three();
    world.setVisible(false);
    await pass(60_000);
    expect(titles()).toHaveLength(1);
    world.setVisible(true);
    await pass(8_100);
    expect(titles()).toEqual([]);
  });

  it('stands still in a window that is not in use', async () => {
    await three();
    window.dispatchEvent(new FocusEvent('blur'));
    await pass(60_000);
    expect(titles()).toHaveLength(1);
    window.dispatchEvent(new FocusEvent('focus'));
    await pass(8_100);
    expect(titles()).toEqual([]);
  });
});

describe('several incidents', () => {
  const views = ['a', 'b', 'c', 'd', 'e'].map((id) => viewOf(notSent(id)));

  it('show the newest three first, and count the rest', async () => {
    await showPage(<ErrorToasts view={views} />);
    expect(titles()).toHaveLength(3);
    await expect.element(page.getByText('2 more')).toBeVisible();
    await accessible();
    await userEvent.click(close().first());
    expect(titles()).toHaveLength(3);
    await expect.element(page.getByText('1 more')).toBeVisible();
  });
});

describe('the keyboard', () => {
  const two = [viewOf(notSent('old')), { ...viewOf(notSent('new')), title: 'Newest' }];

  it('a key leads to the newest and back; the region is named with it', async () => {
    await showPage(<ErrorToasts view={two} />);
    await expect
      .element(page.getByRole('region', { name: `${en.names.toastRegion} (F8)` }))
      .toBeVisible();
    composer().focus();
    await userEvent.keyboard('{F8}');
    expect(document.activeElement).toBe(toasts()[0]);
    await expect.element(page.getByRole('group', { name: 'Newest' })).toHaveFocus();
    await userEvent.keyboard('{F8}');
    expect(document.activeElement).toBe(composer());
  });

  it('can be another one, or none', async () => {
    const { show } = await showPage(<ErrorToasts view={two} landmarkKey="F9" />);
    composer().focus();
    await userEvent.keyboard('{F9}');
    expect(document.activeElement).toBe(toasts()[0]);
    await show(<ErrorToasts view={two} landmarkKey={null} />);
    composer().focus();
    await userEvent.keyboard('{F8}');
    expect(document.activeElement).toBe(composer());
    await expect
      .element(page.getByRole('region', { name: en.names.toastRegion, exact: true }))
      .toBeVisible();
  });

  it('Tab goes from action to action in reading order', async () => {
    await showPage(<ErrorToasts view={two} />);
    composer().focus();
    await userEvent.keyboard('{F8}');
    const order: (string | undefined)[] = [];
    for (let press = 0; press < 6; press++) {
      await userEvent.keyboard('{Tab}');
      order.push((document.activeElement as HTMLElement).dataset.helixAction);
    }
    expect(order).toEqual([
      ...['send-again', 'take-back', 'dismiss'],
      ...['send-again', 'take-back', 'dismiss'],
    ]);
  });

  it('Escape takes the focused one only; focus goes to the next, then to where it was', async () => {
    await showPage(<ErrorToasts view={two} />);
    composer().focus();
    await userEvent.keyboard('{Escape}');
    expect(titles()).toHaveLength(2);
    await userEvent.keyboard('{F8}');
    await userEvent.keyboard('{Tab}{Escape}');
    expect(titles()).toEqual([en.titles.notSent]);
    expect(document.activeElement).toBe(toasts()[0]);
    await userEvent.keyboard('{Escape}');
    expect(titles()).toEqual([]);
    expect(document.activeElement).toBe(composer());
  });

  it('one that is over stays while it holds focus', async () => {
    const { show } = await showPage(<ErrorToasts chat={failedChat(stopFailed())} />);
    (close().element() as HTMLElement).focus();
    await show(<ErrorToasts chat={chatOf()} />);
    expect(titles()).toEqual([en.severities.recovered]);
    expect(toasts()[0]?.contains(document.activeElement)).toBe(true);
    await userEvent.keyboard('{Escape}');
    expect(titles()).toEqual([]);
    expect(document.activeElement).toBe(composer());
  });

  it('never loses focus to the page when all of it goes', async () => {
    const { show } = await showPage(<ErrorToasts chat={failedChat(stopFailed())} />);
    (close().element() as HTMLElement).focus();
    await show(null);
    expect(document.activeElement).toBe(composer());
  });
});

describe('where they stand', () => {
  const box = () =>
    (document.querySelector('[data-helix-part="toasts"]') as Element).getBoundingClientRect();

  it.each([
    ['ltr', 1],
    ['rtl', -1],
  ] as const)('at the top end in %s, and where the app says', async (dir, sign) => {
    document.documentElement.dir = dir;
    await page.viewport(1_000, 700);
    const view = viewOf(notSent());
    const { show } = await showPage(<ErrorToasts view={view} />);
    const end = () => (sign === 1 ? 1_000 - box().right : box().left);
    expect([box().top, end(), box().width]).toEqual([16, 16, 368]);
    await show(<ErrorToasts view={view} placement="bottom-start" />);
    expect([700 - box().bottom, 1_000 - 368 - end()]).toEqual([16, 16]);
    await accessible();
    document.documentElement.removeAttribute('dir');
  });

  it('in the flow at 320 px, so that nothing is covered', async () => {
    await page.viewport(320, 600);
    await showPage(<ErrorToasts view={['a', 'b', 'c'].map((id) => viewOf(notSent(id)))} />);
    expect(region()?.getBoundingClientRect().bottom).toBeLessThanOrEqual(
      composer().getBoundingClientRect().top,
    );
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320);
    await accessible();
  });

  it('so that what lies between them can still be pressed', async () => {
    await page.viewport(1_000, 700);
    await showPage(<ErrorToasts view={viewOf(notSent())} />);
    const { left, bottom } = box();
    expect(document.elementFromPoint(left - 4, bottom - 4)?.closest('section')).toBe(null);
    expect(document.elementFromPoint(left + 4, bottom - 20)?.closest('section')).not.toBe(null);
  });

  it.each(['light', 'dark'] as const)('are accessible in %s at every severity', async (theme) => {
    const severities = (['notice', 'warning', 'blocking'] as const).map((severity) =>
      viewOf({ ...notSent(severity), severity }),
    );
    await showPage(<ErrorToasts view={severities} />, { theme });
    expect(titles()).toHaveLength(3);
    await Promise.all(document.getAnimations().map((animation) => animation.finished));
    await accessible();
  });
});
