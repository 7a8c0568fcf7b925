/**
 * Conferences and one-to-one calls: who may enter, and whether they have ended. The members currently inside are kept in memory
 * only.
 */
import { boolean, index, jsonb, pgTable, smallint, text, timestamp } from "drizzle-orm/pg-core";
import { idColumn } from "../ids.ts";

export const conferences = pgTable(
  "conferences",
  {
    id: text("id").primaryKey(),
    /** docs/conferences.md#types; 13 is a call of two. */
    type: smallint("type").notNull(),
    /** Chat user names; the caller of a conference is its creator. */
    caller: text("caller").notNull(),
    /** Set only for a one-to-one call. */
    callee: text("callee"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    /** Last time a server process saw a member inside. The sweep ends conferences that have long been empty. */
    activeAt: timestamp("active_at", { withTimezone: true }).notNull(),
    endedAt: timestamp("ended_at", { withTimezone: true }),
    endReason: smallint("end_reason"),
    // The following columns are for conferences only; see 0014_conferences.sql.
    companyId: idColumn("company_id"),
    name: text("name").notNull().default(""),
    roomName: text("room_name"),
    passwordHash: text("password_hash"),
    limits: jsonb("limits").notNull().default({}),
    rec: boolean("rec").notNull().default(false),
    recMerge: boolean("rec_merge").notNull().default(false),
    liveCfg: jsonb("live_cfg"),
    vcodes: text("vcodes").array().notNull().default([]),
    state: jsonb("state").notNull().default({}),
  },
  (t) => [
    index("conferences_open").on(t.endedAt, t.activeAt),
    index("conferences_caller").on(t.caller),
    index("conferences_callee").on(t.callee),
    index("conferences_company").on(t.companyId, t.createdAt),
  ],
);

export type ConferenceRow = typeof conferences.$inferSelect;
