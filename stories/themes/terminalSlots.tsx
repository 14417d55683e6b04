import type { CardParts, IconSlotProps, Slots } from 'helix-chat/ui';

/** A line at the side instead of a box, and the buttons under the text. */
function Card({ text, actions }: CardParts) {
  return (
    <div className="terminal-card">
      <div>{text}</div>
      {actions}
    </div>
  );
}

const SIGNS: Readonly<Record<string, string>> = { retry: '↻', close: '×', recovered: '✓' };

/** Signs instead of drawings. */
function Icon({ name, size, ...rest }: IconSlotProps) {
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: the kit hides it, since the words beside it say the same
    <svg {...rest} viewBox="0 0 16 16">
      <text x="8" y="13" textAnchor="middle" fontSize="14" fill="currentColor" stroke="none">
        {SIGNS[name] ?? '›'}
      </text>
    </svg>
  );
}

/** What the page puts in place of the kit's parts. */
export const terminalSlots: Slots = { Card, Icon };
