/** The inaugural documents that a company asks of its employees. What an employee has handed in is in `inaugural_documents`. */
import { eq, type SQL, sql } from "drizzle-orm";
import { boolean, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { AppError } from "../../../shared/errors.ts";
import { staleError } from "../../../shared/protocol/rest/conflict.ts";
import type { DocumentKind } from "../../../shared/protocol/rest/document-kinds.ts";
import { audit } from "../../base/audit/index.ts";
import { anywhere, changes, type Given, isDuplicate } from "../../base/database/common.ts";
import { idColumn, isId } from "../../base/database/ids.ts";
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
  /** Raised by the database with each change. */
  version: integer("version").notNull().default(1),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
});

const COLUMNS = sql`k.id::text AS id, k.title, k.required, k.dated, k.sort, k.version`;
const ENTITY = "document-kind";

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
  given: Pick<DocumentKind, "title" | "required" | "dated" | "sort">,
): Promise<DocumentKind> {
  const [made] = await unlessTaken(
    scope.insert(documentKinds, given).returning({ id: documentKinds.id }),
  );
  const id = made?.id ?? "";
  await audit(scope, { action: "create", entity: ENTITY, entityId: id, after: given });
  return byId(scope, id);
}

/** @throws AppError request.conflict with both versions for a change of an older one, or for a title that is taken */
export async function updateDocumentKind(
  scope: CompanyScope,
  {
    id,
    version,
    ...given
  }: { readonly id: string; readonly version: number } & Given<
    Pick<DocumentKind, "title" | "required" | "dated" | "sort">
  >,
): Promise<DocumentKind> {
  const was = await byId(scope, id, true);
  if (was.version !== version) throw staleError(was, given);
  const change = changes(was, given);
  if (change === null) return was;
  await unlessTaken(scope.update(documentKinds, change.after, eq(documentKinds.id, id)));
  await audit(scope, { action: "update", entity: ENTITY, entityId: id, ...change });
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
