import type { Conflict } from '../../../src/recovery/draft.ts';
import type { RecoveryEvent } from '../../../src/recovery/events.ts';
import { initialModel, type Model } from '../../../src/recovery/model.ts';
import { transition } from '../../../src/recovery/transition.ts';
import { code, codes, GENERATED, page, table } from '../markdown.ts';
import { envOf, REFUSALS } from './exploreTransition.ts';

/** `docs/conflict-policy.md`: which `onConflict` to choose, with what each one does read off the transition. */
export function conflictPage(): string {
  return page(
    GENERATED,
    '# Choosing a conflict policy',
    INTRO,
    '## What each one does',
    table(
      ['`onConflict`', 'the chat is then', 'the message is', 'the person can', 'it goes'],
      POLICIES.map(({ policy, goes }) => [code(policy), ...outcome(policy), goes]),
    ),
    NOTES,
    '## Which one',
    table(
      ['your chat', 'choose', 'because'],
      CHOICES.map(([chat, policy, why]) => [chat, code(policy), why]),
    ),
    EXAMPLE,
    '## What holds for all of them',
    ALWAYS,
  );
}

const INTRO = `A message can meet a reply that is still being written: from another tab, another person, a job on the server, or a
run that was stopped a moment ago and has not ended. The server then answers 409 with the code
\`state_already_running\`, and has taken nothing. \`onConflict\` says what the message does.`;

const POLICIES: readonly { policy: Conflict; goes: string }[] = [
  { policy: 'wait', goes: 'by itself, when that reply has ended' },
  { policy: 'stop', goes: 'by itself, as soon as that reply has been stopped' },
  { policy: 'ask', goes: 'by the choice of the person, or when that reply has ended' },
  { policy: 'fail', goes: "by a person's press" },
];

/** What the transition makes of a message that meets a running reply. */
function outcome(policy: Conflict): readonly string[] {
  const after = meets(policy);
  const { state } = after;
  const [entry] = after.queue;
  const actions = state.name === 'failed' ? state.failure.actions : WHILE_HELD[policy];
  const cause = entry?.pending.cause;
  return [
    code(state.name),
    `${code(entry?.pending.state ?? '')}${cause === undefined ? '' : `, cause ${code(cause)}`}`,
    codes(actions),
  ];
}

/** What a view offers beside a held message (`ConflictNotice`). */
const WHILE_HELD: Record<Conflict, readonly string[]> = {
  wait: ['stop-send', 'take-back'],
  stop: ['take-back'],
  ask: ['wait', 'stop-send', 'take-back'],
  fail: [],
};

export function meets(policy: Conflict): Model {
  const env = envOf({ name: policy, keyed: true, routes: 'known', conflict: policy });
  const conflict = REFUSALS.find(({ error }) => error.code === 'state_already_running');
  if (conflict === undefined) throw new Error('The list of refusals has no conflict.');
  const { says: _says, ...refusal } = conflict;
  const facts: readonly RecoveryEvent[] = [
    {
      type: 'act-requested',
      kind: 'send',
      message: { id: 'm1', role: 'user', parts: [] },
      entryId: 'm1',
    },
    { type: 'request-refused', refusal: { stage: 'request', ...refusal } },
    policy === 'fail'
      ? { type: 'chat-failed', error: refusal.error }
      : { type: 'chat-ended', aborted: true },
  ];
  return facts.reduce<Model>(
    (model, fact) => transition(model, fact, env).model,
    initialModel(true),
  );
}

const NOTES = `While the message is held the other reply is shown as it is written, where there is a stream route; without one the
conversation is looked at every few seconds. A message that is held is in \`pendingSends\`, and behind the reply in
\`messages\`; it can be taken back at any time.`;

const CHOICES: readonly (readonly [string, Conflict, string])[] = [
  ['one person, perhaps two tabs', 'wait', 'nothing is lost, and nobody has to do anything'],
  [
    'an assistant whose newest message counts most (voice, search as you type)',
    'stop',
    'an old reply is of no use any more',
  ],
  [
    'several people in one conversation, or runs that cost a lot',
    'ask',
    "stopping another person's reply is a decision",
  ],
  ['an app with a notice of its own', 'fail', 'the message is kept with its failure; you decide'],
];

const EXAMPLE = `A function decides case by case. One that throws counts as \`wait\`.

\`\`\`tsx
const chat = useHelixChat({
  id: 'support',
  onConflict: ({ runId }) => (startedHere.has(runId ?? '') ? 'stop' : 'ask'),
});
\`\`\``;

const ALWAYS = `- The message goes out once, with the id and the request key that it had.
- A reply that this person has just stopped counts as \`stop\`, whatever was chosen: it is on its way out.
- After a second 409 the chat waits longer, and gives the message back with its text when nothing has been heard of the
  other reply for five minutes (\`patienceMs\`).
- Another reply (\`regenerate\`) or a changed message is never held: it is refused, the history stays as it was, and
  *stop and send* is offered.
- Answers to tool calls are never held: the conversation is read, and they go once more if their calls are still open.`;
