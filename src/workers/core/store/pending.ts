/**
 * The ops of one slice between two sends. A pending set covers every later change below its path, because its value is the live
 * entity. A later op replaces those at or below its own path. So each path is sent at most once.
 */
import type { Op } from "../../../shared/protocol/state.ts";

type Path = readonly (string | number)[];
const keyOf = (path: Path): string => path.join("\u0000");

export interface Pending {
  /** Number of pending ops. */
  readonly size: number;
  /** @param replaced the former value at the path */
  set(path: Path, value: unknown, replaced: unknown): void;
  del(path: Path): void;
  /** Returns the pending ops and clears them. */
  drain(): Op[];
}

export function createPending(): Pending {
  let ops = new Map<string, Op>();

  /** Whether a pending set above this path includes the change already. */
  const covered = (path: Path): boolean => {
    for (let length = path.length - 1; length > 0; length -= 1) {
      if (ops.get(keyOf(path.slice(0, length)))?.[0] === "set") return true;
    }
    return false;
  };
  const put = (path: Path, op: Op, beneath: boolean): void => {
    const key = keyOf(path);
    // moved to the end, so that it comes after an earlier del of the same path
    ops.delete(key);
    if (beneath) {
      const prefix = `${key}\u0000`;
      for (const other of ops.keys()) if (other.startsWith(prefix)) ops.delete(other);
    }
    ops.set(key, op);
  };

  return {
    get size() {
      return ops.size;
    },
    set(path, value, replaced) {
      if (covered(path)) return;
      put(path, ["set", [...path], value], typeof replaced === "object" && replaced !== null);
    },
    del(path) {
      if (covered(path)) return;
      put(path, ["del", [...path]], true);
    },
    drain() {
      const taken = [...ops.values()];
      ops = new Map();
      return taken;
    },
  };
}
