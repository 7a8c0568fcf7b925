/**
 * Rules of alerts and silences (docs/server.md#alerts). The calls are ours.
 */
import { ALERT_LEVELS, RULE_KINDS, RULE_MEASURES, RULE_REACHES } from "../../domain/alert-rules.ts";
import { z } from "../../zod.ts";
import { defineCall, hasNoNul, NUL_MESSAGE, pageQuerySchema, pageSchema } from "./call.ts";
import { versionSchema } from "./conflict.ts";
import { idSchema } from "./entities.ts";

const SEES = {
  company: "required",
  permissions: ["monitor:alert:list", "platform:alert:list"],
} as const;
const EDITS = { company: "required", permissions: ["monitor:alert:edit"] } as const;
/** The rules are the platform's. */
const RULES = { company: "required", permissions: ["platform:alert:edit"] } as const;

const text = (max: number) => z.string().trim().max(max).refine(hasNoNul, NUL_MESSAGE);
const given = (max: number) => z.string().trim().min(1).max(max).refine(hasNoNul, NUL_MESSAGE);
const count = z.number().int().nonnegative();
const iso = z.string();
const levelSchema = z.enum(ALERT_LEVELS);
export const ruleIdSchema = z.string().regex(/^[a-z0-9-]{1,40}$/);
const ruleParams = z.object({ id: ruleIdSchema });

const ruleFields = {
  name: text(50),
  on: z.boolean(),
  level: levelSchema,
  reach: z.enum(RULE_REACHES),
  kind: z.enum(RULE_KINDS),
  metric: z
    .string()
    .max(120)
    .regex(/^[a-z][\w.@+*/ -]*$/i, "指标名称不正确")
    .meta({ examples: ["restarts"] }),
  measure: z.enum(RULE_MEASURES),
  per: z
    .string()
    .max(120)
    .regex(/^[a-z][\w.@+-]*$/i, "指标名称不正确")
    .meta({ examples: ["cores"] })
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

const silenceFields = {
  /** Left out: every rule. */
  rule: ruleIdSchema.nullable(),
  /** Name of the subject; empty: every one. */
  subject: text(100),
  /** ISO 8601 */
  until: z.iso.datetime("时间格式不正确"),
  reason: given(200),
};
const silenceSchema = z.object({
  id: idSchema,
  ...silenceFields,
  ruleName: z.string(),
  startTime: iso,
  createBy: z.string(),
  /** It is still in force. */
  active: z.boolean(),
});
export type AlertSilence = z.infer<typeof silenceSchema>;

export const alertSettingCalls = {
  alertRuleList: defineCall({
    id: "alertRules.list",
    method: "GET",
    path: "/monitor/alertRule/list",
    summary:
      "A page of the rules, the shipped ones first; in another company than the platform's those about companies",
    auth: "bearer",
    access: SEES,
    shows: ["alert-rules", "alerts"],
    page: true,
    query: pageQuerySchema,
    data: pageSchema(ruleSchema),
  }),

  alertRuleCreate: defineCall({
    id: "alertRules.create",
    method: "POST",
    path: "/monitor/alertRule",
    summary: "A new rule, in the platform's company alone",
    auth: "bearer",
    access: RULES,
    touches: ["alert-rules", "alerts"],
    page: true,
    audits: {
      "alert-rule": [
        "告警规则",
        "Rule of alerts",
        {
          name: ["名称", "Name"],
          on: ["启用", "On", "flag"],
          level: [
            "级别",
            "Level",
            {
              notice: ["提示", "Notice"],
              warning: ["警告", "Warning"],
              critical: ["严重", "Critical"],
            },
          ],
          metric: ["指标", "Metric"],
          reach: [
            "范围",
            "About",
            {
              platform: ["平台整体", "The platform"],
              company: ["各企业分别", "Each company"],
            },
          ],
          kind: [
            "类型",
            "Kind",
            {
              threshold: ["阈值", "Threshold"],
              change: ["突变", "Change"],
              absence: ["消失", "Absence"],
            },
          ],
          measure: [
            "计算方式",
            "Measure",
            {
              sum: ["总数", "Sum"],
              mean: ["平均值", "Mean"],
              most: ["最大值", "Greatest"],
              p50: ["中位数", "Median"],
              p99: ["最慢的 1%", "Slowest 1 %"],
            },
          ],
          per: ["除以", "For each"],
          above: ["高于阈值时告警", "Above the limit", "flag"],
          value: ["阈值", "Limit"],
          window: ["统计时长（秒）", "Window, s"],
          before: ["对比时长（秒）", "Compared with, s"],
          lasting: ["持续（秒）", "Lasting, s"],
          least: ["至少发生次数", "At least"],
        },
      ],
    },
    body: z.object(ruleFields),
    data: ruleSchema,
  }),

  alertRuleUpdate: defineCall({
    id: "alertRules.update",
    method: "PUT",
    path: "/monitor/alertRule",
    summary:
      "Change a rule; what is left out stays. Of a shipped rule kind, metric and reach stay as they are. An older version is refused with both versions",
    auth: "bearer",
    access: RULES,
    touches: ["alert-rules", "alerts"],
    page: true,
    body: z
      .object({ id: ruleIdSchema, version: versionSchema })
      .extend(z.object(ruleFields).partial().shape),
    data: ruleSchema,
  }),

  alertRuleReset: defineCall({
    id: "alertRules.reset",
    method: "POST",
    path: "/monitor/alertRule/{id}/reset",
    summary: "Give a shipped rule the figures with which it was shipped",
    auth: "bearer",
    access: RULES,
    touches: ["alert-rules", "alerts"],
    page: true,
    params: ruleParams,
    data: ruleSchema,
  }),

  alertRuleDelete: defineCall({
    id: "alertRules.delete",
    method: "DELETE",
    path: "/monitor/alertRule/{id}",
    summary: "Delete a rule that somebody made; its open alerts end. A shipped one is refused",
    auth: "bearer",
    access: RULES,
    touches: ["alert-rules", "alerts"],
    page: true,
    params: ruleParams,
  }),

  alertSilenceList: defineCall({
    id: "alertSilences.list",
    method: "GET",
    path: "/monitor/alertSilence/list",
    summary:
      "A page of the silences of the company, those in force first; keyword searches subject and reason",
    auth: "bearer",
    access: SEES,
    shows: ["alert-silences"],
    page: true,
    query: pageQuerySchema,
    data: pageSchema(silenceSchema),
  }),

  alertSilenceCreate: defineCall({
    id: "alertSilences.create",
    method: "POST",
    path: "/monitor/alertSilence",
    summary:
      "Send no alerts of a rule or a subject until a time, at most 30 days on. They stay in the list. In the platform's company it holds for all alerts, elsewhere for those of the company",
    auth: "bearer",
    access: EDITS,
    touches: ["alert-silences", "alerts"],
    page: true,
    audits: {
      "alert-silence": [
        "告警静默",
        "Silence of alerts",
        {
          rule: ["规则", "Rule"],
          subject: ["对象", "Subject"],
          until: ["截止时间", "Until"],
          reason: ["原因", "Reason"],
        },
      ],
    },
    body: z.object(silenceFields),
    data: silenceSchema,
  }),

  alertSilenceEnd: defineCall({
    id: "alertSilences.end",
    method: "DELETE",
    path: "/monitor/alertSilence/{id}",
    summary: "End a silence now; it stays in the list",
    auth: "bearer",
    access: EDITS,
    touches: ["alert-silences", "alerts"],
    page: true,
    params: z.object({ id: idSchema }),
  }),
};
