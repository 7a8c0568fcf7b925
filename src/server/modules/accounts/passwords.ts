/** Passwords as argon2id hashes. */
import { hash, verify } from "@node-rs/argon2";

/** argon2id (2), 19 MiB, two passes: about 20 ms per hash. */
const COST = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password, COST);

export interface PasswordCheck {
  /** @param stored null for an account that does not exist: the check takes equally long and returns false */
  (stored: string | null, password: string): Promise<boolean>;
}

export function createPasswordCheck(): PasswordCheck {
  let nobody: Promise<string> | null = null;
  return async (stored, password) => {
    nobody ??= hashPassword("nobody has this password");
    const good = await verify(stored ?? (await nobody), password);
    return stored !== null && good;
  };
}
