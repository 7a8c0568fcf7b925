/** See 0005_tenancy.sql. */
import { sql } from "drizzle-orm";
import { jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { idColumn } from "../ids.ts";

export const auditRecords = pgTable("audit_records", {
  id: idColumn("id")
    .primaryKey()
    .default(sql`default`),
  /** Null: the change belongs to no company. */
  companyId: idColumn("company_id"),
  /** Null: the platform itself. */
  actorId: idColumn("actor_id"),
  action: text("action").notNull(),
  entity: text("entity").notNull(),
  entityId: text("entity_id").notNull(),
  before: jsonb("before").$type<Record<string, unknown>>(),
  after: jsonb("after").$type<Record<string, unknown>>(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
});
