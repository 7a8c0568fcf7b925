/** Passwords as argon2id hashes. */
import { hash, verify } from "@node-rs/argon2";

/** What a hash costs: memory in KiB, and passes over it. */
export interface PasswordCost {
  readonly memoryCost: number;
  readonly timeCost: number;
}
/** About 20 ms per hash. */
const COST: PasswordCost = { memoryCost: 19_456, timeCost: 2 };

export interface PasswordCheck {
  /** @param stored null for an account that does not exist: the check takes equally long and returns false */
  (stored: string | null, password: string): Promise<boolean>;
}

export interface Passwords {
  hash(password: string): Promise<string>;
  readonly check: PasswordCheck;
}

/** @param cost of new hashes; a stored one is checked at its own cost. Only tests choose another one. */
export function createPasswords(cost: PasswordCost = COST): Passwords {
  // argon2id is 2
  const make = (password: string): Promise<string> =>
    hash(password, { algorithm: 2, parallelism: 1, ...cost });
  let nobody: Promise<string> | null = null;
  return {
    hash: make,
    async check(stored, password) {
      nobody ??= make("nobody has this password");
      const good = await verify(stored ?? (await nobody), password);
      return stored !== null && good;
    },
  };
}
