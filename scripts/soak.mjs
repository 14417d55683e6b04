import { runTool } from './packages.mjs';

/**
 * Plays random walks until one breaks a promise or all are walked: `npm run soak -- [walks] [seed]`. 10,000 by default,
 * shared out among two majors of the AI SDK and four kinds of server. `WALK='…' npm run soak` plays one walk again.
 */
const KINDS = 8;
const [walks = '10000', seed = String(Math.floor(Math.random() * 2 ** 31))] = process.argv.slice(2);
if (!/^[1-9]\d*$/.test(walks) || !/^-?\d+$/.test(seed)) {
  process.stderr.write(
    `[helix-chat] soak: ${JSON.stringify([walks, seed])} is no number of walks with a seed. Nothing was walked. ` +
      'Give whole numbers: npm run soak -- 10000 42\n',
  );
  process.exit(1);
}
const each = Math.ceil(Number(walks) / KINDS);
process.stdout.write(
  process.env.WALK === undefined
    ? `${each * KINDS} walks, seed ${seed}. Again: npm run soak -- ${walks} ${seed}\n`
    : 'One walk again, on every kind of server.\n',
);
const args = ['run', '--project', 'ai6', '--project', 'ai7', 'test/walks'];
process.exit(runTool('vitest/vitest.mjs', args, { WALKS: String(each), WALK_SEED: seed }));
