/** The advanced filter of a list: groups of conditions, joined by "and" or "or". */
import { z } from "../../zod.ts";
import { hasNoNul, NUL_MESSAGE } from "./call.ts";

const operand = z.union([z.string().trim().max(200).refine(hasNoNul, NUL_MESSAGE), z.number()]);
export const FILTER_OPERATORS = [
  "eq",
  "ne",
  "contains",
  "startsWith",
  "gt",
  "ge",
  "lt",
  "le",
  "between",
  "in",
  "isEmpty",
  "notEmpty",
] as const;
export const MAX_FILTER_DEPTH = 5;
export const MAX_FILTER_RULES = 50;
/** One condition. `value` is an array for between (2 entries) and in (1 to 100 entries), and left out for isEmpty and notEmpty. */
export const filterRuleSchema = z.object({
  /** Field of the employee, or `custom.<key>`. */
  field: z.string().regex(/^(custom\.)?[a-z][a-zA-Z0-9]{0,31}$/),
  op: z.enum(FILTER_OPERATORS),
  value: z.union([operand, z.array(operand).max(100)]).optional(),
});
export type FilterRule = z.infer<typeof filterRuleSchema>;
export interface FilterGroup {
  readonly logic: "and" | "or";
  readonly rules: readonly (FilterRule | FilterGroup)[];
}
/** Nested groups, at most MAX_FILTER_DEPTH deep; an empty group matches every employee. */
const groupSchema = (depth: number): z.ZodType<FilterGroup> =>
  z.object({
    logic: z.enum(["and", "or"]),
    rules: z
      .array(depth <= 1 ? filterRuleSchema : z.union([filterRuleSchema, groupSchema(depth - 1)]))
      .max(20),
  });
export const filterGroupSchema = groupSchema(MAX_FILTER_DEPTH);

/** Longest filter in a query, so that the address stays below what servers take. */
export const FILTER_TEXT_MAX = 4000;
function parsed(text: string): FilterGroup | null {
  try {
    return filterGroupSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
/** A filter as JSON in a query. It stays a text, because the core sends on what it has checked. */
export const filterTextSchema = z
  .string()
  .max(FILTER_TEXT_MAX, "筛选条件过长")
  .refine((text) => parsed(text) !== null, "不是有效的筛选条件");

/** @param text that filterTextSchema accepts */
export const filterOf = (text: string): FilterGroup => parsed(text) ?? { logic: "and", rules: [] };
