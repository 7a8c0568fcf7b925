/** Removes the permissions of group and others from a folder and everything in it. */
import { chmodSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

const OTHERS = 0o077;

/** Skips symbolic links and files that disappear meanwhile. */
export function closeFolder(path: string): void {
  const info = lstatSync(path, { throwIfNoEntry: false });
  if (info === undefined || info.isSymbolicLink()) return;
  if ((info.mode & OTHERS) !== 0) chmodSync(path, info.mode & 0o7777 & ~OTHERS);
  if (!info.isDirectory()) return;
  for (const name of readdirSync(path)) closeFolder(join(path, name));
}
