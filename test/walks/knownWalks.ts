import type { FaultRule } from 'helix-chat/testing';
import type { Action, Path, Step } from './steps.ts';

type Plain = Exclude<Action['do'], 'act' | 'sleep'>;

const act = (does: Plain, wait = 0, who = 0): Step =>
  does === 'send' ? { do: does, wait, who } : { do: does, wait, who };
const askTool = (wait = 0, who = 0): Step => ({ do: 'send', ask: 'tool', wait, who });
const refused: FaultRule = {
  on: 'send',
  times: 1,
  fault: {
    do: 'refuse',
    status: 400,
    headers: { 'content-type': 'text/plain' },
    body: 'SECRET-BODY',
  },
};

/** Walks that once broke a promise, as they were shrunk, by what went wrong: walked first, whatever the seed. */
export const KNOWN_WALKS: Readonly<Record<string, Path>> = {
  'the app heard of one tool call twice': {
    clients: 1,
    steps: [askTool(1), act('away')],
  },
  'an edit that waited for the end of the reply was gone after a remount': {
    clients: 1,
    steps: [act('send', 1), act('edit-first', 1), act('remount', -1)],
  },
  'an edit was gone when the message that it was to change was taken back meanwhile': {
    clients: 1,
    steps: [
      { do: 'foreign', ms: 500, wait: 1 },
      act('send', 1),
      act('edit-first', 1),
      act('take-back-first', 1),
      act('send', 1),
      act('send-again-last', 900),
    ],
  },
  'a stopped edit stood in the history and among the pending messages': {
    clients: 1,
    steps: [askTool(900), act('edit', -1), act('stop', -1), { do: 'rule', rule: refused }],
  },
  'a message that had arrived under another id stayed pending after a remount': {
    clients: 1,
    steps: [act('send', -1), { do: 'arm', scenario: 'lost-response' }, act('remount')],
  },
  'a message that another client had cut away kept the conversation from being read': {
    clients: 2,
    steps: [act('send', 0, 1), act('edit', 0, 1), act('send')],
  },
  'an edit by another client left a message that kept the conversation from being read': {
    clients: 2,
    steps: [
      { do: 'foreign', ms: 500, wait: 0 },
      act('remount', 900),
      askTool(0, 1),
      act('edit', -1),
    ],
  },
  'an edit that waited for the end of a reply was gone when that reply could not be stopped': {
    clients: 1,
    steps: [
      {
        do: 'rule',
        rule: {
          on: 'stop',
          times: 2,
          fault: { do: 'refuse', status: 503, headers: {}, body: 'SECRET-BODY' },
        },
      },
      act('send'),
      act('edit'),
      askTool(1),
    ],
  },
  'a stopped message that had arrived under another id was not found behind a later one': {
    clients: 1,
    steps: [
      act('send', -1),
      { do: 'rule', rule: refused },
      { do: 'arm', scenario: 'already-completed' },
      act('stop-run', -1),
      act('stop'),
      act('send', 900),
    ],
  },
  'the clocks were watched for ever after a stated wait that followed a failed reply': {
    clients: 1,
    steps: [
      {
        do: 'rule',
        rule: {
          on: 'send',
          times: 1,
          fault: {
            do: 'reply',
            words: 0,
            fails: { code: 'state_history_incomplete', reason: 'corrupt_row', retryAfterMs: 2000 },
            attempts: 1,
          },
        },
      },
      act('send', 1),
    ],
  },
  'an answer that a stop held back stayed unsent for good beside a run that waited for it': {
    clients: 1,
    steps: [
      {
        do: 'rule',
        rule: { on: 'send', times: 1, fault: { do: 'break', afterWords: 1, how: 'cut' } },
      },
      { do: 'send', ask: 'auto', wait: 0, who: 0 },
      act('stop', -1),
      { do: 'kill' },
    ],
  },
  'a route that had proved itself was unlearned by a remount': {
    clients: 1,
    app: { learned: true },
    steps: [{ do: 'rule', rule: { ...refused, on: 'snapshot' } }, act('send', 1), act('remount')],
  },
  'a message that the server had put off was gone when a late read did not hold it': {
    clients: 1,
    steps: [
      { do: 'weather', who: 0, weather: { on: 'snapshot', times: 1, gust: { do: 'lag' } } },
      act('send', 1),
      {
        do: 'weather',
        who: 0,
        weather: { on: 'send', times: 12, gust: { do: 'defer', retryAfterMs: 1 } },
      },
      act('send', 1391),
    ],
  },
  'a reply that was shown before the conversation held it could not be written anew': {
    clients: 1,
    steps: [
      { do: 'weather', who: 0, weather: { on: 'stream', times: 2, gust: { do: 'no-run' } } },
      act('send', -1),
      { do: 'kill' },
      act('send', 172),
      act('regenerate-first', 1),
      act('send'),
    ],
  },
  'an edit was gone when its refusal said that it had been taken before': {
    clients: 1,
    steps: [
      act('send', 9000),
      {
        do: 'weather',
        who: 0,
        weather: {
          on: 'send',
          times: 1,
          gust: {
            do: 'refuse-typed',
            error: { code: 'state_run_start_conflict', reason: 'request_key_taken' },
          },
        },
      },
      act('edit'),
    ],
  },
  'a message stood among the messages for good when its repeat was forbidden': {
    clients: 1,
    app: { forbids: 'repeat' },
    steps: [
      {
        do: 'weather',
        who: 0,
        weather: {
          on: 'send',
          times: 1,
          gust: {
            do: 'refuse-typed',
            error: { code: 'state_run_start_conflict', reason: 'request_key_taken' },
          },
        },
      },
      act('send'),
    ],
  },
  'a message that was sent behind an act given up by a sleep stayed held for good': {
    clients: 1,
    steps: [
      act('send', 1),
      act('regenerate'),
      { do: 'sleep', ms: 3_600_000, wait: 1, who: 0 },
      act('send'),
      { do: 'wait', ms: 999 },
      act('send', 900),
    ],
  },
  'a message that had arrived before a later one was gone from the screen when it was sent again': {
    clients: 1,
    app: { storage: 'local' },
    steps: [
      { do: 'weather', who: 0, weather: { on: 'send', times: 12, gust: { do: 'late', ms: 1502 } } },
      act('send', 900),
      act('send', 900),
      act('send', 1),
      act('stop-send', 1),
    ],
  },
  'an answer to a call that the conversation had left behind was shown as if it had counted': {
    clients: 1,
    app: { toolMs: 1 },
    steps: [
      { do: 'send', ask: 'auto', wait: 0, who: 0 },
      { do: 'send', ask: 'auto', wait: 1, who: 0 },
    ],
  },
  'a message of unclear fate that was pressed while another was written was posted twice': {
    clients: 2,
    app: { onConflict: 'stop', forbids: 'resync' },
    steps: [
      { do: 'rule', rule: { on: 'send', times: 1, fault: { do: 'overtaken' } } },
      act('send', 1),
      act('send', 1),
      act('send-again', 900),
      act('stop', 900, 1),
    ],
  },
  'a message that the server had completed was posted again after a late read': {
    clients: 1,
    steps: [
      { do: 'weather', who: 0, weather: { on: 'snapshot', times: 2, gust: { do: 'lag' } } },
      act('send', -1),
      { do: 'rule', rule: { on: 'send', times: 1, fault: { do: 'overtaken' } } },
      act('send', 900),
      act('send', 420),
      { do: 'act', pick: 0, wait: 1, who: 0 },
    ],
  },
  'a message that waited for a reply that another client stopped went by itself much later': {
    clients: 2,
    steps: [
      act('send', 1, 1),
      act('send', 0, 1),
      act('stop-run'),
      act('send', 0, 1),
      act('stop', 1),
    ],
  },
};
