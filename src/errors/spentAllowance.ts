import { hasFields, readField, readList, readName } from '../protocol/readField.ts';
import { isSpentAllowance } from '../protocol/spentAllowance.ts';

const WORDS = [
  ...['code', 'type', 'reason', 'kind', 'status', 'error', 'detail'],
  ...['error_code', 'errorCode', 'error_type', 'errorType'],
] as const;

/**
 * The word by which a refusal says that an allowance is used up, out of the envelopes that backends use: the body
 * itself, `error`, `detail`, `status`, `data`, the first of `errors` or of a list, `type` of a problem. Prose never
 * counts. Never throws.
 */
export function spentAllowanceOf(body: unknown): string | undefined {
  const envelopes = [first({ body }, 'body') ?? body].flatMap((outer) => [
    outer,
    ...['error', 'detail', 'status', 'data', 'errors'].flatMap((key) => {
      const inner = first(outer, key) ?? readField(outer, key);
      return hasFields(inner) ? [inner, readField(inner, 'error')] : [];
    }),
  ]);
  for (const envelope of envelopes) {
    const word = WORDS.map((key) => readName(envelope, key)).find(isSpentAllowance);
    if (word !== undefined) return word;
  }
  return undefined;
}

const first = (value: unknown, key: string): unknown => readList(value, key)?.[0];
