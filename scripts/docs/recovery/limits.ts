import type { Policy } from '../../../src/recovery/policy.ts';

/** What each number of the policy is for. A new one does not compile without its line. */
export const LIMITS: Record<keyof Policy, string> = {
  repeats: 'automatic repeats of one act after its first request',
  backoffMs:
    'the first back-off: a random time up to this, doubled with each try, and once more after a 429',
  backoffCapMs: 'the longest back-off',
  statedWaitCapMs:
    'a wait that a server states is sat out up to this; beyond it nothing is automatic, and the time is shown',
  budget: 'automatic repeats of one endpoint, shared by all chats of the page; beyond it they wait',
  breaker:
    'failures in a row after which automatic work on an endpoint pauses; one try then finds out',
  connectMs: 'from the request to the head of its answer; 60,000 where request keys are proven',
  idleMs: 'silence on a stream, where it is known to send keep-alives or can be joined again',
  progressMs: 'bytes without content: the conversation is read then',
  totalMs: 'a whole reply',
  patienceMs: 'how long a message is held while nothing is heard of the reply that it waits for',
  pollMs: 'between two looks at a reply that has no stream; grows',
  pollCapMs: 'the longest time between two such looks',
  reconnects: 'reconnects of a cut stream in a row without anything new',
  reconnectsPerTurn: 'reconnects of one reply',
  reanchors: 'times that a reply is joined anew without anything new in the conversation',
  quietReadMs: 'a read of the conversation that only settles the screen',
  heldReadMs: 'a read of the conversation that decides whether a message arrived',
  stopMs: 'ending the read of a stream',
  offlineProbeMs: 'between two tries while the browser says that it is offline',
  sleptMs: 'a jump of the clock after which nothing goes by itself any more',
  allow: 'a function of a move and a failure; `false` forbids the move',
};
