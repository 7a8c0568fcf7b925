/** Batch imports. See 0013_imports.sql. */
import { sql } from "drizzle-orm";
import { boolean, integer, jsonb, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";
import type { FieldSetting } from "../../../../shared/domain/fields-in-use.ts";
import type { ImportRefusal } from "../../../../shared/protocol/rest/imports.ts";
import { idColumn } from "../ids.ts";

const time = (name: string) => timestamp(name, { withTimezone: true });

export const importJobs = pgTable("import_jobs", {
  id: idColumn("id")
    .primaryKey()
    .default(sql`default`),
  companyId: idColumn("company_id").notNull(),
  key: text("key").notNull(),
  fileName: text("file_name").notNull(),
  mode: text("mode", { enum: ["dry-run", "insert", "update"] }).notNull(),
  isInvite: boolean("is_invite").notNull(),
  state: text("state", { enum: ["open", "done", "cancelled"] })
    .notNull()
    .default("open"),
  rows: integer("rows").notNull(),
  chunks: integer("chunks").notNull(),
  fields: text("fields").array().notNull(),
  /** The company's fields of when the job began, which its rows are checked against to the end. */
  fieldSettings: jsonb("field_settings").$type<readonly FieldSetting[]>(),
  rowsDone: integer("rows_done").notNull().default(0),
  chunksDone: integer("chunks_done").notNull().default(0),
  created: integer("created").notNull().default(0),
  updated: integer("updated").notNull().default(0),
  refused: integer("refused").notNull().default(0),
  createdBy: idColumn("created_by"),
  createdByName: text("created_by_name").notNull(),
  createdAt: time("created_at").notNull(),
  activeAt: time("active_at").notNull(),
  endedAt: time("ended_at"),
});
export type ImportJobRow = typeof importJobs.$inferSelect;

/** The stored answer to a chunk. The state of the job, which the answer also contains, is read when it is sent. */
export interface StoredAnswer {
  readonly created: number;
  readonly updated: number;
  readonly refused: number;
  readonly refusals: readonly ImportRefusal[];
}

export const importChunks = pgTable(
  "import_chunks",
  {
    jobId: idColumn("job_id").notNull(),
    companyId: idColumn("company_id").notNull(),
    index: integer("index").notNull(),
    answer: jsonb("answer").$type<StoredAnswer>().notNull(),
    createdAt: time("created_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.jobId, t.index] })],
);

export const importRefusals = pgTable("import_refusals", {
  id: idColumn("id")
    .primaryKey()
    .default(sql`default`),
  jobId: idColumn("job_id").notNull(),
  companyId: idColumn("company_id").notNull(),
  row: integer("row").notNull(),
  field: text("field"),
  message: text("message").notNull(),
});

export const importInvitations = pgTable("import_invitations", {
  invitationId: text("invitation_id").primaryKey(),
  jobId: idColumn("job_id").notNull(),
  companyId: idColumn("company_id").notNull(),
  row: integer("row").notNull(),
  employeeId: idColumn("employee_id").notNull(),
});
