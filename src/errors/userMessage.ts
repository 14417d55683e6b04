import { CODES, type ErrorCode, isErrorCode, sentenceOf } from '../protocol/codes.ts';

/** One English sentence a code, safe to show to a person: no code, id, cause or step that nobody can take. */
export const USER_MESSAGES: Readonly<Record<ErrorCode, string>> = Object.freeze(
  Object.fromEntries(Object.entries(CODES).map(([code, row]) => [code, row.sentence])) as Record<
    ErrorCode,
    string
  >,
);

/** The sentence of a code; of its category for a code that is not one of the 52; a general one for no code. */
export function userMessageFor(code?: string): string {
  return isErrorCode(code) ? USER_MESSAGES[code] : sentenceOf(code);
}
