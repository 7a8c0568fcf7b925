/** Sends codes through an HTTP service of the operator's choice, which passes them on to an SMS provider (docs/server.md#sms). */
import { createHmac } from "node:crypto";
import { textOf } from "../../../shared/domain/sms-text.ts";
import type { SmsSink } from "./index.ts";

/** ms that the service may take. */
const PATIENCE = 8000;

export function createWebhookSink(options: {
  readonly url: string;
  /** Signs the body, so that the service can refuse others. */
  readonly secret: string | undefined;
  /** The text of the message, with `{code}` in it. */
  readonly template: string;
}): SmsSink {
  const { url, secret, template } = options;
  return {
    async send(mobile, code) {
      const body = JSON.stringify({
        mobile,
        code,
        text: textOf(template, code),
      });
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
    },
  };
}
