/**
 * The lock of a data folder, because two processes on one embedded database would corrupt it. The file names its process. The
 * lock of a process that no longer exists (killed, power loss) is taken over.
 */
import { randomUUID } from "node:crypto";
import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

export interface FolderLock {
  /** Idempotent. Does not remove the lock of another process. */
  release(): void;
}

export interface LockDeps {
  readonly pid: number;
  /** A mark that distinguishes a process from a later one with the same id; null when the process is gone, "" when unknown. */
  readonly startOf: (pid: number) => string | null;
}

/** Start mark of a running process: ticks since boot on Linux, a date elsewhere. */
export function processStart(pid: number): string | null {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return null;
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The command name in brackets may contain anything, so count fields after the last bracket. Field 22 is the start time,
    // field 3 the state.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? null : (fields[19] ?? "");
  } catch {
    try {
      return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim();
    } catch {
      return "";
    }
  }
}

interface LockFile {
  readonly pid: number;
  readonly start: string;
  readonly token: string;
}

function read(path: string): LockFile | null {
  try {
    const value = JSON.parse(readFileSync(path, "utf8")) as Partial<LockFile>;
    return typeof value.pid === "number" &&
      typeof value.start === "string" &&
      typeof value.token === "string"
      ? { pid: value.pid, start: value.start, token: value.token }
      : null;
  } catch {
    return null;
  }
}

/** @throws Error that names the folder and the process when a running process holds the lock */
export function lockFolder(
  folder: string,
  deps: LockDeps = { pid: process.pid, startOf: processStart },
): FolderLock {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "server.lock");
  const token = randomUUID();
  const ownFile = join(folder, `server.lock.${token}`);
  const self: LockFile = { pid: deps.pid, start: deps.startOf(deps.pid) ?? "", token };
  writeFileSync(ownFile, JSON.stringify(self), { mode: 0o600 });
  const refuse = (pid: number): never => {
    throw new Error(
      `The data folder ${resolve(folder)} is in use by another server (process ${pid}). ` +
        "Stop it first, or set DATA_DIR to another folder.",
    );
  };
  try {
    for (let tries = 0; ; tries++) {
      try {
        // Linking is atomic and never overwrites an existing lock.
        linkSync(ownFile, path);
        break;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST" || tries >= 5) throw error;
      }
      const held = read(path);
      const start = held === null ? null : deps.startOf(held.pid);
      if (held !== null && start !== null && (start === held.start || start === "")) {
        refuse(held.pid);
      }
      takeAway(path, held);
    }
  } finally {
    rmSync(ownFile, { force: true });
  }
  return {
    release() {
      if (read(path)?.token === token) rmSync(path, { force: true });
    },
  };
}

/** Removes a stale lock. If another process has meanwhile replaced the file with its own lock, puts that lock back. */
function takeAway(path: string, stale: LockFile | null): void {
  const aside = `${path}.stale.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  const taken = read(aside);
  if (taken?.token !== stale?.token) {
    try {
      linkSync(aside, path);
    } catch {
      // A third process holds the lock; the next attempt will show it.
    }
  }
  rmSync(aside, { force: true });
}
