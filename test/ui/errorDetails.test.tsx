import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { HelixErrorInit } from '../../src/errors/HelixError.ts';
import { en } from '../../src/i18n/en.ts';
import { createManualWorld } from '../../src/testing/manualWorld.ts';
import { ErrorDetails } from '../../src/ui/ErrorDetails.tsx';
import { backingOff, chatOf, failedChat } from './support/chat.ts';
import { failureOf } from './support/failures.ts';
import { expectAccessible, listen, showPage } from './support/page.tsx';

const error: HelixErrorInit = {
  code: 'provider_rate_limited',
  statusCode: 503,
  retryable: true,
  runId: 'run_01JDX7M3Q9',
  requestId: 'req_8c1f2e90a4',
  detail: 'Rate limit reached for key sk-proj-abcdefghijklmnop1234 on the small model.',
};
const failure = failureOf(error);

const summary = () => document.querySelector('summary') as HTMLElement;
const copyButton = () => page.getByRole('button', { name: en.names.copyDetails, exact: true });
const fields = () =>
  Object.fromEntries(
    [...document.querySelectorAll('dl > div')].map((row) => [
      row.querySelector('dt')?.textContent,
      row.querySelector('dd')?.textContent,
    ]),
  );

/** A world whose clipboard keeps what it got, or refuses. */
function withClipboard(refuses = false) {
  const copied: string[] = [];
  const world = {
    ...createManualWorld(),
    copy: async (text: string) => {
      if (refuses) throw new Error('not allowed');
      copied.push(text);
    },
  };
  return { world, copied };
}

describe('error details', () => {
  it('are folded, with the code on the row', async () => {
    await showPage(<ErrorDetails chat={failedChat(failure)} />);
    const details = document.querySelector('details');
    expect(details?.open).toBe(false);
    expect(summary().textContent).toBe(`${en.names.details}provider_rate_limited`);
    await expect.element(copyButton()).not.toBeInTheDocument();
    await expectAccessible();
  });

  it('open by keyboard and show each fact, secrets masked', async () => {
    await showPage(<ErrorDetails chat={failedChat(failure)} />, withClipboard());
    summary().focus();
    await userEvent.keyboard('{Enter}');
    expect(fields()).toEqual({
      code: 'provider_rate_limited',
      category: 'provider',
      status: '503 retryable',
      phase: 'send',
      run: 'run_01JDX7M3Q9',
      request: 'req_8c1f2e90a4',
      detail: 'Rate limit reached for key ••••1234 on the small model.',
    });
    await userEvent.keyboard('{Tab}');
    await expect.element(copyButton()).toHaveFocus();
    await userEvent.keyboard('{Tab}');
    await expect.element(page.getByRole('group', { name: 'detail' })).toHaveFocus();
    await expectAccessible();
    summary().focus();
    await userEvent.keyboard(' ');
    expect(document.querySelector('details')?.open).toBe(false);
  });

  it('count the tries of a send that goes on by itself', async () => {
    const { world } = await showPage(null);
    const chat = chatOf({ recovery: backingOff(failure, world.now(), 20_000) });
    await showPage(<ErrorDetails chat={chat} open />, { world });
    expect(fields()).toMatchObject({ attempts: '2 of 4' });
  });

  it('count those that have failed', async () => {
    const attempts = [
      { at: 0, status: 503 },
      { at: 1_000, code: 'provider_overloaded' },
    ];
    await showPage(<ErrorDetails failure={{ ...failure, attempts }} open />);
    expect(fields()).toMatchObject({ attempts: '2' });
  });

  it('are copied as JSON without secrets, which is said once; the name of the button stays', async () => {
    const { world, copied } = withClipboard();
    await showPage(<ErrorDetails chat={failedChat(failure)} open />, { world });
    const heard = listen();
    await world.advance(500);
    await userEvent.click(copyButton());
    expect(copied).toHaveLength(1);
    expect(JSON.parse(copied[0] ?? '')).toMatchObject({
      code: 'provider_rate_limited',
      category: 'provider',
      statusCode: 503,
      retryable: true,
      runId: 'run_01JDX7M3Q9',
      requestId: 'req_8c1f2e90a4',
      phase: 'send',
      committed: 'no',
      attempts: [],
      detail: 'Rate limit reached for key ***1234 on the small model.',
    });
    await expect.element(copyButton()).toBeVisible();
    expect(copyButton().element().querySelector('svg')?.dataset.helixIcon).toBe('recovered');
    await world.advance(500);
    expect(heard).toEqual([`status: ${en.names.detailsCopied}`]);
    await world.advance(2_000);
    expect(copyButton().element().querySelector('svg')?.dataset.helixIcon).toBe('copy');
  });

  it('say it when nothing was copied; the text can be selected', async () => {
    const { world } = withClipboard(true);
    await showPage(<ErrorDetails chat={failedChat(failure)} open />, { world });
    const heard = listen();
    await world.advance(500);
    await userEvent.click(copyButton());
    await expect.element(page.getByText(en.causes.situations.copyFailed)).toBeVisible();
    await world.advance(500);
    expect(heard).toEqual([`status: ${en.causes.situations.copyFailed}`]);
    const detail = page.getByRole('group', { name: 'detail' }).element();
    expect(getComputedStyle(detail).userSelect).not.toBe('none');
  });

  it('offer no copying where there is no clipboard', async () => {
    const { copy: _, ...world } = createManualWorld();
    await showPage(<ErrorDetails chat={failedChat(failure)} open />, { world });
    await expect.element(copyButton()).not.toBeInTheDocument();
  });

  it('stay while they hold focus, and go with it', async () => {
    const { show } = await showPage(<ErrorDetails chat={failedChat(failure)} />);
    summary().focus();
    await show(<ErrorDetails chat={chatOf()} />);
    expect(document.activeElement).toBe(summary());
    await userEvent.keyboard('{Tab}');
    await expect.element(page.getByRole('textbox', { name: 'Message' })).toHaveFocus();
    expect(document.querySelector('details')).toBe(null);
  });

  it('draw nothing where nothing failed, or without a chat', async () => {
    await showPage(
      <>
        <ErrorDetails chat={chatOf()} />
        <ErrorDetails chat={undefined} />
      </>,
    );
    expect(document.querySelector('details')).toBe(null);
  });

  it('run from left to right and keep long values whole, in a narrow page of the other direction', async () => {
    document.documentElement.dir = 'rtl';
    await page.viewport(320, 800);
    const long = failureOf({ ...error, detail: 'x'.repeat(2_000) });
    await showPage(<ErrorDetails failure={long} open />, withClipboard());
    expect(getComputedStyle(document.querySelector('dl') as Element).direction).toBe('ltr');
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320);
    const detail = page.getByRole('group', { name: 'detail' }).element();
    expect(detail.scrollHeight).toBeGreaterThan(detail.clientHeight);
    expect(detail.scrollWidth).toBeLessThanOrEqual(detail.clientWidth);
    await expectAccessible();
    document.documentElement.removeAttribute('dir');
  });

  it('pass ref, class and other props on', async () => {
    let element: HTMLDetailsElement | null = null;
    await showPage(
      <ErrorDetails
        failure={failure}
        className="mine"
        data-testid="details"
        ref={(node) => {
          element = node;
        }}
      />,
    );
    expect(page.getByTestId('details').element()).toBe(element);
    expect(page.getByTestId('details').element().className).toBe('mine');
  });
});
