/** See 0008_files_accounts.sql, 20261126_1000_file_uploads.sql and 20261126_1450_file_uses.sql. */
import { sql } from "drizzle-orm";
import { bigint, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { idColumn } from "../ids.ts";

const time = (name: string) => timestamp(name, { withTimezone: true });
/** Bytes. */
const size = () => bigint("size", { mode: "number" }).notNull();

export const fileContents = pgTable("file_contents", {
  hash: text("hash").primaryKey(),
  size: size(),
  touchedAt: time("touched_at").notNull(),
});

export const files = pgTable("files", {
  id: idColumn("id")
    .primaryKey()
    .default(sql`default`),
  companyId: idColumn("company_id").notNull(),
  name: text("name").notNull(),
  originalName: text("original_name").notNull(),
  contentType: text("content_type").notNull(),
  size: size(),
  contentHash: text("content_hash").notNull(),
  uploadedBy: idColumn("uploaded_by"),
  /** Of a file that came in parts. */
  uploadId: text("upload_id"),
  createdAt: time("created_at").notNull(),
  /** The inaugural document that it belongs to; only few may read it then. */
  documentId: idColumn("document_id"),
  /** Records that need it (docs/server.md#uses-of-files); the database counts. */
  uses: integer("uses").notNull().default(0),
});

/** See 0131_avatars.sql. */
export const accountAvatars = pgTable("account_avatars", {
  accountId: idColumn("account_id").primaryKey(),
  name: text("name").notNull(),
  contentType: text("content_type").notNull(),
  contentHash: text("content_hash").notNull(),
  size: size(),
});
