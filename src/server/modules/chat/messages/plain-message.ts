/** The row of a text message of the past, for demo data. */
import { createHash } from "node:crypto";
import type { chatMessage } from "../../../base/database/schema/chat.ts";
import { createIdSource } from "../wire/ids.ts";
import { conversationOf } from "../wire/records.ts";
import {
  BODY,
  CONTENT,
  MessageBodyCodec,
  MetaCodec,
  NAMESPACE,
  ROUTE,
  USER_DOMAIN,
} from "../wire/wire.ts";

export function plainMessage(fields: {
  readonly appKey: string;
  /** Chat user names. */
  readonly from: string;
  readonly to: string;
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** A number that no other such message has, below 4 million. */
  readonly serial: number;
}): typeof chatMessage.$inferInsert {
  const { appKey, from, to, text, at, serial } = fields;
  const id = createIdSource(() => at, serial % 1024)();
  const payload = MessageBodyCodec.encode({
    type: BODY.chat,
    from: { name: from },
    to: { name: to },
    contents: [{ type: CONTENT.text, text }],
  });
  return {
    id,
    sender: from,
    recipient: to,
    conversation: conversationOf(from, to),
    clientId: `demo${serial}`,
    digest: createHash("sha256").update(payload).digest("base64url"),
    kind: BODY.chat,
    roams: true,
    read: true,
    sentAt: at,
    meta: MetaCodec.encode({
      id: String(id),
      from: { appKey, name: from, domain: USER_DOMAIN },
      to: { appKey, name: to, domain: USER_DOMAIN },
      timestamp: String(at),
      ns: NAMESPACE.chat,
      payload,
      routetype: ROUTE.all,
    }),
  };
}
