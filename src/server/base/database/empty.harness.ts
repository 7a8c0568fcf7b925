/** The files of an empty embedded database, created once per version of PGlite, because creating them takes many seconds. */
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const CACHE = join(import.meta.dirname, "../../../../node_modules/.cache/empty-database");
const MAKE_ENTRY = join(import.meta.dirname, "make-entry.mjs");

function version(): string {
  const entry = createRequire(import.meta.url).resolve("@electric-sql/pglite");
  const manifest = JSON.parse(readFileSync(join(entry, "../../package.json"), "utf8")) as {
    version: string;
  };
  return manifest.version;
}

/** Copies the files to `folder`, which must not exist. A server that starts on them finds a database without migrations. */
export function copyEmptyDatabase(folder: string): void {
  const kept = join(CACHE, version());
  if (!existsSync(kept)) {
    const part = `${kept}.${randomUUID()}`;
    mkdirSync(part, { recursive: true, mode: 0o700 });
    execFileSync(process.execPath, [MAKE_ENTRY, part]);
    try {
      renameSync(part, kept);
    } catch {
      // Another process was faster.
      rmSync(part, { recursive: true, force: true });
    }
  }
  cpSync(kept, folder, { recursive: true });
}
