/** Past calls and channels of calls. See 0056_agora_channels.sql and 0074_call_records.sql. */
import { sql } from "drizzle-orm";
import { boolean, index, pgTable, smallint, text, timestamp, unique } from "drizzle-orm/pg-core";
import type { CallResult } from "../../../../shared/domain/call-results.ts";
import { idColumn } from "../ids.ts";

const time = (name: string) => timestamp(name, { withTimezone: true });

export const agoraChannels = pgTable("agora_channels", {
  name: text("name").primaryKey(),
  founder: text("founder").notNull(),
  createdAt: time("created_at").notNull(),
});

export const callRecords = pgTable(
  "call_records",
  {
    id: idColumn("id")
      .primaryKey()
      .default(sql`default`),
    accountId: idColumn("account_id").notNull(),
    callId: text("call_id").notNull(),
    channel: text("channel").notNull(),
    type: smallint("type").$type<1 | 2>().notNull(),
    media: text("media").$type<"voice" | "video">().notNull(),
    direction: text("direction").$type<"in" | "out">().notNull(),
    peer: text("peer").notNull(),
    peerName: text("peer_name").notNull(),
    result: text("result").$type<CallResult>().notNull(),
    startedAt: time("started_at").notNull(),
    answeredAt: time("answered_at"),
    endedAt: time("ended_at").notNull(),
    own: boolean("own").notNull(),
    removed: boolean("removed").notNull().default(false),
  },
  (t) => [
    unique().on(t.accountId, t.callId),
    index("call_records_newest")
      .on(t.accountId, t.startedAt.desc(), t.id.desc())
      .where(sql`NOT removed`),
    index("call_records_started").on(t.startedAt),
    index("call_records_channel").on(t.channel),
  ],
);
