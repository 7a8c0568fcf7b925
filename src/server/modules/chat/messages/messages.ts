/**
 * Checks an uploaded message and converts it into what is stored and delivered. The sender is always the connection's user,
 * never the name in the message.
 */
import { createHash } from "node:crypto";
import { callCommandOf } from "../call-commands.ts";
import { type Editable, editRefusal, editTarget } from "./edits.ts";
import { CHAT_LIMITS } from "../limits.ts";
import { isUnreadable, ownMarks } from "./readable.ts";
import type { MessageFacts } from "../delivery/message-cache.ts";
import type { GroupReads } from "../groups/index.ts";
import type { GroupAcks } from "../groups/acks.ts";
import { checkGroupMessage, type GroupMessage, readableWords } from "../groups/messages.ts";
import { groupKey, type Outgoing } from "../wire/records.ts";
import {
  BODY,
  CONTENT,
  GROUP_DOMAIN,
  KEY_VALUE_STRING,
  MessageBodyCodec,
  MetaCodec,
  NAMESPACE,
  ROUTE,
  STATUS,
  USER_DOMAIN,
} from "../wire/wire.ts";
import type { MessageBody, Meta, Status } from "../wire/wire.ts";

export interface Sender {
  readonly userName: string;
  readonly resource: string;
}

export interface MessageRules {
  mayTalk(a: string, b: string): Promise<boolean>;
  /** Whether `by` blocks the other. */
  blocks(by: string, other: string): Promise<boolean>;
  message(id: bigint): Promise<MessageFacts | undefined>;
  editable(id: bigint): Promise<Editable | undefined>;
  now(): number;
  /** Whether the person has written to the other. */
  wrote(sender: string, recipient: string): Promise<boolean>;
  readonly groups: Pick<GroupReads, "standing" | "roster">;
  acknowledge: GroupAcks["acknowledge"];
  readonly appKey: string;
}

/** The SDK recognises an error by the text of `reason`, so these texts must not change. */
const refuse = (errorCode: number, reason: string): { refused: Status } => ({
  refused: { errorCode, reason },
});

const jsonPair = ({ key, json }: { readonly key: string; readonly json: string }) => ({
  key,
  type: KEY_VALUE_STRING,
  stringValue: json,
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

  const extension =
    meta.ext === undefined ? 0 : MetaCodec.encode({ id: "0", ns: 0, ext: meta.ext }).length;
  if (payload.length + extension > CHAT_LIMITS.messageBytes) {
    return refuse(STATUS.permissionDenied, "Sorry, data is too large");
  }
  const toGroup = meta.to?.domain === GROUP_DOMAIN;
  if (body.type === BODY.groupChat && !toGroup) return refuse(STATUS.fail, "group not found");
  if (body.type === BODY.chatRoom) return refuse(STATUS.fail, "not in group or chatroom");
  if (!NAME.test(recipient)) return refuse(STATUS.fail, "nonroster");
  if ((body.contents ?? []).some((c) => (c.text ?? "").length > CHAT_LIMITS.textLength)) {
    return refuse(STATUS.permissionDenied, "Sorry, data is too large");
  }

  // An unreadable body would make the receivers' SDK lose this message and all others in the same batch.
  if (isUnreadable(body, meta)) return refuse(STATUS.fail, "not readable");
  let directed: GroupMessage = { audience: [recipient] };
  if (toGroup) {
    // Members who may write in a group may edit their messages there, so an edit passes the same checks as a new message.
    const asked = body.type === BODY.edit ? { ...body, type: BODY.groupChat } : body;
    const checked = await checkGroupMessage(sender.userName, meta, asked, {
      groups: rules.groups,
      about: () => aboutOf(body, rules),
      acknowledge: rules.acknowledge,
      now: rules.now,
    });
    if ("refused" in checked) return checked;
    directed = checked;
  } else {
    const refused = await checkKind(sender.userName, recipient, body, rules);
    if (refused !== null) return { refused };
    // Who can no longer write to the other still reads what came before; only the own devices learn of it.
    const parted =
      body.type === BODY.channelAck && !(await rules.mayTalk(sender.userName, recipient));
    if (parted) directed = { audience: [] };
    if (body.type === BODY.recall) {
      const reaches = (await checkWriting(sender.userName, recipient, rules)) === null;
      directed = { audience: [recipient], wordless: !reaches };
    }
  }
  /** How the store names the receiver. */
  const key = toGroup ? groupKey(recipient) : recipient;
  const domain = toGroup ? GROUP_DOMAIN : USER_DOMAIN;
  const target = body.type === BODY.edit ? editTarget(body) : null;
  if (target !== null) {
    const refused = editRefusal(sender.userName, key, body, await rules.editable(target));
    if (refused !== null) return { refused };
  }

  const isCommand = (body.contents ?? []).some((c) => c.type === CONTENT.command);
  const onlineOnly = meta.routetype === ROUTE.online;
  const isReceipt = body.type === BODY.deliverAck || body.type === BODY.readAck;
  const { meta: marks, ext, ackContent = "", ...plain } = body;
  /** Words that go along with a receipt in a group. */
  const words = toGroup && directed.wordless !== true ? readableWords(ackContent) : "";
  const isPersonal = body.type === BODY.chat || body.type === BODY.groupChat || target !== null;
  const contentWith = (marked: { meta?: string }): Uint8Array =>
    MessageBodyCodec.encode({
      ...plain,
      ...(words === "" ? {} : { ackContent: words }),
      ...marked,
      // A receipt's extension fields are dropped: the receiver would take them for reader counts.
      ...(directed.ext !== undefined
        ? { ext: [jsonPair(directed.ext)] }
        : ext === undefined || !isPersonal
          ? {}
          : { ext }),
      from: { name: sender.userName },
      to: { name: recipient },
    });
  const content = contentWith(isPersonal && target === null ? ownMarks(marks) : {});
  return {
    outgoing: {
      sender: sender.userName,
      resource: sender.resource,
      recipient: key,
      audience: directed.audience,
      inGroup: directed.inGroup === true,
      ...(directed.directed === true ? { directed: directed.audience } : {}),
      clientId: meta.id,
      digest: createHash("sha256")
        .update(`${key}\n${onlineOnly ? 1 : 0}\n`)
        .update(content)
        .digest("base64url"),
      kind: body.type,
      roams:
        directed.secret !== true &&
        (body.type === BODY.chat || body.type === BODY.groupChat) &&
        !isCommand &&
        !onlineOnly,
      onlineOnly,
      carbon: !isReceipt,
      // The receipt of one member does not make a message of a group read.
      reads: directed.ext === undefined ? readsOf(body) : null,
      recalls: body.type === BODY.recall ? BigInt(body.ackMessageId ?? "0") : null,
      call: isCommand && !toGroup ? callCommandOf(sender.userName, recipient, body) : null,
      edit: target === null ? null : { target, contents: body.contents ?? [] },
      build: (id, sentAt, mark) =>
        MetaCodec.encode({
          id: String(id),
          from: {
            appKey: rules.appKey,
            name: sender.userName,
            domain: USER_DOMAIN,
            clientResource: sender.resource,
          },
          to: { appKey: rules.appKey, name: recipient, domain },
          timestamp: String(sentAt),
          ns: NAMESPACE.chat,
          payload:
            mark === undefined
              ? content
              : contentWith({ meta: JSON.stringify({ edit_msg: mark }) }),
          routetype: onlineOnly ? ROUTE.online : ROUTE.all,
          ...(meta.ext === undefined || isReceipt || directed.wordless === true
            ? {}
            : { ext: meta.ext }),
        }),
    },
  };
}

function readsOf(body: MessageBody): Outgoing["reads"] {
  if (body.type === BODY.readAck) return BigInt(body.ackMessageId ?? "0");
  return body.type === BODY.channelAck ? "all" : null;
}

/** What is known of the message that this one is about. */
async function aboutOf(body: MessageBody, rules: MessageRules): Promise<MessageFacts | undefined> {
  const id = BigInt(body.ackMessageId ?? "0");
  // Our ids are positive 63-bit numbers. A larger one would overflow the column.
  return id > 0n && id < 1n << 63n ? await rules.message(id) : undefined;
}

/** @returns why the person may not write to the other; null when they may */
async function checkWriting(
  userName: string,
  recipient: string,
  rules: MessageRules,
): Promise<Status | null> {
  const fail = (reason: string): Status => ({ errorCode: STATUS.fail, reason });
  if (!(await rules.mayTalk(userName, recipient))) return fail("nonroster");
  return (await rules.blocks(recipient, userName)) ? fail("blocked") : null;
}

async function checkKind(
  userName: string,
  recipient: string,
  body: MessageBody,
  rules: MessageRules,
): Promise<Status | null> {
  const fail = (reason: string): Status => ({ errorCode: STATUS.fail, reason });
  const about = () => aboutOf(body, rules);
  switch (body.type) {
    case BODY.chat:
    case BODY.edit:
      return await checkWriting(userName, recipient, rules);
    case BODY.channelAck:
      return (await rules.mayTalk(userName, recipient)) || (await rules.wrote(recipient, userName))
        ? null
        : fail("nonroster");
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
