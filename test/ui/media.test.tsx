import { afterEach, describe, expect, it } from 'vitest';
import { cdp, page } from 'vitest/browser';
import { createManualWorld } from '../../src/testing/manualWorld.ts';
import { Kit } from './support/kit.tsx';
import { showPage } from './support/page.tsx';

interface Emulation {
  send(
    method: 'Emulation.setEmulatedMedia',
    params: { features: readonly { name: string; value: string }[] },
  ): Promise<unknown>;
}

const prefer = (features: Readonly<Record<string, string>>) =>
  (cdp() as unknown as Emulation).send('Emulation.setEmulatedMedia', {
    features: Object.entries(features).map(([name, value]) => ({ name, value })),
  });

async function showKit(width = 1280) {
  await page.viewport(width, 900);
  const world = createManualWorld();
  await showPage(<Kit now={world.now()} narrow={width < 700} />, { world });
  await world.advance(1_000);
}

const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];

afterEach(async () => {
  await prefer({});
  document.documentElement.removeAttribute('style');
});

describe('what a person prefers', () => {
  it('less motion: nothing moves', async () => {
    await prefer({ 'prefers-reduced-motion': 'reduce' });
    await showKit();
    expect(document.getAnimations()).toEqual([]);
  });

  it('without that wish: spinners and countdowns do', async () => {
    await prefer({ 'prefers-reduced-motion': 'no-preference' });
    await showKit();
    const moving = document
      .getAnimations()
      .map((animation) => (animation as CSSAnimation).animationName);
    expect(moving).toContain('helix-turn');
    expect(moving).toContain('helix-run-down');
  });

  it('dark: by the system alone', async () => {
    await prefer({ 'prefers-color-scheme': 'dark' });
    await showKit();
    const [card] = all('[data-helix-part="card"]');
    expect(card && getComputedStyle(card).backgroundColor).toBe('rgb(32, 31, 29)');
  });

  it('its own colours: every edge is still there, and what is closed is told apart', async () => {
    await prefer({ 'forced-colors': 'active' });
    await showKit();
    const edges = all(
      '[data-helix-button], [data-helix-part="card"], [data-helix-part="bubble"], [data-helix-part="pill"]',
    );
    expect(edges.length).toBeGreaterThan(20);
    for (const edge of edges) {
      const { borderTopStyle, borderTopWidth, borderTopColor, backgroundColor } =
        getComputedStyle(edge);
      expect([borderTopStyle === 'none', borderTopWidth]).toEqual([false, '1px']);
      expect(borderTopColor).not.toBe(backgroundColor);
    }
    const [closed] = all('[data-helix-button][aria-disabled="true"]');
    const [open] = all('[data-helix-button]:not([aria-disabled])');
    expect(closed && getComputedStyle(closed).color).not.toBe(open && getComputedStyle(open).color);
  });

  it('text of twice the size: nothing is cut or pushed out', async () => {
    document.documentElement.style.fontSize = '200%';
    await showKit(640);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(640);
    for (const button of all('[data-helix-button]')) {
      expect(button.scrollWidth).toBeLessThanOrEqual(button.clientWidth);
    }
  });

  it('a keyboard: the focused control has a ring', async () => {
    await showKit();
    const [button] = all('[data-helix-button]');
    button?.focus({ focusVisible: true } as FocusOptions);
    const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(button as HTMLElement);
    expect([outlineStyle, outlineWidth, outlineOffset]).toEqual(['solid', '2px', '2px']);
  });
});
