/** Sends one message to a webhook: no redirect is followed, and the inner network is out of reach (hosts.ts). */
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { isAllowed, publicLookup, refusedAddress } from "./hosts.ts";
import type { WebhookMessage } from "./webhook-bodies.ts";

/** ms that the service may take. */
export const WEBHOOK_PATIENCE = 8000;
/** Bytes of an answer that are read. */
const ANSWER_MAX = 16_384;

export interface WebhookAnswer {
  readonly status: number;
  readonly body: string;
}

/**
 * @param allowed ALERT_HOSTS
 * @throws Error in words for people
 */
export function postWebhook(
  { url, headers, body }: WebhookMessage,
  allowed: readonly string[],
  signal: AbortSignal,
): Promise<WebhookAnswer> {
  const refusal = refusedAddress(url, allowed);
  if (refusal !== null) return Promise.reject(new Error(refusal));
  const target = new URL(url);
  const request = target.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const sending = request(
      target,
      {
        method: "POST",
        headers: { ...headers, "content-length": Buffer.byteLength(body) },
        // A connection that was kept could belong to an address that was checked for another message.
        agent: false,
        signal,
        ...(isAllowed(target, allowed) ? {} : { lookup: publicLookup }),
      },
      (response) => {
        const parts: Buffer[] = [];
        let length = 0;
        const finish = (): void => {
          const text = Buffer.concat(parts).toString("utf8");
          resolve({ status: response.statusCode ?? 0, body: text });
        };
        response.on("data", (part: Buffer) => {
          parts.push(part);
          length += part.length;
          if (length <= ANSWER_MAX) return;
          finish();
          response.destroy();
        });
        response.on("end", finish);
        response.on("error", reject);
      },
    );
    sending.on("error", reject);
    sending.end(body);
  });
}
