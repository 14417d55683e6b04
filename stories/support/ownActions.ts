import type { Catalog, Failure } from 'helix-chat';
import type { Action } from 'helix-chat/ui';

const OF_THE_APP = ['sign-in', 'plan', 'remove-file', 'start-new'] as const;

/** What only the app of the stories can do about a failure. */
export const ownActions =
  (catalog: Catalog) =>
  ({ actions }: Failure): readonly Action[] =>
    OF_THE_APP.filter((id) => actions.includes(id)).map((id) => ({
      id,
      label: catalog.actions[id],
      onAct() {},
    }));
