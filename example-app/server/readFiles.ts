import type { UIMessage } from 'ai';

const readable = /^(text\/|application\/(json|xml|x-ndjson|yaml|csv))/;
const limit = 20_000;

/** How a file's text begins in what the model reads; the file's name follows. */
export const attachedMark = 'Attached file: ';

/** The text in a `data:` URL, undefined where there is none. */
function textIn(url: string): string | undefined {
  const parts = /^data:[^,]*?(;base64)?,(.*)$/s.exec(url);
  if (!parts) return undefined;
  const encoding = parts[1] ? 'base64' : 'utf8';
  const body = parts[1] ? (parts[2] ?? '') : decodeURIComponent(parts[2] ?? '');
  return Buffer.from(body, encoding).toString('utf8').slice(0, limit);
}

type Part = UIMessage['parts'][number];

function asText(part: Part): Part {
  if (part.type !== 'file' || part.mediaType.startsWith('image/')) return part;
  const name = part.filename ?? 'a file';
  const text = readable.test(part.mediaType) ? textIn(part.url) : undefined;
  return { type: 'text', text: `${attachedMark}${name}${text === undefined ? '' : `\n${text}`}` };
}

/** Files as the text they hold, since few models take them as files; images stay what they are. */
export function readFiles(messages: readonly UIMessage[]): UIMessage[] {
  return messages.map((message) => ({ ...message, parts: message.parts.map(asText) }));
}
