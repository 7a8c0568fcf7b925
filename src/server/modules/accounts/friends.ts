/**
 * Whether two people are friends: each has added the other (src/server/modules/im). The directory uses it to decide who may talk. Who
 * was dismissed everywhere has no friends until a company employs the person again.
 */
import { type SQL, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";

/** @param account alias of the account's row */
const isNotDismissed = (account: SQL): SQL => sql`(
  EXISTS (SELECT FROM employees e WHERE e.account_id = ${account}.id AND e.dimission_at IS NULL)
  OR NOT EXISTS (SELECT FROM employees e WHERE e.account_id = ${account}.id))`;

export async function areFriends(
  db: NodePgDatabase,
  userA: string,
  userB: string,
): Promise<boolean> {
  const { rows } = await db.execute(
    sql`SELECT 1 FROM im_friends f
      JOIN accounts a ON a.id = f.account_id AND a.disabled_at IS NULL
      JOIN accounts b ON b.id = f.friend_id AND b.disabled_at IS NULL
      JOIN im_friends g ON g.account_id = f.friend_id AND g.friend_id = f.account_id
      WHERE a.chat_user_name = ${userA} AND b.chat_user_name = ${userB}
        AND ${isNotDismissed(sql`a`)} AND ${isNotDismissed(sql`b`)} LIMIT 1`,
  );
  return rows.length > 0;
}
