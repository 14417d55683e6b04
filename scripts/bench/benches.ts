import { redactBench } from './redactBench.ts';

/** One thing that is measured. */
export interface Measured {
  readonly what: string;
  /** A ratio of two times of the same run, so that the machine does not matter. */
  readonly figure: number;
}

/** Something that has to keep its shape. */
export interface Bench {
  readonly name: string;
  /** What is measured, in a sentence. */
  readonly holds: string;
  /** The largest figure that is good. */
  readonly limit: number;
  readonly measure: () => Iterable<Measured> | AsyncIterable<Measured>;
}

/** Everything that `npm run bench` measures. */
export const BENCHES: readonly Bench[] = [redactBench];
