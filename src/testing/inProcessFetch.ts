/** Where relative URLs of the in-process fetch lead. */
export const IN_PROCESS_ORIGIN = 'http://helix.test';

/**
 * A `fetch` that calls a handler in this process. Relative URLs resolve against `http://helix.test`. An abort rejects
 * the pending promise and breaks the body; `Response.error()` becomes the TypeError of a lost connection.
 */
export function inProcessFetch(
  handle: (request: Request) => Promise<Response>,
): typeof globalThis.fetch {
  return async (input, init) => {
    const { signal: given, ...rest } = init ?? {};
    const signal = given ?? (input instanceof Request ? input.signal : undefined);
    const request = new Request(
      input instanceof Request ? input : new URL(String(input), IN_PROCESS_ORIGIN),
      rest,
    );
    if (signal?.aborted) throw abortReason(signal);
    const response = await untilAborted(handle(request), signal);
    if (response.type === 'error') throw connectionLost();
    const { status, statusText, headers } = response;
    const body = response.body && abortable(response.body, signal);
    return new Response(body, { status, statusText, headers });
  };
}

function connectionLost(): TypeError {
  const cause = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
  return new TypeError('fetch failed', { cause });
}

function abortReason(signal: AbortSignal): unknown {
  return signal.reason ?? new DOMException('This operation was aborted', 'AbortError');
}

/** The response, unless the signal comes first; one that comes too late is thrown away. */
function untilAborted(
  pending: Promise<Response>,
  signal: AbortSignal | undefined,
): Promise<Response> {
  if (!signal) return pending;
  return new Promise((resolve, reject) => {
    const abort = () => {
      reject(abortReason(signal));
      pending.then((late) => late.body?.cancel()).catch(() => {});
    };
    signal.addEventListener('abort', abort, { once: true });
    pending.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** The same body, broken with the signal's reason when it aborts. */
function abortable(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  if (!signal) return body;
  const reader = body.getReader();
  let abort = () => {};
  const leave = () => signal.removeEventListener('abort', abort);
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        abort = () => {
          leave();
          controller.error(abortReason(signal));
          void reader.cancel().catch(() => {});
        };
        signal.addEventListener('abort', abort);
        if (signal.aborted) abort();
      },
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (signal.aborted) return;
          if (!done) return controller.enqueue(value);
          leave();
          controller.close();
        } catch (error) {
          leave();
          if (!signal.aborted) controller.error(error);
        }
      },
      cancel(reason) {
        leave();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
