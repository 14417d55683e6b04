import type { Env } from '../../src/recovery/draft.ts';
import type { Turn } from '../../src/recovery/model.ts';
import { resolvePolicy } from '../../src/recovery/policy.ts';
import type { ChatMessage } from '../../src/recovery/ports.ts';

export const testEnv = (change: Partial<Env> = {}): Env => ({
  now: 1_000_000,
  mono: 0,
  chance: 0.5,
  policy: resolvePolicy(),
  online: true,
  keyed: false,
  routes: { stream: 'known', snapshot: 'known', stop: 'known' },
  budgetWaitMs: 0,
  breakerWaitMs: 0,
  apartMs: 0,
  silentMs: 0,
  probes: false,
  canAuthorize: false,
  canContinue: false,
  hasDraft: true,
  seesSoftFailures: true,
  stopsServer: 'interrupt',
  mounted: true,
  freshAnswers: false,
  conflict: () => 'wait',
  allow: () => true,
  ...change,
});

export const testTurn = (change: Partial<Turn> = {}): Turn => ({
  id: 1,
  kind: 'send',
  message: { id: 'm1', role: 'user', parts: [] },
  targetId: undefined,
  request: undefined,
  attempts: [],
  requests: 0,
  tries: 0,
  conflicts: 0,
  spent: [],
  unclear: false,
  accepted: false,
  readFailed: false,
  answers: [],
  ...change,
});

export const textMessage = (id: string, text: string, role = 'user'): ChatMessage =>
  ({ id, role, parts: [{ type: 'text', text }] }) as unknown as ChatMessage;
