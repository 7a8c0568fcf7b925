import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { covers } from "../../covers.harness.ts";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { readXlsx } from "../../base/xlsx/xlsx.harness.ts";
import { page, startEmployees, type EmployeesWorld } from "./employees.harness.ts";

const {
  advancedFiltering,
  employeeCreateMany,
  employeeDimission,
  employeeExport,
  querySupplierEmployees,
} = restCalls;

let world: EmployeesWorld;
beforeAll(async () => {
  world = await startEmployees();
}, 60_000);
afterAll(() => world.host.close());

describe("Searching", () => {
  const rule = (field: string, op: string, value?: unknown) => ({ field, op, value });
  const filter = async (rules: unknown[], logic = "and", more: object = {}) => {
    const json = { filter: { logic, rules }, limit: 100, ...more };
    const answer = await world.ask(advancedFiltering, { in: "2", json });
    expect(answer.body.msg).toBe("操作成功");
    return page(answer).records.map((row) => row.name);
  };
  beforeAll(async () => {
    await world.host.platform.database.pool.query(
      "INSERT INTO departments (company_id, name) VALUES (2, '测绘部'), (2, '测绘一部')",
    );
    const people = [
      {
        name: "欧阳甲",
        department: "测绘部",
        hireDate: "2021-01-01",
        custom: { grade: 3, school: "4" },
      },
      {
        name: "欧阳乙",
        department: "测绘部",
        hireDate: "2022-01-01",
        custom: { grade: 10, trained: "2024-05-01" },
      },
      { name: "司马丙", department: "测绘一部", hireDate: "2023-01-01", phone: "13800138000" },
    ];
    expect((await world.ask(employeeCreateMany, { in: "2", json: people })).status).toBe(200);
  });

  it(covers(advancedFiltering, "success"), async () => {
    expect(await filter([rule("department", "eq", "测绘部")])).toEqual(["欧阳甲", "欧阳乙"]);
    expect(await filter([rule("name", "contains", "阳")])).toEqual(["欧阳甲", "欧阳乙"]);
    expect(await filter([rule("name", "startsWith", "司")])).toEqual(["司马丙"]);
    expect(await filter([rule("name", "contains", "%")])).toEqual([]);
    expect(await filter([rule("hireDate", "between", ["2021-06-01", "2022-06-01"])])).toEqual([
      "欧阳乙",
    ]);
    expect(await filter([rule("hireDate", "gt", "2022-01-01")])).toEqual(["司马丙"]);
    expect(await filter([rule("custom.grade", "ge", 3)])).toEqual(["欧阳甲", "欧阳乙"]);
    expect(await filter([rule("custom.grade", "lt", "10")])).toEqual(["欧阳甲"]);
    expect(await filter([rule("custom.trained", "ge", "2024-05-01")])).toEqual(["欧阳乙"]);
    expect(await filter([rule("custom.school", "in", ["4", "5"])])).toEqual(["欧阳甲"]);
    expect(
      await filter([
        rule("name", "contains", "欧阳"),
        {
          logic: "or",
          rules: [
            rule("custom.grade", "eq", 10),
            { logic: "and", rules: [rule("custom.school", "notEmpty")] },
          ],
        },
      ]),
    ).toEqual(["欧阳甲", "欧阳乙"]);
    expect(
      await filter([rule("phone", "eq", "13800138000"), rule("name", "eq", "欧阳甲")], "or"),
    ).toEqual(["欧阳甲", "司马丙"]);
    expect(
      await filter([rule("department", "ne", "测绘部"), rule("hireDate", "notEmpty")]),
    ).toEqual(["司马丙"]);
    expect(
      await filter([rule("department", "contains", "测绘")], "and", { keyword: "欧阳" }),
    ).toEqual(["欧阳甲", "欧阳乙"]);
    expect(await filter([rule("status", "eq", "off")])).toEqual([]);
  });

  it(covers(advancedFiltering, "invalid"), async () => {
    const nest = (depth: number): unknown =>
      depth === 0 ? rule("name", "eq", "x") : { logic: "and", rules: [nest(depth - 1)] };
    const answers = await Promise.all(
      [
        rule("password", "eq", "x"),
        rule("constructor", "eq", "x"),
        rule("hireDate", "contains", "2"),
        rule("hireDate", "eq", "2"),
        rule("custom.grade", "eq", "x"),
        rule("custom.nope", "eq", "x"),
        rule("name", "between", ["a"]),
        rule("name", "in", []),
        rule("name", "eq"),
        rule("name", "like", "x"),
        rule("name; DROP TABLE employees", "eq", "x"),
        nest(5),
      ].map((one) =>
        world.ask(advancedFiltering, { in: "2", json: { filter: { logic: "and", rules: [one] } } }),
      ),
    );
    expect(answers.map((one) => one.status)).toEqual(answers.map(() => 400));
    expect(answers[0]?.body.details).toEqual({
      fields: { "filter.rules.0.field": "没有这个字段" },
    });
    const deep = await world.ask(advancedFiltering, { in: "2", json: { filter: nest(5) } });
    expect(deep.status).toBe(200);
  });

  it(covers(querySupplierEmployees, "success", "counts stay exact while rows change"), async () => {
    const pageFor = async (json: object) =>
      page(await world.ask(querySupplierEmployees, { in: "2", json }));
    expect((await pageFor({ keyword: "测绘" })).total).toBe(3);
    const made = await world.create({ name: "欧阳丁", department: "测绘部" }, "2");
    expect((await pageFor({ keyword: "测绘" })).total).toBe(4);
    expect((await pageFor({ keyword: "欧" })).total).toBe(3);
    expect((await pageFor({ keyword: "测绘一" })).records.map((row) => row.name)).toEqual([
      "司马丙",
    ]);
    expect((await pageFor({ keyword: "OuYang" })).total).toBe(0);
    const all = (await pageFor({})).total;
    await world.ask(employeeDimission, { in: "2", json: { id: made.id } });
    expect([(await pageFor({})).total, (await pageFor({ keyword: "测绘" })).total]).toEqual([
      all - 1,
      3,
    ]);
    expect(
      (await pageFor({ state: "dimission", keyword: "丁" })).records.map((row) => row.id),
    ).toEqual([made.id]);
    const ids = (await pageFor({ limit: 1000 })).records.map((row) => row.id);
    for (const newest of [false, true]) {
      const seen: string[] = [];
      for (let cursor = 1; cursor <= Math.ceil(ids.length / 2); cursor += 1) {
        const json = { cursor, limit: 2, ...(newest ? { descParameter: "id" } : {}) };
        seen.push(...(await pageFor(json)).records.map((row) => row.id));
      }
      expect(seen).toEqual(newest ? ids.toReversed() : ids);
    }
    expect(await pageFor({ cursor: 1000 })).toMatchObject({ records: [], total: ids.length });
  });

  it(covers(querySupplierEmployees, "invalid"), async () => {
    const answer = await world.ask(querySupplierEmployees, { json: { state: "all", limit: 1001 } });
    expect([answer.status, Object.keys(answer.body.details?.["fields"] as object).sort()]).toEqual([
      400,
      ["limit", "state"],
    ]);
  });

  const download = (path: string, json: unknown, company: string) =>
    fetch(`${world.host.origin}/scm-supplier/api/sec/getExcelByJson2/${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${world.tokens["admin"]}`,
        "supplier-id": company,
        "content-type": "application/json",
      },
      body: JSON.stringify(json),
    });
  it(covers(employeeExport, ["success", "foreign"]), async () => {
    const columns = [
      { field: "name" },
      { field: "custom.school", title: "文化" },
      { field: "status" },
    ];
    const rules = [rule("department", "eq", "测绘部")];
    const response = await download(
      `employed/${encodeURIComponent("名册")}`,
      { columns, filter: { logic: "and", rules } },
      "2",
    );
    expect(response.headers.get("content-disposition")).toContain(encodeURIComponent("名册.xlsx"));
    expect(await readXlsx(Buffer.from(await response.arrayBuffer()))).toEqual([
      ["姓名", "文化", "状态"],
      ["欧阳甲", "本科", "在职"],
      ["欧阳乙", "", "在职"],
    ]);
    // Chosen ones by the address, by the body, and by both.
    const all = page(await world.ask(querySupplierEmployees, { in: "2", json: { limit: 100 } }));
    const [a = "", b = "", c = ""] = all.records.map(({ id }) => id);
    const namesOf = async (query: string, dataIds?: string[]) => {
      const answer = await download(
        `employed/x${query}`,
        { columns: [{ field: "name" }], ...(dataIds === undefined ? {} : { dataIds }) },
        "2",
      );
      return (await readXlsx(Buffer.from(await answer.arrayBuffer()))).flat().slice(1);
    };
    const names = (...ids: string[]) =>
      all.records.filter(({ id }) => ids.includes(id)).map(({ name }) => name);
    expect(await namesOf(`?dataIds=${a},${b}`)).toEqual(names(a, b));
    expect(await namesOf("", [c])).toEqual(names(c));
    expect(await namesOf(`?dataIds=${a}`, [c])).toEqual(names(a, c));
    // Ids of another company match no one.
    const foreign = await download("employed/x?dataIds=1,5", { columns: [{ field: "name" }] }, "2");
    expect(await readXlsx(Buffer.from(await foreign.arrayBuffer()))).toEqual([["姓名"]]);
  });

  it(covers(employeeExport, "invalid"), async () => {
    const wrong = await download("employed/x", { columns: [{ field: "grams" }] }, "2");
    expect([wrong.status, ((await wrong.json()) as { details: unknown }).details]).toEqual([
      400,
      { fields: { "columns.0.field": "没有这个字段" } },
    ]);
    expect((await download("all/x", {}, "2")).status).toBe(400);
    expect((await download("employed/x?dataIds=1;2", {}, "2")).status).toBe(400);
    expect((await download("employed/x", { dataIds: ["1;2"] }, "2")).status).toBe(400);
  });
});

describe("The dot of a name", () => {
  const { employeeCreate } = restCalls;
  const found = async (keyword: string): Promise<string[]> => {
    const answer = await world.ask(querySupplierEmployees, { in: "2", json: { keyword } });
    return page(answer).records.map(({ name }) => name);
  };

  it("is stored in one writing, and a search finds it by any", async () => {
    for (const [i, dot] of [..."·•・∙．‧⋅.･"].entries()) {
      const made = await world.create({ name: `阿卜来提${dot}如则${i}` }, "2");
      expect(made.name).toBe(`阿卜来提·如则${i}`);
    }
    for (const dot of "·•・∙．‧⋅.･") expect(await found(`来提${dot}如则`)).toHaveLength(9);
    expect(await found("来提。如则")).toEqual([]);
    const filter = { logic: "and", rules: [{ field: "name", op: "contains", value: "提•如" }] };
    const answer = await world.ask(advancedFiltering, { in: "2", json: { filter, limit: 100 } });
    expect(page(answer).records).toHaveLength(9);
  });

  it("is found in names that were stored with another sign before", async () => {
    const { pool } = world.host.platform.database;
    const made = await world.create({ name: "买买提·艾力" }, "2");
    await pool.query("UPDATE employees SET name = '买买提•艾力' WHERE id = $1", [made.id]);
    expect(await found("买提·艾")).toEqual(["买买提•艾力"]);
    await pool.query("UPDATE employees SET name = '买买提.艾力' WHERE id = $1", [made.id]);
    expect(await found("买提‧艾")).toEqual(["买买提.艾力"]);
  });

  it("REST reads names, telephones, days and departments as the check of an import does", async () => {
    const answer = await world.ask(employeeCreate, {
      json: {
        name: " ⽅　芳 ",
        phone: "(+86)138 0013 8905；",
        birthday: "1990年1月2日",
        department: "华安物业服务有限公司 > 信息 技术部",
      },
    });
    expect(answer.body.data).toMatchObject({
      name: "方芳",
      phone: "13800138905",
      birthday: "1990-01-02",
      department: "信息技术部",
      departmentId: expect.any(String),
    });
  });

  it("A sign that belongs in no name or text is refused at its field", async () => {
    const wrong = {
      name: "张\u0007三",
      employeeNo: "E\u202e1",
      remark: "a\u0001b",
      position: "\ufffd",
    };
    const answer = await world.ask(employeeCreate, { json: wrong });
    expect([answer.status, answer.body.details?.["fields"]]).toEqual([
      400,
      {
        name: expect.stringContaining("控制字符"),
        employeeNo: expect.stringContaining("方向标记"),
        remark: expect.stringContaining("控制字符"),
        position: expect.stringContaining("没有正确保存"),
      },
    ]);
  });

  it("A gender that contradicts the ID number is refused", async () => {
    const idNumber = world.idNumber("19900101");
    const gender = Number(idNumber[16]) % 2 === 1 ? "2" : "1";
    const answer = await world.ask(employeeCreate, { json: { name: "反", idNumber, gender } });
    expect([answer.status, answer.body.details?.["fields"]]).toEqual([
      400,
      { gender: expect.stringContaining("与身份证号不一致") },
    ]);
  });
});
