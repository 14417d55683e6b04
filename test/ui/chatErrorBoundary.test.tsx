import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { en } from '../../src/i18n/en.ts';
import type { ChatErrorBoundaryProps } from '../../src/ui/ChatErrorBoundary.tsx';
import { ChatErrorBoundary } from '../../src/ui/ChatErrorBoundary.tsx';
import { expectAccessible, listen, showPage } from './support/page.tsx';

const secret = 'sk-proj-PLANTEDPLANTED1234';

/** A part of the page that draws until `broken.now` is set. */
const broken = { now: false };
function Part() {
  const [count, setCount] = useState(0);
  if (broken.now) throw new Error(`${secret} <b>boom</b>`);
  return (
    <div>
      <button type="button" style={{ padding: 8 }} onClick={() => setCount(count + 1)}>
        Part {count}
      </button>
    </div>
  );
}

const part = () => page.getByRole('button', { name: /^Part/ });
const again = () => page.getByRole('button', { name: en.actions['show-again'], exact: true });
const reload = () => page.getByRole('button', { name: en.actions['reload-page'], exact: true });
const notice = () => page.getByRole('region', { name: en.titles.displayProblem });
const composer = () => page.getByRole('textbox', { name: 'Message' });

/** Shows the part within a boundary, and crashes it. */
async function crashed(props: Partial<ChatErrorBoundaryProps> = {}, focusInside = false) {
  broken.now = false;
  // React tells of a crash that was caught as well.
  const told = vi.spyOn(console, 'error').mockImplementation(() => {});
  const ui = (
    <ChatErrorBoundary {...(props as object)}>
      <Part />
    </ChatErrorBoundary>
  );
  const shown = await showPage(ui);
  const heard = listen();
  await shown.world.advance(500);
  if (focusInside) (part().element() as HTMLElement).focus();
  const crash = async () => {
    broken.now = true;
    const element = part().element() as HTMLElement;
    element.click();
    await vi.waitFor(() => expect(element.isConnected).toBe(false));
  };
  await crash();
  return { ...shown, heard, crash, told };
}

describe('the boundary of a chat', () => {
  it('draws its children while nothing is wrong', async () => {
    broken.now = false;
    await showPage(
      <ChatErrorBoundary>
        <Part />
      </ChatErrorBoundary>,
    );
    await expect.element(part()).toBeVisible();
    expect(document.querySelector('[data-helix-ui="chat-error-boundary"]')).toBe(null);
  });

  it('says what happened and shows the part again; the composer keeps its text', async () => {
    const { heard, world } = await crashed();
    await userEvent.fill(composer(), 'half a sentence');
    await expect.element(notice()).toHaveTextContent(en.causes.situations.crash);
    await expect.element(notice()).toHaveTextContent(en.severities.blocking);
    await expect.element(reload()).not.toBeInTheDocument();
    await world.advance(500);
    expect(heard).toEqual([`alert: ${en.titles.displayProblem}. ${en.causes.situations.crash}`]);
    await expectAccessible();
    broken.now = false;
    await userEvent.click(again());
    await expect.element(part()).toBeVisible();
    await expect.element(composer()).toHaveFocus();
    await expect.element(composer()).toHaveValue('half a sentence');
  });

  it('never shows what the error says', async () => {
    const { told } = await crashed();
    expect(told).toHaveBeenCalled();
    expect(document.documentElement.outerHTML).not.toContain('PLANTED');
    expect(document.documentElement.outerHTML).not.toContain('boom');
  });

  it('moves focus to its heading if the crash took it along', async () => {
    await crashed({}, true);
    await expect
      .element(page.getByRole('heading', { name: en.titles.displayProblem }))
      .toHaveFocus();
  });

  it('leaves focus where it is otherwise', async () => {
    const { crash } = await crashed();
    broken.now = false;
    await userEvent.click(again());
    (composer().element() as HTMLElement).focus();
    await crash();
    await expect.element(notice()).toBeVisible();
    await expect.element(composer()).toHaveFocus();
  });

  it('keeps focus when it is shown again and crashes again, and says that too', async () => {
    const { heard, world } = await crashed();
    await world.advance(500);
    (again().element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await expect
      .element(page.getByRole('heading', { name: en.titles.displayProblem }))
      .toHaveFocus();
    await world.advance(10_000);
    expect(heard).toHaveLength(2);
  });

  it('offers to load the page anew where the app can store the draft; first, after two crashes in 30 s', async () => {
    const onReloadPage = vi.fn();
    const { world, crash } = await crashed({ onReloadPage });
    const actions = () =>
      [...document.querySelectorAll<HTMLElement>('[data-helix-action]')].map(({ dataset }) => [
        dataset.helixAction,
        dataset.helixButton,
      ]);
    expect(actions()).toEqual([
      ['show-again', 'filled'],
      ['reload-page', 'bordered'],
    ]);
    broken.now = false;
    await userEvent.click(again());
    await world.advance(30_000);
    await crash();
    expect(actions()[0]).toEqual(['show-again', 'filled']);
    broken.now = false;
    await userEvent.click(again());
    await world.advance(29_000);
    await crash();
    expect(actions()).toEqual([
      ['reload-page', 'filled'],
      ['show-again', 'bordered'],
    ]);
    await userEvent.click(reload());
    expect(onReloadPage).toHaveBeenCalledTimes(1);
  });

  it('shows the part again when a reset key changes, and tells of each crash and reset', async () => {
    const onError = vi.fn();
    const onReset = vi.fn();
    const { show } = await crashed({ onError, onReset, resetKeys: ['a'] });
    expect(onError).toHaveBeenCalledTimes(1);
    expect(onError.mock.lastCall?.[0]).toBeInstanceOf(Error);
    broken.now = false;
    await show(
      <ChatErrorBoundary onError={onError} onReset={onReset} resetKeys={['b']}>
        <Part />
      </ChatErrorBoundary>,
    );
    await expect.element(part()).toBeVisible();
    expect(onReset.mock.calls).toEqual([[{ reason: 'keys', prev: ['a'], next: ['b'] }]]);
  });

  it.each([
    ['fallbackRender', { fallbackRender: own }],
    ['FallbackComponent', { FallbackComponent: own }],
  ] as const)('gives %s the words and the way back, and never the error', async (_name, props) => {
    const { told } = await crashed(props);
    expect(Object.keys(given).toSorted()).toEqual(['resetErrorBoundary', 'view']);
    expect(JSON.stringify(given)).not.toContain('PLANTED');
    expect(told).toHaveBeenCalled();
    broken.now = false;
    await userEvent.click(page.getByRole('button', { name: `Own: ${en.titles.displayProblem}` }));
    await expect.element(part()).toBeVisible();
    await expect.element(composer()).toHaveFocus();
  });

  it('takes any node as a fallback, an empty one too', async () => {
    const { leave } = await crashed({ fallback: <p>Mine</p> });
    await expect.element(page.getByText('Mine')).toBeVisible();
    await leave();
    await crashed({ fallback: null }, true);
    expect(document.querySelector('main')?.textContent).toBe('ChatdraftSend');
    await expect.element(composer()).toHaveFocus();
  });

  it('fits a narrow page in the other direction', async () => {
    document.documentElement.dir = 'rtl';
    await page.viewport(320, 700);
    await crashed({ onReloadPage: () => {} });
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320);
    await expectAccessible();
    document.documentElement.removeAttribute('dir');
  });
});

let given: Parameters<typeof own>[0];
function own(props: { readonly view: { readonly title: string }; resetErrorBoundary(): void }) {
  given = props;
  return (
    <button type="button" onClick={() => props.resetErrorBoundary()}>
      Own: {props.view.title}
    </button>
  );
}
