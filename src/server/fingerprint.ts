/**
 * A short text that is the same for equal JSON values, whatever the order of their keys. Tells whether a request key is
 * used for the same input again; it guards against mistakes, not against an attacker within the session.
 */
export function fingerprint(value: unknown): string {
  const text = canonical(value);
  return `${text.length.toString(36)}-${hash(text, 0x811c9dc5)}${hash(text, 0x9e3779b9)}`;
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  fields.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`).join(',')}}`;
}

/** FNV-1a over UTF-16 units with a final mix. */
function hash(text: string, seed: number): string {
  let state = seed;
  for (let at = 0; at < text.length; at++) {
    state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  }
  state ^= state >>> 16;
  return (Math.imul(state, 0x85ebca6b) >>> 0).toString(36);
}
