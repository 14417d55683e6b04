import type { Failure, FailureAction } from '../errors/failure.ts';
import type { Catalog } from '../i18n/catalog.ts';
import type { FailureView } from '../i18n/describeError.ts';
import { describeError } from '../i18n/describeError.ts';
import type { ChatMessage } from '../recovery/ports.ts';
import type { RecoveryState } from '../recovery/state.ts';
import type { AnyChat } from './acting.ts';
import type { Action, UISettings } from './uiContext.ts';

/** An action as it is drawn: the kit's, or the app's own. */
export interface DrawnAction {
  readonly id: string;
  readonly label: string;
  readonly primary: boolean;
  readonly onAct?: (() => void) | undefined;
}

/** What a surface draws of one failure. The same object as long as neither the failure nor the words change. */
export interface FailureContent {
  /** What a press is about: a new failure, or a new state, makes a pressed button free again. */
  readonly token: unknown;
  readonly view: FailureView;
  readonly actions: readonly DrawnAction[];
  readonly failure?: Failure | undefined;
  /** Automatic tries go on: when the next one comes, and since when it is waited for. */
  readonly waiting?: { readonly until: number; readonly since: number } | undefined;
  /** It only marks a reply as a part: nothing is said about it, and nothing can be done here. */
  readonly mark?: boolean | undefined;
  /** A server's stated wait closes the repeat until then. Our own pauses never do. */
  readonly closedUntil?: number | undefined;
}

/** Actions that only the app can perform; without its handler they are not drawn. */
const OF_THE_APP: ReadonlySet<string> = new Set<FailureAction>([
  'sign-in',
  'plan',
  'remove-file',
  'start-new',
]);

/** A wait under this many ms is not worth a word. */
const SHORT_MS = 1_000;

type Words = Pick<UISettings, 'locale' | 'actions' | 'world'> & { readonly catalog: Catalog };

/** A failure that stands, with the app's own actions put in. */
export function failedContent(failure: Failure, words: Words): FailureContent {
  const own = words.actions?.(failure) ?? [];
  const can = (id: FailureAction) =>
    own.some((action) => action.id === id) ||
    (id === 'copy-ref' ? words.world.copy !== undefined : !OF_THE_APP.has(id));
  const view = describeError(failure, { ...describing(words), can });
  return {
    token: failure,
    view,
    failure,
    actions: withOwn(view, own, failure),
    closedUntil: failure.retryAt,
  };
}

/** A failed try after which another one comes by itself; undefined where that is too soon to be told. */
export function waitingContent(recovery: RecoveryState, words: Words): FailureContent | undefined {
  if (recovery.name !== 'backing-off') return undefined;
  const { failure, retryAt, since, cause } = recovery;
  if (retryAt - since < SHORT_MS) return undefined;
  const { catalog } = words;
  return {
    token: recovery,
    view: describeError(failure, { ...describing(words), waiting: true }),
    failure,
    actions: (['try-now', 'stop-waiting'] as const).map((id) => ({
      id,
      label: catalog.actions[id],
      primary: false,
    })),
    waiting: { until: retryAt, since },
    closedUntil: cause === 'stated-wait' ? retryAt : undefined,
  };
}

/** What a failure given as words offers; its owner performs the actions. */
export function givenContent(view: FailureView): FailureContent {
  return {
    token: view.failureId,
    view,
    actions: view.actions,
    closedUntil: view.retryAt,
  };
}

/**
 * What stands above the composer: a send that is tried again, else a failure that belongs there; `placeless`: or one
 * without a place of its own; `all`: or any other.
 */
export function bannerContent(
  chat: Pick<AnyChat, 'recovery' | 'failure' | 'offline'>,
  words: Words,
  which: 'own' | 'placeless' | 'all',
): FailureContent | undefined {
  const { recovery, failure, offline } = chat;
  if (recovery.name === 'backing-off' && recovery.of === 'send' && !offline) {
    return waitingContent(recovery, words);
  }
  const content = failure && failedContent(failure, words);
  const { surface } = content?.view ?? {};
  if (which === 'all' || surface === 'banner') return content;
  return which === 'placeless' && surface === 'toast' ? content : undefined;
}

/** What stands at the message of this id: a failure of its reply. */
export function messageContent(
  chat: Pick<AnyChat, 'failure' | 'messages' | 'pendingSends'>,
  messageId: string,
  words: Words,
  /** Toasts tell of every failure: only the mark of a part is left to say here. */
  routed: boolean,
): FailureContent | undefined {
  const { failure } = chat;
  if (!failure || placeOf(chat, failure) !== messageId) return undefined;
  const content = failedContent(failure, words);
  const ofReply = isOfReply(content.view);
  if (ofReply && !routed) return content;
  const isPart = failure.incomplete || (ofReply && content.view.partialMark !== undefined);
  return isPart ? partContent(content, words) : undefined;
}

/** Whether a failure has its place at a reply. */
export function isOfReply({ surface }: Pick<FailureView, 'surface'>): boolean {
  return surface === 'reply' || surface === 'call';
}

/** The mark of a reply that stays a part; what can be done about it stands at the failure itself. */
function partContent(content: FailureContent, { catalog }: Words): FailureContent {
  const { safety: _safety, reference: _reference, ...view } = content.view;
  return {
    token: content.token,
    mark: true,
    view: { ...view, title: catalog.incompleteMark, ...BARE },
    actions: [],
  };
}

/** The mark of a reply that was stopped: no failure. */
export function stoppedContent(
  messageId: string,
  { catalog }: Pick<Words, 'catalog'>,
): FailureContent {
  return {
    token: messageId,
    mark: true,
    view: {
      failureId: `stopped:${messageId}`,
      title: catalog.stoppedMark,
      severityLabel: catalog.severities.notice,
      surface: 'reply',
      ...BARE,
    },
    actions: [],
  };
}

const BARE = { cause: '', severity: 'notice', announce: 'none', actions: [] } as const;

const stopped = new WeakMap<readonly ChatMessage[], ReadonlySet<string>>();

/** Whether the reply of this id was stopped (`metadata.helixInterrupted`). Every row asks, so the list is read once. */
export function wasStopped(messages: readonly ChatMessage[], messageId: string): boolean {
  let ids = stopped.get(messages);
  if (!ids) {
    ids = new Set(messages.filter(isStopped).map(({ id }) => id));
    stopped.set(messages, ids);
  }
  return ids.has(messageId);
}

function isStopped({ metadata }: ChatMessage): boolean {
  const { helixInterrupted } = (metadata ?? {}) as { readonly helixInterrupted?: unknown };
  return helixInterrupted === true;
}

/** The messages without the pending ones at their end. */
export function sentMessages({
  messages,
  pendingSends,
}: Pick<AnyChat, 'messages' | 'pendingSends'>): readonly ChatMessage[] {
  const pending = new Set(pendingSends.map(({ message }) => message.id));
  return messages.filter(({ id }) => !pending.has(id));
}

/** The message at which a failure stands: the reply it names, the reply to the message it names, else the last one. */
export function placeOf(
  chat: Pick<AnyChat, 'messages' | 'pendingSends'>,
  { messageId }: Failure,
): string | undefined {
  const sent = sentMessages(chat);
  const index = sent.findIndex(({ id }) => id === messageId);
  const named = sent[index];
  const next = sent[index + 1];
  if (!named) return sent[sent.length - 1]?.id;
  return named.role === 'user' && next?.role === 'assistant' ? next.id : named.id;
}

function describing({ catalog, locale }: Words) {
  return { catalog, ...(locale !== undefined && { locale }) };
}

/** The app's actions take the place of the kit's of the same id; others stand before `dismiss`, a filled one first. */
function withOwn(
  view: FailureView,
  own: readonly Action[],
  failure: Failure,
): readonly DrawnAction[] {
  const filled = own.find(({ primary }) => primary)?.id;
  const drawn = (action: Action): DrawnAction => ({
    id: action.id,
    label: action.label,
    primary: action.id === filled,
    onAct: () => action.onAct(failure),
  });
  const kit = view.actions.map((action): DrawnAction => {
    const replaced = own.find(({ id }) => id === action.id);
    if (!replaced) return { ...action, primary: action.primary && filled === undefined };
    return {
      ...drawn(replaced),
      primary: filled === undefined ? action.primary : action.id === filled,
    };
  });
  const added = own.filter(({ id }) => !kit.some((action) => action.id === id)).map(drawn);
  return [
    ...added.filter(({ primary }) => primary),
    ...kit.filter(({ id }) => id !== 'dismiss'),
    ...added.filter(({ primary }) => !primary),
    ...kit.filter(({ id }) => id === 'dismiss'),
  ];
}
