/** A text that is seen nowhere once it was thrown, with a key in it. */
export const SECRET = 'PLANTED sk-live-abcdefgh12345678';

const hostile = (): never => {
  throw new Error(SECRET);
};

function cyclic(): Error {
  const error = new Error(SECRET);
  Object.defineProperty(error, 'cause', { value: error, enumerable: true });
  return error;
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const throwing = () =>
  Object.defineProperties(
    {},
    Object.fromEntries(
      ['name', 'message', 'stack', 'cause', 'code', 'toJSON'].map((key) => [key, { get: hostile }]),
    ),
  );

/** What anybody may throw. */
export const THROWN: readonly (readonly [string, () => unknown])[] = [
  ['a text', () => SECRET],
  ['an empty text', () => ''],
  ['null', () => null],
  ['undefined', () => undefined],
  ['a number', () => 42],
  ['a symbol', () => Symbol(SECRET)],
  ['a function', () => hostile],
  ['an Error with a secret', () => new Error(SECRET)],
  ['an Error of 1 MiB', () => new Error(`${SECRET} ${'x'.repeat(2 ** 20)}`)],
  ['an Error over another', () => new Error('x', { cause: new Error(SECRET) })],
  ['an Error that is its own cause', cyclic],
  ['a frozen object', () => Object.freeze({ message: SECRET, error: SECRET })],
  ['a frozen Error', () => Object.freeze(new Error(SECRET))],
  ['an object without a prototype', () => Object.assign(Object.create(null), { error: SECRET })],
  ['getters that throw', throwing],
  [
    'an Error whose message throws',
    () => Object.defineProperty(new Error(), 'message', { get: hostile }),
  ],
  [
    'a proxy that throws',
    () => new Proxy({}, { get: hostile, getPrototypeOf: hostile, has: hostile, ownKeys: hostile }),
  ],
  ['a revoked proxy', revoked],
  ['an Error over one whose fields throw', () => new Error('x', { cause: throwing() })],
  [
    'a HelixError that is none',
    () =>
      Object.defineProperties(
        { message: SECRET, [Symbol.for('helix-chat.HelixError')]: true },
        Object.fromEntries(
          ['retryable', 'reason', 'category', 'detail', 'runId', 'toolCallIds'].map((key) => [
            key,
            { get: hostile },
          ]),
        ),
      ),
  ],
  ['an answer of another server', () => ({ status: 503, body: { error: { message: SECRET } } })],
  [
    'a list that holds itself',
    () => {
      const list: unknown[] = [SECRET];
      list.push(list);
      return list;
    },
  ],
];

/** What wears the marker of a HelixError and holds what none does. */
export const ODD_HELIX_ERROR = {
  message: SECRET,
  [Symbol.for('helix-chat.HelixError')]: true,
  code: 'provider_error',
  category: {},
  retryable: 'yes',
  reason: 7,
  detail: { text: SECRET },
  runId: [SECRET],
  toolCallIds: 'none',
  retryAfterMs: Number.NaN,
};
