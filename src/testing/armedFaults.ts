import type { ChatRouteName } from '../server/routePath.ts';
import type { Fault, FaultRule, FaultScript } from './faultScript.ts';

/** Whose requests a fault befalls. Absent fields mean everybody's and every chat's. */
export interface FaultTarget {
  readonly client?: string | undefined;
  readonly chatId?: string | undefined;
}

/** What a script asks of a request. */
export interface FaultedRequest {
  readonly route: ChatRouteName | undefined;
  readonly chatId: string | undefined;
  readonly client: string | undefined;
  /** Id of the last message of a send. */
  readonly messageId: string | undefined;
}

/** A fault on its way to one request. */
export interface TakenFault {
  readonly fault: Fault;
  /** The request could not be spoiled, because it was refused for good reasons: the fault waits for the next one. */
  giveBack(): void;
}

/** The scripts that are armed, each with what is left of it. */
export interface ArmedFaults {
  /** A script for the same target takes the old one's place. */
  arm(script: FaultScript, target: FaultTarget): void;
  disarm(target: FaultTarget): void;
  /** The fault that befalls this request, used up by it unless it is given back. */
  take(request: FaultedRequest): TakenFault | undefined;
}

/** A script on its way: bound to the message that it met first. */
interface ArmedScript {
  readonly target: FaultTarget;
  readonly left: { readonly rule: FaultRule; times: number }[];
  messageId: string | undefined;
}

/** A table of armed faults without any. */
export function createArmedFaults(): ArmedFaults {
  let scripts: ArmedScript[] = [];
  const disarm = (target: FaultTarget) => {
    scripts = scripts.filter(
      (armed) => armed.target.client !== target.client || armed.target.chatId !== target.chatId,
    );
  };
  return {
    arm(script, target) {
      disarm(target);
      const left = script.rules.map((rule) => ({ rule, times: rule.times ?? 1 }));
      scripts.push({ target, left, messageId: undefined });
    },
    disarm,
    take(request) {
      for (const armed of scripts.filter(({ target }) => meets(target, request))) {
        if (request.route === 'send') armed.messageId ??= request.messageId;
        if (request.route === 'send' && armed.messageId !== request.messageId) {
          // Another message: what followed from the first one is over.
          scripts = scripts.filter((other) => other !== armed);
          continue;
        }
        const next = armed.left.find(({ rule, times }) => rule.on === request.route && times > 0);
        if (!next || armed.messageId === undefined) continue;
        next.times -= 1;
        const giveBack = () => {
          next.times += 1;
        };
        return { fault: next.rule.fault, giveBack };
      }
      return undefined;
    },
  };
}

function meets(target: FaultTarget, request: FaultedRequest): boolean {
  const { client, chatId } = target;
  return (
    (client === undefined || client === request.client) &&
    (chatId === undefined || chatId === request.chatId)
  );
}
