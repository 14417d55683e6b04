/** Entry `helix-chat/testing`: a chat backend that goes wrong on purpose, on a clock that moves when it is told to. */
export type { FaultTarget } from './armedFaults.ts';
export { type Breakage, brokenStream } from './brokenStream.ts';
export type { Fault, FaultRule, FaultScript } from './faultScript.ts';
export {
  CLIENT_HEADER,
  createFaultServer,
  type FaultServer,
  type FaultServerOptions,
  type ForeignSendOptions,
  type ForeignTurn,
} from './faultServer.ts';
export { inProcessFetch } from './inProcessFetch.ts';
export { createManualLocks, type ManualLocks } from './manualLocks.ts';
export { createManualStore, type ManualStore, type StoreTrouble } from './manualStore.ts';
export { createManualWorld, type ManualWorld, type ManualWorldOptions } from './manualWorld.ts';
export { type NodeRequest, type NodeResponse, toNodeHandler } from './nodeHandler.ts';
export type { LoggedRequest } from './requestLog.ts';
export {
  SCENARIO_NAMES,
  SCENARIOS,
  type Scenario,
  type ScenarioName,
  type ScenarioPromise,
  scenarioOf,
} from './scenarios.ts';
export type {
  OpenStore,
  StoreCheck,
  StoreNeeds,
  StoreUnderTest,
} from './storeChecks/storeCheck.ts';
export { STORE_CHECKS } from './storeChecks/storeChecks.ts';
export { type WordPace, wordReply, wordReplyText } from './wordReply.ts';
