/**
 * What the import worker stores and the core sends: rows that passed the check, packed as chunks, in an IndexedDB database of
 * their own (idb-keyval's createStore). The job's record is written last, so a job exists whole or not at all.
 */
import { z } from "../zod.ts";
import { importModeSchema } from "./import-model.ts";
import { importFieldSchema } from "./rest/imports.ts";

export const STAGING_DB = "console-imports";
export const STAGING_STORE = "staged";

export const stagedJobKey = (key: string): string => `job:${key}`;
/** The stored value is a Uint8Array: gzip of the JSON of importChunkSchema. */
export const stagedChunkKey = (key: string, index: number): string => `chunk:${key}:${index}`;

export const stagedJobSchema = z.object({
  /** The job's key, the same on the server and here. */
  key: z.string().regex(/^[0-9a-f]{64}$/),
  fileName: z.string().min(1).max(255),
  mode: importModeSchema,
  isInvite: z.boolean(),
  /** Company and account that the job was checked for; the core of another company or account does not send it. */
  supplierId: z.string(),
  accountId: z.string(),
  rows: z.number().int().min(1),
  chunks: z.number().int().min(1),
  /** Per chunk: number of rows, and bytes as sent. */
  sizes: z.array(z.object({ rows: z.number().int(), bytes: z.number().int() })),
  fields: z.array(importFieldSchema).min(1),
  stagedAt: z.number(),
});
export type StagedJob = z.infer<typeof stagedJobSchema>;
