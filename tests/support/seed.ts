/** Reproducible random choices: `TORTURE_SEED` sets the seed; by default each run has a new one. */
import { seededRandom } from "../../src/shared/mutate.harness.ts";

/**
 * Prints the seed, so that a failure can be reproduced.
 *
 * @param name of the test, for the printed line
 * @returns a generator of numbers 0..1, like Math.random
 */
export function tortureRandom(name: string): () => number {
  const given = process.env["TORTURE_SEED"];
  const seed = given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given);
  if (!Number.isInteger(seed)) throw new Error(`TORTURE_SEED is not a whole number: ${given}`);
  console.log(`${name}: TORTURE_SEED=${seed}`);
  return seededRandom(seed);
}

/** A random integer from `from` to `to`, both included. */
export const between = (random: () => number, from: number, to: number): number =>
  from + Math.floor(random() * (to - from + 1));

/** Number of rounds: `TORTURE_ROUNDS`, or the given default. */
export function rounds(usual: number): number {
  const given = Number(process.env["TORTURE_ROUNDS"]);
  return Number.isInteger(given) && given > 0 ? given : usual;
}

/** Whether the test is run by `npm run test:torture`, which sets the seed. */
const inTorture = process.env["TORTURE_SEED"] !== undefined;

/** Repetitions of a random test: `few` in `npm test`, `many` in `npm run test:torture`. */
export const repeated = (few: number, many: number): number => (inTorture ? many : few);

/** Seed of a test that is the same in each `npm test` and differs in each `npm run test:torture`. */
export const seedOf = (fixed: number): number =>
  inTorture ? (Number(process.env["TORTURE_SEED"]) + fixed) % 2 ** 31 : fixed;
