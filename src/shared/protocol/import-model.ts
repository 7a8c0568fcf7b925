/** What the calls of imports and the slice of imports have in common (docs/import.md). */
import { z } from "../zod.ts";

export const importModeSchema = z.enum([
  /** Checks the rows and changes nothing. */
  "dry-run",
  /** Creates employees only; a row with a number in use is refused. */
  "insert",
  /** Like insert, but a row with the id number of a current employee changes that employee; empty cells change nothing. */
  "update",
]);
export type ImportMode = z.infer<typeof importModeSchema>;
