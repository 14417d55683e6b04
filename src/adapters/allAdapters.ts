import type { ErrorAdapter } from '../errors/toHelixError.ts';
import { deuzAdapter } from './deuz.ts';
import { falaiAdapter } from './falai.ts';
import { providerBodyAdapter } from './providerBody.ts';
import { vercelAdapter } from './vercel.ts';
import { vernAdapter } from './vern.ts';

/** Every foreign contract that is known here, in the order in which they are to be asked: the most telling shapes first. */
export const allAdapters: readonly ErrorAdapter[] = Object.freeze([
  deuzAdapter,
  falaiAdapter,
  vernAdapter,
  vercelAdapter,
  providerBodyAdapter,
]);
