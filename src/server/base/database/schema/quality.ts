/** Uploaded quality records, and the scores of streams that they add up to, kept for 30 days. */
import {
  bigint,
  boolean,
  index,
  integer,
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

/** Scores of the streams of calls; see 20261127_2340_call_quality.sql. */
export const qualityStreams = pgTable(
  "quality_streams",
  {
    confrId: text("confr_id").notNull(),
    accountId: text("account_id").notNull(),
    stream: text("stream").notNull(),
    sender: text("sender").notNull(),
    kind: text("kind").notNull(),
    received: boolean("received").notNull(),
    /** Scores times 100. */
    mosSum: bigint("mos_sum", { mode: "number" }).notNull(),
    samples: integer("samples").notNull(),
    receivedAt: timestamp("received_at", { withTimezone: true }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.confrId, t.accountId, t.stream] }),
    index("quality_streams_received").on(t.receivedAt),
  ],
);
