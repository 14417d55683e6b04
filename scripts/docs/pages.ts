import { errorsPage } from './errorsPage.ts';
import { conflictPage } from './recovery/conflictPage.ts';
import { recoveryPage } from './recovery/recoveryPage.ts';
import { stateDiagram } from './recovery/stateDiagram.ts';

/** A page of `docs` that is made of tables of the source. */
export interface Page {
  /** From the folder that holds package.json. */
  readonly path: string;
  /** The whole text of the file. */
  readonly write: () => string;
}

/** Every generated page. */
export const PAGES: readonly Page[] = [
  { path: 'docs/errors.md', write: errorsPage },
  { path: 'docs/recovery.md', write: recoveryPage },
  { path: 'docs/conflict-policy.md', write: conflictPage },
  { path: 'docs/recovery-states.svg', write: stateDiagram },
];
