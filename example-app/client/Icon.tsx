import type { ReactNode } from 'react';

/** One family: outline, 24-unit grid, round caps; the stroke is 1.5 px at every drawn size. */
const shapes = {
  helix: (
    <>
      <path d="M7 2.5c0 5 10 6 10 9.5s-10 4.5-10 9.5" />
      <path d="M17 2.5c0 5-10 6-10 9.5s10 4.5 10 9.5" opacity="0.45" />
      <path d="M8 5h8M8 19h8" />
    </>
  ),
  moon: <path d="M20 14.5A8 8 0 0 1 9.5 4a8 8 0 1 0 10.5 10.5Z" />,
  sun: (
    <>
      <circle cx="12" cy="12" r="4" />
      <path d="M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4" />
    </>
  ),
  flask: (
    <path d="M8.5 3h7M10 3v6l-5.3 9.3A1.8 1.8 0 0 0 6.3 21h11.4a1.8 1.8 0 0 0 1.6-2.7L14 9V3M7.5 14.5h9" />
  ),
  close: <path d="M6 6l12 12M18 6 6 18" />,
  plus: <path d="M12 5v14M5 12h14" />,
  newChat: (
    <path d="M12 4H6.5A2.5 2.5 0 0 0 4 6.5v11A2.5 2.5 0 0 0 6.5 20h11a2.5 2.5 0 0 0 2.5-2.5V12M18.3 3.7a1.4 1.4 0 0 1 2 2L12.5 13.5l-3 .8.8-3Z" />
  ),
  send: <path d="M12 19V5M6 11l6-6 6 6" />,
  stop: <rect x="7" y="7" width="10" height="10" rx="2" fill="currentColor" />,
  file: (
    <>
      <path d="M14 3H7.5A1.5 1.5 0 0 0 6 4.5v15A1.5 1.5 0 0 0 7.5 21h9a1.5 1.5 0 0 0 1.5-1.5V7Z" />
      <path d="M14 3v4h4M9 12.5h6M9 16.5h6" />
    </>
  ),
  pen: <path d="M4 20l1-4L16 5a2.1 2.1 0 0 1 3 3L8 19Z" />,
  retry: <path d="M20 12a8 8 0 1 1-2.5-5.8M20 3v5h-5" />,
} satisfies Record<string, ReactNode>;

/** A drawing beside a label; it says nothing by itself. `size` in px. */
export function Icon({ name, size = 16 }: { name: keyof typeof shapes; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={(1.5 * 24) / size}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {shapes[name]}
    </svg>
  );
}
