import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { covers } from "../../covers.harness.ts";
import { idNumberCheckSign } from "../../../shared/domain/validate.ts";
import {
  type EmployeeDetail,
  type RestCall,
  restCalls,
} from "../../../shared/protocol/rest/index.ts";
import { startTestPlatform, type TestPlatform } from "../../platform.harness.ts";
import { readXlsx } from "../../base/xlsx/xlsx.harness.ts";

const {
  advancedFiltering,
  applies,
  documentsList,
  documentsOwn,
  employeeBindAccount,
  employeeCreate,
  employeeCreateMany,
  employeeDelete,
  employeeDimission,
  employeeDimissionList,
  employeeDimissionOld,
  employeeExport,
  employeeGet,
  employeeUpdate,
  employeeUpdateV3,
  inviteEmployee,
  querySupplierEmployees,
} = restCalls;

let host: TestPlatform;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  host = await startTestPlatform();
  for (const name of ["admin", "lina", "wangfang", "guest"]) {
    tokens[name] = (await host.login(name)).access_token;
  }
  await host.platform.database.pool.query(
    `INSERT INTO company_fields (company_id, key, label, type, dict_type, required, sort) VALUES
      (2, 'grade', '等级', 'number', NULL, false, 1), (2, 'trained', '培训日期', 'date', NULL, false, 2),
      (2, 'school', '学历', 'dict', 'education', false, 3)`,
  );
}, 60_000);
afterAll(() => host.close());

interface Options {
  readonly as?: string;
  readonly in?: string;
  readonly json?: unknown;
}
const ask = (call: RestCall, { as = "admin", in: company = "1", json }: Options = {}, id = "") =>
  host.ask(call.method, call.path.replace("{id}", id), {
    token: tokens[as] ?? "",
    ...(company === "" ? {} : { supplierId: company }),
    ...(json === undefined
      ? call.method === "GET" || call.method === "DELETE"
        ? {}
        : { json: {} }
      : { json }),
  });
const fieldsOf = (answer: Awaited<ReturnType<typeof ask>>) => [
  answer.status,
  answer.body.details?.["fields"],
];
const create = async (json: object, company = "1"): Promise<EmployeeDetail> => {
  const answer = await ask(employeeCreate, { json, in: company });
  expect(answer.body.msg).toBe("操作成功");
  return answer.body.data as EmployeeDetail;
};
const page = (answer: Awaited<ReturnType<typeof ask>>) =>
  answer.body.data as { records: EmployeeDetail[]; total: number };

let serial = 0;
const idNumber = (birthday = "19900101"): string => {
  serial += 1;
  const head = `340104${birthday}${String(serial).padStart(3, "0")}`;
  return head + idNumberCheckSign(head);
};
const NAMES = ["甄一", "甄二", "甄三"];
const ALL: readonly RestCall[] = [
  advancedFiltering,
  documentsList,
  employeeBindAccount,
  employeeCreate,
  employeeCreateMany,
  employeeDelete,
  employeeDimission,
  employeeDimissionList,
  employeeDimissionOld,
  employeeExport,
  employeeGet,
  employeeUpdate,
  employeeUpdateV3,
  inviteEmployee,
  querySupplierEmployees,
];

describe("One employee", () => {
  it(covers([employeeCreate, employeeGet], "success"), async () => {
    const number = idNumber("19880229");
    const made = await create({
      name: " 孙悦 ",
      idNumber: number,
      employeeNo: "HA-001",
      phone: "13900000001",
      hireDate: "2024-03-01",
      certificateType: "id",
      department: "安全管理部",
      remark: "",
    });
    expect(made).toMatchObject({
      name: "孙悦",
      supplierId: "1",
      idNumber: number,
      birthday: "1988-02-29",
      gender: Number(number[16]) % 2 === 1 ? "1" : "2",
      status: "on",
      accountId: null,
      hireDate: "2024-03-01",
      dimissionDate: null,
    });
    expect((await ask(employeeGet, {}, made.id)).body.data).toEqual(made);
    const { rows } = await host.platform.database.pool.query(
      "SELECT action, actor_id FROM audit_records WHERE entity = 'employee' AND entity_id = $1",
      [made.id],
    );
    expect(rows).toEqual([{ action: "create", actor_id: "1" }]);
  });

  it(covers(employeeCreate, "invalid"), async () => {
    const wrong = {
      name: "",
      idNumber: "110105194912310021",
      phone: "12",
      email: "x",
      birthday: "2023-02-30",
    };
    const answer = await ask(employeeCreate, { json: wrong });
    expect([answer.status, Object.keys(answer.body.details?.["fields"] as object).sort()]).toEqual([
      400,
      ["birthday", "email", "idNumber", "name", "phone"],
    ]);
    const given = { name: "某", certificateType: "zz", departmentId: "999", custom: { nope: 1 } };
    expect(fieldsOf(await ask(employeeCreate, { json: given }))).toEqual([
      400,
      {
        certificateType: "字典中没有这个值",
        departmentId: "没有这个部门",
        "custom.nope": "没有这个字段",
      },
    ]);
    const own = { grade: "甲", trained: "2024-02-30", school: "99" };
    expect(
      fieldsOf(await ask(employeeCreate, { in: "2", json: { name: "某", custom: own } })),
    ).toEqual([
      400,
      {
        "custom.grade": "应为数字",
        "custom.trained": "应为日期 YYYY-MM-DD",
        "custom.school": "字典中没有这个值",
      },
    ]);
  });

  it(
    covers(employeeCreate, "invalid", "a number belongs to one person while employed"),
    async () => {
      const number = idNumber();
      const first = await create({ name: "前任", idNumber: number, employeeNo: "N-1" });
      const again = await ask(employeeCreate, { json: { name: "后任", idNumber: number } });
      expect([again.status, again.body.msg, again.body.details?.["fields"]]).toEqual([
        409,
        "身份证号已有在职员工使用",
        { idNumber: "已有在职员工使用" },
      ]);
      await ask(employeeDimission, { json: { id: first.id } });
      expect((await create({ name: "后任", idNumber: number, employeeNo: "N-1" })).employeeNo).toBe(
        "N-1",
      );
    },
  );

  it(covers([employeeUpdate, employeeUpdateV3], "success"), async () => {
    const made = await create({ name: "改前", remark: "x", custom: { grade: 1 } }, "2");
    for (const [call, json] of [
      [employeeUpdate, { name: "改后", email: "a@example.com", custom: { trained: "2024-01-02" } }],
      [employeeUpdateV3, { email: null, status: "probation", custom: { grade: null } }],
    ] as const) {
      expect((await ask(call, { in: "2", json: { id: made.id, ...json } })).status).toBe(200);
    }
    expect((await ask(employeeGet, { in: "2" }, made.id)).body.data).toMatchObject({
      name: "改后",
      email: null,
      status: "probation",
      remark: "x",
      custom: { trained: "2024-01-02" },
    });
  });

  it(covers([employeeUpdate, employeeUpdateV3], "invalid"), async () => {
    for (const call of [employeeUpdate, employeeUpdateV3]) {
      const answer = await ask(call, { json: { name: "" } });
      expect([
        answer.status,
        Object.keys(answer.body.details?.["fields"] as object).sort(),
      ]).toEqual([400, ["id", "name"]]);
      const one = await create({ name: "一", employeeNo: `U-${call.id}-1` });
      const two = await create({ name: "二", employeeNo: `U-${call.id}-2` });
      const taken = await ask(call, { json: { id: two.id, employeeNo: one.employeeNo } });
      expect(fieldsOf(taken)).toEqual([409, { employeeNo: "已有在职员工使用" }]);
      expect((await ask(call, { json: { id: one.id, employeeNo: one.employeeNo } })).status).toBe(
        200,
      );
    }
  });

  it(
    covers([employeeDimission, employeeDimissionOld, employeeDimissionList], "success"),
    async () => {
      for (const call of [employeeDimission, employeeDimissionOld]) {
        const made = await create({ name: "离去", hireDate: "2020-01-01" });
        const before = page(await ask(employeeDimissionList)).total;
        const json = { id: made.id, dimissionDate: "2023-05-06", reason: "合同到期" };
        const gone = await ask(call, { json });
        expect(gone.body.data).toMatchObject({
          status: "off",
          dimissionDate: "2023-05-06",
          dimissionReason: "合同到期",
        });
        const again = await ask(call, { json: { id: made.id, dimissionDate: "2023-06-06" } });
        expect(again.body.data).toEqual(gone.body.data);
        const left = page(await ask(employeeDimissionList));
        expect([left.total, left.records[0]?.id]).toEqual([before + 1, made.id]);
      }
    },
  );

  it(covers([employeeDimission, employeeDimissionOld], "invalid"), async () => {
    const made = await create({ name: "留下", hireDate: "2020-01-01" });
    for (const call of [employeeDimission, employeeDimissionOld]) {
      for (const [dimissionDate, why] of [
        ["2019-12-31", "不能早于入职日期"],
        ["2199-01-01", "不能晚于今天"],
        ["2023-02-30", "日期不存在"],
      ]) {
        const answer = await ask(call, { json: { id: made.id, dimissionDate } });
        expect(fieldsOf(answer)).toEqual([400, { dimissionDate: why }]);
      }
      const self = await ask(call, { json: { id: "1" } });
      expect([self.status, self.body.msg]).toEqual([409, "不能为自己办理离职"]);
    }
  });

  it(covers(employeeDimissionList, "invalid"), async () => {
    const answer = await host.ask("GET", `${employeeDimissionList.path}?limit=0`, {
      token: tokens["admin"] ?? "",
      supplierId: "1",
    });
    expect([answer.status, Object.keys(answer.body.details?.["fields"] as object)]).toEqual([
      400,
      ["limit"],
    ]);
  });

  it(covers(employeeDelete, "success"), async () => {
    const made = await create({ name: "误建" });
    expect((await ask(employeeDelete, {}, made.id)).status).toBe(200);
    expect((await ask(employeeGet, {}, made.id)).status).toBe(404);
  });

  it(
    covers([employeeDelete, employeeGet], "invalid", "an employee with history stays"),
    async () => {
      const bound = await ask(employeeDelete, {}, "3");
      expect([bound.status, bound.body.msg]).toEqual([
        409,
        "该员工已绑定账号，不能删除，请办理离职",
      ]);
      for (const id of ["x", "0", "99999999999999999999"]) {
        for (const call of [employeeDelete, employeeGet])
          expect((await ask(call, {}, id)).status).toBe(404);
      }
    },
  );

  it(covers(employeeBindAccount, ["success", "invalid", "foreign"]), async () => {
    const [lina] = page(await ask(querySupplierEmployees, { json: { keyword: "李娜" } })).records;
    const bind = (employeeId: unknown, accountId: unknown) =>
      ask(employeeBindAccount, { json: { employeeId, accountId } });
    const account = lina?.accountId ?? "";
    const made = await create({ name: "李娜" });
    expect((await bind(made.id, account)).status).toBe(409);
    expect((await bind(lina?.id, null)).body.data).toMatchObject({
      accountId: null,
      userName: null,
    });
    expect((await bind(made.id, account)).body.data).toMatchObject({
      accountId: account,
      userName: "lina",
    });
    // An account that never had anything to do with the company.
    expect((await bind(lina?.id, "4")).status).toBe(404);
    expect(fieldsOf(await bind("", null))[0]).toBe(400);
    expect((await bind("1", null)).body.msg).toBe("不能解绑自己的账号");
  });
});

describe("Many employees", () => {
  it(covers(employeeCreateMany, "success"), async () => {
    const json = NAMES.map((name) => ({ name, idNumber: idNumber(), department: "批量部" }));
    const { ids } = (await ask(employeeCreateMany, { json })).body.data as { ids: string[] };
    expect(ids).toHaveLength(3);
    const found = page(await ask(querySupplierEmployees, { json: { department: "批量部" } }));
    expect(found.records.map((row) => [row.id, row.name])).toEqual(
      ids.map((id, i) => [id, NAMES[i]]),
    );
  });

  it(covers(employeeCreateMany, "invalid", "none when one is wrong"), async () => {
    const before = page(await ask(querySupplierEmployees, { json: {} })).total;
    const number = idNumber();
    const rows = [
      { name: "好", idNumber: number },
      { name: "重", idNumber: number },
      { name: "错", certificateType: "zz" },
    ];
    expect(fieldsOf(await ask(employeeCreateMany, { json: rows }))).toEqual([
      400,
      { "1.idNumber": "与第1行重复", "2.certificateType": "字典中没有这个值" },
    ]);
    const unread = await ask(employeeCreateMany, {
      json: [{ name: "好" }, { name: "", phone: "1" }],
    });
    expect(Object.keys(unread.body.details?.["fields"] as object)).toEqual(["1.name", "1.phone"]);
    for (const json of [[], Array.from({ length: 1001 }, () => ({ name: "多" }))]) {
      expect((await ask(employeeCreateMany, { json })).status).toBe(400);
    }
    expect(page(await ask(querySupplierEmployees, { json: {} })).total).toBe(before);
  });
});

describe("Searching", () => {
  const rule = (field: string, op: string, value?: unknown) => ({ field, op, value });
  const filter = async (rules: unknown[], logic = "and", more: object = {}) => {
    const json = { filter: { logic, rules }, limit: 100, ...more };
    const answer = await ask(advancedFiltering, { in: "2", json });
    expect(answer.body.msg).toBe("操作成功");
    return page(answer).records.map((row) => row.name);
  };
  beforeAll(async () => {
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
    expect((await ask(employeeCreateMany, { in: "2", json: people })).status).toBe(200);
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
        ask(advancedFiltering, { in: "2", json: { filter: { logic: "and", rules: [one] } } }),
      ),
    );
    expect(answers.map((one) => one.status)).toEqual(answers.map(() => 400));
    expect(answers[0]?.body.details).toEqual({
      fields: { "filter.rules.0.field": "没有这个字段" },
    });
    const deep = await ask(advancedFiltering, { in: "2", json: { filter: nest(5) } });
    expect(deep.status).toBe(200);
  });

  it(covers(querySupplierEmployees, "success", "counts stay exact while rows change"), async () => {
    const of = async (json: object) => page(await ask(querySupplierEmployees, { in: "2", json }));
    expect((await of({ keyword: "测绘" })).total).toBe(3);
    const made = await create({ name: "欧阳丁", department: "测绘部" }, "2");
    expect((await of({ keyword: "测绘" })).total).toBe(4);
    expect((await of({ keyword: "欧" })).total).toBe(3);
    expect((await of({ keyword: "测绘一" })).records.map((row) => row.name)).toEqual(["司马丙"]);
    expect((await of({ keyword: "OuYang" })).total).toBe(0);
    const all = (await of({})).total;
    await ask(employeeDimission, { in: "2", json: { id: made.id } });
    expect([(await of({})).total, (await of({ keyword: "测绘" })).total]).toEqual([all - 1, 3]);
    expect((await of({ state: "dimission", keyword: "丁" })).records.map((row) => row.id)).toEqual([
      made.id,
    ]);
    const ids = (await of({ limit: 1000 })).records.map((row) => row.id);
    for (const newest of [false, true]) {
      const seen: string[] = [];
      for (let cursor = 1; cursor <= Math.ceil(ids.length / 2); cursor += 1) {
        const json = { cursor, limit: 2, ...(newest ? { descParameter: "id" } : {}) };
        seen.push(...(await of(json)).records.map((row) => row.id));
      }
      expect(seen).toEqual(newest ? ids.toReversed() : ids);
    }
    expect(await of({ cursor: 1000 })).toMatchObject({ records: [], total: ids.length });
  });

  it(covers(querySupplierEmployees, "invalid"), async () => {
    const answer = await ask(querySupplierEmployees, { json: { state: "all", limit: 1001 } });
    expect([answer.status, Object.keys(answer.body.details?.["fields"] as object).sort()]).toEqual([
      400,
      ["limit", "state"],
    ]);
  });

  const download = (path: string, json: unknown, company: string) =>
    fetch(`${host.origin}/scm-supplier/api/sec/getExcelByJson2/${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${tokens["admin"]}`,
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
  });
});

describe("Invitations", () => {
  const invite = async (json: object = {}) =>
    (await ask(inviteEmployee, { json })).body.data as { link: string; expiresAt: string };
  const person = { name: "<b>新人", phone: "13900000009", idNumber: "11010519491231002X" };
  const post = (link: string, fields: Record<string, string>) =>
    fetch(host.origin + link, { method: "POST", body: new URLSearchParams(fields) });

  it(covers([inviteEmployee, applies], "success"), async () => {
    const { link, expiresAt } = await invite({ department: "安全管理部", expiresInHours: 2 });
    expect(Date.parse(expiresAt) - host.clock.now()).toBe(2 * 3_600_000);
    const shown = await fetch(host.origin + link);
    expect([shown.status, shown.headers.get("content-security-policy")]).toEqual([
      200,
      expect.stringContaining("default-src 'none'"),
    ]);
    expect(await shown.text()).toContain("华安物业服务有限公司");
    const wrong = await post(link, { ...person, phone: "1" });
    const text = await wrong.text();
    expect([wrong.status, text.includes("电话号码不正确"), text.includes("<b>新人")]).toEqual([
      400,
      true,
      false,
    ]);
    const done = await post(link, person);
    expect([done.status, (await done.text()).includes("请等待企业确认")]).toEqual([200, true]);
    for (const again of [await post(link, person), await fetch(host.origin + link)]) {
      expect([again.status, (await again.text()).includes("该邀请已被使用")]).toEqual([410, true]);
    }
    const list = (await ask(applies)).body.data as { records: Record<string, unknown>[] };
    const apply = list.records.at(-1) ?? {};
    expect(apply).toMatchObject({ name: "<b>新人", status: "pending", department: "安全管理部" });
    const made = await create({ name: "新人", idNumber: person.idNumber, applyId: apply["id"] });
    const after = (await ask(applies)).body.data as { records: Record<string, unknown>[] };
    expect(after.records.at(-1)).toMatchObject({ status: "approved", employeeId: made.id });
    const twice = await ask(employeeCreate, { json: { name: "新人", applyId: apply["id"] } });
    expect([twice.status, twice.body.msg]).toEqual([409, "该申请已处理"]);
  });

  it(covers(inviteEmployee, "invalid", "expired and forged links say so"), async () => {
    const answer = await ask(inviteEmployee, { json: { expiresInHours: 0 } });
    expect([answer.status, Object.keys(answer.body.details?.["fields"] as object)]).toEqual([
      400,
      ["expiresInHours"],
    ]);
    const { link } = await invite({ expiresInHours: 1 });
    for (const forged of [`/invite/2${link.slice("/invite/1".length)}`, "/invite/x", `${link}x`]) {
      const refused = await fetch(host.origin + forged);
      expect([refused.status, (await refused.text()).includes("邀请链接不正确")]).toEqual([
        404,
        true,
      ]);
    }
    host.clock.advance(3_600_000);
    const json = { headers: { accept: "application/json" } };
    const late = (await (await fetch(host.origin + link, json)).json()) as {
      msg: string;
      error: string;
    };
    expect([late.error, late.msg]).toEqual(["invite.closed", "该邀请已过期，请联系企业重新邀请"]);
    expect((await post(link, person)).status).toBe(410);
    for (const name of Object.keys(tokens)) tokens[name] = (await host.login(name)).access_token;
  });

  it(covers(applies, ["invalid", "refused", "foreign"]), async () => {
    const get = (as: string, query: string, company?: string) =>
      host.ask("GET", `${applies.path}?${query}`, {
        token: tokens[as] ?? "",
        ...(company === undefined ? {} : { supplierId: company }),
      });
    expect((await get("lina", "cursor=0")).status).toBe(400);
    expect((await host.ask("GET", applies.path)).status).toBe(401);
    expect((await get("lina", "applyAccountId=1")).status).toBe(403);
    expect(((await get("wangfang", "", "2")).body.data as { records: unknown[] }).records).toEqual(
      [],
    );
    const other = (await get("admin", "", "2")).body.data as { records: { supplierId: string }[] };
    expect(other.records.filter((row) => row.supplierId !== "2")).toEqual([]);
  });
});

describe("Documents", () => {
  let own = "";
  beforeAll(async () => {
    const { rows } = await host.platform.database.pool.query<{ id: string }>(
      `INSERT INTO inaugural_documents (company_id, employee_id, title)
       SELECT company_id, id, '安全承诺书' FROM employees WHERE account_id = (SELECT id FROM accounts WHERE username = 'wangfang')
       RETURNING id`,
    );
    own = rows[0]?.id ?? "";
  });

  it(covers([documentsList, documentsOwn], "success"), async () => {
    const listed = (await ask(documentsList, { in: "2", json: { keyword: "承诺" } })).body.data;
    const mine = (await ask(documentsOwn, { as: "wangfang", in: "2" })).body.data;
    for (const data of [listed, mine]) {
      expect((data as { records: unknown[] }).records).toContainEqual(
        expect.objectContaining({
          id: own,
          employeeName: "王芳",
          title: "安全承诺书",
          status: "pending",
        }),
      );
    }
  });

  it(covers([documentsList, documentsOwn], ["invalid", "foreign"]), async () => {
    expect((await ask(documentsList, { json: { status: "x" } })).status).toBe(400);
    expect((await ask(documentsOwn, { in: "" })).status).toBe(400);
    const ids = (
      (await ask(documentsList, { json: {} })).body.data as { records: { id: string }[] }
    ).records;
    expect(ids.map((row) => row.id)).not.toContain(own);
    const named = await ask(documentsList, { json: { employeeId: "x" } });
    expect((named.body.data as { total: number }).total).toBe(0);
  });

  it(covers(documentsOwn, "refused"), async () => {
    expect((await host.ask("GET", documentsOwn.path)).status).toBe(401);
    expect((await ask(documentsOwn, { as: "lina", in: "2" })).status).toBe(403);
  });
});

describe("Access", () => {
  it(
    covers(
      [
        advancedFiltering,
        documentsList,
        employeeBindAccount,
        employeeCreate,
        employeeCreateMany,
        employeeDelete,
        employeeDimission,
        employeeDimissionList,
        employeeDimissionOld,
        employeeExport,
        employeeGet,
        employeeUpdate,
        employeeUpdateV3,
        inviteEmployee,
        querySupplierEmployees,
      ],
      "refused",
    ),
    async () => {
      for (const call of ALL) {
        const path = call.path.replaceAll(/\{\w+\}/g, "1");
        const json = call.method === "POST" || call.method === "PUT" ? { json: {} } : {};
        expect((await host.ask(call.method, path, json)).status, call.id).toBe(401);
        for (const as of ["lina", "guest"]) {
          const answer = await host.ask(call.method, path, {
            token: tokens[as] ?? "",
            supplierId: "1",
            ...json,
          });
          expect([answer.status, answer.body.error], `${as} ${call.id}`).toEqual([
            403,
            "auth.forbidden",
          ]);
        }
      }
    },
  );

  it(
    covers(
      [
        employeeGet,
        employeeDelete,
        employeeUpdate,
        employeeUpdateV3,
        employeeDimission,
        employeeDimissionOld,
        employeeCreate,
      ],
      "foreign",
    ),
    async () => {
      const made = await create({ name: "他人", idNumber: idNumber() }, "2");
      const json = { id: made.id, name: "改" };
      for (const [call, id] of [
        [employeeGet, made.id],
        [employeeDelete, made.id],
        [employeeUpdate, ""],
        [employeeUpdateV3, ""],
        [employeeDimission, ""],
        [employeeDimissionOld, ""],
      ] as const) {
        const answer = await ask(call, call.method === "PUT" ? { json } : {}, id);
        expect([answer.status, answer.body.error], call.id).toEqual([404, "request.not-found"]);
      }
      // Numbers are unique within a company only, so the other company learns nothing.
      expect((await create({ name: "同号", idNumber: made.idNumber })).supplierId).toBe("1");
      expect((await ask(employeeGet, { in: "2" }, made.id)).body.data).toEqual(made);
    },
  );

  it(
    covers(
      [
        querySupplierEmployees,
        advancedFiltering,
        employeeDimissionList,
        employeeCreateMany,
        inviteEmployee,
      ],
      "foreign",
    ),
    async () => {
      const made = await create({ name: "独有名" }, "2");
      const rules = [{ field: "name", op: "contains", value: "独有名" }];
      expect(page(await ask(querySupplierEmployees, { json: { keyword: "独有名" } })).total).toBe(
        0,
      );
      expect(
        page(await ask(advancedFiltering, { json: { filter: { logic: "and", rules } } })).total,
      ).toBe(0);
      await ask(employeeDimission, { in: "2", json: { id: made.id } });
      expect(page(await ask(employeeDimissionList)).records.map((row) => row.id)).not.toContain(
        made.id,
      );
      for (const call of [employeeCreateMany, inviteEmployee]) {
        expect((await ask(call, { in: "9", json: {} })).status, call.id).toBe(403);
      }
    },
  );
});
