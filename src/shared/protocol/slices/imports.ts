import { z } from "../../zod.ts";
import { IMPORT_STATES } from "../../domain/import-states.ts";
import { wireErrorSchema } from "../wire-error.ts";
import { importModeSchema } from "../import-model.ts";

/** A batch import as every tab shows it: staged on this machine, and being sent now or sent recently. */
export const importEntrySchema = z.object({
  /** The job's key (see import-staging). */
  key: z.string(),
  /** The server's id, null until it knows the job. */
  jobId: z.string().nullable(),
  fileName: z.string(),
  supplierId: z.string(),
  mode: importModeSchema,
  isInvite: z.boolean(),
  state: z.enum(IMPORT_STATES),
  rows: z.number().int(),
  /** Rows that the server has acknowledged. */
  sent: z.number().int(),
  created: z.number().int(),
  updated: z.number().int(),
  refused: z.number().int(),
  /** The server had imported the whole file before: nothing was added this time, and `created` counts the earlier import. */
  already: z.boolean(),
  chunks: z.number().int(),
  chunksDone: z.number().int(),
  /** ms since the epoch */
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  /** Rows per second over the last chunks, and ms left; null while unknown. */
  rate: z.number().nullable(),
  left: z.number().nullable(),
  /** Why the import waits or failed. */
  error: wireErrorSchema.nullable(),
});
export type ImportEntry = z.infer<typeof importEntrySchema>;
export const importsSliceSchema = z.object({ byKey: z.record(z.string(), importEntrySchema) });
