/**
 * What a webhook gets: our own JSON, or the body that the robots of DingTalk, WeCom and Feishu read, signed as each requires
 * (docs/server.md#sending-alerts). Pure.
 */
import { createHmac } from "node:crypto";
import type { WEBHOOK_FORMATS } from "../../../../shared/protocol/rest/alerts.ts";
import { type AlertText, markdown, plainText, type Sent } from "./message.ts";

export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

export interface WebhookMessage {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Bytes of a markdown message that WeCom takes. */
const WECOM_BYTES = 4096;
const hmac = (key: string, text: string) => createHmac("sha256", key).update(text);

/** As many whole characters as fit. */
function fitting(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  let [fit, used] = ["", 3];
  for (const character of text) {
    used += Buffer.byteLength(character);
    if (used > bytes) break;
    fit += character;
  }
  return `${fit}…`;
}

/** Our own form: the fields of `alerts.get`, and the same in words. */
function ownBody(sent: Sent, text: AlertText, companyName: string, now: number): unknown {
  const words = { title: text.title, text: plainText(text), link: text.link };
  const time = new Date(now).toISOString();
  if (sent.event === "test") return { event: "test", time, ...words };
  const { startedAt, endedAt, silenced: _silenced, ...alert } = sent.alert;
  return {
    event: sent.event,
    time,
    ...words,
    alert: {
      ...alert,
      companyName,
      startTime: new Date(startedAt).toISOString(),
      endTime: endedAt === null ? null : new Date(endedAt).toISOString(),
    },
  };
}

export function webhookMessage(options: {
  readonly format: WebhookFormat;
  readonly url: string;
  /** "" for none. */
  readonly secret: string;
  readonly sent: Sent;
  readonly text: AlertText;
  readonly companyName: string;
  /** ms since the epoch */
  readonly now: number;
}): WebhookMessage {
  const { format, url, secret, sent, text, companyName, now } = options;
  const headers = { "content-type": "application/json; charset=utf-8" };
  const json = (value: unknown) => ({ url, headers, body: JSON.stringify(value) });
  switch (format) {
    case "json": {
      const message = json(ownBody(sent, text, companyName, now));
      if (secret === "") return message;
      const signature = hmac(secret, message.body).digest("hex");
      return { ...message, headers: { ...headers, "x-signature": `sha256=${signature}` } };
    }
    case "dingtalk": {
      const message = json({
        msgtype: "markdown",
        markdown: { title: text.title, text: markdown(text) },
      });
      if (secret === "") return message;
      const signed = new URL(url);
      signed.searchParams.set("timestamp", String(now));
      signed.searchParams.set("sign", hmac(secret, `${now}\n${secret}`).digest("base64"));
      return { ...message, url: signed.href };
    }
    case "wecom":
      // Its address has a key, and it asks for no other proof.
      return json({
        msgtype: "markdown",
        markdown: { content: fitting(markdown(text), WECOM_BYTES) },
      });
    case "feishu": {
      const seconds = String(Math.floor(now / 1000));
      return json({
        // Feishu signs an empty text; time and secret are the key.
        ...(secret === ""
          ? {}
          : { timestamp: seconds, sign: hmac(`${seconds}\n${secret}`, "").digest("base64") }),
        msg_type: "text",
        content: { text: plainText(text) },
      });
    }
  }
}

/**
 * Why a robot did not take the message though it answered 200: they say so by a code in the body.
 *
 * @returns null: it took it
 */
export function robotRefusal(format: WebhookFormat, body: string): string | null {
  if (format === "json") return null;
  let answer: Record<string, unknown>;
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed !== "object" || parsed === null) return "机器人的回答无法识别";
    answer = parsed as Record<string, unknown>;
  } catch {
    return "机器人的回答无法识别";
  }
  const code = answer["errcode"] ?? answer["code"] ?? answer["StatusCode"];
  if (code === 0) return null;
  const words = answer["errmsg"] ?? answer["msg"] ?? answer["StatusMessage"];
  return `机器人拒绝了消息：${String(code)} ${typeof words === "string" ? words : ""}`.trim();
}
