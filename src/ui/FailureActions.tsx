import type { FailureAction } from '../errors/failure.ts';
import { ActionButton } from './ActionButton.tsx';
import type { AnyChat, OnAction } from './acting.ts';
import { CloseButton } from './CloseButton.tsx';
import type { DrawnAction, FailureContent } from './failureContent.ts';
import type { useCopy } from './useCopy.ts';
import type { Press } from './usePress.ts';
import { isRepeat, repeatIcon, useBlocked } from './useRepeat.tsx';

/** What the buttons of a failure act on and look like. */
export interface FailureActionsProps {
  readonly content: FailureContent;
  readonly chat: AnyChat | undefined;
  readonly act: OnAction;
  readonly press: Press;
  /** Lets the incident speak again. */
  forget(incident: string): void;
  /** How copying the reference went, and how to do it. */
  readonly copying: ReturnType<typeof useCopy>;
  /** Whether the main action may be filled on this surface. */
  readonly fills: boolean;
  readonly small?: boolean;
  /** The element that says when a closed repeat opens. */
  readonly waitId?: string | undefined;
  /** Content whose outcome is awaited though it is over: its pressed or automatic repeat is at work. */
  readonly trying: boolean;
}

/** The buttons of a failure, in order: the main one, the others, `dismiss`. */
export function FailureActions(props: FailureActionsProps) {
  const { content, chat, act, press, forget, copying, fills, small, waitId, trying } = props;
  const blockedNow = useBlocked(content, chat, trying ? false : undefined);
  const working = press.busy(content.token);
  const tried = trying ? (press.on(content.token) ?? content.actions[0]?.id) : working;
  const run = (action: DrawnAction) => {
    const { id } = action;
    // Only a new try may be told as a new failure.
    if (isRepeat(action)) forget(content.view.failureId);
    press.run(content.token, id, () => perform(action, content, chat, act, copying.copy));
  };
  return content.actions.map((action, index) => {
    if (action.id === 'dismiss') {
      return <CloseButton key="dismiss" label={action.label} onPress={() => run(action)} />;
    }
    const busy = tried === action.id;
    const blocked = trying || busy ? undefined : blockedNow(action);
    return (
      <ActionButton
        key={action.id}
        action={action.id}
        label={action.label}
        kind={kindOf(action, index, fills)}
        icon={
          action.id === 'copy-ref' && copying.outcome === 'copied'
            ? 'recovered'
            : index === 0
              ? repeatIcon(action, content.failure?.error)
              : undefined
        }
        small={small}
        busy={busy}
        spinning={busy && (press.spinning || working === undefined)}
        blocked={
          blocked && waitId && content.waiting ? { ...blocked, describedBy: waitId } : blocked
        }
        onPress={() => run(action)}
      />
    );
  });
}

/** Does what an action stands for: the app's own act, a copy of the reference, or the chat's. */
export function perform(
  { id, onAct }: DrawnAction,
  { view, failure }: FailureContent,
  chat: AnyChat | undefined,
  act: OnAction,
  copy: (text: string) => Promise<void>,
): void | Promise<void> {
  if (onAct) return onAct();
  if (id === 'copy-ref' && view.reference !== undefined) return copy(view.reference);
  const pending = chat?.pendingSends.find(
    (send) => send.failure !== undefined && send.failure.id === failure?.id,
  );
  return act(id as FailureAction, pending && { id: pending.id });
}

function kindOf({ primary }: DrawnAction, index: number, fills: boolean) {
  if (primary && fills) return 'filled';
  return index === 0 ? 'bordered' : 'plain';
}
