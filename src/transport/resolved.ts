/** A value, a promise of one, or a function that gives either: how the SDK takes headers, body and credentials. */
export type Resolvable<T> = T | PromiseLike<T> | (() => T | PromiseLike<T>);

/** The value behind any of these forms, as of now. Rejects with what the function or the promise fails with. */
export async function resolved<T>(value: Resolvable<T> | undefined): Promise<T | undefined> {
  return typeof value === 'function' ? (value as () => T | PromiseLike<T>)() : value;
}
