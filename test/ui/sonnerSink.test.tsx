import { Toaster, toast } from 'sonner';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { en } from '../../src/i18n/en.ts';
import { createManualWorld } from '../../src/testing/manualWorld.ts';
import type { AnyChat } from '../../src/ui/acting.ts';
import { ErrorToasts } from '../../src/ui/toast/ErrorToasts.tsx';
import { sonnerSink } from '../../src/ui/toast/sonnerSink.ts';
import { backingOff, chatOf, failedChat } from './support/chat.ts';
import { failureOf } from './support/failures.ts';
import { listen, showPage } from './support/page.tsx';

const sink = sonnerSink(toast);
const ui = (chat: AnyChat) => (
  <>
    <Toaster closeButton />
    <ErrorToasts chat={chat} sink={sink} route="all" />
  </>
);
const shown = () => [
  ...document.querySelectorAll<HTMLElement>('[data-sonner-toast][data-removed="false"]'),
];
const texts = () => shown().map((element) => element.querySelector('[data-title]')?.textContent);
const notSent = () => failureOf({ code: 'provider_overloaded', retryable: true }, { id: 'send' });
/** A button of the one toast that is there: one that is leaving may still be drawn. */
const button = async (name: string) => {
  await vi.waitFor(() => expect(shown()).toHaveLength(1));
  return page.elementLocator(shown()[0] as HTMLElement).getByRole('button', { name, exact: true });
};

// Sonner keeps its toasts outside of React: each test leaves none.
afterEach(async () => {
  toast.dismiss();
  await vi.waitFor(() => expect(document.querySelector('[data-sonner-toast]')).toBe(null));
});

describe('an existing sonner toaster', () => {
  it('gets one toast an incident, updated in place, and the kit draws none', async () => {
    const world = createManualWorld();
    const waiting = chatOf({ recovery: backingOff(notSent(), world.now(), 20_000) });
    const { show } = await showPage(ui(waiting), { world });
    await vi.waitFor(() => expect(texts()).toEqual([en.titles.waiting]));
    const [element] = shown();
    await show(ui(failedChat(notSent())));
    await vi.waitFor(() => expect(texts()).toEqual([en.titles.notSent]));
    expect(shown()[0]).toBe(element);
    expect(element?.textContent).toContain(en.safety.notSent);
    expect(document.querySelector('[data-helix-ui="error-toasts"]')).toBe(null);
  });

  it('acts by the chat, and keeps the toast until the outcome is known', async () => {
    const chat = failedChat(notSent());
    const { show } = await showPage(ui(chat));
    await userEvent.click(await button(en.actions['send-again']));
    expect(chat.acts).toEqual([['send-again', undefined]]);
    expect(texts()).toEqual([en.titles.notSent]);
    const since = Date.UTC(2026, 0, 1);
    await show(ui(chatOf({ recovery: { name: 'sending', since, attempt: 1 } })));
    await vi.waitFor(() => expect(shown()[0]?.textContent).toContain(en.status.trying));
    await show(ui(chatOf({ recovery: { name: 'streaming', since, own: true } })));
    await vi.waitFor(() => expect(texts()).toEqual([en.severities.recovered]));
  });

  it('loses the toast when nothing is wrong any more', async () => {
    const { show } = await showPage(ui(failedChat(notSent())));
    await vi.waitFor(() => expect(texts()).toHaveLength(1));
    await show(ui(chatOf()));
    await vi.waitFor(() => expect(texts()).toEqual([]));
  });

  it('is the one that speaks: the announcer of the page is silent', async () => {
    const { world } = await showPage(ui(failedChat(notSent())));
    const heard = listen();
    await world.advance(10_000);
    expect(heard).toEqual([]);
  });

  it('a toast that the person has closed stays closed until it fails anew', async () => {
    const chat = failedChat(notSent());
    const { show } = await showPage(ui(chat));
    await vi.waitFor(() => expect(texts()).toHaveLength(1));
    await userEvent.click(await button('Close toast'));
    await vi.waitFor(() => expect(texts()).toEqual([]));
    await show(ui({ ...chat }));
    expect(texts()).toEqual([]);
    await show(ui(failedChat(notSent())));
    await vi.waitFor(() => expect(texts()).toEqual([en.titles.notSent]));
  });
});
