import { LIMITS } from '../protocol/readField.ts';
import { systemWorld, type World } from '../world.ts';
import type { HelixError } from './HelixError.ts';
import { type FunnelOptions, fromAnswer, toHelixError } from './toHelixError.ts';

const READ_MS = 5_000;

/**
 * The typed error of a refused `Response`. Reads its body once, at most 64 KiB within 5 s; what is longer, slower or
 * already read counts by status and headers alone. Never rejects.
 */
export async function helixErrorFromResponse(
  response: Response,
  options: FunnelOptions & { readonly world?: Pick<World, 'now' | 'after'> } = {},
): Promise<HelixError> {
  const world = options.world ?? systemWorld();
  const funnel = { ...options, now: options.now ?? world.now() };
  try {
    const body = await readBody(response, world);
    const { status, headers } = response;
    return fromAnswer({ status, headers, body }, response, funnel);
  } catch {
    return toHelixError(response, funnel);
  }
}

async function readBody(
  response: Response,
  world: Pick<World, 'after'>,
): Promise<string | undefined> {
  if (response.bodyUsed || !response.body || response.body.locked) return undefined;
  const reader = response.body.getReader();
  const quit = () => {
    reader.cancel().catch(() => {});
  };
  let cancelTimer = () => {};
  const late = new Promise<undefined>((resolve) => {
    cancelTimer = world.after(READ_MS, () => resolve(undefined));
  });
  try {
    const text = await Promise.race([readText(reader), late]);
    if (text === undefined) quit();
    return text;
  } catch {
    return undefined;
  } finally {
    cancelTimer();
  }
}

/** The whole text; undefined where it is longer than 64 KiB. */
async function readText(reader: ReadableStreamDefaultReader<Uint8Array>) {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > LIMITS.parsed) return undefined;
    text += decoder.decode(value, { stream: true });
  }
}
