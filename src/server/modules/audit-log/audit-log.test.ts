import { expect, it, vi } from "vitest";
import { covers } from "../../covers.harness.ts";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { refusedBy, whoMay } from "../../who-may.harness.ts";
import { platformForTests } from "../../asking.harness.ts";
import { PATIENCE } from "../../../shared/patience.harness.ts";

const { auditList, signInList, configCreate, configUpdate } = restCalls;
const { employeeCreate, employeeUpdate, employeeDelete, departmentCreate } = restCalls;
const { roleCreate, roleUpdate, roleAssign, saveRoleMenus } = restCalls;
const MAY = whoMay({ "audit.list": "--+-", "signIns.list": "--+-" });

const { host, tokens } = platformForTests(["admin", "lina", "wangfang", "ops", "guest"]);

const ask = (method: string, path: string, json?: unknown, supplierId = "1") =>
  host.ask(method, path, {
    token: tokens["admin"] ?? "",
    supplierId,
    ...(json === undefined ? {} : { json }),
  });
const audits = async (query: string, company = "1") =>
  auditList.data.parse(
    (await ask("GET", `${auditList.path}?${query}`, undefined, company)).body.data,
  );
const signIns = async (query: string, company = "1") =>
  signInList.data.parse(
    (await ask("GET", `${signInList.path}?${query}`, undefined, company)).body.data,
  );

it(covers(auditList, "success", "before and after, newest first, filters"), async () => {
  const json = { configKey: "log.rows", configName: "行数", configValue: "20" };
  const made = await ask("POST", configCreate.path, json);
  const { id } = made.body.data as { id: string };
  await ask("PUT", configUpdate.path, { id, version: 1, configValue: "50" });
  const { records, total } = await audits("entity=config");
  expect(total).toBe(2);
  expect(records).toMatchObject([
    {
      actorName: "管理员",
      action: "update",
      entityId: id,
      before: { configValue: "20" },
      after: { configValue: "50" },
    },
    { action: "create", before: null, after: json },
  ]);
  expect((await audits("entity=config&action=create")).total).toBe(1);
  expect((await audits("entity=config&keyword=admin")).total).toBe(2);
  expect((await audits("entity=config&keyword=lina")).total).toBe(0);
  expect((await audits(`entity=config&entityId=${id}`)).total).toBe(2);
  expect((await audits(`entity=config&entityId=${id}0`)).total).toBe(0);
  expect((await audits(`entity=config&entityId=${id}`, "2")).total).toBe(0);
  const [last = "", first = ""] = records.map(({ createTime }) => createTime);
  const count = async (query: string) => (await audits(`entity=config&${query}`)).total;
  expect(await count(`from=${first}`)).toBe(2);
  expect(await count(`from=${last}`)).toBe(1);
  expect(await count(`from=${first}&to=${last}`)).toBe(1);
  expect(await count(`to=${first}`)).toBe(0);
});

const made = async (path: string, json: object): Promise<string> => {
  const { status, body } = await ask("POST", path, json);
  expect([path, status]).toEqual([path, 200]);
  return (body.data as { id: string }).id;
};
const nameOf = (record: { names: Record<string, unknown> } | undefined, ref: string) =>
  record?.names[ref];

it(covers(auditList, "success", "names of what records are about and of ids in them"), async () => {
  const first = await made(departmentCreate.path, { parentId: null, name: "巡查一部" });
  const second = await made(departmentCreate.path, { parentId: null, name: "巡查二部" });
  const id = await made(employeeCreate.path, { name: "郑巡查", departmentId: first });
  const { version } = (await ask("GET", `/scm-supplier/api/sec/employee/${id}`)).body.data as {
    version: number;
  };
  await ask("PUT", employeeUpdate.path, { id, version, departmentId: second, name: "郑队长" });
  const [update, create] = (await audits(`entity=employee&entityId=${id}`)).records;
  expect(create?.names).toEqual({
    [`employee:${id}`]: "郑队长",
    [`department:${first}`]: "巡查一部",
  });
  expect(update?.names).toEqual({
    [`employee:${id}`]: "郑队长",
    [`department:${first}`]: "巡查一部",
    [`department:${second}`]: "巡查二部",
  });
  // Found by the name of now and by the former one, also when the thing is gone.
  const found = async (keyword: string) =>
    (await audits(`entity=employee&keyword=${encodeURIComponent(keyword)}`)).records.length;
  expect([await found("郑队长"), await found("郑巡查"), await found("郑无名")]).toEqual([2, 2, 0]);
  await ask("DELETE", employeeDelete.path.replace("{id}", id));
  expect(await found("郑队长")).toBe(3);
  const [gone] = (await audits(`entity=employee&entityId=${id}`)).records;
  expect([gone?.action, nameOf(gone, `employee:${id}`)]).toEqual(["delete", "郑队长"]);
});

it(covers(auditList, "success", "menus in two languages, people and roles by name"), async () => {
  const roleId = await made(roleCreate.path, { name: "值守" });
  const { rows } = await host.platform.database.pool.query<{ id: string }>(
    "SELECT id::text AS id FROM menus WHERE uri = 'operlog' OR uri LIKE '%/operlog'",
  );
  const menuId = rows[0]?.id ?? "";
  await ask("POST", `${saveRoleMenus.path}?roleId=${roleId}`, [{ menuId }]);
  const { rows: accounts } = await host.platform.database.pool.query<{ id: string }>(
    "SELECT id::text AS id FROM accounts WHERE username = 'lina'",
  );
  const accountId = accounts[0]?.id ?? "";
  await ask("PUT", roleAssign.path, { roleId, accountIds: [accountId] });
  const { records } = await audits(`keyword=${encodeURIComponent("值守")}`);
  expect(records.map(({ entity }) => entity)).toEqual(["role-people", "role-menus", "role"]);
  const [people, menus] = records;
  expect(nameOf(people, `account:${accountId}`)).toBe("李娜");
  expect(nameOf(people, `role:${roleId}`)).toBe("值守");
  expect(nameOf(menus, `menu:${menuId}`)).toEqual({ zh: "操作日志", en: "Operation log" });
});

it("Who may read the log but not the employees gets of an employee what the list shows, with masked numbers", async () => {
  const id = await made(employeeCreate.path, {
    name: "秦保密",
    phone: "13912345678",
    idNumber: "11010519491231002X",
    email: "q@example.com",
    position: "保安",
  });
  const roleId = await made(roleCreate.path, { name: "日志员" });
  const permissions = ["monitor:operlog:list"];
  await ask("PUT", roleUpdate.path, { id: roleId, version: 1, permissions });
  const { rows } = await host.platform.database.pool.query<{ id: string }>(
    "SELECT id::text AS id FROM accounts WHERE username = 'guest'",
  );
  await ask("PUT", roleAssign.path, { roleId, accountIds: [rows[0]?.id ?? ""] });
  tokens["guest"] = (await host.login("guest")).access_token;
  const { status, body } = await host.ask(
    "GET",
    `${auditList.path}?entity=employee&entityId=${id}`,
    { token: tokens["guest"], supplierId: "1" },
  );
  expect(status).toBe(200);
  expect(auditList.data.parse(body.data).records[0]?.after).toMatchObject({
    name: "秦保密",
    position: "保安",
    phone: "139****5678",
    idNumber: "110105********002X",
    email: "•••",
    birthday: "•••",
    remark: "",
  });
  const [own] = (await audits(`entity=employee&entityId=${id}`)).records;
  expect(own?.after).toMatchObject({ phone: "13912345678", email: "q@example.com" });
  await ask("PUT", restCalls.roleTake.path, { roleId, accountIds: [rows[0]?.id ?? ""] });
});

it(covers(signInList, "success", "right and wrong passwords, never the password"), async () => {
  await host.tryLogin("LINA", "not-the-password");
  await host.tryLogin("Secret-typed-as-name", "x");
  // Nobody waits for the record of an attempt.
  const failed = await vi.waitFor(async () => {
    const found = await signIns("success=false");
    expect(found.total).toBe(1);
    return found.records;
  }, PATIENCE);
  expect(failed).toMatchObject([
    {
      username: "lina",
      name: "李娜",
      success: false,
      address: "127.0.0.1",
      systemName: "sec-web-company-admin",
    },
  ]);
  const { rows } = await host.platform.database.pool.query("SELECT s::text AS row FROM sign_ins s");
  const all = JSON.stringify(rows);
  expect(all).not.toMatch(/not-the-password|Secret-typed/);
  expect(all).not.toContain("Demo@2026");
  const right = await signIns("success=true&keyword=lina");
  expect(right.records.map(({ username, success }) => [username, success])).toEqual([
    ["lina", true],
  ]);
  expect((await signIns("to=2000-01-01T00:00:00Z")).total).toBe(0);
});

it("Attempts are kept for half a year", async () => {
  const { pool } = host.platform.database;
  const count = async () =>
    (await pool.query<{ n: number }>("SELECT count(*)::int AS n FROM sign_ins")).rows[0]?.n;
  expect(await count()).toBeGreaterThan(0);
  const before = (days: number) => new Date(host.clock.now() - days * 24 * 60 * 60_000);
  await pool.query("UPDATE sign_ins SET created_at = $1 WHERE id % 2 = 0", [before(181)]);
  await pool.query("UPDATE sign_ins SET created_at = $1 WHERE id % 2 = 1", [before(179)]);
  const all = await count();
  host.clock.advance(60 * 60_000);
  await vi.waitFor(async () => expect(await count()).toBeLessThan(all ?? 0), PATIENCE);
  const { rows } = await pool.query("SELECT FROM sign_ins WHERE id % 2 = 0");
  expect(rows).toEqual([]);
  expect(await count()).toBeGreaterThan(0);
  for (const name of ["admin", "lina", "wangfang", "ops", "guest"]) {
    tokens[name] = (await host.login(name)).access_token;
  }
});

it(covers([auditList, signInList], "invalid"), async () => {
  for (const { path } of [auditList, signInList]) {
    const { status, body } = await ask("GET", `${path}?limit=0&from=yesterday`);
    expect(status).toBe(400);
    expect(Object.keys((body.details?.["fields"] ?? {}) as object)).toEqual(["limit", "from"]);
  }
});

it(covers([auditList, signInList], "foreign"), async () => {
  expect((await audits("entity=config", "2")).total).toBe(0);
  const names = (rows: { username: string }[]) => new Set(rows.map(({ username }) => username));
  const [here, there] = [await signIns("limit=100"), await signIns("limit=100", "2")];
  expect(names(here.records)).toEqual(new Set(["admin", "lina", "ops", "guest"]));
  expect(names(there.records)).toEqual(new Set(["admin", "wangfang"]));
});

it(covers([auditList, signInList], "refused"), async () => {
  for (const call of [auditList, signInList]) {
    expect((await host.ask("GET", call.path)).status).toBe(401);
    for (const as of refusedBy(MAY[call.id])) {
      const { status } = await host.ask("GET", call.path, {
        token: tokens[as] ?? "",
        supplierId: "1",
      });
      expect([as, status]).toEqual([as, 403]);
    }
  }
});
