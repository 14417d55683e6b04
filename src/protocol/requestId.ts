import { readHeader } from './readHeader.ts';

const HEADERS = ['x-request-id', 'request-id', 'x-vercel-id', 'cf-ray'] as const;

/** What support can find an answer by: the first of the four usual headers that is present. Never throws. */
export function readRequestId(headers: unknown): string | undefined {
  for (const name of HEADERS) {
    const id = readHeader(headers, name);
    if (id !== undefined) return id;
  }
  return undefined;
}
