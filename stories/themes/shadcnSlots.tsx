import type { ButtonSlotProps, Slots } from 'helix-chat/ui';
import { forwardRef } from 'react';

const VARIANTS = {
  filled: 'btn-default',
  bordered: 'btn-outline',
  plain: 'btn-ghost',
  close: 'btn-ghost btn-icon',
} as const;

/** The button of the app, as a generator of components would have written it. */
const Button = forwardRef<HTMLButtonElement, ButtonSlotProps>(function Button(
  { kind, small, action: _action, busy: _busy, ...rest },
  ref,
) {
  return (
    <button {...rest} ref={ref} className={`btn ${VARIANTS[kind]} ${small ? 'btn-sm' : ''}`} />
  );
});

/** What the page puts in place of the kit's parts. */
export const shadcnSlots: Slots = { Button };
