import { describe, expect, test } from 'vitest';
import { meets } from '../../scripts/docs/recovery/conflictPage.ts';
import {
  envOf,
  explore,
  factsIn,
  SETTINGS,
} from '../../scripts/docs/recovery/exploreTransition.ts';
import { recoveryPage, STATE_NAMES } from '../../scripts/docs/recovery/recoveryPage.ts';
import { stateDiagram } from '../../scripts/docs/recovery/stateDiagram.ts';
import type { Model } from '../../src/recovery/model.ts';
import { transition } from '../../src/recovery/transition.ts';

const seeded = (seed: number) => () => {
  seed = (seed * 1_664_525 + 1_013_904_223) % 4_294_967_296;
  return seed / 4_294_967_296;
};

const isSettled = ({ state, job }: Model): boolean =>
  job.at === 'rest' && (state.name === 'idle' || state.name === 'failed');

describe('what the pages on recovery are made of', () => {
  test('every state is come to, and has a row', () => {
    const found = new Set(
      SETTINGS.flatMap((setting) => [...explore(setting).visits.values()]).map(
        ({ model }) => model.state.name,
      ),
    );
    expect([...found].sort()).toEqual([...STATE_NAMES].sort());
    for (const name of STATE_NAMES) expect(recoveryPage()).toContain(`| \`${name}\` |`);
  });

  test('the picture has every state and tells what it shows in words', () => {
    for (const name of STATE_NAMES) expect(stateDiagram()).toContain(`>${name}</text>`);
    expect(stateDiagram()).toContain('<desc id="desc">idle to sending: send, regenerate, edit.');
  });

  test.each(['wait', 'stop', 'ask', 'fail'] as const)(
    'with `%s` the message that meets a reply is kept',
    (policy) => {
      expect(meets(policy).queue.map(({ pending }) => pending.id)).toEqual(['m1']);
    },
  );
});

describe.each(SETTINGS)('$name: from every situation that was found', (setting) => {
  const { visits } = explore(setting);

  test('a settled one has nothing under way, and any other has an answer to wait for', () => {
    for (const { model, path } of visits.values()) {
      const awaited = factsIn(model).filter(({ by }) => by !== 'person');
      expect([path, awaited.length > 0]).toEqual([path, !(model.job.at === 'rest')]);
      if (model.job.at === 'rest') expect(['idle', 'failed']).toContain(model.state.name);
    }
  });

  test('it settles without a press, whatever the network does', () => {
    const chance = seeded(7);
    const found = [...visits.values()];
    for (let run = 0; run < 400; run += 1) {
      const start = found[Math.floor(chance() * found.length)];
      if (start === undefined) throw new Error('Nothing was found.');
      let model = start.model;
      let mono = 0;
      for (let step = 0; !isSettled(model); step += 1) {
        if (step > 2_000) throw new Error(`It does not settle: ${start.path.join(', ')}`);
        const facts = factsIn(model).filter(({ by }) => by !== 'person');
        const fact = facts[Math.floor(chance() * facts.length)];
        if (fact === undefined) throw new Error(`It is stuck: ${start.path.join(', ')}`);
        if (fact.by === 'clock') mono += 5_000;
        model = transition(model, fact.event, envOf(setting, mono)).model;
      }
    }
  });
});
