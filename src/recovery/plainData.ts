/** Deeper data than this is nobody's message, and could not be walked through. */
const DEPTH = 64;

/** Whether a value comes back from JSON as it went: no dates, functions, cycles or numbers that JSON does not know. */
export function isPlainData(value: unknown, within: readonly object[] = []): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || within.length === DEPTH || within.includes(value)) return false;
  const inside = [...within, value];
  if (Array.isArray(value)) return value.every((item) => isPlainData(item, inside));
  const proto: unknown = Object.getPrototypeOf(value);
  if (proto !== Object.prototype && proto !== null) return false;
  // A field that is undefined is as good as none.
  return Object.values(value).every((inner) => inner === undefined || isPlainData(inner, inside));
}

/** Whether a value is an object with fields, as far as one can see. */
export const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
