import { and, eq, isNotNull } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import {
  type Department,
  departmentSchema,
  pageSchema,
  employeeSchema,
  restCalls,
} from "../../../shared/protocol/rest/index.ts";
import { auditRecords } from "../../base/database/schema/audit.ts";
import { employees } from "../../base/database/schema/base.ts";
import { departments } from "../../base/database/schema/employees.ts";
import { covers } from "../../covers.harness.ts";
import { platformForTests } from "../../asking.harness.ts";
import { whoMay } from "../../who-may.harness.ts";
import { DEPTH_MAX } from "./store.ts";

const {
  departmentTree,
  departmentCreate,
  departmentUpdate,
  departmentShift,
  departmentMerge,
  departmentDelete,
} = restCalls;
const CALLS = Object.values({
  departmentTree,
  departmentCreate,
  departmentUpdate,
  departmentShift,
  departmentMerge,
  departmentDelete,
});
const MAY = whoMay({
  "departments.tree": "--+-",
  "departments.create": "--+-",
  "departments.update": "--+-",
  "departments.shift": "--+-",
  "departments.merge": "--+-",
  "departments.delete": "--+-",
});

const { host, tokens } = platformForTests(["admin", "lina", "wangfang", "ops", "guest"]);

interface Options {
  readonly json?: unknown;
  readonly as?: string;
  readonly supplierId?: string;
  readonly id?: string;
}
const ask = (
  { method, path }: { readonly method: string; readonly path: string },
  { json, as = "admin", supplierId = "1", id = "" }: Options = {},
) =>
  host.ask(method, path.replace("{id}", id), {
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
const tree = async (supplierId = "1"): Promise<Department[]> =>
  departmentSchema.array().parse((await ask(departmentTree, { supplierId })).body.data);
const make = async (name: string, parentId: string | null = null): Promise<Department> =>
  departmentSchema.parse((await ask(departmentCreate, { json: { name, parentId } })).body.data);
/** The names below a department in their order. */
const below = async (parentId: string): Promise<string[]> =>
  (await tree()).filter((d) => d.parentId === parentId).map(({ name }) => name);
const now = async (id: string): Promise<Department> => {
  const found = (await tree()).find((d) => d.id === id);
  if (found === undefined) throw new Error("the department is gone");
  return found;
};
const hire = async (name: string, departmentId: string, department: string) => {
  const values = { companyId: "1", name, departmentId, department };
  const [made] = await host.platform.database.db.insert(employees).values(values).returning();
  return made?.id ?? "";
};
const personOf = async (id: string) => {
  const [row] = await host.platform.database.db
    .select()
    .from(employees)
    .where(eq(employees.id, id));
  return [row?.department, row?.departmentId];
};
const found = async (keyword: string): Promise<string[]> => {
  const { path } = restCalls.employeeList;
  const { body } = await host.ask("GET", `${path}?keyword=${encodeURIComponent(keyword)}`, {
    token: tokens["admin"] ?? "",
    supplierId: "1",
  });
  return pageSchema(employeeSchema)
    .parse(body.data)
    .records.map(({ name }) => name);
};

describe("Departments", () => {
  it(
    covers(
      [departmentTree, departmentCreate, departmentUpdate, departmentShift, departmentDelete],
      "success",
    ),
    async () => {
      const top = await make(" 总部 ");
      const a = await make("甲组", top.id);
      const b = await make("乙组", top.id);
      const deep = await make("一班", a.id);
      const leader = await hire("孙班长", deep.id, "一班");
      await hire("钱组长", b.id, "乙组");
      expect((await tree()).filter((d) => [top.id, a.id, b.id, deep.id].includes(d.id))).toEqual([
        { id: top.id, parentId: null, name: "总部", version: 1, head: null, people: 0, total: 2 },
        { id: a.id, parentId: top.id, name: "甲组", version: 1, head: null, people: 0, total: 1 },
        { id: deep.id, parentId: a.id, name: "一班", version: 1, head: null, people: 1, total: 1 },
        { id: b.id, parentId: top.id, name: "乙组", version: 1, head: null, people: 1, total: 1 },
      ]);
      // A new name reaches the people and the search.
      const json = { id: deep.id, version: 1, name: "红旗班" };
      const renamed = await ask(departmentUpdate, { json });
      expect(renamed.body.data).toMatchObject({ name: "红旗班", version: 2, people: 1 });
      expect(await personOf(leader)).toEqual(["红旗班", deep.id]);
      expect([await found("红旗班"), await found("一班")]).toEqual([["孙班长"], []]);
      // Moved, it is the last below its new parent.
      const moved = await ask(departmentUpdate, {
        json: { id: deep.id, version: 2, parentId: top.id },
      });
      expect(said(moved)).toEqual([200, "done"]);
      expect(await below(top.id)).toEqual(["甲组", "乙组", "红旗班"]);
      await ask(departmentShift, { json: { id: deep.id, to: "up" } });
      await ask(departmentShift, { json: { id: a.id, to: "up" } });
      expect(await below(top.id)).toEqual(["甲组", "红旗班", "乙组"]);
      await ask(departmentShift, { json: { id: a.id, to: "down" } });
      expect(await below(top.id)).toEqual(["红旗班", "甲组", "乙组"]);
      expect(said(await ask(departmentDelete, { id: a.id }))).toEqual([200, "done"]);
      expect(await below(top.id)).toEqual(["红旗班", "乙组"]);
      const records = await host.platform.database.db
        .select()
        .from(auditRecords)
        .where(and(eq(auditRecords.entity, "department"), eq(auditRecords.entityId, deep.id)))
        .orderBy(auditRecords.id);
      expect(records.map(({ action, after }) => [action, after])).toEqual([
        ["create", { parentId: a.id, name: "一班" }],
        ["update", { name: "红旗班" }],
        ["update", { parentId: top.id }],
        ["order", { order: [a.id, deep.id, b.id] }],
      ]);
    },
  );

  it(
    covers(departmentMerge, "success", "people and departments of one name become one"),
    async () => {
      const source = await make("东区");
      const target = await make("西区");
      const same = await make("保安队", source.id);
      const there = await make("保安队", target.id);
      const only = await make("保洁队", source.id);
      const head = await hire("吴东", source.id, "东区");
      const guard = await hire("郑保安", same.id, "保安队");
      const cleaner = await hire("王保洁", only.id, "保洁队");
      const json = { id: source.id, version: 1, intoId: target.id };
      const { body } = await ask(departmentMerge, { json });
      expect(body.data).toMatchObject({ id: target.id, people: 1, total: 3 });
      expect(await personOf(head)).toEqual(["西区", target.id]);
      expect(await personOf(guard)).toEqual(["保安队", there.id]);
      expect(await personOf(cleaner)).toEqual(["保洁队", only.id]);
      expect(await below(target.id)).toEqual(["保安队", "保洁队"]);
      const left = (await tree()).map(({ id }) => id);
      expect([left.includes(source.id), left.includes(same.id)]).toEqual([false, false]);
      expect([await found("东区"), await found("西区")]).toEqual([[], ["吴东"]]);
      // Below its own parent, with a child of the same name.
      const nested = await make("保安队", there.id);
      const again = { id: there.id, version: 1, intoId: target.id };
      expect(said(await ask(departmentMerge, { json: again }))).toEqual([200, "done"]);
      expect(await below(target.id)).toEqual(["保洁队", "保安队"]);
      expect((await now(nested.id)).parentId).toBe(target.id);
      expect(await personOf(guard)).toEqual(["西区", target.id]);
    },
  );

  it(
    covers(
      [departmentCreate, departmentUpdate, departmentShift, departmentMerge, departmentDelete],
      "invalid",
    ),
    async () => {
      const { id } = await make("检查");
      const child = await make("下级", id);
      expect(fieldsOf(await ask(departmentCreate, { json: { name: "a/b" } }))).toEqual([
        400,
        ["parentId", "name"],
      ]);
      expect(
        fieldsOf(await ask(departmentCreate, { json: { name: "检查", parentId: null } })),
      ).toEqual([409, ["name"]]);
      expect(fieldsOf(await ask(departmentUpdate, { json: { id, name: "" } }))).toEqual([
        400,
        ["version", "name"],
      ]);
      expect(fieldsOf(await ask(departmentShift, { json: { id, to: "left" } }))).toEqual([
        400,
        ["to"],
      ]);
      expect(fieldsOf(await ask(departmentMerge, { json: { id } }))).toEqual([
        400,
        ["version", "intoId"],
      ]);
      expect(fieldsOf(await ask(departmentDelete, { id: "9".repeat(65) }))).toEqual([400, ["id"]]);
      // No circles.
      for (const parentId of [id, child.id]) {
        expect(
          fieldsOf(await ask(departmentUpdate, { json: { id, version: 1, parentId } })),
        ).toEqual([409, ["parentId"]]);
        expect(
          fieldsOf(await ask(departmentMerge, { json: { id, version: 1, intoId: parentId } })),
        ).toEqual([409, ["intoId"]]);
      }
      // Only an empty one goes.
      expect((await ask(departmentDelete, { id })).body.msg).toBe("该部门还有下级部门，不能删除");
      await hire("在岗", child.id, "下级");
      expect((await ask(departmentDelete, { id: child.id })).body.msg).toBe(
        "该部门还有 1 人，不能删除",
      );
    },
  );

  it(
    covers(departmentUpdate, "success", "a place among the neighbours below another parent"),
    async () => {
      const top = await make("排位");
      const [a, b, c] = [
        await make("位一", top.id),
        await make("位二", top.id),
        await make("位三", top.id),
      ];
      const other = await make("外来");
      const place = (id: string, version: number, to: object) =>
        ask(departmentUpdate, { json: { id, version, ...to } });
      const moved = await place(other.id, 1, { parentId: top.id, beforeId: b.id });
      expect(moved.body.data).toMatchObject({ parentId: top.id, version: 2 });
      expect(await below(top.id)).toEqual(["位一", "外来", "位二", "位三"]);
      // Below the same parent the version rises too, so that two who move it at once do not undo each other.
      expect(said(await place(c.id, 1, { beforeId: a.id }))).toEqual([200, "done"]);
      expect(await below(top.id)).toEqual(["位三", "位一", "外来", "位二"]);
      expect(said(await place(c.id, 1, { beforeId: null }))).toEqual([409, "request.conflict"]);
      expect(said(await place(c.id, 2, { beforeId: null }))).toEqual([200, "done"]);
      expect(await below(top.id)).toEqual(["位一", "外来", "位二", "位三"]);
      // Where it stands already, nothing changes.
      expect((await place(c.id, 3, { beforeId: null })).body.data).toMatchObject({ version: 3 });
      // A neighbour that stands elsewhere is no place here, and the department is none beside itself.
      for (const beforeId of [top.id, a.id]) {
        expect(fieldsOf(await place(a.id, 1, { beforeId }))).toEqual([409, ["beforeId"]]);
      }
      expect(said(await place(a.id, 1, { beforeId: "999999" }))).toEqual([
        404,
        "request.not-found",
      ]);
      expect(await below(top.id)).toEqual(["位一", "外来", "位二", "位三"]);
      const records = await host.platform.database.db
        .select()
        .from(auditRecords)
        .where(and(eq(auditRecords.entity, "department"), eq(auditRecords.entityId, c.id)))
        .orderBy(auditRecords.id);
      expect(records.map(({ action }) => action)).toEqual(["create", "order", "order"]);
    },
  );

  it(
    covers(
      [departmentCreate, departmentUpdate, departmentTree],
      "success",
      "a head, until that person leaves, is deleted, or another is chosen",
    ),
    async () => {
      const top = await make("有负责人");
      const [first, second] = [
        await hire("头一位", top.id, "有负责人"),
        await hire("第二位", top.id, "有负责人"),
      ];
      const chosen = await ask(departmentCreate, {
        json: { name: "新设", parentId: top.id, headId: first },
      });
      const made = departmentSchema.parse(chosen.body.data);
      expect(made.head).toEqual({ id: first, name: "头一位" });
      const set = (version: number, headId: string | null) =>
        ask(departmentUpdate, { json: { id: top.id, version, headId } });
      expect((await set(1, first)).body.data).toMatchObject({ head: { name: "头一位" } });
      expect((await set(2, second)).body.data).toMatchObject({ head: { name: "第二位" } });
      expect((await set(3, null)).body.data).toMatchObject({ head: null });
      await set(4, first);
      const leave = (id: string) => ask(restCalls.employeeDimission, { json: { id } });
      expect(said(await leave(first))).toEqual([200, "done"]);
      expect([(await now(top.id)).head, (await now(made.id)).head]).toEqual([null, null]);
      const { db } = host.platform.database;
      const stored = await db
        .select({ headId: departments.headId })
        .from(departments)
        .where(eq(departments.id, top.id));
      expect(stored).toEqual([{ headId: null }]);
      // A form that was open meanwhile learns of it.
      const { version } = await now(top.id);
      expect(version).toBe(6);
      await set(version, second);
      const gone = await ask(restCalls.employeeDelete, { id: second });
      expect(said(gone)).toEqual([200, "done"]);
      expect((await now(top.id)).head).toBeNull();
    },
  );

  it(
    covers(
      [departmentCreate, departmentUpdate],
      ["invalid", "foreign"],
      "a head who is no current employee of the company",
    ),
    async () => {
      const { id } = await make("无负责人");
      const left = await hire("已离职", id, "无负责人");
      await ask(restCalls.employeeDimission, { json: { id: left } });
      const { db } = host.platform.database;
      const [foreign] = await db
        .insert(employees)
        .values({ companyId: "2", name: "别家的人" })
        .returning();
      for (const headId of [left, foreign?.id ?? "", "999999", "x"]) {
        const update = await ask(departmentUpdate, { json: { id, version: 1, headId } });
        const create = await ask(departmentCreate, {
          json: { name: `新设${headId}`, parentId: null, headId },
        });
        for (const answer of [update, create]) {
          expect(answer.body.details?.["fields"]).toEqual({ headId: "不是在职员工" });
        }
      }
      expect((await now(id)).version).toBe(1);
    },
  );

  it("A head leaves while the department gets another name: both are done", async () => {
    const { id } = await make("忙碌部");
    const head = await hire("忙碌的人", id, "忙碌部");
    await ask(departmentUpdate, { json: { id, version: 1, headId: head } });
    const [renamed, left] = await Promise.all([
      ask(departmentUpdate, { json: { id, version: 2, name: "清闲部" } }),
      ask(restCalls.employeeDimission, { json: { id: head } }),
    ]);
    expect(left.status).toBe(200);
    // The departure came first, or the name did.
    expect([200, 409]).toContain(renamed.status);
    expect((await now(id)).head).toBeNull();
  });

  it("The tree has a last level", async () => {
    let parent: string | null = null;
    for (let level = 1; level <= DEPTH_MAX; level += 1) {
      parent = (await make(`第${level}级`, parent)).id;
    }
    const deeper = await ask(departmentCreate, { json: { name: "再下一级", parentId: parent } });
    expect(fieldsOf(deeper)).toEqual([409, ["parentId"]]);
  });

  it("A change of an older version is refused with both versions", async () => {
    const { id } = await make("改名");
    await ask(departmentUpdate, { json: { id, version: 1, name: "改过" } });
    for (const answer of [
      await ask(departmentUpdate, { json: { id, version: 1, name: "再改" } }),
      await ask(departmentMerge, { json: { id, version: 1, intoId: (await make("别处")).id } }),
    ]) {
      expect(said(answer)).toEqual([409, "request.conflict"]);
      expect(answer.body.details?.["versions"]).toMatchObject({
        theirs: { id, name: "改过", version: 2 },
      });
    }
  });

  it("Two moves that would make a circle together: one is refused", async () => {
    const [a, b] = [await make("环一"), await make("环二")];
    const answers = await Promise.all([
      ask(departmentUpdate, { json: { id: a.id, version: 1, parentId: b.id } }),
      ask(departmentUpdate, { json: { id: b.id, version: 1, parentId: a.id } }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const all = (await tree()).map(({ id }) => id);
    expect([all.includes(a.id), all.includes(b.id)]).toEqual([true, true]);
  });

  it(
    covers(
      [departmentCreate, departmentUpdate, departmentShift, departmentMerge, departmentDelete],
      "foreign",
    ),
    async () => {
      const [foreign] = (await tree("2")).map(({ id }) => id);
      const own = await make("本企业");
      for (const id of [foreign ?? "", "999999", "x"]) {
        const answers = [
          await ask(departmentCreate, { json: { name: "下面", parentId: id } }),
          await ask(departmentUpdate, { json: { id, version: 1, name: "别家" } }),
          await ask(departmentUpdate, { json: { id: own.id, version: 1, parentId: id } }),
          await ask(departmentShift, { json: { id, to: "down" } }),
          await ask(departmentMerge, { json: { id, version: 1, intoId: own.id } }),
          await ask(departmentMerge, { json: { id: own.id, version: 1, intoId: id } }),
          await ask(departmentDelete, { id }),
        ];
        for (const answer of answers) expect(said(answer)).toEqual([404, "request.not-found"]);
      }
    },
  );

  it(covers(departmentTree, "foreign"), async () => {
    const ids = new Set((await tree()).map(({ id }) => id));
    const others = await tree("2");
    expect(others.length).toBeGreaterThan(1);
    expect(others.filter(({ id }) => ids.has(id))).toEqual([]);
    expect((await ask(departmentTree, { as: "wangfang" })).status).toBe(403);
  });

  it(
    covers(
      [
        departmentTree,
        departmentCreate,
        departmentUpdate,
        departmentShift,
        departmentMerge,
        departmentDelete,
      ],
      "refused",
    ),
    async () => {
      expect(Object.values(MAY)).toEqual(Array.from({ length: 6 }, () => "--+-"));
      for (const call of CALLS) {
        const path = call.path.replace("{id}", "1");
        expect((await host.ask(call.method, path, { supplierId: "1" })).status).toBe(401);
        for (const as of ["guest", "lina", "ops"]) {
          expect(said(await ask(call, { as, id: "1" }))).toEqual([403, "auth.forbidden"]);
        }
      }
    },
  );
});

describe("An employee whose department is given by its name", () => {
  it("belongs to the department of that name, if there is exactly one", async () => {
    const once = await make("唯一部");
    await make("重名部", once.id);
    await make("重名部");
    const create = async (department: string): Promise<string | undefined> => {
      const json = { name: "新人", department };
      const { body } = await ask(restCalls.employeeCreate, { json });
      return (body.data as { id: string } | null)?.id;
    };
    const person = (await create("唯一部")) ?? "";
    expect(await personOf(person)).toEqual(["唯一部", once.id]);
    expect([await create("重名部"), await create("没有的部")]).toEqual([undefined, undefined]);
    let version = 0;
    const update = (department: string | null) =>
      ask(restCalls.employeeUpdate, {
        json: { id: person, version: (version += 1), department },
      });
    await update(null);
    expect(await personOf(person)).toEqual([null, null]);
    await update("唯一部");
    expect(await personOf(person)).toEqual(["唯一部", once.id]);
    await update(null);
    expect(await personOf(person)).toEqual([null, null]);
    const place = (departmentId: string | null) =>
      ask(restCalls.employeeUpdate, {
        json: { id: person, version: (version += 1), departmentId },
      });
    await place(once.id);
    expect(await personOf(person)).toEqual(["唯一部", once.id]);
    await place(null);
    expect(await personOf(person)).toEqual([null, null]);
  });

  it("The demo's people belong to their departments", async () => {
    const { db } = host.platform.database;
    const rows = await db
      .select({ name: departments.name, department: employees.department })
      .from(employees)
      .innerJoin(departments, eq(departments.id, employees.departmentId))
      .where(and(eq(employees.companyId, "1"), isNotNull(employees.accountId)));
    expect(rows).toHaveLength(5);
    for (const { name, department } of rows) expect(name).toBe(department);
  });
});
