/**
 * Alerts: what is wrong now and was wrong before, and where alerts are sent (docs/server.md#alerts). The calls are ours. Rules and silences
 * are in alert-settings.ts.
 */
import { ALERT_LEVELS, RULE_KINDS } from "../../domain/alert-rules.ts";
import { z } from "../../zod.ts";
import { ruleIdSchema, ruleSchema } from "./alert-settings.ts";
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

const text = (max: number) => z.string().trim().max(max).refine(hasNoNul, NUL_MESSAGE);
const given = (max: number) => z.string().trim().min(1).max(max).refine(hasNoNul, NUL_MESSAGE);
const count = z.number().int().nonnegative();
const iso = z.string();
const levelSchema = z.enum(ALERT_LEVELS);

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

export const CHANNEL_TYPES = ["webhook", "chat", "mail"] as const;
/** What a webhook gets: our own JSON, or the body that the robots of these services read. */
export const WEBHOOK_FORMATS = ["json", "dingtalk", "wecom", "feishu"] as const;
const channelFields = {
  name: given(50),
  type: z.enum(CHANNEL_TYPES),
  /** chat: ids of accounts of the company. mail: addresses. Both separated by commas. webhook: its address. */
  target: given(1000).meta({ examples: ["https://hooks.example.org/alerts"] }),
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
