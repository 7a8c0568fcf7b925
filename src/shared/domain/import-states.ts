/** States of an import that the core sends; the table over them is import-job.ts. */
export const IMPORT_STATES = [
  "staged",
  "sending",
  /** Lost network or busy server; retried automatically. */
  "waiting",
  "paused",
  "cancelling",
  "cancelled",
  "failed",
  "done",
] as const;
export type ImportState = (typeof IMPORT_STATES)[number];
