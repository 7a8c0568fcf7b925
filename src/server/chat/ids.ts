/** Server message ids: 41 bits of time, 10 of the process, 12 of a counter. They grow within a process and never repeat. */
import { randomInt } from "node:crypto";

const EPOCH = Date.UTC(2020, 0, 1);

/**
 * @param now ms since the epoch; may jump back, ids do not
 * @param processBits 0–1023, random when left out
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

/** Time at which an id was made, ms since the epoch. */
export function timeOfId(id: bigint): number {
  return Number(id >> 22n) + EPOCH;
}
