/**
 * Conferences and one-to-one calls: who may enter, and whether they have ended. The members currently inside are kept in memory
 * only.
 */
import { sql } from "drizzle-orm";
import {
  boolean,
  index,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uniqueIndex,
} from "drizzle-orm/pg-core";
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
    // The following columns are for group calls only; see 0101_group_calls.sql.
    callId: text("call_id"),
    callMedia: text("call_media"),
    callGroup: text("call_group"),
    /** The people concerned have the ended call in their lists; see 0170_group_call_records.sql. */
    callRecorded: boolean("call_recorded").notNull().default(false),
  },
  (t) => [
    index("conferences_open").on(t.endedAt, t.activeAt),
    index("conferences_caller").on(t.caller),
    index("conferences_callee").on(t.callee),
    index("conferences_company").on(t.companyId, t.createdAt),
  ],
);

/** Who may enter a group call besides its caller and the members of its group. */
export const groupCallPeople = pgTable(
  "group_call_people",
  {
    conferenceId: text("conference_id").notNull(),
    /** Chat user name. */
    userName: text("user_name").notNull(),
    /** null for invitations of earlier builds. */
    invitedAt: timestamp("invited_at", { withTimezone: true }),
  },
  (t) => [
    primaryKey({ columns: [t.conferenceId, t.userName] }),
    index("group_call_people_person").on(t.userName),
  ],
);

/** One stay of a person in a group call: when they entered and left. */
export const groupCallVisits = pgTable(
  "group_call_visits",
  {
    conferenceId: text("conference_id").notNull(),
    /** Chat user name. */
    userName: text("user_name").notNull(),
    enteredAt: timestamp("entered_at", { withTimezone: true }).notNull(),
    /** null: still inside. */
    leftAt: timestamp("left_at", { withTimezone: true }),
  },
  (t) => [
    primaryKey({ columns: [t.conferenceId, t.userName, t.enteredAt] }),
    uniqueIndex("group_call_visits_inside")
      .on(t.conferenceId, t.userName)
      .where(sql`left_at IS NULL`),
    index("group_call_visits_entered").on(t.enteredAt),
  ],
);

export type ConferenceRow = typeof conferences.$inferSelect;
