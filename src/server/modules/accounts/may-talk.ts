/**
 * Who may chat with and call each other: people of one company, and friends, who have added each other (src/server/modules/im). Who was
 * dismissed everywhere has no friends until a company employs the person again.
 */
import { type SQL, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { createBatches } from "../../base/batches.ts";
import { isOpen } from "../../base/database/companies.ts";

/** Pairs of one question to the database. */
const ASKED_MAX = 500;

type Pair = readonly [string, string];

/** @param account alias of the account's row */
const isNotDismissed = (account: SQL): SQL => sql`(
  EXISTS (SELECT FROM employees e WHERE e.account_id = ${account}.id AND e.dimission_at IS NULL)
  OR NOT EXISTS (SELECT FROM employees e WHERE e.account_id = ${account}.id))`;

const areColleagues = sql`EXISTS (
  SELECT FROM accounts a
  JOIN employees own ON own.account_id = a.id AND own.dimission_at IS NULL
    AND ${isOpen(sql`own.company_id`)}
  JOIN employees others ON others.company_id = own.company_id AND others.dimission_at IS NULL
  JOIN accounts b ON b.id = others.account_id AND b.disabled_at IS NULL
  WHERE a.chat_user_name = pair.a AND b.chat_user_name = pair.b
    AND a.disabled_at IS NULL AND a.id <> b.id)`;

const areFriends = sql`EXISTS (
  SELECT FROM im_friends f
  JOIN accounts a ON a.id = f.account_id AND a.disabled_at IS NULL
  JOIN accounts b ON b.id = f.friend_id AND b.disabled_at IS NULL
  JOIN im_friends g ON g.account_id = f.friend_id AND g.friend_id = f.account_id
  WHERE a.chat_user_name = pair.a AND b.chat_user_name = pair.b
    AND ${isNotDismissed(sql`a`)} AND ${isNotDismissed(sql`b`)})`;

/** Questions that come while one is asked are the next one together. */
export function createMayTalk(db: NodePgDatabase): (a: string, b: string) => Promise<boolean> {
  const questions = createBatches<Pair, boolean>({
    limit: ASKED_MAX,
    async work(pairs) {
      const { rows } = await db.execute<{ talks: boolean }>(sql`
        SELECT ${areColleagues} OR ${areFriends} AS talks
        FROM unnest(${sql.param(pairs.map(([a]) => a))}::text[],
          ${sql.param(pairs.map(([, b]) => b))}::text[]) WITH ORDINALITY AS pair (a, b, at)
        ORDER BY pair.at`);
      return rows.map(({ talks }) => talks);
    },
  });
  return async (a, b) => a !== b && (await questions.add([a, b]));
}
