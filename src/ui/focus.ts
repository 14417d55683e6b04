/** A place that focus may go to when the control that had it is gone (`words.md` D1, D2). */
export type FocusTarget = 'action' | 'surface' | 'composer' | 'message' | 'toast' | 'origin';

/** Where a surface stood, noted while it was on the page. */
export interface Spot {
  /** Its ancestors, nearest first. */
  readonly ancestors: readonly Element[];
  /** The other surfaces: those after it in reading order, then those before it, nearest first. */
  readonly siblings: readonly Element[];
  /** The other toasts: those that are newer, then those that are older, nearest first. */
  readonly toasts: readonly Element[];
  /** The place of the focused control among the buttons of its surface. */
  readonly index: number;
}

const SURFACE = '[data-helix-ui]';
const TOAST = '[data-helix-ui="error-toast"]';
const BUTTON = '[data-helix-button]';
const COMPOSER = '[data-helix-composer]';
const FOCUSABLE =
  'textarea, input:not([type="hidden"]), [contenteditable]:not([contenteditable="false"]), button, [tabindex]';

/** Notes where `surface` stands and which of its buttons has focus. */
export function noteSpot(surface: Element, focused: Element): Spot {
  const ancestors: Element[] = [];
  for (let node = surface.parentElement; node; node = node.parentElement) ancestors.push(node);
  const others = scope(ancestors).querySelectorAll(SURFACE);
  const after: Element[] = [];
  const before: Element[] = [];
  for (const other of others) {
    if (other.contains(surface) || surface.contains(other)) continue;
    const follows = surface.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING;
    if (follows) after.push(other);
    else before.unshift(other);
  }
  return {
    ancestors,
    siblings: [...after, ...before],
    toasts: [...before, ...after].filter((other) => other.matches(TOAST)),
    index: [...surface.querySelectorAll(BUTTON)].indexOf(focused),
  };
}

/** The chat around a surface: the nearest ancestor that holds a composer, else the whole page. */
function scope(ancestors: readonly Element[]): Element {
  const around = ancestors.find((node) => node.querySelector(COMPOSER));
  return around ?? ancestors[ancestors.length - 1] ?? document.documentElement;
}

/** The composer that belongs to a spot: the app's own, else the nearest element marked `data-helix-composer`. */
export function findComposer(
  ancestors: readonly Element[],
  given: (() => HTMLElement | null) | undefined,
): HTMLElement | undefined {
  const marked = given?.() ?? scope(ancestors.filter(isThere)).querySelector(COMPOSER);
  if (!(marked instanceof HTMLElement)) return undefined;
  if (marked.matches(FOCUSABLE)) return marked;
  return marked.querySelector<HTMLElement>(FOCUSABLE) ?? undefined;
}

/** Moves focus to the first target that is there. Never leaves it on `body` while anything of the chat stands. */
export function moveFocus(
  order: readonly FocusTarget[],
  spot: Spot,
  where: {
    readonly surface: Element | null;
    readonly messageId: string | undefined;
    readonly composer: (() => HTMLElement | null) | undefined;
    /** Where focus was before a key led it here. */
    readonly origin?: (() => HTMLElement | null) | undefined;
  },
): void {
  for (const target of order) {
    const found = find(target);
    if (found) {
      focus(found, target);
      return;
    }
  }
  const nearest = spot.ancestors.find((node) => isThere(node) && node !== document.body);
  if (nearest instanceof HTMLElement && nearest !== document.documentElement)
    focus(nearest, 'message');

  function find(target: FocusTarget): HTMLElement | undefined {
    switch (target) {
      case 'action':
        return nextAction(where.surface, spot.index);
      case 'surface':
        return spot.siblings.map((other) => nextAction(other, 0)).find(Boolean);
      case 'composer':
        return findComposer(spot.ancestors, where.composer);
      case 'message':
        return findMessage(spot.ancestors, where.messageId);
      case 'toast':
        return spot.toasts.filter(isThere).find((other) => other instanceof HTMLElement);
      case 'origin': {
        const origin = where.origin?.();
        return origin?.isConnected ? origin : undefined;
      }
    }
  }
}

/** The button at `index`, else the last one. Never one that stops a reply, unless there is no other. */
function nextAction(surface: Element | null, index: number): HTMLElement | undefined {
  if (!surface || !isThere(surface)) return undefined;
  const buttons = [...surface.querySelectorAll<HTMLElement>(BUTTON)];
  const harmless = buttons.filter((button) => button.dataset.helixAction !== 'stop-send');
  const choice = harmless.length > 0 ? harmless : buttons;
  const wanted = buttons[Math.max(0, index)];
  if (wanted && choice.includes(wanted)) return wanted;
  return choice[choice.length - 1];
}

function findMessage(ancestors: readonly Element[], id: string | undefined) {
  const here = ancestors.filter(isThere);
  const around = here.find((node) => node.hasAttribute('data-helix-message'));
  const named = [...scope(here).querySelectorAll('[data-helix-message]')].find(
    (node) => node.getAttribute('data-helix-message') === id,
  );
  const found = around ?? named;
  return found instanceof HTMLElement ? found : undefined;
}

function focus(element: HTMLElement, target: FocusTarget): void {
  if (target === 'message' && !element.matches(FOCUSABLE)) element.setAttribute('tabindex', '-1');
  element.focus();
  if (target !== 'composer') return;
  if (element instanceof HTMLTextAreaElement) {
    element.setSelectionRange(element.value.length, element.value.length);
  } else if (element.isContentEditable) {
    element.ownerDocument.getSelection()?.selectAllChildren(element);
    element.ownerDocument.getSelection()?.collapseToEnd();
  }
}

function isThere(node: Element): boolean {
  return node.isConnected;
}

/** Lets the composer's description name `id`, beside what the app gave it. The returned function takes it out again. */
export function describeComposer(
  surface: Element,
  given: (() => HTMLElement | null) | undefined,
  id: string,
): (() => void) | undefined {
  const ancestors: Element[] = [];
  for (let node = surface.parentElement; node; node = node.parentElement) ancestors.push(node);
  const composer = findComposer(ancestors, given);
  if (!composer) return undefined;
  const ids = () => (composer.getAttribute('aria-describedby') ?? '').split(/\s+/).filter(Boolean);
  composer.setAttribute('aria-describedby', [...ids(), id].join(' '));
  return () => {
    const left = ids().filter((other) => other !== id);
    if (left.length > 0) composer.setAttribute('aria-describedby', left.join(' '));
    else composer.removeAttribute('aria-describedby');
  };
}
