import { cutText, hasFields, readField } from './readField.ts';

/**
 * One header of whatever holds headers: a `Headers`, a map, a record, or a list of pairs; names in any case. Undefined
 * where it is absent or empty. Never throws.
 */
export function readHeader(headers: unknown, name: string): string | undefined {
  if (!hasFields(headers)) return undefined;
  try {
    const text = ask(headers, name) ?? search(headers, name);
    const trimmed = text?.trim();
    return trimmed === undefined || trimmed === '' ? undefined : cutText(trimmed);
  } catch {
    return undefined;
  }
}

function ask(headers: object, name: string): string | undefined {
  const get = readField(headers, 'get');
  if (typeof get !== 'function') return undefined;
  const value: unknown = Reflect.apply(get, headers, [name]);
  return typeof value === 'string' ? value : undefined;
}

function search(headers: object, name: string): string | undefined {
  const wanted = name.toLowerCase();
  const pairs: readonly unknown[] =
    Array.isArray(headers) || headers instanceof Map
      ? Array.from(headers as Iterable<unknown>)
      : Object.entries(headers);
  for (const pair of pairs) {
    const key = readField(pair, 0);
    const value = readField(pair, 1);
    if (typeof key !== 'string' || key.toLowerCase() !== wanted) continue;
    if (typeof value === 'string') return value;
    if (typeof value === 'number') return String(value);
  }
  return undefined;
}
