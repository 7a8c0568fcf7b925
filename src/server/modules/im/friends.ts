/** Friends in the database: one row per side. Two people are friends when both rows exist. */
import { and, eq, or, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { auditPlatform } from "../../base/audit/index.ts";
import { accounts } from "../../base/database/schema/base.ts";
import { imFriends } from "../../base/database/schema/im.ts";
import type { Person } from "./groups.ts";

export interface FriendRow {
  readonly id: string;
  readonly friendUserName: string;
  readonly name: string;
  readonly avatar: string;
  readonly agreed: boolean;
}
/** Most unanswered requests per account. */
export const WAITING_MAX = 200;

/** Whether the account has WAITING_MAX unanswered requests. Requests to names that no account has count too. */
async function isFull(db: NodePgDatabase, accountId: string): Promise<boolean> {
  const { rows } = await db.execute<{ n: number }>(
    sql`SELECT ((SELECT count(*) FROM im_friend_requests WHERE account_id = ${accountId}::bigint)
      + (SELECT count(*) FROM im_friends f WHERE f.account_id = ${accountId}::bigint
          AND NOT EXISTS (SELECT FROM im_friends g
            WHERE g.account_id = f.friend_id AND g.friend_id = f.account_id)))::int AS n`,
  );
  return (rows[0]?.n ?? 0) >= WAITING_MAX;
}

/**
 * Adds a request unless it exists.
 *
 * @param request.insert inserts the request unless another call did meanwhile, and returns the inserted rows
 * @param request.after the request as the audit record shows it
 */
export async function addRequest(
  db: NodePgDatabase,
  self: Person,
  request: {
    readonly find: () => Promise<FriendRow | null>;
    readonly insert: (tx: Pick<NodePgDatabase, "insert">) => Promise<{ readonly id: string }[]>;
    readonly after: Record<string, string>;
  },
): Promise<FriendRow | null | "too many"> {
  const present = await request.find();
  if (present !== null) return present;
  if (await isFull(db, self.accountId)) return "too many";
  await db.transaction(async (tx) => {
    for (const { id } of await request.insert(tx)) {
      await auditPlatform(tx, self, {
        action: "create",
        entity: "im-friend",
        entityId: id,
        after: request.after,
      });
    }
  });
  return request.find();
}

export function createFriends(db: NodePgDatabase) {
  async function find(accountId: string, friendId: string): Promise<FriendRow | null> {
    const [row] = await db
      .select({
        id: imFriends.id,
        friendUserName: accounts.chatUserName,
        name: accounts.nickname,
        avatar: accounts.avatar,
        agreed: sql<boolean>`EXISTS (SELECT FROM im_friends b
          WHERE b.account_id = ${imFriends.friendId} AND b.friend_id = ${imFriends.accountId})`,
      })
      .from(imFriends)
      .innerJoin(accounts, eq(accounts.id, imFriends.friendId))
      .where(and(eq(imFriends.accountId, accountId), eq(imFriends.friendId, friendId)));
    return row ?? null;
  }

  return {
    find,

    /** @returns the account's own row, an earlier one included; "too many" when too many of its requests are unanswered */
    add(self: Person, friendId: string): Promise<FriendRow | null | "too many"> {
      return addRequest(db, self, {
        find: () => find(self.accountId, friendId),
        insert: (tx) =>
          tx
            .insert(imFriends)
            .values({ accountId: self.accountId, friendId })
            .onConflictDoNothing()
            .returning({ id: imFriends.id }),
        after: { friendId },
      });
    },

    /**
     * Removes the rows of both sides.
     *
     * @returns whether anything was removed
     */
    async end(self: Person, friendId: string): Promise<boolean> {
      const me = self.accountId;
      return db.transaction(async (tx) => {
        const gone = await tx
          .delete(imFriends)
          .where(
            or(
              and(eq(imFriends.accountId, me), eq(imFriends.friendId, friendId)),
              and(eq(imFriends.accountId, friendId), eq(imFriends.friendId, me)),
            ),
          )
          .returning({ id: imFriends.id, accountId: imFriends.accountId });
        for (const { id, accountId } of gone) {
          await auditPlatform(tx, self, {
            action: "delete",
            entity: "im-friend",
            entityId: id,
            before: { accountId, friendId: accountId === me ? friendId : me },
          });
        }
        return gone.length > 0;
      });
    },

    /** @returns the friend's account id; null when the row with this id does not belong to the account */
    async friendOf(accountId: string, id: string): Promise<string | null> {
      const [row] = await db
        .select({ friendId: imFriends.friendId })
        .from(imFriends)
        .where(and(eq(imFriends.id, id), eq(imFriends.accountId, accountId)));
      return row?.friendId ?? null;
    },
  };
}
