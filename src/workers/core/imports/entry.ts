/** An import as every tab shows it. */
import type { StagedJob } from "../../../shared/protocol/import-staging.ts";
import type { ImportEntry } from "../../../shared/protocol/state.ts";
import type { KeptImport } from "./staging.ts";

/** How many rows the acknowledged chunks hold. */
export const rowsOf = (job: StagedJob, acked: ReadonlySet<number>): number =>
  [...acked].reduce((sum, index) => sum + (job.sizes[index]?.rows ?? 0), 0);

/** @param speed rows per second; null while it is unknown or nothing is sent */
export function entryOf(
  kept: KeptImport,
  acked: ReadonlySet<number>,
  speed: number | null,
): ImportEntry {
  const { job } = kept;
  const sent = rowsOf(job, acked);
  const { created, updated, refused, already, state, jobId, startedAt, endedAt, error } = kept;
  const { key, fileName, supplierId, mode, isInvite, rows, chunks } = job;
  return {
    key,
    jobId,
    fileName,
    supplierId,
    mode,
    isInvite,
    state,
    rows,
    sent: Math.min(sent, rows),
    created,
    updated,
    refused,
    already,
    chunks,
    chunksDone: acked.size,
    startedAt,
    endedAt,
    rate: speed,
    left: speed === null ? null : Math.round(((rows - sent) / speed) * 1000),
    error,
  };
}
