/** Reactions to messages (docs/chat.md#reactions): who may react, what is stored, and the notice to everybody in the conversation. */
import { and, asc, eq, inArray, sql } from "drizzle-orm";
import {
  CHAT_REACTION_NAMES,
  CHAT_REACTIONS_SHOWN,
} from "../../../../shared/domain/chat-limits.ts";
import { chatMessage, chatReaction } from "../../../base/database/schema/chat.ts";
import { type ActDeps, refuseBlocked } from "../rest/acts.ts";
import { ALL_MEMBERS, type Audience } from "../wire/event-envelope.ts";
import { isMuted } from "../groups/scene.ts";
import { noticeMessage } from "../wire/notify.ts";
import { ProviderError } from "../rest/provider-app.ts";
import { groupIdOf } from "../wire/records.ts";
import { BODY } from "../wire/wire.ts";

export interface Reactor {
  readonly userName: string;
  readonly resource: string;
}
/** In the form that the SDK reads. */
export interface ReactionCount {
  readonly reaction: string;
  readonly count: number;
  /** The first who reacted so. */
  readonly userList: readonly string[];
  /** Whether the reader did. */
  readonly state: boolean;
}

export interface Reactions {
  /** @throws ProviderError */
  add(who: Reactor, messageId: bigint, reaction: string): Promise<void>;
  /** @throws ProviderError */
  remove(who: Reactor, messageId: bigint, reaction: string): Promise<void>;
  /** The reactions to those of the messages that this person may see, by message. */
  list(userName: string, messageIds: readonly bigint[]): Promise<Map<bigint, ReactionCount[]>>;
}

interface Place {
  readonly sender: string;
  /** As the store names it. */
  readonly recipient: string;
  /** Everybody in the conversation. */
  readonly people: Audience;
  /** The person is muted in the group: a reaction can be a text. */
  readonly muted?: boolean;
}

const gone = (): ProviderError =>
  new ProviderError(400, "illegal_argument", "this message is not exist!");

export function createReactions(deps: ActDeps): Reactions {
  const { db } = deps;

  /** The conversation of a message, for a person who takes part in it; null for all others. */
  async function placeOf(
    userName: string,
    message: { sender: string; recipient: string; sentAt: number },
  ): Promise<Place | null> {
    const { sender, recipient } = message;
    if (!recipient.startsWith("#")) {
      if (userName !== sender && userName !== recipient) return null;
      return { sender, recipient, people: [sender, recipient] };
    }
    const me = (await deps.groups.standing(groupIdOf(recipient), userName))?.me;
    // A member sees what was written while in the group.
    if (me === undefined || me.joinedAt > message.sentAt) return null;
    return { sender, recipient, people: ALL_MEMBERS, muted: isMuted(me, deps.now()) };
  }

  /** @throws ProviderError for a message that this person may not see, and for one that is gone */
  async function reach(userName: string, messageId: bigint): Promise<Place> {
    const [message] = await db
      .select({
        sender: chatMessage.sender,
        recipient: chatMessage.recipient,
        sentAt: chatMessage.sentAt,
        kind: chatMessage.kind,
      })
      .from(chatMessage)
      .where(
        and(
          eq(chatMessage.id, messageId),
          eq(chatMessage.recalled, false),
          eq(chatMessage.roams, true),
          inArray(chatMessage.kind, [BODY.chat, BODY.groupChat]),
        ),
      );
    const place = message === undefined ? null : await placeOf(userName, message);
    if (place === null) throw gone();
    const other = userName === place.sender ? place.recipient : place.sender;
    if (!place.recipient.startsWith("#") && !(await deps.mayTalk(userName, other))) {
      throw new ProviderError(403, "forbidden_op", "permission denied");
    }
    await refuseBlocked(deps, userName, other);
    return place;
  }

  async function read(
    userName: string,
    messageIds: readonly bigint[],
  ): Promise<Map<bigint, ReactionCount[]>> {
    if (messageIds.length === 0) return new Map();
    const rows = await db
      .select({
        id: chatReaction.messageId,
        reaction: chatReaction.reaction,
        count: sql<number>`count(*)::int`,
        userList: sql<string[]>`(array_agg(${chatReaction.userName}
          ORDER BY ${chatReaction.createdAt}, ${chatReaction.userName}))[1:${sql.raw(String(CHAT_REACTION_NAMES))}]`,
        state: sql<boolean>`bool_or(${chatReaction.userName} = ${userName})`,
      })
      .from(chatReaction)
      .where(inArray(chatReaction.messageId, [...messageIds]))
      .groupBy(chatReaction.messageId, chatReaction.reaction)
      .orderBy(asc(sql`min(${chatReaction.createdAt})`), asc(chatReaction.reaction));
    const found = new Map<bigint, ReactionCount[]>();
    for (const { id, ...row } of rows) found.set(id, [...(found.get(id) ?? []), row]);
    return found;
  }

  async function sendReactionChange(
    who: Reactor,
    messageId: bigint,
    place: Place,
    changed: { reaction: string; type: "create" | "delete" },
  ): Promise<void> {
    const now = (await read(who.userName, [messageId])).get(messageId) ?? [];
    // The SDK's readers learn of a reaction that nobody holds any more by its count of 0.
    const all = now.some(({ reaction }) => reaction === changed.reaction)
      ? now
      : [...now, { reaction: changed.reaction, count: 0, userList: [], state: false }];
    const group = place.recipient.startsWith("#");
    const to = group || who.userName === place.sender ? place.recipient : place.sender;
    const data = {
      from: who.userName,
      to: to.replace(/^#/, ""),
      channel_type: group ? "groupchat" : "chat",
      messageId: String(messageId),
      ts: deps.now(),
      reactions: all.map(({ reaction, count, userList }) => ({
        reaction,
        count,
        userList,
        op:
          reaction === changed.reaction
            ? [{ operator: who.userName, reactionType: changed.type }]
            : [],
      })),
    };
    const value = { type: "reaction", data: [data] };
    const { appKey, nextId, write } = deps;
    await write(noticeMessage(appKey, nextId, who, { to, audience: place.people, value }));
  }

  return {
    async add(who, messageId, reaction) {
      const place = await reach(who.userName, messageId);
      if (place.muted === true) {
        throw new ProviderError(403, "forbidden_op", "permission denied");
      }
      const known = (await read(who.userName, [messageId])).get(messageId) ?? [];
      if (
        known.length >= CHAT_REACTIONS_SHOWN &&
        !known.some((each) => each.reaction === reaction)
      ) {
        throw new ProviderError(400, "illegal_argument", "the quantity has exceeded the limit!");
      }
      const added = await db
        .insert(chatReaction)
        .values({ messageId, userName: who.userName, reaction })
        .onConflictDoNothing()
        .returning({ reaction: chatReaction.reaction });
      if (added.length > 0)
        await sendReactionChange(who, messageId, place, { reaction, type: "create" });
    },
    async remove(who, messageId, reaction) {
      const place = await reach(who.userName, messageId);
      const removed = await db
        .delete(chatReaction)
        .where(
          and(
            eq(chatReaction.messageId, messageId),
            eq(chatReaction.userName, who.userName),
            eq(chatReaction.reaction, reaction),
          ),
        )
        .returning({ reaction: chatReaction.reaction });
      if (removed.length > 0)
        await sendReactionChange(who, messageId, place, { reaction, type: "delete" });
    },
    async list(userName, messageIds) {
      if (messageIds.length === 0) return new Map();
      const rows = await db
        .select({
          id: chatMessage.id,
          sender: chatMessage.sender,
          recipient: chatMessage.recipient,
          sentAt: chatMessage.sentAt,
        })
        .from(chatMessage)
        .where(and(inArray(chatMessage.id, [...messageIds]), eq(chatMessage.recalled, false)));
      const seen: bigint[] = [];
      for (const row of rows) if ((await placeOf(userName, row)) !== null) seen.push(row.id);
      return await read(userName, seen);
    },
  };
}
