/** Uploaded quality records, kept for 30 days. */
import {
  bigint,
  index,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
} from "drizzle-orm/pg-core";
import type { PlainQuality, QualityRecord } from "../../../../shared/protocol/qoe.ts";

/** One row per stored batch, so that a resent batch is stored only once. */
export const qualityBatches = pgTable(
  "quality_batches",
  {
    accountId: text("account_id").notNull(),
    batch: text("batch").notNull(),
    receivedAt: timestamp("received_at", { withTimezone: true }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.accountId, t.batch] }),
    index("quality_batches_received").on(t.receivedAt),
  ],
);

export const qualitySamples = pgTable(
  "quality_samples",
  {
    accountId: text("account_id").notNull(),
    batch: text("batch").notNull(),
    /** Position within the batch, from 0. */
    seq: smallint("seq").notNull(),
    confrId: text("confr_id").notNull(),
    memName: text("mem_name").notNull(),
    /** 0: start of the session, 1: periodic, 2: event. */
    kind: smallint("kind").notNull(),
    /** The client's clock, in ms since the epoch. */
    time: bigint("time", { mode: "number" }).notNull(),
    receivedAt: timestamp("received_at", { withTimezone: true }).notNull(),
    record: jsonb("record").$type<QualityRecord | PlainQuality>().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.accountId, t.batch, t.seq] }),
    index("quality_samples_confr").on(t.confrId, t.time),
    index("quality_samples_received").on(t.receivedAt),
  ],
);
