/** The files that a company keeps, as a list, as a sum, and their deletion (docs/server.md#the-files-of-a-company). */
import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import type { FileType } from "../../../shared/protocol/rest/files.ts";
import {
  STORED_KINDS,
  type StoredFileRow,
  type StoredKind,
  type storedFileListCall,
  type storedFileSpaceCall,
} from "../../../shared/protocol/rest/stored-files.ts";
import type { z } from "../../../shared/zod.ts";
import { audit } from "../../base/audit/index.ts";
import { anywhere, isoTime } from "../../base/database/common.ts";
import { isId } from "../../base/database/ids.ts";
import { files } from "../../base/database/schema/files.ts";
import { direction, orderOf } from "../../base/database/sorting.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { allOf } from "../../base/overridable/store.ts";
import { CONTENT_TYPES } from "./content.ts";

type Query = z.output<typeof storedFileListCall.query>;
type Page = z.output<typeof storedFileListCall.data>;
type Space = z.output<typeof storedFileSpaceCall.data>;

/** What the caller may know of the records that need files. */
export interface Reads {
  /** The inaugural documents of every employee. */
  readonly documents: boolean;
  /** Bulletins that are not published. */
  readonly bulletins: boolean;
}

const typesOf = (kind: StoredKind): string[] => [
  ...new Set(STORED_KINDS[kind].map((type: FileType) => CONTENT_TYPES[type])),
];
const KIND_OF = new Map(
  (Object.keys(STORED_KINDS) as StoredKind[]).flatMap((kind) =>
    typesOf(kind).map((type) => [type, kind] as const),
  ),
);
const textList = (values: readonly string[]): SQL =>
  sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  );

/** The rows of a list, which are all of the company unless the caller narrows them. */
function conditionOf(scope: CompanyScope, query: Query, reads: Reads): SQL {
  const { keyword = "", kind, use, uploader = "", from, to } = query;
  return sql`f.company_id = ${scope.companyId}::bigint${allOf(
    keyword === "" ? undefined : sql`f.original_name ILIKE ${anywhere(keyword)}`,
    // Who does not know a name finds nothing by it.
    keyword === "" || reads.documents ? undefined : sql`f.document_id IS NULL`,
    kind === undefined ? undefined : sql`f.content_type IN (${textList(typesOf(kind))})`,
    use === undefined
      ? undefined
      : use === "none"
        ? sql`f.uses = 0`
        : sql`f.uses > 0 AND EXISTS (SELECT FROM file_uses u WHERE u.file_id = f.id AND u.kind = ${use})`,
    uploader === ""
      ? undefined
      : sql`f.uploaded_by IN (SELECT a.id FROM accounts a WHERE a.nickname ILIKE ${anywhere(uploader)})`,
    from === undefined ? undefined : sql`f.created_at >= ${from}::timestamptz`,
    to === undefined ? undefined : sql`f.created_at < ${to}::timestamptz`,
  )}`;
}

interface Row extends Record<string, unknown>, Omit<StoredFileRow, "kind"> {
  readonly contentType: string;
}

/** Each order is that of an index, read from either end; the id makes it total. */
export async function listFiles(scope: CompanyScope, query: Query, reads: Reads): Promise<Page> {
  const { cursor, limit, searchCount } = query;
  const where = conditionOf(scope, query, reads);
  const { by, down } = orderOf(query.sort, {
    createTime: sql`f.created_at`,
    size: sql`f.size`,
  }) ?? { by: sql`f.created_at`, down: true };
  const order = sql`${by} ${direction(down)}, f.id ${direction(down)}`;
  const title = sql`CASE
    WHEN u.kind = 'document' AND ${reads.documents} THEN concat(e.name, ' · ', d.title)
    WHEN u.kind = 'bulletin' AND (b.published OR ${reads.bulletins}) THEN b.title
    ELSE '' END`;
  // The page is found in the index alone; only its rows are looked up.
  const rows = await scope.sql<Row>(sql`
    SELECT f.id::text AS id, f.name AS "fileName", f.content_type AS "contentType", f.size::float8 AS size,
      CASE WHEN ${reads.documents} OR f.document_id IS NULL THEN f.original_name ELSE '' END AS "originalName",
      a.nickname AS uploader, ${isoTime("f.created_at")} AS "createTime",
      (${reads.documents} OR f.document_id IS NULL) AS readable,
      coalesce((SELECT json_agg(json_build_object(
          'kind', u.kind, 'recordId', coalesce(e.id, u.record_id)::text, 'title', ${title},
          'left', e.dimission_at IS NOT NULL) ORDER BY u.kind, u.record_id)
        FROM file_uses u
          LEFT JOIN inaugural_documents d ON u.kind = 'document' AND d.id = u.record_id
          LEFT JOIN employees e ON e.id = d.employee_id
          LEFT JOIN bulletins b ON u.kind = 'bulletin' AND b.id = u.record_id
        WHERE u.file_id = f.id AND f.uses > 0), '[]') AS uses
    FROM (SELECT f.id FROM files f WHERE ${where} ORDER BY ${order} LIMIT ${limit} OFFSET ${(cursor - 1) * limit}) p
      JOIN files f ON f.id = p.id LEFT JOIN accounts a ON a.id = f.uploaded_by
    ORDER BY ${order}`);
  const [counted] = searchCount
    ? await scope.sql<{ total: number }>(
        sql`SELECT count(*)::int AS total FROM files f WHERE ${where}`,
      )
    : [];
  return {
    records: rows.map(({ contentType, ...row }) => ({
      ...row,
      kind: KIND_OF.get(contentType) ?? "text",
    })),
    total: counted?.total ?? 0,
    cursor,
    limit,
  };
}

/** Both sums are read from an index, not from the table (20261126_1450_file_uses.sql). */
export async function spaceOf(
  scope: CompanyScope,
): Promise<Pick<Space, "files" | "bytes" | "unused">> {
  const sums = (narrowed: SQL): SQL =>
    sql`(SELECT json_build_object('files', count(*), 'bytes', coalesce(sum(f.size), 0))
      FROM files f WHERE f.company_id = ${scope.companyId}::bigint ${narrowed})`;
  const [row] = await scope.sql<Record<"all" | "unused", Space["unused"]>>(
    sql`SELECT ${sums(sql``)} AS "all", ${sums(sql`AND f.uses = 0`)} AS unused`,
  );
  if (row === undefined) throw new Error("a sum has no row");
  return { ...row.all, unused: row.unused };
}

/**
 * Removes files that nothing needs. Their contents are swept later.
 *
 * @throws AppError request.not-found, file.used with the name of one that is needed; none is deleted then
 */
export async function deleteFiles(
  scope: CompanyScope,
  given: readonly string[],
  reads: Reads,
): Promise<void> {
  const ids = [...new Set(given)];
  const wanted = inArray(files.id, ids.filter(isId));
  const gone = await scope
    .remove(files, and(wanted, eq(files.uses, 0)))
    .returning({ name: files.name, originalName: files.originalName, size: files.size });
  if (gone.length < ids.length) {
    const left = await scope.rows(files, wanted);
    if (left.length + gone.length < ids.length) throw new AppError("request.not-found");
    const known = left.find(({ documentId }) => documentId === null || reads.documents);
    throw usedError(known?.originalName ?? null);
  }
  await audit(
    scope,
    ...gone.map(({ name, originalName, size }) => ({
      action: "delete" as const,
      entity: "file",
      entityId: name,
      before: { originalName, size },
    })),
  );
}

/** @param name null for a file whose name the caller may not know */
function usedError(name: string | null): AppError {
  if (name === null) return new AppError("file.used");
  return new AppError("file.used", {
    message: `“${name}”正在使用，不能删除`,
    details: { en: `“${name}” is in use and cannot be deleted` },
  });
}
