import { soakNetwork } from './soakNetwork.mjs';
import { soakRaces } from './soakRaces.mjs';
import { soakWalks } from './soakWalks.mjs';

/**
 * Hunts for counter-examples: `npm run soak -- [walks|network|races] [how many] [seed]`. Without a name all: 10,000
 * random walks on a manual clock, 300 schedules of real network faults, then 1,000 pairs of sends at once to two server
 * processes on one Redis. `WALK='…' npm run soak` plays one walk again.
 */
const SOAKS = {
  walks: { run: soakWalks, count: 10_000 },
  network: { run: soakNetwork, count: 300 },
  races: { run: soakRaces, count: 1_000 },
};

const [first, ...rest] = process.argv.slice(2);
const named = Object.hasOwn(SOAKS, first ?? '') ? [first] : undefined;
const names = named ?? (process.env.WALK === undefined ? Object.keys(SOAKS) : ['walks']);
const numbers = named === undefined && first !== undefined ? [first, ...rest] : rest;
const [count, seed = String(Math.floor(Math.random() * 2 ** 31))] = numbers;
if ((count !== undefined && !/^[1-9]\d*$/.test(count)) || !/^\d+$/.test(seed)) {
  process.stderr.write(
    `[helix-chat] soak: ${JSON.stringify(process.argv.slice(2))} is no number of runs with a seed. Nothing was run. ` +
      'Give whole numbers, with the name of a soak before them or without: npm run soak -- walks 10000 42\n',
  );
  process.exit(1);
}
const codes = names.map((name) =>
  SOAKS[name].run(Number(count ?? SOAKS[name].count), Number(seed)),
);
process.exit(codes.find((code) => code !== 0) ?? 0);
