import type { PageEvent, World } from '../world.ts';
import type { ControllerOptions } from './controllerOptions.ts';
import type { RecoveryEvent } from './events.ts';
import { type Claimed, createKeptSends, type KeptSends } from './keptSends.ts';
import type { InHand } from './leftover.ts';
import { type Model, pendingIdOf } from './model.ts';
import type { ChatMessage } from './ports.ts';

interface SendKeepingOptions<M extends ChatMessage> {
  readonly world: World;
  readonly keeps: ControllerOptions<M>['keeps'];
  model(): Model<M>;
  dispatch(event: RecoveryEvent<M>): void;
  /** What would be lost with the page. */
  inHand(): readonly InHand<M>[];
}

/** What one chat has in a store that outlives the page, if the app has given one: brought up to date, claimed, let go. */
export interface SendKeeping {
  /** Takes in what the store holds. `place`: whose messages they are. */
  open(place: { readonly endpoint: string; readonly chatId: string }): void;
  /** After each change of the chat: only one of what is pending or on its way is worth a look at the store. */
  look(): void;
  /** Runs `go` once the message of the turn under way is known to be this tab's to send. `open`: its call is. */
  ifOurs(open: boolean, go: () => void): void;
  reserve(entryId: string): boolean | Promise<boolean>;
  letGo(entryId: string): void;
  pageChanged(event: PageEvent): void;
  close(): void;
}

/** One a chat; without a store it lets everything pass. */
export function createSendKeeping<M extends ChatMessage>(
  options: SendKeepingOptions<M>,
): SendKeeping {
  const { world, model, dispatch, inHand } = options;
  let kept: KeptSends | undefined;
  /** What the store was last brought up to. */
  let keptAt: readonly unknown[] = [];
  let closed = false;
  return {
    open(place) {
      const store = options.keeps?.store();
      if (options.keeps === undefined || store === undefined) return;
      const { identity, onDeveloperNote } = options.keeps;
      kept = createKeptSends<M>({
        ...{ world, store, identity, inHand, onDeveloperNote, place },
        onRestored: (lefts) => dispatch({ type: 'sends-restored', lefts, from: 'store' }),
        onTaken: (ids) => dispatch({ type: 'entries-found', ids }),
        onUnclear: (ids) => dispatch({ type: 'sends-unclear', ids }),
        onEnded() {
          if (model().job.at === 'rest') dispatch({ type: 'resync-requested' });
        },
      });
      kept.open();
    },
    look() {
      if (kept === undefined) return;
      const { queue, turn, after, job } = model();
      const isOnItsWay = turn !== undefined && !turn.accepted;
      const seen = [queue, after, isOnItsWay ? turn : undefined, job.at === 'requesting'];
      if (seen.every((value, index) => value === keptAt[index])) return;
      keptAt = seen;
      kept.keep();
    },
    ifOurs(open, go) {
      const { ticket, turn } = model();
      const { message } = turn ?? {};
      if (kept === undefined || turn === undefined || message === undefined) {
        go();
        return;
      }
      const proceed = (claimed: Claimed): void => {
        if (closed || model().ticket !== ticket) return;
        if (claimed === 'ours') go();
        else
          dispatch({ type: claimed === 'theirs' ? 'taken-elsewhere' : 'posted-elsewhere', open });
      };
      const answer = kept.claim(pendingIdOf(turn, message));
      if (answer instanceof Promise) void answer.then(proceed);
      else proceed(answer);
    },
    reserve(entryId) {
      const claimed = kept?.reserve(entryId) ?? 'ours';
      return typeof claimed === 'string'
        ? claimed !== 'theirs'
        : claimed.then((later) => later !== 'theirs');
    },
    letGo: (entryId) => kept?.letGo(entryId),
    pageChanged(event) {
      if (event === 'leaving' || event === 'gone') kept?.leave(event === 'gone');
      if (event === 'restored') kept?.comeBack();
    },
    close() {
      closed = true;
      kept?.close();
    },
  };
}
