/** The account of somebody who joins by an invitation: the one whose person logged in, the one of the mobile number, or a new one. */
import { eq, sql } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import type { Join } from "../../../shared/protocol/rest/joining.ts";
import { addAccount, type Transaction } from "../../base/database/companies.ts";
import { accounts } from "../../base/database/schema/base.ts";
import { accountMobiles } from "../../base/database/schema/registration.ts";

/** A refusal that names its field. */
export const wrong = (
  code: "request.conflict" | "request.invalid",
  field: string,
  message: string,
) => new AppError(code, { message, details: { fields: { [field]: message } } });

/**
 * An account whose person logged in. One without a mobile number gets the proven one.
 *
 * @throws AppError request.conflict for the number of another account
 */
export async function provenAccount(
  tx: Transaction,
  { id, username }: { readonly id: string; readonly username: string },
  mobile: string,
): Promise<{ id: string; username: string }> {
  const [owner] = await tx
    .select({ accountId: accountMobiles.accountId })
    .from(accountMobiles)
    .where(eq(accountMobiles.mobile, mobile));
  if (owner !== undefined && owner.accountId !== id) {
    throw wrong("request.conflict", "mobile", "该手机号属于另一个账号，请用那个账号登录");
  }
  await tx.insert(accountMobiles).values({ accountId: id, mobile }).onConflictDoNothing();
  return { id, username };
}

/** The account of the mobile number, or a new one. */
export async function accountOf(
  tx: Transaction,
  {
    mobile,
    name,
    username,
  }: Pick<Join, "mobile" | "name"> & { readonly username?: string | undefined },
  passwordHash: string | null,
): Promise<{ id: string; username: string }> {
  const [known] = await tx
    .select({ id: accounts.id, username: accounts.username, disabledAt: accounts.disabledAt })
    .from(accountMobiles)
    .innerJoin(accounts, eq(accounts.id, accountMobiles.accountId))
    .where(eq(accountMobiles.mobile, mobile));
  if (known !== undefined) {
    if (known.disabledAt !== null)
      throw wrong("request.conflict", "mobile", "该手机号的账号已停用");
    return known;
  }
  if (username === undefined) throw wrong("request.invalid", "username", "请填写用户名");
  if (passwordHash === null) throw wrong("request.invalid", "password", "请设置密码");
  const [taken] = await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(sql`lower(${accounts.username}) = lower(${username})`);
  if (taken !== undefined) throw wrong("request.conflict", "username", "用户名已被使用");
  const id = await addAccount(tx, { username, nickname: name, passwordHash });
  await tx.insert(accountMobiles).values({ accountId: id, mobile });
  return { id, username };
}
