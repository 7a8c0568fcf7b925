/** Sends one message to one channel, once (docs/server.md#sending-alerts). */
import type { Clock } from "../../../base/module.ts";
import type { PlatformVoice } from "../../chat/platform-voice.ts";
import type { KnownChannel } from "./known.ts";
import type { MailSender } from "./mail.ts";
import { alertText, plainText, type Sent } from "./message.ts";
import { robotRefusal, webhookMessage } from "./webhook-bodies.ts";
import { postWebhook, WEBHOOK_PATIENCE } from "./webhook.ts";

/** Characters of an error that are kept. */
const ERROR_MAX = 300;

/** @param key of the message: the same one again is no second message of chat */
export type SendOnce = (
  channel: KnownChannel,
  sent: Sent,
  options: { readonly companyName: string; readonly key: string },
) => Promise<void>;

/** What went wrong, in one line for people. */
export function errorWords(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const words = message || code || "发送失败";
  return words.replaceAll(/\s+/g, " ").slice(0, ERROR_MAX);
}

/** The parts of a target: addresses, or ids of accounts. */
export const targetsOf = (target: string): string[] =>
  target
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");

export function createSendOnce(deps: {
  readonly clock: Clock;
  readonly voice: PlatformVoice;
  readonly mail: MailSender | null;
  /** CONSOLE_URL and ALERT_HOSTS. */
  readonly console: string | undefined;
  readonly hosts: readonly string[];
}): SendOnce {
  const { clock, voice, mail, hosts } = deps;

  async function post(channel: KnownChannel, sent: Sent, companyName: string): Promise<void> {
    const { format, target: url, secret, language } = channel;
    const text = alertText(sent, { language, companyName, console: deps.console });
    const now = clock.now();
    const message = webhookMessage({ format, url, secret, sent, text, companyName, now });
    const patience = new AbortController();
    const tooLate = clock.setTimeout(
      () => patience.abort(new Error("对方 8 秒内没有回答")),
      WEBHOOK_PATIENCE,
    );
    try {
      const { status, body } = await postWebhook(message, hosts, patience.signal);
      if (status < 200 || status > 299) throw new Error(`对方回答了 HTTP ${status}`);
      const refusal = robotRefusal(format, body);
      if (refusal !== null) throw new Error(refusal);
    } catch (error) {
      throw patience.signal.aborted ? patience.signal.reason : error;
    } finally {
      tooLate.cancel();
    }
  }

  return async (channel, sent, { companyName, key }) => {
    if (channel.type === "webhook") return await post(channel, sent, companyName);
    const text = alertText(sent, {
      language: channel.language,
      companyName,
      console: deps.console,
    });
    if (channel.type === "mail") {
      if (mail === null) throw new Error("服务器没有配置邮件服务（SMTP_URL）");
      return await mail.send(targetsOf(channel.target), text);
    }
    const { people } = channel;
    if (people.length === 0) throw new Error("接收人都已不在本企业");
    await Promise.all(people.map((name) => voice.say(name, plainText(text), key)));
  };
}
