/** A failure before the stream of a chat handler began, with the legacy code and the status of its answer. */
export class FrontendHandlerError extends Error {
  readonly code: string;
  readonly statusCode: number;

  constructor(
    message: string,
    answer: { readonly code: string; readonly statusCode: number; readonly cause?: unknown },
  ) {
    super(message, answer.cause === undefined ? undefined : { cause: answer.cause });
    this.name = 'FrontendHandlerError';
    this.code = answer.code;
    this.statusCode = answer.statusCode;
  }
}

interface Wrapped {
  readonly cause?: unknown;
}

/** The request is not what the handler takes. */
export class ValidationError extends FrontendHandlerError {
  constructor(message: string, options: Wrapped = {}) {
    super(message, { ...options, code: 'VALIDATION_ERROR', statusCode: 400 });
    this.name = 'ValidationError';
  }
}

/** There is no stream of that session. */
export class StreamNotFoundError extends FrontendHandlerError {
  constructor(message: string, options: Wrapped = {}) {
    super(message, { ...options, code: 'STREAM_NOT_FOUND', statusCode: 404 });
    this.name = 'StreamNotFoundError';
  }
}

/** The stream could not be read. */
export class StreamReaderError extends FrontendHandlerError {
  constructor(message: string, options: Wrapped = {}) {
    super(message, { ...options, code: 'STREAM_READER_ERROR', statusCode: 404 });
    this.name = 'StreamReaderError';
  }
}

/** The stream has failed and holds nothing more. */
export class StreamFailedError extends FrontendHandlerError {
  constructor(message: string, options: Wrapped = {}) {
    super(message, { ...options, code: 'STREAM_FAILED', statusCode: 410 });
    this.name = 'StreamFailedError';
  }
}

/** The handler is not set up for what was asked of it. */
export class ConfigurationError extends FrontendHandlerError {
  constructor(message: string, options: Wrapped = {}) {
    super(message, { ...options, code: 'CONFIGURATION_ERROR', statusCode: 501 });
    this.name = 'ConfigurationError';
  }
}

/** The run could not be carried out. */
export class ExecutionError extends FrontendHandlerError {
  constructor(message: string, options: Wrapped = {}) {
    super(message, { ...options, code: 'EXECUTION_ERROR', statusCode: 500 });
    this.name = 'ExecutionError';
  }
}

/** The stream could not be made. */
export class StreamCreationError extends FrontendHandlerError {
  constructor(message: string, options: Wrapped = {}) {
    super(message, { ...options, code: 'STREAM_CREATION_ERROR', statusCode: 500 });
    this.name = 'StreamCreationError';
  }
}
