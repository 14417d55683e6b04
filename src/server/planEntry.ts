import { HelixError, type HelixErrorInit } from '../errors/HelixError.ts';
import type { Rejection } from '../protocol/triggers.ts';
import { type ChatAct, fingerprintOfMessage } from './chatAct.ts';
import { fingerprint } from './fingerprint.ts';
import { isTool, waits } from './replyMessage.ts';
import type { ChatRecord, StoredMessage } from './store/chatStore.ts';

/** What a session does with an act. */
export type EntryPlan =
  /** Start a run over these messages. `continued` is the one of them, an assistant's, that the run goes on with. */
  | {
      readonly kind: 'start';
      readonly messages: readonly StoredMessage[];
      readonly continued?: StoredMessage;
      readonly rejections?: readonly Rejection[];
    }
  /** The request is a repeat: answer with the run that it has started already. */
  | { readonly kind: 'replay' }
  /** Keep these messages, then refuse. */
  | {
      readonly kind: 'keep';
      readonly messages: readonly StoredMessage[];
      readonly error: HelixError;
    }
  | { readonly kind: 'refuse'; readonly error: HelixError };

/** Decides what an act means for a session as it was read. Pure; the store then compares the revision. */
export function planEntry(
  record: ChatRecord | undefined,
  act: ChatAct,
  keyed: string | undefined,
): EntryPlan {
  return (
    (keyed === undefined ? undefined : planRepeat(record, keyed)) ??
    (act.kind === 'answers' ? planAnswers(record, act.message) : undefined) ??
    planBusy(record) ??
    planNew(record, act)
  );
}

/** A key that is held decides alone, before anything else is looked at. */
function planRepeat(record: ChatRecord | undefined, keyed: string): EntryPlan | undefined {
  const held = record?.held;
  if (!held) return undefined;
  if (held.fingerprint !== keyed) {
    return refuse({ code: 'state_request_key_conflict', runId: held.runId });
  }
  if (held.runId === record.run?.id && record.replayable) return { kind: 'replay' };
  return refuse({ code: 'state_request_already_completed', runId: held.runId });
}

function planBusy(record: ChatRecord | undefined): EntryPlan | undefined {
  const run = record?.run;
  if (run?.status !== 'active') return undefined;
  return refuse({ code: 'state_already_running', runId: run.id });
}

function planNew(record: ChatRecord | undefined, act: ChatAct): EntryPlan {
  switch (act.kind) {
    case 'send':
      return record ? planSend(record, act) : start(adopted(act.posted));
    case 'regenerate':
      return record ? planRegenerate(record, act) : planFirstRegenerate(act.posted);
    case 'retry':
      return planRetry(record);
    case 'answers':
      return refuse({ code: 'state_session_not_found' });
  }
}

function planSend(record: ChatRecord, act: Extract<ChatAct, { kind: 'send' }>): EntryPlan {
  const { message, editOf } = act;
  const edited = record.messages.findIndex((known) => known.id === editOf && known.role === 'user');
  const kept = edited < 0 ? record.messages : record.messages.slice(0, edited);
  const twin = kept.find((known) => known.id === message.id);
  if (!twin) return start([...closeCalls(kept), message]);
  // A message is never written twice, with a key or without one.
  return fingerprintOfMessage(twin) === fingerprintOfMessage(message)
    ? refuse({ code: 'state_request_already_completed', runId: record.run?.id })
    : refuse({ code: 'state_run_start_conflict', reason: 'idempotency_mismatch' });
}

function planRegenerate(
  record: ChatRecord,
  act: Extract<ChatAct, { kind: 'regenerate' }>,
): EntryPlan {
  const { messages } = record;
  const at = messages.findIndex((message) => message.id === act.target);
  // A reply that failed is on the client's screen only: then the question before it says where to cut.
  const question =
    act.target === undefined
      ? messages.findLast((message) => message.role === 'user')
      : act.posted.findLast((message) => message.role === 'user');
  const asked = messages.findIndex((message) => message.id === question?.id);
  if (at < 0 && asked < 0) {
    return refuse({ code: 'state_run_start_conflict', reason: 'entry_status_changed' });
  }
  if (at < 0) return start(messages.slice(0, asked + 1));
  return start(messages.slice(0, messages[at]?.role === 'user' ? at + 1 : at));
}

function planFirstRegenerate(posted: readonly StoredMessage[]): EntryPlan {
  const asked = posted.findLastIndex((message) => message.role === 'user');
  if (asked < 0) return refuse({ code: 'state_session_not_found' });
  return start(adopted(posted.slice(0, asked + 1)));
}

function planRetry(record: ChatRecord | undefined): EntryPlan {
  if (!record) return refuse({ code: 'state_session_not_found' });
  if (!goesOn(record)) {
    return refuse({ code: 'state_not_resumable', currentStatus: statusOf(record) });
  }
  const last = record.messages.at(-1);
  return last?.role === 'assistant'
    ? { kind: 'start', messages: record.messages, continued: last }
    : start(record.messages);
}

/** A run that failed, or whose reply ended only because it reached its longest size. */
function goesOn({ run }: ChatRecord): boolean {
  return run?.status === 'failed' || (run?.status === 'ended' && run.finishReason === 'length');
}

function planAnswers(
  record: ChatRecord | undefined,
  answered: StoredMessage,
): EntryPlan | undefined {
  if (!record) return undefined;
  const at = record.messages.findIndex((message) => message.id === answered.id);
  const stored = record.messages[at];
  if (stored?.role !== 'assistant') {
    return refuse({ code: 'state_not_resumable', reason: 'resume_message_unknown' });
  }
  if (record.messages.slice(at + 1).some((message) => message.role === 'user')) {
    return refuse({ code: 'state_run_superseded', runId: record.run?.id });
  }
  const busy = planBusy(record);
  if (busy) return busy;
  if (record.run?.status !== 'paused') {
    return refuse({ code: 'state_not_resumable', currentStatus: statusOf(record) });
  }
  return applyAnswers(record, at, stored, answered);
}

function applyAnswers(
  record: ChatRecord,
  at: number,
  stored: StoredMessage,
  answered: StoredMessage,
): EntryPlan {
  const given = new Map(
    answered.parts.filter(isAnswer).map((part) => [part.toolCallId, part] as const),
  );
  const parts = stored.parts.map((part) => {
    const answer = waits(part) ? given.get(part.toolCallId) : undefined;
    return answer ? withAnswer(part, answer) : part;
  });
  const continued = { ...stored, parts };
  const messages = record.messages.map((message, index) => (index === at ? continued : message));
  const open = parts.filter(waits).map((part) => String(part.toolCallId));
  const applied = parts.some((part, index) => part !== stored.parts[index]);
  if (applied && open.length === 0) {
    return {
      kind: 'start',
      messages,
      continued,
      rejections: rejectionsOf(stored, given),
    };
  }
  const error = new HelixError({
    code: 'state_not_resumable',
    retryable: applied,
    toolCallIds: open,
    currentStatus: 'paused',
  });
  return applied ? { kind: 'keep', messages, error } : { kind: 'refuse', error };
}

type Part = StoredMessage['parts'][number];

function isAnswer(part: Part): boolean {
  const answered = ['output-available', 'output-error', 'output-denied', 'approval-responded'];
  return isTool(part) && answered.includes(String(part.state));
}

/** Takes from a client only what an answer is; the call itself stays as the server wrote it. */
function withAnswer(part: Part, answer: Part): Part {
  const { state, output, errorText } = answer;
  const approval = part.approval as object | undefined;
  const word = answer.approval as { approved?: unknown; reason?: unknown } | undefined;
  return {
    ...part,
    state,
    ...(output === undefined ? {} : { output }),
    ...(errorText === undefined ? {} : { errorText }),
    ...(approval && word
      ? {
          approval: {
            ...approval,
            approved: word.approved === true,
            ...(word.reason === undefined ? {} : { reason: word.reason }),
          },
        }
      : {}),
  };
}

function rejectionsOf(stored: StoredMessage, given: ReadonlyMap<unknown, Part>): Rejection[] {
  return [...given].flatMap(([toolCallId, answer]) => {
    const call = stored.parts.find((part) => isTool(part) && part.toolCallId === toolCallId);
    const outcome = (part: Part) => fingerprint([part.state, part.output, part.errorText]);
    if (call && (waits(call) || outcome(call) === outcome(answer))) return [];
    return [{ toolCallId: String(toolCallId), reason: call ? 'already_answered' : 'unknown_call' }];
  });
}

/** A call that nobody answered before the conversation went on: a model refuses a history with an open one. */
function closeCalls(messages: readonly StoredMessage[]): readonly StoredMessage[] {
  const last = messages.at(-1);
  if (last?.role !== 'assistant' || !last.parts.some(waits)) return messages;
  const parts = last.parts.map((part) =>
    waits(part)
      ? { ...part, state: 'output-error', errorText: 'Not executed: the conversation went on.' }
      : part,
  );
  return [...messages.slice(0, -1), { ...last, parts }];
}

/** A session that this server does not know begins with what the client shows; one message an id. */
function adopted(posted: readonly StoredMessage[]): readonly StoredMessage[] {
  const byId = new Map(posted.map((message) => [message.id, message]));
  return [...byId.values()];
}

function statusOf(record: ChatRecord): string {
  const status = record.run?.status ?? 'ended';
  return status === 'interrupted' ? 'ended' : status;
}

function start(messages: readonly StoredMessage[]): EntryPlan {
  return { kind: 'start', messages };
}

function refuse(init: HelixErrorInit): EntryPlan {
  return { kind: 'refuse', error: new HelixError(init) };
}
