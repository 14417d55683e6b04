import { describe, expect, test } from 'vitest';
import { helixErrorFromResponse } from '../../src/errors/helixErrorFromResponse.ts';

const typed = { error: 'x', code: 'state_run_start_conflict', cause: 'request_key_taken' };

/** A world whose timers run when they are told to. */
function heldWorld(now = 0) {
  const timers = new Map<number, () => void>();
  let next = 0;
  return {
    now: () => now,
    after(_ms: number, task: () => void) {
      const id = next++;
      timers.set(id, task);
      return () => void timers.delete(id);
    },
    fire() {
      for (const task of timers.values()) task();
    },
    get pending() {
      return timers.size;
    },
  };
}

describe('a refused response', () => {
  test('is read once and typed', async () => {
    const response = Response.json(typed, { status: 409, headers: { 'x-request-id': 'q1' } });
    const world = heldWorld();
    expect(await helixErrorFromResponse(response, { world })).toMatchObject({
      code: 'state_run_start_conflict',
      reason: 'request_key_taken',
      statusCode: 409,
      retryable: false,
      requestId: 'q1',
      cause: response,
    });
    expect(world.pending).toBe(0);
  });

  test('with markup counts by its status', async () => {
    const response = new Response('<html>x</html>', { status: 502 });
    expect(await helixErrorFromResponse(response)).toMatchObject({
      code: 'transport_error',
      statusCode: 502,
      serverMessage: undefined,
    });
  });

  test('asks the adapters with the opened answer', async () => {
    const response = new Response('{"error":{"type":"overloaded_error"}}', { status: 529 });
    const error = await helixErrorFromResponse(response, {
      adapters: [
        (thrown) =>
          (thrown as { body: string }).body.includes('overloaded_error')
            ? { code: 'provider_overloaded' }
            : undefined,
      ],
    });
    expect(error).toMatchObject({ code: 'provider_overloaded', statusCode: 529, cause: response });
  });

  test('over 64 KiB counts by its status', async () => {
    const response = Response.json({ ...typed, detail: 'x'.repeat(70_000) }, { status: 503 });
    expect(await helixErrorFromResponse(response)).toMatchObject({ code: 'transport_error' });
  });

  test('that never ends counts by its status after 5 s, and is let go', async () => {
    const world = heldWorld();
    const told = { reading: () => {}, cancelled: false };
    const reading = new Promise<void>((resolve) => {
      told.reading = resolve;
    });
    const body = new ReadableStream<Uint8Array>({
      pull() {
        told.reading();
        return new Promise(() => {});
      },
      cancel() {
        told.cancelled = true;
      },
    });
    const answer = helixErrorFromResponse(new Response(body, { status: 503 }), { world });
    await reading;
    world.fire();
    expect(await answer).toMatchObject({ code: 'transport_error', statusCode: 503 });
    expect(told.cancelled).toBe(true);
    expect(world.pending).toBe(0);
  });

  test('that breaks counts by its status', async () => {
    const body = new ReadableStream({
      pull(controller) {
        controller.error(new TypeError('terminated'));
      },
    });
    const response = new Response(body, { status: 504 });
    expect(await helixErrorFromResponse(response)).toMatchObject({
      statusCode: 504,
      retryable: true,
    });
  });

  test('that was read already counts by its status', async () => {
    const response = Response.json(typed, { status: 409 });
    await response.text();
    expect(await helixErrorFromResponse(response)).toMatchObject({
      code: undefined,
      statusCode: 409,
    });
  });

  test('that is none at all does not reject', async () => {
    expect(await helixErrorFromResponse(undefined as unknown as Response)).toMatchObject({
      code: undefined,
    });
  });
});
