/** Checks a message to a group: who may write, and into whose inboxes it goes (docs/chat.md#groups). */
import { CHAT_LIMITS } from "../limits.ts";
import type { MessageFacts } from "../delivery/message-cache.ts";
import { groupKey } from "../wire/records.ts";
import { BODY, STATUS, type MessageBody, type Meta, ROUTE, type Status } from "../wire/wire.ts";
import type { GroupAcks } from "./acks.ts";
import type { GroupReads } from "./index.ts";
import { mayWrite } from "./scene.ts";

/** Characters that a receipt may bring along. */
const ACK_CONTENT = 512;
/** What a receipt brings along, cut to that length. */
export const readableWords = (content: string): string =>
  content.slice(0, ACK_CONTENT).replaceAll("\0", "");
const GROUP_ID = /^\d{1,20}$/;

const fail = (reason: string): { refused: Status } => ({
  refused: { errorCode: STATUS.fail, reason },
});

/** Receivers that a message may name. */
const DIRECTED = 20;

export interface GroupMessage {
  /** The receivers' names, if it does not go to all members. */
  readonly audience: readonly string[];
  /** It goes to all members, by the inbox of the group. */
  readonly inGroup?: boolean;
  /** Stays out of the history, which all members read. */
  readonly secret?: boolean;
  /** The sender named the audience. Nobody else may say anything about the message. */
  readonly directed?: boolean;
  /** The sender may say nothing here: what stands beside a receipt or a recall is left out. */
  readonly wordless?: boolean;
  /** Replaces the sender's extension fields: JSON under one key. */
  readonly ext?: { readonly key: string; readonly json: string };
}

/** @returns what to deliver, or the status to answer. The SDK recognises an error by its text */
export async function checkGroupMessage(
  userName: string,
  meta: Meta,
  body: MessageBody,
  deps: {
    readonly groups: Pick<GroupReads, "standing" | "roster">;
    readonly about: () => Promise<MessageFacts | undefined>;
    readonly acknowledge: GroupAcks["acknowledge"];
    readonly now: () => number;
  },
): Promise<GroupMessage | { refused: Status }> {
  const groupId = meta.to?.name ?? "";
  const found = GROUP_ID.test(groupId) ? await deps.groups.standing(groupId, userName) : null;
  if (found === null) return fail("group not found");
  const { group, me } = found;
  if (me === undefined) return fail("not in group or chatroom");
  const others = async (): Promise<string[]> =>
    [...((await deps.groups.roster(groupId))?.names ?? [])].filter((name) => name !== userName);
  /** Messages that are never stored enter no inbox. */
  const toAll = async (): Promise<GroupMessage> =>
    meta.routetype === ROUTE.online
      ? { audience: await others() }
      : { audience: [], inGroup: true };
  const wordless = !mayWrite(group, me, deps.now());
  switch (body.type) {
    case BODY.groupChat:
      if (wordless) {
        return { refused: { errorCode: STATUS.permissionDenied, reason: "user is mute" } };
      }
      if (meta.routetype === ROUTE.direct || (meta.directedUsers ?? []).length > 0) {
        const chosen = new Set(meta.directedUsers ?? []);
        const audience = (await others()).filter((name) => chosen.has(name));
        return audience.length === 0 || chosen.size > DIRECTED
          ? fail("limit directed users")
          : { audience, secret: true, directed: true };
      }
      return await toAll();
    case BODY.channelAck:
      return { audience: [] };
    case BODY.recall: {
      const message = await deps.about();
      if (message?.sender !== userName || message.recipient !== groupKey(groupId)) {
        return fail("message not found");
      }
      if (deps.now() - message.sentAt > CHAT_LIMITS.recallMs)
        return fail("exceed recall time limit");
      const seers = message.directed === null ? await toAll() : { audience: message.directed };
      return { ...seers, wordless };
    }
    case BODY.readAck: {
      const message = await deps.about();
      const isSeen =
        message?.recipient === groupKey(groupId) &&
        message.sender !== userName &&
        message.sentAt >= me.joinedAt &&
        (message.directed === null || message.directed.includes(userName));
      if (!isSeen) return fail("message not found");
      const content = wordless ? "" : readableWords(body.ackContent ?? "");
      const readers = await deps.acknowledge(message.id, userName, content);
      const json = JSON.stringify({ [String(message.id)]: readers });
      return {
        audience: [message.sender],
        secret: true,
        wordless,
        ext: { key: "group_read_count", json },
      };
    }
    case BODY.deliverAck:
      return fail("message not found");
    default:
      return fail("unsupported message type");
  }
}
