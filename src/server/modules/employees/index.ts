/**
 * Companies and their employees: memberships of the caller, staff of a company, invitations, applies,
 * documents, exports. Staff sees colleagues as `Employee`; everything else of a person needs a permission.
 */
import { and, asc, count, desc, eq, ilike, isNull, or, sql } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import { employeeListCall, employeesCall } from "../../../shared/protocol/rest/company.ts";
import {
  advancedFilteringCall,
  appliesCall,
  documentsListCall,
  documentsOwnCall,
  employeeBindAccountCall,
  employeeCreateCall,
  employeeCreateManyCall,
  employeeDeleteCall,
  employeeDimissionCall,
  employeeDimissionListCall,
  employeeDimissionOldCall,
  employeeExportCall,
  employeeGetCall,
  employeeUpdateCall,
  employeeUpdateV3Call,
  inviteEmployeeCall,
  querySupplierEmployeesCall,
} from "../../../shared/protocol/rest/employees.ts";
import type { Employee } from "../../../shared/protocol/rest/entities.ts";
import { anywhere } from "../../base/database/common.ts";
import { accounts, companies, employees } from "../../base/database/schema/base.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { holds, requireSupplier, route } from "../../base/http/route.ts";
import type { Principal, ServerDeps, ServerModule } from "../../base/module.ts";
import { xlsxResponse } from "../../base/xlsx/index.ts";
import { exportEmployees } from "./export.ts";
import { fieldsWith, ownFields } from "./fields.ts";
import { compileFilter } from "./filter.ts";
import { inviteRoutes } from "./invite-page.ts";
import { createInvitation, forgetInvitations } from "./invites.ts";
import { listApplies, listDocuments } from "./lists.ts";
import { createEmployeePages, type PageOf, type Wanted } from "./page.ts";
import { createPhoneReads } from "./phone-reads.ts";
import { createEmployee, createEmployees } from "./create.ts";
import { employeeById } from "./rows.ts";
import { bindAccount, dimissionEmployee, removeEmployee, updateEmployee } from "./store.ts";

const HOUR = 3_600_000;
/** How long an unused invitation is kept after it expires, so that its link can still explain why it does not open. */
const INVITATION_KEPT = 30 * 24 * HOUR;

/** Whether the caller may read all data of the employees. */
const mayReadAll = (of: Pick<Principal, "permissions">): boolean =>
  holds(of, "supplier:employee:query", "supplier:employee:edit");

export function createSuppliersModule(deps: ServerDeps): ServerModule {
  const { db, tenants, clock, config } = deps;
  const pages = createEmployeePages();
  const phones = createPhoneReads(clock);
  const run = <R>(principal: Principal, work: (scope: CompanyScope) => Promise<R>): Promise<R> =>
    tenants.run(requireSupplier(principal), principal, work);

  /** A page of employees with all their data. */
  const details = (scope: CompanyScope, wanted: Wanted, of: PageOf) =>
    phones.page(scope, { limited: false, limit: of.limit }, () => pages.page(scope, wanted, of));

  /**
   * A page of what every colleague may see.
   *
   * @param limited whether the number of rows per hour is limited
   */
  async function colleagues(scope: CompanyScope, wanted: Wanted, of: PageOf, limited: boolean) {
    const page = await phones.page(scope, { limited, limit: of.limit }, () =>
      pages.page(scope, wanted, of),
    );
    const records = page.records.map(
      ({ id, supplierId, supplierName, accountId, name, phone, department, position, userName }) =>
        ({
          id,
          supplierId,
          supplierName,
          accountId,
          name,
          phone,
          department,
          position,
          userName,
        }) satisfies Employee,
    );
    return { ...page, records };
  }

  /** The employee rows of an account in all its companies. */
  async function memberships(
    accountId: string,
    query: PageOf & { readonly keyword?: string | undefined },
    newestFirst: boolean,
  ) {
    const { cursor, limit, searchCount, keyword } = query;
    const conditions = and(
      isNull(employees.dimissionAt),
      eq(employees.accountId, accountId),
      keyword === undefined || keyword === ""
        ? undefined
        : or(
            ...[employees.name, employees.phone, employees.department, employees.position].map(
              (column) => ilike(column, anywhere(keyword)),
            ),
          ),
    );
    const records: Employee[] = await db
      .select({
        id: employees.id,
        supplierId: employees.companyId,
        supplierName: companies.name,
        accountId: employees.accountId,
        name: employees.name,
        phone: employees.phone,
        department: employees.department,
        position: employees.position,
        userName: accounts.chatUserName,
      })
      .from(employees)
      .innerJoin(companies, eq(companies.id, employees.companyId))
      .leftJoin(accounts, eq(accounts.id, employees.accountId))
      .where(conditions)
      .orderBy(newestFirst ? desc(employees.id) : asc(employees.id))
      .limit(limit)
      .offset((cursor - 1) * limit);
    const [counted] = searchCount
      ? await db.select({ total: count() }).from(employees).where(conditions)
      : [];
    return { records, total: counted?.total ?? 0, cursor, limit };
  }

  return {
    name: "suppliers",
    // Fixed paths come before the path with an id, which would match them too.
    routes(app) {
      route(app, employeesCall, deps, ({ query, principal }) => {
        const { accountId, supplierId, descParameter } = query;
        const newestFirst = descParameter === "id";
        // Nobody may look up another account by its id.
        if (accountId !== undefined && accountId !== principal.accountId) {
          throw new AppError("auth.forbidden");
        }
        if (supplierId === undefined) return memberships(principal.accountId, query, newestFirst);
        // To see colleagues, the caller needs a role in this company. Every member may see the own row.
        const mayLook =
          accountId === undefined
            ? principal.grants.some((grant) => grant.supplierId === supplierId)
            : principal.supplierIds.includes(supplierId);
        if (!mayLook) throw new AppError("auth.forbidden");
        const here = principal.grants.filter((grant) => grant.supplierId === supplierId);
        // A guest sees no colleagues.
        if (here.length === 0 && accountId === undefined) throw new AppError("auth.forbidden");
        const where =
          accountId === undefined ? {} : { where: sql`e.account_id = ${accountId}::bigint` };
        const wanted = { gone: false, keyword: query.keyword, newestFirst, ...where };
        const permissions = here.flatMap((grant) => grant.permissions);
        return tenants.run(supplierId, principal, (scope) =>
          colleagues(scope, wanted, query, !mayReadAll({ permissions })),
        );
      });

      route(app, employeeListCall, deps, ({ query, principal }) =>
        run(principal, (scope) =>
          colleagues(scope, { gone: false, keyword: query.keyword }, query, !mayReadAll(principal)),
        ),
      );
      route(app, employeeDimissionListCall, deps, ({ query, principal }) =>
        run(principal, (scope) =>
          details(scope, { gone: true, keyword: query.keyword, newestFirst: true }, query),
        ),
      );
      route(app, querySupplierEmployeesCall, deps, ({ body, principal }) => {
        const { department, keyword, state, descParameter } = body;
        const where =
          department === undefined || department === ""
            ? {}
            : { where: sql`e.department = ${department}` };
        const wanted = {
          gone: state === "dimission",
          keyword,
          newestFirst: descParameter === "id",
          ...where,
        };
        return run(principal, (scope) => details(scope, wanted, body));
      });
      route(app, advancedFilteringCall, deps, ({ body, principal }) =>
        run(principal, async (scope) => {
          const { filter, keyword, state } = body;
          const gone = state === "dimission";
          if (filter === undefined) return details(scope, { gone, keyword }, body);
          const fields = fieldsWith(await ownFields(scope));
          const where = compileFilter(filter, fields, { gone });
          const along = compileFilter(filter, fields, { gone, along: true });
          return details(scope, { gone, keyword, where, along }, body);
        }),
      );

      for (const call of [employeeDimissionCall, employeeDimissionOldCall]) {
        route(app, call, deps, ({ body, principal }) =>
          run(principal, (scope) => dimissionEmployee(scope, body, new Date(clock.now()))),
        );
      }
      for (const call of [employeeUpdateCall, employeeUpdateV3Call]) {
        route(app, call, deps, ({ body, principal }) =>
          run(principal, (scope) => updateEmployee(scope, body)),
        );
      }
      route(app, employeeCreateCall, deps, ({ body, principal }) =>
        run(principal, (scope) => createEmployee(scope, body)),
      );
      route(app, employeeCreateManyCall, deps, async ({ body, principal }) => ({
        ids: await run(principal, (scope) => createEmployees(scope, body)),
      }));
      route(app, employeeBindAccountCall, deps, ({ body, principal }) =>
        run(principal, (scope) => bindAccount(scope, body)),
      );
      route(app, employeeGetCall, deps, ({ params, principal }) =>
        run(principal, (scope) => employeeById(scope, params.id)),
      );
      route(app, employeeDeleteCall, deps, async ({ params, principal }) => {
        await run(principal, (scope) => removeEmployee(scope, params.id));
        return null;
      });

      route(app, inviteEmployeeCall, deps, async ({ body, principal }) => {
        const now = clock.now();
        const expiresAt = new Date(now + body.expiresInHours * HOUR);
        const token = await run(principal, async (scope) => {
          await forgetInvitations(scope, new Date(now - INVITATION_KEPT));
          return createInvitation(scope, config.APP_SECRET, body, {
            createdAt: new Date(now),
            expiresAt,
          });
        });
        return { link: `/invite/${token}`, expiresAt: expiresAt.toISOString() };
      });
      inviteRoutes(app, deps);

      route(app, documentsListCall, deps, ({ body, principal }) =>
        run(principal, (scope) => listDocuments(scope, body)),
      );
      route(app, documentsOwnCall, deps, ({ query, principal }) =>
        run(principal, (scope) =>
          listDocuments(scope, { ...query, accountId: principal.accountId }),
        ),
      );
      route(app, appliesCall, deps, async ({ query, principal }) => {
        if (principal.supplierId !== null && holds(principal, "supplier:employee:edit")) {
          return run(principal, (scope) =>
            listApplies(scope, sql`p.company_id = ${scope.companyId}::bigint`, query),
          );
        }
        const { applyAccountId } = query;
        if (applyAccountId !== undefined && applyAccountId !== principal.accountId) {
          throw new AppError("auth.forbidden");
        }
        const reader = {
          sql: async <R extends Record<string, unknown>>(text: ReturnType<typeof sql>) =>
            (await db.execute(text)).rows as R[],
        };
        return listApplies(reader, sql`p.account_id = ${principal.accountId}::bigint`, query);
      });
      route(app, employeeExportCall, deps, async ({ params, query, body, principal, c }) => {
        const ids =
          query.dataIds === undefined || query.dataIds === "" ? [] : query.dataIds.split(",");
        const { columns, rows } = await exportEmployees((work) => run(principal, work), pages, {
          gone: params.a === "dimission",
          ids,
          columns: body.columns,
          keyword: body.keyword,
          filter: body.filter,
        });
        await run(principal, (scope) =>
          phones.export(scope, {
            list: params.a,
            chosen: ids.length,
            columns: columns.map(({ title }) => title),
            filtered: body.filter !== undefined || (body.keyword ?? "") !== "",
          }),
        );
        return xlsxResponse(`${params.b}.xlsx`, columns, rows, c.var.log);
      });
    },
  };
}
