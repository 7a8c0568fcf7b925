/** A command message that the server sends in a person's name, as the answer to a call. */
import type { Outgoing } from "./records.ts";
import {
  BODY,
  CONTENT,
  KEY_VALUE_STRING,
  MessageBodyCodec,
  MetaCodec,
  NAMESPACE,
  ROUTE,
  USER_DOMAIN,
} from "./wire.ts";

/** It reaches the devices of the other that are connected now. */
export function commandMessage(command: {
  readonly appKey: string;
  readonly nextId: () => bigint;
  readonly from: string;
  readonly to: string;
  readonly action: string;
  readonly ext: Readonly<Record<string, string>>;
}): Outgoing {
  const { appKey, from, to } = command;
  const jid = (name: string) => ({ appKey, name, domain: USER_DOMAIN });
  const payload = MessageBodyCodec.encode({
    type: BODY.chat,
    from: jid(from),
    to: jid(to),
    contents: [{ type: CONTENT.command, action: command.action }],
    ext: Object.entries(command.ext).map(([key, stringValue]) => ({
      key,
      type: KEY_VALUE_STRING,
      stringValue,
    })),
  });
  return {
    sender: from,
    resource: "server",
    recipient: to,
    clientId: String(command.nextId()),
    digest: "command",
    kind: BODY.chat,
    roams: false,
    onlineOnly: true,
    carbon: false,
    reads: null,
    recalls: null,
    build: (id, sentAt) =>
      MetaCodec.encode({
        id: String(id),
        from: jid(from),
        to: jid(to),
        timestamp: String(sentAt),
        ns: NAMESPACE.chat,
        payload,
        routetype: ROUTE.online,
      }),
  };
}
