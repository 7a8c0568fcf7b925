/** Initial data of an empty database: the menus, and the demo data (embedded) or the first administrator (DATABASE_URL). */
import { sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { chatUserNameSchema } from "../../../shared/protocol/rest/entities.ts";
import { addDemoDictionary } from "./seed-dictionary.ts";
import { addDemoStaff } from "./seed-staff.ts";
import {
  accountRoles,
  accounts,
  companies,
  employees,
  menus,
  roleMenus,
  roles,
} from "./schema/base.ts";

export const DEMO_PASSWORD = "Demo@2026";

type RoleCode = "admin" | "staff" | "ops";
type Transaction = Parameters<Parameters<NodePgDatabase["transaction"]>[0]>[0];

export const ROLE_NAMES: Record<RoleCode, string> = {
  admin: "企业管理员",
  staff: "员工",
  ops: "运维人员",
};
/** Permissions of a new company's roles, in addition to what every member with a role may do (the access rules of the calls). */
export const ROLE_PERMISSIONS: Record<RoleCode, readonly string[]> = {
  admin: ["*:*:*"],
  staff: [],
  ops: [],
};
export const ROLE_CODES = Object.keys(ROLE_NAMES) as RoleCode[];

interface SeedMenu {
  readonly code: string;
  readonly name: string;
  readonly icon: string;
  readonly uri: string;
  readonly roles: readonly RoleCode[];
  /** The page starts from scratch each time (docs/import.md#overview). */
  readonly noCache?: true;
  readonly children?: readonly SeedMenu[];
}

/** The page 首页 is built into the console and has no entry here. */
const MENUS: readonly SeedMenu[] = [
  {
    code: "im-people",
    name: "人员与消息",
    icon: "IconMessage",
    uri: "/im/people",
    roles: ["admin", "staff", "ops"],
  },
  {
    code: "im-conference",
    name: "会议",
    icon: "IconVideoCamera",
    uri: "/im/conference",
    roles: ["admin", "staff", "ops"],
  },
  {
    code: "supplier",
    name: "员工管理",
    icon: "IconUserGroup",
    uri: "/supplier",
    roles: ["admin"],
    children: [
      {
        code: "supplier-employees",
        name: "员工列表",
        icon: "IconUser",
        uri: "/supplier/employees",
        roles: ["admin"],
      },
      {
        code: "import-invite",
        name: "批量导入并邀请",
        icon: "IconImport",
        uri: "/DataBatchImport/index",
        noCache: true,
        roles: ["admin"],
      },
      {
        code: "import-plain",
        name: "批量导入",
        icon: "IconImport",
        uri: "/DataBatchImport2/index",
        noCache: true,
        roles: ["admin"],
      },
    ],
  },
  {
    code: "monitor",
    name: "系统监控",
    icon: "IconDashboard",
    uri: "/monitor",
    roles: ["admin", "ops"],
    children: [
      {
        code: "monitor-runtime",
        name: "运行监控",
        icon: "IconBarChart",
        uri: "/monitor/runtime",
        roles: ["admin", "ops"],
      },
    ],
  },
];

const HUAAN = "华安物业服务有限公司";
const CHENGNAN = "城南消防工程有限公司";

interface SeedJob {
  readonly company: string;
  readonly department: string;
  readonly position: string;
  readonly role: RoleCode | null;
}

interface SeedPerson {
  readonly username: string;
  readonly name: string;
  readonly phone: string;
  readonly jobs: readonly SeedJob[];
}

const job = (
  company: string,
  department: string,
  position: string,
  role: RoleCode | null,
): SeedJob => ({ company, department, position, role });

/** The phone numbers are in a range that no operator assigns. */
const PEOPLE: readonly SeedPerson[] = [
  {
    username: "admin",
    name: "管理员",
    phone: "19900000001",
    jobs: [
      job(HUAAN, "综合管理部", "企业管理员", "admin"),
      job(CHENGNAN, "综合管理部", "企业管理员", "admin"),
    ],
  },
  {
    username: "zhangwei",
    name: "张伟",
    phone: "19900000002",
    jobs: [
      job(HUAAN, "安全管理部", "安全主管", "staff"),
      job(CHENGNAN, "工程部", "安全顾问", "staff"),
    ],
  },
  {
    username: "lina",
    name: "李娜",
    phone: "19900000003",
    jobs: [job(HUAAN, "客户服务部", "客服专员", "staff")],
  },
  {
    username: "wangfang",
    name: "王芳",
    phone: "19900000004",
    jobs: [job(CHENGNAN, "消防维保部", "维保工程师", "staff")],
  },
  {
    username: "ops",
    name: "运维值班",
    phone: "19900000005",
    jobs: [job(HUAAN, "信息技术部", "运维工程师", "ops")],
  },
  {
    username: "guest",
    name: "访客",
    phone: "19900000006",
    jobs: [job(HUAAN, "临时人员", "访客", null)],
  },
];

export const DEMO_ACCOUNTS: readonly { username: string; name: string }[] = PEOPLE;

/**
 * The account's user name at the chat provider: its own name in lower case if the provider accepts it, otherwise `u` and the
 * id. Own names that look like `u7` are not used, because they could collide with another account's substitute.
 */
export function chatUserNameOf(username: string, id: string): string {
  const name = username.toLowerCase();
  return chatUserNameSchema.safeParse(name).success && !/^u\d+$/.test(name) ? name : `u${id}`;
}

/**
 * Fills an empty database. A database that has an account is left unchanged. Two servers that start simultaneously fill it
 * once.
 *
 * @param hash makes the stored form of a password
 * @param administrator for a database other than the embedded one; null creates no account
 * @returns what was done
 */
export async function seed(
  db: NodePgDatabase,
  options: {
    readonly demo: boolean;
    readonly administrator: { username: string; password: string } | null;
    readonly hash: (password: string) => Promise<string>;
  },
): Promise<"kept" | "demo" | "administrator" | "nobody"> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`LOCK TABLE accounts IN SHARE ROW EXCLUSIVE MODE`);
    const [someone] = await tx.select({ id: accounts.id }).from(accounts).limit(1);
    if (someone !== undefined) return "kept";
    const { demo, administrator } = options;
    if (!demo && administrator === null) return "nobody";
    const names = demo ? [HUAAN, CHENGNAN] : ["平台管理"];
    const companyIds = new Map<string, string>();
    const roleIds = new Map<string, string>();
    for (const name of names) {
      const id = idOf(await tx.insert(companies).values({ name }).returning({ id: companies.id }));
      companyIds.set(name, id);
      for (const code of ROLE_CODES) {
        const permissions = [...ROLE_PERMISSIONS[code]];
        const role = { companyId: id, code, name: ROLE_NAMES[code], permissions };
        const made = await tx.insert(roles).values(role).returning({ id: roles.id });
        roleIds.set(`${name}/${code}`, idOf(made));
      }
    }
    if (demo) await addDemoDictionary(tx, companyIds.get(HUAAN) ?? "");
    await addMenus(tx, MENUS, null, (code) => names.map((n) => roleIds.get(`${n}/${code}`) ?? ""));
    const people: readonly SeedPerson[] = demo
      ? PEOPLE
      : [
          {
            username: administrator?.username ?? "",
            name: "管理员",
            phone: "",
            jobs: names.map((name) => job(name, "综合管理部", "管理员", "admin")),
          },
        ];
    const passwordHash = await options.hash(demo ? DEMO_PASSWORD : (administrator?.password ?? ""));
    for (const person of people) {
      const accountId = await addAccount(tx, person.username, person.name, passwordHash);
      for (const { company, department, position, role } of person.jobs) {
        await tx.insert(employees).values({
          companyId: companyIds.get(company) ?? "",
          accountId,
          name: person.name,
          phone: person.phone === "" ? null : person.phone,
          department,
          position,
        });
        if (role !== null) {
          const roleId = roleIds.get(`${company}/${role}`) ?? "";
          await tx.insert(accountRoles).values({ accountId, roleId });
        }
      }
    }
    if (demo) await addDemoStaff(tx);
    return demo ? "demo" : "administrator";
  });
}

function idOf(rows: readonly { id: string }[]): string {
  const id = rows[0]?.id;
  if (id === undefined) throw new Error("an insert returned no row");
  return id;
}

async function addAccount(
  tx: Transaction,
  username: string,
  nickname: string,
  passwordHash: string,
): Promise<string> {
  const { rows } = await tx.execute<{ id: string }>(
    sql`SELECT nextval(pg_get_serial_sequence('accounts', 'id')) AS id`,
  );
  const id = idOf(rows);
  const chatUserName = chatUserNameOf(username, id);
  await tx.insert(accounts).values({ id, username, nickname, passwordHash, chatUserName });
  return id;
}

async function addMenus(
  tx: Transaction,
  entries: readonly SeedMenu[],
  parentId: string | null,
  rolesOf: (code: RoleCode) => string[],
): Promise<void> {
  for (const [sort, entry] of entries.entries()) {
    const { code, name, icon, uri } = entry;
    const row = {
      parentId,
      code,
      name,
      icon,
      uri,
      sort,
      elementProperties: {
        roles: [...entry.roles],
        ...(entry.noCache === true ? { noCache: true } : {}),
      },
    };
    const menuId = idOf(await tx.insert(menus).values(row).returning({ id: menus.id }));
    const grants = entry.roles.flatMap(rolesOf).map((roleId) => ({ roleId, menuId }));
    await tx.insert(roleMenus).values(grants);
    await addMenus(tx, entry.children ?? [], menuId, rolesOf);
  }
}
