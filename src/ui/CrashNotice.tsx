import type { ForwardedRef, HTMLAttributes, RefObject } from 'react';
import { useId, useMemo, useRef } from 'react';
import type { FailureView } from '../i18n/describeError.ts';
import { spokenText } from '../i18n/describeError.ts';
import { ActionButton } from './ActionButton.tsx';
import { Icon } from './Icon.tsx';
import { rootAttributes } from './rootAttributes.ts';
import { useUI } from './uiContext.ts';
import { useAnnouncement } from './useAnnouncement.ts';
import { usePress } from './usePress.ts';
import { useSurface, watchesFocus } from './useSurface.ts';

/** Props of `CrashNotice`; those not named here go to its section. */
export interface CrashNoticeProps extends HTMLAttributes<HTMLElement> {
  readonly view: FailureView;
  readonly forwarded: ForwardedRef<HTMLElement>;
  /** Takes focus when the crashed part had it. */
  readonly heading: RefObject<HTMLHeadingElement | null>;
  onShowAgain(): void;
  readonly onReloadPage?: (() => void | Promise<void>) | undefined;
}

/** Stands in place of a part that crashed: what happened, and the ways on. */
export function CrashNotice(props: CrashNoticeProps) {
  const { view, forwarded, heading, onShowAgain, onReloadPage, ...rest } = props;
  const settings = useUI();
  const press = usePress(settings.world);
  const root = useRef<HTMLElement>(null);
  const content = useMemo(() => ({ id: view.failureId }), [view]);
  const surface = useSurface(root, forwarded, {
    content,
    trying: false,
    leaveTo: ['composer', 'surface', 'message'],
  });
  useAnnouncement({ incident: view.failureId, text: spokenText(view), say: view.announce });
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      {...rootAttributes('chat-error-boundary', settings)}
      {...rest}
      ref={root}
      data-helix-severity={view.severity}
      {...watchesFocus(surface, rest)}
    >
      <span data-helix-part="disc">
        <Icon name={view.severity} size={20} />
      </span>
      <span data-helix-part="hidden">{view.severityLabel}</span>
      <h2 ref={heading} id={id} tabIndex={-1} data-helix-part="title">
        {view.title}
      </h2>
      <p data-helix-part="sentence">{view.cause}</p>
      <div data-helix-part="actions">
        {view.actions.map((action, index) => {
          const busy = press.busy(view.failureId) === action.id;
          return (
            <ActionButton
              key={action.id}
              action={action.id}
              label={action.label}
              kind={action.primary ? 'filled' : 'bordered'}
              icon={index === 0 ? 'retry' : undefined}
              busy={busy}
              spinning={busy && press.spinning}
              onPress={() =>
                press.run(view.failureId, action.id, () =>
                  action.id === 'reload-page' ? onReloadPage?.() : onShowAgain(),
                )
              }
            />
          );
        })}
      </div>
    </section>
  );
}
