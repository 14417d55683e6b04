import { appendFileSync, mkdirSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatStore } from '../../src/server/store/chatStore.ts';
import { createMemoryStore } from '../../src/server/store/memoryStore.ts';
import { systemWorld, type World } from '../../src/world.ts';

const CHANGES = ['startRun', 'write', 'putMessages', 'requestStop'] as const;
type Change = (typeof CHANGES)[number];

/** One change as the journal keeps it. */
interface JournalLine {
  readonly change: Change;
  readonly given: readonly unknown[];
  /** When it happened, in wall-clock ms. */
  readonly at: number;
}

/**
 * A `ChatStore` that outlives its process, whenever that is killed: each change is in a journal before it happens, and
 * whoever opens the folder next makes all of them again, each at its time. For one process at a time.
 */
export async function createFileStore(
  folder: string,
  world: Pick<World, 'now'> = systemWorld(),
): Promise<ChatStore> {
  mkdirSync(folder, { recursive: true });
  const journal = join(folder, 'journal.jsonl');
  let replayed: number | undefined;
  const store = createMemoryStore({ world: { monotonic: () => replayed ?? world.now() } });
  const make = (change: Change, given: readonly unknown[]): Promise<never> =>
    (store[change] as (...given: readonly unknown[]) => Promise<never>)(...given);
  for (const { change, given, at } of readJournal(journal)) {
    replayed = at;
    await make(change, given);
  }
  replayed = undefined;
  const kept = (change: Change) => {
    return (...given: readonly unknown[]) => {
      const line: JournalLine = {
        change,
        given: given.map((value) => value ?? null),
        at: world.now(),
      };
      appendFileSync(journal, `${JSON.stringify(line)}\n`);
      return make(change, given);
    };
  };
  return { ...store, ...Object.fromEntries(CHANGES.map((change) => [change, kept(change)])) };
}

/** The changes on record. A line that a kill has left unfinished never happened, and is cut off. */
function readJournal(path: string): JournalLine[] {
  let text: Buffer;
  try {
    text = readFileSync(path);
  } catch {
    return [];
  }
  const whole = text.lastIndexOf('\n') + 1;
  if (whole < text.length) truncateSync(path, whole);
  return text
    .subarray(0, whole)
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as JournalLine);
}
