import { createContext, type ReactElement, type ReactNode, useContext, useState } from 'react';
import type { HelixError } from '../errors/HelixError.ts';
import type { ErrorAdapter } from '../errors/toHelixError.ts';
import { type Breaker, createBreaker } from '../recovery/breaker.ts';
import { type Budget, createBudget } from '../recovery/budget.ts';
import { type Policy, type ResolvedPolicy, resolvePolicy } from '../recovery/policy.ts';
import { createSignIn, type SignIn } from '../recovery/signIn.ts';
import type { World } from '../world.ts';

/** What chats fall back on when neither they nor their transport say otherwise. */
export interface HelixDefaults {
  readonly adapters?: readonly ErrorAdapter[] | undefined;
  readonly recovery?: Policy | undefined;
  readonly world?: World | undefined;
  readonly onUnauthorized?: ((error: HelixError) => unknown) | undefined;
  readonly budget?: Budget | undefined;
  readonly breaker?: Breaker | undefined;
  readonly signIn?: SignIn | undefined;
}

const Defaults = createContext<HelixDefaults>({});

/** Defaults for all chats below; what a chat is given itself wins. */
export interface HelixProviderProps {
  /** Decoders of foreign errors, first that answers. */
  readonly adapters?: readonly ErrorAdapter[];
  readonly recovery?: Policy;
  readonly world?: World;
  readonly onUnauthorized?: (error: HelixError) => unknown;
  readonly children?: ReactNode;
}

const limitsOf = ({ budget, breaker }: ResolvedPolicy): Limits => ({
  budget: createBudget(budget),
  breaker: createBreaker(breaker),
  signIn: createSignIn(),
});

/** Defaults, one shared budget and breaker, and one question for the sign-in at a time, for all chats below it. Read when a chat is first mounted. */
export function HelixProvider(props: HelixProviderProps): ReactElement {
  const { children, adapters, recovery, world, onUnauthorized } = props;
  const [limits] = useState(() => limitsOf(resolvePolicy(recovery)));
  return (
    <Defaults.Provider value={{ adapters, recovery, world, onUnauthorized, ...limits }}>
      {children}
    </Defaults.Provider>
  );
}

/** The defaults of the provider around the caller. */
export const useHelixDefaults = (): HelixDefaults => useContext(Defaults);

type Limits = { budget: Budget; breaker: Breaker; signIn: SignIn };

let page: Limits | undefined;
const byWorld = new WeakMap<World, Limits>();

/**
 * Budget, breaker and sign-in of chats without a provider: one for the page, made on first use. A server shares nothing, and a
 * world that an app brought has limits of its own.
 */
export function pageLimits(policy: ResolvedPolicy, world: World, isOwnWorld: boolean): Limits {
  const fresh = (): Limits => limitsOf(policy);
  if (isOwnWorld) {
    const limits = byWorld.get(world) ?? fresh();
    byWorld.set(world, limits);
    return limits;
  }
  if (world.origin() === undefined) return fresh();
  page ??= fresh();
  return page;
}
