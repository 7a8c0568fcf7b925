/** See 0100_bulletins.sql. */
import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";
import { idColumn } from "../ids.ts";

const time = (name: string) => timestamp(name, { withTimezone: true }).notNull();

export const bulletins = pgTable(
  "bulletins",
  {
    id: idColumn("id")
      .primaryKey()
      .default(sql`default`),
    companyId: idColumn("company_id").notNull(),
    title: text("title").notNull(),
    type: text("type").$type<"1" | "2">().notNull(),
    content: text("content").notNull(),
    published: boolean("published").notNull(),
    publishedAt: time("published_at"),
    authorId: idColumn("author_id"),
    authorName: text("author_name").notNull(),
    version: integer("version").notNull().default(1),
  },
  (t) => [index("bulletins_newest").on(t.companyId, t.publishedAt.desc(), t.id.desc())],
);

export const bulletinReads = pgTable(
  "bulletin_reads",
  {
    bulletinId: idColumn("bulletin_id").notNull(),
    accountId: idColumn("account_id").notNull(),
    companyId: idColumn("company_id").notNull(),
    readAt: time("read_at"),
  },
  (t) => [
    primaryKey({ columns: [t.bulletinId, t.accountId] }),
    index("bulletin_reads_account").on(t.accountId),
  ],
);
