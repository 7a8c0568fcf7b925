/** All companies, for the platform's administrators, who lock and unlock them (docs/server.md#locked-companies). */
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import {
  companiesCall,
  lockCompanyCall,
  ownLocksCall,
  type PlatformCompany,
} from "../../../shared/protocol/rest/companies.ts";
import { auditPlatform } from "../../base/audit/index.ts";
import { anywhere, isoTime } from "../../base/database/common.ts";
import { isPlatform } from "../../base/database/companies.ts";
import { isId } from "../../base/database/ids.ts";
import { companies, employees } from "../../base/database/schema/base.ts";
import { orderBy } from "../../base/database/sorting.ts";
import { requireSupplier, route } from "../../base/http/route.ts";
import type { Principal, ServerDeps, ServerModule } from "../../base/module.ts";
import type { Access } from "../accounts/access.ts";

export interface CompaniesDeps extends ServerDeps {
  readonly access: Pick<Access, "companyLocked" | "companyUnlocked">;
}

const conflict = (message: string, en: string): AppError =>
  new AppError("request.conflict", { message, details: { en } });

export function createCompaniesModule(deps: CompaniesDeps): ServerModule {
  const { db, clock, access } = deps;

  /** @throws AppError request.not-found for a company that does not run the platform: it sees no others */
  async function requirePlatform(principal: Principal): Promise<void> {
    if (!(await isPlatform(db, requireSupplier(principal)))) {
      throw new AppError("request.not-found");
    }
  }

  /** @throws AppError request.not-found, request.conflict for the platform's own company and for a lock that is there already */
  async function setLock(
    principal: Principal,
    id: string,
    lock: { readonly locked: boolean; readonly reason: string },
  ): Promise<void> {
    const { accountId } = principal;
    await db.transaction(async (tx) => {
      const [was] = await tx
        .select({
          platform: companies.platform,
          lockedAt: companies.lockedAt,
          reason: companies.lockReason,
        })
        .from(companies)
        .where(eq(companies.id, id))
        .for("update");
      if (was === undefined) throw new AppError("request.not-found");
      if (was.platform) {
        throw conflict("平台自身的企业不能锁定", "The platform's own company is never locked");
      }
      if ((was.lockedAt !== null) === lock.locked) {
        throw lock.locked
          ? conflict(
              "该企业已锁定，请刷新后再试",
              "This company is locked already. Reload the page",
            )
          : conflict("该企业没有锁定，请刷新后再试", "This company is not locked. Reload the page");
      }
      await tx
        .update(companies)
        .set(
          lock.locked
            ? { lockedAt: new Date(clock.now()), lockReason: lock.reason, lockedBy: accountId }
            : { lockedAt: null, lockReason: "", lockedBy: null },
        )
        .where(eq(companies.id, id));
      await auditPlatform(
        tx,
        { accountId },
        {
          action: lock.locked ? "lock" : "unlock",
          entity: "company",
          entityId: id,
          before: { lockReason: was.reason },
          after: { lockReason: lock.locked ? lock.reason : "" },
        },
      );
    });
    await (lock.locked ? access.companyLocked(id) : access.companyUnlocked(id));
  }

  return {
    name: "companies",
    routes(app) {
      route(app, ownLocksCall, deps, ({ principal }) =>
        db
          .select({
            supplierId: companies.id,
            supplierName: companies.name,
            reason: companies.lockReason,
          })
          .from(companies)
          .innerJoin(
            employees,
            and(eq(employees.companyId, companies.id), isNull(employees.dimissionAt)),
          )
          .where(
            and(
              eq(employees.accountId, principal.accountId),
              sql`${companies.lockedAt} IS NOT NULL`,
            ),
          )
          .orderBy(employees.id),
      );

      route(app, companiesCall, deps, async ({ query, principal }) => {
        const { cursor, limit, searchCount, keyword = "", state, sort } = query;
        if (!(await isPlatform(db, requireSupplier(principal)))) {
          return { records: [], total: 0, cursor, limit };
        }
        const conditions: SQL[] = [
          ...(state === undefined
            ? []
            : [state === "locked" ? sql`c.locked_at IS NOT NULL` : sql`c.locked_at IS NULL`]),
          ...(keyword === ""
            ? []
            : [
                sql`(c.name ILIKE ${anywhere(keyword)} OR p.credit_code ILIKE ${anywhere(keyword)}
                  OR p.contact ILIKE ${anywhere(keyword)})`,
              ]),
        ];
        const from = sql`FROM companies c JOIN company_profiles p ON p.company_id = c.id
          ${conditions.length === 0 ? sql`` : sql`WHERE ${sql.join(conditions, sql` AND `)}`}`;
        const order = orderBy(
          sort,
          { name: sql`c.name`, createTime: sql`c.created_at`, lockTime: sql`c.locked_at` },
          sql`c.id DESC`,
        );
        const { rows } = await db.execute<PlatformCompany & Record<string, unknown>>(sql`
          SELECT c.id::text AS id, c.name, p.credit_code AS "creditCode", p.contact, p.phone, c.platform,
            (SELECT count(*)::int FROM employees e
              WHERE e.company_id = c.id AND e.account_id IS NOT NULL AND e.dimission_at IS NULL) AS members,
            ${isoTime("c.created_at")} AS "createTime", ${isoTime("c.locked_at")} AS "lockTime",
            c.lock_reason AS "lockReason", (SELECT a.nickname FROM accounts a WHERE a.id = c.locked_by) AS "lockedBy"
          ${from} ORDER BY ${order} LIMIT ${limit} OFFSET ${(cursor - 1) * limit}`);
        const { rows: counted } = searchCount
          ? await db.execute<{ n: number }>(sql`SELECT count(*)::int AS n ${from}`)
          : { rows: [] };
        return { records: rows, total: counted[0]?.n ?? 0, cursor, limit };
      });

      route(app, lockCompanyCall, deps, async ({ params, body, principal }) => {
        await requirePlatform(principal);
        if (!isId(params.id)) throw new AppError("request.not-found");
        await setLock(principal, params.id, body);
        return null;
      });
    },
  };
}
