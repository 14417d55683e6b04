import type { DetailsHTMLAttributes } from 'react';
import { forwardRef, useId, useMemo, useRef } from 'react';
import type { Failure } from '../errors/failure.ts';
import { ActionButton } from './ActionButton.tsx';
import type { AnyChat } from './acting.ts';
import { failureDetails } from './failureDetails.ts';
import { Icon } from './Icon.tsx';
import { rootAttributes } from './rootAttributes.ts';
import { useUI } from './uiContext.ts';
import { useAnnouncement } from './useAnnouncement.ts';
import { useCopy } from './useCopy.ts';
import { useSurface, watchesFocus } from './useSurface.ts';

/** Props of `ErrorDetails`; those not named here go to its `details` element. */
export interface ErrorDetailsProps extends DetailsHTMLAttributes<HTMLDetailsElement> {
  /** Shows its failure, or the one after which it tries again. */
  readonly chat?: AnyChat | undefined;
  /** In place of `chat`. Undefined draws nothing. */
  readonly failure?: Failure | undefined;
}

/**
 * For developers: code, category, status, ids, tries and the technical detail of a failure, folded, with a button that
 * copies them as JSON. Secrets are masked in both. No other component draws it unless it is told to.
 */
export const ErrorDetails = forwardRef<HTMLDetailsElement, ErrorDetailsProps>(function ErrorDetails(
  { chat, failure: given, ...rest },
  ref,
) {
  const settings = useUI();
  const { catalog, world } = settings;
  const recovery = chat?.recovery;
  const tried = recovery?.name === 'backing-off' ? recovery.failure : undefined;
  const failure = given ?? chat?.failure ?? tried;
  const content = useMemo(
    () => failure && { id: failure.id, ...failureDetails(failure, recovery) },
    [failure, recovery],
  );
  const root = useRef<HTMLDetailsElement>(null);
  const surface = useSurface(root, ref, {
    content,
    trying: false,
    leaveTo: ['surface', 'composer', 'message'],
  });
  const { shown } = surface;
  const copying = useCopy(world);
  useAnnouncement(
    copying.outcome && catalog && shown
      ? {
          incident: `${shown.id}:copy-details`,
          text:
            copying.outcome === 'copied'
              ? catalog.names.detailsCopied
              : catalog.causes.situations.copyFailed,
          say: 'polite',
        }
      : undefined,
  );
  const id = useId();
  if (!catalog || !shown) return null;
  return (
    <details
      {...rootAttributes('error-details', settings)}
      {...rest}
      ref={root}
      {...watchesFocus(surface, rest)}
    >
      <summary data-helix-part="summary">
        <Icon name="disclosure" />
        <span>{catalog.names.details}</span>
        <code data-helix-part="code" dir="ltr" translate="no">
          {shown.code}
        </code>
      </summary>
      {world.copy && (
        <ActionButton
          action="copy-details"
          label={catalog.names.copyDetails}
          kind="plain"
          small
          icon={copying.outcome === 'copied' ? 'recovered' : 'copy'}
          onPress={() => {
            void copying.copy(shown.json);
          }}
        />
      )}
      {copying.outcome === 'failed' && (
        <p data-helix-part="reason">{catalog.causes.situations.copyFailed}</p>
      )}
      <dl dir="ltr" lang="en" translate="no" data-helix-part="fields">
        {shown.rows.map(({ name, value }) => (
          <div key={name}>
            <dt id={`${id}${name}`}>{name}</dt>
            <dd>
              {name === 'detail' ? (
                // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls
                <div
                  role="group"
                  aria-labelledby={`${id}${name}`}
                  // It scrolls, so the arrow keys must be able to reach it.
                  // biome-ignore lint/a11y/noNoninteractiveTabindex: as above
                  tabIndex={0}
                  data-helix-part="scroll"
                >
                  {value}
                </div>
              ) : (
                value
              )}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
});
