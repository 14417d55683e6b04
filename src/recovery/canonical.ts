const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => [key, sorted(inner)]);
  return Object.fromEntries(entries);
};

/**
 * A value as text, the same for values that are the same once they have been over the wire: key order and `undefined` do
 * not count. A value that JSON cannot hold gives a text of its own.
 */
export function canonical(value: unknown): string {
  try {
    const text = JSON.stringify(value);
    return text === undefined ? 'undefined' : JSON.stringify(sorted(JSON.parse(text)));
  } catch {
    return String(value);
  }
}
