/**
 * Buttons that a person sees before one that Tab reaches earlier, in either direction of writing. `except`: a selector of
 * those that may stand elsewhere.
 */
export function outOfOrder(except?: string): string[] {
  const found: string[] = [];
  for (const surface of document.querySelectorAll('[data-helix-ui]')) {
    const rtl = getComputedStyle(surface).direction === 'rtl';
    const buttons = [...surface.querySelectorAll('button')].filter(
      (button) => except === undefined || !button.matches(except),
    );
    for (const [index, button] of buttons.entries()) {
      const before = buttons[index - 1]?.getBoundingClientRect();
      const box = button.getBoundingClientRect();
      if (!before || box.top >= before.bottom) continue;
      const follows = rtl ? box.right <= before.left : box.left >= before.right;
      if (!follows || box.bottom <= before.top) found.push(`out of order: ${button.outerHTML}`);
    }
  }
  return found;
}
