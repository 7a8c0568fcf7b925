/** Settings of what the server sends by itself: pushes (docs/calls.md#web-push), mail and alerts (docs/server.md#sending-alerts). */
import { z } from "zod";
import { parseOrigins } from "./http/origins.ts";

/** A name, or an address of IPv4 or in brackets of IPv6, and perhaps a port. */
const HOST = /^([a-z\d._-]+|\[[\da-f:.]+\])(:\d{1,5})?$/;
const SENDER = /^([^<>\r\n"@]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/;

export const sendingSettings = {
  /** Whom a push service may write to about this server's pushes. */
  PUSH_CONTACT: z
    .string()
    .regex(
      /^(mailto:[^@\s]+@\S+|https:\/\/\S+)$/,
      "must look like mailto:name@example.org or https://…",
    )
    .default("mailto:webmaster@example.org"),
  /** Origins of push services beside those of the usual browsers. */
  PUSH_ORIGINS: z
    .string()
    .default("")
    .transform((text, c) => {
      const parsed = parseOrigins(text);
      if (parsed !== null) return parsed;
      c.addIssue("must be origins by comma (https://push.example.org)");
      return z.NEVER;
    }),
  /** The mail server, with user and password if it wants them. Without it alerts are not sent by mail. */
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/[^/\s]+/, "must look like smtp://user:password@mail.example.org:587")
    .refine(URL.canParse, "must look like smtp://user:password@mail.example.org:587")
    .optional(),
  /** Who mails come from. */
  MAIL_FROM: z
    .string()
    .regex(SENDER, "must look like alerts@example.org or 告警 <alerts@example.org>")
    .optional(),
  /** Hosts of the inner network to which alerts may be sent, with a port to allow that one alone. */
  ALERT_HOSTS: z
    .string()
    .default("")
    .transform((text, c) => {
      const hosts = text
        .split(",")
        .map((host) => host.trim().toLowerCase())
        .filter((host) => host !== "");
      if (hosts.every((host) => HOST.test(host))) return hosts;
      c.addIssue("must be hosts by comma (hooks.internal,10.0.0.5:8000)");
      return z.NEVER;
    }),
  /** Address at which people open the console, which messages about alerts name. */
  CONSOLE_URL: z
    .string()
    .regex(/^https?:\/\/[^?#\s]+$/, "must look like https://console.example.org")
    .refine(URL.canParse, "must look like https://console.example.org")
    .transform((url) => url.replace(/\/+$/, ""))
    .optional(),
};
