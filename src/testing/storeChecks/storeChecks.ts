import { runChecks } from './runChecks.ts';
import { startChecks } from './startChecks.ts';
import type { StoreCheck } from './storeCheck.ts';

/**
 * What every `ChatStore` has to do, one check a fact, for any test runner:
 * `for (const check of STORE_CHECKS) test(check.name, () => check.play(openMyStore))`.
 */
export const STORE_CHECKS: readonly StoreCheck[] = [...startChecks, ...runChecks];
