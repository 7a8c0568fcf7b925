/**
 * Slows down password guessing. Wrong passwords delay the pair of name and address they came from, so nobody can lock out an
 * account's owner from elsewhere. Many wrong passwords for many names delay their address. A pair that logged in before is not
 * delayed by its address, because other users of that address may be strangers.
 */
import type { Clock } from "../module.ts";
import type { GuessKind, KeptFailures } from "../limits/kept-failures.ts";
import { createSlowdown } from "../limits/slowdown.ts";

const SECOND = 1000;
/** Wrong passwords per pair, and per address, before the next attempt must wait. */
export const PAIR_FREE = 5;
export const ADDRESS_FREE = 50;
/** The longest wait in ms. */
export const LONGEST_WAIT = 20 * SECOND;
/** Most pairs with a successful login that are remembered. */
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

/**
 * @param failures where wrong passwords are kept; left out: this process counts alone, until it ends
 * @param passwordOf what the passwords open; each counts its own failures
 */
export function createLoginGuard(
  clock: Clock,
  failures?: KeptFailures,
  passwordOf: "login" | "chat-token" = "login",
): LoginGuard {
  const addressKind = `${passwordOf}-address` as const;
  const wait = { firstMs: SECOND, longestMs: LONGEST_WAIT };
  const keep = (kind: GuessKind) => (failures === undefined ? undefined : { failures, kind });
  const pairs = createSlowdown(
    clock,
    { ...wait, free: PAIR_FREE, leakMs: 180 * SECOND, forgive: true },
    keep(passwordOf),
  );
  const addresses = createSlowdown(
    clock,
    // Otherwise an attacker with a valid account could reset the count with each successful login.
    { ...wait, free: ADDRESS_FREE, leakMs: 18 * SECOND, forgive: false },
    keep(addressKind),
  );
  const known = new Set<string>();

  return {
    async run({ name, address }, check) {
      const pair = `${address}\n${name.toLowerCase()}`;
      const [ofPair, ofAddress] =
        (await failures?.times([
          { kind: passwordOf, key: pair },
          { kind: addressKind, key: address },
        ])) ?? [];
      const attempt = (): Promise<boolean> => pairs.run(pair, check, ofPair);
      const good = known.has(pair)
        ? await attempt()
        : await addresses.run(address, attempt, ofAddress);
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
