import { readHeader } from '../protocol/readHeader.ts';
import { isRequestKey, REQUEST_KEY_HEADER } from '../protocol/requestKey.ts';
import { developerError } from './developerError.ts';

/** `true`: the app vouches that the backend honours keys. `'auto'`: to the page's own origin, until proven. `false`: none. */
export type KeyMode = boolean | 'auto';

/** The address without query and fragment: what keys, budget and breaker are counted by. */
export function endpointOf(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

/** Whether a URL points to the page's own origin. Where there is no page nothing does. */
export function isSameOrigin(url: string, origin: string | undefined): boolean {
  if (origin === undefined) return false;
  try {
    return new URL(url, origin).origin === new URL(origin).origin;
  } catch {
    return false;
  }
}

/** Whether our own key goes out with a request to this URL. */
export function sendsKey(mode: KeyMode, url: string, origin: string | undefined): boolean {
  return mode === 'auto' ? isSameOrigin(url, origin) : mode;
}

/**
 * The app's own key among the headers of one send; undefined where it gave none.
 * @throws a developer error when it is malformed.
 */
export function readOwnKey(headers: unknown): string | undefined {
  const key = readHeader(headers, REQUEST_KEY_HEADER);
  if (key === undefined || isRequestKey(key)) return key;
  throw developerError(
    `The header ${REQUEST_KEY_HEADER} of a send is not a request key.`,
    'The server would refuse it, and a repeat of the send could not be told from a new one.',
    'Use 1 to 128 characters of A-Z, a-z, 0-9 and . _ : - or leave the header out.',
  );
}

/** What the answers of the backend have shown, kept as long as its transport. */
export class ProvenKeys {
  readonly #endpoints = new Set<string>();

  /** Notes an answer to a request that carried `key`. */
  sawAnswer(url: string, key: string | undefined, headers: Headers): void {
    if (key !== undefined && headers.get(REQUEST_KEY_HEADER) === key) {
      this.#endpoints.add(endpointOf(url));
    }
  }

  has(endpoint: string): boolean {
    return this.#endpoints.has(endpoint);
  }
}
