/** Conference passwords as scrypt hashes: `scrypt$salt$hash`, both parts base64url. */
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

const LENGTH = 32;
/** 16 MiB, about 40 ms per hash. */
const COST = { N: 16_384, r: 8, p: 1 };

const derive = (password: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, LENGTH, COST, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });

export async function hashConferencePassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt);
  return `scrypt$${salt.toString("base64url")}$${key.toString("base64url")}`;
}

/** @returns false for a stored text in another format */
export async function checkConferencePassword(stored: string, password: string): Promise<boolean> {
  const [kind, salt, hash] = stored.split("$");
  if (kind !== "scrypt" || salt === undefined || hash === undefined) return false;
  const right = Buffer.from(hash, "base64url");
  const given = await derive(password, Buffer.from(salt, "base64url"));
  return right.length === given.length && timingSafeEqual(right, given);
}
