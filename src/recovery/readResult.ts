import type { HelixError } from '../errors/HelixError.ts';
import type { AnswerFate } from './toolParts.ts';

/** What a read of the conversation brought, with what the controller found in it. */
export interface ReadResult {
  readonly kind: 'snapshot' | 'absent' | 'failed' | 'timed-out';
  readonly error?: HelixError;
  readonly status?: 'active' | 'paused' | 'ended' | 'failed';
  readonly runId?: string;
  /** The typed failure of a failed run. */
  readonly runError?: HelixError;
  /** The message that the read looked for is in it (or the regenerate took effect). */
  readonly found?: boolean;
  /** It holds committed content that the last one did not. */
  readonly grew?: boolean;
  readonly lastId?: string;
  /** Its last message is an assistant's. */
  readonly answered?: boolean;
  /** What became of the answers of the submit that the read looked for. */
  readonly answers?: AnswerFate;
  /** It waits for answers that were given here before. */
  readonly awaitsOurs?: boolean;
  /** Handed back in `put`. */
  readonly messages?: unknown;
}
