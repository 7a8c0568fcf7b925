/** The rights of a role, menus and permissions, as one change. */
import { and, eq, inArray } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import {
  PERMISSION_PLACES,
  permissionGroup,
  permissionPlaces,
} from "../../../shared/domain/role-rights.ts";
import {
  type MenuEntry,
  pageSchema,
  restCalls,
  type RoleRow,
  roleRowSchema,
} from "../../../shared/protocol/rest/index.ts";
import { auditRecords } from "../../base/database/schema/audit.ts";
import { accounts, menus, roles } from "../../base/database/schema/base.ts";
import { covers } from "../../covers.harness.ts";
import { platformForTests } from "../../asking.harness.ts";

const { roleList, roleCreate, roleUpdate, rolePermissions, roleAssign, roleMenus, menuTree } =
  restCalls;

const { host, tokens } = platformForTests(["admin", "lina", "zhangwei", "ops", "guest"]);

interface Options {
  readonly json?: unknown;
  readonly as?: string;
  readonly supplierId?: string;
  readonly query?: string;
}
const ask = (
  { method, path }: { readonly method: string; readonly path: string },
  { json, as = "admin", supplierId = "1", query = "" }: Options = {},
) =>
  host.ask(method, path + query, {
    token: tokens[as] ?? "",
    supplierId,
    ...(json === undefined ? {} : { json }),
  });
type Answer = Awaited<ReturnType<typeof ask>>;
const said = ({ status, body }: Answer) => [status, body.error ?? "done"];
const fieldsOf = ({ status, body }: Answer) => [
  status,
  Object.keys((body.details?.["fields"] ?? {}) as object),
];
const create = async (name: string): Promise<RoleRow> =>
  roleRowSchema.parse((await ask(roleCreate, { json: { name } })).body.data);
const roleOf = async (id: string): Promise<RoleRow | undefined> => {
  const { records } = pageSchema(roleRowSchema).parse((await ask(roleList)).body.data);
  return records.find((role) => role.id === id);
};
/** The ids of menu entries by their codes, in the order of the ids. */
async function menuIdsOf(...codes: readonly string[]): Promise<string[]> {
  const found = await host.platform.database.db
    .select()
    .from(menus)
    .where(inArray(menus.code, [...codes]));
  return found.map(({ id }) => id).toSorted((a, b) => Number(a) - Number(b));
}
/** Permissions and menus that a role has. */
async function rightsOf(roleId: string): Promise<[readonly string[], string[]]> {
  const { body } = await ask(roleMenus, { query: `?roleId=${roleId}` });
  const held = (body.data as { menuId: string }[]).map(({ menuId }) => menuId);
  return [(await roleOf(roleId))?.permissions ?? [], held];
}

describe("Rights of a role as one change", () => {
  it("Every permission is chosen below an entry that the menus have, or has none on purpose", async () => {
    const known = (await ask(rolePermissions)).body.data as { name: string }[];
    const names = known.map(({ name }) => name);
    const place = permissionPlaces((await ask(menuTree)).body.data as MenuEntry[]);
    expect(names.filter((name) => place(name) === null)).toEqual(["system:demo:remove"]);
    expect(["supplier:employee:edit", "system:account:disable"].map(place)).toEqual([
      "supplier-employees",
      "supplier-employees",
    ]);
    // No row of the table is left over.
    const groups = new Set(names.map(permissionGroup));
    expect(Object.keys(PERMISSION_PLACES).filter((group) => !groups.has(group))).toEqual([]);
  });

  it(covers(roleUpdate, "success", "permissions and menus are one change"), async () => {
    const { id } = await create("一次保存");
    const menuIds = await menuIdsOf("system", "system-dept");
    const json = { id, permissions: ["system:dept:edit"], menuIds: menuIds.toReversed() };
    const changed = await ask(roleUpdate, { json: { ...json, version: 1 } });
    expect(changed.body.data).toMatchObject({ permissions: json.permissions, version: 2 });
    expect(await rightsOf(id)).toEqual([["system:dept:edit"], menuIds]);
    // What is already so raises no version. What is left out stays.
    const same = await ask(roleUpdate, { json: { ...json, version: 2 } });
    expect(same.body.data).toMatchObject({ version: 2 });
    const none = await ask(roleUpdate, { json: { id, version: 2, permissions: [] } });
    expect(none.body.data).toMatchObject({ version: 3 });
    expect(await rightsOf(id)).toEqual([[], menuIds]);
    const empty = await ask(roleUpdate, { json: { id, version: 3, menuIds: [] } });
    expect(empty.body.data).toMatchObject({ version: 4 });
    expect(await rightsOf(id)).toEqual([[], []]);
    const records = await host.platform.database.db
      .select()
      .from(auditRecords)
      .where(
        and(inArray(auditRecords.entity, ["role", "role-menus"]), eq(auditRecords.entityId, id)),
      )
      .orderBy(auditRecords.id);
    expect(
      records.map(({ entity, action, before, after }) => [entity, action, before, after]),
    ).toEqual([
      ["role", "create", null, { name: "一次保存", remark: "" }],
      [
        "role",
        "update",
        { permissions: [], menuIds: [] },
        { permissions: ["system:dept:edit"], menuIds },
      ],
      ["role", "update", { permissions: ["system:dept:edit"] }, { permissions: [] }],
      ["role", "update", { menuIds }, { menuIds: [] }],
    ]);
  });

  it(
    covers(roleUpdate, ["invalid", "refused", "foreign"], "then neither menus nor permissions"),
    async () => {
      const { id } = await create("全部或全不");
      const menuIds = await menuIdsOf("system", "system-dept");
      const permissions = ["system:role:edit"];
      await ask(roleUpdate, { json: { id, version: 1, permissions, menuIds } });
      const more = await menuIdsOf("supplier", "system", "system-dept");
      const before = await rightsOf(id);
      const save = (json: object, options: Options = {}) =>
        ask(roleUpdate, { ...options, json: { id, version: 2, ...json } });
      const { db } = host.platform.database;
      const [lina] = await db.select().from(accounts).where(eq(accounts.username, "lina"));
      await ask(roleAssign, { json: { roleId: id, accountIds: [lina?.id] } });
      // A permission that the person may not hand on.
      const given = [...permissions, "supplier:employee:edit"];
      expect(said(await save({ permissions: given, menuIds: more }, { as: "lina" }))).toEqual([
        403,
        "auth.forbidden",
      ]);
      // Unknown ones of either kind.
      for (const unknown of [["999999"], ["x"], [...more, "01"]]) {
        expect(fieldsOf(await save({ permissions: [], menuIds: unknown }))).toEqual([
          400,
          ["menuIds"],
        ]);
      }
      expect(fieldsOf(await save({ permissions: ["no:such:one"], menuIds: more }))).toEqual([
        400,
        ["permissions"],
      ]);
      expect(fieldsOf(await save({ name: "员工", permissions: [], menuIds: more }))).toEqual([
        409,
        ["name"],
      ]);
      // Who may not change roles, and a role of another company.
      for (const as of ["guest", "zhangwei", "ops"]) {
        expect((await save({ permissions: [], menuIds: more }, { as })).status, as).toBe(403);
      }
      const [staff] = await db
        .select()
        .from(roles)
        .where(and(eq(roles.companyId, "2"), eq(roles.code, "staff")));
      const foreign = { id: staff?.id ?? "", version: 1, permissions: [], menuIds: [] };
      expect(said(await ask(roleUpdate, { json: foreign }))).toEqual([404, "request.not-found"]);
      const theirs = await ask(roleMenus, {
        query: `?roleId=${foreign.id}`,
        supplierId: "2",
      });
      expect(theirs.body.data).not.toEqual([]);
      // An older version: the refusal has the menus of now.
      const late = await save({ version: 1, permissions: [], menuIds: [] });
      expect(late.body.details?.["versions"]).toMatchObject({
        theirs: { id, version: 2, permissions, menuIds },
        yours: { permissions: [], menuIds: [] },
      });
      expect(await rightsOf(id)).toEqual(before);
      expect((await roleOf(id))?.version).toBe(2);
    },
  );
});

describe("Rights of the platform", () => {
  const OF_PLATFORM = ["monitor-applies", "monitor-companies", "monitor-job"];
  const codesOf = (entries: readonly MenuEntry[]): string[] =>
    entries.flatMap(({ code, childMenu }) => [code, ...codesOf(childMenu)]);

  it("are chosen in the company that runs it, and offered and given to nobody in another one", async () => {
    const offered = async (supplierId: string) => {
      const names = (await ask(rolePermissions, { supplierId })).body.data as { name: string }[];
      const tree = (await ask(menuTree, { supplierId })).body.data as MenuEntry[];
      return [
        names.map(({ name }) => name).filter((name) => name.startsWith("platform:")).length,
        codesOf(tree).filter((code) => OF_PLATFORM.includes(code)).length,
      ];
    };
    expect(await offered("1")).toEqual([10, OF_PLATFORM.length]);
    expect(await offered("2")).toEqual([0, 0]);

    const roleRows = async (supplierId: string) =>
      pageSchema(roleRowSchema).parse((await ask(roleList, { supplierId })).body.data).records;
    const givenTo = (rows: readonly RoleRow[]) =>
      rows.flatMap(({ permissions }) => permissions.filter((one) => one.startsWith("platform:")));
    expect(givenTo(await roleRows("1"))).not.toEqual([]);
    const admin = (await roleRows("2")).find(({ builtIn }) => builtIn);
    const made = await ask(roleCreate, {
      supplierId: "2",
      json: { name: "管理员的副本", fromId: admin?.id },
    });
    expect(said(made)).toEqual([200, "done"]);
    expect(givenTo(await roleRows("2"))).toEqual([]);

    const { id, version } = roleRowSchema.parse(made.body.data);
    const change = (json: object) =>
      ask(roleUpdate, { supplierId: "2", json: { id, version, ...json } });
    const entries = await menuIdsOf("tasks", "monitor-job");
    expect(fieldsOf(await change({ menuIds: entries }))).toEqual([400, ["menuIds"]]);
    expect(fieldsOf(await change({ permissions: ["platform:task:edit"] }))).toEqual([
      400,
      ["permissions"],
    ]);
    expect((await roleRows("2")).find((role) => role.id === id)?.version).toBe(version);
  });
});
