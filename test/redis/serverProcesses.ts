import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Read, readEvents, type Snapshot, user } from '../server/chatClient.ts';
import type { ServeOptions } from './serve.ts';

/** A chat server in a process of its own, and how a client talks to it. */
export interface ServerProcess {
  send(chatId: string, messageId: string, key?: string): Promise<Response>;
  get(path: string): Promise<Response>;
  act(path: string, body?: object): Promise<Response>;
  snapshot(chatId: string): Promise<Snapshot>;
  read(response: Response): Read;
  /** Ends the process at once, without a word to it. */
  kill(): Promise<void>;
}

/** Starts processes of one bundle; `end` kills those that live and removes it. */
export interface Processes {
  start(options: ServeOptions): Promise<ServerProcess>;
  end(): Promise<void>;
}

/** What every client of these tests asks. */
export const QUESTION = 'How does that differ?';

export async function createProcesses(): Promise<Processes> {
  const folder = mkdtempSync(join(tmpdir(), 'helix-chat-processes-'));
  const script = join(import.meta.dirname, 'bundle.mjs');
  await promisify(execFile)(process.execPath, [script, folder]);
  const living = new Set<ServerProcess>();
  return {
    async start(options) {
      const child = fork(join(folder, 'serve.mjs'), [JSON.stringify(options)], { execArgv: [] });
      const [port] = (await once(child, 'message')) as [number];
      const server = clientOf(`http://127.0.0.1:${port}/api/chat`, async () => {
        living.delete(server);
        const gone = once(child, 'exit');
        child.kill('SIGKILL');
        await gone;
      });
      living.add(server);
      return server;
    },
    async end() {
      await Promise.all([...living].map((server) => server.kill()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function clientOf(base: string, kill: () => Promise<void>): ServerProcess {
  const headers = { 'content-type': 'application/json' };
  const act = (url: string, body: object, more: Record<string, string> = {}) =>
    fetch(url, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) });
  return {
    send: (chatId, messageId, key) =>
      act(
        base,
        { id: chatId, messages: [user(messageId, QUESTION)], trigger: 'submit-message' },
        key === undefined ? {} : { 'X-Helix-Request-Key': key },
      ),
    get: (path) => fetch(`${base}/${path}`),
    act: (path, body = {}) => act(`${base}/${path}`, body),
    snapshot: async (chatId) =>
      (await (await fetch(`${base}/${chatId}/snapshot`)).json()) as Snapshot,
    read: readEvents,
    kill,
  };
}
