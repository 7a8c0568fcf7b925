/**
 * Alerts: what is wrong now and was wrong before, the rules that say so, and silences (docs/server.md#alerts). The calls are ours; those
 * about where alerts are sent are in alert-channels.ts.
 */
import { z } from "../../zod.ts";
import {
  alertSchema,
  count,
  deliverySchema,
  levelSchema,
  ruleFields,
  ruleIdSchema,
  ruleSchema,
  silenceFields,
  silenceSchema,
  text,
} from "./alert-schemas.ts";
import { defineCall, pageQuerySchema, pageSchema, scopeSchema, times } from "./call.ts";
import { versionSchema } from "./conflict.ts";
import { idSchema } from "./entities.ts";

const SEES = {
  company: "required",
  permissions: ["monitor:alert:list", "platform:alert:list"],
} as const;
/** Acknowledge, silence, and set up where alerts of the company are sent. */
const EDITS = { company: "required", permissions: ["monitor:alert:edit"] } as const;
/** The rules are the platform's. */
const RULES = { company: "required", permissions: ["platform:alert:edit"] } as const;

const ruleParams = z.object({ id: ruleIdSchema });

export const alertCalls = {
  alertList: defineCall({
    id: "alerts.list",
    method: "GET",
    path: "/monitor/alert/list",
    summary:
      "A page of the alerts of the company, open ones first, then the latest; keyword searches subjects and people. With scope=all those of the platform and of every company",
    auth: "bearer",
    access: SEES,
    shows: ["alerts"],
    page: true,
    query: pageQuerySchema.extend({
      scope: scopeSchema,
      state: z.enum(["open", "ended"]).optional(),
      level: levelSchema.optional(),
      rule: ruleIdSchema.optional(),
      ...times,
    }),
    data: pageSchema(alertSchema),
  }),

  alertOpen: defineCall({
    id: "alerts.open",
    method: "GET",
    path: "/monitor/alert/open",
    summary:
      "The open alerts that the caller may see, of the platform and every company for its operators: their number by level, and the latest 20",
    auth: "bearer",
    access: SEES,
    shows: ["alerts"],
    page: true,
    data: z.object({
      /** Whether the caller sees those of the platform and of every company. */
      all: z.boolean(),
      notice: count,
      warning: count,
      critical: count,
      alerts: z.array(alertSchema),
    }),
  }),

  alertGet: defineCall({
    id: "alerts.get",
    method: "GET",
    path: "/monitor/alert/{id}",
    summary:
      "One alert by its id, or by the key that messages about it name; its rule as it is now, and where it was sent",
    auth: "bearer",
    access: SEES,
    shows: ["alerts"],
    record: "params.id",
    page: true,
    params: z.object({ id: idSchema }),
    data: alertSchema.extend({
      /** Null: the rule is deleted. */
      now: ruleSchema.nullable(),
      deliveries: z.array(deliverySchema),
    }),
  }),

  alertAcknowledge: defineCall({
    id: "alerts.acknowledge",
    method: "POST",
    path: "/monitor/alert/{id}/acknowledge",
    summary: "Say that one takes care of an alert; again: another note",
    auth: "bearer",
    access: EDITS,
    touches: ["alerts"],
    record: "params.id",
    page: true,
    audits: { alert: ["告警", "Alert", { note: ["备注", "Note"] }] },
    params: z.object({ id: idSchema }),
    body: z.object({ note: text(500) }),
    data: alertSchema,
  }),

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
          value: ["阈值", "Limit"],
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
