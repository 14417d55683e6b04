import type { Chunk } from './replyMessage.ts';
import { isTool } from './replyMessage.ts';
import type { StoredMessage } from './store/chatStore.ts';

type Part = StoredMessage['parts'][number];

/**
 * The chunks that build a stored message again. A replay is read into an empty message; when a run goes on with a
 * message that earlier runs began, the replay has to bring that part too.
 */
export function replayMessage(message: StoredMessage): Chunk[] {
  const chunks: Chunk[] = [];
  if (message.metadata !== undefined) {
    chunks.push({ type: 'message-metadata', messageMetadata: message.metadata });
  }
  let inStep = false;
  for (const [at, part] of message.parts.entries()) {
    if (part.type === 'step-start') {
      if (inStep) chunks.push({ type: 'finish-step' });
      inStep = true;
      chunks.push({ type: 'start-step' });
    } else {
      chunks.push(...replayPart(part, `replayed-${at}`));
    }
  }
  if (inStep) chunks.push({ type: 'finish-step' });
  return chunks;
}

function replayPart(part: Part, id: string): Chunk[] {
  if (part.type === 'text' || part.type === 'reasoning') return replayText(part, id);
  return isTool(part) ? replayTool(part) : [{ ...part }];
}

function replayText(part: Part, fallbackId: string): Chunk[] {
  const id = typeof part.id === 'string' ? part.id : fallbackId;
  const metadata = pick(part, 'providerMetadata');
  const end = { type: `${part.type}-end`, id, ...metadata, ...pick(part, 'citations') };
  return [
    { type: `${part.type}-start`, id, ...metadata },
    { type: `${part.type}-delta`, id, delta: String(part.text ?? '') },
    ...(part.state === 'streaming' ? [] : [end]),
  ];
}

function replayTool(part: Part): Chunk[] {
  const dynamic = part.type === 'dynamic-tool';
  const call = {
    toolCallId: part.toolCallId,
    toolName: dynamic ? part.toolName : part.type.slice('tool-'.length),
    ...(dynamic ? { dynamic } : {}),
    ...pick(part, 'providerExecuted', 'title', 'toolMetadata'),
  };
  const metadata = (key: string) =>
    part[key] === undefined ? {} : { providerMetadata: part[key] };
  if (part.state === 'input-streaming') {
    return [
      {
        type: 'tool-input-start',
        ...call,
        ...pick(part, 'inputEncoding'),
        ...metadata('callProviderMetadata'),
      },
      {
        type: 'tool-input-delta',
        toolCallId: call.toolCallId,
        inputTextDelta: String(part.rawInput ?? ''),
      },
    ];
  }
  const input: Chunk = {
    type: 'tool-input-available',
    ...call,
    input: part.input ?? part.rawInput,
    ...metadata('callProviderMetadata'),
  };
  const outcome = { toolCallId: call.toolCallId, ...metadata('resultProviderMetadata') };
  const asked = replayApproval(part);
  switch (part.state) {
    case 'output-available':
      return [
        input,
        ...asked,
        {
          type: 'tool-output-available',
          ...outcome,
          output: part.output,
          ...pick(part, 'preliminary'),
        },
      ];
    case 'output-error':
      // Without an input the call itself was malformed; the chunk for that carries both.
      return part.input === undefined
        ? [
            {
              type: 'tool-input-error',
              ...call,
              ...outcome,
              input: part.rawInput,
              errorText: part.errorText,
            },
          ]
        : [input, ...asked, { type: 'tool-output-error', ...outcome, errorText: part.errorText }];
    case 'output-denied':
      return [input, ...asked, { type: 'tool-output-denied', toolCallId: call.toolCallId }];
    default:
      return [input, ...asked];
  }
}

function replayApproval(part: Part): Chunk[] {
  const approval = part.approval as Record<string, unknown> | undefined;
  if (typeof approval?.id !== 'string') return [];
  return [
    {
      type: 'tool-approval-request',
      approvalId: approval.id,
      toolCallId: part.toolCallId,
      ...pick(approval, 'inputSchemaInput', 'signature'),
      ...(approval.descriptor === undefined ? {} : { approvalDescriptor: approval.descriptor }),
    },
  ];
}

function pick(from: Readonly<Record<string, unknown>>, ...keys: string[]): Record<string, unknown> {
  return Object.fromEntries(
    keys.filter((key) => from[key] !== undefined).map((key) => [key, from[key]]),
  );
}
