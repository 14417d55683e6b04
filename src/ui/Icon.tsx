import { useUI } from './uiContext.ts';

/** The icons of the kit, on a grid of 24 with a margin of 2: outlines only, so that they take any colour. */
const SHAPES = {
  notice: ['M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Z', 'M12 11.2v5', '.M12 7.8h.01'],
  warning: [
    'M10.3 4.1 2.5 17.4a2 2 0 0 0 1.7 3h15.6a2 2 0 0 0 1.7-3L13.7 4.1a2 2 0 0 0-3.4 0Z',
    'M12 9.2v4.3',
    '.M12 16.8h.01',
  ],
  blocking: [
    'M9 3h6a2 2 0 0 1 1.4.6l4 4A2 2 0 0 1 21 9v6a2 2 0 0 1-.6 1.4l-4 4a2 2 0 0 1-1.4.6H9a2 2 0 0 1-1.4-.6l-4-4A2 2 0 0 1 3 15V9a2 2 0 0 1 .6-1.4l4-4A2 2 0 0 1 9 3Z',
    'M12 7.6v5.2',
    '.M12 16.3h.01',
  ],
  recovered: ['m4.5 12.8 4.7 4.7L19.5 7'],
  retry: ['M19.6 15.4A8.5 8.5 0 1 1 18 6l2.5 2.6', 'M20.5 3.6v5h-5'],
  writing: ['M12.5 20.5H21', 'M16.2 3.7a2.2 2.2 0 0 1 3.1 3.1L7.3 18.9 3.2 20l1.1-4.2Z'],
  clock: ['M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Z', 'M12 7v5.2l3.2 1.9'],
  'take-back': ['M9 14.5 4 9.5l5-5', 'M20 19.5v-6a4 4 0 0 0-4-4H4'],
  offline: [
    'M7.2 7.5a4.9 4.9 0 0 0-3.9 5.2 5 5 0 0 0 5 4.8h8',
    'M10.2 5.8a5.8 5.8 0 0 1 6.4 4.2 3.9 3.9 0 0 1 3.6 5.9',
    'm4 4 16 16.5',
  ],
  close: ['m6 6 12 12', 'M18 6 6 18'],
  disclosure: ['m9 5.5 6.5 6.5L9 18.5'],
  copy: [
    'M10 8.5h8.5a2 2 0 0 1 2 2V19a2 2 0 0 1-2 2H10a2 2 0 0 1-2-2v-8.5a2 2 0 0 1 2-2Z',
    'M15.5 8.5V5a2 2 0 0 0-2-2H5a2 2 0 0 0-2 2v8.5a2 2 0 0 0 2 2h3',
  ],
  clip: [
    'm20.3 11.4-8.4 8.4a5.4 5.4 0 0 1-7.7-7.7l8.6-8.5a3.6 3.6 0 0 1 5.1 5.1l-8.6 8.5a1.8 1.8 0 0 1-2.5-2.5l7.8-7.8',
  ],
  file: [
    'M14 2.8H7.5a2 2 0 0 0-2 2v14.4a2 2 0 0 0 2 2h9a2 2 0 0 0 2-2V7.3Z',
    'M14 2.8v4.5h4.5',
    'M9 12.5h6',
    'M9 16.5h6',
  ],
} as const;

/** Only an icon that points somewhere is mirrored where the text runs from right to left. */
const MIRRORED: ReadonlySet<string> = new Set(['take-back', 'disclosure']);

/** The icons there are. */
export type IconName = keyof typeof SHAPES | 'spinner';

/** Props of `Icon`. */
export interface IconProps {
  readonly name: IconName;
  /** Width and height in px. */
  readonly size?: number;
}

/** One icon, hidden from assistive technology: the words beside it say the same. */
export function Icon({ name, size = 16 }: IconProps) {
  const { slots } = useUI();
  if (slots.Icon && name !== 'spinner') {
    return (
      <slots.Icon
        name={name}
        size={size}
        data-helix-icon={name}
        data-helix-flip={MIRRORED.has(name) ? '' : undefined}
        width={size}
        height={size}
        aria-hidden="true"
        focusable="false"
      />
    );
  }
  return (
    <svg
      data-helix-icon={name}
      data-helix-flip={MIRRORED.has(name) ? '' : undefined}
      viewBox="0 0 24 24"
      width={size}
      height={size}
      aria-hidden="true"
      focusable="false"
    >
      {name === 'spinner' ? (
        <>
          <circle data-helix-part="track" cx="12" cy="12" r="9" />
          <path d="M12 3a9 9 0 0 1 9 9" />
        </>
      ) : (
        SHAPES[name].map((shape) =>
          shape.startsWith('.') ? (
            <path key={shape} data-helix-part="dot" d={shape.slice(1)} />
          ) : (
            <path key={shape} d={shape} />
          ),
        )
      )}
    </svg>
  );
}
