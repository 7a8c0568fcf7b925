/** Messages that stand on top of a conversation, for all who are in it (docs/chat.md#provider-calls). */
import { and, count, desc, eq, gte, lt, ne, or, sql } from "drizzle-orm";
import { chatMessage, chatPinned } from "../../../base/database/schema/chat.ts";
import { type ActDeps, refuseBlocked, takePart, tellConversation } from "../rest/acts.ts";
import type { Actor, Audience } from "../wire/event-envelope.ts";
import { ProviderError } from "../rest/provider-app.ts";
import { conversationOf } from "../wire/records.ts";

/** Pinned messages of one conversation. */
export const PINNED_MAX = 20;

export interface PinnedMessage {
  readonly id: bigint;
  readonly meta: Uint8Array;
  readonly operator: string;
  /** ms since the epoch */
  readonly at: number;
}
export interface PinnedMessages {
  /** @throws ProviderError */
  pin(who: Actor, peer: string, messageId: bigint): Promise<void>;
  /** @throws ProviderError */
  unpin(who: Actor, peer: string, messageId: bigint): Promise<void>;
  /** Newest pin first. @param before the last message on the previous page. @throws ProviderError */
  list(
    userName: string,
    peer: string,
    before: Pick<PinnedMessage, "at" | "id"> | null,
    limit: number,
  ): Promise<PinnedMessage[]>;
}

export function createPinnedMessages(deps: ActDeps): PinnedMessages {
  const { db } = deps;
  const missing = (): ProviderError =>
    new ProviderError(404, "resource_not_found", "user session pin message not exist");
  const sendPinChange = (who: Actor, peer: string, op: string, id: bigint, people: Audience) =>
    tellConversation(deps, who, peer, op, { ext: String(id), audience: people });

  return {
    async pin(who, peer, messageId) {
      const { people, since } = await takePart(deps, who.userName, peer);
      await refuseBlocked(deps, who.userName, peer);
      const conversation = conversationOf(who.userName, peer);
      await db.transaction(async (tx) => {
        // Two that are pinned at once must not both be the last that has room.
        const lock = `pinned:${conversation}`;
        await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${lock}, 0))`);
        const [message] = await tx
          .select({ id: chatMessage.id })
          .from(chatMessage)
          .where(
            and(
              eq(chatMessage.id, messageId),
              eq(chatMessage.conversation, conversation),
              eq(chatMessage.roams, true),
              eq(chatMessage.recalled, false),
              gte(chatMessage.sentAt, since),
            ),
          )
          .for("update");
        if (message === undefined) throw missing();
        const [pinned] = await tx
          .select({ n: count() })
          .from(chatPinned)
          .where(
            // One that is pinned again needs no further place.
            and(eq(chatPinned.conversation, conversation), ne(chatPinned.messageId, messageId)),
          );
        if ((pinned?.n ?? 0) >= PINNED_MAX) {
          throw new ProviderError(403, "exceed_limit", "too many pinned messages");
        }
        const row = { messageId, conversation, operator: who.userName, at: deps.now() };
        await tx
          .insert(chatPinned)
          .values(row)
          .onConflictDoUpdate({ target: chatPinned.messageId, set: row });
      });
      await sendPinChange(who, peer, "pin", messageId, people);
    },
    async unpin(who, peer, messageId) {
      const { people } = await takePart(deps, who.userName, peer);
      await refuseBlocked(deps, who.userName, peer);
      const gone = await db
        .delete(chatPinned)
        .where(
          and(
            eq(chatPinned.messageId, messageId),
            eq(chatPinned.conversation, conversationOf(who.userName, peer)),
          ),
        )
        .returning({ id: chatPinned.messageId });
      if (gone.length === 0) throw missing();
      await sendPinChange(who, peer, "pin_delete", messageId, people);
    },
    async list(userName, peer, before, limit) {
      const { since } = await takePart(deps, userName, peer);
      return await db
        .select({
          id: chatMessage.id,
          meta: chatMessage.meta,
          operator: chatPinned.operator,
          at: chatPinned.at,
        })
        .from(chatPinned)
        .innerJoin(chatMessage, eq(chatMessage.id, chatPinned.messageId))
        .where(
          and(
            eq(chatPinned.conversation, conversationOf(userName, peer)),
            eq(chatMessage.recalled, false),
            gte(chatMessage.sentAt, since),
            // Several may be pinned within one millisecond.
            before === null
              ? undefined
              : or(
                  lt(chatPinned.at, before.at),
                  and(eq(chatPinned.at, before.at), lt(chatPinned.messageId, before.id)),
                ),
          ),
        )
        .orderBy(desc(chatPinned.at), desc(chatPinned.messageId))
        .limit(limit);
    },
  };
}
