import type { HTMLAttributes, ReactNode, RefObject } from 'react';
import { useId } from 'react';
import type { Severity } from '../errors/failure.ts';
import { CountdownRing } from './CountdownRing.tsx';
import type { IconName } from './Icon.tsx';
import { Icon } from './Icon.tsx';
import { rootAttributes } from './rootAttributes.ts';
import type { CardParts } from './slots.ts';
import { useUI } from './uiContext.ts';
import { type Surface, watchesFocus } from './useSurface.ts';

/** What a card shows; other props go to its outermost element. */
export interface CardProps extends Omit<HTMLAttributes<HTMLDivElement>, 'title' | 'children'> {
  /** The component, as the stylesheet and tests know it. */
  readonly ui: string;
  /** A banner has a disc and two lines, an inline card one row; a toast has its actions always under the text. */
  readonly form: 'banner' | 'inline' | 'toast';
  readonly root: RefObject<HTMLDivElement | null>;
  readonly surface: Surface<object>;
  readonly state: string;
  /** Absent where nothing is wrong. */
  readonly severity?: Severity | 'recovered' | undefined;
  readonly icon: IconName;
  /** A countdown around the disc: its end in wall-clock ms, what is left, the whole. */
  readonly ring?:
    | { readonly until: number; readonly left: number; readonly total: number }
    | undefined;
  readonly heading: string;
  /** The id of its title and sentence. */
  readonly textId?: string | undefined;
  /** Whole sentences. */
  readonly sentence?: ReactNode;
  readonly quote?: ReactNode;
  readonly actions?: ReactNode;
  /** A pill after the title. */
  readonly counter?: string | undefined;
  /** Stands at the end, after the actions. */
  readonly close?: ReactNode;
  /** Arranges the parts in place of the kit. */
  readonly arrange?: ((parts: CardParts) => ReactNode) | undefined;
  /** Escape, pressed inside. */
  readonly onEscape?: (() => void) | undefined;
}

/** The common body of banner, notice, toast and inline error: icon, title, sentence, actions. It has no live role of its own. */
export function Card({
  ui,
  form,
  root,
  surface,
  state,
  severity,
  icon,
  ring,
  heading,
  textId,
  sentence,
  quote,
  actions,
  counter,
  close,
  arrange,
  onEscape,
  onFocus,
  onBlur,
  onKeyDown,
  ...rest
}: CardProps) {
  const settings = useUI();
  const { catalog, slots } = settings;
  const id = useId();
  const severityWord = severity && catalog?.severities[severity];
  const hidden = severityWord && severityWord !== heading && (
    <span data-helix-part="hidden">{severityWord}</span>
  );
  const text = (
    <div id={textId} data-helix-part="text">
      <Title inline={form === 'inline'} id={`${id}t`}>
        {heading}
      </Title>
      {counter && (
        <>
          {' '}
          <span data-helix-part="counter">{counter}</span>
        </>
      )}
      {sentence && (
        <span id={`${id}s`} data-helix-part="sentence">
          {sentence}
        </span>
      )}
      {quote}
    </div>
  );
  const parts: CardParts = {
    form,
    severity,
    state,
    icon:
      form === 'inline' ? (
        <Icon name={icon} />
      ) : (
        <span data-helix-part="disc">
          <Icon name={icon} size={18} />
          {ring && <CountdownRing key={ring.until} left={ring.left} total={ring.total} size={32} />}
        </span>
      ),
    text: (
      <>
        {hidden}
        {text}
      </>
    ),
    actions: actions && (
      <div data-helix-part="actions" data-helix-small={form === 'banner' ? undefined : ''}>
        {actions}
      </div>
    ),
    close,
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls
    <div
      role="group"
      aria-labelledby={`${id}t`}
      aria-describedby={sentence ? `${id}s` : undefined}
      {...rootAttributes(ui, settings)}
      {...rest}
      ref={root}
      data-helix-card={form}
      data-helix-severity={severity}
      data-helix-state={state}
      {...watchesFocus(surface, { onFocus, onBlur })}
      onKeyDown={(event) => {
        onKeyDown?.(event);
        if (event.key !== 'Escape' || !onEscape || event.defaultPrevented) return;
        event.preventDefault();
        event.stopPropagation();
        onEscape();
      }}
    >
      {arrange?.(parts) ?? (slots.Card ? <slots.Card {...parts} /> : <Arranged {...parts} />)}
    </div>
  );
}

/** The kit's own arrangement. */
function Arranged({ icon, text, actions, close }: CardParts) {
  return (
    <div data-helix-part="card">
      {icon}
      <div data-helix-part="body">
        {text}
        {actions}
      </div>
      {close}
    </div>
  );
}

/** In a row the title is the lead words of its sentence and ends like one for the ear. */
function Title({ inline, id, children }: { inline: boolean; id: string; children: string }) {
  return inline ? (
    <>
      <span id={id} data-helix-part="title">
        {children}
      </span>{' '}
    </>
  ) : (
    <div id={id} data-helix-part="title">
      {children}
    </div>
  );
}
