/** See 20261128_0850_failed_guesses.sql. */
import { sql } from "drizzle-orm";
import { pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { idColumn } from "../ids.ts";

export const failedGuesses = pgTable("failed_guesses", {
  id: idColumn("id")
    .primaryKey()
    .default(sql`default`),
  keyHash: text("key_hash").notNull(),
  failedAt: timestamp("failed_at", { withTimezone: true }).notNull(),
});
