import { runTool } from './packages.mjs';

/** Two majors of the AI SDK on four kinds of server. */
const KINDS = 8;

/** Plays random walks, shared out among the kinds. `WALK='…'` plays one walk again. Answers an exit code. */
export function soakWalks(count, seed) {
  const each = Math.ceil(count / KINDS);
  process.stdout.write(
    process.env.WALK === undefined
      ? `${each * KINDS} walks, seed ${seed}. Again: npm run soak -- walks ${count} ${seed}\n`
      : 'One walk again, on every kind of server.\n',
  );
  const args = ['run', '--project', 'ai6', '--project', 'ai7', 'test/walks'];
  return runTool('vitest/vitest.mjs', args, { WALKS: String(each), WALK_SEED: String(seed) });
}
