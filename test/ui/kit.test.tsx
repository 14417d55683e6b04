import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { createManualWorld } from '../../src/testing/manualWorld.ts';
import { Kit } from './support/kit.tsx';
import { outOfOrder } from './support/outOfOrder.ts';
import { expectAccessible, showPage } from './support/page.tsx';

/** Pictures for a person to look at go to the folder that `VITE_KIT_PICTURES` names; without it none are made. */
const pictures: string | undefined = import.meta.env.VITE_KIT_PICTURES;

const looks = [
  { name: 'light', theme: 'light', dir: 'ltr', width: 1280 },
  { name: 'dark', theme: 'dark', dir: 'ltr', width: 1280 },
  { name: 'rtl', theme: 'light', dir: 'rtl', width: 1280 },
  { name: 'narrow', theme: 'light', dir: 'ltr', width: 320 },
  { name: 'narrow-dark', theme: 'dark', dir: 'ltr', width: 320 },
] as const;

describe('every component in every state', () => {
  it.each(looks)('is accessible and fits: $name', async ({ name, theme, dir, width }) => {
    await page.viewport(width, 900);
    document.documentElement.dir = dir;
    document.body.style.cssText =
      theme === 'dark'
        ? 'margin:0;background:#191817;color:#edebe6;--page-muted:#a09d94'
        : 'margin:0;background:#fcfcfa;color:#1d1d1a;--page-muted:#6b6962';
    document.body.style.fontFamily = 'Inter, system-ui, sans-serif';
    const world = createManualWorld();
    await showPage(<Kit now={world.now()} narrow={width < 600} />, { world, theme });
    await world.advance(1_000);
    document.querySelector<HTMLElement>('[data-press]')?.click();
    await world.advance(300);
    // What comes in is not yet what a person reads.
    await Promise.all(
      document
        .getAnimations()
        .map((animation) =>
          animation.effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY
            ? undefined
            : animation.effect?.getComputedTiming().duration === 160
              ? animation.finished
              : undefined,
        ),
    );
    if (pictures) {
      await page.viewport(width, document.documentElement.scrollHeight);
      await page.screenshot({ path: `${pictures}/${name}.png`, scale: 'device' });
    }
    expect(outOfOrder()).toEqual([]);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
    await expectAccessible();
    document.documentElement.removeAttribute('dir');
    document.body.removeAttribute('style');
  });
});
