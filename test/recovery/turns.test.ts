import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { play, stepsOf } from './turns/history.ts';

// What each fact does to a chat, written down: the orders that it gives, and what a person sees then. A change of it is
// looked at as a change of these files; `HELIX_WRITE_TURNS=1` writes them anew.

const writes = process.env.HELIX_WRITE_TURNS === '1';
const folder = join(import.meta.dirname, 'turns');
const files = readdirSync(folder).filter((name) => name.endsWith('.txt'));

const historiesIn = (text: string): readonly string[] =>
  text
    .split('\n\n')
    .map((history) => history.replace(/\n$/, ''))
    .filter((history) => history !== '');

/** What happens in a history, in few words. */
function titleOf(history: string): string {
  const facts = stepsOf(history).map((step) => step.slice(2));
  return facts.length < 3 ? facts.join(', ') : `${facts[0]} … ${facts.at(-1)} (${facts.length})`;
}

test('histories are found', () => {
  expect(files.length).toBeGreaterThan(1);
});

describe.each(files)('%s', (name) => {
  const histories = historiesIn(readFileSync(join(folder, name), 'utf8'));

  test.runIf(writes)('is written anew', () => {
    const played = histories.map((history) => play(stepsOf(history)));
    writeFileSync(join(folder, name), `${played.join('\n\n')}\n`);
  });

  test
    .skipIf(writes)
    .each(histories.map((history, index) => [index + 1, titleOf(history), history] as const))(
    '%i: %s',
    (_number, _title, history) => {
      expect(play(stepsOf(history)).split('\n')).toEqual(history.split('\n'));
    },
  );
});
