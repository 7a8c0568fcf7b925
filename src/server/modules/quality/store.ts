/** Quality records in the database. */
import { lt } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import type { PlainQuality, QualityRecord } from "../../../shared/protocol/qoe.ts";
import { qualityBatches, qualitySamples } from "../../base/database/schema/quality.ts";

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
        return true;
      });
    },
    async prune(before) {
      const time = new Date(before);
      const gone = await db
        .delete(qualitySamples)
        .where(lt(qualitySamples.receivedAt, time))
        .returning({ seq: qualitySamples.seq });
      await db.delete(qualityBatches).where(lt(qualityBatches.receivedAt, time));
      return gone.length;
    },
  };
}
