/** Quality records in the database. */
import { lt, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import {
  measuredKey,
  type PlainQuality,
  type QualityRecord,
  qualityRecordSchema,
} from "../../../shared/protocol/qoe.ts";
import {
  qualityBatches,
  qualitySamples,
  qualityStreams,
} from "../../base/database/schema/quality.ts";

/** A record of a batch, or one that a client sent by itself, with what all records have in common. */
export type StoredRecord =
  | QualityRecord
  | (PlainQuality & Pick<QualityRecord, "kind" | "confrId" | "memName" | "time">);
export interface StoredBatch {
  readonly batch: string;
  readonly records: readonly StoredRecord[];
}

/** All times are in milliseconds since the epoch. */
export interface QualityStore {
  /**
   * Stores a batch once.
   *
   * @returns false when it was stored before
   */
  add(accountId: string, upload: StoredBatch, at: number): Promise<boolean>;
  /**
   * Deletes records received before `before`.
   *
   * @returns the number of deleted records
   */
  prune(before: number): Promise<number>;
}

/** What the scores of a batch add to each stream. Records of older cores, and of other clients, have none. */
function scoredStreams(records: readonly StoredRecord[]) {
  const streams = new Map<string, Scored>();
  for (const record of records) {
    if (record.kind !== 1 || !("sId" in record)) continue;
    const read = qualityRecordSchema.safeParse(record);
    if (!read.success || read.data.kind !== 1 || read.data.mos === undefined) continue;
    const { confrId, isPub, media: kind, memName, subMemName, mos } = read.data;
    const stream = measuredKey(read.data);
    const before = streams.get(`${confrId} ${stream}`);
    streams.set(`${confrId} ${stream}`, {
      confrId,
      stream,
      sender: isPub ? memName : subMemName,
      kind,
      received: !isPub,
      mosSum: (before?.mosSum ?? 0) + mos,
      samples: (before?.samples ?? 0) + 1,
    });
  }
  return [...streams.values()];
}
type Scored = Omit<typeof qualityStreams.$inferInsert, "accountId" | "receivedAt">;

export function createQualityStore(db: NodePgDatabase): QualityStore {
  return {
    add(accountId, { batch, records }, at) {
      const receivedAt = new Date(at);
      return db.transaction(async (tx) => {
        const first = await tx
          .insert(qualityBatches)
          .values({ accountId, batch, receivedAt })
          .onConflictDoNothing()
          .returning({ batch: qualityBatches.batch });
        if (first.length === 0) return false;
        await tx.insert(qualitySamples).values(
          records.map((record, seq) => ({
            accountId,
            batch,
            seq,
            confrId: record.confrId,
            memName: record.memName,
            kind: record.kind,
            time: record.time,
            receivedAt,
            record,
          })),
        );
        const streams = scoredStreams(records);
        if (streams.length > 0) {
          const { confrId, accountId: account, stream, mosSum, samples } = qualityStreams;
          await tx
            .insert(qualityStreams)
            .values(streams.map((one) => ({ ...one, accountId, receivedAt })))
            .onConflictDoUpdate({
              target: [confrId, account, stream],
              set: {
                mosSum: sql`${mosSum} + excluded.mos_sum`,
                samples: sql`${samples} + excluded.samples`,
                receivedAt,
              },
            });
        }
        return true;
      });
    },
    async prune(before) {
      const time = new Date(before);
      const gone = await db
        .delete(qualitySamples)
        .where(lt(qualitySamples.receivedAt, time))
        .returning({ seq: qualitySamples.seq });
      await db.delete(qualityStreams).where(lt(qualityStreams.receivedAt, time));
      await db.delete(qualityBatches).where(lt(qualityBatches.receivedAt, time));
      return gone.length;
    },
  };
}
