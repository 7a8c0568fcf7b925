/** Lists and exports of employees, and whom each caller may see in them. */
import { and, asc, count, desc, eq, ilike, isNull, or, sql } from "drizzle-orm";
import type { Hono } from "hono";
import { AppError } from "../../../shared/errors.ts";
import { employeeListCall, employeesCall } from "../../../shared/protocol/rest/company.ts";
import {
  advancedFilteringCall,
  employeeDimissionListCall,
  employeeExportCall,
  querySupplierEmployeesCall,
} from "../../../shared/protocol/rest/employees.ts";
import type { Employee } from "../../../shared/protocol/rest/entities.ts";
import type { RestCall } from "../../../shared/protocol/rest/call.ts";
import { type FilterGroup, filterOf } from "../../../shared/protocol/rest/filter.ts";
import { anywhere } from "../../base/database/common.ts";
import { isOpen } from "../../base/database/companies.ts";
import { accounts, companies, employees } from "../../base/database/schema/base.ts";
import { orderOf } from "../../base/database/sorting.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { holds, route } from "../../base/http/route.ts";
import type { HttpEnv, Principal, ServerDeps } from "../../base/module.ts";
import { xlsxResponse } from "../../base/xlsx/index.ts";
import { lackedDocuments } from "../documents/list.ts";
import { inDepartment } from "./below.ts";
import { exportEmployees } from "./export.ts";
import { ownFields } from "../field-settings/own-fields.ts";
import { fieldsWith } from "./fields.ts";
import { compileFilter } from "./filter.ts";
import type { InCompany } from "./in-company.ts";
import { createEmployeePages, type PageOf, type Wanted } from "./page.ts";
import { createPhoneReads } from "./phone-reads.ts";

/** Columns of `employees e` that lists sort by. */
const SORTS = {
  name: sql`e.name`,
  employeeNo: sql`e.employee_no`,
  phone: sql`e.phone`,
  department: sql`e.department`,
  position: sql`e."position"`,
  dimissionDate: sql`e.dimission_at`,
};

async function conditionsOf(
  scope: CompanyScope,
  filter: FilterGroup,
  gone: boolean,
): Promise<Pick<Wanted, "where" | "along">> {
  const fields = fieldsWith(await ownFields(scope));
  return {
    where: compileFilter(filter, fields, { gone }),
    along: compileFilter(filter, fields, { gone, along: true }),
  };
}

/** A call with its whole input, which `request` is. */
const asked = ({ id }: RestCall, request: PageOf): string => JSON.stringify([id, request]);

/** Whether the caller may read all data of the employees. */
const mayReadAll = (principal: Pick<Principal, "permissions">): boolean =>
  holds(principal, "supplier:employee:query", "supplier:employee:edit");

/** Binds the calls that read lists of employees. */
export function readingRoutes(app: Hono<HttpEnv>, deps: ServerDeps, run: InCompany): void {
  const { db, tenants, clock } = deps;
  const pages = createEmployeePages();
  const phones = createPhoneReads(clock);

  /** A page of employees with all their data. */
  const details = (scope: CompanyScope, wanted: Wanted, request: PageOf, call: RestCall) =>
    phones.page(
      scope,
      { limited: false, limit: request.limit, question: asked(call, request) },
      () => pages.page(scope, wanted, request),
    );

  /**
   * A page of what every colleague may see.
   *
   * @param limited whether the number of rows per hour is limited
   * @param own with the values of the company's own fields
   */
  async function colleagues(
    scope: CompanyScope,
    wanted: Wanted,
    request: PageOf,
    call: RestCall,
    limited: boolean,
    own = false,
  ) {
    const question = asked(call, request);
    const page = await phones.page(scope, { limited, limit: request.limit, question }, () =>
      pages.page(scope, wanted, request),
    );
    // The documents that are lacked show with all the data alone.
    const lacked = own
      ? await lackedDocuments(
          scope,
          page.records.map(({ id }) => id),
          clock.now(),
        )
      : null;
    const records = page.records.map(
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
        custom,
      }) =>
        ({
          ...(own ? { custom, lacked: lacked?.get(id) ?? null } : {}),
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
      isOpen(employees.companyId),
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
      colleagues(scope, wanted, query, employeesCall, !mayReadAll({ permissions })),
    );
  });

  route(app, employeeListCall, deps, ({ query, principal }) =>
    run(principal, async (scope) => {
      const { filter, keyword, sort, departmentId } = query;
      const all = mayReadAll(principal);
      if (filter !== undefined && !all) throw new AppError("auth.forbidden");
      const wanted = { gone: false, keyword, order: orderOf(sort, SORTS) };
      const found: Pick<Wanted, "where" | "along"> =
        filter === undefined ? {} : await conditionsOf(scope, filterOf(filter), false);
      const within = departmentId === undefined ? null : await inDepartment(scope, departmentId);
      const both =
        within === null
          ? found
          : { where: and(found.where, within), along: and(found.along, within) };
      return colleagues(scope, { ...wanted, ...both }, query, employeeListCall, !all, all);
    }),
  );
  route(app, employeeDimissionListCall, deps, ({ query, principal }) =>
    run(principal, (scope) =>
      details(
        scope,
        {
          gone: true,
          keyword: query.keyword,
          newestFirst: true,
          order: orderOf(query.sort, SORTS),
        },
        query,
        employeeDimissionListCall,
      ),
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
    return run(principal, (scope) => details(scope, wanted, body, querySupplierEmployeesCall));
  });
  route(app, advancedFilteringCall, deps, ({ body, principal }) =>
    run(principal, async (scope) => {
      const { filter, keyword, state } = body;
      const gone = state === "dimission";
      const found = filter === undefined ? {} : await conditionsOf(scope, filter, gone);
      return details(scope, { gone, keyword, ...found }, body, advancedFilteringCall);
    }),
  );

  route(app, employeeExportCall, deps, async ({ params, query, body, principal, c }) => {
    const { dataIds = "" } = query;
    const ids = [...(dataIds === "" ? [] : dataIds.split(",")), ...(body.dataIds ?? [])];
    const wanted = {
      gone: params.a === "dimission",
      ids,
      columns: body.columns,
      keyword: body.keyword,
      filter: body.filter,
      departmentId: body.departmentId,
    };
    const { columns, rows } = await exportEmployees(
      (work) => run(principal, work),
      pages,
      wanted,
      () => clock.now(),
    );
    await run(principal, (scope) =>
      phones.export(scope, {
        list: params.a,
        chosen: ids.length,
        columns: columns.map(({ title }) => title),
        filtered:
          body.filter !== undefined ||
          body.departmentId !== undefined ||
          (body.keyword ?? "") !== "",
      }),
    );
    return xlsxResponse(`${params.b}.xlsx`, columns, rows, c.var.log);
  });
}
