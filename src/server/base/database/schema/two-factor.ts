/** See 0130_two_factor.sql. */
import { bigint, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";
import { idColumn } from "../ids.ts";

export const accountTotp = pgTable("account_totp", {
  accountId: idColumn("account_id").primaryKey(),
  secret: text("secret").notNull(),
  confirmedAt: timestamp("confirmed_at", { withTimezone: true }),
  lastStep: bigint("last_step", { mode: "number" }).notNull().default(0),
});

export const accountRecoveryCodes = pgTable(
  "account_recovery_codes",
  { accountId: idColumn("account_id").notNull(), codeHash: text("code_hash").notNull() },
  (table) => [primaryKey({ columns: [table.accountId, table.codeHash] })],
);
