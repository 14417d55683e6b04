/** How often a property is tried: as often as its test says, or less where `HELIX_RUNS` asks for less. */
export const runs = (wanted: number): number =>
  Math.min(wanted, Number(process.env.HELIX_RUNS ?? wanted));
