/**
 * Reads JSON that is still being written: what is there so far, with open strings, arrays and objects closed and
 * unfinished members left out. Undefined when nothing readable is there. The AI SDK shows a tool's input this way while
 * it streams, and a reply that was stopped in the middle of a tool call is kept as it was shown.
 */
export function parsePartialJson(text: string): unknown {
  const whole = parse(text);
  return whole === undefined ? parse(closeJson(text)) : whole;
}

function parse(text: string): unknown {
  try {
    return withoutPrototypeKeys(JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

/** A model's own keys must not reach a prototype. The SDK refuses such a document as a whole; so do we. */
function withoutPrototypeKeys(value: unknown): unknown {
  const suspicious = /"(?:__proto__|constructor)"\s*:/;
  return suspicious.test(JSON.stringify(value) ?? '') ? undefined : value;
}

/** What may come next inside the innermost open container. */
type Expect = 'key' | 'colon' | 'value' | 'comma';

interface Container {
  readonly close: '}' | ']';
  expect: Expect;
}

/** Cuts the text after the last finished thing and closes what is open there. One pass. */
function closeJson(text: string): string {
  const open: Container[] = [];
  let end = 0;
  let closers = '';
  let at = 0;
  const keep = (position: number, extra = '') => {
    end = position;
    closers =
      extra +
      open
        .map((container) => container.close)
        .reverse()
        .join('');
  };
  const valueDone = () => {
    const inner = open.at(-1);
    if (inner) inner.expect = 'comma';
  };

  while (at < text.length) {
    const char = text.charAt(at);
    const inner = open.at(-1);
    if (char === '{' || char === '[') {
      valueDone();
      open.push(char === '{' ? { close: '}', expect: 'key' } : { close: ']', expect: 'value' });
      at += 1;
      keep(at);
    } else if (char === '}' || char === ']') {
      open.pop();
      at += 1;
      keep(at);
    } else if (char === '"') {
      const string = scanString(text, at);
      if (inner?.expect === 'key') {
        if (!string.closed) break;
        inner.expect = 'colon';
      } else {
        valueDone();
        keep(string.safe, string.closed ? '' : '"');
      }
      at = string.next;
    } else if (char === ':' && inner) {
      inner.expect = 'value';
      at += 1;
    } else if (char === ',' && inner) {
      inner.expect = inner.close === '}' ? 'key' : 'value';
      at += 1;
    } else if (/[-0-9tfn]/.test(char)) {
      const word = /^[-+.0-9a-zA-Z]+/.exec(text.slice(at))?.[0] ?? char;
      const value = finishWord(word);
      if (value === undefined) break;
      valueDone();
      keep(at + value.used, value.extra);
      at += word.length;
    } else {
      at += 1;
    }
  }
  return text.slice(0, end) + closers;
}

function scanString(text: string, from: number): { closed: boolean; next: number; safe: number } {
  let at = from + 1;
  let safe = at;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === '"') return { closed: true, next: at + 1, safe: at + 1 };
    const length = char !== '\\' ? 1 : text.charAt(at + 1) === 'u' ? 6 : 2;
    at += length;
    if (at <= text.length) safe = at;
  }
  return { closed: false, next: text.length, safe };
}

/** The readable part of an unfinished number or literal. */
function finishWord(word: string): { used: number; extra: string } | undefined {
  for (const literal of ['true', 'false', 'null']) {
    if (literal.startsWith(word)) return { used: word.length, extra: literal.slice(word.length) };
  }
  const number = /^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/.exec(word)?.[0];
  return number === undefined ? undefined : { used: number.length, extra: '' };
}
