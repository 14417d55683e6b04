import type { Env } from '../../../src/recovery/draft.ts';
import { initialModel, type Model } from '../../../src/recovery/model.ts';
import { transition } from '../../../src/recovery/transition.ts';
import { atFirst, CIRCUMSTANCES } from './circumstances.ts';
import { FACTS } from './facts.ts';
import { ordersIn, viewOf } from './tell.ts';

const FACT = '> ';
const CIRCUMSTANCE = '~ ';

/** The lines of a history that say what happens: facts and circumstances, without what comes of them. */
export const stepsOf = (history: string): readonly string[] =>
  history.split('\n').filter((line) => line.startsWith(FACT) || line.startsWith(CIRCUMSTANCE));

/** Plays a history from a chat to which nothing has happened, and writes down what comes of each fact: the orders, and the view where it changes. */
export function play(steps: readonly string[]): string {
  let model: Model = initialModel(false);
  let env: Env = atFirst;
  let seen = '';
  const lines = steps.flatMap((step) => {
    const name = step.slice(2);
    if (step.startsWith(CIRCUMSTANCE)) {
      const changed = CIRCUMSTANCES[name];
      if (changed === undefined) throw new Error(`No circumstance is called “${name}”.`);
      env = changed(env);
      return [step];
    }
    const fact = FACTS[name];
    if (fact === undefined) throw new Error(`No fact is called “${name}”.`);
    const after = transition(model, fact(model), env);
    model = after.model;
    const view = viewOf(model, env);
    const isNew = view.join() !== seen;
    seen = view.join();
    return [step, ...ordersIn(after.effects, env), ...(isNew ? view : [])].map((line, at) =>
      at === 0 ? line : `  ${line}`,
    );
  });
  return lines.join('\n');
}
