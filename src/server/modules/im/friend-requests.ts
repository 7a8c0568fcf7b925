/** Friend requests to names that no account has; see 0021_friend_requests.sql. */
import { and, eq } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { auditPlatform } from "../../base/audit/index.ts";
import { imFriendRequests } from "../../base/database/schema/im.ts";
import { type FriendRow, isFull } from "./friends.ts";
import type { Person } from "./groups.ts";

export type FriendRequests = ReturnType<typeof createFriendRequests>;

export function createFriendRequests(db: NodePgDatabase) {
  async function find(accountId: string, userName: string): Promise<FriendRow | null> {
    const [row] = await db
      .select({ id: imFriendRequests.id })
      .from(imFriendRequests)
      .where(
        and(eq(imFriendRequests.accountId, accountId), eq(imFriendRequests.userName, userName)),
      );
    if (row === undefined) return null;
    return { id: row.id, friendUserName: userName, name: userName, avatar: "", agreed: false };
  }

  return {
    find,

    /** @returns "too many" when too many requests of the account are unanswered */
    async add(self: Person, userName: string): Promise<FriendRow | null | "too many"> {
      const present = await find(self.accountId, userName);
      if (present !== null) return present;
      if (await isFull(db, self.accountId)) return "too many";
      await db.transaction(async (tx) => {
        const added = await tx
          .insert(imFriendRequests)
          .values({ accountId: self.accountId, userName })
          .onConflictDoNothing()
          .returning({ id: imFriendRequests.id });
        for (const { id } of added) {
          await auditPlatform(tx, self, {
            action: "create",
            entity: "im-friend",
            entityId: id,
            after: { userName },
          });
        }
      });
      return find(self.accountId, userName);
    },

    /** @returns whether anything was removed */
    async end(
      self: Person,
      which: { readonly userName: string } | { readonly id: string },
    ): Promise<boolean> {
      return db.transaction(async (tx) => {
        const gone = await tx
          .delete(imFriendRequests)
          .where(
            and(
              eq(imFriendRequests.accountId, self.accountId),
              "id" in which
                ? eq(imFriendRequests.id, which.id)
                : eq(imFriendRequests.userName, which.userName),
            ),
          )
          .returning({ id: imFriendRequests.id, userName: imFriendRequests.userName });
        for (const { id, userName } of gone) {
          await auditPlatform(tx, self, {
            action: "delete",
            entity: "im-friend",
            entityId: id,
            before: { userName },
          });
        }
        return gone.length > 0;
      });
    },
  };
}
