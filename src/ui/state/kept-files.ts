/**
 * Files of drafts (docs/session.md#drafts-of-forms), which are too large for the tab's storage. A draft names its file by a key. A logout
 * drops all files; those of tabs that were closed are dropped after a day.
 */
import { clear, createStore, del, delMany, get, keys, set } from "idb-keyval";

import { BASE_PATH } from "../../core-client/base-path.ts";
import { nameBelow } from "../../shared/domain/base-path.ts";

/** ms that a file of a closed tab is kept. */
export const FILE_KEPT = 24 * 60 * 60_000;
const DB = "console-drafts";

/** The part of a key-value store that is used. */
export interface FileStore {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
  del(key: string): Promise<void>;
  keys(): Promise<readonly string[]>;
  delMany(keys: readonly string[]): Promise<void>;
  clear(): Promise<void>;
}

export function browserFiles(): FileStore {
  const store = createStore(nameBelow(BASE_PATH, DB), "files");
  return {
    get: async (key) => get(key, store),
    set: async (key, value) => set(key, value, store),
    del: async (key) => del(key, store),
    keys: async () => keys<string>(store),
    delMany: async (all) => delMany([...all], store),
    clear: async () => clear(store),
  };
}

export interface KeptFiles {
  /** @returns its key. Rejects where the browser refuses to store it */
  keep(file: File): Promise<string>;
  /** @returns null when it is gone. Rejects when the browser refuses to read twice */
  read(key: string): Promise<File | null>;
  /** Never rejects. */
  drop(key: string): Promise<void>;
  /** Of all persons and companies. Never rejects. */
  dropAll(): Promise<void>;
}

export function createKeptFiles(deps: {
  readonly store: () => FileStore;
  readonly now: () => number;
  readonly newId: () => string;
}): KeptFiles {
  let opened: FileStore | null = null;
  // opened on first use, so that a browser that refuses IndexedDB breaks only this
  const store = (): FileStore => (opened ??= deps.store());
  const bornAt = (key: string): number => Number(key.split(":")[0]);
  const sweep = async (): Promise<void> => {
    const old = (await store().keys()).filter((key) => bornAt(key) < deps.now() - FILE_KEPT);
    if (old.length > 0) await store().delMany(old);
  };
  const quietly = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch {
      // a browser that refuses storage has kept nothing
    }
  };
  return {
    async keep(file) {
      await quietly(sweep);
      const key = `${deps.now()}:${deps.newId()}`;
      await store().set(key, file);
      return key;
    },
    async read(key) {
      const kept = await store()
        .get(key)
        .catch(() => {
          // A database that failed to open fails as long as it is not opened again.
          opened = null;
          return store().get(key);
        });
      return kept instanceof File ? kept : null;
    },
    drop: (key) => quietly(() => store().del(key)),
    dropAll: () => quietly(() => store().clear()),
  };
}

export const keptFiles = (): KeptFiles =>
  createKeptFiles({
    store: browserFiles,
    now: () => Date.now(),
    newId: () => crypto.randomUUID(),
  });
