/** The header that names one act of a person, so that a repeat of it is never a second one. */
export const REQUEST_KEY_HEADER = 'X-Helix-Request-Key';

/** The same as a parameter of the address. The header counts where both are there. */
export const REQUEST_KEY_PARAMETER = 'requestKey';

const FORM = /^[A-Za-z0-9._:-]{1,128}$/;

/** Whether a value is a request key: 1 to 128 characters of `[A-Za-z0-9._:-]`. */
export function isRequestKey(value: unknown): value is string {
  return typeof value === 'string' && FORM.test(value);
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 24;

/** A new request key of 24 letters and digits. `random` gives numbers in [0, 1). Not a secret. */
export function createRequestKey(random: () => number): string {
  return Array.from(
    { length: LENGTH },
    () => ALPHABET[Math.min(ALPHABET.length - 1, Math.floor(random() * ALPHABET.length))],
  ).join('');
}
