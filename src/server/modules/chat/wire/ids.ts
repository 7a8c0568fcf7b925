/**
 * Server message ids: 41 bits of milliseconds since 2020, 10 bits of the process, 12 bits of a counter. Within a process they
 * increase and never repeat.
 */
import { randomInt } from "node:crypto";

const EPOCH = Date.UTC(2020, 0, 1);
/** ms by which the clocks of two processes may differ. */
const CLOCKS_DIFFER = 60_000;

/** No id of this time (ms since the epoch) or later, made by any process, is smaller. */
export const lowestIdAt = (time: number): bigint => BigInt(time - CLOCKS_DIFFER - EPOCH) << 22n;

/**
 * @param now ms since the epoch; it may jump back, ids still increase
 * @param processBits 0–1023; random by default
 * @returns a function that creates the next id
 */
export function createIdSource(
  now: () => number,
  processBits: number = randomInt(1024),
): () => bigint {
  let last = 0;
  let counter = 0;
  return () => {
    const at = Math.max(last, now() - EPOCH);
    counter = at === last ? counter + 1 : 0;
    last = at;
    if (counter > 4095) {
      last += 1;
      counter = 0;
    }
    return (BigInt(last) << 22n) | (BigInt(processBits) << 12n) | BigInt(counter);
  };
}
