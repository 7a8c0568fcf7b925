import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { readXlsx } from "../../base/xlsx/xlsx.harness.ts";
import { startEmployees, type EmployeesWorld } from "./employees.harness.ts";

const { employeeList, employeeExport, departmentUpdate } = restCalls;

describe("The employees of a department with all below it", () => {
  let world: EmployeesWorld;
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    world = await startEmployees();
    const { pool } = world.host.platform.database;
    const make = async (name: string, parent: string | null, companyId = "1"): Promise<void> => {
      const { rows } = await pool.query<{ id: string }>(
        "INSERT INTO departments (company_id, parent_id, name) VALUES ($1, $2, $3) RETURNING id::text",
        [companyId, parent === null ? null : ids[parent], name],
      );
      ids[name] = rows[0]?.id ?? "";
    };
    await make("总厂", null);
    await make("车间", "总厂");
    await make("班组", "车间");
    await make("食堂", null);
    await make("别家", null, "2");
    for (const [name, department, companyId] of [
      ["厂长", "总厂", "1"],
      ["主任", "车间", "1"],
      ["组长", "班组", "1"],
      ["厨师", "食堂", "1"],
      ["外人", "别家", "2"],
    ] as const) {
      await pool.query(
        "INSERT INTO employees (company_id, name, department_id, department) VALUES ($1, $2, $3, $4)",
        [companyId, name, ids[department], department],
      );
    }
  }, 120_000);
  afterAll(() => world.host.close());

  const found = async (
    departmentId: string,
    more: Readonly<Record<string, string>> = {},
    as = "admin",
  ) => {
    const { body } = await world.host.ask(
      "GET",
      `${employeeList.path}?${new URLSearchParams({ departmentId, limit: "100", ...more })}`,
      { token: world.tokens[as] ?? "", supplierId: "1" },
    );
    const { records, total } = employeeList.data.parse(body.data);
    expect(total).toBe(records.length);
    return records.map(({ name }) => name);
  };
  const idOf = (name: string): string => ids[name] ?? "";

  it("are listed in every order, with keyword and advanced filter", async () => {
    expect(await found(idOf("总厂"))).toEqual(["厂长", "主任", "组长"]);
    expect(await found(idOf("车间"), { sort: "-department" })).toEqual(["主任", "组长"]);
    expect(await found(idOf("总厂"), { keyword: "组长" })).toEqual(["组长"]);
    expect(await found(idOf("食堂"), { keyword: "组长" })).toEqual([]);
    const rule = { field: "name", op: "ne", value: "主任" };
    const filter = JSON.stringify({ logic: "and", rules: [rule] });
    expect(await found(idOf("总厂"), { filter })).toEqual(["厂长", "组长"]);
    // Everybody with a role sees the departments of colleagues in the list.
    expect(await found(idOf("班组"), {}, "lina")).toEqual(["组长"]);
  });

  it("are nobody for a department of another company, and for none", async () => {
    for (const id of [idOf("别家"), "999999", "x"]) expect(await found(id)).toEqual([]);
  });

  it("are counted again when a department moves, although no employee changed", async () => {
    expect(await found(idOf("食堂"))).toEqual(["厨师"]);
    const move = (version: number, parentId: string | null) =>
      world.ask(departmentUpdate, { json: { id: idOf("班组"), version, parentId } });
    expect((await move(1, idOf("食堂"))).status).toBe(200);
    expect(await found(idOf("食堂"))).toEqual(["组长", "厨师"]);
    expect(await found(idOf("总厂"))).toEqual(["厂长", "主任"]);
    expect((await move(2, idOf("车间"))).status).toBe(200);
    expect(await found(idOf("食堂"))).toEqual(["厨师"]);
  });

  it("are written to a file", async () => {
    const path = employeeExport.path.replace("{a}", "employed").replace("{b}", "x");
    const response = await fetch(world.host.origin + path, {
      method: "POST",
      headers: {
        authorization: `Bearer ${world.tokens["admin"]}`,
        "supplier-id": "1",
        "content-type": "application/json",
      },
      body: JSON.stringify({ columns: [{ field: "name" }], departmentId: idOf("车间") }),
    });
    expect(await readXlsx(Buffer.from(await response.arrayBuffer()))).toEqual([
      ["姓名"],
      ["主任"],
      ["组长"],
    ]);
  });
});
