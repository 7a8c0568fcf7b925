/**
 * Stages the good rows for the core: column-wise with dictionaries, gzipped, a fixed number of rows per chunk. The job record is
 * written last, so that an incomplete job does not exist.
 */
import { AppError } from "../../shared/errors.ts";
import {
  type StagedJob,
  stagedChunkKey,
  stagedJobKey,
  stagedJobSchema,
} from "../../shared/protocol/import-staging.ts";
import { IMPORT_CHUNK_ROWS, type ImportChunk } from "../../shared/protocol/rest/imports.ts";
import type { CheckedTable } from "./check/checked.ts";
import type { Table } from "./contracts.ts";

export interface Staging {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
  keys(): Promise<readonly string[]>;
  delMany(keys: readonly string[]): Promise<void>;
  /** Runs `work` while no other worker of this browser stages the job. The lock is released when a worker dies. */
  alone<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Like `alone`, but does nothing when another worker holds the job. */
  ifAlone(key: string, work: () => Promise<void>): Promise<void>;
}
export interface StageRequest {
  readonly fileName: string;
  readonly isInvite: boolean;
  readonly accountId: string;
  readonly fileHash: string;
}

export interface StageDeps {
  readonly breathe: () => Promise<void>;
  /** Current time in ms. */
  readonly now: () => number;
  readonly onProgress: (rows: number, part: number) => void;
}

/** Feeds the compression directly: a Blob and a Response would take a round trip to another process each. */
export async function gzip(text: string): Promise<Uint8Array> {
  const { readable, writable } = new CompressionStream("gzip");
  const writer = writable.getWriter();
  // The reader below reports a failure as well.
  const written = writer.write(new TextEncoder().encode(text)).then(() => writer.close());
  written.catch(() => undefined);
  const parts: Uint8Array[] = [];
  const reader = readable.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read())
    parts.push(part.value);
  await written;
  return joined(parts);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
export const hex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Key of a job. The same file, mapping, edits and way of importing give the same job, whichever tab starts it. */
export async function jobKey(
  checked: Pick<CheckedTable, "request" | "edits">,
  request: StageRequest,
): Promise<string> {
  const { mapping, mode, context } = checked.request;
  const said = JSON.stringify([
    1,
    request.fileHash,
    mapping,
    checked.edits,
    mode,
    request.isInvite,
    context.supplierId,
  ]);
  return hex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(said)));
}

/** Packs rows of the table, given by index, into one chunk. */
export function packChunk(
  table: Pick<Table, "rowNumber">,
  checked: Pick<CheckedTable, "columns">,
  rows: readonly number[],
  fieldOf: (key: string) => string,
): ImportChunk {
  return {
    v: 1,
    rows: rows.map((i) => table.rowNumber(i)),
    columns: checked.columns.map((column) => {
      const dict: string[] = [];
      // By id of the text: hashing each text again would take longer than all the rest.
      const places = new Map<number, number>();
      const idx = rows.map((i) => {
        const id = column.ids[i]!;
        const known = places.get(id);
        if (known !== undefined) return known;
        const value = column.value(id);
        const place = value === "" ? -1 : dict.push(value) - 1;
        places.set(id, place);
        return place;
      });
      return { field: fieldOf(column.field.key), dict, idx };
    }),
  };
}

/** Deletes chunks that have no job record, because the worker was killed or the person stopped the import. */
export async function sweep(staging: Staging): Promise<void> {
  const found = new Map<string, string[]>();
  for (const name of await staging.keys()) {
    const key = /^chunk:([0-9a-f]{64}):\d+$/.exec(name)?.[1];
    if (key !== undefined) found.set(key, [...(found.get(key) ?? []), name]);
  }
  for (const [key, chunks] of found) {
    await staging.ifAlone(key, async () => {
      if ((await staging.get(stagedJobKey(key))) === undefined) await staging.delMany(chunks);
    });
  }
}

/** @throws AppError import.staging-full; any error that `breathe` rejects with */
export async function stageRows(
  table: Table,
  checked: CheckedTable,
  request: StageRequest,
  staging: Staging,
  deps: StageDeps,
): Promise<StagedJob> {
  // Leftovers of another job must not make this one fail.
  await sweep(staging).catch(() => undefined);
  const key = await jobKey(checked, request);
  return staging.alone(key, () => stageJob(key, table, checked, request, staging, deps));
}

async function stageJob(
  key: string,
  table: Table,
  checked: CheckedTable,
  request: StageRequest,
  staging: Staging,
  deps: StageDeps,
): Promise<StagedJob> {
  const { mode, context } = checked.request;
  const already = stagedJobSchema.safeParse(await staging.get(stagedJobKey(key)));
  if (already.success && already.data.accountId === request.accountId) return already.data;

  const good: number[] = [];
  for (let i = 0; i < table.rows; i += 1) if (!checked.isBad(i)) good.push(i);
  if (good.length === 0) throw new AppError("import.empty", { message: "没有可以导入的行" });
  // Department names were replaced by ids if the tenant has departments.
  const fieldOf = (name: string): string =>
    name === "department" && context.departments.length > 0 ? "departmentId" : name;
  const sizes: { rows: number; bytes: number }[] = [];
  // One chunk is written while the next one is packed.
  let writing: Promise<void> = Promise.resolve();
  try {
    for (let at = 0; at < good.length; at += IMPORT_CHUNK_ROWS) {
      await deps.breathe();
      const rows = good.slice(at, at + IMPORT_CHUNK_ROWS);
      const bytes = await gzip(JSON.stringify(packChunk(table, checked, rows, fieldOf)));
      await writing;
      writing = staging.set(stagedChunkKey(key, sizes.length), bytes);
      writing.catch(() => undefined);
      sizes.push({ rows: rows.length, bytes: bytes.length });
      deps.onProgress(at + rows.length, (at + rows.length) / good.length);
    }
    await writing;
    const job: StagedJob = {
      key,
      fileName: request.fileName,
      mode,
      isInvite: request.isInvite,
      supplierId: context.supplierId,
      accountId: request.accountId,
      rows: good.length,
      chunks: sizes.length,
      sizes,
      fields: checked.columns.map(({ field }) => fieldOf(field.key)),
      stagedAt: deps.now(),
    };
    await staging.set(stagedJobKey(key), job);
    return job;
  } catch (error) {
    // Without a job record the chunks would only take up space.
    await writing.catch(() => undefined);
    if (!already.success) {
      const written = sizes.map((_, index) => stagedChunkKey(key, index));
      await staging.delMany(written).catch(() => undefined);
    }
    if (error instanceof DOMException && error.name === "QuotaExceededError") {
      throw new AppError("import.staging-full", { cause: error });
    }
    throw error;
  }
}
