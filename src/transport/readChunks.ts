import { asSchema, parseJsonEventStream, type UIMessageChunk, uiMessageChunkSchema } from 'ai';
import { cutFailure } from '../errors/clientFailures.ts';
import { parseErrorEvent } from '../protocol/errorEvent.ts';
import { hasFields, readField } from '../protocol/readField.ts';
import { developerText } from './developerError.ts';

const resets = { known: undefined as Promise<boolean> | undefined };

/** Whether the installed `ai` takes back the current step by itself: from 7 on. Its text parts outlive a step then, too. */
export function sdkResetsSteps(): Promise<boolean> {
  resets.known ??= (async () => {
    const result = await asSchema(uiMessageChunkSchema).validate?.({ type: 'reset-step' });
    return result?.success === true;
  })();
  return resets.known;
}

/** The chunk types of every `ai` that is supported: one of these that fails the SDK's check is a broken frame. */
const settledTypes: ReadonlySet<string> = new Set([
  'start',
  'finish',
  'abort',
  'error',
  'start-step',
  'finish-step',
  'message-metadata',
  'text-start',
  'text-delta',
  'text-end',
  'reasoning-start',
  'reasoning-delta',
  'reasoning-end',
  'tool-input-start',
  'tool-input-delta',
  'tool-input-available',
  'tool-input-error',
  'tool-approval-request',
  'tool-output-available',
  'tool-output-error',
  'tool-output-denied',
  'source-url',
  'source-document',
  'file',
]);

const rawReasons = new WeakMap<object, string>();

/** The finish reason as the server sent it, also one that the installed `ai` does not know. */
export function finishReasonOf(chunk: UIMessageChunk): string | undefined {
  const sent = rawReasons.get(chunk) ?? readField(chunk, 'finishReason');
  return typeof sent === 'string' ? sent : undefined;
}

type Parsed =
  | { readonly success: true; readonly value: UIMessageChunk; readonly rawValue?: unknown }
  | { readonly success: false; readonly error: unknown; readonly rawValue?: unknown };

/** A frame as a chunk; undefined for one to drop; throws a cut for one that cannot be. */
function chunkOf(frame: Parsed, note: (text: string) => void): UIMessageChunk | undefined {
  if (frame.success) return frame.value;
  const raw = frame.rawValue;
  const type = readField(raw, 'type');
  if (type === 'finish') return finishOf(raw);
  if (parseErrorEvent(raw) !== undefined) return raw as UIMessageChunk;
  if (type === 'error' || (type === undefined && readField(raw, 'error') !== undefined)) {
    // A provider's own error frame passed through: its text is for the adapters only.
    return { type: 'error', errorText: JSON.stringify(raw) };
  }
  if (type === 'reset-step') return raw as UIMessageChunk;
  if (type === undefined && isRecord(raw)) {
    note(
      developerText(
        'The stream holds events without a `type`, as a server sends them under event names of its own.',
        'They are no chunks of the reply: they are left out, and the rest of it is shown.',
        'Send what the app is to hear of as data parts; `onData` gets those.',
      ),
    );
    return undefined;
  }
  if (typeof type !== 'string' || settledTypes.has(type) || type.startsWith('data-')) {
    throw cutFailure(frame.error);
  }
  note(
    developerText(
      `The stream holds a chunk of the type "${type}", which the installed \`ai\` does not know.`,
      'Such chunks are left out, and the rest of the reply is shown.',
      'Update `ai` to a release that knows the type, or stop sending it to this client.',
    ),
  );
  return undefined;
}

const isRecord = (raw: unknown): boolean => hasFields(raw) && !Array.isArray(raw);

function finishOf(raw: unknown): UIMessageChunk {
  const metadata = readField(raw, 'messageMetadata');
  const chunk: UIMessageChunk = {
    type: 'finish',
    ...(metadata !== undefined && { messageMetadata: metadata }),
  };
  const reason = readField(raw, 'finishReason');
  if (typeof reason === 'string') rawReasons.set(chunk, reason);
  return chunk;
}

/**
 * The chunks of an event stream, parsed by the SDK's own parser and schema. A chunk type that the installed `ai` does
 * not know, or an object that has none, is dropped with one developer note; a `finish` whose reason it does not know keeps the rest of its fields; a
 * frame that is no JSON or no chunk ends the stream by `transport_stream_drop`. Reads nothing ahead.
 */
export function readChunks(
  bytes: ReadableStream<Uint8Array>,
  note: (text: string) => void,
): ReadableStream<UIMessageChunk> {
  const frames = parseJsonEventStream({ stream: bytes, schema: uiMessageChunkSchema }).getReader();
  return new ReadableStream<UIMessageChunk>(
    {
      async pull(controller) {
        try {
          for (;;) {
            const { done, value } = await frames.read();
            if (done) {
              controller.close();
              return;
            }
            const chunk = chunkOf(value, note);
            if (chunk === undefined) continue;
            controller.enqueue(chunk);
            return;
          }
        } catch (thrown) {
          frames.cancel().catch(() => {});
          controller.error(thrown);
        }
      },
      cancel: (reason) => frames.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
