import { present } from './present.ts';
import { readField, readList, readName, readNumber, readText } from './readField.ts';

/** The header of a stream that says whose run it is. */
export const RUN_ID_HEADER = 'X-Helix-Run-Id';
/** The header of a stream whose sender writes a comment line at least every so many ms. */
export const KEEP_ALIVE_HEADER = 'X-Helix-Keep-Alive';
/** How often our server writes one, in ms. */
export const KEEP_ALIVE_MS = 15_000;

const SUPERSEDED = 'data-attempt-superseded';
const RESYNC = 'data-resync';
const RUN = 'data-run';
const REJECTED = 'data-resume-rejected';

/** The parts at which a client reads the conversation again. */
export const DEFAULT_TRIGGERS: readonly string[] = [SUPERSEDED, RESYNC];

const CONTROL_PARTS: ReadonlySet<string> = new Set([
  SUPERSEDED,
  RESYNC,
  RUN,
  REJECTED,
  'data-helix-error',
]);

/** Whether a chunk type is one of the parts that steer: never content, left out of replays. */
export function isTransientControlPart(type: string): boolean {
  return CONTROL_PARTS.has(type);
}

/** The name of a re-anchor trigger and what it said about itself; an empty payload is one too. */
export interface TriggerPart {
  readonly name: string;
  readonly attemptId?: string;
  readonly supersededAttemptId?: string;
  readonly runId?: string;
  readonly step?: number;
  readonly reason?: string;
}

/** The trigger that a chunk is, when its type is one of `names`. Never throws. */
export function readTrigger(
  chunk: unknown,
  names: readonly string[] = DEFAULT_TRIGGERS,
): TriggerPart | undefined {
  const name = readField(chunk, 'type');
  if (typeof name !== 'string' || !names.includes(name)) return undefined;
  const data = readField(chunk, 'data');
  return {
    name,
    ...present({
      attemptId: readName(data, 'attemptId'),
      supersededAttemptId: readName(data, 'supersededAttemptId'),
      runId: readName(data, 'runId'),
      step: readNumber(data, 'step'),
      reason: readName(data, 'reason'),
    }),
  };
}

/** Whose run a stream is. */
export interface RunPart {
  readonly runId: string;
  readonly attemptId?: string;
  readonly step?: number;
}

/** The run that a `data-run` chunk names. Never throws. */
export function readRun(chunk: unknown): RunPart | undefined {
  if (readField(chunk, 'type') !== RUN) return undefined;
  const data = readField(chunk, 'data');
  const runId = readName(data, 'runId');
  if (runId === undefined) return undefined;
  return {
    runId,
    ...present({ attemptId: readName(data, 'attemptId'), step: readNumber(data, 'step') }),
  };
}

/** One answer to a tool call that did not apply, and the server's word why. */
export interface Rejection {
  readonly toolCallId: string;
  readonly reason: string;
}

/** The answers that a `data-resume-rejected` chunk names; undefined for any other chunk. Never throws. */
export function readRejections(chunk: unknown): readonly Rejection[] | undefined {
  if (readField(chunk, 'type') !== REJECTED) return undefined;
  const entries = readList(readField(chunk, 'data'), 'rejections') ?? [];
  return entries.flatMap((entry) => {
    const toolCallId = readName(entry, 'toolCallId');
    return toolCallId === undefined
      ? []
      : [{ toolCallId, reason: readText(entry, 'reason') ?? '' }];
  });
}

/** A data part that a client acts on and does not keep. */
export interface ControlPart<T extends string, D> {
  readonly type: T;
  readonly data: D;
  readonly transient: true;
}

function part<T extends string, D extends object>(type: T, data: D): ControlPart<T, D> {
  return { type, data, transient: true };
}

/** The switch from a failed model attempt to its retry. */
export function attemptSupersededPart(
  data: {
    readonly runId?: string;
    readonly step?: number;
    readonly supersededAttemptId?: string;
    readonly attemptId?: string;
  } = {},
) {
  return part(SUPERSEDED, data);
}

/** Any other reason to read the conversation again. */
export function resyncPart(data: { readonly reason?: string } = {}) {
  return part(RESYNC, data);
}

/** Whose run a stream is: its first part. */
export function runPart(data: RunPart) {
  return part(RUN, data);
}

/** Answers that did not apply. */
export function resumeRejectedPart(rejections: readonly Rejection[]) {
  return part(REJECTED, { rejections });
}
