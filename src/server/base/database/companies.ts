/** What every new company and every new account gets, from the seed and from registration alike. */
import { eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { chatUserNameSchema } from "../../../shared/protocol/rest/entities.ts";
import { accounts, companies, roles } from "./schema/base.ts";

export type Transaction = Parameters<Parameters<NodePgDatabase["transaction"]>[0]>[0];
export type RoleCode = "admin" | "staff" | "ops";

/** The roles of a new company. Their permissions come by migration (add_permission). */
const ROLES: Readonly<Record<RoleCode, string>> = {
  admin: "企业管理员",
  staff: "员工",
  ops: "运维人员",
};

export interface NewCompany {
  readonly id: string;
  readonly roleIds: Readonly<Record<RoleCode, string>>;
}

/**
 * Creates a company with its roles. Each role gets the permissions and the menus that migrations give it (add_permission, add_menu).
 *
 * @param platform whether it is the company that runs the platform
 */
export async function addCompany(
  tx: Transaction,
  name: string,
  platform = false,
): Promise<NewCompany> {
  const companyId = onlyId(await tx.insert(companies).values({ name, platform }).returning());
  const made = await tx
    .insert(roles)
    .values(
      Object.entries(ROLES).map(([code, name]) => ({
        companyId,
        code,
        name,
        permissions: sql`ARRAY(SELECT permission FROM role_permissions WHERE role_code = ${code}
          AND (${platform} OR permission NOT LIKE 'platform:%') ORDER BY permission)`,
      })),
    )
    .returning();
  await tx.execute(
    sql`INSERT INTO role_menus (role_id, menu_id)
      SELECT r.id, m.id FROM roles r JOIN menus m
        ON m.element_properties->'roles' @> to_jsonb(r.code)
          OR ${platform} AND m.element_properties->'platformRoles' @> to_jsonb(r.code)
      WHERE r.company_id = ${companyId}::bigint`,
  );
  const roleId = (code: RoleCode): string => onlyId(made.filter((role) => role.code === code));
  return {
    id: companyId,
    roleIds: { admin: roleId("admin"), staff: roleId("staff"), ops: roleId("ops") },
  };
}

/**
 * Condition that a company is not locked (docs/server.md#locked-companies). A locked company has no members, so each query for the
 * companies of a person needs this condition.
 */
export const isOpen = (companyId: SQLWrapper): SQL<boolean> =>
  sql<boolean>`NOT EXISTS (SELECT FROM companies locked WHERE locked.id = ${companyId} AND locked.locked_at IS NOT NULL)`;

/** Whether the company runs the platform. */
export async function isPlatform(
  db: Pick<NodePgDatabase, "select">,
  companyId: string,
): Promise<boolean> {
  const [row] = await db
    .select({ platform: companies.platform })
    .from(companies)
    .where(eq(companies.id, companyId));
  return row?.platform === true;
}

/** @returns the id of the account */
export async function addAccount(
  tx: Transaction,
  account: { readonly username: string; readonly nickname: string; readonly passwordHash: string },
): Promise<string> {
  const { rows } = await tx.execute<{ id: string }>(
    sql`SELECT nextval(pg_get_serial_sequence('accounts', 'id')) AS id`,
  );
  const id = onlyId(rows);
  const chatUserName = chatUserNameOf(account.username, id);
  await tx.insert(accounts).values({ id, ...account, chatUserName });
  return id;
}

/**
 * The account's user name at the chat provider: its own name in lower case if the provider accepts it, otherwise `u` and the
 * id. Own names that look like `u7` are not used, because they could collide with another account's substitute.
 */
export function chatUserNameOf(username: string, id: string): string {
  const name = username.toLowerCase();
  return chatUserNameSchema.safeParse(name).success && !/^u\d+$/.test(name) ? name : `u${id}`;
}

function onlyId(rows: readonly { id: string }[]): string {
  const id = rows[0]?.id;
  if (id === undefined) throw new Error("an insert returned no row");
  return id;
}
