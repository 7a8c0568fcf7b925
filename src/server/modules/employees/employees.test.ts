import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { covers } from "../../covers.harness.ts";
import { type EmployeeDetail, restCalls } from "../../../shared/protocol/rest/index.ts";
import { fieldsOf, page, startEmployees, type EmployeesWorld } from "./employees.harness.ts";

const {
  employeeBindAccount,
  employeeCreate,
  employeeCreateMany,
  employeeDelete,
  employeeDimission,
  employeeDimissionList,
  employeeDimissionOld,
  employeeGet,
  employeeUpdate,
  employeeUpdateV3,
  querySupplierEmployees,
} = restCalls;

let world: EmployeesWorld;
beforeAll(async () => {
  world = await startEmployees();
}, 60_000);
afterAll(() => world.host.close());

const NAMES = ["甄一", "甄二", "甄三"];

describe("One employee", () => {
  it(covers([employeeCreate, employeeGet], "success"), async () => {
    const number = world.idNumber("19880229");
    const made = await world.create({
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
    expect((await world.ask(employeeGet, {}, made.id)).body.data).toEqual(made);
    const { rows } = await world.host.platform.database.pool.query(
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
    const answer = await world.ask(employeeCreate, { json: wrong });
    expect([answer.status, Object.keys(answer.body.details?.["fields"] as object).sort()]).toEqual([
      400,
      ["birthday", "email", "idNumber", "name", "phone"],
    ]);
    const given = { name: "某", certificateType: "zz", departmentId: "999", custom: { nope: 1 } };
    expect(fieldsOf(await world.ask(employeeCreate, { json: given }))).toEqual([
      400,
      {
        certificateType: "字典中没有这个值",
        departmentId: "没有这个部门",
        "custom.nope": "没有这个字段",
      },
    ]);
    const own = { grade: "甲", trained: "2024-02-30", school: "99" };
    expect(
      fieldsOf(await world.ask(employeeCreate, { in: "2", json: { name: "某", custom: own } })),
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
      const number = world.idNumber();
      const first = await world.create({ name: "前任", idNumber: number, employeeNo: "N-1" });
      const again = await world.ask(employeeCreate, { json: { name: "后任", idNumber: number } });
      expect([again.status, again.body.msg, again.body.details?.["fields"]]).toEqual([
        409,
        "身份证号已有在职员工使用",
        { idNumber: "已有在职员工使用" },
      ]);
      await world.ask(employeeDimission, { json: { id: first.id } });
      expect(
        (await world.create({ name: "后任", idNumber: number, employeeNo: "N-1" })).employeeNo,
      ).toBe("N-1");
    },
  );

  it(covers([employeeUpdate, employeeUpdateV3], "success"), async () => {
    const made = await world.create({ name: "改前", remark: "x", custom: { grade: 1 } }, "2");
    for (const [call, version, json] of [
      [
        employeeUpdate,
        1,
        { name: "改后", email: "a@example.com", custom: { trained: "2024-01-02" } },
      ],
      [employeeUpdateV3, 2, { email: null, status: "probation", custom: { grade: null } }],
    ] as const) {
      const change = { id: made.id, version, ...json };
      expect((await world.ask(call, { in: "2", json: change })).status).toBe(200);
    }
    expect((await world.ask(employeeGet, { in: "2" }, made.id)).body.data).toMatchObject({
      name: "改后",
      email: null,
      status: "probation",
      remark: "x",
      custom: { trained: "2024-01-02" },
    });
  });

  it(covers([employeeUpdate, employeeUpdateV3], "invalid"), async () => {
    for (const call of [employeeUpdate, employeeUpdateV3]) {
      const answer = await world.ask(call, { json: { name: "" } });
      expect([
        answer.status,
        Object.keys(answer.body.details?.["fields"] as object).sort(),
      ]).toEqual([400, ["id", "name", "version"]]);
      const one = await world.create({ name: "一", employeeNo: `U-${call.id}-1` });
      const two = await world.create({ name: "二", employeeNo: `U-${call.id}-2` });
      const json = { id: two.id, version: 1, employeeNo: one.employeeNo };
      const taken = await world.ask(call, { json });
      expect(fieldsOf(taken)).toEqual([409, { employeeNo: "已有在职员工使用" }]);
      expect((await world.ask(call, { json: { ...json, id: one.id } })).status).toBe(200);
    }
  });

  it(
    covers([employeeDimission, employeeDimissionOld, employeeDimissionList], "success"),
    async () => {
      for (const call of [employeeDimission, employeeDimissionOld]) {
        const made = await world.create({ name: "离去", hireDate: "2020-01-01" });
        const before = page(await world.ask(employeeDimissionList)).total;
        const json = { id: made.id, dimissionDate: "2023-05-06", reason: "合同到期" };
        const gone = await world.ask(call, { json });
        expect(gone.body.data).toMatchObject({
          status: "off",
          dimissionDate: "2023-05-06",
          dimissionReason: "合同到期",
        });
        const again = await world.ask(call, { json: { id: made.id, dimissionDate: "2023-06-06" } });
        expect(again.body.data).toEqual(gone.body.data);
        const left = page(await world.ask(employeeDimissionList));
        expect([left.total, left.records[0]?.id]).toEqual([before + 1, made.id]);
      }
    },
  );

  it(covers([employeeDimission, employeeDimissionOld], "invalid"), async () => {
    const made = await world.create({ name: "留下", hireDate: "2020-01-01" });
    for (const call of [employeeDimission, employeeDimissionOld]) {
      for (const [dimissionDate, why] of [
        ["2019-12-31", "不能早于入职日期"],
        ["2199-01-01", "不能晚于今天"],
        ["2023-02-30", "日期不存在"],
      ]) {
        const answer = await world.ask(call, { json: { id: made.id, dimissionDate } });
        expect(fieldsOf(answer)).toEqual([400, { dimissionDate: why }]);
      }
      const self = await world.ask(call, { json: { id: "1" } });
      expect([self.status, self.body.msg]).toEqual([409, "不能为自己办理离职"]);
    }
  });

  it(covers(employeeDimissionList, "invalid"), async () => {
    const answer = await world.host.ask("GET", `${employeeDimissionList.path}?limit=0`, {
      token: world.tokens["admin"] ?? "",
      supplierId: "1",
    });
    expect([answer.status, Object.keys(answer.body.details?.["fields"] as object)]).toEqual([
      400,
      ["limit"],
    ]);
  });

  it(covers(employeeDelete, "success"), async () => {
    const made = await world.create({ name: "误建" });
    expect((await world.ask(employeeDelete, {}, made.id)).status).toBe(200);
    expect((await world.ask(employeeGet, {}, made.id)).status).toBe(404);
  });

  it(
    covers([employeeDelete, employeeGet], "invalid", "an employee with history stays"),
    async () => {
      const bound = await world.ask(employeeDelete, {}, "3");
      expect([bound.status, bound.body.msg]).toEqual([
        409,
        "该员工已绑定账号，不能删除，请办理离职",
      ]);
      for (const id of ["x", "0", "99999999999999999999"]) {
        for (const call of [employeeDelete, employeeGet])
          expect((await world.ask(call, {}, id)).status).toBe(404);
      }
    },
  );

  it(covers(employeeBindAccount, ["success", "invalid", "foreign"]), async () => {
    const [lina] = page(
      await world.ask(querySupplierEmployees, { json: { keyword: "李娜" } }),
    ).records;
    const bind = async (employeeId: string, accountId: unknown) => {
      const { body } = await world.ask(employeeGet, {}, employeeId === "" ? "1" : employeeId);
      const { version } = body.data as EmployeeDetail;
      return world.ask(employeeBindAccount, { json: { employeeId, accountId, version } });
    };
    const account = lina?.accountId ?? "";
    const made = await world.create({ name: "李娜" });
    expect((await bind(made.id, account)).status).toBe(409);
    expect((await bind(lina?.id ?? "", null)).body.data).toMatchObject({
      accountId: null,
      userName: null,
    });
    expect((await bind(made.id, account)).body.data).toMatchObject({
      accountId: account,
      userName: "lina",
    });
    // An account that never had anything to do with the company.
    expect((await bind(lina?.id ?? "", "4")).status).toBe(404);
    expect(fieldsOf(await bind("", null))[0]).toBe(400);
    expect((await bind("1", null)).body.msg).toBe("不能解绑自己的账号");
  });
});

describe("Many employees", () => {
  it(covers(employeeCreateMany, "success"), async () => {
    await world.host.platform.database.pool.query(
      "INSERT INTO departments (company_id, name) VALUES (1, '批量部')",
    );
    const json = NAMES.map((name) => ({ name, idNumber: world.idNumber(), department: "批量部" }));
    const { ids } = (await world.ask(employeeCreateMany, { json })).body.data as { ids: string[] };
    expect(ids).toHaveLength(3);
    const found = page(await world.ask(querySupplierEmployees, { json: { department: "批量部" } }));
    expect(found.records.map((row) => [row.id, row.name])).toEqual(
      ids.map((id, i) => [id, NAMES[i]]),
    );
  });

  it(covers(employeeCreateMany, "invalid", "none when one is wrong"), async () => {
    const before = page(await world.ask(querySupplierEmployees, { json: {} })).total;
    const number = world.idNumber();
    const rows = [
      { name: "好", idNumber: number },
      { name: "重", idNumber: number },
      { name: "错", certificateType: "zz" },
    ];
    expect(fieldsOf(await world.ask(employeeCreateMany, { json: rows }))).toEqual([
      400,
      { "1.idNumber": "与第1行重复", "2.certificateType": "字典中没有这个值" },
    ]);
    const unread = await world.ask(employeeCreateMany, {
      json: [{ name: "好" }, { name: "", phone: "1" }],
    });
    expect(Object.keys(unread.body.details?.["fields"] as object)).toEqual(["1.name", "1.phone"]);
    for (const json of [[], Array.from({ length: 1001 }, () => ({ name: "多" }))]) {
      expect((await world.ask(employeeCreateMany, { json })).status).toBe(400);
    }
    expect(page(await world.ask(querySupplierEmployees, { json: {} })).total).toBe(before);
  });
});
