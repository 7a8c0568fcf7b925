// Temporary files of the tests in memory. A database that is made and dropped costs a quarter of the processor time there, and the
// databases, servers and browsers of a run make hundreds.
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";

const GIB = 1024 ** 3;
/** Least bytes that the folder's file system and the machine have free. A run uses less than one GiB. */
const LEAST = { folder: 4 * GIB, memory: 8 * GIB };
const NAMES = /^console-tests-(\d+)-/;

/** The process may be of another user. */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/**
 * Makes a folder for temporary files. It removes those of runs that were killed.
 *
 * @param {{ at?: string, memory?: number }} options `at`: a file system in memory; `memory`: free bytes of the machine
 * @returns {string | null} its path; null where there is no such file system, or too little memory
 */
export function makeMemoryFolder({ at = "/dev/shm", memory = freemem() } = {}) {
  try {
    for (const name of readdirSync(at)) {
      const [, pid] = NAMES.exec(name) ?? [];
      if (pid === undefined || isRunning(Number(pid))) continue;
      rmSync(join(at, name), { recursive: true, force: true });
    }
    const { bavail, bsize } = statfsSync(at);
    if (bavail * bsize < LEAST.folder || memory < LEAST.memory) return null;
    const folder = mkdtempSync(join(at, `console-tests-${process.pid}-`));
    // Databases and proxies run as users of their own.
    chmodSync(folder, 0o755);
    return folder;
  } catch {
    return null;
  }
}

/** Keeps the temporary files of this process and of those that it starts in memory until it exits, unless TMPDIR names a folder. */
export function keepTemporaryFilesInMemory() {
  if ((process.env.TMPDIR ?? "") !== "") return;
  const folder = makeMemoryFolder();
  if (folder === null) return;
  process.env.TMPDIR = folder;
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
}
