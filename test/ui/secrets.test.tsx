import { describe, expect, it } from 'vitest';
import type { HelixErrorInit } from '../../src/errors/HelixError.ts';
import { HelixError } from '../../src/errors/HelixError.ts';
import type { ErrorCode } from '../../src/protocol/codes.ts';
import { CODES } from '../../src/protocol/codes.ts';
import { createManualWorld } from '../../src/testing/manualWorld.ts';
import { ConflictNotice } from '../../src/ui/ConflictNotice.tsx';
import { ConnectionStatus } from '../../src/ui/ConnectionStatus.tsx';
import { ErrorBanner } from '../../src/ui/ErrorBanner.tsx';
import { ErrorDetails } from '../../src/ui/ErrorDetails.tsx';
import { MessageError } from '../../src/ui/MessageError.tsx';
import { PendingSends } from '../../src/ui/PendingSends.tsx';
import { RetryButton } from '../../src/ui/RetryButton.tsx';
import { ErrorToasts } from '../../src/ui/toast/ErrorToasts.tsx';
import { backingOff, chatOf, failedChat, message, pending } from './support/chat.ts';
import { failureOf } from './support/failures.ts';
import { showPage } from './support/page.tsx';

const secret = 'PLANTED';
const html = `<img src=x onerror="window.planted=1"><b>${secret}</b>`;

/** An error of this code that carries planted text wherever a server or provider can write. */
const planted = (code: ErrorCode | undefined): HelixErrorInit => ({
  code,
  message: `${secret} message ${html}`,
  cause: new Error(`${secret} cause`),
  detail: `${secret} detail`,
  serverMessage: `${secret} server ${html}`,
  runId: `${secret}-run`,
  requestId: `${secret}-request`,
  provider: `${secret} provider`,
  wireCode: `${secret}_wire`,
  currentStatus: `${secret} status`,
  toolCallIds: [`${secret}-call`],
});

const codes = [undefined, ...(Object.keys(CODES) as ErrorCode[])];

describe('what a server or a provider wrote', () => {
  it('never reaches the page, in text or in an attribute, for any code', async () => {
    const { show, world } = await showPage(null);
    for (const code of codes) {
      for (const phase of ['send', 'stream', 'load'] as const) {
        const failure = failureOf(planted(code), {
          id: `${code}-${phase}`,
          phase,
          committed: phase === 'send' ? 'no' : 'yes',
        });
        expect(failure.error.detail).toContain(secret);
        const chat = failedChat(failure, {
          messages: [message('u1', 'user', 'Hello')],
          pendingSends: [pending('p1', 'Mine', { state: 'failed', failure })],
        });
        const waiting = chatOf({ recovery: backingOff(failure, world.now(), 5_000) });
        await show(
          <>
            <MessageError chat={chat} messageId="u1" />
            <PendingSends chat={chat} />
            <ConflictNotice chat={chat} />
            <ErrorBanner chat={chat} />
            <ErrorBanner chat={waiting} />
            <ConnectionStatus chat={waiting} />
            <RetryButton chat={chat} />
            <ErrorToasts chat={chat} route="all" />
          </>,
        );
        await world.advance(1_000);
        expect(document.documentElement.outerHTML).not.toContain(secret);
      }
    }
    expect('planted' in window).toBe(false);
  });

  it('reaches a developer who asks for details without its secrets, on the page and in what is copied', async () => {
    const key = `sk-proj-${'a'.repeat(20)}${secret}-1234`;
    const copied: string[] = [];
    const world = {
      ...createManualWorld(),
      copy: async (text: string) => {
        copied.push(text);
      },
    };
    const { show } = await showPage(null, { world });
    for (const code of codes) {
      const error: HelixErrorInit = {
        ...planted(code),
        message: `message ${key}`,
        detail: `detail Authorization: Bearer ${key} ${html.replaceAll(secret, '')}`,
        serverMessage: `server ${key}`,
        cause: new Error(key),
        runId: key,
        requestId: key,
        provider: `provider ${key}`,
        wireCode: key,
        currentStatus: key,
        toolCallIds: [key],
      };
      const attempts = [{ at: 0, status: 500, code: key, reason: key }];
      const failure = { ...failureOf(error, { id: `${code}` }), attempts, partial: secret };
      await show(<ErrorDetails chat={failedChat(failure)} open />);
      const button = document.querySelector<HTMLElement>('[data-helix-action="copy-details"]');
      button?.click();
      expect(document.documentElement.outerHTML).not.toContain(secret);
      expect(document.querySelector('dl img, dl b')).toBe(null);
    }
    expect(copied).toHaveLength(codes.length);
    expect(copied.join()).toContain('***1234');
    expect(copied.join()).not.toContain(secret);
    expect('planted' in window).toBe(false);
  });

  it('would be found if it did', () => {
    expect(new HelixError(planted('provider_error')).message).toContain(secret);
  });
});
