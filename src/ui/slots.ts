import type {
  ButtonHTMLAttributes,
  ComponentType,
  ReactNode,
  RefAttributes,
  SVGAttributes,
} from 'react';
import type { Severity } from '../errors/failure.ts';

/** What a button of the kit hands to the component that draws it in its place. */
export interface ButtonSlotProps
  extends ButtonHTMLAttributes<HTMLButtonElement>,
    RefAttributes<HTMLButtonElement> {
  /** How much it weighs. `close` is an icon alone and is named by `aria-label`. */
  readonly kind: 'filled' | 'bordered' | 'plain' | 'close';
  /** The action it performs: one of the kit's ids, or one of the app's. */
  readonly action: string;
  /** It stands in a row or a pill. */
  readonly small: boolean;
  /** A press is at work. It can still hold focus, so it must not be `disabled`. */
  readonly busy: boolean;
}

/** What an icon of the kit hands to the component that draws it in its place. */
export interface IconSlotProps extends SVGAttributes<SVGSVGElement> {
  /** The icon's name: a severity, an action, or what goes on. */
  readonly name: string;
  /** Width and height in px. */
  readonly size: number;
}

/** The parts of a banner, a notice, a toast or an inline error, each ready to be put somewhere. */
export interface CardParts {
  /** A banner has room for two lines, an inline card stands in a row, a toast is narrow. */
  readonly form: 'banner' | 'inline' | 'toast';
  readonly severity: Severity | 'recovered' | undefined;
  /** As in `data-helix-state`. */
  readonly state: string;
  /** The icon, in a banner on a disc that runs down with a countdown. */
  readonly icon: ReactNode;
  /** Title and sentence, and the quoted message where there is one. Must be drawn: it names the card. */
  readonly text: ReactNode;
  /** The buttons in their order; absent where nothing can be done. */
  readonly actions: ReactNode;
  /** The close button of a toast, which must be drawn; absent elsewhere. */
  readonly close: ReactNode;
}

/**
 * Components of the app that take the place of parts of the kit. Each must pass the attributes it is given on to its
 * element (a native button for `Button`), or keyboard and assistive technology lose their way.
 */
export interface Slots {
  /** Every button. */
  readonly Button?: ComponentType<ButtonSlotProps>;
  /** Every icon, except spinners and countdowns in buttons. */
  readonly Icon?: ComponentType<IconSlotProps>;
  /** The inside of banners, notices, toasts and inline errors. */
  readonly Card?: ComponentType<CardParts>;
}
