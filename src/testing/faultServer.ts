import { HelixError } from '../errors/HelixError.ts';
import { REQUEST_KEY_HEADER } from '../protocol/requestKey.ts';
import { typedErrorResponse } from '../server/chatErrorResponse.ts';
import { type ChatRouteOptions, createChatRoute } from '../server/chatRoute.ts';
import type { Reply, ReplyContext } from '../server/driveRun.ts';
import { readRoutePath, trimBasePath } from '../server/routePath.ts';
import type { ChatStore, StoredMessage } from '../server/store/chatStore.ts';
import { createMemoryStore } from '../server/store/memoryStore.ts';
import { systemWorld, type World } from '../world.ts';
import { createArmedFaults, type FaultedRequest, type FaultTarget } from './armedFaults.ts';
import { brokenStream } from './brokenStream.ts';
import type { Fault, FaultScript } from './faultScript.ts';
import { faultyReply, type ReplyFault } from './faultyReply.ts';
import { IN_PROCESS_ORIGIN, inProcessFetch } from './inProcessFetch.ts';
import { createLeftovers } from './leftovers.ts';
import { createRequestLog, type LoggedRequest } from './requestLog.ts';
import { type ScenarioName, scenarioOf } from './scenarios.ts';
import { type WordPace, wordReply } from './wordReply.ts';

/** Names the tab that a request comes from; a fault armed for a tab befalls no other. */
export const CLIENT_HEADER = 'X-Helix-Example-Client';

/** The options of `createChatRoute`; the reply may be left out. */
export interface FaultServerOptions extends Omit<ChatRouteOptions, 'reply'> {
  /** Default: `wordReply` at 40 ms a word. */
  readonly reply?: Reply;
}

/** How another client sends. */
export interface ForeignSendOptions {
  /** How long the reply takes, in ms. Default: the usual pace. */
  readonly totalMs?: number;
  /** Default: a new id. */
  readonly messageId?: string;
}

/** Another client's turn on its way. */
export interface ForeignTurn {
  readonly messageId: string;
  readonly runId: string;
  /** Reads the reply to its end. */
  ended(): Promise<void>;
}

/** A chat backend that goes wrong when it is told to. */
export interface FaultServer {
  /** Answers a request. `Response.error()` stands for a connection that closed before a byte. Never rejects. */
  handle(request: Request): Promise<Response>;
  /** The same in process, as a `fetch`: relative URLs resolve against `http://helix.test`. */
  readonly fetch: typeof globalThis.fetch;
  /**
   * Arms a fault for the next send of the target and what follows from it. The first message sent binds it: another
   * message ends it. A new script for the same target takes the old one's place.
   * @throws Error for a name that is no scenario.
   */
  arm(scenario: FaultScript | ScenarioName, target?: FaultTarget): void;
  /** Takes back what is armed for the target and has not been used up. */
  disarm(target?: FaultTarget): void;
  /** Every request so far, oldest first. */
  readonly requests: readonly LoggedRequest[];
  /** Tells of a request when it comes and again when it was answered, until the returned function is called. */
  onRequest(listener: (request: LoggedRequest) => void): () => void;
  /** The server's truth. Empty for a chat that it does not know. */
  transcript(chatId: string): Promise<readonly StoredMessage[]>;
  /** Sends a message as another client. @throws Error when it is refused. */
  foreignSend(chatId: string, text: string, options?: ForeignSendOptions): Promise<ForeignTurn>;
  /** No request is being answered, no stream is being read, no timer of the server waits. */
  settled(): boolean;
}

/** Wraps a chat route so that it can fail on purpose, in process or behind `toNodeHandler`. */
export function createFaultServer(options: FaultServerOptions = {}): FaultServer {
  return new ScriptedServer(options).face();
}

/** What one run's reply is to be instead of the usual one. */
interface ReplyPlan {
  readonly fault?: ReplyFault;
  readonly pace?: WordPace;
  attempts: number;
}

/** A request with everything about it that a script asks for. */
interface Seen extends FaultedRequest {
  readonly request: Request;
  readonly body: unknown;
}

class ScriptedServer {
  readonly #world: World;
  readonly #store: ChatStore;
  readonly #base: string;
  readonly #reply: Reply | undefined;
  readonly #route: (request: Request) => Promise<Response>;
  readonly #armed = createArmedFaults();
  readonly #log = createRequestLog();
  readonly #leftovers = createLeftovers();
  /** By chat and message, until the run that answers it begins; then by run. */
  readonly #plans = new Map<string, ReplyPlan>();
  #foreign = 0;

  constructor(options: FaultServerOptions) {
    this.#world = this.#leftovers.world(options.world ?? systemWorld());
    this.#store = options.store ?? createMemoryStore({ world: this.#world });
    this.#base = trimBasePath(options.basePath ?? '/api/chat');
    this.#reply = options.reply;
    this.#route = createChatRoute({
      // What is broken on purpose is no news.
      onError: () => {},
      ...options,
      basePath: this.#base,
      world: this.#world,
      store: this.#store,
      reply: (context) => this.#answerTo(context),
    });
  }

  face(): FaultServer {
    const handle = (request: Request) => this.#leftovers.task(this.#handle(request));
    return {
      handle,
      fetch: inProcessFetch(handle),
      arm: (scenario, target) => this.#arm(scenario, target ?? {}),
      disarm: (target) => this.#armed.disarm(target ?? {}),
      requests: this.#log.entries,
      onRequest: (listener) => this.#log.listen(listener),
      transcript: async (chatId) => (await this.#store.read(chatId))?.messages ?? [],
      foreignSend: (chatId, text, options) => this.#foreignSend(chatId, text, options ?? {}),
      settled: () => this.#leftovers.none(),
    };
  }

  #arm(scenario: FaultScript | ScenarioName, target: FaultTarget): void {
    const script = typeof scenario === 'string' ? scenarioOf(scenario) : scenario;
    if (!script) {
      throw new Error(
        `[helix-chat] arm: "${String(scenario)}" is no scenario. Nothing would go wrong. ` +
          'Use one of SCENARIO_NAMES, or pass a script.',
      );
    }
    this.#armed.arm(script, target);
  }

  // --- answering ---

  async #handle(request: Request): Promise<Response> {
    try {
      const seen = await this.#look(request);
      const taken = this.#armed.take(seen);
      const answered = this.#enterLog(seen, taken?.fault);
      const response = await this.#perform(seen, taken?.fault);
      if (taken && spoilsReply(taken.fault) && !response.ok) taken.giveBack();
      answered(response.type === 'error' ? 'lost' : response.status);
      return isEventStream(response) && response.body
        ? new Response(this.#leftovers.body(response.body), response)
        : response;
    } catch {
      // Only a host's own store or listener can bring us here; to the client it is a lost connection.
      return Response.error();
    }
  }

  async #look(request: Request): Promise<Seen> {
    const path = readRoutePath(new URL(request.url).pathname, this.#base);
    const body = request.method === 'POST' ? await readBody(request.clone()) : undefined;
    const posted = body as { id?: unknown; messages?: { id?: unknown }[] } | undefined;
    const last = Array.isArray(posted?.messages) ? posted.messages.at(-1)?.id : undefined;
    const chatId = path?.id === undefined ? posted?.id : decodeId(path.id);
    return {
      request,
      route: path?.route,
      chatId: typeof chatId === 'string' ? chatId : undefined,
      client: request.headers.get(CLIENT_HEADER) ?? undefined,
      messageId: typeof last === 'string' ? last : undefined,
      body,
    };
  }

  async #perform(seen: Seen, fault: Fault | undefined): Promise<Response> {
    const { request } = seen;
    switch (fault?.do) {
      case undefined:
        return this.#route(request);
      case 'refuse':
        return this.#named(new Response(fault.body, { status: fault.status, ...present(fault) }));
      case 'refuse-typed':
        return this.#named(typedErrorResponse(new HelixError(fault.error)));
      case 'no-run':
        return this.#named(new Response(null, { status: 204 }));
      case 'drop':
        if (fault.taken) await discard(await this.#route(request));
        return Response.error();
      case 'break': {
        const response = await this.#route(request);
        return isEventStream(response) && response.body
          ? new Response(brokenStream(response.body, fault), response)
          : response;
      }
      case 'reply':
        return this.#withPlan(seen, { fault, attempts: attemptsOf(fault) });
      case 'foreign-run':
        await this.#interpose(seen, 'A question from another tab', fault.ms);
        return this.#route(request);
      case 'overtaken': {
        const again = request.clone();
        const taken = await this.#withPlan(seen, { pace: { wordMs: 0 }, attempts: 1 });
        if (!taken.ok) return taken;
        await drain(taken);
        await (await this.#interpose(seen, 'A later question', 0))?.ended();
        return this.#route(again);
      }
    }
  }

  /** Another client's turn; nothing where one is in the way already. */
  #interpose(seen: Seen, text: string, totalMs: number): Promise<ForeignTurn | undefined> {
    return this.#foreignSend(seen.chatId ?? '', text, { totalMs }).catch(() => undefined);
  }

  /** Answers a send with a reply that is made by this plan. */
  async #withPlan(seen: Seen, plan: ReplyPlan): Promise<Response> {
    const name = planName(seen.chatId, seen.messageId);
    this.#plans.set(name, plan);
    const response = await this.#route(seen.request);
    if (!response.ok) this.#plans.delete(name);
    return response;
  }

  /** What stands in front of the server has an id for support, and knows nothing of keys. */
  #named(response: Response): Response {
    response.headers.set('x-request-id', `req_fault_${this.#log.entries.length}`);
    return response;
  }

  // --- replies ---

  #answerTo(context: ReplyContext): ReturnType<Reply> {
    const plan = this.#planOf(context);
    const usual = () => (this.#reply ? this.#reply(context) : wordReply(this.#world, context));
    if (plan?.fault) return faultyReply(plan.fault, usual);
    if (plan?.pace) return wordReply(this.#world, context, plan.pace);
    return usual();
  }

  #planOf(context: ReplyContext): ReplyPlan | undefined {
    const asked = context.messages.findLast((message) => message.role === 'user');
    const name = planName(context.chatId, asked?.id);
    const plan = this.#plans.get(context.attempt === 1 ? name : context.runId);
    this.#plans.delete(name);
    this.#plans.delete(context.runId);
    if (!plan) return undefined;
    plan.attempts -= 1;
    if (plan.attempts > 0) this.#plans.set(context.runId, plan);
    return plan;
  }

  async #foreignSend(
    chatId: string,
    text: string,
    options: ForeignSendOptions,
  ): Promise<ForeignTurn> {
    this.#foreign += 1;
    const messageId = options.messageId ?? `foreign-${this.#foreign}`;
    const message = { id: messageId, role: 'user', parts: [{ type: 'text', text }] };
    const request = new Request(`${IN_PROCESS_ORIGIN}${this.#base}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id: chatId, messages: [message], trigger: 'submit-message' }),
    });
    const { totalMs } = options;
    const seen: Seen = {
      request,
      route: 'send',
      chatId,
      client: undefined,
      messageId,
      body: undefined,
    };
    const response = await this.#withPlan(seen, {
      ...(totalMs === undefined ? {} : { pace: { totalMs } }),
      attempts: 1,
    });
    if (!response.ok) {
      throw new Error(
        `[helix-chat] foreignSend: the server answered ${response.status}. No foreign turn has begun. ` +
          'Wait until the chat’s run has ended.',
      );
    }
    const runId = response.headers.get('X-Helix-Run-Id') ?? '';
    return { messageId, runId, ended: () => drain(response) };
  }

  #enterLog(seen: Seen, fault: Fault | undefined): (status: number | 'lost') => void {
    const { request, route, chatId, client, messageId, body } = seen;
    return this.#log.enter({
      at: this.#world.now(),
      method: request.method,
      path: new URL(request.url).pathname,
      route,
      chatId,
      client,
      key: request.headers.get(REQUEST_KEY_HEADER) ?? undefined,
      messageId,
      body,
      fault: fault?.do,
    });
  }
}

/** Faults that need a reply to spoil. */
function spoilsReply(fault: Fault): boolean {
  return fault.do === 'reply' || fault.do === 'break' || fault.do === 'overtaken';
}

function planName(chatId: string | undefined, messageId: string | undefined): string {
  return JSON.stringify([chatId, messageId]);
}

function attemptsOf(fault: ReplyFault): number {
  return 'attempts' in fault ? (fault.attempts ?? 1) : 1;
}

function present(fault: { readonly headers?: Readonly<Record<string, string>> }): ResponseInit {
  return fault.headers ? { headers: fault.headers } : {};
}

function isEventStream(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('text/event-stream') === true;
}

function decodeId(id: string): string | undefined {
  try {
    return decodeURIComponent(id);
  } catch {
    return undefined;
  }
}

async function readBody(request: Request): Promise<unknown> {
  try {
    return JSON.parse(await request.text());
  } catch {
    return undefined;
  }
}

async function discard(response: Response): Promise<void> {
  await response.body?.cancel();
}

async function drain(response: Response): Promise<void> {
  const reader = response.body?.getReader();
  while (reader && !(await reader.read()).done);
}
