/** What became of the applications of a mobile number, for the person who proves it (docs/session.md#registration). */
import { sql } from "drizzle-orm";
import type { z } from "zod";
import type { applyStatesCall } from "../../../shared/protocol/rest/registration.ts";
import { isoTime } from "../../base/database/common.ts";
import type { Guess } from "../sms/index.ts";
import type { RegistrationDeps } from "./deps.ts";

type State = z.output<(typeof applyStatesCall)["data"]>[number];

/** Nobody has more; the newest come first. */
const MOST = 20;

/**
 * Those of the account that has the number. A number that no account has answers by the applications that name it; one that an account
 * has by now is another person's, perhaps, than the one who applied with it.
 *
 * @throws AppError request.invalid for a wrong code, the same whether or not there is an application; request.rate-limited
 */
export async function applyStates(
  { db, codes }: Pick<RegistrationDeps, "db" | "codes">,
  guess: Guess,
): Promise<State[]> {
  const code = await codes.check(guess);
  const { mobile } = guess;
  return db.transaction(async (tx) => {
    await codes.use(tx, code);
    const { rows } = await tx.execute<State & Record<string, unknown>>(sql`
      WITH owner AS (SELECT account_id FROM account_mobiles WHERE mobile = ${mobile}),
      found AS (
        SELECT 'company' AS kind, company_name AS name, status, reason, created_at, apply_account_id AS account, mobile
          FROM supplier_applies
        UNION ALL
        SELECT 'member', c.name, p.status, p.reason, p.created_at, p.account_id, p.phone
          FROM membership_applies p JOIN companies c ON c.id = p.company_id
      )
      SELECT kind, name AS "supplierName", status, reason, ${isoTime("created_at")} AS "createTime" FROM found
      WHERE account = (SELECT account_id FROM owner)
        OR (mobile = ${mobile} AND NOT EXISTS (SELECT FROM owner))
      ORDER BY created_at DESC LIMIT ${MOST}`);
    return rows.map(({ kind, supplierName, status, reason, createTime }) => ({
      kind,
      supplierName,
      status,
      reason,
      createTime,
    }));
  });
}
