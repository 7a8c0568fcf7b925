/** Friends in the database: a row a side, friends when both have one. */
import { and, eq, or, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { auditPlatform } from "../audit/index.ts";
import { accounts } from "../db/schema/base.ts";
import { imFriends } from "../db/schema/im.ts";
import type { Person } from "./groups.ts";

export interface FriendRow {
  readonly id: string;
  readonly friendUserName: string;
  readonly name: string;
  readonly avatar: string;
  readonly agreed: boolean;
}
export type Friends = ReturnType<typeof createFriends>;

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

    async add(self: Person, friendId: string): Promise<FriendRow | null> {
      await db.transaction(async (tx) => {
        const added = await tx
          .insert(imFriends)
          .values({ accountId: self.accountId, friendId })
          .onConflictDoNothing()
          .returning({ id: imFriends.id });
        for (const { id } of added) {
          await auditPlatform(tx, self, {
            action: "create",
            entity: "im-friend",
            entityId: id,
            after: { friendId },
          });
        }
      });
      return find(self.accountId, friendId);
    },

    /** Both sides. @returns whether there was anything */
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

    /** Whom the account's own record of that id names; null when it is not the account's. */
    async friendOf(accountId: string, id: string): Promise<string | null> {
      const [row] = await db
        .select({ friendId: imFriends.friendId })
        .from(imFriends)
        .where(and(eq(imFriends.id, id), eq(imFriends.accountId, accountId)));
      return row?.friendId ?? null;
    },
  };
}
