// @vitest-environment node

import type { UIMessage } from 'ai';
import {
  createHelixChat,
  HelixProvider,
  type UseHelixChatOptions,
  useHelixChat,
} from 'helix-chat/react';
import type { ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

const messages: UIMessage[] = [
  { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'What is a helix?' }] },
];

/** What only a page has. `location` and `navigator` are elsewhere too: they may be looked for, and need not be there. */
const BROWSER = ['window', 'document', 'self', 'localStorage', 'sessionStorage', 'indexedDB'];

let fetches: unknown[] = [];
const kept = new Map<string, PropertyDescriptor | undefined>();

beforeEach(() => {
  fetches = [];
  vi.stubGlobal('fetch', (input: unknown) => {
    fetches.push(input);
    return Promise.reject(new Error('no network here'));
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  for (const [name, was] of kept) {
    if (was === undefined) Reflect.deleteProperty(globalThis, name);
    else Object.defineProperty(globalThis, name, was);
  }
  kept.clear();
});

/** Every touch of a browser's global is on record, and breaks what touched it. */
function trapGlobals(): string[] {
  const touched: string[] = [];
  for (const name of BROWSER) {
    kept.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
    Object.defineProperty(globalThis, name, {
      configurable: true,
      get() {
        touched.push(name);
        throw new ReferenceError(`${name} is not there`);
      },
    });
  }
  return touched;
}

function Page({ options }: { readonly options: UseHelixChatOptions<UIMessage> }): ReactElement {
  const chat = useHelixChat<UIMessage>(options);
  return (
    <ol data-status={chat.status} data-state={chat.recovery.name} data-can={String(chat.canSend)}>
      {chat.messages.map((message) => (
        <li key={message.id}>{message.role}</li>
      ))}
    </ol>
  );
}

describe('rendering on a server', () => {
  test.each<[string, UseHelixChatOptions<UIMessage>]>([
    ['the defaults', { id: 'c1' }],
    ['promised routes', { id: 'c1', messages, resync: true }],
    ['resume', { id: 'c1', messages, resume: true }],
    ['a chat without an id', { messages }],
  ])('with %s draws the chat, requests nothing and starts nothing', async (_, options) => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const html = renderToString(<Page options={options} />);
    expect(html).toContain('data-status="ready"');
    expect(html).toContain('data-state="idle"');
    expect(html).toContain('data-can="true"');
    expect(html.includes('<li>user</li>')).toBe('messages' in options);
    await new Promise((resolve) => setImmediate(resolve));
    expect(fetches).toEqual([]);
    expect(timers).not.toHaveBeenCalled();
    timers.mockRestore();
  });

  test('touches no global of a browser', () => {
    const touched = trapGlobals();
    const html = renderToString(
      <HelixProvider recovery={{ repeats: 1 }}>
        <Page options={{ id: 'c1', messages, resync: true }} />
        <Page options={{ chat: createHelixChat<UIMessage>({ id: 'c2', messages }) }} />
      </HelixProvider>,
    );
    expect(html).toContain('<li>user</li>');
    expect(touched).toEqual([]);
  });

  test('needs neither `location` nor `navigator`', () => {
    for (const name of ['location', 'navigator']) {
      kept.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
      Reflect.deleteProperty(globalThis, name);
    }
    expect(renderToString(<Page options={{ id: 'c1', resync: true }} />)).toContain('ready');
  });

  test('draws nothing of another request', () => {
    const one = renderToString(<Page options={{ id: 'c1', messages }} />);
    const two = renderToString(<Page options={{ id: 'c1' }} />);
    expect(one).toContain('<li>user</li>');
    expect(two).not.toContain('<li>user</li>');
  });
});
