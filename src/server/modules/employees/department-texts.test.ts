/** One rule for the text of a department, whether it comes by REST, by a file or in an invitation (docs/server.md#departments). */
import { beforeAll, expect, it } from "vitest";
import { type EmployeeDetail, restCalls } from "../../../shared/protocol/rest/index.ts";
import { platformForTests } from "../../asking.harness.ts";
import { createJob, keyOf, person, sendChunk, toChunk } from "../imports/chunks.harness.ts";

const { host } = platformForTests();
let token: string;
beforeAll(async () => {
  token = (await host.login("admin")).access_token;
  await host.platform.database.pool.query(
    `WITH one AS (INSERT INTO departments (company_id, name) VALUES (1, '星部') RETURNING id),
      two AS (INSERT INTO departments (company_id, name) VALUES (1, '月部') RETURNING id)
     INSERT INTO departments (company_id, parent_id, name)
       SELECT 1, id, '一组' FROM one UNION ALL SELECT 1, id, '一组' FROM two`,
  );
});

const ask = async (
  call: { readonly method: string; readonly path: string },
  json: unknown,
  supplierId = "1",
) => {
  const { status, body } = await host.ask(call.method, call.path, { token, supplierId, json });
  return { status, fields: body.details?.["fields"], data: body.data as EmployeeDetail };
};
const NO_STAR = "没有名为“彗星部”的部门";
const WORDS = {
  彗星部: NO_STAR,
  "星部/二组": "部门“星部”下没有“二组”",
  一组: "有多个部门叫“一组”，请写出上级部门，如“总部/一组”",
};

it.each(Object.entries(WORDS))(
  "The text %s is refused by REST, in a list, in an invitation and in a chunk, with the words of the check",
  async (department, message) => {
    const one = await ask(restCalls.employeeCreate, { name: "甲", department });
    expect([one.status, one.fields]).toEqual([400, { department: message }]);
    const many = await ask(restCalls.employeeCreateMany, [
      { name: "甲" },
      { name: "乙", department },
    ]);
    expect([many.status, many.fields]).toEqual([400, { "1.department": message }]);
    const invited = await ask(restCalls.inviteEmployee, { department, expiresInHours: 1 });
    expect([invited.status, invited.fields]).toEqual([400, { department: message }]);

    const sender = { platform: host, token, supplierId: "1" };
    const fields = ["name", "idNumber", "department"];
    const at = 400 + Object.keys(WORDS).indexOf(department) * 10;
    const rows = [
      { ...person(at), department },
      { ...person(at + 1), department: "星部 > 一组" },
    ];
    const job = await createJob(sender, keyOf(at), 2, { fields });
    const sent = await sendChunk(sender, job.data.id, 0, toChunk(rows, fields));
    expect(sent.data).toMatchObject({ created: 1, refusals: [{ field: "department", message }] });
    const { rows: stored } = await host.platform.database.pool.query(
      "SELECT department, department_id IS NOT NULL AS known FROM employees WHERE id_number = $1",
      [person(at + 1)["idNumber"]],
    );
    expect(stored).toEqual([{ department: "一组", known: true }]);
  },
);

it("An employee keeps a text from before with other changes, and gets no other unknown one", async () => {
  const { data: made } = await ask(restCalls.employeeCreate, { name: "丙", department: "星部" });
  expect(made).toMatchObject({ department: "星部", departmentId: expect.any(String) });
  await host.platform.database.pool.query(
    "UPDATE employees SET department = '旧部', department_id = NULL WHERE id = $1",
    [made.id],
  );
  const change = async (values: object) => {
    const { rows } = await host.platform.database.pool.query<{ version: number }>(
      "SELECT version FROM employees WHERE id = $1",
      [made.id],
    );
    return ask(restCalls.employeeUpdate, { id: made.id, version: rows[0]?.version, ...values });
  };
  const same = { department: "旧部", departmentId: null };
  expect((await change({ position: "岗", ...same })).data).toMatchObject({
    position: "岗",
    ...same,
  });
  expect((await change({ position: "位", department: "旧部" })).data).toMatchObject(same);
  expect((await change({ department: "彗星部" })).fields).toEqual({ department: NO_STAR });
  expect((await change({ department: "月部/一组" })).data).toMatchObject({
    department: "一组",
    departmentId: expect.any(String),
  });
  expect((await change({ department: null })).data).toMatchObject({
    department: null,
    departmentId: null,
  });
});

it("A company without departments takes the text as it is", async () => {
  await host.platform.database.pool.query(
    "WITH free AS (UPDATE employees SET department_id = NULL WHERE company_id = 2) DELETE FROM departments WHERE company_id = 2",
  );
  const { status, data } = await ask(
    restCalls.employeeCreate,
    { name: "丁", department: "彗星部", custom: {} },
    "2",
  );
  expect([status, data]).toEqual([
    200,
    expect.objectContaining({ department: "彗星部", departmentId: null }),
  ]);
});
