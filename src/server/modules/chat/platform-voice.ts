/** What the platform itself says to people over chat: stored messages, and what their connected devices alone get. */
import { createHash } from "node:crypto";
import { DATA_SENDER } from "../../../shared/protocol/data-changed.ts";
import { PLATFORM_SENDER } from "../../../shared/protocol/platform-sender.ts";
import type { ActDeps } from "./rest/acts.ts";
import { commandMessage } from "./wire/command-message.ts";
import type { Hub } from "./delivery/hub.ts";
import type { Outgoing } from "./wire/records.ts";
import {
  BODY,
  CONTENT,
  MessageBodyCodec,
  MetaCodec,
  NAMESPACE,
  ROUTE,
  USER_DOMAIN,
} from "./wire/wire.ts";

export interface PlatformVoice {
  /**
   * Sends a text message, which waits for who is not connected. The same key and text again are no second message.
   *
   * @throws the database's error, or AppError server.unavailable of the cloud
   */
  say(to: string, text: string, key: string): Promise<void>;
  /** Sends a command message to the devices that are connected now. On the own gateway it needs no database. */
  signal(to: string, action: string, ext: Readonly<Record<string, string>>): Promise<void>;
}

/** An ordinary text message of the platform. */
function platformText(message: {
  readonly appKey: string;
  readonly to: string;
  readonly text: string;
  readonly key: string;
}): Outgoing {
  const { appKey, to, text } = message;
  const jid = (name: string) => ({ appKey, name, domain: USER_DOMAIN });
  const payload = MessageBodyCodec.encode({
    type: BODY.chat,
    from: { name: PLATFORM_SENDER },
    to: { name: to },
    contents: [{ type: CONTENT.text, text }],
  });
  const hash = createHash("sha256").update(`${message.key}\n${to}`).digest();
  return {
    sender: PLATFORM_SENDER,
    resource: "server",
    recipient: to,
    // Clients number their messages by 64 bits.
    clientId: String(hash.readBigUInt64BE(0)),
    digest: createHash("sha256").update(payload).digest("base64url"),
    kind: BODY.chat,
    roams: true,
    onlineOnly: false,
    carbon: false,
    reads: null,
    recalls: null,
    build: (id, sentAt) =>
      MetaCodec.encode({
        id: String(id),
        from: jid(PLATFORM_SENDER),
        to: jid(to),
        timestamp: String(sentAt),
        ns: NAMESPACE.chat,
        payload,
        routetype: ROUTE.all,
      }),
  };
}

/** The voice on the own gateway. */
export function createPlatformVoice(
  { appKey, nextId, write, now }: Pick<ActDeps, "appKey" | "nextId" | "write" | "now">,
  hub: Pick<Hub, "isOnline" | "send">,
): PlatformVoice {
  return {
    async say(to, text, key) {
      await write(platformText({ appKey, to, text, key }));
    },
    signal(to, action, ext) {
      if (!hub.isOnline(to)) return Promise.resolve();
      // It is not stored, so it takes no part in the order of messages and needs no transaction.
      const message = commandMessage({ appKey, nextId, from: DATA_SENDER, to, action, ext });
      const meta = Buffer.from(message.build(nextId(), now())).toString("base64");
      hub.send(to, { t: "push", meta, except: null });
      return Promise.resolve();
    },
  };
}
