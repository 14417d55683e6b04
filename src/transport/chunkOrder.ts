import type { UIMessageChunk } from 'ai';

type LooseChunk = UIMessageChunk & { readonly [field: string]: unknown };

/** A message whose tool calls a reply may go on with. */
interface ContinuedMessage {
  readonly role: string;
  readonly parts: readonly { readonly type: string }[];
}

const needsToolCall: ReadonlySet<string> = new Set([
  'tool-approval-request',
  'tool-output-available',
  'tool-output-error',
  'tool-output-denied',
]);

/**
 * Knows which parts are open, as the SDK's own stream processor does, so that a delta, end or output whose start is
 * missing is noticed before the SDK fails on it with an error of its own.
 */
export class ChunkOrder {
  readonly #closesPartsAtStepEnd: boolean;
  readonly #open = new Set<string>();
  readonly #inputs = new Set<string>();
  readonly #calls = new Set<string>();
  readonly #approvals = new Set<string>();

  /** `closesPartsAtStepEnd`: as ai 6 does; ai 7 keeps text and reasoning open until their own end. */
  constructor(closesPartsAtStepEnd: boolean, continued: ContinuedMessage | undefined) {
    this.#closesPartsAtStepEnd = closesPartsAtStepEnd;
    if (continued?.role !== 'assistant') return;
    for (const part of continued.parts) {
      const { toolCallId, state, approval } = part as {
        toolCallId?: unknown;
        state?: unknown;
        approval?: { id?: unknown };
      };
      if (typeof toolCallId !== 'string') continue;
      this.#calls.add(toolCallId);
      if (state === 'input-streaming') this.#inputs.add(toolCallId);
      if (typeof approval?.id === 'string') this.#approvals.add(approval.id);
    }
  }

  /** True when the chunk fits what came before; it counts as handed on then. */
  accepts(chunk: UIMessageChunk): boolean {
    const { id, toolCallId, approvalId } = chunk as LooseChunk;
    switch (chunk.type) {
      case 'text-start':
      case 'reasoning-start':
        this.#open.add(`${chunk.type.slice(0, 4)}${String(id)}`);
        return true;
      case 'text-delta':
      case 'reasoning-delta':
        return this.#open.has(`${chunk.type.slice(0, 4)}${String(id)}`);
      case 'text-end':
      case 'reasoning-end':
        return this.#open.delete(`${chunk.type.slice(0, 4)}${String(id)}`);
      case 'tool-input-start':
        this.#inputs.add(String(toolCallId));
        this.#calls.add(String(toolCallId));
        return true;
      case 'tool-input-delta':
        return this.#inputs.has(String(toolCallId));
      case 'tool-input-available':
      case 'tool-input-error':
        this.#calls.add(String(toolCallId));
        return true;
      case 'finish-step':
        if (this.#closesPartsAtStepEnd) this.#open.clear();
        return true;
      default:
        return this.#acceptsOther(chunk.type, String(toolCallId), String(approvalId));
    }
  }

  #acceptsOther(type: string, toolCallId: string, approvalId: string): boolean {
    if (type === 'reset-step') {
      this.#open.clear();
      this.#inputs.clear();
      return true;
    }
    if (type === 'tool-approval-response') return this.#approvals.has(approvalId);
    if (!needsToolCall.has(type)) return true;
    if (!this.#calls.has(toolCallId)) return false;
    if (type === 'tool-approval-request') this.#approvals.add(approvalId);
    return true;
  }
}
