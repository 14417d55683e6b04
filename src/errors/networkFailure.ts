import { hasFields, LIMITS, readField } from '../protocol/readField.ts';

// What engines say when no answer came or its body broke off: they give no code, so this table is the last resort.
const TYPE_ERROR_TEXTS: readonly RegExp[] = [
  /^Failed to fetch\b/i, // Chromium, before the headers
  /^network error$/i, // Chromium, in the body
  /^NetworkError when attempting to fetch resource\.?$/i, // Firefox, before the headers
  /^Error in (?:input|body) stream\.?$/i, // Firefox, in the body
  /^Load failed\b/i, // WebKit
  /^The network connection was lost\.?$/i, // WebKit, CFNetwork
  /^The Internet connection appears to be offline\.?$/i,
  /^(?:A server with the specified hostname could not be found|Could not connect to the server|The request timed out)\.?$/i,
  /^fetch failed$/i, // undici, before the headers
  /^terminated$/i, // undici, in the body
  /^error sending request\b/i, // Deno
  /^(?:error reading a body from connection|connection closed before message completed)\b/i, // Deno, in the body
  /^client error \((?:Connect|SendRequest)\)/i, // Deno
  /^Network request failed$/i, // React Native, XHR polyfills
];

// The same from platforms that throw a plain error.
const ANY_ERROR_TEXTS: readonly RegExp[] = [
  /^Network connection lost\.?$/i, // workerd
  /^(?:Unable to connect\. Is the computer able to access the url\?|The socket connection was closed unexpectedly\b.{0,200})$/i, // Bun
];

const CODES: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'ENOTFOUND',
  'ENETDOWN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'ERR_NETWORK',
  'ERR_INTERNET_DISCONNECTED',
  'ConnectionRefused',
  'ConnectionClosed',
  'FailedToOpenSocket',
]);

/** Whether a value says that no answer came, or that one broke off on its way: itself or one of its causes. Never throws. */
export function isNetworkFailure(value: unknown): boolean {
  return someCause(value, isOneNetworkFailure);
}

/** Whether a value is an abort, whoever asked for it: only who holds the signal knows. Never throws. */
export function isAbort(value: unknown): boolean {
  const name = readField(value, 'name');
  return name === 'AbortError' || name === 'ResponseAborted';
}

/** Whether a value is what `AbortSignal.timeout` and its like abort with. Never throws. */
export function isTimeout(value: unknown): boolean {
  return readField(value, 'name') === 'TimeoutError';
}

function isOneNetworkFailure(value: unknown): boolean {
  const code = readField(value, 'code');
  if (typeof code === 'string' && (CODES.has(code) || code.startsWith('UND_ERR_'))) return true;
  const name = readField(value, 'name');
  const message = readField(value, 'message');
  if (name === 'NetworkError') return true;
  if (typeof message !== 'string' || message.length > 1_000) return false;
  const said = (texts: readonly RegExp[]) => texts.some((text) => text.test(message));
  return (
    (name === 'TypeError' && said(TYPE_ERROR_TEXTS)) ||
    (isErrorLike(value) && said(ANY_ERROR_TEXTS))
  );
}

function isErrorLike(value: unknown): boolean {
  return hasFields(value) && typeof readField(value, 'name') === 'string';
}

/** Whether a test holds for a value or one of its causes, outermost first, at most 8 deep. */
export function someCause(value: unknown, test: (value: unknown) => boolean): boolean {
  return causesOf(value).some(test);
}

/** A value and the values behind its `cause` links, outermost first, at most 8 links; a cycle ends it. Never throws. */
export function causesOf(value: unknown): readonly unknown[] {
  const chain: unknown[] = [value];
  let current = value;
  while (chain.length <= LIMITS.depth) {
    current = readField(current, 'cause');
    if (current === undefined || current === null || chain.includes(current)) break;
    chain.push(current);
  }
  return chain;
}
