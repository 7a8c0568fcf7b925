/** Sends codes through an HTTP service of the operator's choice, which passes them on to an SMS provider (docs/server.md#sms). */
import { createHmac } from "node:crypto";
import type { SmsSink } from "./index.ts";

/** ms that the service may take. */
const PATIENCE = 8000;

export function createWebhookSink(options: {
  readonly url: string;
  /** Signs the body, so that the service can refuse others. */
  readonly secret: string | undefined;
}): SmsSink {
  const { url, secret } = options;
  return {
    async send(mobile, code) {
      const body = JSON.stringify({
        mobile,
        code,
        text: `您的验证码是 ${code}，5 分钟内有效，请勿告诉他人。`,
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
