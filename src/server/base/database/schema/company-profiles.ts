/** What companies say of themselves. See 0241_company_profiles.sql. */
import { integer, pgTable, text } from "drizzle-orm/pg-core";
import { idColumn } from "../ids.ts";

const filled = (name: string) => text(name).notNull().default("");

export const companyProfiles = pgTable("company_profiles", {
  companyId: idColumn("company_id").primaryKey(),
  shortName: filled("short_name"),
  creditCode: filled("credit_code"),
  legalPerson: filled("legal_person"),
  contact: filled("contact"),
  phone: filled("phone"),
  address: filled("address"),
  introduction: filled("introduction"),
  logo: filled("logo"),
  licence: filled("licence"),
  version: integer("version").notNull().default(1),
});
