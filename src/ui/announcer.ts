import type { World } from '../world.ts';

/** One thing to be said aloud. */
export interface Announcement {
  /** The incident it belongs to: within one, the same text is said once. */
  readonly incident: string;
  readonly text: string;
  /** Once an incident at most, even if the text has changed. */
  readonly once?: boolean | undefined;
  /** Spoken at once, past what is being read; else when the reader is free. */
  readonly assertive: boolean;
  readonly lang?: string | undefined;
}

/** The voice of a document: two hidden live regions, shared by every chat and every copy of the package in it. */
export interface Announcer {
  /** Queues an announcement. The returned function withdraws it if it was not said yet. */
  say(announcement: Announcement): () => void;
  /** Lets an incident speak again: a person has started a new try. */
  forget(incident: string): void;
  /** Gives up one hold on it; the last one takes the regions away. */
  release(): void;
}

interface Shared extends Announcer {
  holders: number;
}

/** Copies of the package find the announcer of a container under this key. */
const KEY = Symbol.for('helix-chat.announcer');
type Container = Element & { [KEY]?: Shared };

/** A reader must have seen a region empty before text in it counts as news. */
const BEFORE_MS = 150;
/** How long a polite text stands before the next may take its place. */
const GAP_MS = 1_000;
const CLEAR_MS = 7_000;
/** Incidents whose spoken texts are remembered. */
const REMEMBERED = 20;

/** The announcer of `container`, made on first use. Call `release()` when done with it. */
export function holdAnnouncer(container: Element, world: World): Announcer {
  const host: Container = container;
  host[KEY] ??= createAnnouncer(host, world);
  host[KEY].holders += 1;
  return host[KEY];
}

function createAnnouncer(host: Container, world: World): Shared {
  const root = host.ownerDocument.createElement('div');
  root.setAttribute('data-helix-announcer', '');
  const polite = region('status');
  const assertive = region('alert');
  host.append(root);

  const spoken = new Map<string, Set<string>>();
  let queue: Announcement[] = [];
  const readyAt = world.monotonic() + BEFORE_MS;
  let politeAt = 0;
  let stopTimer: (() => void) | undefined;
  const stopClears = new Map<Element, () => void>();
  const stopEvents = world.onPageEvent((event) => {
    if (event === 'visible') plan();
  });

  function region(role: 'status' | 'alert'): HTMLElement {
    const node = host.ownerDocument.createElement('div');
    node.setAttribute('role', role);
    node.setAttribute('aria-atomic', 'true');
    // Set here and not in the stylesheet: the regions must stay hidden where an app brings its own looks.
    node.style.cssText =
      'position:absolute;inline-size:1px;block-size:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap';
    root.append(node);
    return node;
  }

  /** Nobody listens in a hidden tab: the queue waits there, and what is withdrawn meanwhile is never said. */
  function plan(): void {
    const next = queue.find((item) => item.assertive) ?? queue[0];
    stopTimer?.();
    stopTimer = undefined;
    if (!next || !world.visible()) return;
    const free = next.assertive ? readyAt : Math.max(readyAt, politeAt);
    stopTimer = world.after(Math.max(BEFORE_MS, free - world.monotonic()), () => {
      stopTimer = undefined;
      if (!world.visible()) return;
      const node = next.assertive ? assertive : polite;
      if (node.textContent) {
        // Emptied first, so that the same text is news again.
        clear(node);
      } else {
        queue = queue.filter((item) => item !== next);
        speak(next, node);
      }
      plan();
    });
  }

  function speak(item: Announcement, node: HTMLElement): void {
    remember(item);
    if (item.lang) node.setAttribute('lang', item.lang);
    else node.removeAttribute('lang');
    node.textContent = item.text;
    politeAt = world.monotonic() + GAP_MS;
    stopClears.get(node)?.();
    stopClears.set(
      node,
      world.after(CLEAR_MS, () => clear(node)),
    );
  }

  function clear(node: Element): void {
    stopClears.get(node)?.();
    stopClears.delete(node);
    if (node.textContent) node.textContent = '';
  }

  function remember({ incident, text }: Announcement): void {
    const texts = spoken.get(incident) ?? new Set();
    texts.add(text);
    spoken.delete(incident);
    spoken.set(incident, texts);
    for (const oldest of spoken.keys()) {
      if (spoken.size <= REMEMBERED) break;
      spoken.delete(oldest);
    }
  }

  return {
    holders: 0,
    say(item) {
      const { incident, text, once } = item;
      const said = spoken.get(incident);
      if (!text || (once ? said : said?.has(text))) return () => {};
      if (item.assertive)
        queue = queue.filter((queued) => queued.assertive || queued.incident !== incident);
      queue = queue.filter((queued) => queued.incident !== incident || queued.text !== text);
      queue.push(item);
      plan();
      return () => {
        queue = queue.filter((queued) => queued !== item);
        plan();
      };
    },
    forget(incident) {
      spoken.delete(incident);
    },
    release() {
      this.holders -= 1;
      // Later, so that a holder that lets go and takes hold again in one commit finds the same regions.
      queueMicrotask(() => {
        if (this.holders > 0 || host[KEY] !== this) return;
        stopEvents();
        stopTimer?.();
        for (const stop of stopClears.values()) stop();
        root.remove();
        delete host[KEY];
      });
    },
  };
}
