/**
 * The files of an empty embedded database. The build packs them once (`npm run build`), so that a first start only unpacks them: making
 * them takes 600 MB and some seconds (docs/server.md#processes).
 */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { unzipSync, zipSync } from "fflate";
import { sourcePath } from "../source-path.ts";

const MAKE_ENTRY = sourcePath("src/server/base/database/make-entry.mjs");

/** Files of another version of PGlite may have another format, so the archive's name bears the version. */
function version(): string {
  const entry = createRequire(import.meta.url).resolve("@electric-sql/pglite");
  const manifest = JSON.parse(readFileSync(join(entry, "../../package.json"), "utf8")) as {
    version: string;
  };
  return manifest.version;
}

/** Where the build puts the archive. */
export const archivePath = (): string => sourcePath(`dist-server/empty-database-${version()}.zip`);

/** Packs the files of a folder, its empty folders as well, because PostgreSQL does not start without them. */
export function packFolder(folder: string): Uint8Array {
  const files: Record<string, Uint8Array> = {};
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1).replaceAll("\\", "/");
    if (entry.isDirectory()) files[`${name}/`] = new Uint8Array();
    else files[name] = readFileSync(path);
  }
  return zipSync(files, { level: 6 });
}

/** Unpacks what `packFolder` packed. Only the owner may read the files. */
export function unpackFolder(archive: Uint8Array, folder: string): void {
  for (const [name, content] of Object.entries(unzipSync(archive))) {
    const path = join(folder, name);
    mkdirSync(name.endsWith("/") ? path : dirname(path), { recursive: true, mode: 0o700 });
    if (!name.endsWith("/")) writeFileSync(path, content, { mode: 0o600 });
  }
}

/**
 * Fills a folder, which exists and is empty, with the files of an empty database.
 *
 * @throws Error when they cannot be made
 */
export async function makeEmptyFiles(folder: string): Promise<void> {
  const archive = archivePath();
  if (existsSync(archive)) unpackFolder(readFileSync(archive), folder);
  else await promisify(execFile)(process.execPath, [MAKE_ENTRY, folder]);
}
