/** See 0010_registration.sql. */
import { sql } from "drizzle-orm";
import { bigint, boolean, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";
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
  /** SHA-256 of the key that the asking page was given. */
  requestHash: text("request_hash"),
  /** Whether it is the code of an SMS that was sent to the number shortly before. */
  shared: boolean("shared").notNull().default(false),
  /** Wrong guesses from the same address without the key. */
  keylessFailures: integer("keyless_failures").notNull().default(0),
  /** The company whose invitation asked. */
  companyId: idColumn("company_id"),
});

/** Wrong codes of the last day. */
export const smsGuesses = pgTable("sms_guesses", {
  id: identity(),
  address: text("address").notNull(),
  mobile: text("mobile").notNull(),
  guessedAt: time("guessed_at").notNull(),
});

export const accountMobiles = pgTable("account_mobiles", {
  accountId: idColumn("account_id").primaryKey(),
  mobile: text("mobile").notNull(),
});

/** See 20261126_1030_licences.sql. */
export const licencePictures = pgTable("licence_pictures", {
  tokenHash: text("token_hash").primaryKey(),
  applyId: idColumn("apply_id"),
  originalName: text("original_name").notNull(),
  contentType: text("content_type").notNull(),
  contentHash: text("content_hash").notNull(),
  /** Bytes. */
  size: bigint("size", { mode: "number" }).notNull(),
  address: text("address").notNull(),
  createdAt: time("created_at").notNull(),
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
