/** The secret that signs tokens. It is kept in the data folder so that logins survive a restart. */
import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** @returns the secret, created at the first call; readable by the server's own user only */
export function keepSecret(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true });
  const path = join(dataDir, "secret");
  const part = `${path}.${process.pid}`;
  try {
    writeFileSync(part, randomBytes(48).toString("base64url"), { mode: 0o600 });
    // Linking is atomic and never overwrites: two servers that start at the same time get the same secret.
    linkSync(part, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(part, { force: true });
  }
  const secret = readFileSync(path, "utf8").trim();
  if (secret.length < 32) {
    throw new Error(`${path} is damaged: remove it (everybody has to log in again)`);
  }
  return secret;
}
