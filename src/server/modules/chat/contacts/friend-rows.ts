/**
 * Friends in the database: one row of im_friends per side. Two people are friends when both rows exist; a single one is a request that
 * waits for an answer. Undelivered requests are in im_friend_requests (0021_friend_requests.sql).
 */
import { and, eq, or, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { auditPlatform } from "../../../base/audit/index.ts";
import { imFriendRequests, imFriends } from "../../../base/database/schema/im.ts";
import type { Person } from "../groups/facts.ts";

/** Most unanswered requests per account, including undelivered ones. */
export const WAITING_MAX = 200;

export interface FriendRows {
  /** Whether the account has WAITING_MAX unanswered requests. */
  isFull(accountId: string): Promise<boolean>;
  /** Whether there is a row of this side. */
  has(from: Person, to: Person): Promise<boolean>;
  /** @returns whether the row is new */
  add(from: Person, to: Person, reason: string): Promise<boolean>;
  /** Keeps an undelivered request. */
  addUnheard(from: Person, userName: string, reason: string): Promise<void>;
  hasUnheard(from: Person, userName: string): Promise<boolean>;
  /** Removes an undelivered request. @returns whether there was one */
  endUnheard(from: Person, userName: string): Promise<boolean>;
  /** Removes the rows of both sides. @returns which there were */
  end(me: Person, other: Person): Promise<{ readonly ownRow: boolean; readonly otherRow: boolean }>;
}

export function createFriendRows(db: NodePgDatabase): FriendRows {
  const side = (from: Person, to: Person) =>
    and(eq(imFriends.accountId, from.accountId), eq(imFriends.friendId, to.accountId));
  const unheard = (from: Person, userName: string) =>
    and(eq(imFriendRequests.accountId, from.accountId), eq(imFriendRequests.userName, userName));
  const entity = "im-friend";

  return {
    async isFull(accountId) {
      const { rows } = await db.execute<{ n: number }>(
        sql`SELECT ((SELECT count(*) FROM im_friend_requests WHERE account_id = ${accountId}::bigint)
          + (SELECT count(*) FROM im_friends f WHERE f.account_id = ${accountId}::bigint
              AND NOT EXISTS (SELECT FROM im_friends g
                WHERE g.account_id = f.friend_id AND g.friend_id = f.account_id)))::int AS n`,
      );
      return (rows[0]?.n ?? 0) >= WAITING_MAX;
    },
    async has(from, to) {
      const rows = await db.select({ id: imFriends.id }).from(imFriends).where(side(from, to));
      return rows.length > 0;
    },
    add(from, to, reason) {
      return db.transaction(async (tx) => {
        // The other person does not block this one any more, or has an account now.
        await tx.delete(imFriendRequests).where(unheard(from, to.chatUserName));
        const rows = await tx
          .insert(imFriends)
          .values({ accountId: from.accountId, friendId: to.accountId, reason })
          .onConflictDoNothing()
          .returning({ id: imFriends.id });
        for (const { id } of rows) {
          const after = { friendId: to.accountId };
          await auditPlatform(tx, from, { action: "create", entity, entityId: id, after });
        }
        return rows.length > 0;
      });
    },
    async addUnheard(from, userName, reason) {
      await db.transaction(async (tx) => {
        const rows = await tx
          .insert(imFriendRequests)
          .values({ accountId: from.accountId, userName, reason })
          .onConflictDoNothing()
          .returning({ id: imFriendRequests.id });
        for (const { id } of rows) {
          await auditPlatform(tx, from, {
            action: "create",
            entity,
            entityId: id,
            after: { userName },
          });
        }
      });
    },
    async hasUnheard(from, userName) {
      const rows = await db
        .select({ id: imFriendRequests.id })
        .from(imFriendRequests)
        .where(unheard(from, userName));
      return rows.length > 0;
    },
    endUnheard(from, userName) {
      return db.transaction(async (tx) => {
        const gone = await tx
          .delete(imFriendRequests)
          .where(unheard(from, userName))
          .returning({ id: imFriendRequests.id });
        for (const { id } of gone) {
          await auditPlatform(tx, from, {
            action: "delete",
            entity,
            entityId: id,
            before: { userName },
          });
        }
        return gone.length > 0;
      });
    },
    end(me, other) {
      return db.transaction(async (tx) => {
        const gone = await tx
          .delete(imFriends)
          .where(or(side(me, other), side(other, me)))
          .returning({ id: imFriends.id, accountId: imFriends.accountId });
        for (const { id, accountId } of gone) {
          const friendId = accountId === me.accountId ? other.accountId : me.accountId;
          await auditPlatform(tx, me, {
            action: "delete",
            entity,
            entityId: id,
            before: { accountId, friendId },
          });
        }
        return {
          ownRow: gone.some(({ accountId }) => accountId === me.accountId),
          otherRow: gone.some(({ accountId }) => accountId === other.accountId),
        };
      });
    },
  };
}
