/** Where alerts of a company are sent (docs/server.md#sending-alerts). The calls are ours. */
import { z } from "../../zod.ts";
import { given, iso, levelSchema, text } from "./alert-schemas.ts";
import { defineCall, pageQuerySchema, pageSchema } from "./call.ts";
import { versionSchema } from "./conflict.ts";
import { idSchema } from "./entities.ts";

const EDITS = { company: "required", permissions: ["monitor:alert:edit"] } as const;

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

export const alertChannelCalls = {
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
