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
import {
  type EmployeeField,
  type EmployeeFieldKey,
  type EmployeeFieldOf,
  employeeFields,
} from "../../../../shared/domain/employee-fields.ts";
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
  /** The company that runs the platform; there is one. See 0065_apply_decisions.sql. */
  platform: boolean("platform").notNull().default(false),
  /** When the platform locked the company; null: it is open. A locked company has no members (20261126_1100_locked_companies.sql). */
  lockedAt: time("locked_at"),
  lockReason: text("lock_reason").notNull().default(""),
  lockedBy: idColumn("locked_by"),
  createdAt: time("created_at").notNull().defaultNow(),
});

const neededText = (name: string) => text(name).notNull();
const filledText = (name: string, fallback: string) => text(name).notNull().default(fallback);
const optionalText = (name: string) => text(name);
const optionalDay = (name: string) => date(name);
const optionalId = (name: string) => idColumn(name);
type ColumnOf<F> = F extends { rule: { type: "date" } }
  ? ReturnType<typeof optionalDay>
  : F extends { rule: { type: "departmentId" } }
    ? ReturnType<typeof optionalId>
    : F extends { required: true }
      ? ReturnType<typeof neededText>
      : F extends { fallback: string }
        ? ReturnType<typeof filledText>
        : ReturnType<typeof optionalText>;
const columnOf = ({ column, rule, required, fallback }: EmployeeField) => {
  if (rule.type === "date") return optionalDay(column);
  if (rule.type === "departmentId") return optionalId(column);
  if (required === true) return neededText(column);
  return fallback === undefined ? optionalText(column) : filledText(column, fallback);
};
// A record of all keys of the list; `fromEntries` forgets which key has which column.
const employeeColumns = Object.fromEntries(
  employeeFields.map((field) => [field.key, columnOf(field)]),
) as unknown as { [F in EmployeeFieldOf<EmployeeFieldKey> as F["key"]]: ColumnOf<F> };

export const employees = pgTable("employees", {
  id: identity(),
  companyId: idColumn("company_id").notNull(),
  accountId: idColumn("account_id"),
  ...employeeColumns,
  /** Values of the company's own fields (company_fields), by key. */
  custom: jsonb("custom").$type<Record<string, string | number | null>>().notNull().default({}),
  dimissionReason: text("dimission_reason"),
  /** Raised by the database with each change. */
  version: integer("version").notNull().default(1),
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
  remark: text("remark").notNull().default(""),
  version: integer("version").notNull().default(1),
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
  /** Why it was revoked: a LoginEnd (src/server/base/cluster/access.ts). */
  endReason: text("end_reason"),
  /** Where the login came from. */
  address: text("address").notNull().default(""),
  userAgent: text("user_agent").notNull().default(""),
});

/** Attempts to log in, right and wrong ones. See 0066_sign_ins.sql. */
export const signIns = pgTable("sign_ins", {
  id: identity(),
  accountId: idColumn("account_id").notNull(),
  success: boolean("success").notNull(),
  systemName: text("system_name").notNull(),
  address: text("address").notNull(),
  userAgent: text("user_agent").notNull(),
  createdAt: time("created_at").notNull(),
});
