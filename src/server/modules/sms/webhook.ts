/** Sends codes, invitations and warnings through an HTTP service of the operator's choice, which passes them on to an SMS provider (docs/server.md#sms). */
import { createHmac } from "node:crypto";
import { inviteTextOf, MOBILE_GONE_TEXT, textOf } from "../../../shared/domain/sms-text.ts";
import type { SmsSink } from "./index.ts";

/** ms that the service may take. */
const PATIENCE = 8000;

export function createWebhookSink(options: {
  readonly url: string;
  /** Signs the body, so that the service can refuse others. */
  readonly secret: string | undefined;
  /** The text of the message, with `{code}` in it. */
  readonly template: string;
  /** That of an invitation, with `{link}` and perhaps `{company}`. */
  readonly inviteTemplate: string;
}): SmsSink {
  const { url, secret, template, inviteTemplate } = options;

  async function post(message: Readonly<Record<string, string>>): Promise<void> {
    const body = JSON.stringify(message);
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(secret === undefined
          ? {}
          : {
              "x-signature": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
            }),
      },
      body,
      redirect: "error",
      signal: AbortSignal.timeout(PATIENCE),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`the SMS service answered ${response.status}`);
  }

  return {
    send: (mobile, code) => post({ mobile, code, text: textOf(template, code) }),
    invite: (mobile, invitation) =>
      post({ mobile, link: invitation.link, text: inviteTextOf(inviteTemplate, invitation) }),
    mobileGone: (mobile) => post({ mobile, text: MOBILE_GONE_TEXT }),
  };
}
