/** Headers by their lower-case names. */
export type HeaderRecord = { [name: string]: string };

/**
 * Any form of headers as a plain record with lower-case names, as the SDK itself hands one to a `fetch` of the app.
 * The record is the caller's own.
 *
 * @throws a `TypeError` for a name or a value that no header can have
 */
export function headerRecord(headers: RequestInit['headers'] | undefined): HeaderRecord {
  const record: HeaderRecord = {};
  new Headers(headers).forEach((value, name) => {
    record[name] = value;
  });
  return record;
}
