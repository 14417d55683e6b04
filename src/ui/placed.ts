import { createContext, useContext } from 'react';
import type { AnyChat } from './acting.ts';
import { useIsStanding, useStanding, useStandings } from './surfaces.ts';

/** The components that the drop-in draws, unless the app has placed one itself. */
export type Placed =
  | 'connection-status'
  | 'conflict-notice'
  | 'error-banner'
  | 'error-toasts'
  | 'all-error-toasts'
  | 'message-error'
  | 'pending-sends';

/** Whether a component stands within the drop-in, and not in a place that the app gave it. */
const DropInContext = createContext(false);

/** Marks what is below it as the drop-in's own. */
export const DropInProvider = DropInContext.Provider;

const nameOf = (ui: Placed, chatId: string | undefined, messageId = '') =>
  `placed:${ui}:${chatId}:${messageId}`;

/** Tells that the app has placed this component for this chat, so that the drop-in leaves it out. */
export function usePlaced(ui: Placed, chatId: string | undefined, messageId?: string): void {
  const own = useContext(DropInContext);
  useStanding(own || chatId === undefined ? undefined : nameOf(ui, chatId, messageId));
}

/** Whether the app has placed this component for this chat. */
export function useIsPlaced(ui: Placed, chatId: string | undefined, messageId?: string): boolean {
  return useIsStanding(nameOf(ui, chatId, messageId));
}

/** As `usePlaced`, for several chats; the drop-in's own is told as well, by another name. */
export function usePlacedAll(ui: Placed, chats: readonly AnyChat[]): void {
  const own = useContext(DropInContext);
  useStandings(chats.map(({ id }) => (own ? ownNameOf(ui, id) : nameOf(ui, id))));
}

const ownNameOf = (ui: Placed, chatId: string | undefined) => `own ${nameOf(ui, chatId)}`;

/** Whether a component that tells by `usePlacedAll` is there for this chat, the drop-in's or the app's. */
export function useIsThere(ui: Placed, chatId: string | undefined): boolean {
  const own = useIsStanding(ownNameOf(ui, chatId));
  return useIsPlaced(ui, chatId) || own;
}
