/**
 * Checks an uploaded message and converts it into what is stored and delivered. The sender is always the connection's user,
 * never the name in the message.
 */
import { createHash } from "node:crypto";
import { CHAT_LIMITS } from "./limits.ts";
import type { MessageFacts } from "./message-cache.ts";
import type { Outgoing } from "./records.ts";
import {
  BODY,
  CONTENT,
  MessageBodyCodec,
  MetaCodec,
  NAMESPACE,
  ROUTE,
  STATUS,
  USER_DOMAIN,
} from "./wire.ts";
import type { MessageBody, Meta, Status } from "./wire.ts";

export interface Sender {
  readonly userName: string;
  readonly resource: string;
}

export interface MessageRules {
  mayTalk(a: string, b: string): Promise<boolean>;
  message(id: bigint): Promise<MessageFacts | undefined>;
  now(): number;
  readonly appKey: string;
}

/** The SDK recognises an error by the text of `reason`, so these texts must not change. */
const refuse = (errorCode: number, reason: string): { refused: Status } => ({
  refused: { errorCode, reason },
});

const NAME = /^[a-z0-9_-]{1,64}$/;

/**
 * @returns the message to write, or the status to answer
 * @throws MalformedError when the payload is not a MessageBody
 */
export async function prepare(
  sender: Sender,
  meta: Meta,
  rules: MessageRules,
): Promise<{ outgoing: Outgoing } | { refused: Status }> {
  const payload = meta.payload ?? new Uint8Array();
  const body = MessageBodyCodec.decode(payload);
  const recipient = meta.to?.name ?? "";

  if (payload.length > CHAT_LIMITS.messageBytes) {
    return refuse(STATUS.permissionDenied, "Sorry, data is too large");
  }
  if (body.type === BODY.groupChat) return refuse(STATUS.fail, "group not found");
  if (body.type === BODY.chatRoom) return refuse(STATUS.fail, "not in group or chatroom");
  if (body.type === BODY.edit) return refuse(STATUS.fail, "Sorry, edit is not available");
  if (!NAME.test(recipient)) return refuse(STATUS.fail, "nonroster");
  if ((body.contents ?? []).some((c) => (c.text ?? "").length > CHAT_LIMITS.textLength)) {
    return refuse(STATUS.permissionDenied, "Sorry, data is too large");
  }

  const refused = await checkKind(sender.userName, recipient, body, rules);
  if (refused !== null) return { refused };

  const isCommand = (body.contents ?? []).some((c) => c.type === CONTENT.command);
  const onlineOnly = meta.routetype === ROUTE.online;
  const isReceipt = body.type === BODY.deliverAck || body.type === BODY.readAck;
  const content = MessageBodyCodec.encode({
    ...body,
    from: { name: sender.userName },
    to: { name: recipient },
  });
  return {
    outgoing: {
      sender: sender.userName,
      resource: sender.resource,
      recipient,
      clientId: meta.id,
      digest: createHash("sha256")
        .update(`${recipient}\n${onlineOnly ? 1 : 0}\n`)
        .update(content)
        .digest("base64url"),
      kind: body.type,
      roams: body.type === BODY.chat && !isCommand && !onlineOnly,
      onlineOnly,
      carbon: !isReceipt,
      reads: readsOf(body),
      recalls: body.type === BODY.recall ? BigInt(body.ackMessageId ?? "0") : null,
      build: (id, sentAt) =>
        MetaCodec.encode({
          id: String(id),
          from: {
            appKey: rules.appKey,
            name: sender.userName,
            domain: USER_DOMAIN,
            clientResource: sender.resource,
          },
          to: { appKey: rules.appKey, name: recipient, domain: USER_DOMAIN },
          timestamp: String(sentAt),
          ns: NAMESPACE.chat,
          payload: content,
          routetype: onlineOnly ? ROUTE.online : ROUTE.all,
          ...(meta.ext === undefined ? {} : { ext: meta.ext }),
        }),
    },
  };
}

function readsOf(body: MessageBody): Outgoing["reads"] {
  if (body.type === BODY.readAck) return BigInt(body.ackMessageId ?? "0");
  return body.type === BODY.channelAck ? "all" : null;
}

async function checkKind(
  userName: string,
  recipient: string,
  body: MessageBody,
  rules: MessageRules,
): Promise<Status | null> {
  const fail = (reason: string): Status => ({ errorCode: STATUS.fail, reason });
  const about = async (): Promise<MessageFacts | undefined> => {
    const id = BigInt(body.ackMessageId ?? "0");
    // Our ids are positive 63-bit numbers. A larger one would overflow the column.
    return id > 0n && id < 1n << 63n ? await rules.message(id) : undefined;
  };
  switch (body.type) {
    case BODY.chat:
    case BODY.channelAck:
      return (await rules.mayTalk(userName, recipient)) ? null : fail("nonroster");
    case BODY.readAck:
    case BODY.deliverAck: {
      const message = await about();
      // A receipt may go only from the recipient of a message to its sender.
      return message?.sender === recipient && message.recipient === userName
        ? null
        : fail("message not found");
    }
    case BODY.recall: {
      const message = await about();
      if (message?.sender !== userName || message.recipient !== recipient) {
        return fail("message not found");
      }
      return rules.now() - message.sentAt > CHAT_LIMITS.recallMs
        ? fail("exceed recall time limit")
        : null;
    }
    default:
      return fail("unsupported message type");
  }
}
