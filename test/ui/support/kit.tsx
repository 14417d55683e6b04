import type { ReactNode } from 'react';
import type { Failure } from '../../../src/errors/failure.ts';
import type { HelixErrorInit } from '../../../src/errors/HelixError.ts';
import { ConflictNotice } from '../../../src/ui/ConflictNotice.tsx';
import { ConnectionStatus } from '../../../src/ui/ConnectionStatus.tsx';
import { ErrorBanner } from '../../../src/ui/ErrorBanner.tsx';
import { ErrorDetails } from '../../../src/ui/ErrorDetails.tsx';
import { MessageError } from '../../../src/ui/MessageError.tsx';
import { PendingSends } from '../../../src/ui/PendingSends.tsx';
import { RetryButton } from '../../../src/ui/RetryButton.tsx';
import { backingOff, chatOf, failedChat, pending } from './chat.ts';
import type { FailureInit } from './failures.ts';
import { failureOf } from './failures.ts';

const text =
  'Thanks. Please put this into a one-page summary for Monday, with one chart and the sources.';
const held = pending('held-1', text, { cause: 'foreign-run', files: ['brand-template.docx'] });

const replyFailure = (error: HelixErrorInit, init: FailureInit = {}): Failure =>
  failureOf(error, { phase: 'stream', committed: 'yes', ...init });

const detailed = failureOf(
  {
    code: 'provider_rate_limited',
    statusCode: 503,
    retryable: true,
    runId: 'run_01JDX7M3Q9',
    requestId: 'req_8c1f2e90a4',
    detail:
      'Rate limit reached for key sk-proj-abcdefghijklmnopx7Qd on the small model.\nLimit 60 per minute, 12 s left.',
  },
  { id: 'detailed' },
);

const never = () => new Promise<void>(() => {});

/** Every component in its states, by name, at the wall-clock time `now`. */
export function kitStories(now: number): Record<string, Record<string, ReactNode>> {
  const busy = failureOf({ code: 'provider_overloaded' });
  const waiting = (stopping: boolean, cause: 'foreign-run' | 'asked') =>
    chatOf({
      id: `conflict-${cause}-${stopping}`,
      recovery: { name: 'waiting-on-run', since: now, cause, attached: true, stopping },
      pendingSends: [held],
    });
  const at = (failure: Failure) =>
    failedChat(failure, { messages: [{ id: 'r1', role: 'assistant', parts: [] }] });
  const error = (failure: Failure) => <MessageError chat={at(failure)} messageId="r1" />;
  return {
    ErrorBanner: {
      'Notice, can be closed': (
        <ErrorBanner
          chat={failedChat(
            failureOf({ code: 'transport_error' }, { phase: 'stop', committed: 'yes' }),
          )}
        />
      ),
      'Warning, countdown to the next try': (
        <ErrorBanner chat={chatOf({ recovery: backingOff(busy, now - 8_000, 20_000) })} />
      ),
      "Warning, a server's stated wait": (
        <ErrorBanner
          chat={chatOf({
            recovery: backingOff(
              failureOf({ code: 'provider_rate_limited', retryAfterMs: 20_000 }),
              now - 8_000,
              20_000,
              { cause: 'stated-wait' },
            ),
          })}
        />
      ),
      'Warning, not sent': <ErrorBanner chat={failedChat(busy)} />,
      'Blocking, two actions': (
        <ErrorBanner
          chat={failedChat(
            failureOf({ code: 'transport_error', reason: 'signed-out', retryable: false }),
          )}
        />
      ),
    },
    ConflictNotice: {
      Asking: <ConflictNotice chat={waiting(false, 'asked')} />,
      Waiting: <ConflictNotice chat={waiting(false, 'foreign-run')} />,
      Stopping: <ConflictNotice chat={waiting(true, 'foreign-run')} />,
    },
    PendingSends: {
      States: (
        <PendingSends
          view={[
            pending('p1', 'And add one chart.', { cause: 'own-run' }),
            pending('p2', 'Please put this into a one-page summary for Monday.', {
              cause: 'foreign-run',
              files: ['brand-template-with-a-rather-long-name-that-needs-cutting.docx'],
            }),
            pending('p3', 'Use the colours of our template.', { state: 'failed', failure: busy }),
            pending('p4', 'Stopped before it went.', { state: 'parked' }),
          ]}
        />
      ),
    },
    MessageError: {
      Retryable: error(replyFailure({ code: 'provider_overloaded', retryable: true })),
      Unknown: error(replyFailure({})),
      Cut: error(replyFailure({ code: 'transport_stream_drop', reason: 'cut' })),
      'Not retryable': error(replyFailure({ code: 'provider_content_filtered' })),
      Notice: error(replyFailure({ code: 'provider_error', reason: 'length' })),
    },
    RetryButton: {
      Retryable: <RetryButton chat={failedChat(busy)} />,
      Unknown: <RetryButton chat={failedChat(failureOf({}))} />,
      Countdown: (
        <RetryButton
          chat={failedChat(
            failureOf(
              { code: 'provider_rate_limited', retryAfterMs: 12_000 },
              { retryAt: now + 12_000 },
            ),
          )}
        />
      ),
      'Long wait': (
        <RetryButton
          chat={failedChat(
            failureOf({ code: 'provider_rate_limited' }, { retryAt: now + 3 * 3_600_000 }),
          )}
        />
      ),
      Busy: <RetryButton chat={failedChat(busy, { act: never })} data-press="" />,
      'Disabled, with its reason': (
        <RetryButton
          chat={failedChat(busy, { recovery: { name: 'streaming', since: now, own: false } })}
        />
      ),
    },
    ErrorDetails: {
      Folded: <ErrorDetails failure={detailed} />,
      Open: <ErrorDetails failure={detailed} open />,
    },
    ConnectionStatus: {
      Reconnecting: (
        <ConnectionStatus
          view={{
            recovery: { name: 'resyncing', since: now, cause: 'cut', attached: true },
            offline: false,
          }}
        />
      ),
      Offline: <ConnectionStatus view={{ recovery: { name: 'idle' }, offline: true }} />,
      'Next try': (
        <ConnectionStatus
          view={{
            recovery: backingOff(busy, now, 20_000, { of: 'load', phase: 'load' }),
            offline: false,
          }}
        />
      ),
    },
  };
}

/** The kit page: all stories under their names, in two columns where there is room. */
export function Kit({ now, narrow }: { now: number; narrow?: boolean }) {
  const sections = Object.entries(kitStories(now));
  return (
    <div
      style={{
        display: 'grid',
        gap: 40,
        gridTemplateColumns: narrow ? 'minmax(0, 1fr)' : 'minmax(0, 1fr) minmax(0, 1fr)',
      }}
    >
      {sections.map(([name, stories]) => (
        <section key={name}>
          <h2 style={{ fontSize: 14, margin: '0 0 8px' }}>{name}</h2>
          {Object.entries(stories).map(([state, story]) => (
            <div
              key={state}
              style={{ marginBlockEnd: 14, minBlockSize: name === 'ConnectionStatus' ? 60 : 0 }}
            >
              <p style={{ fontSize: 12, margin: '0 0 4px', color: 'var(--page-muted)' }}>{state}</p>
              {story}
            </div>
          ))}
        </section>
      ))}
    </div>
  );
}
