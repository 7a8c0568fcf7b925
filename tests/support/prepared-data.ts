/**
 * The data folder of a server after its first start with the usual demo data. It is made once per build and hour, and copied for each
 * server of a test: migrations and demo data take most of a first start.
 */
import { createHash, randomUUID } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { contentHash, freshBundle } from "../../src/server/base/bundles.mjs";

const root = join(import.meta.dirname, "../..");
const CACHE = join(root, "node_modules/.cache/prepared-data");
const MIGRATIONS = join(root, "src/server/base/database/migrations");
/** What decides about the data of a first start. A server with one of these makes its own. */
const DECIDES = ["DATABASE_URL", "DEMO_DATA", "ADMIN_USERNAME", "ADMIN_PASSWORD"];
/** The demo data lie around the time at which they are made, so those of long ago are not used, ms. */
const HOUR = 60 * 60_000;

/** @returns whether a server with this environment makes data of its own at its first start */
export const decidesAboutData = (env: Readonly<Record<string, string | undefined>>): boolean =>
  DECIDES.some((name) => (env[name] ?? "") !== "");

/** Name of the data of this build and hour; null when the server runs from its sources, which change. */
export function nameOfPreparedData(): string | null {
  const bundle = freshBundle(root, "server");
  if (bundle === null) return null;
  const migrations = readdirSync(MIGRATIONS).map((file) => contentHash(join(MIGRATIONS, file)));
  const all = [contentHash(bundle), ...migrations, Math.floor(Date.now() / HOUR)].join();
  return createHash("sha256").update(all).digest("hex").slice(0, 16);
}

/**
 * Copies the data to `folder`, which is empty.
 *
 * @param env of the server that will use it
 * @param make starts a server for the first time in a folder and stops it
 * @returns false: this server makes its own data
 */
export async function copyPreparedData(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
  make: (folder: string) => Promise<void>,
): Promise<boolean> {
  if (decidesAboutData(env)) return false;
  const name = nameOfPreparedData();
  if (name === null) return false;
  const kept = join(CACHE, name);
  if (!existsSync(kept)) {
    const part = join(CACHE, `${name}.${randomUUID()}`);
    mkdirSync(part, { recursive: true, mode: 0o700 });
    await make(part);
    for (const other of readdirSync(CACHE)) {
      const path = join(CACHE, other);
      const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
      // Somebody may still copy the data of the hour before.
      if (age >= 3 * HOUR) rmSync(path, { recursive: true, force: true });
    }
    try {
      renameSync(part, kept);
    } catch {
      // Another process was faster.
      rmSync(part, { recursive: true, force: true });
    }
  }
  cpSync(kept, folder, { recursive: true });
  return true;
}
