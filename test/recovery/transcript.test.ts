import { describe, expect, test } from 'vitest';
import { createAnswers } from '../../src/recovery/answers.ts';
import type { RenamedIds } from '../../src/recovery/messageIdentity.ts';
import type { ChatMessage } from '../../src/recovery/ports.ts';
import {
  type AwaitedMessage,
  createTranscript,
  type MessageList,
} from '../../src/recovery/transcript.ts';
import type { SnapshotAnswer } from '../../src/transport/turnHost.ts';
import { testTurn, textMessage } from './fixtures.ts';

const user = (id: string, text = id): ChatMessage => textMessage(id, text);
const reply = (id: string, text = id): ChatMessage => textMessage(id, text, 'assistant');
const withParts = (id: string, ...parts: object[]): ChatMessage =>
  ({ id, role: 'assistant', parts }) as unknown as ChatMessage;
const call = (state: string, more: object = {}) => ({
  ...{ type: 'tool-weather', toolCallId: 'call', state, input: {} },
  ...more,
});

/** A chat's messages, with all that is done to them on record. */
function listOf(...first: ChatMessage[]) {
  let messages: readonly ChatMessage[] = first;
  const shown: string[] = [];
  const puts: (readonly ChatMessage[])[] = [];
  const list: MessageList<ChatMessage> = {
    messages: () => messages,
    setMessages(next) {
      messages = next;
      puts.push(next);
    },
    keepShowing: (kept, until) => shown.push(`${kept.id} until ${until}`),
    showAsIs: () => shown.push('as is'),
  };
  return { list, shown, puts, ids: () => messages.map(({ id }) => id), now: () => messages };
}

const snapshot = (
  messages: readonly ChatMessage[],
  more: Partial<Extract<SnapshotAnswer, { kind: 'snapshot' }>['snapshot']> = {},
): SnapshotAnswer => ({
  kind: 'snapshot',
  snapshot: { messages: messages as never, status: 'ended', ...more },
});

const send = (message: ChatMessage, more: object = {}) => testTurn({ message, ...more });
const regenerate = testTurn({ kind: 'regenerate', message: undefined });

describe('an act that cuts the history', () => {
  test('is put back as it was, with the same objects', () => {
    const { list, now } = listOf(user('u1'), reply('a1'));
    const before = now();
    const transcript = createTranscript(list);
    transcript.remember(regenerate);
    list.setMessages([user('u1')]);
    transcript.restore();
    expect(now()).toBe(before);
  });

  test('is cut again, to what the SDK cut it to, once it turns out to be taken', () => {
    const { list, now } = listOf(user('u1'), reply('a1'));
    const transcript = createTranscript(list);
    transcript.remember(testTurn({ kind: 'edit', message: user('u1', 'new') }));
    list.setMessages([user('u1', 'new')]);
    transcript.remembersCut();
    const cut = now();
    transcript.restore();
    transcript.cutAgain();
    expect(now()).toBe(cut);
  });

  test('is not cut again where it was never put back, or never cut', () => {
    const { list, puts } = listOf(user('u1'), reply('a1'));
    const transcript = createTranscript(list);
    transcript.cutAgain();
    transcript.remember(regenerate);
    transcript.remembersCut();
    transcript.cutAgain();
    expect(puts).toEqual([]);
    transcript.remember(regenerate);
    transcript.restore();
    transcript.cutAgain();
    expect(puts).toHaveLength(1);
  });

  test.each(['send', 'submit', 'continue'] as const)(
    'a %s cuts nothing: there is nothing to put back',
    (kind) => {
      const { list, puts } = listOf(user('u1'), reply('a1'));
      const transcript = createTranscript(list);
      transcript.remember(regenerate);
      transcript.remember(testTurn({ kind, message: kind === 'send' ? user('u2') : undefined }));
      transcript.remembersCut();
      transcript.restore();
      transcript.cutAgain();
      expect(puts).toEqual([]);
    },
  );
});

describe('what leaves the messages', () => {
  test('one message by its id, and no other', () => {
    const { list, ids } = listOf(user('u1'), user('u2'), user('u3'));
    createTranscript(list).takeOut('u2');
    expect(ids()).toEqual(['u1', 'u3']);
  });

  const empty: readonly (readonly [string, object[]])[] = [
    ['without parts', []],
    ['of step boundaries', [{ type: 'step-start' }]],
    ['of a text without a word', [{ type: 'text', text: '' }, { type: 'step-start' }]],
  ];
  test.each(empty)('an empty reply %s', (_what, parts) => {
    const { list, ids } = listOf(user('u1'), withParts('a1', ...parts));
    createTranscript(list).dropEmptyReply();
    expect(ids()).toEqual(['u1']);
  });

  const full: readonly (readonly [string, object[]])[] = [
    ['with text', [{ type: 'text', text: 'Once' }]],
    ['with a word behind a step', [{ type: 'step-start' }, { type: 'text', text: 'Once' }]],
    ['with data of the provider', [{ type: 'text', text: '', providerMetadata: {} }]],
    ['with a call', [call('input-available')]],
    ['with a file', [{ type: 'file', url: 'data:,' }]],
  ];
  test.each(full)('a reply %s stays', (_what, parts) => {
    const { list, puts } = listOf(user('u1'), withParts('a1', ...parts));
    createTranscript(list).dropEmptyReply();
    expect(puts).toEqual([]);
  });

  test('an empty reply stays where the server holds it, an empty message of the person always', () => {
    const { list, ids } = listOf(user('u1'), withParts('a1'));
    const transcript = createTranscript(list);
    transcript.put([user('u1'), withParts('a1')]);
    transcript.dropEmptyReply();
    expect(ids()).toEqual(['u1', 'a1']);
    const own = listOf({ id: 'u1', role: 'user', parts: [] });
    createTranscript(own.list).dropEmptyReply();
    expect(own.ids()).toEqual(['u1']);
    const none = listOf();
    createTranscript(none.list).dropEmptyReply();
    expect(none.puts).toEqual([]);
  });

  test('what the unfinished step has said, and nothing before it', () => {
    const text = { type: 'text', text: 'Once' };
    const step = { type: 'step-start' };
    const { list, now } = listOf(user('u1'), withParts('a1', step, text, step, text, text));
    createTranscript(list).cutBackStep();
    expect(now().map(({ parts }) => parts)).toEqual([user('u1').parts, [step, text]]);
  });

  test('a reply without a step is unfinished from its begin; a message of the person is not', () => {
    const { list, now } = listOf(user('u1'), reply('a1'));
    createTranscript(list).cutBackStep();
    expect(now()).toEqual([user('u1'), { ...reply('a1'), parts: [] }]);
    const { list: other, puts } = listOf(user('u1'));
    createTranscript(other).cutBackStep();
    createTranscript(listOf().list).cutBackStep();
    expect(puts).toEqual([]);
  });
});

describe('putting a snapshot', () => {
  test('what is no list is not put', () => {
    const { list, puts, shown } = listOf(user('u1'));
    createTranscript(list).put({ 0: user('u2'), length: 1 });
    createTranscript(list).put(undefined);
    expect([puts, shown]).toEqual([[], []]);
  });

  test('an equal one changes nothing; a longer, shorter or other one does', () => {
    const { list, puts, ids } = listOf(user('u1'), reply('a1'));
    const transcript = createTranscript(list);
    transcript.put([user('u1'), reply('a1')]);
    expect(puts).toEqual([]);
    transcript.put([user('u1'), reply('a1'), user('u2')]);
    expect(ids()).toEqual(['u1', 'a1', 'u2']);
    transcript.put([user('u1'), reply('a1', 'else'), user('u2')]);
    transcript.put([user('u1')]);
    expect(ids()).toEqual(['u1']);
    expect(puts).toHaveLength(3);
  });

  test('the reply on screen stays drawn while the live one has yet to begin, or to catch up', () => {
    for (const until of ['begun', 'caught-up'] as const) {
      const { list, shown } = listOf(user('u1'), reply('a1'));
      createTranscript(list).put([user('u1')], until);
      createTranscript(list).put([user('u1')]);
      expect(shown).toEqual([`a1 until ${until}`, 'as is']);
    }
  });

  test('a reply with something behind it is no live one, nor is a message of the person', () => {
    const { list, shown } = listOf(user('u1'), reply('a1'));
    createTranscript(list).put([user('u1'), reply('a1'), user('u2')], 'begun');
    const { list: own, shown: ownShown } = listOf(user('u1'));
    createTranscript(own).put([user('u1')], 'begun');
    const { list: none, shown: noneShown } = listOf();
    createTranscript(none).put([user('u1')], 'begun');
    expect([shown, ownShown, noneShown]).toEqual([['as is'], ['as is'], ['as is']]);
  });

  test('a reply that the snapshot ends with as well is live', () => {
    const { list, shown } = listOf(user('u1'), reply('a1', 'On'));
    createTranscript(list).put([user('u1'), reply('a1', 'Once')], 'caught-up');
    expect(shown).toEqual(['a1 until caught-up']);
  });

  test('the last reply takes the server’s id when it is asked for, so that answers can name it', () => {
    const renamed: RenamedIds = new Map();
    const { list, ids } = listOf(user('u1'), reply('a1'));
    const transcript = createTranscript(list, renamed);
    transcript.put([user('s1', 'u1'), reply('s2', 'a1')]);
    expect(ids()).toEqual(['u1', 'a1']);
    transcript.put([user('s1', 'u1'), reply('s2', 'a1')], undefined, true);
    expect(ids()).toEqual(['u1', 's2']);
    expect([...renamed]).toEqual([['s1', 'u1']]);
    transcript.put([user('s1', 'u1'), reply('s2', 'a1')], undefined, true);
    expect(ids()).toEqual(['u1', 's2']);
    transcript.put([], undefined, true);
    expect(ids()).toEqual([]);
  });

  test('answers that the server has not seen stand in their calls; one that it has taken is forgotten', () => {
    const answers = createAnswers();
    const { list, now } = listOf(withParts('a1', call('input-available')));
    const transcript = createTranscript(list, new Map(), answers);
    const answer = {
      toolCallId: 'call',
      state: 'output-available',
      output: 1,
      errorText: undefined,
    } as const;
    answers.note(answer, undefined);
    transcript.put([withParts('a1', call('input-available'))]);
    expect(now()[0]?.parts[0]).toMatchObject({ state: 'output-available', output: 1 });
    transcript.put([withParts('a1', call('output-available', { output: 1 }))]);
    list.setMessages([]);
    transcript.put([withParts('a1', call('input-available'))]);
    expect(now()[0]?.parts[0]).toMatchObject({ state: 'input-available' });
  });
});

describe('what a read brought', () => {
  test('nothing, a failure and a missing route are handed on', () => {
    const transcript = createTranscript(listOf().list);
    const failed = { kind: 'failed', error: new Error('x') as never } as const;
    expect(transcript.resultOf({ kind: 'absent' }, undefined)).toEqual({ kind: 'absent' });
    expect(transcript.resultOf(failed, undefined)).toBe(failed);
  });

  test('an empty conversation has no last message', () => {
    expect(createTranscript(listOf().list).resultOf(snapshot([]), undefined)).toEqual({
      ...{ kind: 'snapshot', status: 'ended', messages: [], grew: false },
      ...{ answered: false, awaitsOurs: false },
    });
  });

  test('its run, the run’s failure, its last message and whether it is a reply', () => {
    const transcript = createTranscript(listOf().list);
    const body = { code: 'provider_overloaded', message: 'x' } as never;
    const read = transcript.resultOf(
      snapshot([user('u1'), reply('a1')], { status: 'failed', runId: 'run', error: body }),
      undefined,
    );
    expect(read).toMatchObject({ status: 'failed', runId: 'run', lastId: 'a1', answered: true });
    expect(read.runError?.code).toBe('provider_overloaded');
    expect(transcript.resultOf(snapshot([user('u1')]), undefined)).toMatchObject({
      ...{ lastId: 'u1', answered: false },
    });
    expect(read).not.toHaveProperty('found');
    expect(read).not.toHaveProperty('answers');
  });

  test('it grew when it holds more than the last one, by messages, parts or words', () => {
    const transcript = createTranscript(listOf().list);
    const grew = (...messages: ChatMessage[]) =>
      transcript.resultOf(snapshot(messages), undefined).grew;
    const empty = { id: 'a1', role: 'assistant', parts: [] };
    expect(grew(user('u1'))).toBe(false);
    expect(grew(user('u1'))).toBe(false);
    expect(grew(user('u1'), empty)).toBe(true);
    expect(grew(user('u1'), withParts('a1', { type: 'step-start' }))).toBe(true);
    expect(grew(user('u1'), reply('a1', 'On'))).toBe(true);
    expect(grew(user('u1'), reply('a1', 'Once'))).toBe(true);
    expect(grew(user('u1'), reply('a1', 'On'))).toBe(false);
    expect(grew(user('u1'), reply('a1', 'Once'))).toBe(true);
  });

  test('it waits for an answer that was given here', () => {
    const answers = createAnswers();
    const transcript = createTranscript(listOf().list, new Map(), answers);
    const waits = (...messages: ChatMessage[]) =>
      transcript.resultOf(snapshot(messages), undefined).awaitsOurs;
    const open = withParts('a1', call('input-available'));
    expect(waits(open)).toBe(false);
    answers.note(
      { toolCallId: 'call', state: 'output-available', output: 1, errorText: undefined },
      undefined,
    );
    expect(waits(open)).toBe(true);
    expect(waits(withParts('a1', { type: 'step-start' }, call('input-available')))).toBe(true);
    expect(waits(withParts('a1', call('output-available')))).toBe(false);
    expect(waits(open, user('u2'))).toBe(false);
  });

  test('what became of the answers that a submit took along, and of no other act', () => {
    const transcript = createTranscript(listOf().list);
    const server = snapshot([withParts('a1', call('input-available'))]);
    const answers = [call('output-available', { output: 1 })] as never;
    const submit = testTurn({ kind: 'submit', message: undefined, answers });
    expect(transcript.resultOf(server, submit).answers).toEqual({ fate: 'open', calls: ['call'] });
    expect(transcript.resultOf(server, { ...submit, kind: 'send' })).not.toHaveProperty('answers');
  });
});

describe('whether a read holds the act that it looks for', () => {
  const found = (
    local: readonly ChatMessage[],
    server: readonly ChatMessage[],
    turn = regenerate,
    status: 'active' | 'ended' | 'failed' = 'ended',
  ) => createTranscript(listOf(...local).list).resultOf(snapshot(server, { status }), turn).found;

  test('a message: by its id and what it says', () => {
    expect(found([user('u1')], [user('u1')], send(user('u1')))).toBe(true);
    expect(found([user('u1')], [], send(user('u1')))).toBe(false);
    expect(found([user('u1')], [user('u1', 'else')], send(user('u1')))).toBe(false);
  });

  test('a message under another id is remembered under it', () => {
    const renamed: RenamedIds = new Map();
    const transcript = createTranscript(listOf(user('u1')).list, renamed);
    expect(transcript.resultOf(snapshot([user('s1', 'u1')]), send(user('u1'))).found).toBe(true);
    expect([...renamed]).toEqual([['s1', 'u1']]);
    expect(transcript.resultOf(snapshot([user('u1')]), send(user('u1'))).found).toBe(true);
    expect([...renamed]).toEqual([['s1', 'u1']]);
  });

  test('another reply: while one is being written, or when the last one is another', () => {
    const local = [user('u1'), reply('a1')];
    expect(found(local, [user('u1')], regenerate, 'active')).toBe(true);
    expect(found(local, [user('u1'), reply('a2')])).toBe(true);
    expect(found(local, [user('u1'), reply('a1')])).toBe(false);
    expect(found(local, [user('u1')])).toBe(false);
    expect(found([user('u1')], [user('u1'), reply('a1')])).toBe(true);
  });

  test('another reply, against the history before it was cut', () => {
    const { list } = listOf(user('u1'), reply('a1'));
    const transcript = createTranscript(list);
    transcript.remember(regenerate);
    list.setMessages([user('u1')]);
    expect(transcript.resultOf(snapshot([user('u1'), reply('a1')]), regenerate).found).toBe(false);
    expect(transcript.resultOf(snapshot([user('u1'), reply('a2')]), regenerate).found).toBe(true);
  });

  test('to go on: where the run does not stand as failed any more', () => {
    const goOn = testTurn({ kind: 'continue', message: undefined });
    expect(found([reply('a1')], [reply('a1')], goOn, 'failed')).toBe(false);
    expect(found([reply('a1')], [reply('a1')], goOn, 'ended')).toBe(true);
    expect(found([reply('a1')], [reply('a1')], goOn, 'active')).toBe(true);
  });
});

describe('a message that the server has taken', () => {
  const taken = () => {
    const awaited: AwaitedMessage = { message: undefined, missed: 0 };
    const { list } = listOf(user('u1'));
    const transcript = createTranscript(list, new Map(), createAnswers(), awaited);
    transcript.taken(user('u1'));
    const read = (...messages: ChatMessage[]) =>
      transcript.resultOf(snapshot(messages), undefined).kind;
    return { transcript, read, awaited };
  };

  test('three snapshots without it are older than it; after that it is gone', () => {
    const { read } = taken();
    expect([read(), read(), read(), read(), read()]).toEqual([
      ...['failed', 'failed', 'failed'],
      ...['snapshot', 'snapshot'],
    ]);
  });

  test('once one has held it, none is', () => {
    const { read } = taken();
    expect([read(), read(user('u1')), read()]).toEqual(['failed', 'snapshot', 'snapshot']);
  });

  test('a snapshot that is behind is told as such', () => {
    const { transcript } = taken();
    expect(transcript.resultOf(snapshot([]), undefined).error?.code).toBe(
      'state_history_incomplete',
    );
  });

  test('another one begins to count anew, none ends it', () => {
    const { transcript, read, awaited } = taken();
    read();
    transcript.taken(user('u2'));
    expect(awaited).toEqual({ message: user('u2'), missed: 0 });
    transcript.taken(undefined);
    expect(read()).toBe('snapshot');
  });

  test.each(['regenerate', 'edit'] as const)('a %s may cut it away', (kind) => {
    const { transcript, read } = taken();
    transcript.remember(testTurn({ kind, message: kind === 'edit' ? user('u1') : undefined }));
    expect(read()).toBe('snapshot');
  });

  test('a send leaves it expected', () => {
    const { transcript, read } = taken();
    transcript.remember(send(user('u2')));
    expect(read()).toBe('failed');
  });
});

describe('what is remembered of a message on its way', () => {
  test('what stood before it when it was first sent, without itself', () => {
    const { list } = listOf(user('u1'), reply('a1'), user('u2'));
    const transcript = createTranscript(list);
    transcript.remember(send(user('u2')));
    list.setMessages([user('u2')]);
    transcript.remember(send(user('u2')));
    expect(transcript.memoryOf(user('u2'))).toEqual({ stood: ['u1', 'a1'], print: undefined });
    expect(transcript.memoryOf(user('u3'))).toEqual({ stood: undefined, print: undefined });
  });

  test('under the names that the server uses', () => {
    const renamed: RenamedIds = new Map([['s1', 'u1']]);
    const { list } = listOf(user('u1'), reply('a1'));
    const transcript = createTranscript(list, renamed);
    transcript.remember(send(user('u2')));
    expect(transcript.memoryOf(user('u2')).stood).toEqual(['s1', 'a1']);
  });

  test('of an earlier session: what stood before it and how it read', () => {
    const transcript = createTranscript(listOf().list);
    const message = user('u2');
    transcript.takeOver(message, { stood: ['u1'], print: 'as it was' });
    expect(transcript.memoryOf(message)).toEqual({ stood: ['u1'], print: 'as it was' });
    transcript.takeOver(message, {});
    expect(transcript.memoryOf(message)).toEqual({ stood: ['u1'], print: 'as it was' });
  });

  test('only of those that are still on their way', () => {
    const { list } = listOf(user('u1'));
    const transcript = createTranscript(list);
    transcript.remember(send(user('u2')));
    transcript.remember(send(user('u3')));
    transcript.keepOnly(new Set(['u3']));
    expect(transcript.memoryOf(user('u2')).stood).toBeUndefined();
    expect(transcript.memoryOf(user('u3')).stood).toEqual(['u1']);
  });

  test('a message that was cut to its text is found by how it read', () => {
    const whole = user('u1', 'whole');
    const cut = user('u1', 'cut');
    const transcript = createTranscript(listOf().list);
    expect(transcript.resultOf(snapshot([whole]), send(cut)).found).toBe(false);
    transcript.takeOver(cut, { print: JSON.stringify(['user', 't:whole']) });
    expect(transcript.resultOf(snapshot([whole]), send(cut)).found).toBe(true);
  });
});

describe('whether the chat’s own messages hold a message already', () => {
  test('by its id and what it says', () => {
    const transcript = createTranscript(listOf(user('u1')).list);
    expect(transcript.hasBrought(send(user('u1')))).toBe(true);
    expect(transcript.hasBrought(send(user('u2')))).toBe(false);
    expect(transcript.hasBrought(regenerate)).toBe(false);
  });

  test('an equal text under another id counts only where it may have arrived, behind what stood before it', () => {
    const { list } = listOf(user('u1', 'hello'), user('s2', 'again'));
    const transcript = createTranscript(list);
    const again = user('u2', 'again');
    expect(transcript.hasBrought(send(again))).toBe(false);
    expect(transcript.hasBrought(send(again, { unclear: true }))).toBe(false);
    transcript.takeOver(again, { stood: ['u1'] });
    expect(transcript.hasBrought(send(again))).toBe(false);
    expect(transcript.hasBrought(send(again, { unclear: true }))).toBe(true);
  });
});

describe('whether a snapshot brings a message that the chat does not show', () => {
  const there = (local: ChatMessage[], server: unknown, message: ChatMessage | undefined) =>
    createTranscript(listOf(...local).list).arrived(server, testTurn({ message }));

  test('it does where the snapshot holds it and the chat does not', () => {
    expect(there([], [user('u1')], user('u1'))).toBe(true);
    expect(there([user('u1', 'old')], [user('u1')], user('u1'))).toBe(true);
    expect(there([user('u0', 'u1')], [user('u0', 'u1'), user('u1')], user('u1'))).toBe(true);
  });

  test('it does not where both hold it, neither does, or there is none', () => {
    expect(there([user('u1')], [user('u1')], user('u1'))).toBe(false);
    expect(there([], [], user('u1'))).toBe(false);
    expect(there([], [user('u1')], undefined)).toBe(false);
    expect(there([], 'u1', user('u1'))).toBe(false);
  });
});

describe('the reply of a turn', () => {
  const at = (turn: Parameters<ReturnType<typeof createTranscript>['replyTo']>[0]) =>
    createTranscript(
      listOf(user('u1'), reply('a1'), user('u2'), user('u3'), reply('a3'), reply('a4')).list,
    ).replyTo(turn)?.id;

  test('is the first one behind its message', () => {
    expect(at(send(user('u1')))).toBe('a1');
    expect(at(send(user('u2')))).toBe('a3');
  });

  test('is the last one where it has no message', () => {
    expect(at(regenerate)).toBe('a4');
    expect(
      createTranscript(listOf(reply('a1'), user('u2')).list).replyTo(regenerate),
    ).toBeUndefined();
    expect(createTranscript(listOf().list).replyTo(regenerate)).toBeUndefined();
  });

  test('of answers is the one that they answer, else the last', () => {
    expect(at(testTurn({ kind: 'submit', targetId: 'a3', message: undefined }))).toBe('a3');
    expect(at(testTurn({ kind: 'submit', targetId: 'a9', message: undefined }))).toBe('a4');
  });
});

describe('the reply of an attempt that fails', () => {
  const failed = (local: ChatMessage[], settled?: ChatMessage[]) =>
    createTranscript(listOf(...local).list).failedReply(settled);

  test('is named where it stays', () => {
    expect(failed([user('u1'), reply('a1')])).toEqual({ messageId: 'a1' });
    expect(failed([user('u1'), reply('a1')], [user('u1'), reply('a1', 'x')])).toEqual({
      messageId: 'a1',
    });
  });

  test('is kept as text where it leaves', () => {
    expect(failed([user('u1'), reply('a1', 'Once')], [user('u1')])).toEqual({ partial: 'Once' });
  });

  test('is none where there is none', () => {
    expect(failed([user('u1')])).toEqual({});
    expect(failed([])).toEqual({});
  });
});
