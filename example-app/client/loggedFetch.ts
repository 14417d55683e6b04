import type { RecoveryLog, Tone } from './recoveryLog.ts';

/** What a request to one of the chat's routes asks for, in words. */
function purposeOf(method: string, path: string): string {
  if (path.endsWith('/stream')) return 'Join the running reply';
  if (path.endsWith('/snapshot')) return 'Read the conversation';
  if (path.endsWith('/stop')) return 'Ask the server to stop';
  return method === 'POST' ? 'Send' : method;
}

/** The typed code of a refusal: the only word of a body that the log shows. */
async function codeOf(response: Response): Promise<string> {
  try {
    const body: unknown = await response.clone().json();
    const code =
      typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined;
    return typeof code === 'string' && /^[a-z_]{1,60}$/.test(code) ? ` ${code}` : '';
  } catch {
    return '';
  }
}

/** A 404 to a reader is how a chat begins. */
function toneOf(status: number, method: string): Tone {
  if (status < 400 || (status === 404 && method === 'GET')) return 'quiet';
  return status === 409 || status === 429 || status === 503 ? 'warning' : 'blocking';
}

/** `fetch`, with a line in the log for each request and for each answer that is not a plain 200. */
export function createLoggedFetch(log: RecoveryLog): typeof fetch {
  return async (input, init) => {
    const address = new URL(input instanceof Request ? input.url : input, location.href);
    const method = init?.method ?? 'GET';
    const purpose = purposeOf(method, address.pathname);
    const key = new Headers(init?.headers).get('X-Helix-Request-Key');
    log.add({
      title: purpose,
      detail: `${method} ${address.pathname.replace(/[0-9a-f-]{36}/, '…')}${key ? `, key ${key.slice(0, 6)}…` : ''}`,
      tone: 'quiet',
    });
    try {
      const response = await fetch(input, init);
      if (response.status !== 200) {
        const detail = `${response.status}${await codeOf(response)}`;
        const title = response.ok ? `${purpose}: answered` : `${purpose}: refused`;
        log.add({ title, detail, tone: toneOf(response.status, method) });
      }
      return response;
    } catch (error) {
      if (!init?.signal?.aborted) {
        log.add({ title: `${purpose}: no answer`, detail: 'connection failed', tone: 'warning' });
      }
      throw error;
    }
  };
}
