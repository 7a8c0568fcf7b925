/**
 * Tags name what a REST call shows or touches (docs/session.md#live-data). When a call touches a tag, the core repeats each watched
 * read that shows it.
 */
import { z } from "../zod.ts";

export const dataTagSchema = z.enum([
  "applies",
  "config",
  "dict",
  "documents",
  "employees",
  "imports",
  "menus",
]);
export type DataTag = z.infer<typeof dataTagSchema>;
