/** What a person removes from the own history and list (docs/chat.md#provider-calls). Others keep it. */
import { and, desc, eq, inArray, lte, sql } from "drizzle-orm";
import {
  chatCleared,
  chatErased,
  chatMark,
  chatMessage,
} from "../../../base/database/schema/chat.ts";
import { type ActDeps, placeOf, tellConversation } from "../rest/acts.ts";
import type { Actor } from "../wire/event-envelope.ts";
import { noticeMessage } from "../wire/notify.ts";
import { conversationOf } from "../wire/records.ts";

/** The peer that stands for all conversations. */
const EVERYTHING = "";

export interface Erasures {
  /** Up to which message ids the person has emptied conversations and hidden them, by peer; "" for all. */
  erasuresOf(userName: string): Promise<Map<string, { clearedTo: bigint; hiddenTo: bigint }>>;
  /** Removes single messages of a conversation. Ids of other conversations are passed over. */
  messages(who: Actor, peer: string, ids: readonly bigint[]): Promise<void>;
  /** Removes what was sent until then, ms since the epoch. */
  until(who: Actor, peer: string, at: number): Promise<void>;
  /** Takes a conversation out of the list until something new comes. */
  conversation(who: Actor, peer: string, andMessages: boolean): Promise<void>;
  everything(who: Actor): Promise<void>;
}

export function createErasures(
  deps: ActDeps & {
    /** The inbox of this person is no longer as this process knows it. */
    readonly onInbox: (userName: string) => void;
  },
): Erasures {
  const { db } = deps;

  async function set(
    userName: string,
    peer: string,
    upTo: bigint,
    which: { readonly cleared: boolean; readonly hidden: boolean },
  ): Promise<void> {
    const clearedTo = which.cleared ? upTo : 0n;
    const hiddenTo = which.hidden ? upTo : 0n;
    await db
      .insert(chatCleared)
      .values({ userName, peer, clearedTo, hiddenTo })
      .onConflictDoUpdate({
        target: [chatCleared.userName, chatCleared.peer],
        set: {
          clearedTo: sql`greatest(${chatCleared.clearedTo}, excluded.cleared_to)`,
          hiddenTo: sql`greatest(${chatCleared.hiddenTo}, excluded.hidden_to)`,
        },
      });
  }
  const tellRoaming = (who: Actor, peer: string): Promise<unknown> => {
    const { id, type } = placeOf(peer);
    return deps.write(
      noticeMessage(deps.appKey, deps.nextId, who, {
        to: who.userName,
        audience: [],
        value: { type: "roaming_delete", data: { to: id, chatType: type, resource: who.resource } },
      }),
    );
  };

  return {
    async erasuresOf(userName) {
      const rows = await db.select().from(chatCleared).where(eq(chatCleared.userName, userName));
      return new Map(rows.map(({ peer, clearedTo, hiddenTo }) => [peer, { clearedTo, hiddenTo }]));
    },
    async messages(who, peer, ids) {
      const found = await db
        .select({ id: chatMessage.id })
        .from(chatMessage)
        .where(
          and(
            inArray(chatMessage.id, [...ids]),
            eq(chatMessage.conversation, conversationOf(who.userName, peer)),
          ),
        );
      if (found.length === 0) return;
      await db
        .insert(chatErased)
        .values(found.map(({ id }) => ({ userName: who.userName, messageId: id })))
        .onConflictDoNothing();
      deps.onInbox(who.userName);
      await tellRoaming(who, peer);
    },
    async until(who, peer, at) {
      const [last] = await db
        .select({ id: chatMessage.id })
        .from(chatMessage)
        .where(
          and(
            eq(chatMessage.conversation, conversationOf(who.userName, peer)),
            lte(chatMessage.sentAt, at),
          ),
        )
        .orderBy(desc(chatMessage.id))
        .limit(1);
      if (last === undefined) return;
      await set(who.userName, peer, last.id, { cleared: true, hidden: false });
      await tellRoaming(who, peer);
    },
    async conversation(who, peer, andMessages) {
      await set(who.userName, peer, deps.nextId(), { cleared: andMessages, hidden: true });
      await db
        .delete(chatMark)
        .where(and(eq(chatMark.userName, who.userName), eq(chatMark.peer, peer)));
      await tellConversation(deps, who, peer, "del");
    },
    async everything(who) {
      await set(who.userName, EVERYTHING, deps.nextId(), { cleared: true, hidden: true });
    },
  };
}
