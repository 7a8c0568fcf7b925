/**
 * Tags name what a REST call shows or touches (docs/session.md#live-data). When a call touches a tag, the core repeats each watched
 * read that shows it.
 */
import { z } from "../zod.ts";

export const dataTagSchema = z.enum([
  "applies",
  "audit",
  "bulletins",
  "calls",
  "clientErrors",
  "company",
  "conferences",
  "config",
  "departments",
  "dict",
  "documents",
  "employees",
  "groupCalls",
  "imports",
  "memberships",
  "menus",
  "ownCalls",
  "ownFields",
  "preferences",
  "profile",
  "roles",
  "sessions",
  "signIns",
  "tasks",
  "twoFactor",
]);
export type DataTag = z.infer<typeof dataTagSchema>;
