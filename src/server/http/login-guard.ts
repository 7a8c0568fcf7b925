/**
 * What a wrong password costs. It slows down the pair of name and address that it came from, so that nobody can lock out the owner
 * of a name from elsewhere; many wrong ones over many names slow down their address. A pair that was right before is not slowed
 * down by its address: the others behind it may be strangers.
 */
import type { Clock } from "../module.ts";
import { createSlowdown } from "./slowdown.ts";

const SECOND = 1000;
/** Wrong passwords of a pair, and of an address, before they have to wait. */
export const PAIR_FREE = 5;
export const ADDRESS_FREE = 50;
/** The longest wait, ms. */
export const LONGEST_WAIT = 20 * SECOND;
/** Pairs that were right, remembered at most. */
const MAX_KNOWN = 20_000;

export interface LoginGuard {
  /**
   * @param who.address key of the client (http/client.ts)
   * @param check whether the password is right
   * @throws AppError auth.locked with details.retryAfter in seconds
   */
  run(
    who: { readonly name: string; readonly address: string },
    check: () => Promise<boolean>,
  ): Promise<boolean>;
}

export function createLoginGuard(clock: Clock): LoginGuard {
  const wait = { firstMs: SECOND, longestMs: LONGEST_WAIT };
  const pairs = createSlowdown(clock, {
    ...wait,
    free: PAIR_FREE,
    leakMs: 180 * SECOND,
    forgive: true,
  });
  const addresses = createSlowdown(clock, {
    ...wait,
    free: ADDRESS_FREE,
    leakMs: 18 * SECOND,
    // who has an account of his own would begin again with each success
    forgive: false,
  });
  const known = new Set<string>();

  return {
    async run({ name, address }, check) {
      const pair = `${address}\n${name.toLowerCase()}`;
      const attempt = (): Promise<boolean> => pairs.run(pair, check);
      const good = known.has(pair) ? await attempt() : await addresses.run(address, attempt);
      if (!good) return false;
      known.delete(pair);
      known.add(pair);
      if (known.size > MAX_KNOWN) {
        const oldest = known.values().next();
        if (oldest.done !== true) known.delete(oldest.value);
      }
      return true;
    },
  };
}
