import { type HelixChatErrorBody, readErrorBody, writeErrorBody } from './errorBody.ts';
import { present } from './present.ts';
import { hasFields, isUnsafeKey, readField, readName, readNumber } from './readField.ts';

/** A message as far as this side reads it: the AI SDK's `UIMessage` fits it. */
export interface SnapshotMessage {
  readonly id: string;
  readonly role: string;
  readonly parts: readonly SnapshotPart[];
  readonly metadata?: unknown;
}

/** One part of a message: its type, and fields that are kept as they came. */
export interface SnapshotPart {
  readonly type: string;
  readonly [field: string]: unknown;
}

const STATUSES = ['active', 'paused', 'ended', 'failed'] as const;

/** Whether a run is being written, waits for an answer of this side, has ended, or has failed. */
export type SnapshotStatus = (typeof STATUSES)[number];

/** The server's truth about one conversation. */
export interface Snapshot {
  readonly messages: readonly SnapshotMessage[];
  readonly status: SnapshotStatus;
  readonly streamSequence?: number | string;
  /** The run that the status speaks of. */
  readonly runId?: string;
  readonly state?: unknown;
  readonly timestamp?: number | string;
  /** Why the run failed, where the status is `failed`. */
  readonly error?: HelixChatErrorBody;
}

/**
 * A snapshot out of a parsed answer. Only `messages` is required; an unknown status counts as `ended`. One malformed
 * message spoils the whole: a conversation with holes is worse than none. Never throws.
 */
export function parseSnapshot(value: unknown): Snapshot | undefined {
  const messages = copyList(readField(value, 'messages'), copyMessage);
  if (messages === undefined) return undefined;
  const status = readField(value, 'status');
  return {
    messages,
    status: STATUSES.find((known) => known === status) ?? 'ended',
    ...present({
      streamSequence: readNumber(value, 'streamSequence') ?? readName(value, 'streamSequence'),
      runId: readName(value, 'runId'),
      state: readField(value, 'state'),
      timestamp: readNumber(value, 'timestamp') ?? readName(value, 'timestamp'),
      error: readErrorBody(readField(value, 'error')),
    }),
  };
}

function copyMessage(value: unknown): SnapshotMessage | undefined {
  const id = readName(value, 'id');
  const role = readName(value, 'role');
  const parts = copyList(readField(value, 'parts'), copyPart);
  const rest = copyFields(value);
  if (id === undefined || role === undefined || parts === undefined || rest === undefined) {
    return undefined;
  }
  return { ...rest, id, role, parts };
}

function copyPart(value: unknown): SnapshotPart | undefined {
  const type = readName(value, 'type');
  const rest = copyFields(value);
  return type === undefined || rest === undefined ? undefined : { ...rest, type };
}

function copyList<T>(list: unknown, copy: (entry: unknown) => T | undefined): T[] | undefined {
  try {
    if (!Array.isArray(list)) return undefined;
    const copies: T[] = [];
    for (const entry of list) {
      const copied = copy(entry);
      if (copied === undefined) return undefined;
      copies.push(copied);
    }
    return copies;
  } catch {
    return undefined;
  }
}

function copyFields(value: unknown): Record<string, unknown> | undefined {
  if (!hasFields(value)) return undefined;
  try {
    return Object.fromEntries(Object.entries(value).filter(([key]) => !isUnsafeKey(key)));
  } catch {
    return undefined;
  }
}

/** A snapshot as it goes over the wire. */
export interface WireSnapshot extends Omit<Snapshot, 'error'> {
  readonly error?: object;
}

/** The wire form of a snapshot. Its error keeps the flag: no status beside it says whether a repeat helps. */
export function writeSnapshot(snapshot: Snapshot): WireSnapshot {
  const { error, ...rest } = snapshot;
  if (error === undefined) return rest;
  const { cause, ...fields } = error;
  const body = writeErrorBody({ ...fields, cause: typeof cause === 'string' ? cause : undefined });
  return { ...rest, error: { ...body, ...present({ retryable: error.retryable }) } };
}
