import { type ChildProcess, execFile, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ServeOptions, ServerWord } from './serve.ts';

/** What was bundled for processes and pages of their own, in a folder that has to be removed. */
export interface Bundles {
  readonly folder: string;
  readonly server: string;
  readonly page: string;
  remove(): void;
}

/** Bundles the server, and the page where it is asked for. */
export async function bundle(...what: readonly ('server' | 'page')[]): Promise<Bundles> {
  const folder = mkdtempSync(join(tmpdir(), 'helix-chat-network-'));
  const script = join(import.meta.dirname, 'bundle.mjs');
  const run = promisify(execFile);
  await Promise.all(what.map((one) => run(process.execPath, [script, one, folder])));
  return {
    folder,
    server: join(folder, 'server', 'serve.mjs'),
    page: join(folder, 'page', 'page.js'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A chat server in a process of its own that can be killed at any time and comes back with what it had stored. */
export interface ServerProcess {
  /** Undefined while there is no server. */
  port(): number | undefined;
  /** Ends the process at once, without a word to it. It is back after so many ms; does nothing while it is away. */
  kill(downMs: number): void;
  /** Resolves when a server is there. */
  up(): Promise<void>;
  /** The server answers no request and reads no stream. */
  settled(): Promise<boolean>;
  /** How often it was killed. */
  kills(): number;
  end(): Promise<void>;
}

/** Starts a server. @throws when it does not begin to listen. */
export async function startServer(script: string, options: ServeOptions): Promise<ServerProcess> {
  let life = await begin(script, options);
  let coming: Promise<void> = Promise.resolve();
  let away = false;
  let kills = 0;
  const comeBack = async (downMs: number): Promise<void> => {
    await life.kill();
    await new Promise((resolve) => setTimeout(resolve, downMs));
    life = await begin(script, options);
    away = false;
  };
  return {
    port: () => (away ? undefined : life.port),
    kill(downMs) {
      if (away) return;
      away = true;
      kills += 1;
      coming = comeBack(downMs);
    },
    up: () => coming,
    settled: () => life.settled(),
    kills: () => kills,
    async end() {
      await coming;
      await life.kill();
    },
  };
}

interface Life {
  readonly port: number;
  settled(): Promise<boolean>;
  kill(): Promise<void>;
}

async function begin(script: string, options: ServeOptions): Promise<Life> {
  const child = fork(script, [JSON.stringify(options)], { execArgv: [] });
  const word = await nextWord(child);
  if (!('port' in word)) throw new Error('The server said something else than its port.');
  return {
    port: word.port,
    async settled() {
      child.send('settled?');
      const said = await nextWord(child);
      return 'settled' in said && said.settled;
    },
    kill() {
      if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
      return new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGKILL');
      });
    },
  };
}

function nextWord(child: ChildProcess): Promise<ServerWord> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) =>
      reject(new Error(`The server process has ended: ${code}.`));
    child.once('exit', ended);
    child.once('message', (word) => {
      child.off('exit', ended);
      resolve(word as ServerWord);
    });
  });
}
