/** Entry `helix-chat/adapters`: the errors of other libraries and of model providers, as typed ones. */

export type { HelixErrorInit } from '../errors/HelixError.ts';
export type { ErrorAdapter } from '../errors/toHelixError.ts';
export { allAdapters } from './allAdapters.ts';
export { deuzAdapter } from './deuz.ts';
export { falaiAdapter } from './falai.ts';
export { providerBodyAdapter } from './providerBody.ts';
export { vercelAdapter } from './vercel.ts';
export { vernAdapter } from './vern.ts';
