import type { HelixErrorInit } from '../errors/HelixError.ts';
import { causesOf } from '../errors/networkFailure.ts';
import { readUntypedAnswer } from '../errors/untypedAnswer.ts';
import { present } from '../protocol/present.ts';
import { hasFields, readField } from '../protocol/readField.ts';
import { readHeader } from '../protocol/readHeader.ts';
import { isPlainError, messageOf, readEventTexts, readFrames } from './candidates.ts';
import { coolDownEnd, verdictByLayer } from './deuzError.ts';
import { verdictByProse, waitInProse } from './providerProse.ts';
import { verdictByStatus } from './providerStatus.ts';
import { msUntil } from './statedWait.ts';
import { plainId, quotaVerdict, type Row, verdictOf } from './verdict.ts';

type Template = readonly [
  sentence: RegExp,
  read: (groups: readonly (string | undefined)[], now: number) => HelixErrorInit | undefined,
];

const row =
  (...fields: Row) =>
  () =>
    verdictOf(fields);

/** The sentences that the SDK itself writes: over its stream they are all that is left of an error. */
const TEMPLATES: readonly Template[] = [
  [/^Request timed out \((\w{1,16})\)\.$/, ([layer]) => verdictByLayer(layer)],
  [/^Agentic step timed out \(step, \d{1,12}ms\)\.$/, () => verdictByLayer('step')],
  [/^Stream stalled between parts \(chunk, \d{1,12}ms\)\.$/, () => verdictByLayer('chunk')],
  [
    /^Network request to provider '([^']{1,100})' failed\.$/,
    ([provider]) => ({
      ...verdictOf(['provider_unreachable', true]),
      ...present({ provider: plainId(provider) }),
    }),
  ],
  [
    /^(?:Provider|Anthropic) request failed \(HTTP (\d{3})\)\.$/,
    ([status]) => {
      const verdict = verdictByStatus(Number(status));
      return verdict && { ...verdict, statusCode: Number(status) };
    },
  ],
  [
    /^Circuit breaker open for '[^']{1,200}' [\u2014-] (failing fast until \d{10,16}\.)$/,
    ([until], now) => ({
      ...verdictOf(['provider_overloaded', true]),
      ...present({ retryAfterMs: msUntil(coolDownEnd(until), now) }),
    }),
  ],
  [/^Provider returned an empty response body\.$/, row('provider_error', true)],
  [/^Provider '[^']{1,100}' does not support '[^']{1,100}'/, row('framework_not_supported', false)],
  // What its client makes of a refusal of the host's own route, whose body it does not read.
  [
    /^Deuz stream request failed \(status (\d{3})(?: [^\n]{0,200})?\)\.$/,
    ([status]) => {
      const { code, reason, retryable } = readUntypedAnswer(Number(status));
      return {
        ...present({ code, reason }),
        retryable: retryable ?? null,
        statusCode: Number(status),
      };
    },
  ],
];

function readTemplate(message: string, now: number): HelixErrorInit | undefined {
  for (const [sentence, read] of TEMPLATES) {
    const found = sentence.exec(message);
    if (found !== null) return read(found.slice(1), now);
  }
  return undefined;
}

/** An error whose message is one of the SDK's sentences, as its client throws it; undefined for any other. */
export function readDeuzMessage(thrown: unknown, now: number): HelixErrorInit | undefined {
  for (const link of causesOf(thrown)) {
    const isPart = readField(link, 'type') === 'error';
    const message = isPart || isPlainError(link) ? messageOf(link) : undefined;
    const init = message === undefined ? undefined : readTemplate(message, now);
    if (init !== undefined) return init;
  }
  return undefined;
}

/** How a stream of Deuz failed, by its parts: an error part counts more than a spent budget, that more than the finish. */
export function readDeuzStream(thrown: unknown, now: number): HelixErrorInit | undefined {
  for (const { text, headers } of readEventTexts(thrown)) {
    const parts = readFrames(text);
    const isDeuz = readHeader(headers, 'x-deuz-stream') !== undefined;
    const init =
      first(parts, (part) => readErrorPart(part, isDeuz, now)) ??
      (isDeuz ? (first(parts, readBudget) ?? first(parts, readFinish)) : undefined);
    if (init !== undefined) return init;
  }
  return undefined;
}

function first(
  parts: readonly unknown[],
  read: (part: unknown) => HelixErrorInit | undefined,
): HelixErrorInit | undefined {
  for (const part of parts) {
    const init = read(part);
    if (init !== undefined) return init;
  }
  return undefined;
}

// After this one the stream goes on.
const PASSING = /^data part '[^']{1,200}' failed validation\.$/;

function readErrorPart(part: unknown, isDeuz: boolean, now: number): HelixErrorInit | undefined {
  const message = readField(part, 'type') === 'error' ? messageOf(part) : undefined;
  if (message === undefined || PASSING.test(message)) return undefined;
  const known = readTemplate(message, now);
  if (known !== undefined || !isDeuz) return known;
  const waitMs = waitInProse(message);
  const verdict = verdictByProse(message) ?? verdictOf(['provider_error', null]);
  return {
    ...(verdict.reason === 'quota' ? quotaVerdict(waitMs) : verdict),
    ...present({ retryAfterMs: waitMs }),
  };
}

function readBudget(part: unknown): HelixErrorInit | undefined {
  return readField(part, 'type') === 'budget-exceeded'
    ? verdictOf(['framework_max_steps_exhausted', false])
    : undefined;
}

function readFinish(part: unknown): HelixErrorInit | undefined {
  if (!hasFields(part) || readField(part, 'type') !== 'finish') return undefined;
  switch (readField(part, 'finishReason')) {
    case 'content_filter':
      return verdictOf(['provider_content_filtered', false]);
    case 'error':
      return verdictOf(['provider_error', null, 'finish-error']);
    case 'aborted':
      return verdictOf(['framework_cancelled', false]);
    default:
      return undefined;
  }
}
