/**
 * The parts of a backup outside the database: uploaded files, and the token secret if it was generated here. They are stored
 * beside the dump in FILE.files. Contents are named by their hash, so copying them twice changes nothing.
 */
import { cp, copyFile, mkdir, rename, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";

const FOLDER = "files";
const SECRET = "secret";

/** @param file path of the dump */
export const filesOf = (file: string): string => `${file}.files`;

/**
 * Copies everything or nothing.
 *
 * @returns the folder, null when there is nothing to copy
 */
export async function backupFiles(dataDir: string, file: string): Promise<string | null> {
  const [from, secret] = [join(dataDir, FOLDER), join(dataDir, SECRET)];
  if (!existsSync(from) && !existsSync(secret)) return null;
  const folder = filesOf(file);
  const part = `${folder}.part`;
  try {
    await mkdir(part, { recursive: true, mode: 0o700 });
    if (existsSync(from)) await cp(from, join(part, FOLDER), { recursive: true });
    if (existsSync(secret)) await copyFile(secret, join(part, SECRET));
    await rename(part, folder);
  } finally {
    await rm(part, { recursive: true, force: true });
  }
  return folder;
}

/** Restores the files. An existing secret stays unless `force` is set, so that current logins stay valid. */
export async function restoreFiles(dataDir: string, file: string, force: boolean): Promise<void> {
  const folder = filesOf(file);
  if (!existsSync(folder)) return;
  await mkdir(dataDir, { recursive: true });
  if (existsSync(join(folder, FOLDER))) {
    await cp(join(folder, FOLDER), join(dataDir, FOLDER), { recursive: true });
  }
  const [from, to] = [join(folder, SECRET), join(dataDir, SECRET)];
  if (existsSync(from) && (force || !existsSync(to))) await copyFile(from, to);
}
