import { CATEGORIES, CODES, type ErrorCode } from '../protocol/codes.ts';
import { REASONS, type Reason, TIMEOUT_LAYERS } from '../protocol/reasons.ts';
import type { Catalog } from './catalog.ts';

/** The sentences of a table of the protocol, by its keys. */
const sentences = <Key extends string>(
  rows: Readonly<Record<Key, { readonly sentence: string }>>,
): Readonly<Record<Key, string>> =>
  Object.fromEntries(
    Object.entries<{ readonly sentence: string }>(rows).map(([key, row]) => [key, row.sentence]),
  ) as Record<Key, string>;

const { unknown: unclassified, ...categories } = CATEGORIES;

/** English. Its cause sentences stand beside the codes and reasons themselves. */
export const en: Catalog = {
  locale: 'en',
  causes: {
    reasons: sentences<Reason>(REASONS),
    timeouts: sentences(TIMEOUT_LAYERS),
    situations: {
      stopFailed: 'The reply may still be running because the stop did not get through.',
      copyFailed: 'Copying did not work, but the text can be selected.',
      crash: 'Part of the page could not be shown.',
    },
    codes: sentences<ErrorCode>(CODES),
    categories: sentences(categories),
    unclassified: unclassified.sentence,
  },
  safety: {
    notSent: 'The message was not sent, and its text is kept.',
    held: 'The message is kept and waits to be sent.',
    unknown: 'The message may or may not have arrived, and its text is kept.',
    kept: 'The message stays in the conversation.',
    incomplete: 'The part of the reply that arrived is kept.',
    answerKept: 'The answer stays filled in.',
  },
  titles: {
    notSent: 'Message not sent',
    noReply: 'No reply',
    replyIncomplete: 'Reply incomplete',
    notLoaded: 'Conversation not loaded',
    answerNotTaken: 'Answer not taken',
    waiting: 'Still waiting',
    notAvailable: 'Not available',
    displayProblem: 'Display problem',
    stillRunning: 'Reply still running',
    notCopied: 'Not copied',
  },
  actions: {
    'send-again': 'Resend message',
    'new-reply': 'Redo reply',
    reload: 'Load again',
    check: 'Check message',
    'answer-again': 'Answer again',
    edit: 'Edit message',
    'take-back': 'Restore draft',
    'try-now': 'Try now',
    'stop-waiting': 'Stop waiting',
    wait: 'Wait',
    'stop-send': 'Stop & send',
    'stop-again': 'Stop again',
    continue: 'Continue reply',
    'start-new': 'Start over',
    'sign-in': 'Sign in',
    plan: 'View plan',
    'remove-file': 'Remove file',
    'copy-ref': 'Copy reference',
    'show-again': 'Show again',
    'reload-page': 'Reload page',
    dismiss: 'Dismiss',
  },
  severities: {
    notice: 'Notice',
    warning: 'Warning',
    blocking: 'Problem',
    recovered: 'Recovered',
  },
  status: {
    'not-sent-yet': 'Message not sent yet',
    loading: 'Loading the conversation',
    'sending-slowly': 'Sending takes longer than usual',
    'reply-slow': 'The reply takes longer than usual',
    reconnecting: 'Reconnecting',
    offline: 'Offline, reading and writing still work',
    back: 'Back online',
    'waiting-for-reply': 'Waiting for the reply to end',
    'next-try': 'Next try: {when}',
    trying: 'Trying again',
    'already-ended': 'The reply is already finished',
    'stopped-elsewhere': 'The reply is stopped',
    deferred: 'The reply comes later',
    'deferred-until': 'The reply comes later: {when}',
  },
  pending: {
    states: {
      sending: 'Sending',
      waitingForReply: 'Waiting for the reply to end',
      awaitingAnswer: 'Waiting for an open question',
      queuePaused: 'Waiting behind another message',
      asked: 'Waiting for a choice',
      slept: 'Not sent, the device was asleep',
      parked: 'Not sent',
      failed: 'Not sent',
      restored: 'Not sent, restored after a reload',
    },
    count: { one: '{count} message not sent yet', other: '{count} messages not sent yet' },
    files: { one: '{count} file', other: '{count} files' },
    lostFiles: {
      one: '{count} file could not be kept',
      other: '{count} files could not be kept',
    },
    lostFile: 'Not kept: {file}',
  },
  conflict: {
    waiting: {
      title: 'Reply still running',
      sentence: 'The message is sent when the reply ends.',
    },
    asking: {
      title: 'Reply still running',
      sentence: 'The message can wait, or the reply can be stopped.',
    },
    stopping: {
      title: 'Stopping the reply',
      sentence: 'The message is sent next.',
    },
  },
  wait: {
    possibleAgain: 'Possible again: {when}',
    replyRunning: 'A reply is being written',
    tries: 'Try {count} of {limit}',
  },
  incompleteMark: 'Incomplete',
  stoppedMark: 'Stopped',
  names: {
    pendingList: 'Messages not sent yet',
    showPlace: 'Show',
    toastRegion: 'Notifications',
    reference: 'Reference',
    referenceCopied: 'Reference copied',
    details: 'Details',
    copyDetails: 'Copy details',
    detailsCopied: 'Details copied',
    moreToasts: { one: '{count} more', other: '{count} more' },
    times: { one: '{count} time', other: '{count} times' },
  },
};
