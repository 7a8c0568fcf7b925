/**
 * Tags name what a REST call shows or touches (docs/session.md#live-data). A read whose tag was touched is asked again wherever
 * somebody watches it.
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
