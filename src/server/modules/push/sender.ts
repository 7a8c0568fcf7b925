/** Encrypts a push for one browser (RFC 8291) and hands it to the browser's push service (RFC 8030). */
import { createHash } from "node:crypto";
import type { Logger } from "pino";
import webPush from "web-push";
import type { PushPayload } from "../../../shared/protocol/push.ts";
import type { PushKeys } from "./keys.ts";
import type { PushStore, Subscription } from "./store.ts";

/** ms that a push service may take. */
const PATIENCE = 8000;
/** Statuses by which a push service says that the subscription has ended. */
const GONE = new Set([404, 410]);
/** Seconds that the push service keeps a push for a browser that is off: a ring is over by then, a missed call is not. */
const TTL = { ring: 30, end: 60, missed: 24 * 3600 } as const;

export interface PushSender {
  /** Never rejects. A subscription that has ended is removed. */
  send(to: Subscription, payload: PushPayload): Promise<void>;
}

export function createPushSender(deps: {
  readonly keys: () => Promise<PushKeys>;
  readonly store: Pick<PushStore, "remove" | "succeeded">;
  /** Whom a push service may write to about this server: `mailto:` or `https:`. */
  readonly contact: string;
  readonly mayPushTo: (endpoint: string) => boolean;
  readonly log: Logger;
}): PushSender {
  const { store, log } = deps;

  async function post(to: Subscription, payload: PushPayload): Promise<number> {
    const { endpoint, headers, method, body } = webPush.generateRequestDetails(
      { endpoint: to.endpoint, keys: { p256dh: to.p256dh, auth: to.auth } },
      JSON.stringify(payload),
      {
        vapidDetails: { subject: deps.contact, ...(await deps.keys()) },
        TTL: payload.kind === "end" && payload.how === "missed" ? TTL.missed : TTL[payload.kind],
        urgency: "high",
        // The push service keeps only the last push of a call for a browser that is off.
        topic: createHash("sha256").update(payload.callId).digest("base64url").slice(0, 32),
      },
    );
    // The connection's own length counts.
    const { "Content-Length": _length, ...sent } = headers;
    const response = await fetch(endpoint, {
      method,
      headers: Object.entries(sent).map(([name, value]) => [name, String(value)]),
      body: new Uint8Array(body),
      redirect: "error",
      signal: AbortSignal.timeout(PATIENCE),
    });
    await response.body?.cancel();
    return response.status;
  }

  return {
    async send(to, payload) {
      // The setting may have changed since the browser subscribed.
      if (!deps.mayPushTo(to.endpoint)) return;
      // The path of the address is a secret, so the log has the host alone.
      const { host } = new URL(to.endpoint);
      try {
        const status = await post(to, payload);
        if (GONE.has(status)) await store.remove(to.id);
        else if (status >= 200 && status < 300) await store.succeeded(to.id);
        else log.warn({ host, status }, "a push was refused");
      } catch (error) {
        log.warn({ err: error, host }, "a push was not sent");
      }
    },
  };
}
