import { describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Failure } from '../../src/errors/failure.ts';
import { describeError } from '../../src/i18n/describeError.ts';
import { en } from '../../src/i18n/en.ts';
import { createManualWorld } from '../../src/testing/manualWorld.ts';
import { RetryButton } from '../../src/ui/RetryButton.tsx';
import { backingOff, chatOf, failedChat } from './support/chat.ts';
import { failureOf } from './support/failures.ts';
import { expectAccessible, listen, showPage } from './support/page.tsx';

const name = en.actions['send-again'];
const retry = () => page.getByRole('button', { name, exact: true });
const drawn = () => document.querySelectorAll('[data-helix-ui] button').length;

const limited = (retryAt: number): Failure =>
  failureOf({ code: 'provider_rate_limited', retryAfterMs: 12_000 }, { retryAt });

describe('RetryButton, by the flag', () => {
  it('true: icon and label, filled', async () => {
    await showPage(<RetryButton chat={failedChat(failureOf({ code: 'provider_overloaded' }))} />);
    await expect.element(retry()).toHaveAttribute('data-helix-button', 'filled');
    expect(document.querySelector('[data-helix-icon="retry"]')).not.toBeNull();
    await expectAccessible();
  });

  it('unknown: the label alone, and it promises less', async () => {
    await showPage(<RetryButton chat={failedChat(failureOf({}))} />);
    await expect.element(retry()).toHaveAttribute('data-helix-button', 'bordered');
    expect(document.querySelector('[data-helix-icon]')).toBeNull();
  });

  it('false: nothing where a repeat is known to fail', async () => {
    await showPage(<RetryButton chat={failedChat(failureOf({ code: 'validation_error' }))} />);
    expect(drawn()).toBe(0);
  });

  it('false: unfilled where a later try of a person may work', async () => {
    const failure = failureOf({ code: 'provider_overloaded', retryable: false });
    await showPage(<RetryButton chat={failedChat(failure)} />);
    await expect.element(retry()).toHaveAttribute('data-helix-button', 'bordered');
  });

  it('no failure: nothing', async () => {
    await showPage(<RetryButton chat={chatOf()} />);
    expect(drawn()).toBe(0);
  });
});

describe('RetryButton, while it is closed', () => {
  it.each([
    ['2 s', 2_000, 'ring'],
    ['90 s', 90_000, 'clock'],
    ['3 days', 3 * 24 * 3_600_000, 'clock'],
  ] as const)(
    "by a server's stated wait of %s: keeps its name, stays focusable, opens by itself",
    async (_, wait, icon) => {
      const world = createManualWorld();
      const chat = failedChat(limited(world.now() + wait));
      await showPage(<RetryButton chat={chat} />, { world });
      const element = retry().element() as HTMLButtonElement;
      expect(document.querySelector(`[data-helix-icon="${icon}"]`)).not.toBeNull();
      await expect.element(retry()).toHaveAccessibleDescription(/^Possible again: ./);
      element.focus();
      await userEvent.keyboard('{Enter}');
      await userEvent.keyboard(' ');
      expect(chat.acts).toEqual([]);
      expect(document.activeElement).toBe(element);
      await world.advance(wait - 1);
      await expect.element(retry()).toHaveAttribute('aria-disabled', 'true');
      await world.advance(1);
      await expect.element(retry()).not.toHaveAttribute('aria-disabled');
      expect(document.activeElement).toBe(element);
      await userEvent.keyboard('{Enter}');
      expect(chat.acts).toEqual([['send-again', undefined]]);
    },
  );

  it('has one name through a whole countdown, and speaks only when it opens under focus', async () => {
    const world = createManualWorld();
    await showPage(<RetryButton chat={failedChat(limited(world.now() + 75_000))} />, { world });
    const heard = listen();
    const element = retry().element() as HTMLButtonElement;
    element.focus();
    const reasons = new Set<string>();
    for (let second = 0; second < 75; second++) {
      expect(element.textContent).toBe(name);
      reasons.add(page.getByText(/Possible again/).element().textContent ?? '');
      await world.advance(1_000);
    }
    expect([...reasons]).toEqual(
      [
        ...[
          '2 minutes',
          '1 minute',
          '55 seconds',
          '50 seconds',
          '45 seconds',
          '40 seconds',
          '35 seconds',
        ],
        ...[
          '30 seconds',
          '25 seconds',
          '20 seconds',
          '15 seconds',
          '10 seconds',
          '9 seconds',
          '8 seconds',
        ],
        ...[
          '7 seconds',
          '6 seconds',
          '5 seconds',
          '4 seconds',
          '3 seconds',
          '2 seconds',
          '1 second',
        ],
      ].map((time) => `Possible again: in ${time}`),
    );
    await world.advance(1_000);
    expect(heard).toEqual([`status: ${name}`]);
  });

  it('is not repainted in a hidden tab, and is open when the tab is seen again', async () => {
    const world = createManualWorld();
    await showPage(<RetryButton chat={failedChat(limited(world.now() + 10_000))} />, { world });
    world.setVisible(false);
    await world.advance(60_000);
    await expect.element(page.getByText('Possible again: in 10 seconds')).toBeVisible();
    world.setVisible(true);
    await world.settle();
    await expect.element(retry()).not.toHaveAttribute('aria-disabled');
  });

  it('by a live run: says why', async () => {
    const chat = failedChat(failureOf({ code: 'provider_overloaded' }), {
      recovery: { name: 'streaming', since: 0, own: false },
    });
    await showPage(<RetryButton chat={chat} />);
    await expect.element(retry()).toHaveAccessibleDescription(en.wait.replyRunning);
    (retry().element() as HTMLElement).click();
    expect(chat.acts).toEqual([]);
  });

  it('never by a pause of our own', async () => {
    const world = createManualWorld();
    const failure = failureOf({ code: 'provider_overloaded' });
    const chat = chatOf({
      recovery: backingOff(failure, world.now(), 30_000, { cause: 'breaker' }),
    });
    await showPage(<RetryButton chat={chat} />, { world });
    await userEvent.click(page.getByRole('button', { name: en.actions['try-now'] }));
    expect(chat.acts).toEqual([['try-now', undefined]]);
  });
});

describe('RetryButton, pressed', () => {
  it('acts once on a double press, and stays busy with focus until the outcome', async () => {
    const failure = failureOf({ code: 'provider_overloaded' });
    const chat = failedChat(failure, { act: () => new Promise(() => {}) });
    const { world, show } = await showPage(<RetryButton chat={chat} />);
    await userEvent.dblClick(retry());
    expect(chat.acts).toHaveLength(1);
    await expect.element(retry()).toHaveFocus();
    expect(document.querySelector('[data-helix-icon="spinner"]')).toBeNull();
    await world.advance(200);
    expect(document.querySelector('[data-helix-icon="spinner"]')).not.toBeNull();
    await expectAccessible();
    await show(
      <RetryButton chat={chatOf({ recovery: { name: 'streaming', since: 0, own: true } })} />,
    );
    expect(drawn()).toBe(0);
    await expect.element(page.getByRole('textbox', { name: 'Message' })).toHaveFocus();
  });

  it('works on plain data, busy as long as the promise of its owner', async () => {
    const view = () => describeError(failureOf({ code: 'provider_overloaded' }), { catalog: en });
    let finish = () => {};
    const onAction = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)));
    const { world, show } = await showPage(<RetryButton view={view()} onAction={onAction} />);
    await userEvent.click(retry());
    await show(<RetryButton view={view()} onAction={onAction} />);
    await expect.element(retry()).toHaveAttribute('aria-disabled', 'true');
    finish();
    await world.settle();
    await expect.element(retry()).not.toHaveAttribute('aria-disabled');
    expect(onAction).toHaveBeenCalledTimes(1);
  });

  it("is free again and tells the developer when the owner's handler throws", async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => {});
    const view = describeError(failureOf({ code: 'provider_overloaded' }), { catalog: en });
    const onAction = () => {
      throw new Error('handler');
    };
    await showPage(<RetryButton view={view} onAction={onAction} />);
    await userEvent.click(retry());
    await expect.element(retry()).not.toHaveAttribute('aria-disabled');
    expect(said).toHaveBeenCalledOnce();
    expect(said.mock.calls[0]?.[0]).toMatch(/^\[helix-chat\] The action "send-again" threw\./);
    said.mockRestore();
  });

  it('passes ref, class and other props to the button', async () => {
    const ref = vi.fn();
    const onClick = vi.fn();
    const chat = failedChat(failureOf({ code: 'provider_overloaded' }));
    await showPage(<RetryButton chat={chat} ref={ref} className="mine" onClick={onClick} />);
    await userEvent.click(retry());
    expect(onClick).toHaveBeenCalledOnce();
    expect(ref).toHaveBeenCalledWith(document.querySelector('button.mine'));
    expect(chat.acts).toHaveLength(1);
  });
});
