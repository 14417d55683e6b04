import {
  corruptSnapshot,
  networkFailureError,
  timeoutFailure,
  unexpectedResponse,
} from '../errors/clientFailures.ts';
import { isAbort, isNetworkFailure } from '../errors/networkFailure.ts';
import { toHelixError } from '../errors/toHelixError.ts';
import { parseSnapshot } from '../protocol/snapshot.ts';
import type { Call } from './call.ts';
import { readBounded } from './readBounded.ts';
import { failedLook, type RoutePort } from './routePort.ts';
import { quietAbort } from './turn.ts';
import type { SnapshotAnswer } from './turnHost.ts';

/** A conversation with files in it can be large; beyond this it is no snapshot any more. */
const maxBytes = 64 * 1024 * 1024;
/** The host has its own bound; this one keeps a body that never ends from staying open. */
const maxMs = 60_000;

/**
 * What the server holds of the chat, read at its snapshot route or by the app's own `readSnapshot`. A malformed
 * snapshot of a route that is known is `state_history_incomplete`, never an empty chat.
 *
 * @throws only a quiet `AbortError`, when the signal is aborted
 */
export async function readSnapshot(port: RoutePort, signal: AbortSignal): Promise<SnapshotAnswer> {
  if (signal.aborted) throw quietAbort();
  const { routes, endpoint } = port;
  if (routes.readSnapshot !== undefined) return readByApp(port, signal);
  const url = routes.url('snapshot');
  if (url === undefined || routes.knowledge('snapshot', endpoint) === 'absent') {
    return { kind: 'absent' };
  }
  const { call, close } = port.open(signal);
  try {
    const response = await port.request(call, url, { method: 'GET', cache: 'no-store' });
    const isJson = /\bjson\b/i.test(response.headers.get('content-type') ?? '');
    if (!isJson && routes.knowledge('snapshot', endpoint) === 'open') {
      response.body?.cancel().catch(() => {});
      return failedLook(port, 'snapshot', unexpectedResponse(response), response.status);
    }
    const snapshot = parseSnapshot(await jsonOf(response, call));
    if (snapshot === undefined && routes.knowledge('snapshot', endpoint) === 'open') {
      return failedLook(port, 'snapshot', unexpectedResponse(response), response.status);
    }
    routes.learnKnown('snapshot', endpoint);
    return snapshot === undefined
      ? { kind: 'failed', error: corruptSnapshot() }
      : { kind: 'snapshot', snapshot };
  } catch (thrown) {
    if (signal.aborted) throw quietAbort();
    return failedLook(port, 'snapshot', thrown, call.status);
  } finally {
    close();
  }
}

async function jsonOf(response: Response, call: Call): Promise<unknown> {
  if (response.body === null) return undefined;
  const { world } = call.options;
  try {
    const { text, complete } = await call.race(
      readBounded(response.body, { maxBytes, maxMs, world }),
    );
    if (!complete) throw timeoutFailure('connect');
    return parsed(text);
  } catch (thrown) {
    if (call.endedBy !== undefined) throw call.endError();
    if (isNetworkFailure(thrown) || isAbort(thrown))
      throw networkFailureError(!world.online(), thrown);
    throw thrown;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function readByApp(port: RoutePort, signal: AbortSignal): Promise<SnapshotAnswer> {
  const { call, close } = port.open(signal);
  try {
    const reading = Promise.resolve(
      port.routes.readSnapshot?.(port.chatId, { signal: call.signal }),
    );
    const snapshot = parseSnapshot(await call.race(reading));
    return snapshot === undefined
      ? { kind: 'failed', error: corruptSnapshot() }
      : { kind: 'snapshot', snapshot };
  } catch (thrown) {
    if (signal.aborted) throw quietAbort();
    if (isAbort(thrown)) {
      return { kind: 'failed', error: networkFailureError(!port.world.online(), thrown) };
    }
    const error = toHelixError(thrown, { adapters: port.adapters, phase: 'snapshot' });
    return { kind: 'failed', error };
  } finally {
    close();
  }
}
