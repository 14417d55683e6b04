import type { StoredMessage } from 'helix-chat/server';
import { textOf } from '../setup/mountChat.tsx';
import { QUESTIONS } from './replies.ts';

/** One text that a person sent. */
export interface Sent {
  readonly text: string;
  /** The client that it was sent by. */
  readonly by: number;
  /** When, counted in presses. */
  readonly at: number;
  /** The same in monotonic ms. */
  readonly ms: number;
  /** The mount of that client. */
  readonly life: Life;
  /** The message that it takes the place of. */
  readonly edits?: string;
}

/** One request that posts something, as its client made it. */
export interface Post {
  readonly by: number;
  /** The mount of that client. */
  readonly life: Life;
  /** Monotonic ms. */
  readonly at: number;
  /** What is posted: an equal one is the same act once more. */
  readonly act: string;
  readonly text: string;
  /** A message goes out, or a change of one. */
  readonly isSend: boolean;
  /** Presses of this client so far. */
  readonly presses: number;
  /** The code of a typed conflict by which it was refused. */
  conflict?: string;
  /** The server may have it. */
  fate: 'open' | 'not-taken' | 'maybe-taken';
}

/** A client from a mount to the unmount. */
export interface Life {
  readonly by: number;
  over: boolean;
}

const OURS = new RegExp(`^(${QUESTIONS.join('|')}) \\d+$`);

/** A text that a person of the walk sent, and nobody else. */
export const isOurs = (text: string): boolean => OURS.test(text);

export const twice = (texts: readonly string[]): string[] => [
  ...new Set(texts.filter((text, at) => texts.indexOf(text) !== at)),
];

/** What stands of ours among messages. */
export const oursIn = (
  messages: readonly { role: string; parts: readonly { type: string }[] }[],
): string[] =>
  messages
    .filter(({ role }) => role === 'user')
    .map(textOf)
    .filter(isOurs);

/** Keeps book of what a person has done, and of what may be expected of it. */
export class Ledger {
  readonly broken = new Set<string>();
  readonly sent: Sent[] = [];
  /** Handed back to the composer. */
  readonly returned = new Set<string>();
  /** Pressed to be sent once more, or in another order. */
  readonly pressed = new Set<string>();
  /** Set aside by a failure or a stop, so that others may overtake it. */
  readonly aside = new Set<string>();
  /** Nobody can know of it any more: its page was left while nothing of it was kept. */
  readonly gone = new Set<string>();
  /** Behind a message that was edited, or a reply that was written anew: the person has let it go. */
  readonly mayLeave = new Set<string>();
  /** The server has held it. */
  readonly taken = new Set<string>();
  /** Changed by an act of the person's; where it never arrived, the new text stands in its place. */
  readonly edited = new Set<string>();
  /** The server has taken it out of the transcript, as it was asked to. */
  readonly removed = new Set<string>();
  readonly posts: Post[] = [];
  /** How often the app was asked to run a call, by page and call. */
  readonly runs = new Map<string, number>();
  /** What was given as an answer, by call. */
  readonly answers = new Map<string, string[]>();
  /** Who ran a call. */
  readonly runners = new Map<string, Life[]>();
  /** Which mounts of a client have pressed a text to be sent. */
  readonly pressedIn = new Map<string, Set<Life>>();
  /** Promises of acts that have not settled, by the page that waits for them. */
  readonly open = new Set<{ readonly isAwaited: () => boolean }>();
  readonly #alone: boolean;
  readonly #monotonic: () => number;
  #now = 0;
  readonly #presses: number[] = [];
  #lastCut = 0;

  /** `alone`: one client writes; else an act of one may cut what it has not seen of the other's. */
  constructor(alone: boolean, monotonic: () => number) {
    this.#alone = alone;
    this.#monotonic = monotonic;
  }

  /** More than one client writes. */
  isShared(): boolean {
    return !this.#alone;
  }

  text(kind: string, life: Life, edits?: string): string {
    const text = `${kind} ${this.sent.length + 1}`;
    const { by } = life;
    this.#now += 1;
    const when = { at: this.#now, ms: this.#monotonic() };
    this.sent.push({ text, by, life, ...when, ...(edits === undefined ? {} : { edits }) });
    return text;
  }

  /** A person pressed something that may send this text. */
  pressedBy(life: Life, text: string): void {
    this.pressed.add(text);
    this.pressedIn.set(text, (this.pressedIn.get(text) ?? new Set()).add(life));
  }

  /** A message goes out: of what an earlier page or another tab has left, only by a press. */
  posted(life: Life, text: string): void {
    const sent = this.sent.find((other) => other.text === text);
    if (sent === undefined || sent.life === life || this.pressedIn.get(text)?.has(life)) return;
    this.broken.add(`sent without a press by another mount than its own: ${text}`);
  }

  /** The app of this tab runs a call. */
  ran(life: Life, call: string, locks: boolean): void {
    const before = this.runners.get(call) ?? [];
    if (locks && before.some(({ by, over }) => by !== life.by && !over)) {
      this.broken.add(`ran in two tabs: ${call}`);
    }
    this.runners.set(call, [...before, life]);
  }

  now(): number {
    return this.#now;
  }

  /** A person did something that may put requests out; `cuts`: it may cut the history too. */
  press(by: number, cuts: boolean): void {
    this.#now += 1;
    this.#presses[by] = this.presses(by) + 1;
    if (cuts) this.#lastCut = this.#now;
  }

  presses(by: number): number {
    return this.#presses[by] ?? 0;
  }

  /** A request has changed the transcript. */
  changed(before: readonly StoredMessage[], after: readonly StoredMessage[]): void {
    const stays = new Set(oursIn(after));
    for (const text of stays) this.taken.add(text);
    for (const text of oursIn(before)) {
      if (stays.has(text)) continue;
      this.removed.add(text);
      const sent = this.sent.find((other) => other.text === text);
      if (this.#alone && sent !== undefined && sent.at > this.#lastCut) {
        this.broken.add(`cut away by an act that is older: ${text}`);
      }
    }
  }

  /** What has to be in the transcript, or pending. */
  expected(): Sent[] {
    const left = (text: string): boolean =>
      this.returned.has(text) ||
      this.removed.has(text) ||
      this.gone.has(text) ||
      (this.edited.has(text) && !this.taken.has(text));
    return this.sent.filter(({ text }) => !left(text));
  }

  /** `isAwaited`: the page that waits for it is still there. */
  hear(result: Promise<unknown>, isAwaited: () => boolean): void {
    const act = { isAwaited };
    this.open.add(act);
    result
      .catch((error: unknown) => {
        if (isAwaited()) this.broken.add(`rejected: ${String(error)}`);
      })
      .finally(() => {
        this.open.delete(act);
      });
  }
}
