import type { DefaultChatTransport, UIMessage, UIMessageChunk } from 'ai';
import type { ErrorAdapter } from '../errors/toHelixError.ts';
import type { World } from '../world.ts';
import { developerError } from './developerError.ts';
import type { KeyMode } from './keys.ts';
import { type RoutesOption, routeNames } from './routes.ts';

/** How long to wait for what, in ms; 0 switches a limit off. */
export interface Timeouts {
  /** Until the headers of an answer. Default 0, or 60,000 where request keys are vouched for or proven. */
  readonly connectMs?: number | undefined;
  /** Between two bytes of a stream. Default 45,000, counted only where the server keeps streams alive or has a stream or snapshot route. */
  readonly idleMs?: number | undefined;
  /** Bytes but no content. Kept by recovery, not by the transport. Default 300,000. */
  readonly progressMs?: number | undefined;
  /** One request in all, from its start to the last byte. Default 0. */
  readonly totalMs?: number | undefined;
}

/** What helix-chat adds to a transport. */
export interface RecoveryOptions {
  /** The optional routes. Default `'auto'`: each is looked for once. */
  readonly routes?: RoutesOption | undefined;
  /** Whether sends carry a request key. Default `'auto'`: to the page's own origin. */
  readonly requestKeys?: KeyMode | undefined;
  readonly timeouts?: Timeouts | undefined;
  /** What types errors of foreign contracts, asked in order. Default none. */
  readonly adapters?: readonly ErrorAdapter[] | undefined;
  /** Clock, chance and network status. Default: the real ones. */
  readonly world?: World | undefined;
  /** Types of parts at which the conversation is read again. Default `DEFAULT_TRIGGERS`. */
  readonly triggers?: readonly string[] | undefined;
  /** The chunks after which a reply is whole. Default: `finish`, `abort`, `error`. */
  readonly isTerminal?: ((chunk: UIMessageChunk) => boolean) | undefined;
}

/** The options of `DefaultChatTransport` and those of helix-chat. */
export type HelixChatTransportOptions<M extends UIMessage> = NonNullable<
  ConstructorParameters<typeof DefaultChatTransport<M>>[0]
> &
  RecoveryOptions;

const limits: ReadonlySet<string> = new Set(['connectMs', 'idleMs', 'progressMs', 'totalMs']);
const routeFields: ReadonlySet<string> = new Set([...routeNames, 'readSnapshot']);

function malformed(option: string, value: unknown, remedy: string): Error {
  const shown = typeof value === 'string' ? `"${value.slice(0, 40)}"` : String(value).slice(0, 40);
  return developerError(
    `The option \`${option}\` was given ${shown}.`,
    'The transport cannot know what is meant and was not made.',
    remedy,
  );
}

/** @throws a developer error for a time that is no time, or a limit that does not exist. */
export function checkTimeouts(timeouts: Timeouts | undefined): void {
  for (const [name, ms] of Object.entries(timeouts ?? {})) {
    if (!limits.has(name)) {
      throw malformed(`timeouts.${name}`, ms, `Known limits are ${[...limits].join(', ')}.`);
    }
    const fits = ms === undefined || (typeof ms === 'number' && ms >= 0 && Number.isFinite(ms));
    if (!fits) {
      throw malformed(`timeouts.${name}`, ms, 'Give a number of ms, 0 or more; 0 switches it off.');
    }
  }
}

/** @throws a developer error for a routes option that is none of its forms. */
export function checkRoutes(routes: unknown): void {
  if (routes === undefined || routes === 'auto' || typeof routes === 'boolean') return;
  if (typeof routes !== 'object' || routes === null || Array.isArray(routes)) {
    throw malformed('routes', routes, "Use 'auto', true, false or an object of addresses.");
  }
  for (const [name, url] of Object.entries(routes)) {
    if (!routeFields.has(name)) {
      throw malformed(`routes.${name}`, url, `Known routes are ${[...routeFields].join(', ')}.`);
    }
    const fits =
      url === undefined ||
      typeof url === 'function' ||
      (name !== 'readSnapshot' && typeof url === 'string' && url !== '');
    if (!fits)
      throw malformed(`routes.${name}`, url, 'Give an address, or a function of the chat id.');
  }
}

/** @throws a developer error for anything but `true`, `false` and `'auto'`. */
export function checkRequestKeys(mode: unknown): void {
  if (mode === undefined || mode === 'auto' || typeof mode === 'boolean') return;
  throw malformed('requestKeys', mode, "Use 'auto', true or false.");
}

/** @throws a developer error for the first malformed option. */
export function checkRecoveryOptions(options: RecoveryOptions): void {
  checkTimeouts(options.timeouts);
  checkRoutes(options.routes);
  checkRequestKeys(options.requestKeys);
  const { adapters, triggers, isTerminal, world } = options;
  const isFunction = (value: unknown) => typeof value === 'function';
  if (adapters !== undefined && !(Array.isArray(adapters) && adapters.every(isFunction))) {
    throw malformed('adapters', adapters, 'Give a list of adapters, for example `[vernAdapter]`.');
  }
  const areTypes = (value: unknown) =>
    Array.isArray(value) &&
    value.every((type: unknown) => typeof type === 'string' && type.startsWith('data-'));
  if (triggers !== undefined && !areTypes(triggers)) {
    throw malformed('triggers', triggers, 'Give a list of part types that begin with "data-".');
  }
  if (isTerminal !== undefined && !isFunction(isTerminal)) {
    throw malformed('isTerminal', isTerminal, 'Give a function of a chunk that answers a boolean.');
  }
  if (world !== undefined && !(isFunction(world?.after) && isFunction(world?.monotonic))) {
    throw malformed('world', world, 'Give what `systemWorld()` gives, or leave it out.');
  }
}
