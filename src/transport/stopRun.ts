import { unexpectedResponse } from '../errors/clientFailures.ts';
import { parseJson, readName } from '../protocol/readField.ts';
import { readBounded } from './readBounded.ts';
import { failedLook, type RoutePort } from './routePort.ts';
import { quietAbort } from './turn.ts';
import type { StopAnswer } from './turnHost.ts';

/**
 * Asks the server to end the live run. It answers at once and never waits for the end.
 *
 * @throws only a quiet `AbortError`, when the signal is aborted
 */
export async function stopRun(
  port: RoutePort,
  mode: 'interrupt' | 'abort',
  signal: AbortSignal,
): Promise<StopAnswer> {
  if (signal.aborted) throw quietAbort();
  const { routes, endpoint, world } = port;
  const url = routes.url('stop');
  if (url === undefined || routes.knowledge('stop', endpoint) === 'absent') {
    return { kind: 'absent' };
  }
  const isOpen = () => routes.knowledge('stop', endpoint) === 'open';
  const { call, close } = port.open(signal);
  try {
    const response = await port.request(call, url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ mode }),
    });
    const type = response.headers.get('content-type') ?? '';
    if (type !== '' && !/\bjson\b/i.test(type) && isOpen()) {
      response.body?.cancel().catch(() => {});
      return failedLook(port, 'stop', unexpectedResponse(response), response.status);
    }
    const runId = await runIdOf(response);
    // A server that answers anything with a success has not said that it stops a run.
    if (response.status !== 202 && runId === undefined && isOpen()) {
      return failedLook(port, 'stop', unexpectedResponse(response), response.status);
    }
    routes.learnKnown('stop', endpoint);
    return { kind: 'stopping', runId };
  } catch (thrown) {
    if (signal.aborted) throw quietAbort();
    return failedLook(port, 'stop', thrown, call.status);
  } finally {
    close();
  }

  /** The stop is on its way whatever its body says: a body that cannot be read is no failure. */
  async function runIdOf(response: Response): Promise<string | undefined> {
    if (response.body === null) return undefined;
    try {
      const bounds = { maxBytes: 65_536, maxMs: 5_000, world };
      const { text } = await call.race(readBounded(response.body, bounds));
      return readName(parseJson(text), 'runId');
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      return undefined;
    }
  }
}
