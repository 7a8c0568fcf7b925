/** Sends the chunks of one import: several at a time, each until the server has acknowledged it. */
import { AppError } from "../../../shared/errors.ts";
import type { StagedJob } from "../../../shared/protocol/import-staging.ts";
import { importChunkCall, type ImportChunkResult } from "../../../shared/protocol/rest/index.ts";
import type { CoreEnv, Http } from "../contracts.ts";
import { watchStall } from "../transfers/stall.ts";
import type { Staging } from "./staging.ts";

/** How many chunks are sent in parallel: the database writes one, the next one is prepared, and a third is on its way. */
const LANES = 3;

/** How often a chunk is sent to a busy server before the import is shown as waiting. */
const BUSY_TRIES = 20;

/** The seconds after which a busy server wants the request again, at most 60; null for other errors and when it names no time. */
function retryAfterOf(thrown: unknown): number | null {
  if (!(thrown instanceof AppError) || thrown.code !== "request.rate-limited") return null;
  const after = thrown.details?.["retryAfter"];
  return typeof after === "number" ? Math.min(after, 60) : null;
}

export interface LanesDeps {
  readonly env: Pick<CoreEnv, "clock" | "online" | "random">;
  readonly staging: Pick<Staging, "chunk">;
  readonly http: Http;
  readonly job: Pick<StagedJob, "key" | "supplierId">;
  /** Whether a chunk is acknowledged already; a request of an earlier run may have been answered meanwhile. */
  readonly isAcked: (index: number) => boolean;
  /** The lane sends its next chunk when this resolves. */
  readonly onAnswer: (index: number, result: ImportChunkResult) => Promise<void>;
}

/**
 * @param isOver whether the run has ended; then nothing more is sent and no answer is reported
 * @returns when all chunks are acknowledged or the run is over
 * @throws AppError of the request that failed, import.staging-lost when the browser removed a chunk
 */
export async function sendChunks(
  { env, staging, http, job, isAcked, onAnswer }: LanesDeps,
  jobId: string,
  pending: number[],
  isOver: () => boolean,
): Promise<void> {
  const waited = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      env.clock.after(ms, resolve);
    });

  const post = async (
    index: number,
    bytes: Uint8Array<ArrayBuffer>,
  ): Promise<ImportChunkResult> => {
    const stall = watchStall(env, new AbortController().signal);
    const { supplierId } = job;
    const options = { supplierId, bytes, signal: stall.signal, onSent: stall.moved };
    try {
      return await http.call(importChunkCall, { params: { id: jobId, index } }, options);
    } catch (thrown) {
      throw stall.reasonOf(thrown);
    } finally {
      stall.end();
    }
  };

  /** Sends a chunk, and again after the time that a busy server names. @returns null when the run has ended meanwhile */
  const sendChunk = async (
    index: number,
    bytes: Uint8Array<ArrayBuffer>,
  ): Promise<ImportChunkResult | null> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await post(index, bytes);
      } catch (thrown) {
        const after = retryAfterOf(thrown);
        if (after === null || tries >= BUSY_TRIES) throw thrown;
        if (isOver()) return null;
        // Wait up to a second longer, at random, so that refused clients do not return at the same moment.
        await waited((after + env.random()) * 1000);
        if (isOver()) return null;
      }
    }
  };

  const lane = async (): Promise<void> => {
    for (;;) {
      if (isOver()) return;
      const index = pending.shift();
      if (index === undefined) return;
      if (isAcked(index)) continue;
      const bytes = await staging.chunk(job.key, index);
      if (isOver()) return;
      if (isAcked(index)) continue;
      if (bytes === null) throw new AppError("import.staging-lost");
      const result = await sendChunk(index, bytes);
      if (result === null) return;
      await onAnswer(index, result);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}
