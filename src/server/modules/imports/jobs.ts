/** Jobs: one per key and company. */
import { and, desc, eq, gt, ne, sql } from "drizzle-orm";
import { fieldLabel } from "../../../shared/domain/field-settings.ts";
import { type FieldSetting, fieldsInUse } from "../../../shared/domain/fields-in-use.ts";
import { AppError } from "../../../shared/errors.ts";
import {
  IMPORT_LIMITS,
  type importCreateCall,
  type ImportJob,
} from "../../../shared/protocol/rest/imports.ts";
import type { z } from "zod";
import { audit } from "../../base/audit/index.ts";
import { isId } from "../../base/database/ids.ts";
import {
  importChunks,
  type ImportJobRow,
  importJobs,
  importRefusals,
} from "../../base/database/schema/imports.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { ownFields } from "../field-settings/own-fields.ts";
import { readFieldSettings } from "../field-settings/store.ts";
import { unknownFields } from "./rows.ts";

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
async function checkFields(
  scope: CompanyScope,
  { fields, mode }: Wanted,
  settings: readonly FieldSetting[],
): Promise<void> {
  const wrong: Record<string, string> = {};
  const own = await ownFields(scope);
  const unknown = unknownFields(fields, own);
  const inUse = fieldsInUse(settings);
  const unused = fields.filter((field) => !inUse.uses(field));
  const nameOf = (field: string): string => fieldLabel(field, "zh", own) ?? field;
  if (unknown.length > 0) wrong["fields"] = `没有这些字段：${unknown.join("、")}`;
  else if (unused.length > 0) {
    wrong["fields"] = `企业未使用这些字段：${unused.map(nameOf).join("、")}`;
  } else if (new Set(fields).size < fields.length) wrong["fields"] = "字段重复";
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
  const fieldSettings = (await readFieldSettings(scope, "employee")).fields;
  await checkFields(scope, wanted, fieldSettings);
  await checkCapacity(scope, was?.id ?? null, now);
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
        fieldSettings,
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
    const zero = { rows, chunks, fields, fieldSettings, rowsDone: 0, chunksDone: 0 };
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
async function checkCapacity(scope: CompanyScope, except: string | null, now: Date): Promise<void> {
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
