import fc from 'fast-check';
import { HelixError } from '../../src/errors/HelixError.ts';
import { HelixStreamError } from '../../src/errors/HelixStreamError.ts';
import { CODES } from '../../src/protocol/codes.ts';

/** Stands for any text of a server; no screen may show it. It looks like nothing that is safe. */
export const SERVER_TEXT = 'SERVER_TEXT{1}';

const code = fc.oneof(
  fc.constantFrom(...Object.keys(CODES)),
  fc.constantFrom(
    'STREAM_FAILED',
    'provider_new',
    'my_code',
    'toString',
    '__proto__',
    '',
    'ECONNRESET',
  ),
);
const name = fc.constantFrom(
  ...['Error', 'TypeError', 'AbortError', 'TimeoutError', 'AI_APICallError', 'HelixError'],
  ...['CommitStoppedError', 'AgentResolutionError', 'StreamDropError', 'constructor'],
);
const scalar = fc.oneof(
  code,
  name,
  fc.constantFrom(
    SERVER_TEXT,
    'error',
    'data-error',
    'data-helix-error',
    'Failed to fetch',
    'terminated',
  ),
  fc.constantFrom<unknown>(
    null,
    undefined,
    true,
    false,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1n,
    Symbol('s'),
    -0,
  ),
  fc.integer({ min: -1, max: 600 }),
  fc.string(),
);
const key = fc.constantFrom(
  ...['code', 'error', 'errorText', 'type', 'message', 'cause', 'status', 'statusCode', 'body'],
  ...['responseBody', 'headers', 'responseHeaders', 'retryable', 'recoverable', 'detail', 'runId'],
  ...['toolCallIds', 'currentStatus', 'retryAfterMs', 'name', 'stack', 'data', 'errorDetail'],
  ...[
    'category',
    'step',
    'flags',
    'reason',
    'get',
    'toJSON',
    'shouldStop',
    'retry-after',
    'length',
  ],
  ...['__proto__', 'constructor', 'prototype'],
);

/** What the other fields are added to, or spoil: without these hardly a value would be read at all. */
const wellFormed = fc.constantFrom<object>(
  {},
  { type: 'error', errorText: SERVER_TEXT, code: 'provider_error' },
  { type: 'error', error: SERVER_TEXT, recoverable: true, step: 1 },
  { type: 'data-helix-error', data: { errorText: SERVER_TEXT, code: 'provider_timeout' } },
  { error: SERVER_TEXT, code: 'state_already_running' },
  { status: 409, headers: {}, body: { error: SERVER_TEXT, code: 'state_run_superseded' } },
  { statusCode: 503, responseBody: '{"error":"x","code":"provider_overloaded"}' },
);

const throws = (): never => {
  throw new Error('hostile');
};

// By definition, not by assignment: a field named `__proto__` stays a field.
function define(target: object, fields: object): object {
  for (const [name, value] of Object.entries(fields)) {
    Object.defineProperty(target, name, { value, enumerable: true, configurable: true });
  }
  return target;
}

// The stack is written when it is first read, out of the name that may be hostile by then: here it is read before.
function madeError(): Error {
  const error = new Error(SERVER_TEXT);
  return typeof error.stack === 'string' ? error : new Error(SERVER_TEXT);
}

function withGetter(target: object, at: string): object {
  try {
    return Object.defineProperty(target, at, { get: throws, configurable: true });
  } catch {
    return target;
  }
}

function cyclic(target: object, at: string): object {
  try {
    return Object.defineProperty(target, at, { value: target, enumerable: true });
  } catch {
    return target;
  }
}

const throwingProxy = (target: object) =>
  new Proxy(target, {
    get: throws,
    has: throws,
    ownKeys: throws,
    getPrototypeOf: throws,
    getOwnPropertyDescriptor: throws,
  });

function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

function json(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'undefined';
  } catch {
    return '{';
  }
}

type Recipe<T = unknown> = () => T;

/**
 * Makes any value that could be thrown, answered or streamed: well-formed, malformed and hostile ones. A recipe, not the
 * value: fast-check itself looks into what it generates.
 */
export const hostileRecipe: fc.Arbitrary<Recipe> = fc.letrec<{
  recipe: Recipe;
  fields: Recipe<object>;
}>((tie) => {
  const of = (make: (fields: object) => unknown) =>
    tie('fields').map(
      (fields): Recipe =>
        () =>
          make(fields()),
    );
  const at = (make: (fields: object, key: string) => unknown) =>
    fc.tuple(tie('fields'), key).map(
      ([fields, name]): Recipe =>
        () =>
          make(fields(), name),
    );
  const plain = scalar.map(
    (value): Recipe =>
      () =>
        value,
  );
  return {
    fields: fc
      .tuple(
        wellFormed,
        fc.array(
          fc.tuple(
            key,
            fc.oneof({ weight: 3, arbitrary: plain }, { weight: 1, arbitrary: tie('recipe') }),
          ),
          { maxLength: 7 },
        ),
      )
      .map(([base, entries]) => () => ({
        ...base,
        ...Object.fromEntries(entries.map(([name, make]) => [name, make()])),
      })),
    recipe: fc.oneof(
      { depthSize: 'small' },
      plain,
      tie('fields'),
      of((fields) => define(madeError(), fields)),
      of(json),
      of((fields) => `data: ${json(fields)}\n\n`),
      of((fields) => new Error(json(fields))),
      at(withGetter),
      at(cyclic),
      of((fields) => new Proxy(fields, {})),
      of(throwingProxy),
      of(revoked),
      of((fields) => define(Object.create(null), fields)),
      fc.tuple(code, tie('fields')).map(
        ([helixCode, fields]): Recipe =>
          () =>
            new HelixError({ code: helixCode, cause: fields() }),
      ),
      fc.array(tie('recipe'), { maxLength: 3 }).map((list) => () => list.map((make) => make())),
      fc.tuple(tie('recipe'), tie('recipe')).map(
        ([one, two]) =>
          () =>
            new Map([[one(), two()]]),
      ),
      fc.constantFrom<Recipe>(
        () => () => SERVER_TEXT,
        () => new DOMException(SERVER_TEXT, 'AbortError'),
        () => new HelixStreamError({ code: 'provider_error' }),
        () => new Headers({ 'retry-after': '2' }),
        () => new Proxy({}, { get: () => true }),
        () => new Proxy({}, { get: (_target, name) => String(name) }),
        () =>
          new Proxy(() => {}, {
            apply: throws,
            get: (_target, name) => (name === 'get' ? throws : 503),
          }),
      ),
    ),
  };
}).recipe;
