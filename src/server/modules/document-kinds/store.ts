/** The inaugural documents that a company asks of its employees. What an employee has handed in is in `inaugural_documents`. */
import { eq, inArray, type SQL, sql } from "drizzle-orm";
import { boolean, date, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { AppError } from "../../../shared/errors.ts";
import { staleError } from "../../../shared/protocol/rest/conflict.ts";
import type { DocumentKind } from "../../../shared/protocol/rest/document-kinds.ts";
import { audit } from "../../base/audit/index.ts";
import { anywhere, changes, type Given, isDuplicate } from "../../base/database/common.ts";
import { idColumn, isId } from "../../base/database/ids.ts";
import { departments } from "../../base/database/schema/employees.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";

export const documentKinds = pgTable("document_kinds", {
  id: idColumn("id")
    .primaryKey()
    .default(sql`default`),
  companyId: idColumn("company_id").notNull(),
  title: text("title").notNull(),
  required: boolean("required").notNull().default(true),
  dated: boolean("dated").notNull().default(false),
  sort: integer("sort").notNull().default(0),
  departmentIds: idColumn("department_ids").array().notNull().default([]),
  hiredFrom: date("hired_from"),
  hiredTo: date("hired_to"),
  /** Raised by the database with each change. */
  version: integer("version").notNull().default(1),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
});

const COLUMNS = sql`k.id::text AS id, k.title, k.required, k.dated, k.sort, k.version,
  k.department_ids::text[] AS "departmentIds", k.hired_from::text AS "hiredFrom", k.hired_to::text AS "hiredTo"`;
const ENTITY = "document-kind";

type Fields = Omit<DocumentKind, "id" | "version">;

/** What the operation log says: departments by their names. */
async function spoken(
  scope: CompanyScope,
  { departmentIds, ...said }: Given<Fields>,
): Promise<Record<string, unknown>> {
  if (departmentIds === undefined) return said;
  const rows = await scope.rows(departments, inArray(departments.id, [...departmentIds]));
  return { ...said, departments: rows.map(({ name }) => name).join("、") };
}

/** @throws AppError request.invalid for a department that the company does not have, and for a time that ends before it begins */
async function check(
  scope: CompanyScope,
  { departmentIds: ids, hiredFrom, hiredTo }: Fields,
): Promise<void> {
  if (hiredFrom !== null && hiredTo !== null && hiredFrom > hiredTo) {
    const fields = { hiredTo: "结束日期不能早于开始日期" };
    throw new AppError("request.invalid", { details: { fields } });
  }
  const known = ids.every(isId)
    ? await scope.rows(departments, inArray(departments.id, [...ids]))
    : [];
  if (known.length === new Set(ids).size) return;
  throw new AppError("request.invalid", { details: { fields: { departmentIds: "部门不存在" } } });
}

export async function listDocumentKinds(
  scope: CompanyScope,
  request: {
    readonly cursor: number;
    readonly limit: number;
    readonly searchCount: boolean;
    readonly keyword?: string | undefined;
    readonly order: SQL;
  },
) {
  const { cursor, limit, searchCount, keyword = "", order } = request;
  const where = sql`k.company_id = ${scope.companyId}::bigint
    AND (${keyword}::text = '' OR k.title ILIKE ${anywhere(keyword)})`;
  const records = await scope.sql<DocumentKind>(
    sql`SELECT ${COLUMNS} FROM document_kinds k WHERE ${where}
      ORDER BY ${order} LIMIT ${limit} OFFSET ${(cursor - 1) * limit}`,
  );
  const [counted] = searchCount
    ? await scope.sql<{ total: number }>(
        sql`SELECT count(*)::int AS total FROM document_kinds k WHERE ${where}`,
      )
    : [];
  return { records, total: counted?.total ?? 0, cursor, limit };
}

/** @throws AppError request.not-found */
async function byId(scope: CompanyScope, id: string, lock = false): Promise<DocumentKind> {
  if (!isId(id)) throw new AppError("request.not-found");
  const [row] = await scope.sql<DocumentKind>(
    sql`SELECT ${COLUMNS} FROM document_kinds k
      WHERE k.company_id = ${scope.companyId}::bigint AND k.id = ${id}::bigint
      ${lock ? sql`FOR UPDATE` : sql``}`,
  );
  if (row === undefined) throw new AppError("request.not-found");
  return row;
}

/** Converts the error when the company asks for a document of that title already. */
async function unlessTaken<R>(query: PromiseLike<R>): Promise<R> {
  try {
    return await query;
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    const message = "该材料已存在";
    throw new AppError("request.conflict", { message, details: { fields: { title: message } } });
  }
}

/** @throws AppError request.conflict for a title that is taken */
export async function createDocumentKind(
  scope: CompanyScope,
  given: Fields,
): Promise<DocumentKind> {
  await check(scope, given);
  const [made] = await unlessTaken(
    scope.insert(documentKinds, given).returning({ id: documentKinds.id }),
  );
  const id = made?.id ?? "";
  await audit(scope, {
    action: "create",
    entity: ENTITY,
    entityId: id,
    after: await spoken(scope, given),
  });
  return byId(scope, id);
}

/** @throws AppError request.conflict with both versions for a change of an older one, or for a title that is taken */
export async function updateDocumentKind(
  scope: CompanyScope,
  { id, version, ...given }: { readonly id: string; readonly version: number } & Given<Fields>,
): Promise<DocumentKind> {
  const was = await byId(scope, id, true);
  if (was.version !== version) throw staleError(was, given);
  const change = changes<Fields>(was, given);
  if (change === null) return was;
  await check(scope, { ...was, ...change.after });
  await unlessTaken(scope.update(documentKinds, change.after, eq(documentKinds.id, id)));
  const before = await spoken(scope, change.before);
  const after = await spoken(scope, change.after);
  await audit(scope, { action: "update", entity: ENTITY, entityId: id, before, after });
  return byId(scope, id);
}

/** What employees have handed in stays. */
export async function deleteDocumentKind(scope: CompanyScope, id: string): Promise<void> {
  const { title, required } = await byId(scope, id, true);
  await scope.remove(documentKinds, eq(documentKinds.id, id));
  await audit(scope, {
    action: "delete",
    entity: ENTITY,
    entityId: id,
    before: { title, required },
  });
}
