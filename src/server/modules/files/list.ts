/** The files that a company keeps, as a list, as a sum, and their deletion (docs/server.md#the-files-of-a-company). */
import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
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
import { anywhere, isoTime, likeFor } from "../../base/database/common.ts";
import { isId } from "../../base/database/ids.ts";
import { files } from "../../base/database/schema/files.ts";
import { direction, orderOf } from "../../base/database/sorting.ts";
import {
  createRememberedLists,
  idArray,
  listVersion,
} from "../../base/database/remembered-lists.ts";
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

/** Accounts whose name has the text. A list is remembered by them, because a person may take another name. */
async function uploadersCalled(scope: CompanyScope, name: string): Promise<readonly string[]> {
  const rows = await scope.sql<{ id: string }>(sql`
    SELECT a.id::text AS id FROM accounts a
    WHERE a.nickname ILIKE ${anywhere(name)} AND EXISTS (
      SELECT FROM files f WHERE f.uploaded_by = a.id AND f.company_id = ${scope.companyId}::bigint)
    ORDER BY a.id`);
  return rows.map(({ id }) => id);
}

/** What narrows the files of the company; none: nothing does. */
async function conditionsOf(
  scope: CompanyScope,
  { keyword = "", kind, use, uploader = "", from, to }: Query,
  reads: Reads,
): Promise<readonly SQL[]> {
  return [
    keyword === "" ? [] : [sql`f.original_name ${likeFor(keyword)} ${anywhere(keyword)}`],
    // Who does not know a name finds nothing by it.
    keyword === "" || reads.documents ? [] : [sql`f.document_id IS NULL`],
    kind === undefined ? [] : [sql`f.content_type IN (${textList(typesOf(kind))})`],
    use === undefined
      ? []
      : use === "none"
        ? [sql`f.uses = 0`]
        : use === "document"
          ? [sql`f.document_id IS NOT NULL`]
          : [
              sql`f.id IN (SELECT u.file_id FROM file_uses u WHERE u.company_id = ${scope.companyId}::bigint AND u.kind = ${use})`,
            ],
    uploader === ""
      ? []
      : [sql`f.uploaded_by = ANY (${idArray(await uploadersCalled(scope, uploader))})`],
    from === undefined ? [] : [sql`f.created_at >= ${from}::timestamptz`],
    to === undefined ? [] : [sql`f.created_at < ${to}::timestamptz`],
  ].flat();
}

interface Row extends Record<string, unknown>, Omit<StoredFileRow, "kind"> {
  readonly contentType: string;
}

export interface FileLists {
  page(scope: CompanyScope, query: Query, reads: Reads): Promise<Page>;
}

/** Rows from the beginning of a list of all files that are read along the index of its order. */
const NEAR = 2000;

export function createFileLists(): FileLists {
  const lists = createRememberedLists();
  const dialect = new PgDialect();
  return {
    async page(scope, query, reads) {
      const { cursor, limit, searchCount } = query;
      const from = (cursor - 1) * limit;
      const narrowed = await conditionsOf(scope, query, reads);
      const where = sql`f.company_id = ${scope.companyId}::bigint${allOf(...narrowed)}`;
      const { by, down } = orderOf(query.sort, {
        createTime: sql`f.created_at`,
        size: sql`f.size`,
      }) ?? { by: sql`f.created_at`, down: true };
      const order = sql`${by} ${direction(down)}, f.id ${direction(down)}`;
      const answer = async (ids: SQL, total: number): Promise<Page> => ({
        records: await rowsOf(scope, ids, order, reads),
        total: searchCount ? total : 0,
        cursor,
        limit,
      });
      if (narrowed.length === 0 && from < NEAR) {
        const total = searchCount
          ? await lists.total(scope, {
              key: "",
              version: await listVersion(scope),
              count: sql`SELECT count(*)::int AS total FROM files f WHERE ${where}`,
            })
          : 0;
        const ids = sql`SELECT f.id FROM files f WHERE ${where} ORDER BY ${order} LIMIT ${limit} OFFSET ${from}`;
        return await answer(ids, total);
      }
      const { sql: text, params } = dialect.sqlToQuery(sql`${where} ${order}`);
      const found = await lists.page(
        scope,
        {
          key: JSON.stringify([text, params]),
          version: await listVersion(scope),
          ids: sql`SELECT string_agg(int8send(l.id), '') AS ids
            FROM (SELECT f.id FROM files f WHERE ${where} ORDER BY ${order}) l`,
        },
        { from, count: limit },
      );
      const ids = sql`SELECT unnest(${idArray(found.ids.map(([id]) => id))}) AS id`;
      return await answer(ids, found.total);
    },
  };
}

/** @param ids a query of the ids of the page */
async function rowsOf(
  scope: CompanyScope,
  ids: SQL,
  order: SQL,
  reads: Reads,
): Promise<Page["records"]> {
  const title = sql`CASE
    WHEN u.kind = 'document' AND ${reads.documents} THEN concat(e.name, ' · ', d.title)
    WHEN u.kind = 'bulletin' AND (b.published OR ${reads.bulletins}) THEN b.title
    ELSE '' END`;
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
    FROM (${ids}) p JOIN files f ON f.id = p.id AND f.company_id = ${scope.companyId}::bigint
      LEFT JOIN accounts a ON a.id = f.uploaded_by
    ORDER BY ${order}`);
  return rows.map(({ contentType, ...row }) => ({
    ...row,
    kind: KIND_OF.get(contentType) ?? "text",
  }));
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
