/** See 0096_demo_rows.sql. */
import { pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { idColumn } from "../ids.ts";

export const demoRows = pgTable(
  "demo_rows",
  {
    companyId: idColumn("company_id").notNull(),
    kind: text("kind", {
      enum: [
        "employee",
        "department",
        "dict-type",
        "dict-data",
        "bulletin",
        "call",
        "quality",
        "message",
        "operation",
      ],
    }).notNull(),
    id: text("id").notNull(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.kind, t.id] })],
);
export type DemoKind = (typeof demoRows.$inferSelect)["kind"];
