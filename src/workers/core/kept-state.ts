/**
 * What a core needs of the one before it, under one key of the browser's storage: the latest state, one write at a time. A read that fails
 * is tried again, because a call that counts as none would be lost.
 */
import type { CoreEnv } from "./contracts.ts";

/** Attempts of a read, and ms between two of them. */
const READS = 3;
const PAUSE = 200;

export interface KeptState<T> {
  /** @returns null: nothing is stored, or nothing that can be read, which is logged */
  load(): Promise<T | null>;
  /**
   * Stores the latest state; null removes it.
   *
   * @returns resolves when it is stored, or could not be, which is logged
   */
  save(state: T | null): Promise<void>;
}

/**
 * @param about.key of the storage
 * @param about.scope of the log
 * @param about.what names the state in the log, as "the call"
 * @param about.read makes a state of what is stored; null: it is none
 */
export function createKeptState<T>(
  env: Pick<CoreEnv, "kv" | "clock" | "log">,
  about: {
    readonly key: string;
    readonly scope: Parameters<CoreEnv["log"]>[0];
    readonly what: string;
    readonly read: (stored: unknown) => T | null;
  },
): KeptState<T> {
  const { key, scope, what } = about;
  const report = (failure: string, error: unknown): void =>
    env.log(
      scope,
      "error",
      `${what} could not be ${failure} (${error instanceof Error ? error.name : "?"})`,
    );
  let next: T | null | undefined;
  let writing: Promise<void> | null = null;
  const write = async (): Promise<void> => {
    while (next !== undefined) {
      const state = next;
      next = undefined;
      try {
        if (state === null) await env.kv.del(key);
        else await env.kv.set(key, state);
      } catch (error) {
        report("stored", error);
      }
    }
    writing = null;
  };
  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      env.clock.after(PAUSE, resolve);
    });
  async function stored(reads: number): Promise<unknown> {
    try {
      return await env.kv.get<unknown>(key);
    } catch (error) {
      if (reads === 1) throw error;
      await pause();
      return stored(reads - 1);
    }
  }
  return {
    async load() {
      try {
        const found = await stored(READS);
        if (found === undefined) return null;
        const state = about.read(found);
        if (state === null) env.log(scope, "error", `${what} that is stored is not a valid one`);
        return state;
      } catch (error) {
        report("read", error);
        return null;
      }
    },
    save(state) {
      // what the caller changes meanwhile comes with its next state
      next = structuredClone(state);
      writing ??= write();
      return writing;
    },
  };
}
