import { and, desc, eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { covers } from "../../covers.harness.ts";
import { type MenuEntry, restCalls } from "../../../shared/protocol/rest/index.ts";
import { auditRecords } from "../../base/database/schema/audit.ts";
import { menus, roles } from "../../base/database/schema/base.ts";
import { platformForTests } from "../../asking.harness.ts";

const { roleMenus, saveRoleMenus, getRouters } = restCalls;

const { host, tokens } = platformForTests(["admin", "lina", "wangfang", "ops", "guest"]);
const menuId: Record<string, string> = {};
const staff: Record<string, string> = {};
beforeAll(async () => {
  const { db } = host.platform.database;
  for (const menu of await db.select().from(menus)) menuId[menu.code] = menu.id;
  for (const role of await db.select().from(roles).where(eq(roles.code, "staff"))) {
    staff[role.companyId] = role.id;
  }
});

const save = (
  roleId: string,
  json: unknown,
  { as = "admin", supplierId = "1" }: { as?: string; supplierId?: string } = {},
) =>
  host.ask("POST", `${saveRoleMenus.path}?roleId=${roleId}`, {
    token: tokens[as] ?? "",
    ...(supplierId === "" ? {} : { supplierId }),
    json,
  });
const read = (roleId: string, as = "admin", supplierId = "1") =>
  host.ask("GET", `${roleMenus.path}?roleId=${roleId}`, { token: tokens[as] ?? "", supplierId });
const role = (company: string): string => staff[company] ?? "";
const pairs = (company: string, ...codes: string[]) =>
  codes.map((code) => ({ roleId: role(company), menuId: menuId[code] ?? "" }));
const seenBy = async (as: string): Promise<string[]> => {
  const { body } = await host.ask("POST", getRouters.path, {
    token: tokens[as] ?? "",
    supplierId: "1",
    json: { roleIds: [role("1")], systemName: "sec-web-company-admin" },
  });
  return (body.data as MenuEntry[]).map((entry) => entry.code);
};

describe("Menus of a role", () => {
  it(covers([saveRoleMenus, roleMenus], "success"), async () => {
    const before = await seenBy("lina");
    expect(before).toContain("im-conference");
    expect(before).not.toContain("monitor");
    const wanted = pairs("1", "im-people", "monitor", "monitor-runtime");
    // A repeated pair counts once. The role may be left out.
    const { status, body } = await save(role("1"), [
      ...wanted,
      ...wanted.map((pair) => ({ menuId: pair.menuId })),
    ]);
    expect([status, body.code, body.data]).toEqual([200, 0, wanted]);
    // The reader does not hold the role but may edit it.
    expect((await read(role("1"))).body.data).toEqual(wanted);
    expect(await seenBy("lina")).toEqual(["im-people", "monitor"]);
    const [record] = await host.platform.database.db
      .select()
      .from(auditRecords)
      .where(and(eq(auditRecords.entity, "role-menus"), eq(auditRecords.entityId, role("1"))))
      .orderBy(desc(auditRecords.id));
    expect(record).toMatchObject({
      companyId: "1",
      actorId: "1",
      action: "update",
      // A person sees entries in the order of the menus, the record has them by their ids.
      before: {
        menuIds: before.map((code) => menuId[code]).toSorted((a, b) => Number(a) - Number(b)),
      },
      after: { menuIds: wanted.map((pair) => pair.menuId) },
    });
    expect((await save(role("1"), [])).body.data).toEqual([]);
    expect(await seenBy("lina")).toEqual([]);
    await save(role("1"), pairs("1", "im-people"));
  });

  it("Two simultaneous saves run one after the other", async () => {
    const a = pairs("1", "im-people", "supplier");
    const b = pairs("1", "monitor", "monitor-runtime");
    await Promise.all([a, b, a, b].map((wanted) => save(role("1"), wanted)));
    expect([a, b]).toContainEqual((await read(role("1"))).body.data);
    await save(role("1"), pairs("1", "im-people"));
  });

  it(covers(saveRoleMenus, "invalid", "nothing is changed"), async () => {
    for (const [body, field] of [
      [{}, "body"],
      [[{}], "0.menuId"],
      [[{ menuId: "x" }], "menuId"],
      [[{ menuId: "999999" }], "menuId"],
      [[...pairs("1", "monitor"), { menuId: "01" }], "menuId"],
      [pairs("2", "monitor"), "roleId"],
    ] as const) {
      const answer = await save(role("1"), body);
      const fields = (answer.body.details?.["fields"] ?? {}) as object;
      expect([answer.status, Object.keys(fields)], field).toEqual([400, [field]]);
    }
    expect((await save("", [])).status).toBe(400);
    expect((await save(role("1"), [], { supplierId: "" })).status).toBe(400);
    expect((await read(role("1"))).body.data).toEqual(pairs("1", "im-people"));
  });

  it(covers(roleMenus, "invalid"), async () => {
    expect((await read("")).body.details).toMatchObject({ fields: { roleId: expect.any(String) } });
    expect((await read("x")).status).toBe(404);
  });

  it(covers([saveRoleMenus, roleMenus], "foreign"), async () => {
    for (const id of [role("2"), "999999", "x"]) {
      for (const answer of [await save(id, []), await read(id)]) {
        expect([answer.status, answer.body.error], id).toEqual([404, "request.not-found"]);
      }
    }
    expect((await read(role("2"), "admin", "2")).body.data).toEqual(
      expect.arrayContaining(pairs("2", "im-people", "im-conference")),
    );
  });

  it(covers([saveRoleMenus, roleMenus], "refused"), async () => {
    const path = `${saveRoleMenus.path}?roleId=${role("1")}`;
    expect((await host.ask("POST", path, { json: [] })).status).toBe(401);
    expect((await host.ask("GET", `${roleMenus.path}?roleId=${role("1")}`)).status).toBe(401);
    for (const as of ["lina", "ops", "guest", "wangfang"]) {
      const answer = await save(role("1"), [], { as });
      expect([answer.status, answer.body.error], as).toEqual([403, "auth.forbidden"]);
    }
    // A role that the caller does not hold.
    expect((await read(role("1"), "ops")).status).toBe(403);
    expect((await read(role("1"))).body.data).toEqual(pairs("1", "im-people"));
  });
});

describe("getRouters", () => {
  const ask = (json: unknown, as = "admin", supplierId = "1") =>
    host.ask("POST", getRouters.path, { token: tokens[as] ?? "", supplierId, json });
  const systemName = "sec-web-company-admin";

  it(covers(getRouters, "success", "the tree in data, with code 0"), async () => {
    const { status, body } = await ask({ roleIds: [role("1")], systemName }, "lina");
    const data = body.data as MenuEntry[];
    expect([status, body.code, data.map((entry) => entry.uri)]).toEqual([200, 0, ["/im/people"]]);
  });

  it(covers(getRouters, "invalid"), async () => {
    const { status, body } = await ask({ roleIds: "1" });
    expect([status, Object.keys(body.details?.["fields"] ?? {})]).toEqual([
      400,
      ["roleIds", "systemName"],
    ]);
  });

  it(covers(getRouters, ["refused", "foreign"]), async () => {
    const json = { roleIds: [role("1"), role("2")], systemName };
    expect((await host.ask("POST", getRouters.path, { json })).status).toBe(401);
    expect((await ask(json, "lina", "2")).status).toBe(403);
    // A role of another company adds nothing.
    expect((await ask({ roleIds: [role("2")], systemName }, "lina")).body.data).toEqual([]);
  });
});
