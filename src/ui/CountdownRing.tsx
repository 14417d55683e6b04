import type { CSSProperties } from 'react';
import { useState } from 'react';

/** Props of `CountdownRing`. */
export interface CountdownRingProps {
  /** What is left of the wait, and the whole of it, in ms. */
  readonly left: number;
  readonly total: number;
  /** The edge of its square in px: 32 around a disc, 16 in a button. */
  readonly size: number;
}

/**
 * A ring that runs down clockwise from the top. The browser moves it (one animation over the whole wait), so that it
 * glides without a repaint of ours; with reduced motion it stands at what was left when the text was last painted.
 * Give it the end of the wait as `key`.
 */
export function CountdownRing({ left, total, size }: CountdownRingProps) {
  const [motion] = useState(() => ({
    animationDuration: `${total}ms`,
    animationDelay: `${left - total}ms`,
  }));
  const style: CSSProperties & { '--helix-left': number } = {
    ...motion,
    '--helix-left': total > 0 ? Math.min(1, Math.max(0, left / total)) : 0,
  };
  const radius = (size * 15.25) / 32;
  return (
    <svg
      data-helix-icon="ring"
      viewBox={`0 0 ${size} ${size}`}
      width={size}
      height={size}
      aria-hidden="true"
      focusable="false"
    >
      <circle data-helix-part="track" cx={size / 2} cy={size / 2} r={radius} />
      <circle
        data-helix-part="arc"
        cx={size / 2}
        cy={size / 2}
        r={radius}
        pathLength={1}
        style={style}
      />
    </svg>
  );
}
