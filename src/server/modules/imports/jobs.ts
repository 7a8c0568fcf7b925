/** Jobs: one per key and company, with the answer of each chunk and the end of the job. */
import { and, desc, eq, gt, ne, sql } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import {
  IMPORT_LIMITS,
  type ImportChunkResult,
  type importCreateCall,
  type ImportJob,
} from "../../../shared/protocol/rest/imports.ts";
import type { z } from "zod";
import { audit, auditing, type Change } from "../../base/audit/index.ts";
import { isoTime } from "../../base/database/common.ts";
import { isId } from "../../base/database/ids.ts";
import {
  importChunks,
  type ImportJobRow,
  importJobs,
  importRefusals,
  type StoredAnswer,
} from "../../base/database/schema/imports.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { ownFields } from "../employees/fields.ts";
import { unknownFields } from "./rows.ts";
import { idsOf, NEXT_IDS } from "./write.ts";

type Wanted = z.output<(typeof importCreateCall)["body"]>;

const DAY = 86_400_000;
/** First key of the advisory lock: any number that no other code locks with. The second key is derived from the company. */
const LOCK = 7_213_003;

export const toJob = (row: ImportJobRow): ImportJob => ({
  id: row.id,
  key: row.key,
  fileName: row.fileName,
  mode: row.mode,
  isInvite: row.isInvite,
  state: row.state,
  rows: row.rows,
  chunks: row.chunks,
  chunksDone: row.chunksDone,
  created: row.created,
  updated: row.updated,
  refused: row.refused,
  createdBy: { accountId: row.createdBy, name: row.createdByName },
  createTime: row.createdAt.toISOString(),
  endTime: row.endedAt?.toISOString() ?? null,
});

/** @throws AppError request.not-found */
export async function jobById(
  scope: CompanyScope,
  id: string,
  lock = false,
): Promise<ImportJobRow> {
  if (!isId(id)) throw new AppError("request.not-found");
  const query = scope.rows(importJobs, eq(importJobs.id, id));
  const [row] = lock ? await query.for("update") : await query;
  if (row === undefined) throw new AppError("request.not-found");
  return row as ImportJobRow;
}

/** @throws AppError request.invalid for unknown, repeated or missing fields */
async function checkFields(scope: CompanyScope, { fields, mode }: Wanted): Promise<void> {
  const wrong: Record<string, string> = {};
  const unknown = unknownFields(fields, await ownFields(scope));
  if (unknown.length > 0) wrong["fields"] = `没有这些字段：${unknown.join("、")}`;
  else if (new Set(fields).size < fields.length) wrong["fields"] = "字段重复";
  else if (mode === "update" && !fields.includes("idNumber")) wrong["fields"] = "缺少身份证号";
  else if (mode !== "update" && !fields.includes("name")) wrong["fields"] = "缺少姓名";
  if (Object.keys(wrong).length > 0) {
    throw new AppError("request.invalid", { details: { fields: wrong } });
  }
}

/**
 * Returns the job for a key, or creates it. A running or finished job is returned unchanged. A finished dry run starts again, and
 * a cancelled import continues with the chunks that are not stored yet.
 *
 * @throws AppError request.invalid, import.too-many-jobs, import.other-shape
 */
export async function createJob(
  scope: CompanyScope,
  wanted: Wanted,
  now: Date,
): Promise<ImportJobRow> {
  await scope.sql(sql`
    SELECT pg_advisory_xact_lock(${LOCK}::int, (${scope.companyId}::bigint % 2147483647)::int)`);
  const [was] = (await scope
    .rows(importJobs, eq(importJobs.key, wanted.key))
    .for("update")) as ImportJobRow[];
  const over = was !== undefined && was.state !== "open";
  const again = over && (was.mode === "dry-run" || was.state === "cancelled");
  const restarted = again && was.mode === "dry-run";
  if (
    was !== undefined &&
    !restarted &&
    (was.rows !== wanted.rows || was.chunks !== wanted.chunks)
  ) {
    throw new AppError("import.other-shape");
  }
  if (was !== undefined && !again) return was;
  await checkFields(scope, wanted);
  await checkRoom(scope, was?.id ?? null, now);
  const { key, fileName, mode, isInvite, rows, chunks, fields } = wanted;
  let job: ImportJobRow | undefined;
  if (was === undefined) {
    const [name] = await scope.sql<{ name: string }>(sql`
      SELECT nickname AS name FROM accounts WHERE id = ${scope.actor?.accountId ?? null}::bigint`);
    [job] = (await scope
      .insert(importJobs, {
        key,
        fileName,
        mode,
        isInvite,
        rows,
        chunks,
        fields,
        createdBy: scope.actor?.accountId ?? null,
        createdByName: name?.name ?? "",
        createdAt: now,
        activeAt: now,
      })
      .returning()) as ImportJobRow[];
  } else {
    if (restarted) {
      await scope.remove(importChunks, eq(importChunks.jobId, was.id));
      await scope.remove(importRefusals, eq(importRefusals.jobId, was.id));
    }
    const zero = { rows, chunks, fields, rowsDone: 0, chunksDone: 0 };
    [job] = (await scope
      .update(
        importJobs,
        {
          state: "open",
          activeAt: now,
          endedAt: sql`NULL`,
          ...(restarted ? { ...zero, created: 0, updated: 0, refused: 0 } : {}),
        },
        eq(importJobs.id, was.id),
      )
      .returning()) as ImportJobRow[];
  }
  if (job === undefined) throw new AppError("server.internal");
  await audit(scope, {
    action: was === undefined ? "create" : "reopen",
    entity: "import-job",
    entityId: job.id,
    after: { fileName, mode, isInvite, rows, fields },
  });
  return job;
}

/** @throws AppError import.too-many-jobs */
async function checkRoom(scope: CompanyScope, except: string | null, now: Date): Promise<void> {
  const busy = await scope.select(
    { id: importJobs.id },
    importJobs,
    and(
      eq(importJobs.state, "open"),
      gt(importJobs.activeAt, new Date(now.getTime() - DAY)),
      except === null ? undefined : ne(importJobs.id, except),
    ),
  );
  if (busy.length >= IMPORT_LIMITS.openJobs) throw new AppError("import.too-many-jobs");
}

/** Cancels an open job; leaves any other unchanged. Idempotent. @throws AppError request.not-found */
export async function cancelJob(scope: CompanyScope, id: string, now: Date): Promise<ImportJobRow> {
  const was = await jobById(scope, id, true);
  if (was.state !== "open") return was;
  await scope.update(importJobs, { state: "cancelled", endedAt: now }, eq(importJobs.id, id));
  const { created, updated } = was;
  await audit(scope, {
    action: "cancel",
    entity: "import-job",
    entityId: id,
    after: { created, updated },
  });
  return { ...was, state: "cancelled", endedAt: now };
}

export async function listJobs(
  scope: CompanyScope,
  { cursor, limit, searchCount }: { cursor: number; limit: number; searchCount: boolean },
) {
  const rows = await scope
    .rows(importJobs)
    .orderBy(desc(importJobs.id))
    .limit(limit)
    .offset((cursor - 1) * limit);
  const total = searchCount ? await countOf(scope, "import_jobs", null) : 0;
  return { records: (rows as ImportJobRow[]).map(toJob), total, cursor, limit };
}

/** Number of the company's rows in a table of imports, restricted to one job when `jobId` is given. */
export async function countOf(
  scope: CompanyScope,
  table: "import_jobs" | "import_refusals" | "import_invitations",
  jobId: string | null,
): Promise<number> {
  const [row] = await scope.sql<{ total: number }>(sql`
    SELECT count(*)::int AS total FROM ${sql.raw(table)}
    WHERE company_id = ${scope.companyId}::bigint
      ${jobId === null ? sql`` : sql`AND job_id = ${jobId}::bigint`}`);
  return row?.total ?? 0;
}

const NO_ANSWER: StoredAnswer = { created: 0, updated: 0, refused: 0, refusals: [] };

/** The columns of a job for raw SQL, with times as texts. */
const JOB = sql`id::text AS id, company_id::text AS "companyId", key, file_name AS "fileName", mode, is_invite AS "isInvite",
  state, rows, chunks, fields, rows_done AS "rowsDone", chunks_done AS "chunksDone", created, updated, refused,
  created_by::text AS "createdBy", created_by_name AS "createdByName", ${isoTime("created_at")} AS "createdAt",
  ${isoTime("active_at")} AS "activeAt", ${isoTime("ended_at")} AS "endedAt"`;
type Times = "createdAt" | "activeAt" | "endedAt";
type JobTexts = Omit<ImportJobRow, Times> & Record<Times, string>;

const jobOf = <T extends JobTexts>({ createdAt, activeAt, endedAt, ...job }: T): ImportJobRow => ({
  ...job,
  createdAt: new Date(createdAt),
  activeAt: new Date(activeAt),
  endedAt: endedAt === null ? null : new Date(endedAt),
});

export interface Claim {
  /** The job; read again when another transaction had the chunk. */
  readonly job: ImportJobRow;
  /** null when this transaction owns the chunk and must store the answer; otherwise the stored answer. */
  readonly before: StoredAnswer | null;
  /** Reserved employee ids, one per row; only in mode "insert". */
  readonly ids: readonly string[];
}

/**
 * Claims a chunk for this transaction. Waits for a transaction that has the same chunk; different chunks do not wait.
 *
 * @param rows number of rows in the chunk
 * @throws AppError request.not-found, request.invalid for a chunk that the job does not have
 */
export async function claimChunk(
  scope: CompanyScope,
  { id, index, rows }: { readonly id: string; readonly index: number; readonly rows: number },
  now: Date,
): Promise<Claim> {
  if (!isId(id)) throw new AppError("request.not-found");
  const [found] = await scope.sql<JobTexts & { ours: boolean; ids: string | null }>(sql`
    WITH job AS (
      SELECT * FROM import_jobs WHERE company_id = ${scope.companyId}::bigint AND id = ${id}::bigint
    ), claimed AS (
      INSERT INTO import_chunks (job_id, company_id, index, answer, created_at)
      SELECT id, company_id, ${index}::int, ${JSON.stringify(NO_ANSWER)}::jsonb, ${now.toISOString()}::timestamptz
      FROM job WHERE chunks > ${index}::int
      ON CONFLICT DO NOTHING RETURNING job_id
    )
    SELECT ${JOB}, EXISTS (SELECT FROM claimed) AS ours,
      CASE WHEN mode = 'insert' AND EXISTS (SELECT FROM claimed) THEN ${NEXT_IDS(sql`${rows}::int`)} END AS ids
    FROM job`);
  if (found === undefined) throw new AppError("request.not-found");
  const { ours, ids, ...texts } = found;
  const job = jobOf(texts);
  if (index >= job.chunks) {
    throw new AppError("request.invalid", { details: { fields: { index: "任务没有这一块" } } });
  }
  if (ours) return { job, before: null, ids: idsOf(ids) };
  const [row] = await scope.select({ answer: importChunks.answer }, importChunks, at(id, index));
  if (row === undefined) throw new AppError("server.unavailable");
  // Read the job again: it was read before the other transaction ended.
  return { job: await jobById(scope, id), before: row.answer as StoredAnswer, ids: [] };
}

const at = (jobId: string, index: number) =>
  and(eq(importChunks.jobId, jobId), eq(importChunks.index, index));

export const toResult = (
  index: number,
  { created, updated, refused, refusals }: StoredAnswer,
  job: ImportJobRow,
): ImportChunkResult => ({
  index,
  created,
  updated,
  refused,
  refusals: [...refusals],
  job: toJob(job),
});

/**
 * Counts a stored chunk and keeps its answer and audit record. The last chunk ends the job.
 *
 * @param change the audit record; null for none
 * @throws AppError import.closed when the job was cancelled meanwhile; the transaction then stores nothing of the chunk
 */
export async function keepAnswer(
  scope: CompanyScope,
  { id, index, rows }: { readonly id: string; readonly index: number; readonly rows: number },
  answer: StoredAnswer,
  change: Change | null,
  now: Date,
): Promise<ImportJobRow> {
  const company = sql`company_id = ${scope.companyId}::bigint`;
  const recorded = change === null ? sql`` : sql`, recorded AS (${auditing(scope, change)})`;
  const last = sql`chunks_done + 1 >= chunks`;
  const [found] = await scope.sql<JobTexts>(sql`
    WITH kept AS (
      UPDATE import_chunks SET answer = ${JSON.stringify(answer)}::jsonb
      WHERE ${company} AND job_id = ${id}::bigint AND index = ${index}::int
    )${recorded}
    UPDATE import_jobs SET rows_done = rows_done + ${rows}::int, chunks_done = chunks_done + 1,
      created = created + ${answer.created}::int, updated = updated + ${answer.updated}::int,
      refused = refused + ${answer.refused}::int, state = CASE WHEN ${last} THEN 'done' ELSE state END,
      active_at = ${now.toISOString()}::timestamptz,
      ended_at = CASE WHEN ${last} THEN ${now.toISOString()}::timestamptz END
    WHERE ${company} AND id = ${id}::bigint AND state = 'open' RETURNING ${JOB}`);
  if (found === undefined) throw new AppError("import.closed");
  const job = jobOf(found);
  if (job.rowsDone > job.rows) throw tooMany();
  return job;
}

export const tooMany = (): AppError =>
  new AppError("request.invalid", { details: { fields: { rows: "超出任务的行数" } } });
