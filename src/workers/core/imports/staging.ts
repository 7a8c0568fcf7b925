/**
 * What an import needs to outlive the core: the rows that the import worker staged, and beside them what the server has answered
 * for. A chunk is taken away only after its acknowledgement was written down.
 */
import { createStore, del, delMany, get, keys, set } from "idb-keyval";
import { z } from "../../../shared/zod.ts";
import { wireErrorSchema } from "../../../shared/errors.ts";
import { IMPORT_STATES } from "../../../shared/domain/import-states.ts";
import {
  STAGING_DB,
  STAGING_STORE,
  type StagedJob,
  stagedChunkKey,
  stagedJobKey,
  stagedJobSchema,
} from "../../../shared/protocol/import-staging.ts";
import type { Kv } from "../contracts.ts";

/** The staging database. Unlike the core's own storage it fails aloud: what is not written down must not count as kept. */
export interface StagingKv extends Kv {
  keys(): Promise<readonly string[]>;
  /** All of them or none. */
  delMany(keys: readonly string[]): Promise<void>;
}

export function createStagingKv(): StagingKv {
  let opened: ReturnType<typeof createStore> | null = null;
  // opened when it is first needed: where the browser refuses, imports alone fail
  const store = () => (opened ??= createStore(STAGING_DB, STAGING_STORE));
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
  /** Chunks that the server has answered for. */
  acked: z.array(z.number().int()),
  created: z.number().int(),
  updated: z.number().int(),
  refused: z.number().int(),
  /** All of it was in before this one began. */
  already: z.boolean().default(false),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  error: wireErrorSchema.nullable(),
});
/** An import as it is written down; the live one is `state.imports`. */
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
  /** Keys of the imports that are staged here or are remembered, of whomever. */
  list(): Promise<string[]>;
  /** What is staged under a key, and what was remembered of it; null where there is none or it cannot be read. */
  read(key: string): Promise<{ staged: StagedJob | null; kept: KeptImport | null }>;
  /** Packed rows; null when they are gone. */
  chunk(key: string, index: number): Promise<Uint8Array<ArrayBuffer> | null>;
  keep(kept: KeptImport): Promise<void>;
  dropChunks(key: string, indexes: readonly number[]): Promise<void>;
  /** Takes the staged rows away; what is remembered of the import stays. */
  dropStaged(job: StagedJob): Promise<void>;
  forget(key: string): Promise<void>;
}

export function createStaging(kv: StagingKv, report: (message: string) => void): Staging {
  const parsed = async <S extends z.ZodType>(
    schema: S,
    key: string,
  ): Promise<z.output<S> | null> => {
    const value = await kv.get(key);
    if (value === undefined) return null;
    const result = schema.safeParse(value);
    if (!result.success) report(`imports: ${key.slice(0, 12)} cannot be read`);
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
      // gone already, or staged once more: those rows are another's
      if (there?.stagedAt !== job.stagedAt) return;
      const chunks = Array.from({ length: job.chunks }, (_, i) => stagedChunkKey(job.key, i));
      await kv.delMany([...chunks, stagedJobKey(job.key)]);
    },
    forget: (key) => kv.del(keptKey(key)),
  };
}
