import type { HelixError } from '../../src/errors/HelixError.ts';
import type { Rejection } from '../../src/protocol/triggers.ts';
import type {
  ChatHost,
  Cut,
  CutAnswer,
  FailAnswer,
  Refusal,
  RefusalAnswer,
  RunIdentity,
  Trigger,
  TurnCall,
  TurnEnd,
} from '../../src/transport/turnHost.ts';

interface Script {
  readonly requestKey?: string;
  readonly continues?: boolean;
  readonly goesOn?: boolean;
  refused?(refusal: Refusal): RefusalAnswer | Promise<RefusalAnswer>;
  cut?(cut: Cut): CutAnswer | Promise<CutAnswer>;
  failed?(error: HelixError): FailAnswer | Promise<FailAnswer>;
  ending?(end: TurnEnd): HelixError | undefined;
  trigger?(trigger: Trigger): 'leave' | 'ignore' | 'restart-step';
}

/** A host that answers by a script and remembers what it was asked. By default it ends every turn. */
export function createScriptedHost(script: Script = {}) {
  const calls: TurnCall[] = [];
  const refusals: Refusal[] = [];
  const cuts: Cut[] = [];
  const failures: HelixError[] = [];
  const ends: TurnEnd[] = [];
  const triggers: Trigger[] = [];
  const runs: RunIdentity[] = [];
  const rejections: Rejection[] = [];
  const counts = { accepted: 0, bytes: 0, content: 0 };
  const host: ChatHost = {
    begin(call) {
      calls.push(call);
      return {
        requestKey: script.requestKey,
        continues: script.continues ?? false,
        goesOn: script.goesOn ?? false,
        refused: async (refusal) => {
          refusals.push(refusal);
          return script.refused === undefined ? 'fail' : script.refused(refusal);
        },
        accepted: () => {
          counts.accepted += 1;
        },
        cut: async (cut) => {
          cuts.push(cut);
          return script.cut === undefined ? 'fail' : script.cut(cut);
        },
        failed: async (error) => {
          failures.push(error);
          return script.failed === undefined ? 'fail' : script.failed(error);
        },
        ending: (end) => {
          ends.push(end);
          return script.ending?.(end);
        },
        rejected: (named) => {
          rejections.push(...named);
        },
        trigger: (trigger) => {
          triggers.push(trigger);
          return script.trigger?.(trigger) ?? 'ignore';
        },
        run: (run) => {
          runs.push(run);
        },
        bytes: () => {
          counts.bytes += 1;
        },
        content: () => {
          counts.content += 1;
        },
      };
    },
  };
  return { host, calls, refusals, cuts, failures, ends, triggers, runs, rejections, counts };
}

export type ScriptedHost = ReturnType<typeof createScriptedHost>;
