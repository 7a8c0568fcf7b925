/** Random choices that can be made again: `TORTURE_SEED` names the seed, otherwise each run has its own. */
import { seededRandom } from "../server/mutate.ts";

/**
 * Prints the seed, so that a failure can be repeated.
 * @param name of the test, in the printed line
 * @returns 0..1, as Math.random
 */
export function tortureRandom(name: string): () => number {
  const given = process.env["TORTURE_SEED"];
  const seed = given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given);
  if (!Number.isInteger(seed)) throw new Error(`TORTURE_SEED is not a whole number: ${given}`);
  console.log(`${name}: TORTURE_SEED=${seed}`);
  return seededRandom(seed);
}

/** A whole number from `from` to `to`, both included. */
export const between = (random: () => number, from: number, to: number): number =>
  from + Math.floor(random() * (to - from + 1));

/** Rounds of a run: `TORTURE_ROUNDS`, else the number given. */
export function rounds(usual: number): number {
  const given = Number(process.env["TORTURE_ROUNDS"]);
  return Number.isInteger(given) && given > 0 ? given : usual;
}
