import { and, desc, eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import {
  type AccountInfo,
  accountInfoSchema,
  type MenuEntry,
  pageSchema,
  restCalls,
  type RoleRow,
  roleRowSchema,
} from "../../../shared/protocol/rest/index.ts";
import { auditRecords } from "../../base/database/schema/audit.ts";
import { accounts, employees, menus, roles } from "../../base/database/schema/base.ts";
import { covers } from "../../covers.harness.ts";
import { platformForTests } from "../../asking.harness.ts";
import { whoMay } from "../../who-may.harness.ts";

const {
  roleList,
  roleCreate,
  roleUpdate,
  roleDelete,
  rolePermissions,
  rolePeople,
  rolesHeld,
  roleAssign,
  roleTake,
  menuTree,
  saveRoleMenus,
  getRouters,
  account,
} = restCalls;
const MAY = whoMay({
  "roles.list": "--+-",
  "roles.create": "--+-",
  "roles.update": "--+-",
  "roles.delete": "--+-",
  "roles.permissions": "--+-",
  "roles.people": "--+-",
  "roles.held": "--+-",
  "roles.assign": "--+-",
  "roles.take": "--+-",
  "menus.tree": "--+-",
});

const { host, tokens } = platformForTests([
  "admin",
  "lina",
  "zhangwei",
  "wangfang",
  "ops",
  "guest",
]);
const ids: Record<string, string> = {};
const roleIds: Record<string, string> = {};
beforeAll(async () => {
  const { db } = host.platform.database;
  for (const { id, username } of await db.select().from(accounts)) ids[username] = id;
  for (const { id, companyId, code } of await db.select().from(roles)) {
    roleIds[`${code}${companyId}`] = id;
  }
});

const ask = (
  { method, path }: { readonly method: string; readonly path: string },
  { json, as = "admin", supplierId = "1", query = "", id = "" }: Options = {},
) =>
  host.ask(method, path.replace("{id}", id) + query, {
    token: tokens[as] ?? "",
    supplierId,
    ...(json === undefined ? {} : { json }),
  });
interface Options {
  readonly json?: unknown;
  readonly as?: string;
  readonly supplierId?: string;
  readonly query?: string;
  readonly id?: string;
}
type Answer = Awaited<ReturnType<typeof ask>>;
const said = ({ status, body }: Answer) => [status, body.error ?? "done"];
const fieldsOf = ({ status, body }: Answer) => [
  status,
  Object.keys((body.details?.["fields"] ?? {}) as object),
];
const create = async (name: string, as = "admin"): Promise<RoleRow> =>
  roleRowSchema.parse((await ask(roleCreate, { json: { name }, as })).body.data);
const list = async (keyword = "", supplierId = "1") => {
  const query = keyword === "" ? "" : `?keyword=${encodeURIComponent(keyword)}`;
  return pageSchema(roleRowSchema).parse((await ask(roleList, { query, supplierId })).body.data);
};
const peopleOf = async (roleId: string, rest = "", as = "admin") => {
  const { body } = await ask(rolePeople, { query: `?roleId=${roleId}${rest}`, as });
  const { records } = body.data as { records: { name: string; phone: string | null }[] };
  return records;
};
const namesOf = async (roleId: string, rest = ""): Promise<string[]> =>
  (await peopleOf(roleId, rest)).map(({ name }) => name);
const assign = (roleId: string, people: readonly string[], options: Options = {}) =>
  ask(roleAssign, {
    ...options,
    json: { roleId, accountIds: people.map((name) => ids[name] ?? name) },
  });
const takeRole = (roleId: string, people: readonly string[], options: Options = {}) =>
  ask(roleTake, {
    ...options,
    json: { roleId, accountIds: people.map((name) => ids[name] ?? name) },
  });
const infoOf = async (as: string): Promise<AccountInfo> =>
  accountInfoSchema.parse((await ask(account, { as })).body.data);
const menusOf = async (as: string): Promise<MenuEntry[]> => {
  const held = (await infoOf(as)).roles.filter(({ supplierId }) => supplierId === "1");
  const json = {
    roleIds: held.map(({ roleId }) => roleId),
    systemName: "sec-web-company-admin",
  };
  return (await ask(getRouters, { json, as })).body.data as MenuEntry[];
};

describe("Roles", () => {
  it(covers([roleList, roleCreate, roleUpdate, roleDelete], "success"), async () => {
    const before = await list();
    expect(before.records.map((r) => [r.code, r.builtIn, r.people, r.version])).toEqual([
      ["admin", true, 1, 1],
      ["staff", false, 2, 1],
      ["ops", false, 1, 1],
    ]);
    const made = await create(" 夜班  ");
    expect(made).toMatchObject({ name: "夜班", remark: "", builtIn: false, people: 0, version: 1 });
    const json = { id: made.id, version: 1, remark: "22 点到 6 点", permissions: [] };
    const changed = roleRowSchema.parse((await ask(roleUpdate, { json })).body.data);
    expect(changed).toEqual({ ...made, remark: "22 点到 6 点", version: 2 });
    // What is already so raises no version.
    expect((await ask(roleUpdate, { json: { ...json, version: 2 } })).body.data).toEqual(changed);
    const found = await list("22 点");
    expect([found.records, found.total]).toEqual([[changed], 1]);
    expect(said(await ask(roleDelete, { id: made.id }))).toEqual([200, "done"]);
    expect(await list()).toEqual(before);
    const records = await host.platform.database.db
      .select()
      .from(auditRecords)
      .where(and(eq(auditRecords.entity, "role"), eq(auditRecords.entityId, made.id)))
      .orderBy(auditRecords.id);
    expect(records.map(({ action, actorId, after }) => [action, actorId, after])).toEqual([
      ["create", ids["admin"], { name: "夜班", remark: "" }],
      ["update", ids["admin"], { remark: "22 点到 6 点" }],
      ["delete", ids["admin"], null],
    ]);
  });

  it(covers([roleList, roleCreate, roleUpdate, roleDelete], "invalid"), async () => {
    expect(fieldsOf(await ask(roleList, { query: "?limit=0" }))).toEqual([400, ["limit"]]);
    expect(fieldsOf(await ask(roleCreate, { json: { name: " ", remark: 1 } }))).toEqual([
      400,
      ["name", "remark"],
    ]);
    expect(fieldsOf(await ask(roleUpdate, { json: { id: "", version: 0 } }))).toEqual([
      400,
      ["id", "version"],
    ]);
    expect(fieldsOf(await ask(roleDelete, { id: "9".repeat(65) }))).toEqual([400, ["id"]]);
    // A taken name is refused at its field.
    expect(fieldsOf(await ask(roleCreate, { json: { name: "员工" } }))).toEqual([409, ["name"]]);
    const { id } = await create("临时");
    expect(fieldsOf(await ask(roleUpdate, { json: { id, version: 1, name: "员工" } }))).toEqual([
      409,
      ["name"],
    ]);
    expect(
      fieldsOf(await ask(roleUpdate, { json: { id, version: 1, permissions: ["no:such:one"] } })),
    ).toEqual([400, ["permissions"]]);
    await ask(roleDelete, { id });
  });

  it("An edit of an older version is refused with both versions, and changes nothing", async () => {
    const { id } = await create("早班");
    await ask(roleUpdate, { json: { id, version: 1, name: "晨班" } });
    const late = await ask(roleUpdate, { json: { id, version: 1, name: "白班" } });
    expect(said(late)).toEqual([409, "request.conflict"]);
    expect(late.body.details?.["versions"]).toMatchObject({
      theirs: { id, name: "晨班", version: 2 },
      yours: { name: "白班" },
    });
    expect((await list("晨班")).total).toBe(1);
    await ask(roleDelete, { id });
  });

  it("Of twenty edits of one version one is made", async () => {
    const { id } = await create("争用");
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        ask(roleUpdate, { json: { id, version: 1, remark: `第${n}个` } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
    expect((await list("争用")).records[0]?.version).toBe(2);
    await ask(roleDelete, { id });
  });

  it("A role that somebody has, and the administrator's, cannot be deleted", async () => {
    const held = await ask(roleDelete, { id: roleIds["staff1"] ?? "" });
    expect([held.status, held.body.msg]).toEqual([409, "“员工”还有 2 人，请先移除人员再删除"]);
    const admins = await ask(roleDelete, { id: roleIds["admin1"] ?? "" });
    expect([admins.status, admins.body.msg]).toEqual([409, "管理员角色不能删除"]);
  });

  it(covers([roleUpdate, roleDelete, rolePeople, roleAssign, roleTake], "foreign"), async () => {
    const own = roleIds["staff1"] ?? "";
    for (const id of [roleIds["staff2"] ?? "", "999999", "x"]) {
      const answers = [
        await ask(roleUpdate, { json: { id, version: 1, name: "别家" } }),
        await ask(roleDelete, { id }),
        await ask(rolePeople, { query: `?roleId=${id}` }),
        await assign(id, ["lina"]),
        await takeRole(id, ["lina"]),
      ];
      for (const answer of answers) expect(said(answer)).toEqual([404, "request.not-found"]);
    }
    // Somebody of another company.
    for (const who of ["wangfang", "999999", "x"]) {
      expect(said(await assign(own, [who, "lina"]))).toEqual([404, "request.not-found"]);
      expect(said(await takeRole(own, [who]))).toEqual([404, "request.not-found"]);
    }
    expect(await namesOf(own)).toEqual(["张伟", "李娜"]);
  });

  it(covers([roleList, rolePermissions, menuTree, roleCreate], "foreign"), async () => {
    for (const call of [roleList, rolePermissions, menuTree]) {
      expect((await ask(call, { as: "wangfang", supplierId: "1" })).status).toBe(403);
    }
    const made = await ask(roleCreate, { json: { name: "夜班" }, supplierId: "2" });
    expect(made.status).toBe(200);
    expect((await list("夜班")).total).toBe(0);
    expect((await list("夜班", "2")).total).toBe(1);
  });

  it(
    covers(
      [
        roleList,
        roleCreate,
        roleUpdate,
        roleDelete,
        rolePermissions,
        rolePeople,
        roleAssign,
        roleTake,
        menuTree,
      ],
      "refused",
    ),
    async () => {
      expect(Object.values(MAY)).toEqual(Array.from({ length: 10 }, () => "--+-"));
      for (const call of [roleList, roleCreate, roleUpdate, rolePermissions, menuTree]) {
        expect((await host.ask(call.method, call.path, { supplierId: "1" })).status).toBe(401);
        for (const as of ["guest", "lina", "ops"]) {
          expect(
            (await ask(call, { as, json: call.method === "GET" ? undefined : {} })).status,
          ).toBe(403);
        }
      }
      const own = roleIds["staff1"] ?? "";
      for (const as of ["guest", "lina", "ops"]) {
        expect((await ask(roleDelete, { id: own, as })).status).toBe(403);
        expect((await ask(rolePeople, { query: `?roleId=${own}`, as })).status).toBe(403);
        expect((await assign(own, ["guest"], { as })).status).toBe(403);
        expect((await takeRole(own, ["lina"], { as })).status).toBe(403);
      }
    },
  );
});

describe("People of a role", () => {
  it(covers([rolePeople, roleAssign, roleTake], "success"), async () => {
    const { id } = await create("值班");
    expect(await namesOf(id)).toEqual([]);
    expect(said(await assign(id, ["lina", "guest", "lina"]))).toEqual([200, "done"]);
    // Who has the role already keeps it.
    expect(said(await assign(id, ["lina"]))).toEqual([200, "done"]);
    expect(await namesOf(id)).toEqual(["李娜", "访客"]);
    expect(await namesOf(id, `&keyword=${encodeURIComponent("娜")}`)).toEqual(["李娜"]);
    expect(await namesOf(id, "&keyword=0006")).toEqual(["访客"]);
    expect(await namesOf(id, "&assigned=false")).toEqual(["管理员", "张伟", "运维值班"]);
    expect((await list("值班")).records[0]?.people).toBe(2);
    expect((await infoOf("guest")).roles.map(({ roleName }) => roleName)).toEqual(["值班"]);
    expect(said(await takeRole(id, ["guest"]))).toEqual([200, "done"]);
    expect((await infoOf("guest")).roles).toEqual([]);
    const records = await host.platform.database.db
      .select()
      .from(auditRecords)
      .where(and(eq(auditRecords.entity, "role-people"), eq(auditRecords.entityId, id)))
      .orderBy(auditRecords.id);
    expect(records.map(({ action, before, after }) => [action, before, after])).toEqual([
      ["assign", null, { accountIds: expect.arrayContaining([ids["lina"], ids["guest"]]) }],
      ["take", { accountIds: [ids["guest"]] }, null],
    ]);
    await takeRole(id, ["lina"]);
    await ask(roleDelete, { id });
  });

  it(covers([rolePeople, roleAssign, roleTake], "invalid"), async () => {
    const roleId = roleIds["staff1"] ?? "";
    expect(fieldsOf(await ask(rolePeople, { query: "?assigned=yes" }))).toEqual([
      400,
      ["roleId", "assigned"],
    ]);
    for (const call of [roleAssign, roleTake]) {
      expect(fieldsOf(await ask(call, { json: { roleId, accountIds: [] } }))).toEqual([
        400,
        ["accountIds"],
      ]);
      const many = Array.from({ length: 101 }, (_, n) => String(n + 1));
      expect((await ask(call, { json: { roleId, accountIds: many } })).status).toBe(400);
    }
  });

  it("Somebody who has left has the role no more", async () => {
    const { db } = host.platform.database;
    const [made] = await db
      .insert(employees)
      .values({ companyId: "1", name: "曾经", accountId: ids["wangfang"] ?? "" })
      .returning();
    const { id } = await create("短期");
    await assign(id, ["wangfang"]);
    expect(await namesOf(id)).toEqual(["曾经"]);
    await db
      .update(employees)
      .set({ dimissionAt: new Date() })
      .where(eq(employees.id, made?.id ?? ""));
    expect([await namesOf(id), (await list("短期")).records[0]?.people]).toEqual([[], 0]);
    expect(said(await ask(roleDelete, { id }))).toEqual([200, "done"]);
  });

  it("The last administrator neither leaves nor loses the account", async () => {
    const keeper = await create("人事");
    const json = { id: keeper.id, version: 1, permissions: ["supplier:employee:edit"] };
    await ask(roleUpdate, { json });
    await assign(keeper.id, ["lina"]);
    const { db } = host.platform.database;
    const [admin] = await db
      .select()
      .from(employees)
      .where(and(eq(employees.companyId, "1"), eq(employees.accountId, ids["admin"] ?? "")));
    const id = admin?.id ?? "";
    for (const answer of [
      await ask(restCalls.employeeDimission, { json: { id }, as: "lina" }),
      await ask(restCalls.employeeBindAccount, {
        json: { employeeId: id, accountId: null, version: admin?.version },
        as: "lina",
      }),
    ]) {
      expect([answer.status, answer.body.msg]).toEqual([409, "企业至少要有一名管理员"]);
    }
    expect(await namesOf(roleIds["admin1"] ?? "")).toEqual(["管理员"]);
    await takeRole(keeper.id, ["lina"]);
  });

  it("The last administrator keeps the role, whatever two of them do at once", async () => {
    const id = roleIds["admin1"] ?? "";
    const alone = await takeRole(id, ["admin"]);
    expect([alone.status, alone.body.msg]).toEqual([409, "企业至少要有一名管理员"]);
    await assign(id, ["zhangwei"]);
    const both = await Promise.all([
      takeRole(id, ["admin"], { as: "zhangwei" }),
      takeRole(id, ["zhangwei"], { as: "admin" }),
    ]);
    // The later one is refused: as the last administrator's, or since the caller is none any more.
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    const [left] = await namesOf(id).catch(() => []);
    if (left === undefined) {
      await assign(id, ["admin"], { as: "zhangwei" });
      await takeRole(id, ["zhangwei"]);
    }
    expect(await namesOf(id)).toEqual(["管理员"]);
  });
});

describe("Rights of a role", () => {
  it(covers([rolePermissions, menuTree], "success"), async () => {
    const { body } = await ask(rolePermissions);
    const names = (body.data as { name: string; mine: boolean }[]).map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(["system:role:edit", "system:dept:query", "supplier:employee:edit"]),
    );
    expect(names).not.toContain("*:*:*");
    const tree = (await ask(menuTree)).body.data as MenuEntry[];
    const system = tree.find(({ code }) => code === "system");
    expect(system?.childMenu.map(({ code }) => code)).toContain("system-role");
  });

  it("hold from the next request on, and a custom role shows the entries that the company gave it", async () => {
    const { id } = await create("部门文员");
    await assign(id, ["lina"]);
    expect((await ask(roleList, { as: "lina" })).status).toBe(403);
    const json = { id, version: 1, permissions: ["system:role:query"] };
    expect(said(await ask(roleUpdate, { json }))).toEqual([200, "done"]);
    expect((await infoOf("lina")).permissions).toEqual(["system:role:query"]);
    expect((await ask(roleList, { as: "lina" })).status).toBe(200);
    const all = await host.platform.database.db.select().from(menus);
    const chosen = all.filter(({ code }) => ["system", "system-role"].includes(code));
    const saved = await ask(saveRoleMenus, {
      query: `?roleId=${id}&version=2`,
      json: chosen.map((menu) => ({ menuId: menu.id })),
    });
    expect(said(saved)).toEqual([200, "done"]);
    const entry = (await menusOf("lina")).find(({ code }) => code === "system");
    const [{ roleCode } = { roleCode: "" }] = (await infoOf("lina")).roles.filter(
      ({ roleId }) => roleId === id,
    );
    // The client compares the entry's roles with those of the person.
    expect(entry?.elementProperties.roles).toEqual(["admin", roleCode]);
    // Menus of an older version are refused.
    const late = await ask(saveRoleMenus, { query: `?roleId=${id}&version=2`, json: [] });
    expect(late.body.details?.["versions"]).toEqual({
      theirs: { version: 3, menuIds: chosen.map((menu) => menu.id).toSorted() },
      yours: { menuIds: [] },
    });
    await takeRole(id, ["lina"]);
    expect((await ask(roleList, { as: "lina" })).status).toBe(403);
    await ask(roleDelete, { id });
  });

  it("An entry that a role was given alone shows below its container, until it is taken away", async () => {
    const { id } = await create("值班员");
    await assign(id, ["lina"]);
    const all = await host.platform.database.db.select().from(menus);
    const leaf = all.find(({ code }) => code === "system-role");
    const query = `?roleId=${id}`;
    await ask(saveRoleMenus, { query, json: [{ menuId: leaf?.id }] });
    const system = async () => (await menusOf("lina")).find(({ code }) => code === "system");
    const [{ roleCode } = { roleCode: "" }] = (await infoOf("lina")).roles.filter(
      ({ roleId }) => roleId === id,
    );
    expect((await system())?.childMenu.map(({ code }) => code)).toEqual(["system-role"]);
    // The client compares the roles of each entry with those of the person.
    expect((await system())?.elementProperties.roles).toContain(roleCode);
    await ask(saveRoleMenus, { query, json: [] });
    expect(await system()).toBeUndefined();
    await takeRole(id, ["lina"]);
    await ask(roleDelete, { id });
  });

  it("Nobody hands on what they do not hold, and nobody changes a role that may do more", async () => {
    const clerk = await create("角色管理员");
    const json = { id: clerk.id, version: 1, permissions: ["system:role:edit"] };
    await ask(roleUpdate, { json });
    await assign(clerk.id, ["lina"]);
    const as = "lina";
    const own = await create("自建", as);
    const give = (permissions: string[]) =>
      ask(roleUpdate, { json: { id: own.id, version: 1, permissions }, as });
    expect(said(await give(["system:role:edit", "supplier:employee:edit"]))).toEqual([
      403,
      "auth.forbidden",
    ]);
    expect((await give(["*:*:*"])).status).toBe(400);
    expect(said(await give(["system:role:edit"]))).toEqual([200, "done"]);
    const admins = roleIds["admin1"] ?? "";
    expect((await assign(admins, ["lina"], { as })).status).toBe(403);
    expect((await takeRole(admins, ["admin"], { as })).status).toBe(403);
    expect((await ask(saveRoleMenus, { query: `?roleId=${admins}`, json: [], as })).status).toBe(
      403,
    );
    const rename = { id: admins, version: 1, name: "我的" };
    expect((await ask(roleUpdate, { json: rename, as })).status).toBe(403);
    // Phone numbers belong to those who may see employees.
    const seen = await peopleOf(admins, "", as);
    expect(seen.map(({ name, phone }) => [name, phone])).toEqual([["管理员", null]]);
    expect(await peopleOf(admins, "&keyword=1990", as)).toEqual([]);
    await takeRole(clerk.id, ["lina"]);
  });

  it(
    covers(roleCreate, ["success", "refused", "foreign"], "a copy of another role's rights"),
    async () => {
      const source = await create("原角色");
      const json = { id: source.id, version: 1, permissions: ["system:dept:edit"] };
      await ask(roleUpdate, { json });
      const { db } = host.platform.database;
      const [entry] = await db.select().from(menus).where(eq(menus.code, "system-dept"));
      const menuId = entry?.id ?? "";
      await ask(saveRoleMenus, { query: `?roleId=${source.id}`, json: [{ menuId }] });
      await assign(source.id, ["lina"]);
      const copy = (fromId: string, name: string, as = "admin") =>
        ask(roleCreate, { json: { name, fromId }, as });
      const menusOfRole = async (roleId: string) =>
        (
          (await ask(restCalls.roleMenus, { query: `?roleId=${roleId}` })).body.data as {
            menuId: string;
          }[]
        ).map((pair) => pair.menuId);

      const made = roleRowSchema.parse((await copy(source.id, "原角色 副本")).body.data);
      expect(made).toMatchObject({ permissions: ["system:dept:edit"], people: 0, version: 1 });
      expect(await menusOfRole(made.id)).toEqual([menuId]);
      // Each of the two is changed for itself.
      await ask(saveRoleMenus, { query: `?roleId=${source.id}`, json: [] });
      expect(await menusOfRole(made.id)).toEqual([menuId]);

      // The administrator's role holds everything by one sign, a copy holds each permission by its name.
      const admins = roleIds["admin1"] ?? "";
      const all = roleRowSchema.parse((await copy(admins, "副管理员")).body.data);
      const known = (await ask(rolePermissions)).body.data as { name: string }[];
      expect(all.permissions).toEqual(known.map(({ name }) => name));
      expect(all.builtIn).toBe(false);
      expect(await menusOfRole(all.id)).toEqual(await menusOfRole(admins));

      // Nobody copies what they do not hold, nor a role of another company, nor one twice by the same name.
      const clerk = await create("角色文员");
      const may = { id: clerk.id, version: 1, permissions: ["system:role:edit"] };
      await ask(roleUpdate, { json: may });
      await takeRole(source.id, ["lina"]);
      await assign(clerk.id, ["lina"]);
      expect(said(await copy(source.id, "越权", "lina"))).toEqual([403, "auth.forbidden"]);
      expect(said(await copy(admins, "越权", "lina"))).toEqual([403, "auth.forbidden"]);
      expect(said(await copy(clerk.id, "角色文员 副本", "lina"))).toEqual([200, "done"]);
      for (const fromId of [roleIds["staff2"] ?? "", "999999", "x"]) {
        expect(said(await copy(fromId, "别家"))).toEqual([404, "request.not-found"]);
      }
      expect(fieldsOf(await copy(source.id, "原角色 副本"))).toEqual([409, ["name"]]);
      await takeRole(clerk.id, ["lina"]);
      const [record] = await db
        .select()
        .from(auditRecords)
        .where(and(eq(auditRecords.entity, "role"), eq(auditRecords.entityId, made.id)));
      expect(record?.after).toMatchObject({ fromId: source.id, permissions: ["system:dept:edit"] });
    },
  );

  it(covers(rolesHeld, ["success", "invalid", "refused", "foreign"]), async () => {
    const held = async (id: string, as = "admin") => {
      const { body } = await ask(rolesHeld, { id, as });
      return rolesHeld.data
        .parse(body.data)
        .filter((role) => role.held)
        .map(({ name, mine }) => [name, mine]);
    };
    const lina = ids["lina"] ?? "";
    expect(await held(lina)).toEqual([["员工", true]]);
    const extra = await create("另一角色");
    await assign(extra.id, ["lina"]);
    expect(await held(lina)).toEqual([
      ["员工", true],
      ["另一角色", true],
    ]);
    // Who may do less sees the roles too, and which of them they cannot give.
    const json = { id: extra.id, version: 1, permissions: ["system:role:query"] };
    await ask(roleUpdate, { json });
    expect(await held(ids["admin"] ?? "", "lina")).toEqual([["企业管理员", false]]);
    await takeRole(extra.id, ["lina"]);
    expect((await ask(rolesHeld, { id: lina, as: "lina" })).status).toBe(403);
    expect((await host.ask("GET", rolesHeld.path.replace("{id}", lina))).status).toBe(401);
    expect(fieldsOf(await ask(rolesHeld, { id: "9".repeat(65) }))).toEqual([400, ["id"]]);
    // Somebody of another company, nobody, and who has left.
    for (const id of [ids["wangfang"] ?? "", "999999", "x"]) {
      expect(said(await ask(rolesHeld, { id }))).toEqual([404, "request.not-found"]);
    }
  });

  it("The administrator's role keeps all permissions and the entry that leads to the roles", async () => {
    const id = roleIds["admin1"] ?? "";
    const { version } = (await list()).records[0] ?? { version: 0 };
    const less = await ask(roleUpdate, { json: { id, version, permissions: [] } });
    expect([less.status, less.body.msg]).toEqual([409, "管理员角色拥有全部权限，不能更改"]);
    for (const none of [
      await ask(saveRoleMenus, { query: `?roleId=${id}`, json: [] }),
      await ask(roleUpdate, { json: { id, version, name: "改名", menuIds: [] } }),
    ]) {
      expect([none.status, none.body.msg]).toEqual([409, "管理员角色须保留“角色管理”菜单"]);
    }
    expect((await list()).records[0]).toMatchObject({ name: "企业管理员", version });
    const [record] = await host.platform.database.db
      .select()
      .from(auditRecords)
      .where(and(eq(auditRecords.entity, "role-menus"), eq(auditRecords.entityId, id)))
      .orderBy(desc(auditRecords.id));
    expect(record).toBeUndefined();
  });
});
