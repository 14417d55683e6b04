import { isForClient, toolPartOf } from '../recovery/toolParts.ts';
import type { World } from '../world.ts';

/** A tool call as `onToolCall` gets it. */
export interface ClientToolCall {
  readonly toolCallId: string;
  readonly providerMetadata?: unknown;
}

interface ToolCallsOptions {
  readonly world: World;
  /** Names the call among all tabs of this origin. */
  lockName(toolCallId: string): string;
  /** The calls that the app has heard of, in the life of the chat. */
  readonly seen: Set<string>;
  /** The call stands open on screen. */
  isOpen(toolCallId: string): boolean;
  /** The call has been answered here, and the server is not known to have the answer. */
  isAnswered(toolCallId: string): boolean;
  /** Nothing is under way. */
  isAtRest(): boolean;
  /** Tells the app. */
  run(call: ClientToolCall): void;
  /** Reads the conversation again. */
  read(): void;
}

/** Which of a chat's client tool calls the app hears of, each once in the life of the chat and in one tab. */
export interface ToolCalls {
  /** A reply to this client brings the call. */
  streamed(call: ClientToolCall): void;
  /** The conversation stands open at the call: it is the first tab's that takes it. */
  found(call: ClientToolCall): void;
  /** The chat has changed: what nothing waits for any more is let go. */
  look(): void;
  /** Lets everything go. */
  end(): void;
}

/** A call that has lapsed is the server's to settle: wall-clock ms or a date in its metadata say when. */
function hasLapsed(call: ClientToolCall, now: number): boolean {
  const helix = (call.providerMetadata as { helix?: unknown } | undefined)?.helix;
  const stated = (helix as { deadlineAt?: unknown } | undefined)?.deadlineAt;
  const deadline = typeof stated === 'string' ? Date.parse(stated) : stated;
  return typeof deadline === 'number' && deadline <= now;
}

/** Hands tool calls to the app, each once in all tabs that can lock. */
export function createToolCalls(options: ToolCallsOptions): ToolCalls {
  const { world, seen } = options;
  const ending = new AbortController();
  /** Asked for, or with the function that lets go of it. */
  const claims = new Map<string, 'asked' | (() => void)>();
  /** Another tab has let go of these: whether it has answered, the conversation says. */
  const inherited = new Set<string>();

  const run = (call: ClientToolCall): void => {
    if (seen.has(call.toolCallId) || hasLapsed(call, world.now())) return;
    seen.add(call.toolCallId);
    options.run(call);
  };

  /** Holds the lock until nothing waits for the call any more. */
  const hold = (id: string, begin: () => void): Promise<void> => {
    if (ending.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      claims.set(id, () => {
        claims.delete(id);
        resolve();
      });
      begin();
    });
  };

  const claim = async (id: string, begin: () => void, whenHeld: () => void): Promise<void> => {
    claims.set(id, 'asked');
    const { signal } = ending;
    const name = options.lockName(id);
    const ran = await world.lock?.(name, () => hold(id, begin), { wait: false, signal });
    if (ran === false && !signal.aborted) whenHeld();
  };

  const inherit = (id: string): void => {
    const { signal } = ending;
    const taken = (): void => {
      inherited.add(id);
      look();
    };
    void world.lock?.(options.lockName(id), () => hold(id, taken), { wait: true, signal });
  };

  const look = (): void => {
    if ((claims.size === 0 && inherited.size === 0) || !options.isAtRest()) return;
    for (const [id, letGo] of [...claims]) {
      const isWaited = options.isOpen(id) || options.isAnswered(id);
      if (letGo !== 'asked' && !isWaited) {
        inherited.delete(id);
        letGo();
      }
    }
    if (inherited.size === 0) return;
    inherited.clear();
    options.read();
  };

  /** Tells the app once this tab has the call. `begin`: what to do then. */
  const take = ({ toolCallId: id }: ClientToolCall, begin: () => void): void => {
    if (world.lock === undefined || typeof claims.get(id) === 'function') begin();
    else if (!claims.has(id)) {
      // Who has run it already has nothing to wait for.
      void claim(id, begin, () => (seen.has(id) ? claims.delete(id) : inherit(id)));
    }
  };

  return {
    streamed(call) {
      // Another tab may have met it before: in the conversation, while this reply was cut.
      if (seen.has(call.toolCallId) || !hasLapsed(call, world.now())) take(call, () => run(call));
    },
    found(call) {
      if (seen.has(call.toolCallId) || hasLapsed(call, world.now())) return;
      take(call, () => {
        if (options.isOpen(call.toolCallId)) run(call);
      });
    },
    look,
    end() {
      ending.abort();
      for (const letGo of [...claims.values()]) if (letGo !== 'asked') letGo();
    },
  };
}

/** A tool call that waits for this client, as `onToolCall` gets it; undefined for any other part. */
export function openToolCall(part: { readonly type: string }): ClientToolCall | undefined {
  const call = toolPartOf(part);
  if (call === undefined || !isForClient(call)) return undefined;
  const { toolCallId, input, callProviderMetadata } = call;
  const dynamic = call.type === 'dynamic-tool';
  return {
    toolCallId,
    toolName: dynamic ? String(call.toolName) : call.type.slice('tool-'.length),
    input,
    ...(callProviderMetadata === undefined ? {} : { providerMetadata: callProviderMetadata }),
    ...(dynamic ? { dynamic: true } : {}),
  } as ClientToolCall;
}
