/** Menus come by migration (0050_menus.sql): new entries reach existing installations, and rights that a company chose stay. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addCompany } from "./companies.ts";
import { openTestDatabase } from "./database.harness.ts";
import type { Database } from "./index.ts";
import { migrate, readMigrations } from "./migrate.ts";

const FIRST = "0050";

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase({ migrated: false });
}, 60_000);
afterAll(() => database.close());

const query = (text: string) => database.pool.query(text);
/** A migration of a later version of the program. */
const later = (version: string, sql: string) => ({
  version,
  name: `${version}.sql`,
  sql,
  checksum: version,
});
/** The entries that these tests look at, so that a new page of the console changes none of them. */
const SAMPLE = [
  "im-people",
  "im-conference",
  "supplier",
  "supplier-employees",
  "import-invite",
  "import-plain",
  "monitor",
  "monitor-runtime",
  "reports",
];
/** The codes of the sample that each role of a company has, in the order of the ids. */
async function grants(company: string): Promise<Record<string, string[]>> {
  const { rows } = await database.pool.query<{ code: string; menus: string[] }>(
    `SELECT r.code, array_agg(m.code ORDER BY m.id) FILTER (WHERE m.code = ANY ($2)) AS menus
     FROM roles r JOIN companies c ON c.id = r.company_id
     LEFT JOIN role_menus rm ON rm.role_id = r.id LEFT JOIN menus m ON m.id = rm.menu_id
     WHERE c.name = $1 GROUP BY r.code ORDER BY r.code`,
    [company, SAMPLE],
  );
  return Object.fromEntries(rows.map(({ code, menus }) => [code, menus ?? []]));
}
const REPORTS = "SELECT add_menu('monitor', 'reports', '报表', '', '/reports', 5, '{admin,staff}')";

describe("An installation from before menus came by migration", () => {
  const present = readMigrations();
  beforeAll(async () => {
    await migrate(
      database.pool,
      present.filter(({ version }) => version < FIRST),
    );
    // Its seed made the menus. 会议 is newer than this installation, and the company has renamed an entry and changed rights.
    await query(`
      INSERT INTO companies (name) VALUES ('旧');
      INSERT INTO roles (company_id, code, name) VALUES
        (1, 'admin', '企业管理员'), (1, 'staff', '员工'), (1, 'night', '夜班');
      INSERT INTO menus (code, name, uri, element_properties) VALUES
        ('im-people', '通讯录', '/im/people', '{"roles": ["admin", "staff", "ops"]}'),
        ('monitor', '系统监控', '/monitor', '{"roles": ["admin", "ops"]}');
      INSERT INTO role_menus (role_id, menu_id) VALUES (1, 1), (3, 1), (3, 2)`);
    await migrate(database.pool, present);
  });

  it("keeps its entries and the rights of its roles", async () => {
    const { rows } = await query("SELECT name FROM menus WHERE code = 'im-people'");
    expect(rows).toEqual([{ name: "通讯录" }]);
    const { staff, night } = await grants("旧");
    expect(staff).not.toContain("im-people");
    expect(night).toEqual(["im-people", "monitor"]);
  });

  it("gets the entries that it lacks, for the roles that they name", async () => {
    const { admin, staff } = await grants("旧");
    expect(staff).toEqual(["im-conference"]);
    expect(admin).toEqual([
      "im-people",
      "im-conference",
      "supplier",
      "supplier-employees",
      "import-invite",
      "import-plain",
      "monitor-runtime",
    ]);
  });

  it("gets the entry of a later migration below its parent, once", async () => {
    await database.db.transaction((tx) => addCompany(tx, "新"));
    await migrate(database.pool, [...present, later("20300101_0000_reports", REPORTS)]);
    const { rows } = await query(
      `SELECT m.name, p.code AS parent, m.element_properties AS properties
       FROM menus m JOIN menus p ON p.id = m.parent_id WHERE m.code = 'reports'`,
    );
    expect(rows).toEqual([
      { name: "报表", parent: "monitor", properties: { roles: ["admin", "staff"] } },
    ]);
    expect((await grants("旧"))["staff"]).toEqual(["im-conference", "reports"]);
    expect((await grants("新"))["staff"]).toEqual(["im-people", "im-conference", "reports"]);
    expect((await grants("新"))["ops"]).not.toContain("reports");
    await query("DELETE FROM role_menus USING menus WHERE id = menu_id AND code = 'reports'");
    await query(REPORTS);
    expect((await grants("新"))["staff"]).toEqual(["im-people", "im-conference"]);
  });

  it("refuses an entry below one that does not exist", async () => {
    await expect(query(REPORTS.replace("monitor", "none").replace("reports", "x"))).rejects.toThrow(
      "menu x: its parent none does not exist",
    );
  });
});

describe("A new installation", () => {
  let fresh: Database;
  beforeAll(async () => {
    fresh = await openTestDatabase();
  }, 60_000);
  afterAll(() => fresh.close());

  it("has a title in both languages for each entry", async () => {
    const { rows } = await fresh.pool.query<{ name: string; zh: string; en: string }>(
      `SELECT name, element_properties -> 'titles' ->> 'zh' AS zh, element_properties -> 'titles' ->> 'en' AS en
       FROM menus ORDER BY id`,
    );
    expect(rows.length).toBeGreaterThan(7);
    expect(rows.map(({ zh }) => zh)).toEqual(rows.map(({ name }) => name));
    for (const { en } of rows) expect(en).toMatch(/^[A-Z][\w ,-]+$/);
  });
});

describe("Rights of a migration", () => {
  it("reach the roles that it names, in companies of before and after, and the platform's entries its company alone", async () => {
    await database.db.transaction((tx) => addCompany(tx, "前"));
    await query(
      "UPDATE companies SET platform = false; UPDATE companies SET platform = true WHERE name = '前'",
    );
    await query(`SELECT add_permission('report:month:list', '{admin,staff}');
      SELECT add_menu(NULL, 'platform-report', '月报', '', '/month', 5, '{}', '{"platformRoles": ["ops"]}')`);
    await database.db.transaction((tx) => addCompany(tx, "后"));
    const held = async (company: string) => {
      const { rows } = await database.pool.query<{
        code: string;
        permissions: string[];
        month: boolean;
      }>(
        `SELECT r.code, r.permissions, EXISTS (SELECT FROM role_menus rm JOIN menus m ON m.id = rm.menu_id
           WHERE rm.role_id = r.id AND m.code = 'platform-report') AS month
         FROM roles r JOIN companies c ON c.id = r.company_id WHERE c.name = $1 ORDER BY r.code`,
        [company],
      );
      return rows;
    };
    // Neither company was the platform's when the permissions of the platform came.
    const rows = [
      { code: "admin", permissions: ["*:*:*"], month: false },
      {
        code: "ops",
        permissions: [
          "monitor:alert:edit",
          "monitor:alert:list",
          "monitor:call:list",
          "monitor:call:view",
          "monitor:fleet:list",
          "monitor:fleet:view",
        ],
        month: false,
      },
      { code: "staff", permissions: ["report:month:list"], month: false },
    ];
    const menusOf = (month: boolean) =>
      rows.map((row) => (row.code === "ops" ? { ...row, month } : row));
    expect(await held("前")).toEqual(menusOf(true));
    expect(await held("后")).toEqual(menusOf(false));
  });
});

describe("A new company", () => {
  it("has the menus that name its roles", async () => {
    await database.db.transaction((tx) => addCompany(tx, "后来"));
    const { admin, staff, ops } = await grants("后来");
    expect(admin?.toSorted()).toEqual(SAMPLE.toSorted());
    expect(staff).toEqual(["im-people", "im-conference", "reports"]);
    expect(ops).toEqual(["im-people", "monitor", "im-conference", "monitor-runtime"]);
  });
});
