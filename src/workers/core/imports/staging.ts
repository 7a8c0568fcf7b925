/**
 * What an import needs to survive the core (docs/import.md#staging): the rows that the import worker staged, and a record of what the server
 * has acknowledged. A chunk is deleted only after its acknowledgement is stored.
 */
import { nameBelow } from "../../../shared/domain/base-path.ts";
import { createStore, del, delMany, get, keys, set } from "idb-keyval";
import { z } from "../../../shared/zod.ts";
import { wireErrorSchema } from "../../../shared/protocol/wire-error.ts";
import { IMPORT_STATES } from "../../../shared/domain/import-states.ts";
import {
  STAGING_DB,
  STAGING_STORE,
  type StagedJob,
  stagedChunkKey,
  stagedJobKey,
  stagedJobSchema,
} from "../../../shared/protocol/import-staging.ts";
import type { CoreEnv, Kv } from "../contracts.ts";

/** The staging database. Unlike the core's own storage it rejects on failure: what is not stored must not count as stored. */
export interface StagingKv extends Kv {
  keys(): Promise<readonly string[]>;
  /** Deletes all of these keys or none. */
  delMany(keys: readonly string[]): Promise<void>;
}

/** @param base base path of the console, whose storage is its own */
export function createStagingKv(base: string): StagingKv {
  let opened: ReturnType<typeof createStore> | null = null;
  // Open it on first use, so that a browser that refuses IndexedDB breaks only imports.
  const store = () => (opened ??= createStore(nameBelow(base, STAGING_DB), STAGING_STORE));
  return {
    get: async (key) => get(key, store()),
    set: async (key, value) => set(key, value, store()),
    del: async (key) => del(key, store()),
    keys: async () => keys<string>(store()),
    delMany: async (all) => delMany([...all], store()),
  };
}

const keptKey = (key: string): string => `kept:${key}`;

const keptSchema = z.object({
  v: z.literal(1),
  job: stagedJobSchema,
  jobId: z.string().nullable(),
  state: z.enum(IMPORT_STATES),
  /** Indexes of the chunks that the server has acknowledged. */
  acked: z.array(z.number().int()),
  created: z.number().int(),
  updated: z.number().int(),
  refused: z.number().int(),
  /** Whether the server had all rows before this import sent anything. */
  already: z.boolean().default(false),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  error: wireErrorSchema.nullable(),
});
/** The stored record of an import. `state.imports` shows the live one. */
export type KeptImport = z.infer<typeof keptSchema>;

export const newKept = (job: StagedJob, now: number): KeptImport => ({
  v: 1,
  job,
  jobId: null,
  state: "staged",
  acked: [],
  created: 0,
  updated: 0,
  refused: 0,
  already: false,
  startedAt: now,
  endedAt: null,
  error: null,
});

export interface Staging {
  /** The keys of all imports that are staged or recorded here, of every account. */
  list(): Promise<string[]>;
  /** The staged job and the record of a key; each null when it is absent or unreadable. */
  read(key: string): Promise<{ staged: StagedJob | null; kept: KeptImport | null }>;
  /** The packed rows of a chunk; null when they are lost. */
  chunk(key: string, index: number): Promise<Uint8Array<ArrayBuffer> | null>;
  keep(kept: KeptImport): Promise<void>;
  dropChunks(key: string, indexes: readonly number[]): Promise<void>;
  /** Deletes the staged rows. The record of the import stays. */
  dropStaged(job: StagedJob): Promise<void>;
  forget(key: string): Promise<void>;
}

export function createStaging(kv: StagingKv, log: CoreEnv["log"]): Staging {
  const parsed = async <S extends z.ZodType>(
    schema: S,
    key: string,
  ): Promise<z.output<S> | null> => {
    const value = await kv.get(key);
    if (value === undefined) return null;
    const result = schema.safeParse(value);
    if (!result.success) log("imports", "warn", `${key.slice(0, 12)} cannot be read`);
    return result.success ? result.data : null;
  };
  return {
    async list() {
      const found = (await kv.keys()).flatMap((key) => {
        const match = /^(?:job|kept):([0-9a-f]{64})$/.exec(key);
        return match?.[1] ?? [];
      });
      return [...new Set(found)];
    },
    async read(key) {
      const [staged, kept] = await Promise.all([
        parsed(stagedJobSchema, stagedJobKey(key)),
        parsed(keptSchema, keptKey(key)),
      ]);
      return { staged, kept };
    },
    async chunk(key, index) {
      const value = await kv.get<unknown>(stagedChunkKey(key, index));
      return value instanceof Uint8Array ? (value as Uint8Array<ArrayBuffer>) : null;
    },
    keep: (kept) => kv.set(keptKey(kept.job.key), kept),
    async dropChunks(key, indexes) {
      if (indexes.length > 0) await kv.delMany(indexes.map((index) => stagedChunkKey(key, index)));
    },
    async dropStaged(job) {
      const there = await parsed(stagedJobSchema, stagedJobKey(job.key));
      // The rows are already deleted, or they belong to a later staging of the same file.
      if (there?.stagedAt !== job.stagedAt) return;
      const chunks = Array.from({ length: job.chunks }, (_, i) => stagedChunkKey(job.key, i));
      await kv.delMany([...chunks, stagedJobKey(job.key)]);
    },
    forget: (key) => kv.del(keptKey(key)),
  };
}
