/** Bulletins in the database: what editors keep, and what readers see (docs/session.md#bulletins). */
import { eq, inArray, type SQL, sql } from "drizzle-orm";
import { BULLETIN_PICTURES, picturesOf } from "../../../shared/domain/bulletins.ts";
import { AppError } from "../../../shared/errors.ts";
import {
  type Bulletin,
  BULLETIN_LIST,
  type BulletinEntry,
  type bulletinListCall,
  type bulletinTopCall,
  type BulletinText,
} from "../../../shared/protocol/rest/bulletins.ts";
import { ALL_PERMISSIONS } from "../../../shared/protocol/rest/call.ts";
import { staleError } from "../../../shared/protocol/rest/conflict.ts";
import type { z } from "../../../shared/zod.ts";
import { audit } from "../../base/audit/index.ts";
import { anywhere, changes, type Given, isoTime } from "../../base/database/common.ts";
import { isId } from "../../base/database/ids.ts";
import { bulletinReads, bulletins } from "../../base/database/schema/bulletins.ts";
import { files } from "../../base/database/schema/files.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { allOf } from "../../base/overridable/store.ts";
import { hasContent, sanitise } from "./sanitise.ts";

export interface BulletinFields {
  readonly noticeTitle: string;
  readonly noticeType: "1" | "2";
  readonly status: "0" | "1";
  readonly noticeContent: string;
}

const SHOWN = sql`b.id::text AS "noticeId", b.title AS "noticeTitle", b.type AS "noticeType",
  b.author_name AS "createBy", ${isoTime("b.published_at")} AS "publishTime"`;
const STATUS = sql`CASE WHEN b.published THEN '0' ELSE '1' END AS status, b.version`;
const NEWEST = sql`b.published_at DESC, b.id DESC`;
/** Present employees with an account. */
const PEOPLE = sql`employees e WHERE e.account_id IS NOT NULL AND e.dimission_at IS NULL`;

const ofCompany = (scope: CompanyScope): SQL => sql`b.company_id = ${scope.companyId}::bigint`;

type Row<T> = T & Record<string, unknown>;

interface Page {
  readonly cursor: number;
  readonly limit: number;
  readonly searchCount: boolean;
}
const slice = ({ cursor, limit }: Page): SQL => sql`LIMIT ${limit} OFFSET ${(cursor - 1) * limit}`;

async function countOf(scope: CompanyScope, where: SQL, page: Page): Promise<number> {
  if (!page.searchCount) return 0;
  const [row] = await scope.sql<{ n: number }>(
    sql`SELECT count(*)::int AS n FROM bulletins b WHERE ${where}`,
  );
  return row?.n ?? 0;
}

export async function listBulletins(
  scope: CompanyScope,
  query: z.output<typeof bulletinListCall.query>,
): Promise<z.output<typeof bulletinListCall.data>> {
  const { keyword = "", noticeType, status } = query;
  const where = sql`${ofCompany(scope)}${allOf(
    keyword === "" ? undefined : sql`b.title ILIKE ${anywhere(keyword)}`,
    noticeType === undefined ? undefined : sql`b.type = ${noticeType}`,
    status === undefined ? undefined : sql`b.published = ${status === "0"}`,
  )}`;
  const records = await scope.sql<Row<Bulletin>>(
    sql`SELECT ${SHOWN}, ${STATUS},
      (SELECT count(*)::int FROM ${PEOPLE} AND e.company_id = b.company_id) AS people,
      (SELECT count(*)::int FROM bulletin_reads r JOIN employees e ON e.account_id = r.account_id
        AND e.company_id = b.company_id AND e.dimission_at IS NULL
        WHERE r.bulletin_id = b.id) AS readers
      FROM bulletins b WHERE ${where} ORDER BY ${NEWEST} ${slice(query)}`,
  );
  const total = await countOf(scope, where, query);
  return { records, total, cursor: query.cursor, limit: query.limit };
}

/** Whether the reader has read the bulletin, or came to the company after it. */
const readBy = (accountId: string): SQL => sql`(
  EXISTS (SELECT FROM bulletin_reads r WHERE r.bulletin_id = b.id AND r.account_id = ${accountId}::bigint)
  OR NOT EXISTS (SELECT FROM employees e WHERE e.company_id = b.company_id AND e.account_id = ${accountId}::bigint
    AND e.dimission_at IS NULL AND e.created_at <= b.published_at))`;

export async function topBulletins(
  scope: CompanyScope,
  accountId: string,
  query: z.output<typeof bulletinTopCall.query>,
): Promise<z.output<typeof bulletinTopCall.data>> {
  const { keyword = "" } = query;
  const published = sql`${ofCompany(scope)} AND b.published`;
  const where =
    keyword === "" ? published : sql`${published} AND b.title ILIKE ${anywhere(keyword)}`;
  const records = await scope.sql<Row<BulletinEntry>>(
    sql`SELECT ${SHOWN}, ${readBy(accountId)} AS read FROM bulletins b
      WHERE ${where} ORDER BY ${NEWEST} ${slice(query)}`,
  );
  const total = await countOf(scope, where, query);
  const unread = await countOf(scope, sql`${published} AND NOT ${readBy(accountId)}`, {
    ...query,
    searchCount: true,
  });
  return { records, total, unread, cursor: query.cursor, limit: query.limit };
}

/** @throws AppError request.not-found, also for one that is not published unless the caller edits bulletins */
export async function bulletinById(
  scope: CompanyScope,
  id: string,
  edits: boolean,
): Promise<BulletinText> {
  const [row] = isId(id)
    ? await scope.sql<Row<BulletinText>>(
        sql`SELECT ${SHOWN}, ${STATUS}, b.content AS "noticeContent" FROM bulletins b
          WHERE ${ofCompany(scope)} AND b.id = ${id}::bigint AND (b.published OR ${edits})`,
      )
    : [];
  if (row === undefined) throw new AppError("request.not-found");
  return row;
}

const wrongContent = (text: string): AppError =>
  new AppError("request.invalid", { message: text, details: { fields: { noticeContent: text } } });

/**
 * What is kept of a content.
 *
 * @throws AppError request.invalid for one without anything to see, with too many pictures, or with one that the company lacks
 */
async function contentOf(scope: CompanyScope, given: string): Promise<string> {
  const content = sanitise(given);
  if (!hasContent(content)) throw wrongContent("请填写内容");
  const pictures = picturesOf(content);
  if (pictures.length > BULLETIN_PICTURES) {
    throw wrongContent(`最多 ${BULLETIN_PICTURES} 张图片`);
  }
  if (pictures.length > 0) {
    const found = await scope.rows(files, inArray(files.name, pictures));
    const known = new Set(
      found.filter(({ contentType }) => contentType.startsWith("image/")).map(({ name }) => name),
    );
    if (!pictures.every((name) => known.has(name))) throw wrongContent("图片不存在，请重新上传");
  }
  return content;
}

export async function createBulletin(
  scope: CompanyScope,
  author: { readonly accountId: string; readonly name: string },
  now: Date,
  { noticeTitle: title, noticeType: type, status, noticeContent }: BulletinFields,
): Promise<BulletinText> {
  const content = await contentOf(scope, noticeContent);
  const published = status === "0";
  const row = {
    title,
    type,
    content,
    published,
    publishedAt: now,
    authorId: author.accountId,
    authorName: author.name,
  };
  const [made] = await scope.insert(bulletins, row).returning({ id: bulletins.id });
  const id = made?.id ?? "";
  await audit(scope, {
    action: "create",
    entity: "bulletin",
    entityId: id,
    after: { title, type, published },
  });
  return bulletinById(scope, id, true);
}

/**
 * One that is published again is the newest, and unread by everybody.
 *
 * @throws AppError request.conflict with both versions for a change of an older one
 */
export async function updateBulletin(
  scope: CompanyScope,
  now: Date,
  {
    noticeId: id,
    version,
    ...given
  }: { readonly noticeId: string; readonly version: number } & Given<BulletinFields>,
): Promise<BulletinText> {
  const [was] = isId(id) ? await scope.rows(bulletins, eq(bulletins.id, id)).for("update") : [];
  if (was === undefined) throw new AppError("request.not-found");
  if (was.version !== version) throw staleError(await bulletinById(scope, id, true), given);
  const change = changes(was, {
    title: given.noticeTitle,
    type: given.noticeType,
    published: given.status === undefined ? undefined : given.status === "0",
    content:
      given.noticeContent === undefined ? undefined : await contentOf(scope, given.noticeContent),
  });
  if (change === null) return bulletinById(scope, id, true);
  const again = change.after.published === true;
  await scope.update(
    bulletins,
    { ...change.after, version: version + 1, ...(again ? { publishedAt: now } : {}) },
    eq(bulletins.id, id),
  );
  if (again) await scope.remove(bulletinReads, eq(bulletinReads.bulletinId, id));
  await audit(scope, { action: "update", entity: "bulletin", entityId: id, ...change });
  return bulletinById(scope, id, true);
}

/** @throws AppError request.not-found when one of them is missing; none is deleted then */
export async function deleteBulletins(scope: CompanyScope, ids: readonly string[]): Promise<void> {
  const wanted = [...new Set(ids)].filter(isId);
  const gone = await scope
    .remove(bulletins, inArray(bulletins.id, wanted))
    .returning({ id: bulletins.id, title: bulletins.title });
  if (gone.length < new Set(ids).size) throw new AppError("request.not-found");
  await audit(
    scope,
    ...gone.map(({ id, title }) => ({
      action: "delete",
      entity: "bulletin",
      entityId: id,
      before: { title },
    })),
  );
}

/** Marks published bulletins as read. Ids of others are ignored, because a bulletin may be withdrawn meanwhile. */
/** @returns whether any of them was unread */
export async function markRead(
  scope: CompanyScope,
  accountId: string,
  now: Date,
  ids: readonly string[] | undefined,
): Promise<boolean> {
  const chosen =
    ids === undefined
      ? sql`true`
      : sql`b.id IN (${sql.join(
          ids.filter(isId).map((id) => sql`${id}::bigint`),
          sql`, `,
        )})`;
  if (ids !== undefined && ids.filter(isId).length === 0) return false;
  const read = await scope.sql(
    sql`INSERT INTO bulletin_reads (bulletin_id, account_id, company_id, read_at)
      SELECT b.id, ${accountId}::bigint, b.company_id, ${now.toISOString()}::timestamptz FROM bulletins b
      WHERE ${ofCompany(scope)} AND b.published AND ${chosen}
      ON CONFLICT DO NOTHING RETURNING bulletin_id`,
  );
  return read.length > 0;
}

/** Chat user names of those whose list counts the readers. */
export async function bulletinEditors(scope: CompanyScope): Promise<string[]> {
  const permissions = sql.param([ALL_PERMISSIONS, ...BULLETIN_LIST]);
  const rows = await scope.sql<{ name: string }>(
    sql`SELECT DISTINCT a.chat_user_name AS name FROM employees e
      JOIN accounts a ON a.id = e.account_id
      JOIN account_roles ar ON ar.account_id = a.id
      JOIN roles r ON r.id = ar.role_id AND r.company_id = e.company_id
      WHERE e.company_id = ${scope.companyId}::bigint AND e.dimission_at IS NULL
        AND r.permissions && ${permissions}::text[]`,
  );
  return rows.map(({ name }) => name);
}
