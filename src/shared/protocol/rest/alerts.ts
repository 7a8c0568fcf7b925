/**
 * Alerts: what is wrong now and was wrong before, the rules that say so, silences, and where alerts are sent (docs/server.md#alerts). The calls
 * are ours.
 */
import { ALERT_LEVELS, RULE_KINDS, RULE_MEASURES, RULE_REACHES } from "../../domain/alert-rules.ts";
import { z } from "../../zod.ts";
import {
  defineCall,
  hasNoNul,
  NUL_MESSAGE,
  pageQuerySchema,
  pageSchema,
  scopeSchema,
  times,
} from "./call.ts";
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

const text = (max: number) => z.string().trim().max(max).refine(hasNoNul, NUL_MESSAGE);
const given = (max: number) => z.string().trim().min(1).max(max).refine(hasNoNul, NUL_MESSAGE);
const count = z.number().int().nonnegative();
const iso = z.string();
const levelSchema = z.enum(ALERT_LEVELS);
const ruleIdSchema = z.string().regex(/^[a-z0-9-]{1,40}$/);
const ruleParams = z.object({ id: ruleIdSchema });

/** What an alert is about: `name` for people; `id` where a page shows the thing. */
const subjectSchema = z.object({
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
const deliverySchema = z.object({
  channelId: idSchema,
  channelName: z.string(),
  event: z.enum(["began", "ended"]),
  time: iso,
  success: z.boolean(),
  tries: count,
  error: z.string(),
});
export type AlertDelivery = z.infer<typeof deliverySchema>;

const ruleFields = {
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
const ruleSchema = z.object({
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

export const CHANNEL_TYPES = ["chat", "webhook", "mail"] as const;
/** What a webhook gets: our own JSON, or the body that the robots of these services read. */
export const WEBHOOK_FORMATS = ["json", "dingtalk", "wecom", "feishu"] as const;
const channelFields = {
  name: given(50),
  type: z.enum(CHANNEL_TYPES),
  /** chat: ids of accounts of the company. mail: addresses. Both separated by commas. webhook: its address. */
  target: given(1000),
  format: z.enum(WEBHOOK_FORMATS),
  leastLevel: levelSchema,
  language: z.enum(["zh", "en"]),
  on: z.boolean(),
};
const channelSchema = z.object({
  id: idSchema,
  ...channelFields,
  /** Names of the accounts of a chat channel, in the order of `target`. */
  names: z.array(z.string()),
  /** Whether a secret is set; the secret itself is never answered. */
  signed: z.boolean(),
  /** The last time that something was sent; null: never. */
  last: z.object({ time: iso, success: z.boolean(), error: z.string() }).nullable(),
  version: versionSchema,
});
export type AlertChannel = z.infer<typeof channelSchema>;
/** Left out: stays. Empty: no secret. */
const secret = text(200).optional();

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

  alertChannelList: defineCall({
    id: "alertChannels.list",
    method: "GET",
    path: "/monitor/alertChannel/list",
    summary: "A page of where alerts of the company are sent",
    auth: "bearer",
    access: EDITS,
    shows: ["alert-channels"],
    page: true,
    query: pageQuerySchema,
    data: pageSchema(channelSchema).extend({
      /** Whether the server has a mail server (SMTP_URL); without one, mail channels are refused. */
      mail: z.boolean(),
    }),
  }),

  alertChannelCreate: defineCall({
    id: "alertChannels.create",
    method: "POST",
    path: "/monitor/alertChannel",
    summary:
      "Send alerts of the company to people by chat, to a webhook, or by mail. That of the platform's company gets all alerts",
    auth: "bearer",
    access: EDITS,
    touches: ["alert-channels"],
    page: true,
    audits: {
      "alert-channel": [
        "告警通知",
        "Channel of alerts",
        {
          name: ["名称", "Name"],
          type: [
            "方式",
            "Kind",
            { chat: ["聊天消息", "Chat"], webhook: ["Webhook", "Webhook"], mail: ["邮件", "Mail"] },
          ],
          target: ["目标", "Target"],
          format: [
            "格式",
            "Format",
            {
              json: ["JSON", "JSON"],
              dingtalk: ["钉钉", "DingTalk"],
              wecom: ["企业微信", "WeCom"],
              feishu: ["飞书", "Feishu"],
            },
          ],
          leastLevel: [
            "最低级别",
            "Least level",
            {
              notice: ["提示", "Notice"],
              warning: ["警告", "Warning"],
              critical: ["严重", "Critical"],
            },
          ],
          language: ["语言", "Language", { zh: ["中文", "Chinese"], en: ["英文", "English"] }],
          on: ["启用", "On", "flag"],
          secret: ["密钥", "Secret"],
        },
      ],
    },
    body: z.object({ ...channelFields, secret }),
    data: channelSchema,
  }),

  alertChannelUpdate: defineCall({
    id: "alertChannels.update",
    method: "PUT",
    path: "/monitor/alertChannel",
    summary:
      "Change a channel; what is left out stays. An older version is refused with both versions",
    auth: "bearer",
    access: EDITS,
    touches: ["alert-channels"],
    page: true,
    body: z
      .object({ id: idSchema, version: versionSchema, secret })
      .extend(z.object(channelFields).partial().shape),
    data: channelSchema,
  }),

  alertChannelDelete: defineCall({
    id: "alertChannels.delete",
    method: "DELETE",
    path: "/monitor/alertChannel/{id}",
    summary: "Delete a channel",
    auth: "bearer",
    access: EDITS,
    touches: ["alert-channels"],
    page: true,
    params: z.object({ id: idSchema }),
  }),

  alertChannelTest: defineCall({
    id: "alertChannels.test",
    method: "POST",
    path: "/monitor/alertChannel/{id}/test",
    summary: "Send a message to a channel now, and say whether it arrived",
    auth: "bearer",
    access: EDITS,
    touches: ["alert-channels"],
    page: true,
    params: z.object({ id: idSchema }),
    data: z.object({ success: z.boolean(), error: z.string() }),
  }),
};
