import { isHelixError } from 'helix-chat';
import { createFaultServer, type FaultServer, scenarioOf, toNodeHandler } from 'helix-chat/testing';
import { chooseModel, type Environment } from './chooseModel.ts';
import { createReply } from './createReply.ts';

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** `POST /api/faults { chatId, client, scenario }`: what goes wrong with the next send of that page's chat. */
async function arm(server: FaultServer, request: Request): Promise<Response> {
  if (request.method !== 'POST') return new Response(null, { status: 405 });
  const body: unknown = await request.json().catch(() => undefined);
  const { chatId, client, scenario } = Object(body) as Record<string, unknown>;
  const script = isText(scenario) ? scenarioOf(scenario) : undefined;
  if (!script || !isText(chatId) || !isText(client)) return new Response(null, { status: 400 });
  server.arm(script, { chatId, client });
  return new Response(null, { status: 204 });
}

/** What nobody broke on purpose, for whoever watches the terminal. */
function report(error: unknown): void {
  const stopped = error instanceof Error && error.name === 'AbortError';
  if (!stopped && !isHelixError(error)) console.error(error);
}

/** The example's backend for `node:http`: a chat route that can be told to go wrong. It keeps its chats until it ends. */
export function createNodeApi(environment: Environment) {
  const reply = createReply(chooseModel(environment));
  const server = createFaultServer({ reply, keepAliveMs: 1000, onError: report });
  return toNodeHandler((request) =>
    new URL(request.url).pathname === '/api/faults' ? arm(server, request) : server.handle(request),
  );
}
