/**
 * What the import worker writes down and the core sends: rows that passed, packed as chunks, in a database of their own
 * (IndexedDB, by idb-keyval's createStore). A job is there whole or not at all: its record is written last.
 */
import { z } from "../zod.ts";
import { importFieldSchema, importModeSchema } from "./rest/imports.ts";

export const STAGING_DB = "console-imports";
export const STAGING_STORE = "staged";

export const stagedJobKey = (key: string): string => `job:${key}`;
/** Value: gzip over the JSON of importChunkSchema, a Uint8Array. */
export const stagedChunkKey = (key: string, index: number): string => `chunk:${key}:${index}`;

export const stagedJobSchema = z.object({
  /** The job's key on the server, and its name here. */
  key: z.string().regex(/^[0-9a-f]{64}$/),
  fileName: z.string().min(1).max(255),
  mode: importModeSchema,
  isInvite: z.boolean(),
  /** Company and account that it was checked for; another one's core leaves it alone. */
  supplierId: z.string(),
  accountId: z.string(),
  rows: z.number().int().min(1),
  chunks: z.number().int().min(1),
  /** Rows of each chunk, and its bytes as sent. */
  sizes: z.array(z.object({ rows: z.number().int(), bytes: z.number().int() })),
  fields: z.array(importFieldSchema).min(1),
  stagedAt: z.number(),
});
export type StagedJob = z.infer<typeof stagedJobSchema>;
