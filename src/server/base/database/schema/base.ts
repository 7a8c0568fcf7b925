/** People, companies, employment, roles, menus, sessions. See 0001_base.sql, which also holds the indexes. */
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
import type { MenuEntry } from "../../../../shared/protocol/rest/entities.ts";
import { idColumn } from "../ids.ts";

const time = (name: string) => timestamp(name, { withTimezone: true });
/** The database generates the id. The default only tells drizzle that inserts may omit it. */
const identity = () =>
  idColumn("id")
    .primaryKey()
    .default(sql`default`);

export const accounts = pgTable("accounts", {
  id: identity(),
  username: text("username").notNull(),
  passwordHash: text("password_hash").notNull(),
  nickname: text("nickname").notNull(),
  avatar: text("avatar").notNull().default(""),
  introduction: text("introduction").notNull().default(""),
  chatUserName: text("chat_user_name").notNull(),
  disabledAt: time("disabled_at"),
  createdAt: time("created_at").notNull().defaultNow(),
});

export const companies = pgTable("companies", {
  id: identity(),
  name: text("name").notNull(),
  createdAt: time("created_at").notNull().defaultNow(),
});

export const employees = pgTable("employees", {
  id: identity(),
  companyId: idColumn("company_id").notNull(),
  accountId: idColumn("account_id"),
  name: text("name").notNull(),
  phone: text("phone"),
  department: text("department"),
  position: text("position"),
  employeeNo: text("employee_no"),
  gender: text("gender"),
  idNumber: text("id_number"),
  birthday: date("birthday"),
  email: text("email"),
  departmentId: idColumn("department_id"),
  hireDate: date("hire_date"),
  /** Status of a current employee: on, probation. */
  status: text("status").notNull().default("on"),
  certificateType: text("certificate_type"),
  certificateNo: text("certificate_no"),
  certificateExpiry: date("certificate_expiry"),
  emergencyContact: text("emergency_contact"),
  emergencyPhone: text("emergency_phone"),
  remark: text("remark").notNull().default(""),
  /** Values of the company's own fields (company_fields), by key. */
  custom: jsonb("custom").$type<Record<string, string | number | null>>().notNull().default({}),
  dimissionReason: text("dimission_reason"),
  updatedAt: time("updated_at").notNull().defaultNow(),
  /** When set, the person has left and is no longer a member of the company. */
  dimissionAt: time("dimission_at"),
  createdAt: time("created_at").notNull().defaultNow(),
});

export const roles = pgTable("roles", {
  id: identity(),
  companyId: idColumn("company_id").notNull(),
  code: text("code").notNull(),
  name: text("name").notNull(),
  permissions: text("permissions").array().notNull().default([]),
});

export const accountRoles = pgTable(
  "account_roles",
  { accountId: idColumn("account_id").notNull(), roleId: idColumn("role_id").notNull() },
  (t) => [primaryKey({ columns: [t.accountId, t.roleId] })],
);

export const menus = pgTable("menus", {
  id: identity(),
  parentId: idColumn("parent_id"),
  code: text("code").notNull(),
  name: text("name").notNull(),
  icon: text("icon").notNull().default(""),
  uri: text("uri").notNull().default(""),
  hidden: boolean("hidden").notNull().default(false),
  elementProperties: jsonb("element_properties")
    .$type<MenuEntry["elementProperties"]>()
    .notNull()
    .default({}),
  sort: integer("sort").notNull().default(0),
});

export const roleMenus = pgTable(
  "role_menus",
  { roleId: idColumn("role_id").notNull(), menuId: idColumn("menu_id").notNull() },
  (t) => [primaryKey({ columns: [t.roleId, t.menuId] })],
);

export const sessions = pgTable("sessions", {
  id: text("id").primaryKey(),
  accountId: idColumn("account_id").notNull(),
  systemName: text("system_name").notNull(),
  /** SHA-256 of the only refresh token that is valid now. */
  refreshHash: text("refresh_hash").notNull(),
  createdAt: time("created_at").notNull(),
  refreshedAt: time("refreshed_at").notNull(),
  expiresAt: time("expires_at").notNull(),
  revokedAt: time("revoked_at"),
});
