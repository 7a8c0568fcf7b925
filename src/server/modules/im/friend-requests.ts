/** Friend requests to names that no account has; see 0021_friend_requests.sql. */
import { and, eq } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { auditPlatform } from "../../base/audit/index.ts";
import { imFriendRequests } from "../../base/database/schema/im.ts";
import { addRequest, type FriendRow } from "./friends.ts";
import type { Person } from "./groups.ts";

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

    /** @returns the request, an earlier one included; "too many" when too many requests of the account are unanswered */
    add(self: Person, userName: string): Promise<FriendRow | null | "too many"> {
      return addRequest(db, self, {
        find: () => find(self.accountId, userName),
        insert: (tx) =>
          tx
            .insert(imFriendRequests)
            .values({ accountId: self.accountId, userName })
            .onConflictDoNothing()
            .returning({ id: imFriendRequests.id }),
        after: { userName },
      });
    },

    /**
     * Removes the request, found by the requested name or by its id.
     *
     * @returns whether anything was removed
     */
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
