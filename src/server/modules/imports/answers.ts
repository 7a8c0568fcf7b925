/** Chunks of a job: each is claimed by one transaction, which keeps its answer; the last one ends the job. */
import { and, eq, sql } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import type { ImportChunkResult } from "../../../shared/protocol/rest/imports.ts";
import { auditing, type Change } from "../../base/audit/index.ts";
import { isoTime } from "../../base/database/common.ts";
import { isId } from "../../base/database/ids.ts";
import {
  importChunks,
  type ImportJobRow,
  type StoredAnswer,
} from "../../base/database/schema/imports.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { jobById, toJob } from "./jobs.ts";
import { idsOf, NEXT_IDS } from "./write.ts";

const NO_ANSWER: StoredAnswer = { created: 0, updated: 0, refused: 0, refusals: [] };

/** The columns of a job for raw SQL, with times as texts. */
const JOB = sql`id::text AS id, company_id::text AS "companyId", key, file_name AS "fileName", mode, is_invite AS "isInvite",
  state, rows, chunks, fields, field_settings AS "fieldSettings", rows_done AS "rowsDone", chunks_done AS "chunksDone", created, updated, refused,
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
