/** Dictionaries of the platform (companyId null) or of a company. See 0006_dictionary.sql. */
import { sql } from "drizzle-orm";
import { integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { idColumn } from "../ids.ts";

const time = (name: string) => timestamp(name, { withTimezone: true }).notNull().defaultNow();
const identity = () =>
  idColumn("id")
    .primaryKey()
    .default(sql`default`);
/** Raised by the database with each change. */
const version = () => integer("version").notNull().default(1);

export const dictTypes = pgTable("dict_types", {
  id: identity(),
  companyId: idColumn("company_id"),
  dictType: text("dict_type").notNull(),
  dictName: text("dict_name").notNull(),
  createdAt: time("created_at"),
  remark: text("remark").notNull().default(""),
  version: version(),
  updatedAt: time("updated_at"),
});

export const dictData = pgTable("dict_data", {
  id: identity(),
  companyId: idColumn("company_id"),
  dictType: text("dict_type").notNull(),
  dictLabel: text("dict_label").notNull(),
  dictValue: text("dict_value").notNull(),
  dictSort: integer("dict_sort").notNull().default(0),
  listClass: text("list_class").notNull().default("default"),
  cssClass: text("css_class").notNull().default(""),
  /** 0: enabled, 1: disabled. */
  status: text("status").$type<"0" | "1">().notNull().default("0"),
  remark: text("remark").notNull().default(""),
  version: version(),
  createdAt: time("created_at"),
  updatedAt: time("updated_at"),
});
