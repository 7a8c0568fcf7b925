/**
 * The gateway's tables. One transaction writes a batch of messages with their inbox entries; everything else is single
 * statements.
 */
import { and, eq, inArray, lt, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import {
  chatCursor,
  chatInbox,
  chatInboxHead,
  chatMessage,
} from "../../base/database/schema/chat.ts";
import { CHAT_LIMITS } from "./limits.ts";
import { writeReads } from "./reads.ts";
import { conversationOf } from "./records.ts";
import type { InboxEntry, Outgoing, StoredMessage, Written } from "./records.ts";

/** `now` is in milliseconds since the epoch everywhere. */
export interface ChatStore {
  /** Writes messages and inbox entries in one transaction, in the given order. A resend gets the id of its first sending. */
  writeBatch(
    batch: readonly { outgoing: Outgoing; id: bigint; sentAt: number }[],
  ): Promise<Written[]>;
  message(id: bigint): Promise<StoredMessage | undefined>;
  /** Cursor of a device. A new device starts at the position of the user's furthest device, the first one at the beginning. */
  openCursor(userName: string, resource: string, now: number): Promise<bigint>;
  /** Moves the cursor of a device forward to `key`, never back. */
  acknowledge(userName: string, resource: string, key: bigint, now: number): Promise<void>;
  /** Entries after `after`, oldest first, without those that the device itself sent. */
  inbox(userName: string, resource: string, after: bigint, limit: number): Promise<InboxEntry[]>;
  /** Number of entries that `inbox` would return without a limit. */
  unread(userName: string, resource: string, after: bigint): Promise<number>;
  /** Deletes expired entries and entries beyond the inbox limit. */
  sweep(now: number): Promise<void>;
}

const resendKey = (m: { sender: string; clientId: string; digest: string }): string =>
  `${m.sender}\n${m.clientId}\n${m.digest}`;

export function createChatStore(db: NodePgDatabase): ChatStore {
  async function writeBatch(
    batch: readonly { outgoing: Outgoing; id: bigint; sentAt: number }[],
  ): Promise<Written[]> {
    return await db.transaction(async (tx) => {
      const rows = batch.map(({ outgoing, id, sentAt }) => ({
        id,
        sender: outgoing.sender,
        recipient: outgoing.recipient,
        conversation: conversationOf(outgoing.sender, outgoing.recipient),
        clientId: outgoing.clientId,
        digest: outgoing.digest,
        kind: outgoing.kind,
        roams: outgoing.roams,
        sentAt,
        meta: outgoing.build(id, sentAt),
      }));
      const inserted = await tx
        .insert(chatMessage)
        .values(rows)
        .onConflictDoNothing({
          target: [chatMessage.sender, chatMessage.clientId, chatMessage.digest],
        })
        .returning({ id: chatMessage.id });
      const fresh = new Set(inserted.map((r) => r.id));

      const earlier = new Map<string, { id: bigint; sentAt: number; meta: Uint8Array }>();
      const repeated = rows.filter((r) => !fresh.has(r.id));
      if (repeated.length > 0) {
        const found = await tx
          .select({
            id: chatMessage.id,
            sender: chatMessage.sender,
            clientId: chatMessage.clientId,
            digest: chatMessage.digest,
            sentAt: chatMessage.sentAt,
            meta: chatMessage.meta,
          })
          .from(chatMessage)
          .where(
            and(
              inArray(chatMessage.sender, [...new Set(repeated.map((r) => r.sender))]),
              inArray(chatMessage.clientId, [...new Set(repeated.map((r) => r.clientId))]),
            ),
          );
        for (const row of found) earlier.set(resendKey(row), row);
      }

      const written = batch.map(({ outgoing, id, sentAt }, i): Written => {
        const first = fresh.has(id) ? undefined : earlier.get(resendKey(outgoing));
        const row = rows[i];
        if (first === undefined) {
          return { outgoing, id, sentAt, duplicate: false, meta: row?.meta ?? new Uint8Array() };
        }
        return { outgoing, id: first.id, sentAt: first.sentAt, duplicate: true, meta: first.meta };
      });

      const entries: { userName: string; messageId: bigint; exceptResource: string | null }[] = [];
      for (const w of written) {
        if (w.duplicate || w.outgoing.onlineOnly) continue;
        const { recipient, sender, resource, carbon } = w.outgoing;
        entries.push({ userName: recipient, messageId: w.id, exceptResource: null });
        if (carbon && sender !== recipient) {
          entries.push({ userName: sender, messageId: w.id, exceptResource: resource });
        }
      }
      if (entries.length > 0) {
        const counts = new Map<string, number>();
        for (const e of entries) counts.set(e.userName, (counts.get(e.userName) ?? 0) + 1);
        // Always in the same order. Otherwise two processes could wait for each other's row locks.
        const heads = await tx
          .insert(chatInboxHead)
          .values(
            [...counts]
              .sort(([a], [b]) => (a < b ? -1 : 1))
              .map(([userName, n]) => ({ userName, lastKey: BigInt(n) })),
          )
          .onConflictDoUpdate({
            target: chatInboxHead.userName,
            set: { lastKey: sql`${chatInboxHead.lastKey} + excluded.last_key` },
          })
          .returning();
        const next = new Map(
          heads.map((h) => [h.userName, h.lastKey - BigInt(counts.get(h.userName) ?? 0)]),
        );
        await tx.insert(chatInbox).values(
          entries.map((e) => {
            const key = (next.get(e.userName) ?? 0n) + 1n;
            next.set(e.userName, key);
            return { ...e, key };
          }),
        );
      }

      await writeReads(tx, written);
      const recalled = written.flatMap((w) =>
        w.duplicate || w.outgoing.recalls === null ? [] : [w.outgoing.recalls],
      );
      if (recalled.length > 0) {
        await tx
          .update(chatMessage)
          .set({ recalled: true })
          .where(inArray(chatMessage.id, recalled));
      }
      return written;
    });
  }

  return {
    writeBatch,
    async message(id) {
      const [row] = await db
        .select({
          id: chatMessage.id,
          sender: chatMessage.sender,
          recipient: chatMessage.recipient,
          kind: chatMessage.kind,
          sentAt: chatMessage.sentAt,
          recalled: chatMessage.recalled,
        })
        .from(chatMessage)
        .where(eq(chatMessage.id, id));
      return row;
    },
    async openCursor(userName, resource, now) {
      const [row] = await db
        .insert(chatCursor)
        .values({
          userName,
          resource,
          acked: sql`coalesce((select max(c.acked) from chat_cursor c where c.user_name = ${userName}), 0)`,
          seenAt: now,
        })
        .onConflictDoUpdate({
          target: [chatCursor.userName, chatCursor.resource],
          set: { seenAt: now },
        })
        .returning({ acked: chatCursor.acked });
      await db.execute(sql`
        delete from chat_cursor where user_name = ${userName} and resource in (
          select resource from chat_cursor where user_name = ${userName}
          order by seen_at desc, resource offset ${CHAT_LIMITS.cursorsPerUser})`);
      return row?.acked ?? 0n;
    },
    async acknowledge(userName, resource, key, now) {
      await db
        .update(chatCursor)
        .set({ acked: sql`greatest(${chatCursor.acked}, ${key}::bigint)`, seenAt: now })
        .where(and(eq(chatCursor.userName, userName), eq(chatCursor.resource, resource)));
    },
    async inbox(userName, resource, after, limit) {
      return await db
        .select({ key: chatInbox.key, meta: chatMessage.meta })
        .from(chatInbox)
        .innerJoin(chatMessage, eq(chatMessage.id, chatInbox.messageId))
        .where(pending(userName, resource, after))
        .orderBy(chatInbox.key)
        .limit(limit);
    },
    async unread(userName, resource, after) {
      const [row] = await db
        .select({ n: sql<number>`count(*)::int` })
        .from(chatInbox)
        .innerJoin(chatMessage, eq(chatMessage.id, chatInbox.messageId))
        .where(pending(userName, resource, after));
      return row?.n ?? 0;
    },
    async sweep(now) {
      await db.execute(
        sql`delete from chat_inbox i using chat_inbox_head h
            where h.user_name = i.user_name and i.key <= h.last_key - ${CHAT_LIMITS.inboxEntries}::bigint`,
      );
      await db
        .delete(chatMessage)
        .where(
          and(eq(chatMessage.roams, false), lt(chatMessage.sentAt, now - CHAT_LIMITS.transientMs)),
        );
      await db.delete(chatCursor).where(lt(chatCursor.seenAt, now - CHAT_LIMITS.cursorMs));
      await db.execute(
        sql`delete from chat_presence_subscription where expires_at < ${now}::bigint`,
      );
    },
  };
}

function pending(userName: string, resource: string, after: bigint) {
  return and(
    eq(chatInbox.userName, userName),
    sql`${chatInbox.key} > ${after}::bigint`,
    sql`(${chatInbox.exceptResource} is null or ${chatInbox.exceptResource} <> ${resource})`,
    eq(chatMessage.recalled, false),
  );
}
