import { hasFields, isUnsafeKey } from '../protocol/readField.ts';

const MASK = '***';
const SHOWN = 4;
const SHOWN_FROM = 12;
const MAX_DEPTH = 32;

/** A token under 12 characters is masked whole, any other all but its last four. */
function maskToken(token: string): string {
  return token.length < SHOWN_FROM ? MASK : MASK + token.slice(-SHOWN);
}

/**
 * A copy of a value without its secrets: API keys, bearer tokens, cookies, JSON web tokens, PEM keys, credentials in
 * URLs, and the headers that carry any of these. A text gives a text. Prose is left as it is. Takes cycles and getters
 * that throw; takes time in proportion to the size of the value.
 */
export function redact(value: string): string;
export function redact(value: unknown): unknown;
export function redact(value: unknown): unknown {
  return copy(value, new WeakMap(), 0);
}

// --- texts ---------------------------------------------------------------------------------------------------------

const SECRET_HEADER = '(?:proxy-)?authorization|x-api-key|x-goog-api-key|api[-_]?key';
const SECRET_FIELD = `${SECRET_HEADER}|access[-_]?token|refresh[-_]?token|client[-_]?secret`;
const COOKIE_FIELD = '(?:set-)?cookie';

// A word begins after anything that is no letter or digit, and after an escape that ends in one: `\n`, `\u0026`, `%20`.
const START = String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf])|(?<=\\u[\dA-Fa-f]{4})|(?<=%[\dA-Fa-f]{2}))`;
// Looked at behind the word: in front of it, each character of a text would be tried.
const word = (pattern: string): string => `(?:${pattern})(?<=${START}(?:${pattern}))`;

// A header line or a field of a JSON text (of one inside another, too): the name, the link, and what it holds.
const LINK = String.raw`\\{0,7}["']?[ \t]{0,8}[:=][ \t]{0,8}`;
const SCHEME = String.raw`(?:bearer|basic|token|apikey)[ \t]{1,8}`;
// `Digest a="b", c="d"` and its like are one secret to the end of the line.
const MANY_PARTS = String.raw`(?:digest|hawk|oauth|negotiate|aws4-[a-z0-9-]{1,40})[ \t][^\r\n]+`;
const QUOTED = String.raw`"(?:[^"\\\r\n]|\\.)*"?|'[^'\r\n]*'?|\\{1,7}"(?:${MANY_PARTS}|[^"\r\n]*"?)`;
// To the end of the line, be it a real one or one in a JSON text.
const LINE = String.raw`(?:[^\r\n\\]|\\(?![nr]))+`;
const COOKIES = new RegExp(`(${word(COOKIE_FIELD)}${LINK})(?:${QUOTED}|${LINE})`, 'gi');
const NAMED = new RegExp(
  String.raw`(${word(SECRET_FIELD)}${LINK})(${QUOTED}|${MANY_PARTS}|(?:${SCHEME})?[^\s,;}"'\\]+)`,
  'gi',
);
const SCHEME_OF = new RegExp(`^${SCHEME}(?=\\S)`, 'i');
const MANY_PARTS_OF = new RegExp(`^${MANY_PARTS}`, 'i');
const BEARER = new RegExp(`(${word('bearer')}[ \\t]{1,8})([A-Za-z0-9._~+/=-]+)`, 'gi');
const WEB_TOKEN = new RegExp(
  String.raw`(?<![_-])${word('eyJ')}[A-Za-z0-9_-]{2}[A-Za-z0-9_-]*\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*){0,3}`,
  'g',
);
const KEY_BEGIN = 'sk[-_]|gsk_|xai-|hf_|xox[a-z]-|gh[a-z]_|github_pat_|AIza|AKIA';
const KEY = new RegExp(`${word(KEY_BEGIN)}[A-Za-z0-9_-]{4}[A-Za-z0-9_-]*`, 'g');
// Some JSON writers escape `&` and `=`.
const QUERY =
  /((?:[?&;#]|\\u0026|%26)[A-Za-z0-9_.-]{0,64}?(?:key|keyid|token|signature|sig|secret|password|credential)(?:=|\\u003[dD]|%3[dD]))(?:(?!%26)[^&\s"'<>#\\])+/gi;
const USER_INFO = /([a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/@:"']{1,256}:[^\s/@"']{0,256}@/gi;

// A pattern that runs out of its engine's memory, over one word of many MiB, throws: then nothing of the text is shown.
function redactText(text: string): string {
  try {
    return maskSecrets(text);
  } catch {
    return MASK;
  }
}

function maskSecrets(text: string): string {
  return maskKeyBlocks(text)
    .replace(COOKIES, `$1${MASK}`)
    .replace(NAMED, (_, name: string, value: string) => name + maskValue(value))
    .replace(WEB_TOKEN, MASK)
    .replace(BEARER, (all, scheme: string, token: string) =>
      isPlainWord(token) ? all : scheme + maskToken(token),
    )
    .replace(KEY, (token) => (looksLikeKey(token) ? maskToken(token) : token))
    .replace(QUERY, `$1${MASK}`)
    .replace(USER_INFO, `$1${MASK}@`);
}

const BEGIN = '-----BEGIN ';
const END = '-----END ';
const DASHES = '-----';

// By search instead of by pattern: a block without its last line reaches to the end of the text.
function maskKeyBlocks(text: string): string {
  let from = text.indexOf(BEGIN);
  if (from < 0) return text;
  let kept = '';
  let rest = 0;
  while (from >= 0) {
    kept += text.slice(rest, from) + MASK;
    const end = text.indexOf(END, from);
    const closed = end < 0 ? -1 : text.indexOf(DASHES, end + END.length);
    if (closed < 0) return kept;
    rest = closed + DASHES.length;
    from = text.indexOf(BEGIN, rest);
  }
  return kept + text.slice(rest);
}

const PROSE_AFTER_BEARER =
  /^(?:authentication|authorization|auth|tokens?|scheme|header|credentials?|keys?|is|was|has|had|of|in|on|to|for|and|or|may|must|can|will|should|with|not)[.,-]?$/i;

// "Bearer authentication", "the bearer of": words about a scheme, not a credential.
function isPlainWord(token: string): boolean {
  return PROSE_AFTER_BEARER.test(token);
}

// "sk-learn" and "hf_hub_download" are words; a longer body, or one with a digit or a capital, is a key.
const WORD = /^(?:sk|hf|xai|gsk)[-_](?:[a-z]{4,5}|[a-z]{2,12}(?:[-_][a-z]{2,12}){1,3})$/;
const KEY_FAMILY = /^sk-(?:ant|proj|or|svcacct|live|test|admin)-/;

function looksLikeKey(token: string): boolean {
  return !WORD.test(token) || KEY_FAMILY.test(token);
}

function maskValue(value: string): string {
  const quote = /^\\{0,7}["']/.exec(value)?.[0] ?? '';
  const bare = value.slice(quote.length);
  const closed = quote !== '' && bare.endsWith(quote);
  const inner = closed ? bare.slice(0, -quote.length) : bare;
  return quote + maskCredential(inner) + (closed ? quote : '');
}

function maskCredential(value: string): string {
  if (MANY_PARTS_OF.test(value)) return MASK;
  const scheme = SCHEME_OF.exec(value)?.[0] ?? '';
  return scheme + maskToken(value.slice(scheme.length));
}

// --- structures ----------------------------------------------------------------------------------------------------

const SECRET_KEY = new RegExp(`^(?:${SECRET_FIELD}|password)$`, 'i');
const COOKIE_KEY = new RegExp(`^${COOKIE_FIELD}$`, 'i');

const isSecretKey = (key: string): boolean => SECRET_KEY.test(key) || COOKIE_KEY.test(key);

function copy(value: unknown, seen: WeakMap<object, unknown>, depth: number): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'function' || !hasFields(value)) return value;
  if (seen.has(value)) return seen.get(value);
  if (depth >= MAX_DEPTH) return '[deep]';
  seen.set(value, '[circular]');
  const copied = copyObject(value, seen, depth + 1);
  seen.set(value, copied);
  return copied;
}

function copyObject(value: object, seen: WeakMap<object, unknown>, depth: number): unknown {
  try {
    if (value instanceof Date) return new Date(value);
    if (Array.isArray(value)) return copyList(value, seen, depth);
    return copyFields(entriesOf(value), seen, depth);
  } catch {
    return '[unreadable]';
  }
}

function copyList(list: readonly unknown[], seen: WeakMap<object, unknown>, depth: number) {
  // A pair of a header list.
  if (list.length === 2 && typeof list[0] === 'string' && isSecretKey(list[0])) {
    return [list[0], maskField(list[0], list[1])];
  }
  return Array.from(list, (entry) => copy(entry, seen, depth));
}

function entriesOf(value: object): Iterable<readonly [string, () => unknown]> {
  const listed =
    value instanceof Map || (typeof Headers !== 'undefined' && value instanceof Headers)
      ? Array.from(value as Iterable<[unknown, unknown]>, ([key, entry]) => {
          return [String(key), () => entry] as const;
        })
      : undefined;
  if (listed !== undefined) return listed;
  if (value instanceof Set) {
    return Array.from(value, (entry, index) => [String(index), () => entry] as const);
  }
  // The fields of an error that say what it is are not enumerable.
  const own = value instanceof Error ? ['name', 'message', 'cause'] : [];
  const keys = new Set([...own, ...Object.keys(value)]);
  return Array.from(keys, (key) => [key, () => Reflect.get(value, key)] as const);
}

function copyFields(
  entries: Iterable<readonly [string, () => unknown]>,
  seen: WeakMap<object, unknown>,
  depth: number,
): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [key, read] of entries) {
    if (isUnsafeKey(key)) continue;
    try {
      const value = read();
      fields[key] = isSecretKey(key) ? maskField(key, value) : copy(value, seen, depth);
    } catch {
      fields[key] = '[unreadable]';
    }
  }
  return fields;
}

function maskField(name: string, value: unknown): unknown {
  if (value === undefined || value === null) return value;
  return typeof value === 'string' && !COOKIE_KEY.test(name) ? maskCredential(value) : MASK;
}
