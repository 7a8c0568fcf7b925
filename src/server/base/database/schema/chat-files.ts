/** See 0071_chat_files.sql and 0110_group_files.sql. */
import { bigint, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { fileContents } from "./files.ts";
import { imGroups } from "./im.ts";

export const chatFiles = pgTable("chat_files", {
  uuid: uuid("uuid").primaryKey(),
  owner: text("owner").notNull(),
  /** Null for the file of a message. */
  groupId: text("group_id").references(() => imGroups.id),
  secretHash: text("secret_hash").notNull(),
  name: text("name").notNull(),
  contentType: text("content_type").notNull(),
  /** Bytes. */
  size: bigint("size", { mode: "number" }).notNull(),
  contentHash: text("content_hash")
    .notNull()
    .references(() => fileContents.hash),
  thumbType: text("thumb_type"),
  thumbHash: text("thumb_hash").references(() => fileContents.hash),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
});
