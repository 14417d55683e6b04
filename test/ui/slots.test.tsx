import { type ComponentType, forwardRef, type ReactNode } from 'react';
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { en } from '../../src/i18n/en.ts';
import { ChatErrors } from '../../src/ui/ChatErrors.tsx';
import { ConflictNotice } from '../../src/ui/ConflictNotice.tsx';
import { ConnectionStatus } from '../../src/ui/ConnectionStatus.tsx';
import { ErrorBanner } from '../../src/ui/ErrorBanner.tsx';
import { MessageError } from '../../src/ui/MessageError.tsx';
import { PendingSends } from '../../src/ui/PendingSends.tsx';
import { RetryButton } from '../../src/ui/RetryButton.tsx';
import type { ButtonSlotProps, CardParts, IconSlotProps } from '../../src/ui/slots.ts';
import { chatOf, failedChat, message, pending } from './support/chat.ts';
import { failureOf } from './support/failures.ts';
import { expectAccessible, showPage } from './support/page.tsx';

const Button: ComponentType<ButtonSlotProps> = forwardRef<HTMLButtonElement, ButtonSlotProps>(
  function Button({ kind, action, small, busy, ...rest }, ref) {
    return (
      <button
        {...rest}
        ref={ref}
        className={`own ${kind}`}
        data-own={`${action} ${small} ${busy}`}
      />
    );
  },
);
const Icon = ({ name, size, ...rest }: IconSlotProps) => (
  <svg {...rest} data-own-icon={name}>
    <title>{size}</title>
  </svg>
);
const Card = ({ severity, state, icon, text, actions }: CardParts) => (
  <div data-own-card={`${severity} ${state}`}>
    {actions}
    {text}
    {icon}
  </div>
);

const OwnBanner = () => <p data-own="">Own banner</p>;

const failure = failureOf({ code: 'provider_overloaded' });
const chat = failedChat(failure);

describe('slots', () => {
  it("puts the app's button in place of each of the kit's, and keeps what it does", async () => {
    const busy = failedChat(failure, { act: () => new Promise(() => {}) });
    const notice = failureOf({ code: 'transport_error' }, { phase: 'stop', committed: 'yes' });
    await showPage(
      <>
        <ErrorBanner chat={busy} />
        <RetryButton chat={{ ...chat, id: 'b' }} />
        <PendingSends view={[pending('p1', 'Three')]} />
        <ErrorBanner chat={failedChat(notice, { id: 'c' })} />
      </>,
      { slots: { Button } },
    );
    const own = [...document.querySelectorAll('[data-helix-button]')];
    expect(own.length).toBeGreaterThan(4);
    expect(own.every((button) => button.classList.contains('own'))).toBe(true);
    await userEvent.click(page.getByRole('button', { name: en.actions['send-again'] }).first());
    expect(busy.acts).toEqual([['send-again', undefined]]);
    const pressed = page.getByRole('button', { name: en.actions['send-again'] }).first();
    await expect.element(pressed).toHaveAttribute('data-own', 'send-again false true');
    await expect.element(pressed).toHaveAttribute('aria-disabled', 'true');
    await expectAccessible();
  });

  it("puts the app's icons in place, hidden from assistive technology", async () => {
    await showPage(<ErrorBanner chat={chat} />, { slots: { Icon } });
    const icon = document.querySelector('[data-own-icon="warning"]');
    expect(icon?.getAttribute('aria-hidden')).toBe('true');
  });

  it('arranges every card by one component, within an element that keeps its name', async () => {
    const messages = [message('a1', 'assistant', 'One')];
    const replied = failureOf({}, { phase: 'stream', committed: 'yes', messageId: 'a1' });
    await showPage(
      <>
        <ErrorBanner chat={chat} />
        <MessageError chat={failedChat(replied, { id: 'b', messages })} messageId="a1" />
        <ConflictNotice view={{ state: 'waiting', pending: [pending('p1', 'Three')] }} />
      </>,
      { slots: { Card } },
    );
    const cards = [...document.querySelectorAll('[data-own-card]')];
    expect(cards.map((card) => card.getAttribute('data-own-card'))).toEqual([
      'warning failed',
      'warning failed',
      'undefined waiting',
    ]);
    await expect.element(page.getByRole('group', { name: en.titles.notSent })).toBeVisible();
    const composer = page.getByRole('textbox').element();
    const described = composer.getAttribute('aria-describedby') ?? '';
    expect(document.getElementById(described)?.textContent).toContain(en.safety.notSent);
    await expectAccessible();
  });

  it('hands the parts to children that are a function', async () => {
    const own = ({ text, actions }: { text: ReactNode; actions: ReactNode }) => (
      <section data-own="">
        {text}
        {actions}
      </section>
    );
    const { world } = await showPage(
      <>
        <ErrorBanner chat={chat}>{own}</ErrorBanner>
        <ConflictNotice view={{ state: 'waiting', pending: [pending('p1', 'Three')] }}>
          {own}
        </ConflictNotice>
        <PendingSends view={[pending('p2', 'Four')]}>
          {({ pending: { id }, text, status, actions }) => (
            <section data-own={id}>
              {text}
              {status}
              {actions}
            </section>
          )}
        </PendingSends>
        <ConnectionStatus chat={chatOf({ id: 'd', offline: true })}>{own}</ConnectionStatus>
      </>,
    );
    await world.advance(1_000);
    const drawn = [...document.querySelectorAll('[data-own]')].map((element) =>
      element.closest('[data-helix-ui]')?.getAttribute('data-helix-ui'),
    );
    expect(drawn).toEqual([
      'error-banner',
      'conflict-notice',
      'pending-sends',
      'connection-status',
    ]);
    expect(
      document.querySelectorAll('[data-helix-part="card"], [data-helix-part="pill"]'),
    ).toHaveLength(0);
    await expectAccessible();
  });

  it('replaces a component of the drop-in, and lets an app arrange them', async () => {
    const { show } = await showPage(<ChatErrors chat={chat} slots={{ ErrorBanner: OwnBanner }} />);
    expect(document.querySelector('[data-own]')).not.toBeNull();
    expect(document.querySelector('[data-helix-ui="error-banner"]')).toBeNull();
    await show(
      <ChatErrors chat={chat}>{({ banner }) => <aside data-own="">{banner}</aside>}</ChatErrors>,
    );
    expect(document.querySelector('aside [data-helix-ui="error-banner"]')).not.toBeNull();
  });

  it('passes ref, class, style and other props on, and shows its state as data', async () => {
    const refs = new Map<string, Element | null>();
    const of = (name: string) => ({
      className: `own-${name}`,
      style: { order: 3 },
      'data-testid': name,
      ref: (element: Element | null) => {
        refs.set(name, element);
      },
    });
    const messages = [message('a1', 'assistant', 'One')];
    const replied = failureOf({}, { phase: 'stream', committed: 'yes', messageId: 'a1' });
    const { world } = await showPage(
      <>
        <ChatErrors {...of('chat-errors')} chat={failedChat(failure, { id: 'z' })} />
        <ErrorBanner {...of('error-banner')} chat={chat} />
        <MessageError
          {...of('message-error')}
          chat={failedChat(replied, { id: 'b', messages })}
          messageId="a1"
        />
        <ConflictNotice
          {...of('conflict-notice')}
          view={{ state: 'asking', pending: [pending('p1', 'Three')] }}
        />
        <PendingSends {...of('pending-sends')} view={[pending('p2', 'Four')]} />
        <ConnectionStatus {...of('connection-status')} chat={chatOf({ id: 'd', offline: true })} />
        <RetryButton {...of('retry-button')} chat={{ ...chat, id: 'e' }} />
      </>,
    );
    await world.advance(1_000);
    const states: Record<string, string | null> = {};
    for (const [name, element] of refs) {
      expect(element?.classList.contains(`own-${name}`), name).toBe(true);
      expect((element as HTMLElement).style.order, name).toBe('3');
      expect(element?.getAttribute('data-testid')).toBe(name);
      states[name] = element?.getAttribute('data-helix-state') ?? null;
    }
    expect(states).toEqual({
      'chat-errors': 'failed',
      'error-banner': 'failed',
      'message-error': 'failed',
      'conflict-notice': 'asking',
      'pending-sends': null,
      'connection-status': 'offline',
      'retry-button': null,
    });
  });
});

describe('actions of the app', () => {
  it('adds, replaces by id, and fills one at most', async () => {
    const pressed: string[] = [];
    const act = (id: string, primary = false) => ({
      id,
      label: `Own ${id}`,
      primary,
      onAct: () => {
        pressed.push(id);
      },
    });
    const blocking = failureOf({ code: 'transport_error', reason: 'signed-out', retryable: false });
    await showPage(<ErrorBanner chat={failedChat(blocking)} />, {
      actions: ({ error }) =>
        error.reason === 'signed-out'
          ? [act('sign-in', true), act('help', true), act('take-back')]
          : [],
    });
    const buttons = [...document.querySelectorAll<HTMLElement>('[data-helix-button]')];
    expect(buttons.map(({ textContent }) => textContent)).toEqual([
      'Own sign-in',
      'Own take-back',
      'Own help',
    ]);
    expect(buttons.map((button) => button.dataset.helixButton === 'filled')).toEqual([
      true,
      false,
      false,
    ]);
    for (const button of buttons) await userEvent.click(button);
    expect(pressed).toEqual(['sign-in', 'take-back', 'help']);
  });
});
