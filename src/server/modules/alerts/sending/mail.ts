/** Sends alerts by mail (docs/server.md#sending-alerts). */
import { createTransport } from "nodemailer";
import type { ServerConfig } from "../../../base/config.ts";
import { type AlertText, html, plainText } from "./message.ts";

/** ms that the mail server may take for each step. */
const PATIENCE = 10_000;

export interface MailSender {
  /** @throws Error of the mail server, also when it takes only some of the receivers */
  send(to: readonly string[], text: AlertText): Promise<void>;
  close(): void;
}

/** @returns null without SMTP_URL */
export function createMailSender(
  config: Pick<ServerConfig, "SMTP_URL" | "MAIL_FROM">,
): MailSender | null {
  const { SMTP_URL: url, MAIL_FROM: from } = config;
  if (url === undefined || from === undefined) return null;
  const transport = createTransport(
    {
      url,
      connectionTimeout: PATIENCE,
      greetingTimeout: PATIENCE,
      socketTimeout: PATIENCE,
      // The mailer must fetch no file and no address for the texts.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  );
  return {
    async send(to, text) {
      const { rejected } = await transport.sendMail({
        to: [...to],
        subject: text.title,
        text: plainText(text),
        html: html(text),
        headers: { "Auto-Submitted": "auto-generated" },
      });
      if (rejected.length > 0) {
        throw new Error(`邮件服务器拒绝了 ${rejected.join(", ")}`);
      }
    },
    close: () => transport.close(),
  };
}
