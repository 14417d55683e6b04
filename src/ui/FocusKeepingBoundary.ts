import { ErrorBoundary } from 'react-error-boundary';
import type { Spot } from './focus.ts';
import { noteSpot } from './focus.ts';

type Props = ErrorBoundary['props'] & {
  /** A crash, or its end, took the focused element along. Called with where it stood, once what stands instead is drawn. */
  readonly onFocusLost: (spot: Spot) => void;
};

type State = ErrorBoundary['state'];

interface Held {
  readonly element: Element;
  readonly spot: Spot;
}

/** An error boundary that notices when what it takes off the page had focus. */
export class FocusKeepingBoundary extends ErrorBoundary {
  declare readonly props: Props;

  /** Called while the old nodes are still there. */
  override getSnapshotBeforeUpdate(_before: Props, stateBefore: State): Held | null {
    const element = document.activeElement;
    const same = !this.state.didCatch && !stateBefore.didCatch;
    if (same || !element || element === document.body) return null;
    return { element, spot: noteSpot(element, element) };
  }

  override componentDidUpdate(before: Props, stateBefore: State, held?: Held | null): void {
    super.componentDidUpdate(before, stateBefore);
    if (!held || held.element.isConnected) return;
    const active = document.activeElement;
    if (active === null || active === document.body) this.props.onFocusLost(held.spot);
  }
}
