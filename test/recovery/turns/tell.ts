import { HelixError } from '../../../src/errors/HelixError.ts';
import { decideTrigger, isEmptyReply } from '../../../src/recovery/decide.ts';
import type { Env } from '../../../src/recovery/draft.ts';
import { holdsActs, type Model } from '../../../src/recovery/model.ts';
import { chatStatusOf } from '../../../src/recovery/state.ts';
import type { transition } from '../../../src/recovery/transition.ts';
import { pendingOf } from '../../../src/recovery/waitingEdit.ts';

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const error = ({ code, reason, statusCode }: HelixError): string =>
  [code, reason, statusCode].filter((part) => part !== undefined).join('/');

/** An act by its number, with what a request, a view or a store would see of it. */
const act = (turn: Record<string, unknown>): string => {
  const {
    id,
    kind,
    targetId,
    entryId,
    requests,
    tries,
    conflicts,
    spent,
    unclear,
    accepted,
    request,
  } = turn;
  const counts = [requests, tries, conflicts].join('.');
  const marks = [
    ...(Array.isArray(spent) ? spent : []),
    ...(unclear === true ? ['unclear'] : []),
    ...(accepted === true ? ['taken'] : []),
    ...(targetId === undefined ? [] : [`of ${String(targetId)}`]),
    ...(entryId === undefined ? [] : [`as ${String(entryId)}`]),
    ...(isFields(request) ? [`with ${Object.values(request).join()}`] : []),
  ];
  return `#${String(id)} ${String(kind)} ${counts}${marks.length > 0 ? ` (${marks.join(', ')})` : ''}`;
};

/** Any value in few words; times of the wall clock as how far they are from now. */
function words(value: unknown, env: Env, name = ''): string {
  if (HelixError.isInstance(value)) return error(value);
  if (Array.isArray(value)) return `[${value.map((item) => words(item, env)).join(' ')}]`;
  if (!isFields(value)) {
    const isTime = ['since', 'retryAt', 'at'].includes(name) && typeof value === 'number';
    if (value === '') return "''";
    return isTime ? `${value - env.now >= 0 ? '+' : ''}${value - env.now}` : String(value);
  }
  if ('kind' in value && 'requests' in value) return act(value);
  if ('parts' in value) return String(value.id);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return `{${fields.map(([key, field]) => `${key} ${words(field, env, key)}`).join(', ')}}`;
}

const inWords = (first: string, rest: Record<string, unknown>, env: Env): string =>
  [
    first,
    ...Object.entries(rest).flatMap(([key, value]) =>
      value === undefined ? [] : `${key} ${words(value, env, key)}`,
    ),
  ].join(', ');

/** What the stream that is read would be told next: at a trigger, or where it ends without a word. */
function streamAnswers(model: Model, env: Env): readonly string[] {
  if (model.job.at !== 'streaming' && model.job.at !== 'reconnecting') return [];
  const trigger = { name: 'data-attempt-superseded', runId: undefined, content: true } as const;
  const end = { by: 'finish', finishReason: 'stop', content: false } as const;
  return [
    inWords(
      '= next',
      {
        'attempt x': decideTrigger(model, { ...trigger, attemptId: 'x' }, env),
        'any attempt': decideTrigger(model, { ...trigger, attemptId: undefined }, env),
        empty: isEmptyReply(model, end),
      },
      env,
    ),
  ];
}

/** The orders that a fact gave. */
export const ordersIn = (
  effects: ReturnType<typeof transition>['effects'],
  env: Env,
): readonly string[] => effects.map(({ do: order, ...rest }) => inWords(order, rest, env));

/** What a person sees of the chat, and what the stream that is read would be told. */
export function viewOf(model: Model, env: Env): readonly string[] {
  const { name, ...state } = model.state;
  const status = chatStatusOf(model.state);
  const pending = pendingOf(model).map(
    ({ pending: { id, message, ...rest }, turn, newKey, pressed }) =>
      inWords(`= pending ${id}`, { as: message.id, ...rest, newKey, pressed, of: turn }, env),
  );
  return [
    inWords(`= ${name}`, { ...state, status, canSend: !holdsActs(model) }, env),
    ...streamAnswers(model, env),
    ...pending,
  ];
}
