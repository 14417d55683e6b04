import axe from 'axe-core';
import { ar } from 'helix-chat/locales/ar';
import { afterEach, expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { currentLook, type Look, setLook } from '../stories/support/look.ts';
import '../test/setup/strictConsole.ts';
import { outOfOrder } from '../test/ui/support/outOfOrder.ts';

/** What closes a toast stands in its corner and comes last. */
const CORNERS = '[data-helix-card="toast"] [data-helix-button="close"]';

/*
 * After its steps a story is looked at in every way that the kit promises to bear. The addon checks the first one, light
 * and wide, with the same rules.
 */
const looks: readonly { name: string; width: number; look(own: Look): Look }[] = [
  { name: 'dark', width: 1280, look: (own) => ({ ...own, theme: 'dark' }) },
  { name: 'right to left', width: 1280, look: (own) => ({ ...own, catalog: ar }) },
  { name: '320 px', width: 320, look: (own) => own },
];

afterEach(async () => {
  const own = currentLook();
  const kit = document.querySelector('[data-helix-ui]');
  for (const { name, look, width } of kit ? looks : []) {
    setLook(look(own));
    await page.viewport(width, 900);
    await painted();
    const found = [...(await violations()), ...outOfOrder(CORNERS), ...cutOff(width)];
    expect(found, name).toEqual([]);
  }
  setLook(own);
  expect(await missedByTab(), 'buttons that Tab does not reach, or not in order').toEqual([]);
});

/** Two frames: one that draws the change, one that shows it. What comes in by a fade is taken to its end. */
async function painted(): Promise<void> {
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  for (const animation of document.getAnimations()) {
    if (animation instanceof CSSTransition || isEntrance(animation)) animation.finish();
  }
}

const isEntrance = (animation: Animation) =>
  animation.effect?.getComputedTiming().iterations === 1 &&
  Number(animation.effect.getComputedTiming().duration) < 1_000;

async function violations(): Promise<string[]> {
  const { violations: found } = await axe.run(document.body, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    rules: { 'target-size': { enabled: true }, region: { enabled: false } },
    resultTypes: ['violations'],
  });
  return found.map(({ id, nodes }) =>
    [id, ...nodes.map((node) => `${node.html} ${node.failureSummary}`)].join('\n'),
  );
}

/** What a person would have to scroll sideways for. */
function cutOff(width: number): string[] {
  const { scrollWidth } = document.documentElement;
  return scrollWidth > width ? [`the page is ${scrollWidth} px wide, not ${width}`] : [];
}

/** Presses Tab from the top of the page to its end, and names the buttons of the kit that were not met in their turn. */
async function missedByTab(): Promise<string[]> {
  const expected = [
    ...document.querySelectorAll('[data-helix-ui] :is(button, summary, [tabindex="0"])'),
  ].filter((element) => element.checkVisibility());
  if (expected.length === 0) return [];
  // A blurred control would still be where Tab goes on from.
  document.body.setAttribute('tabindex', '-1');
  document.body.focus();
  document.body.removeAttribute('tabindex');
  const met: Element[] = [];
  for (;;) {
    await userEvent.tab();
    const { activeElement } = document;
    if (!activeElement || activeElement === document.body || met.includes(activeElement)) break;
    met.push(activeElement);
  }
  const ofKit = met.filter((element) => expected.includes(element));
  return expected.filter((element, index) => ofKit[index] !== element).map((el) => el.outerHTML);
}
