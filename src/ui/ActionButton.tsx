import type { ButtonHTMLAttributes, HTMLAttributes, MouseEvent, ReactNode, Ref } from 'react';
import { forwardRef, useId } from 'react';
import type { IconName } from './Icon.tsx';
import { Icon } from './Icon.tsx';
import { useUI } from './uiContext.ts';

/** Why a press would do nothing now. */
export interface Blocked {
  /** A sentence or a time, shown beside the button and read as its description. */
  readonly reason?: string | undefined;
  /** In place of `reason`: the id of an element that says it already. */
  readonly describedBy?: string | undefined;
  /** Drawn in place of the icon: a countdown or a clock. */
  readonly icon?: ReactNode;
}

/** Props of `ActionButton`; those not named here are the button's. */
export interface ActionButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly action: string;
  readonly label: string;
  readonly kind: 'filled' | 'bordered' | 'plain';
  readonly icon?: IconName | undefined;
  /** Follows the label in the name for assistive technology, where several buttons share a label. */
  readonly about?: string | undefined;
  readonly busy?: boolean | undefined;
  /** Draws the spinner; a little later than `busy`, so that a fast answer does not blink. */
  readonly spinning?: boolean | undefined;
  readonly blocked?: Blocked | undefined;
  readonly small?: boolean | undefined;
  /** For the element around button and reason. */
  readonly around?: HTMLAttributes<HTMLSpanElement> & { readonly ref?: Ref<HTMLSpanElement> };
  onPress(): void;
}

/**
 * A button of the kit. Its label never changes; while busy or blocked it stays focusable and says so by `aria-disabled`
 * and a description, and a press does nothing. The ref and all other props are the button's.
 */
export const ActionButton = forwardRef<HTMLButtonElement, ActionButtonProps>(function ActionButton(
  { action, label, kind, icon, about, busy, spinning, blocked, small, around, onPress, ...rest },
  ref,
) {
  const { slots } = useUI();
  const reasonId = useId();
  const still = busy || blocked !== undefined;
  const attributes = {
    'aria-label': about ? `${label}, ${about}` : undefined,
    ...rest,
    ref,
    type: 'button',
    'data-helix-button': kind,
    'data-helix-action': action,
    'data-helix-busy': busy ? '' : undefined,
    'aria-disabled': still ? true : undefined,
    'aria-describedby': blocked ? (blocked.describedBy ?? reasonId) : rest['aria-describedby'],
    onClick(event: MouseEvent<HTMLButtonElement>) {
      rest.onClick?.(event);
      if (!still && !event.defaultPrevented) onPress();
    },
  } as const;
  const content = (
    <>
      {spinning ? (
        <Icon name="spinner" size={small ? 14 : 16} />
      ) : (
        (blocked?.icon ?? (icon && <Icon name={icon} size={small ? 14 : 16} />))
      )}
      {label}
    </>
  );
  return (
    <span {...around} data-helix-part="slot" data-helix-small={small ? '' : undefined}>
      {slots.Button ? (
        <slots.Button
          {...attributes}
          kind={kind}
          action={action}
          small={small ?? false}
          busy={busy ?? false}
        >
          {content}
        </slots.Button>
      ) : (
        <button {...attributes}>{content}</button>
      )}
      {blocked?.reason && (
        <span id={reasonId} data-helix-part="reason">
          {blocked.reason}
        </span>
      )}
    </span>
  );
});
