import type { UIMessage } from 'ai';
import { createManualStore } from 'helix-chat/testing';
import { describe, expect, test } from 'vitest';
import {
  collectNotes,
  copies,
  expectClean,
  expectCleanUnlessPending,
  lost,
  refused,
  script,
  stored,
  TEXT,
} from '../setup/keptTabs.ts';
import { keepIds, type Layer } from '../setup/networkLayers.ts';
import { type Browser, openBrowser, type Tab } from '../setup/openTabs.ts';
import { CHAT } from '../setup/playScenario.ts';

describe('what is kept', () => {
  test('is written before the request goes out, and gone as soon as the message is taken', async () => {
    const seen: string[] = [];
    const browser = openBrowser();
    const tab = await browser.open({}, (through) => async (input, init) => {
      if (init?.method === 'POST')
        seen.push(
          stored(browser)
            .map(({ id }) => id)
            .join(),
        );
      return through(input, init);
    });
    await tab.send(TEXT);
    await browser.world.runUntil(() => tab.mounted.chat.status === 'streaming');
    expect(seen).toEqual([tab.mounted.chat.messages[0]?.id]);
    expect(browser.local.keys()).toEqual([]);
    await tab.rest();
    await expectClean(browser);
  });

  test('a session that has run out: it is kept until the message is taken after all', async () => {
    const browser = openBrowser();
    const tab = await browser.open();
    browser.server.arm('signed-out', { client: tab.name, chatId: CHAT });
    await tab.send(TEXT);
    await tab.rest();
    expect(tab.mounted.chat.failure?.error.statusCode).toBe(401);
    expect(stored(browser)).toHaveLength(1);
    await tab.reload();
    expect(tab.mounted.pending()).toEqual([`restored: ${TEXT}`]);
    await tab.press('send-again');
    await tab.rest();
    expect(await copies(browser)).toBe(1);
    await expectClean(browser);
  });

  test('files, metadata, every part and the options of the send go out after a reload as they would have', async () => {
    const bodies: Record<string, unknown>[] = [];
    const browser = openBrowser();
    const tab = await browser.open({}, (through) => (input, init) => {
      if (init?.method === 'POST') bodies.push(JSON.parse(String(init.body)));
      return through(input, init);
    });
    script(browser, tab, lost(false, 4));
    const files = [
      {
        type: 'file' as const,
        mediaType: 'text/plain',
        filename: 'a.txt',
        url: 'data:text/plain;base64,YQ==',
      },
      {
        type: 'file' as const,
        mediaType: 'image/png',
        filename: 'b.png',
        url: 'https://files.test/b.png',
      },
    ];
    void tab.mounted.chat.sendMessage(
      { text: TEXT, files, metadata: { quote: 'm0', marks: [1, 2] } },
      { body: { model: 'small' } },
    );
    await tab.rest();
    const [first] = bodies;
    await tab.reload();
    const [pending] = tab.mounted.chat.pendingSends;
    expect(pending?.lostFiles).toBeUndefined();
    bodies.length = 0;
    await tab.press('send-again');
    await tab.rest();
    expect(bodies.at(-1)).toEqual(first);
    expect(await copies(browser)).toBe(1);
    await expectClean(browser);
  });

  test('files beyond 1 MB, and those of this page alone, are named; the text is kept', async () => {
    const browser = openBrowser();
    const tab = await browser.open({ onDraft: () => {} });
    script(browser, tab, lost(false, 4));
    const large = `data:image/png;base64,${'A'.repeat(1_500_000)}`;
    const file = (filename: string, url: string) => ({
      ...{ type: 'file' as const, mediaType: 'image/png', filename, url },
    });
    void tab.mounted.chat.sendMessage({
      text: TEXT,
      files: [
        file('large.png', large),
        file('page.png', 'blob:http://helix.test/1'),
        file('small.png', 'data:image/png;base64,AAAA'),
      ],
    });
    await tab.rest();
    await tab.reload();
    const [pending] = tab.mounted.chat.pendingSends;
    expect(pending?.lostFiles).toEqual(['large.png', 'page.png']);
    expect(
      pending?.message.parts.map((part) => ('filename' in part ? part.filename : part.type)),
    ).toEqual(['small.png', 'text']);
    // Named after another reload as well.
    await tab.reload();
    expect(tab.mounted.chat.pendingSends[0]?.lostFiles).toEqual(['large.png', 'page.png']);
    await expectCleanAfterTakingBack(browser, tab);
  });

  test('a message that arrived with files which the store could not keep is known as itself', async () => {
    const browser = openBrowser(keepIds);
    const tab = await browser.open({ requestKeys: false });
    script(browser, tab, lost(true));
    const url = `data:image/png;base64,${'A'.repeat(1_500_000)}`;
    const files = [{ type: 'file' as const, mediaType: 'image/png', filename: 'large.png', url }];
    void tab.mounted.chat.sendMessage({ text: TEXT, files });
    await browser.world.settle();
    await tab.reload('crash');
    await tab.rest();
    expect(tab.mounted.pending()).toEqual([]);
    expect(await copies(browser)).toBe(1);
    expect(browser.posts()).toBe(1);
    await expectClean(browser);
  });

  test('what JSON cannot carry is named to the developer; the text goes out all the same', async () => {
    const notes = collectNotes();
    const browser = openBrowser();
    const tab = await browser.open();
    script(browser, tab, lost(false, 4));
    void tab.mounted.chat.sendMessage(
      { text: TEXT, metadata: { at: new Date(0) } },
      { headers: { authorization: 'secret-of-one-send' }, body: { at: new Date(0) } },
    );
    await tab.rest();
    expect(browser.local.text(browser.local.keys()[0] ?? '')).not.toContain('secret-of-one-send');
    await tab.reload();
    expect(tab.mounted.pending()).toEqual([`restored: ${TEXT}`]);
    for (const what of [
      'metadata of a message',
      'headers of a single send',
      'body of a single send',
    ]) {
      expect(notes.filter((note) => note.includes(what))).toHaveLength(1);
    }
    await tab.press('send-again');
    await tab.rest();
    expect(await copies(browser)).toBe(1);
    await expectClean(browser);
  });

  test('the key that an app gave is the key after the reload', async () => {
    const browser = openBrowser();
    const tab = await browser.open({ requestKeys: false });
    script(browser, tab, lost(false));
    void tab.mounted.chat.sendMessage(
      { text: TEXT },
      { headers: { 'X-Helix-Request-Key': 'key-of-the-app' } },
    );
    await browser.world.settle();
    await tab.reload();
    await tab.press('send-again');
    await tab.rest();
    expect(browser.keys()).toEqual(['key-of-the-app', 'key-of-the-app']);
    expect(await copies(browser)).toBe(1);
    await expectClean(browser);
  });
});

async function expectCleanAfterTakingBack(browser: Browser, tab: Tab): Promise<void> {
  while (tab.mounted.pending().length > 0) {
    await tab.press('take-back');
    await tab.rest();
  }
  await expectClean(browser);
}

describe('pending messages of every kind', () => {
  test('what is held behind a reply is restored after a reload, in order, and waits for a press', async () => {
    const browser = openBrowser();
    const tab = await browser.open();
    await tab.send(TEXT);
    await browser.world.runUntil(() => tab.mounted.chat.status === 'streaming');
    await tab.send('first');
    await tab.send('second');
    expect(tab.mounted.pending()).toEqual(['held: first', 'held: second']);
    await tab.reload();
    await tab.rest();
    expect(tab.mounted.pending()).toEqual(['restored: first', 'restored: second']);
    await browser.world.advance(600_000);
    expect(browser.posts()).toBe(1);
    for (const id of tab.mounted.chat.pendingSends.map((pending) => pending.id)) {
      await tab.press('send-again', id);
      await tab.rest();
    }
    expect((await browser.truth()).filter((line) => line.startsWith('user'))).toEqual([
      `user: ${TEXT}`,
      'user: first',
      'user: second',
    ]);
    expect(tab.mounted.screen()).toEqual(await browser.truth());
    await expectClean(browser);
  });

  test('a message that was stopped on its way is restored, and taken back into the composer', async () => {
    const drafts: UIMessage[] = [];
    const browser = openBrowser();
    const tab = await browser.open({ onDraft: (message) => drafts.push(message) });
    script(browser, tab, {
      on: 'send',
      times: 2,
      fault: { do: 'refuse', status: 503, headers: {}, body: 'no' },
    });
    await tab.send(TEXT);
    await browser.world.runUntil(() => tab.mounted.chat.recovery.name === 'backing-off');
    await tab.mounted.chat.stop();
    await tab.rest();
    await tab.reload('crash');
    expect(tab.mounted.pending()).toEqual([`restored: ${TEXT}`]);
    expect(tab.mounted.chat.canTakeBack).toBe(true);
    await tab.press('take-back');
    await tab.rest();
    expect(drafts.map(({ parts }) => parts)).toEqual([[{ type: 'text', text: TEXT }]]);
    expect(tab.mounted.pending()).toEqual([]);
    expect(await browser.truth()).toEqual([]);
    await expectClean(browser);
  });

  test.each([false, true])(
    'an edit that got no answer (taken by the server: %s) is restored as an edit, and changes the message once',
    async (taken) => {
      const browser = openBrowser();
      const tab = await browser.open();
      await tab.send(TEXT);
      await tab.rest();
      const [first] = tab.mounted.chat.messages;
      script(browser, tab, lost(taken));
      void tab.mounted.chat.sendMessage({ text: 'What is a spiral?', messageId: first?.id ?? '' });
      await browser.world.settle();
      await tab.reload('crash');
      await tab.rest();
      if (!taken) {
        expect(tab.mounted.screen()[0]).toBe(`user: ${TEXT}`);
        expect(tab.mounted.pending()).toEqual(['restored: What is a spiral?']);
        await tab.press('send-again');
        await tab.rest();
      }
      expect(tab.mounted.pending()).toEqual([]);
      const asked = (await browser.truth()).filter((line) => line.startsWith('user'));
      expect(asked).toEqual(['user: What is a spiral?']);
      expect(tab.mounted.screen()).toEqual(await browser.truth());
      await expectClean(browser);
    },
  );

  test('an edit that had changed its message is not sent as another one where the conversation is not loaded', async () => {
    const browser = openBrowser();
    const tab = await browser.open({ resume: false });
    await tab.send(TEXT);
    await tab.rest();
    script(browser, tab, lost(true));
    const messageId = tab.mounted.chat.messages[0]?.id ?? '';
    void tab.mounted.chat.sendMessage({ text: 'What is a spiral?', messageId });
    await browser.world.settle();
    await tab.reload('crash');
    expect(tab.mounted.pending()).toEqual(['restored: What is a spiral?']);
    await browser.world.advance(20_000);
    const posts = browser.posts();
    await tab.press('send-again');
    await tab.rest();
    expect(tab.mounted.pending()).toEqual([]);
    expect(browser.posts()).toBe(posts);
    expect(tab.mounted.screen()).toEqual(await browser.truth());
    await expectClean(browser);
  });

  test('an equal text that stands in the conversation already does not swallow one that did not arrive', async () => {
    const browser = openBrowser(keepIds);
    const tab = await browser.open({ requestKeys: false });
    await tab.send('yes');
    await tab.rest();
    script(browser, tab, lost(false));
    await tab.send('yes');
    await tab.reload('crash');
    await tab.rest();
    expect(tab.mounted.pending()).toEqual(['restored: yes']);
    await tab.press('send-again');
    await tab.rest();
    expect(await copies(browser, 'yes')).toBe(2);
    await expectClean(browser);
  });

  test('a message that arrived under an id of the server is found after a reload', async () => {
    /** The server shows each message under another id than it was sent with. */
    const renames: Layer = (through) => async (input, init) => {
      const answer = await through(input, init);
      if (!String(input).endsWith('/snapshot') || !answer.ok) return answer;
      const snapshot = await answer.json();
      for (const message of snapshot.messages) message.id = `row-${message.id}`;
      return Response.json(snapshot, { headers: answer.headers });
    };
    const browser = openBrowser(renames);
    const tab = await browser.open({ requestKeys: false });
    await tab.send('yes');
    await tab.rest();
    script(browser, tab, lost(true));
    await tab.send('yes');
    await tab.reload('crash');
    await tab.rest();
    expect(tab.mounted.pending()).toEqual([]);
    expect(await copies(browser, 'yes')).toBe(2);
    expect(browser.posts()).toBe(2);
    await expectClean(browser);
  });
});

describe('a chat id', () => {
  test('another chat and another endpoint see nothing of it', async () => {
    const browser = openBrowser();
    const tab = await browser.open();
    script(browser, tab, lost(false, 4));
    await tab.send(TEXT);
    await tab.rest();
    const [other, elsewhere] = [
      await browser.open({ id: 'c2' }),
      await browser.open({ api: '/elsewhere/chat', resync: false }),
    ];
    expect(other.mounted.pending()).toEqual([]);
    expect(elsewhere.mounted.pending()).toEqual([]);
    expect(stored(browser)).toHaveLength(1);
    await expectCleanUnlessPending(browser);
  });

  test('that changes while a send fails: the other chat shows nothing of it, and the first one does on return', async () => {
    const browser = openBrowser();
    const options = { storage: 'local', requestKeys: true, resync: true } as const;
    const tab = await browser.open(options);
    script(browser, tab, lost(false, 9));
    await tab.send(TEXT);
    const shown = (id: string) => tab.reopen({ ...options, id });
    await shown('c2');
    await browser.world.advance(60_000);
    expect(tab.mounted.pending()).toEqual([]);
    expect(tab.mounted.chat.messages).toEqual([]);
    await shown(CHAT);
    await tab.rest();
    expect(tab.mounted.pending()).toEqual([`parked: ${TEXT}`]);
    expect(stored(browser)).toHaveLength(1);
    await expectCleanUnlessPending(browser);
  });

  test('that is not the app’s own is of no use: the developer hears of it, and nothing is written', async () => {
    const notes = collectNotes();
    const browser = openBrowser();
    const tab = await browser.open({ id: undefined } as never);
    expect(notes.filter((note) => note.includes('without an `id`'))).toHaveLength(1);
    script(browser, tab, lost(false, 4));
    await tab.send(TEXT);
    expect(browser.local.keys()).toEqual([]);
    await expectCleanUnlessPending(browser);
  });
});

test('without the option nothing is written', async () => {
  const browser = openBrowser(keepIds);
  const tab = await browser.open({ storage: undefined } as never);
  script(browser, tab, lost(false, 4));
  await tab.send(TEXT);
  await tab.rest();
  expect(browser.local.keys()).toEqual([]);
  await tab.reload();
  expect(tab.mounted.pending()).toEqual([]);
  await expectClean(browser);
});

test('the session storage is the tab’s own: another tab sees nothing, a reload everything', async () => {
  collectNotes();
  const browser = openBrowser(keepIds);
  const tab = await browser.open({ storage: 'session' });
  script(browser, tab, lost(false, 4));
  await tab.send(TEXT);
  const other = await browser.open({ storage: 'session' });
  expect(other.mounted.pending()).toEqual([]);
  await tab.reload('crash');
  expect(tab.mounted.pending()).toEqual([`restored: ${TEXT}`]);
  expect(browser.local.keys()).toEqual([]);
  await expectCleanUnlessPending(browser);
});

test('a component that comes back shows what it left, once, with its failure', async () => {
  const browser = openBrowser(keepIds);
  const store = createManualStore();
  const tab = await browser.open({ storage: store.view() });
  script(browser, tab, refused);
  await tab.send(TEXT);
  await tab.rest();
  await tab.mounted.unmount();
  expect(store.keys()).toHaveLength(1);
  await tab.reload();
  expect(tab.mounted.pending()).toEqual([`restored: ${TEXT}`]);
  await expectCleanUnlessPending(browser);
});
