import type { UIMessage } from 'ai';
import type { HoldCause } from 'helix-chat';
import type { UseHelixChat } from 'helix-chat/react';
import { lines, textOf } from '../setup/mountChat.tsx';
import { isOurs, type Ledger, twice } from './ledger.ts';
import { SECRET } from './weather.ts';

type Chat = UseHelixChat<UIMessage>;

/** Why a held message does not go by itself: a new one may overtake it. */
const WAITS_FOR_A_PERSON: readonly (HoldCause | undefined)[] = [
  'awaiting-answer',
  'queue-paused',
  'slept',
];

/** What `status` says in each state, by the page of the design. */
function statusOf({ recovery, failure }: Chat): Chat['status'] {
  switch (recovery.name) {
    case 'idle':
      return 'ready';
    case 'sending':
      return 'submitted';
    case 'streaming':
      return 'streaming';
    case 'resyncing':
      return recovery.cause === 'load' ? 'ready' : 'streaming';
    case 'backing-off':
      return recovery.of === 'load' ? 'ready' : recovery.of === 'send' ? 'submitted' : 'streaming';
    case 'waiting-on-run':
      return recovery.attached ? 'streaming' : 'submitted';
    case 'failed':
      return failure?.severity === 'notice' ? 'ready' : 'error';
  }
}

const isRest = ({ recovery }: Chat): boolean =>
  recovery.name === 'idle' || recovery.name === 'failed';

const isLoad = ({ recovery }: Chat): boolean =>
  (recovery.name === 'resyncing' && recovery.cause === 'load') ||
  (recovery.name === 'backing-off' && recovery.of === 'load');

/** Looks at every commit of one mounted component and says what must not be seen there. */
export class Screen {
  readonly #ledger: Ledger;
  readonly #by: number;
  /** Texts before this moment that the server has held need not be here: the page was loaded after it. */
  #since: number;
  readonly #isKept: (text: string) => boolean;
  /** Another chat is shown. */
  away = false;
  #places: ReadonlySet<string> = new Set();
  #rested = false;
  #expected = false;
  #before: { readonly rests: boolean; readonly name: string; readonly status: string } | undefined;

  /** `isKept`: a store holds the text, or another tab that shares it shows it. */
  constructor(ledger: Ledger, by: number, since: number, isKept: (text: string) => boolean) {
    this.#ledger = ledger;
    this.#by = by;
    this.#since = since;
    this.#isKept = isKept;
  }

  /** The person's texts on it, as last drawn. */
  places(): ReadonlySet<string> {
    return this.#places;
  }

  /** A person, or the app itself, acts now: what comes next is its effect. */
  mark(): void {
    this.#rested = false;
  }

  /** The app has answered a call by itself: the turn that follows may come after the end of the last. */
  expectTurn(): void {
    this.#expected = true;
  }

  leave(): void {
    this.away = true;
  }

  /** `since`: what the server has held before need not be here at once. */
  comeBack(since: number): void {
    this.away = false;
    this.#since = since;
    this.#rested = false;
    this.#before = undefined;
  }

  look(chat: Chat): void {
    if (this.away) return;
    this.#lookAtStatus(chat);
    this.#lookAtFailure(chat);
    this.#lookAtMessages(chat);
    this.#lookForFlashes(chat);
  }

  #say(text: string): void {
    this.#ledger.broken.add(text);
  }

  #lookAtStatus(chat: Chat): void {
    const { recovery, status, canSend, canStop } = chat;
    if (status !== statusOf(chat)) this.#say(`status ${status} while ${recovery.name}`);
    if (canStop === isRest(chat)) this.#say(`canStop ${canStop} while ${recovery.name}`);
    if (canSend && !isRest(chat) && !isLoad(chat)) this.#say(`canSend while ${recovery.name}`);
  }

  #lookAtFailure(chat: Chat): void {
    const { recovery, failure, error } = chat;
    if ((recovery.name === 'failed') !== (failure !== undefined)) {
      this.#say(`failure ${failure?.error.code} while ${recovery.name}`);
    }
    const shown = failure !== undefined && failure.severity !== 'notice';
    if (error !== (shown ? failure.error : undefined))
      this.#say('error is not that of the failure');
    if (failure?.actions.length === 0) this.#say('failed without an action');
    if (failure?.partial?.includes(SECRET)) this.#say('server text on screen');
  }

  #lookAtMessages(chat: Chat): void {
    const { messages, pendingSends, pendingInMessages } = chat;
    const drawn = lines(messages);
    if (drawn.some((line) => line.includes(SECRET))) this.#say('server text on screen');
    for (const id of twice(messages.map((message) => message.id))) {
      this.#say(`two rows with one id: ${id}`);
    }
    const pendingIds = new Set(pendingSends.map(({ message }) => message.id));
    const tail = messages.filter(({ id }) => pendingIds.has(id)).length;
    if (tail !== (pendingInMessages ? pendingSends.length : 0)) {
      this.#say(`${tail} of ${pendingSends.length} pending messages are drawn`);
    }
    for (const { state, failure } of pendingSends) {
      if ((state === 'failed') !== (failure !== undefined))
        this.#say(`${state} without its failure`);
      if (failure?.actions.length === 0) this.#say('pending without an exit');
    }
    const written = messages.filter(({ id, role }) => role === 'user' && !pendingIds.has(id));
    const pending = pendingSends.map(({ message }) => textOf(message));
    for (const { message, state, cause } of pendingSends) {
      if (state !== 'held' || WAITS_FOR_A_PERSON.includes(cause)) {
        this.#ledger.aside.add(textOf(message));
      }
    }
    const places = [...written.map(textOf), ...pending].filter(isOurs);
    for (const text of twice(places)) this.#say(`in two places: ${text}`);
    this.#places = new Set(places);
    this.#lookForLost(chat, this.#places);
  }

  /** A message of the person's is in the chat's messages, among the pending ones or in a store, at every moment. */
  #lookForLost(chat: Chat, places: ReadonlySet<string>): void {
    const { returned, mayLeave, removed, gone, sent, taken } = this.#ledger;
    for (const { text, by, at, edits } of sent) {
      if (by !== this.#by || places.has(text) || this.#isKept(text)) continue;
      if (at <= this.#since && taken.has(text)) continue;
      if (returned.has(text) || mayLeave.has(text) || removed.has(text) || gone.has(text)) continue;
      // A changed text waits for the end of the reply under way, which is stopped for it.
      if (edits !== undefined && !isRest(chat)) continue;
      this.#say(`nowhere while ${chat.recovery.name}: ${text}`);
    }
  }

  /** Between two states of one piece of automatic work nothing comes to rest. */
  #lookForFlashes(chat: Chat): void {
    const rests = isRest(chat);
    const { name } = chat.recovery;
    const before = this.#before;
    if (rests && before !== undefined && !before.rests) this.#rested = true;
    else if (!rests && this.#rested) {
      // What another tab lets go of is looked for; a message that is held here waits for what is found.
      const isForOthers =
        this.#ledger.isShared() && (name === 'resyncing' || name === 'waiting-on-run');
      if (!isForOthers && !this.#expected)
        this.#say(`flash: ${before?.name} (${before?.status}) before ${name}`);
      this.#rested = false;
      this.#expected = false;
    }
    this.#before = { rests, name, status: chat.status };
  }
}
