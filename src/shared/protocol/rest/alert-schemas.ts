/** What the calls about alerts and their channels share (docs/server.md#alerts). */
import { ALERT_LEVELS, RULE_KINDS, RULE_MEASURES, RULE_REACHES } from "../../domain/alert-rules.ts";
import { z } from "../../zod.ts";
import { hasNoNul, NUL_MESSAGE } from "./call.ts";
import { versionSchema } from "./conflict.ts";
import { idSchema } from "./entities.ts";

export const text = (max: number) => z.string().trim().max(max).refine(hasNoNul, NUL_MESSAGE);
export const given = (max: number) =>
  z.string().trim().min(1).max(max).refine(hasNoNul, NUL_MESSAGE);
export const count = z.number().int().nonnegative();
export const iso = z.string();
export const levelSchema = z.enum(ALERT_LEVELS);
export const ruleIdSchema = z.string().regex(/^[a-z0-9-]{1,40}$/);

/** What an alert is about: `name` for people; `id` where a page shows the thing. */
export const subjectSchema = z.object({
  kind: z.enum([
    "platform",
    "process",
    "media-node",
    "database",
    "socket",
    "error",
    "route",
    "metric",
  ]),
  name: z.string(),
});

export const alertSchema = z.object({
  id: idSchema,
  rule: ruleIdSchema,
  /** Of a rule that somebody made; empty for a shipped one. */
  ruleName: z.string(),
  level: levelSchema,
  kind: z.enum(RULE_KINDS),
  metric: z.string(),
  /** Null: of the platform. */
  companyId: idSchema.nullable(),
  companyName: z.string(),
  subject: subjectSchema,
  /** Cores concerned, at most five: id of the core and name of its person. */
  cores: z.array(z.object({ id: z.string(), name: z.string() })),
  /** What was measured when it began, the worst since, and the limit, in the unit of the metric (a share where the rule divides). */
  value: z.number(),
  worst: z.number(),
  limit: z.number(),
  startTime: iso,
  /** Null: it is open. */
  endTime: iso.nullable(),
  /** Somebody takes care of it. */
  acknowledged: z.object({ name: z.string(), time: iso, note: z.string() }).nullable(),
  /** It began within a silence, so it was sent nowhere. */
  silenced: z.boolean(),
});
export type Alert = z.infer<typeof alertSchema>;

/** How an alert was sent to one channel. */
export const deliverySchema = z.object({
  channelId: idSchema,
  channelName: z.string(),
  event: z.enum(["began", "ended"]),
  time: iso,
  success: z.boolean(),
  tries: count,
  error: z.string(),
});
export type AlertDelivery = z.infer<typeof deliverySchema>;

export const ruleFields = {
  name: text(50),
  on: z.boolean(),
  level: levelSchema,
  reach: z.enum(RULE_REACHES),
  kind: z.enum(RULE_KINDS),
  metric: z
    .string()
    .max(120)
    .regex(/^[a-z][\w.@+*/ -]*$/i, "指标名称不正确"),
  measure: z.enum(RULE_MEASURES),
  per: z
    .string()
    .max(120)
    .regex(/^[a-z][\w.@+-]*$/i, "指标名称不正确")
    .nullable(),
  above: z.boolean(),
  value: z.number().min(0).max(1e12),
  window: z.number().int().min(10).max(3600).multipleOf(10),
  before: z.number().int().min(0).max(86_400).multipleOf(10),
  lasting: z.number().int().min(0).max(3600),
  least: z.number().min(0).max(1e9),
};
export const ruleSchema = z.object({
  id: ruleIdSchema,
  ...ruleFields,
  shipped: z.boolean(),
  /** A shipped rule of which somebody changed something. */
  changed: z.boolean(),
  /** Open alerts of the rule. */
  open: count,
  version: versionSchema,
});
export type AlertRuleRow = z.infer<typeof ruleSchema>;

export const silenceFields = {
  /** Left out: every rule. */
  rule: ruleIdSchema.nullable(),
  /** Name of the subject; empty: every one. */
  subject: text(100),
  /** ISO 8601 */
  until: z.iso.datetime("时间格式不正确"),
  reason: given(200),
};
export const silenceSchema = z.object({
  id: idSchema,
  ...silenceFields,
  ruleName: z.string(),
  startTime: iso,
  createBy: z.string(),
  /** It is still in force. */
  active: z.boolean(),
});
export type AlertSilence = z.infer<typeof silenceSchema>;
