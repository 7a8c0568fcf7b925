/** Tables around a company's employees: departments, own fields, invitations, applications, documents. See 0007_employees.sql. */
import { sql } from "drizzle-orm";
import {
  boolean,
  date,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
} from "drizzle-orm/pg-core";
import { FIELD_SUBJECTS, type FieldSetting } from "../../../../shared/domain/fields-in-use.ts";
import { idColumn } from "../ids.ts";

const time = (name: string) => timestamp(name, { withTimezone: true });
const identity = () =>
  idColumn("id")
    .primaryKey()
    .default(sql`default`);

export const departments = pgTable("departments", {
  id: identity(),
  companyId: idColumn("company_id").notNull(),
  parentId: idColumn("parent_id"),
  name: text("name").notNull(),
  /** Order among neighbours; the id decides between equal ones. */
  sort: integer("sort").notNull().default(0),
  version: integer("version").notNull().default(1),
  createdAt: time("created_at").notNull().defaultNow(),
  /** A current employee; the database empties it when the employee leaves. */
  headId: idColumn("head_id"),
});

export const companyFields = pgTable("company_fields", {
  id: identity(),
  companyId: idColumn("company_id").notNull(),
  key: text("key").notNull(),
  label: text("label").notNull(),
  type: text("type", { enum: ["text", "number", "date", "dict"] }).notNull(),
  dictType: text("dict_type"),
  required: boolean("required").notNull().default(false),
  sort: integer("sort").notNull().default(0),
  /** Raised by the database with each change. */
  version: integer("version").notNull().default(1),
  createdAt: time("created_at").notNull().defaultNow(),
});

/** Which fields a company uses. Without a row: all. */
export const fieldSettings = pgTable(
  "field_settings",
  {
    companyId: idColumn("company_id").notNull(),
    subject: text("subject", { enum: FIELD_SUBJECTS }).notNull(),
    fields: jsonb("fields").$type<readonly FieldSetting[]>().notNull().default([]),
    /** Raised by the database with each change. */
    version: integer("version").notNull().default(1),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.subject] })],
);

export const invitations = pgTable("invitations", {
  id: text("id").primaryKey(),
  companyId: idColumn("company_id").notNull(),
  departmentId: idColumn("department_id"),
  /** A text that names no department of the company; null beside an id. */
  department: text("department"),
  position: text("position"),
  createdBy: idColumn("created_by"),
  createdAt: time("created_at").notNull(),
  expiresAt: time("expires_at").notNull(),
  usedAt: time("used_at"),
  /** Whether it is for one employee, whom an import created. */
  forEmployee: boolean("for_employee").notNull().default(false),
  /** Null also when that employee was deleted. */
  employeeId: idColumn("employee_id"),
  /** People who may join by it, and who did; `usedAt` is the time of the last. */
  usesMax: integer("uses_max").notNull().default(1),
  uses: integer("uses").notNull().default(0),
  revokedAt: time("revoked_at"),
  revokedBy: idColumn("revoked_by"),
  /** Whether who joins applies first. */
  approval: boolean("approval").notNull().default(false),
  /** The number that it went to by SMS; of an invitation for no employee it alone can use it. */
  mobile: text("mobile"),
  /** Whether the last SMS was sent, and why not. */
  smsSent: boolean("sms_sent"),
  smsReason: text("sms_reason").notNull().default(""),
  smsAt: time("sms_at"),
  smsCount: integer("sms_count").notNull().default(0),
  openedAt: time("opened_at"),
});

/** Roles that a person gets by joining. */
export const invitationRoles = pgTable(
  "invitation_roles",
  {
    invitationId: text("invitation_id").notNull(),
    roleId: idColumn("role_id").notNull(),
    companyId: idColumn("company_id").notNull(),
  },
  (t) => [primaryKey({ columns: [t.invitationId, t.roleId] })],
);

export const membershipApplies = pgTable("membership_applies", {
  id: identity(),
  companyId: idColumn("company_id").notNull(),
  invitationId: text("invitation_id"),
  accountId: idColumn("account_id"),
  systemName: text("system_name").notNull().default(""),
  name: text("name").notNull(),
  phone: text("phone").notNull(),
  idNumber: text("id_number"),
  department: text("department"),
  position: text("position"),
  status: text("status", { enum: ["pending", "approved", "refused"] })
    .notNull()
    .default("pending"),
  employeeId: idColumn("employee_id"),
  createdAt: time("created_at").notNull(),
  decidedAt: time("decided_at"),
  departmentId: idColumn("department_id"),
  /** Why it was refused. */
  reason: text("reason").notNull().default(""),
  decidedBy: idColumn("decided_by"),
  /** What the person filled in of the fields that the company requires. */
  answers: jsonb("answers").$type<Readonly<Record<string, unknown>>>().notNull().default({}),
});

export const inauguralDocuments = pgTable("inaugural_documents", {
  id: identity(),
  companyId: idColumn("company_id").notNull(),
  employeeId: idColumn("employee_id").notNull(),
  /** Null once the company no longer asks for it. */
  kindId: idColumn("kind_id"),
  title: text("title").notNull(),
  status: text("status", { enum: ["handed", "accepted", "refused"] })
    .notNull()
    .default("handed"),
  reason: text("reason").notNull().default(""),
  /** YYYY-MM-DD */
  expiresOn: date("expires_on"),
  createdAt: time("created_at").notNull().defaultNow(),
  handedAt: time("handed_at"),
  handedBy: idColumn("handed_by"),
  signedAt: time("signed_at"),
  decidedBy: idColumn("decided_by"),
});
