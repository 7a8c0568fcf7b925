/** See 0140_push.sql. */
import { sql } from "drizzle-orm";
import { index, pgTable, smallint, text, timestamp } from "drizzle-orm/pg-core";
import { idColumn } from "../ids.ts";

const time = (name: string) => timestamp(name, { withTimezone: true });

export const pushKeys = pgTable("push_keys", {
  id: smallint("id").primaryKey(),
  publicKey: text("public_key").notNull(),
  privateKey: text("private_key").notNull(),
});

export const pushSubscriptions = pgTable(
  "push_subscriptions",
  {
    id: idColumn("id")
      .primaryKey()
      .default(sql`default`),
    accountId: idColumn("account_id").notNull(),
    sessionId: text("session_id").notNull(),
    endpoint: text("endpoint").notNull().unique(),
    p256dh: text("p256dh").notNull(),
    auth: text("auth").notNull(),
    language: text("language").$type<"zh" | "en">().notNull(),
    createdAt: time("created_at").notNull(),
    succeededAt: time("succeeded_at"),
  },
  (t) => [
    index("push_subscriptions_account").on(t.accountId),
    index("push_subscriptions_session").on(t.sessionId),
  ],
);
