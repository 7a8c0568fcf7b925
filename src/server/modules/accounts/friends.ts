/** Whether two people are friends: each has added the other (src/server/modules/im). The directory uses it to decide who may talk. */
import { sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";

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
      WHERE a.chat_user_name = ${userA} AND b.chat_user_name = ${userB} LIMIT 1`,
  );
  return rows.length > 0;
}
