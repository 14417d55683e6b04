import { cutText, hasFields, readField, readText } from '../protocol/readField.ts';

/**
 * The sentence inside an answer that is no typed body, for logs: out of the envelopes that backends use
 * (`error.message`, `message`, `detail`, `status.message`, problem+json). A page of markup has none.
 */
export function serverText(body: unknown): string | undefined {
  if (typeof body === 'string') return plainText(body);
  const error = readField(body, 'error');
  const detail = readField(body, 'detail');
  return (
    (hasFields(error) ? readText(error, 'message') : textOf(error)) ??
    readText(body, 'message') ??
    (hasFields(detail) ? readText(detail, 'message') : textOf(detail)) ??
    readText(readField(body, 'status'), 'message') ??
    readText(body, 'title')
  );
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? cutText(value) : undefined;

function plainText(text: string): string | undefined {
  const start = text.slice(0, 256).trimStart();
  return start === '' || start.startsWith('<') ? undefined : cutText(text);
}
