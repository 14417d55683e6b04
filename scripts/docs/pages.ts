import { errorsPage } from './errorsPage.ts';

/** A page of `docs` that is made of tables of the source. */
export interface Page {
  /** From the folder that holds package.json. */
  readonly path: string;
  /** The whole text of the file. */
  readonly write: () => string;
}

/** Every generated page. */
export const PAGES: readonly Page[] = [{ path: 'docs/errors.md', write: errorsPage }];
