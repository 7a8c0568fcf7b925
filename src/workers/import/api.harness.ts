/** For tests: the import of a file without a worker and without IndexedDB. */
import { gunzipSync } from "node:zlib";
import type { AskTaken, Mapping } from "../../shared/protocol/import-worker.ts";
import { type ImportChunk, importChunkSchema } from "../../shared/protocol/rest/imports.ts";
import { createImportApi } from "./api.ts";
import { openReader } from "./read/index.ts";

/** Answers that no number of a file is taken. */
export const nothingTaken: AskTaken = async () => ({ idNumbers: [], employeeNos: [] });

export interface ImportInMemory {
  readonly api: ReturnType<typeof createImportApi>;
  /** What is staged, in place of IndexedDB. */
  readonly kept: Map<string, unknown>;
  /** The chunks that are staged, in their order. */
  chunks(): ImportChunk[];
}

/**
 * @param options.now ms since the epoch, 1970-01-01 by default
 * @param options.kept what earlier imports have staged
 * @param options.busy keys of jobs that another tab stages
 */
export function importInMemory(
  options: {
    readonly now?: number;
    readonly kept?: Map<string, unknown>;
    readonly busy?: ReadonlySet<string>;
  } = {},
): ImportInMemory {
  const { now = 0, kept = new Map<string, unknown>(), busy = new Set<string>() } = options;
  const api = createImportApi({
    openReader,
    staging: {
      get: async (key) => kept.get(key),
      set: async (key, value) => void kept.set(key, value),
      keys: async () => [...kept.keys()],
      delMany: async (keys) => {
        for (const key of keys) kept.delete(key);
      },
      alone: (_, work) => work(),
      ifAlone: async (key, work) => {
        if (!busy.has(key)) await work();
      },
    },
    now: () => now,
    pause: () => new Promise((resolve) => setImmediate(resolve)),
  });
  return {
    api,
    kept,
    chunks: () =>
      [...kept].flatMap(([key, value]) =>
        key.startsWith("chunk:")
          ? importChunkSchema.parse(JSON.parse(String(gunzipSync(value as Uint8Array))))
          : [],
      ),
  };
}

/** The rows of the chunks, with a value per column of the file; null where the chunk has none. */
export function rowsOfChunks(
  chunks: readonly ImportChunk[],
  mapping: Mapping,
): (string | null)[][] {
  return chunks.flatMap((chunk) =>
    chunk.rows.map((_, row) =>
      mapping.map((field) => {
        const name = field === "department" ? "departmentId" : field;
        const column =
          chunk.columns.find((one) => one.field === name) ??
          chunk.columns.find((one) => one.field === field);
        return column?.dict[column.idx[row] ?? -1] ?? null;
      }),
    ),
  );
}
