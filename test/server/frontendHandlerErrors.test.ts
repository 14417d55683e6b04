import { describe, expect, test } from 'vitest';
import { helixErrorFromResponse } from '../../src/errors/helixErrorFromResponse.ts';
import { chatErrorResponse } from '../../src/server/chatErrorResponse.ts';
import {
  ConfigurationError,
  ExecutionError,
  FrontendHandlerError,
  StreamCreationError,
  StreamFailedError,
  StreamNotFoundError,
  StreamReaderError,
  ValidationError,
} from '../../src/server/frontendHandlerErrors.ts';

/** Class, legacy code, status, and what a client makes of the answer. */
const ROWS = [
  [ValidationError, 'VALIDATION_ERROR', 400, 'validation_error'],
  [StreamNotFoundError, 'STREAM_NOT_FOUND', 404, 'state_session_not_found'],
  [StreamReaderError, 'STREAM_READER_ERROR', 404, 'transport_error'],
  [StreamFailedError, 'STREAM_FAILED', 410, 'framework_internal_error'],
  [ConfigurationError, 'CONFIGURATION_ERROR', 501, 'framework_not_supported'],
  [ExecutionError, 'EXECUTION_ERROR', 500, 'framework_internal_error'],
  [StreamCreationError, 'STREAM_CREATION_ERROR', 500, 'transport_error'],
] as const;

/** The catch of a route, as the error handling document has it. */
function answer(error: unknown): Response {
  if (error instanceof FrontendHandlerError) {
    return new Response(JSON.stringify({ error: error.message, code: error.code }), {
      status: error.statusCode,
    });
  }
  throw error;
}

describe.each(ROWS)('%o', (Class, code, status, decoded) => {
  test('has its code, its status and its name', () => {
    const cause = new Error('why');
    const error = new Class('what', { cause });
    expect(error).toBeInstanceOf(FrontendHandlerError);
    expect(error).toMatchObject({
      name: Class.name,
      message: 'what',
      code,
      statusCode: status,
      cause,
    });
  });

  test('is answered as the document says, and decoded by a client', async () => {
    const response = answer(new Class('what'));
    expect(response.status).toBe(status);
    expect(await helixErrorFromResponse(response)).toMatchObject({
      code: decoded,
      wireCode: code,
      statusCode: status,
      retryable: false,
    });
  });

  test('is unknown to chatErrorResponse, which sends no text of it', async () => {
    const response = chatErrorResponse(new Class('hunter2'), { sessionId: 's1' });
    const body = await response.text();
    expect([response.status, body]).toEqual([500, expect.not.stringContaining('hunter2')]);
  });
});
