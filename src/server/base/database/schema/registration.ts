/** See 0010_registration.sql. */
import { sql } from "drizzle-orm";
import { integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import type { ApplyStatus } from "../../../../shared/protocol/rest/registration.ts";
import { idColumn } from "../ids.ts";

const identity = () =>
  idColumn("id")
    .primaryKey()
    .default(sql`default`);
const time = (name: string) => timestamp(name, { withTimezone: true });

export const smsCodes = pgTable("sms_codes", {
  id: identity(),
  mobile: text("mobile").notNull(),
  address: text("address").notNull(),
  codeHash: text("code_hash").notNull(),
  sentAt: time("sent_at").notNull(),
  expiresAt: time("expires_at").notNull(),
  failures: integer("failures").notNull().default(0),
  usedAt: time("used_at"),
});

export const accountMobiles = pgTable("account_mobiles", {
  accountId: idColumn("account_id").primaryKey(),
  mobile: text("mobile").notNull(),
});

export const supplierApplies = pgTable("supplier_applies", {
  id: identity(),
  applyAccountId: idColumn("apply_account_id").notNull(),
  companyId: idColumn("company_id").notNull(),
  companyName: text("company_name").notNull(),
  creditCode: text("credit_code"),
  contact: text("contact").notNull(),
  mobile: text("mobile").notNull(),
  systemName: text("system_name").notNull(),
  status: text("status").$type<ApplyStatus>().notNull(),
  createdAt: time("created_at").notNull(),
  /** Why it was refused. */
  reason: text("reason").notNull().default(""),
  decidedBy: idColumn("decided_by"),
  decidedAt: time("decided_at"),
});
