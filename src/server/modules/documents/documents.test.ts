import { and, desc, eq } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";
import { downloadCall, uploadCall } from "../../../shared/protocol/rest/files.ts";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { askingPlatform } from "../../asking.harness.ts";
import { auditRecords } from "../../base/database/schema/audit.ts";
import { unzip } from "../../base/xlsx/xlsx.harness.ts";
import { covers } from "../../covers.harness.ts";
import { whoMay } from "../../who-may.harness.ts";

const {
  documentsList,
  documentsOwn,
  documentsHandIn,
  documentsHandInOwn,
  documentsDecide,
  employeeList,
  employeeExport,
} = restCalls;
const ALL = [documentsList, documentsOwn, documentsHandIn, documentsHandInOwn, documentsDecide];
whoMay({
  "documents.list": "--+-",
  "documents.own": "++++",
  "documents.handIn": "--+-",
  "documents.handInOwn": "-+++",
  "documents.decide": "--+-",
});

const { ask, host, tokens } = askingPlatform(["admin", "lina", "zhangwei", "wangfang", "guest"]);
const CHANGE = documentsHandIn.path;
/** Two kinds of company 1. The people of the demo handed in the first one; the second one is missing for everybody. */
const kinds = { form: "", promise: "", health: "" };
let lina = "";

const upload = async (who: string, name = "扫描.pdf", company = "1"): Promise<string> => {
  const form = new FormData();
  form.append("file", new Blob(["%PDF-1.7\n%%EOF"]), name);
  const response = await fetch(`${host.origin}${uploadCall.path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${tokens[who]}`, "supplier-id": company },
    body: form,
  });
  const { fileName } = (await response.json()) as { fileName: string };
  return fileName;
};
const open = async (who: string, fileName: string, company = "1"): Promise<number> => {
  const { status } = await fetch(`${host.origin}${downloadCall.path}?fileName=${fileName}`, {
    headers: { authorization: `Bearer ${tokens[who]}`, "supplier-id": company },
  });
  return status;
};
const records = async (wanted: Readonly<Record<string, string>> = {}, company = "1") =>
  documentsList.data.parse(
    (await ask("POST", documentsList.path, { json: { limit: 1000, ...wanted }, in: company })).body
      .data,
  ).records;
const ofLina = async (kindId: string) =>
  (await records({ employeeId: lina })).find((one) => one.kindId === kindId);
const own = (json: unknown, as = "lina") => ask("POST", documentsHandInOwn.path, { json, as });
const handIn = (json: unknown, company = "1") => ask("POST", CHANGE, { json, in: company });
const decide = (json: unknown, company = "1") => ask("PUT", CHANGE, { json, in: company });
const said = ({ status, body }: Awaited<ReturnType<typeof ask>>) => [status, body.msg];
const fieldsOf = ({ status, body }: Awaited<ReturnType<typeof ask>>) => [
  status,
  body.details?.["fields"],
];

beforeAll(async () => {
  const { body } = await ask("GET", restCalls.documentKindList.path, {});
  const asked = restCalls.documentKindList.data.parse(body.data).records;
  kinds.form = asked.find(({ title }) => title === "入职登记表")?.id ?? "";
  kinds.promise = asked.find(({ title }) => title === "安全生产承诺书")?.id ?? "";
  const made = await ask("POST", restCalls.documentKindCreate.path, {
    json: { title: "健康证明", dated: true, sort: 9 },
  });
  kinds.health = restCalls.documentKindCreate.data.parse(made.body.data).id;
  const { rows } = await host.platform.database.pool.query<{ id: string }>(
    `SELECT e.id::text FROM employees e JOIN accounts a ON a.id = e.account_id
      WHERE a.username = 'lina' AND e.company_id = 1`,
  );
  lina = rows[0]?.id ?? "";
});

it(
  covers(ALL, "success", "handed in, refused with a reason, handed in again, accepted, expired"),
  async () => {
    expect(
      (await records({ employeeId: lina })).map(({ title, status }) => [title, status]),
    ).toEqual([
      ["入职登记表", "accepted"],
      ["安全生产承诺书", "missing"],
      ["健康证明", "missing"],
    ]);
    const first = await upload("lina", "健康证 1.pdf");
    const json = { kindId: kinds.health, fileNames: [first], expiresOn: "2099-01-31" };
    expect((await own(json)).status).toBe(200);
    const handed = await ofLina(kinds.health);
    expect(handed).toMatchObject({
      status: "handed",
      expiresOn: "2099-01-31",
      handedBy: "李娜",
      files: [{ fileName: first, originalName: "健康证 1.pdf" }],
    });
    const shown = await ask("GET", documentsOwn.path, { as: "lina" });
    expect(documentsOwn.data.parse(shown.body.data).records).toContainEqual(handed);
    const posted = await ask("POST", documentsList.path, { json: { status: "handed" } });
    expect(documentsList.data.parse(posted.body.data)).toMatchObject({
      total: 1,
      records: [handed],
    });

    const refusal = { employeeId: lina, kindId: kinds.health, seen: handed?.createTime ?? null };
    const reason = "照片看不清";
    expect((await decide({ ...refusal, status: "refused", reason })).status).toBe(200);
    expect(await ofLina(kinds.health)).toMatchObject({ status: "refused", reason });
    host.clock.advance(1000);
    const second = await upload("lina", "健康证 2.pdf");
    expect((await own({ ...json, fileNames: [second] })).status).toBe(200);
    expect(await open("lina", first), "what was handed in before is gone").toBe(404);
    const again = await ofLina(kinds.health);
    expect(again).toMatchObject({ status: "handed", reason: "" });
    const seen = again?.createTime ?? null;
    expect((await decide({ ...refusal, seen, status: "accepted" })).status).toBe(200);
    expect(await ofLina(kinds.health)).toMatchObject({ status: "accepted", decidedBy: "管理员" });
    await host.platform.database.pool.query(
      "UPDATE inaugural_documents SET expires_on = '2020-01-01' WHERE kind_id = $1",
      [kinds.health],
    );
    expect(await ofLina(kinds.health)).toMatchObject({ status: "expired" });
    expect((await records({ status: "expired" })).map(({ employeeId }) => employeeId)).toEqual([
      lina,
    ]);
    const [record] = await host.db
      .select()
      .from(auditRecords)
      .where(and(eq(auditRecords.entity, "inaugural-document"), eq(auditRecords.action, "refuse")))
      .orderBy(desc(auditRecords.id));
    expect(record).toMatchObject({ companyId: "1", after: { title: "健康证明", reason } });
    // An administrator hands in for the employee, or takes it on paper.
    const third = await upload("admin");
    const forLina = { employeeId: lina, kindId: kinds.health, fileNames: [third] };
    expect((await handIn({ ...forLina, expiresOn: "2099-01-31" })).status).toBe(200);
    expect(await ofLina(kinds.health)).toMatchObject({ status: "accepted", handedBy: "管理员" });
    const paper = { employeeId: lina, kindId: kinds.promise, status: "accepted", seen: null };
    expect((await decide(paper)).status).toBe(200);
    expect(await ofLina(kinds.promise)).toMatchObject({ status: "accepted", files: [] });
  },
);

it("A file of a document is read by its employee and those who may read the documents of all, and by no colleague", async () => {
  const fileName = await upload("zhangwei");
  expect(await open("lina", fileName), "before it is handed in").toBe(200);
  expect((await own({ kindId: kinds.promise, fileNames: [fileName] }, "zhangwei")).status).toBe(
    200,
  );
  expect(await open("zhangwei", fileName)).toBe(200);
  expect(await open("admin", fileName)).toBe(200);
  expect(await open("lina", fileName)).toBe(404);
  expect(await open("wangfang", fileName, "2")).toBe(404);
  expect(await open("zhangwei", `${fileName}&delete=true`)).toBe(200);
  expect(await open("zhangwei", fileName), "it goes with its document alone").toBe(200);
  // With the record of the employee the file is gone too.
  const { pool } = host.platform.database;
  await pool.query(
    `DELETE FROM inaugural_documents WHERE kind_id = $1 AND employee_id IN
      (SELECT e.id FROM employees e JOIN accounts a ON a.id = e.account_id WHERE a.username = 'zhangwei')`,
    [kinds.promise],
  );
  expect(await open("zhangwei", fileName)).toBe(404);
});

it("What somebody lacks of the required documents shows in the list of employees and in the export, to those who may read all data alone", async () => {
  const made = await ask("POST", restCalls.employeeCreate.path, { json: { name: "缺件人" } });
  const { id } = restCalls.employeeCreate.data.parse(made.body.data);
  const rowOf = async (as?: string) => {
    const path = `${employeeList.path}?keyword=${encodeURIComponent("缺件人")}`;
    const { body } = await ask("GET", path, as === undefined ? {} : { as });
    return employeeList.data.parse(body.data).records[0];
  };
  expect((await rowOf())?.lacked).toBe("入职登记表、安全生产承诺书、健康证明");
  expect(await rowOf("lina")).not.toHaveProperty("lacked");
  const paper = { employeeId: id, kindId: kinds.form, status: "accepted", seen: null };
  expect((await decide(paper)).status).toBe(200);
  expect((await rowOf())?.lacked).toBe("安全生产承诺书、健康证明");
  const path = employeeExport.path.replace("{a}", "employed").replace("{b}", "x");
  const response = await fetch(`${host.origin}${path}?dataIds=${id}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${tokens["admin"]}`,
      "supplier-id": "1",
      "content-type": "application/json",
    },
    body: JSON.stringify({ columns: [{ field: "name" }, { field: "lacked" }] }),
  });
  const parts = [...unzip(Buffer.from(await response.arrayBuffer())).values()].map(String);
  for (const text of ["缺少材料", "安全生产承诺书、健康证明"]) {
    expect(
      parts.some((part) => part.includes(text)),
      text,
    ).toBe(true);
  }
});

it("A document is asked of the people of its departments and of those below, and of those hired in its time", async () => {
  const department = async (name: string, parentId: string | null = null) => {
    const { body } = await ask("POST", restCalls.departmentCreate.path, {
      json: { parentId, name },
    });
    return restCalls.departmentCreate.data.parse(body.data);
  };
  const employee = async (name: string, departmentId: string, hireDate?: string) => {
    const json = { name, departmentId, ...(hireDate === undefined ? {} : { hireDate }) };
    const { body } = await ask("POST", restCalls.employeeCreate.path, { json });
    return restCalls.employeeCreate.data.parse(body.data).id;
  };
  const top = await department("高空作业部");
  const below = await department("吊篮班", top.id);
  const beside = await department("前台");
  await employee("甲上", top.id, "2026-05-01");
  const early = await employee("乙下", below.id, "2020-01-01");
  await employee("丙无", below.id);
  await employee("丁旁", beside.id, "2026-05-01");
  const { body } = await ask("POST", restCalls.documentKindCreate.path, {
    json: {
      title: "登高证",
      departmentIds: [top.id],
      hiredFrom: "2026-01-01",
      hiredTo: "2026-12-31",
    },
  });
  const kind = restCalls.documentKindCreate.data.parse(body.data);
  expect(kind).toMatchObject({ departmentIds: [top.id], hiredFrom: "2026-01-01" });
  const asked = async () =>
    (await records({ kindId: kind.id })).map(({ employeeName }) => employeeName).toSorted();
  const lack = async () => {
    const answer = await ask("GET", `${employeeList.path}?limit=1000`, {});
    return employeeList.data
      .parse(answer.body.data)
      .records.filter(({ lacked }) => lacked?.includes("登高证"))
      .map(({ name }) => name)
      .toSorted();
  };
  expect(await asked()).toEqual(["丙无", "甲上"]);
  expect(await lack()).toEqual(["丙无", "甲上"]);
  // What was handed in stays in the list of those who are not asked.
  const file = await upload("admin");
  expect((await handIn({ employeeId: early, kindId: kind.id, fileNames: [file] })).status).toBe(
    200,
  );
  expect(await asked()).toEqual(["丙无", "乙下", "甲上"]);

  // The order of a list is remembered, until a department moves.
  const move = async (of: typeof below, parentId: string) => {
    const json = { id: of.id, version: of.version, parentId };
    const answer = await ask("PUT", restCalls.departmentUpdate.path, { json });
    return restCalls.departmentUpdate.data.parse(answer.body.data);
  };
  const away = await move(below, beside.id);
  expect(await asked()).toEqual(["乙下", "甲上"]);
  const { id, version } = await move(away, top.id);
  expect(await asked()).toEqual(["丙无", "乙下", "甲上"]);

  const merge = { id, version, intoId: beside.id };
  const only = { id: kind.id, version: kind.version, departmentIds: [below.id] };
  expect((await ask("PUT", restCalls.documentKindUpdate.path, { json: only })).status).toBe(200);
  expect(await asked()).toEqual(["丙无", "乙下"]);
  expect(
    (await ask(restCalls.departmentMerge.method, restCalls.departmentMerge.path, { json: merge }))
      .status,
  ).toBe(200);
  expect(await asked()).toEqual(["丁旁", "丙无", "乙下"]);
  const [record] = await host.db
    .select()
    .from(auditRecords)
    .where(and(eq(auditRecords.entity, "document-kind"), eq(auditRecords.action, "update")))
    .orderBy(desc(auditRecords.id));
  expect(record).toMatchObject({
    before: { departments: "高空作业部" },
    after: { departments: "吊篮班" },
  });
  await host.platform.database.pool.query("DELETE FROM employees WHERE department_id = $1", [
    top.id,
  ]);
  const deleted = restCalls.departmentDelete.path.replace("{id}", top.id);
  expect((await ask("DELETE", deleted, {})).status).toBe(200);
  const kinds = await ask("GET", restCalls.documentKindList.path, {});
  expect(
    restCalls.documentKindList.data.parse(kinds.body.data).records.find((one) => one.id === kind.id)
      ?.departmentIds,
  ).toEqual([beside.id]);
  const removed = restCalls.documentKindDelete.path.replace("{id}", kind.id);
  expect((await ask("DELETE", removed, {})).status).toBe(200);
});

it("Who has left is asked for nothing; what was handed in is read at the employee, and changes no more", async () => {
  const made = await ask("POST", restCalls.employeeCreate.path, { json: { name: "离职人" } });
  const { id } = restCalls.employeeCreate.data.parse(made.body.data);
  const paper = { employeeId: id, kindId: kinds.form, status: "accepted", seen: null };
  await decide(paper);
  await ask("PUT", restCalls.employeeDimission.path, { json: { id } });
  expect((await records()).filter(({ employeeId }) => employeeId === id)).toEqual([]);
  expect((await records({ employeeId: id })).map(({ title }) => title)).toEqual(["入职登记表"]);
  expect(said(await decide({ ...paper, kindId: kinds.promise }))).toEqual([
    409,
    "该员工已离职，材料不能再更改",
  ]);
});

it("A document that the company no longer asks for stays at the employee under its title", async () => {
  const made = await ask("POST", restCalls.documentKindCreate.path, {
    json: { title: "学历证明" },
  });
  const { id: kindId } = restCalls.documentKindCreate.data.parse(made.body.data);
  await decide({ employeeId: lina, kindId, status: "accepted", seen: null });
  await ask("DELETE", `${restCalls.documentKindList.path}/${kindId}`, {});
  const kept = (await records({ employeeId: lina })).filter(({ title }) => title === "学历证明");
  expect(kept).toMatchObject([{ kindId: null, required: false, status: "accepted" }]);
});

it(covers(ALL, "invalid"), async () => {
  const file = await upload("lina");
  const foreign = await upload("admin");
  const json = { kindId: kinds.health, fileNames: [file], expiresOn: "2099-01-31" };
  const forLina = { employeeId: lina, ...json };
  const { createTime: seen } = (await ofLina(kinds.form)) ?? {};
  for (const [answer, wanted] of [
    [own({ ...json, fileNames: [] }, "zhangwei"), { fileNames: "请上传文件" }],
    [own({ ...json, fileNames: [foreign] }, "zhangwei"), { fileNames: "文件不存在，请重新上传" }],
    [handIn({ ...forLina, expiresOn: "1.1." }), { expiresOn: "日期不正确" }],
    [handIn({ ...forLina, fileNames: [foreign], expiresOn: null }), { expiresOn: "请填写有效期" }],
    [
      handIn({ ...forLina, fileNames: [foreign], expiresOn: "2000-01-01" }),
      { expiresOn: "有效期不能早于今天" },
    ],
    [
      decide({ employeeId: lina, kindId: kinds.form, status: "refused", seen }),
      { reason: "退回时须填写原因" },
    ],
  ] as const) {
    expect(fieldsOf(await answer)).toEqual([400, wanted]);
  }
  const wangwu = await ask("POST", restCalls.employeeCreate.path, { json: { name: "未交人" } });
  const { id } = restCalls.employeeCreate.data.parse(wangwu.body.data);
  const nothing = {
    employeeId: id,
    kindId: kinds.form,
    status: "refused",
    reason: "无",
    seen: null,
  };
  expect(said(await decide(nothing))).toEqual([409, "员工尚未提交该材料"]);
  const stale = { employeeId: lina, kindId: kinds.form, status: "accepted", seen: null };
  expect(said(await decide(stale))).toEqual([409, "该材料刚刚被更改，请重新查看"]);
  expect(said(await own({ kindId: kinds.form, fileNames: [file] }))).toEqual([
    409,
    "该材料已通过，不能再更改，请联系企业",
  ]);
  expect((await own({ ...json, kindId: "x" })).status).toBe(404);
  expect((await ask("POST", documentsList.path, { json: { status: "x" } })).status).toBe(400);
  expect((await ask("GET", documentsOwn.path, { in: "" })).status).toBe(400);
  expect(await records({ employeeId: "x" })).toEqual([]);
});

it(covers(ALL, "foreign"), async () => {
  const file = await upload("admin", "a.pdf", "2");
  const there = { employeeId: lina, kindId: kinds.form };
  expect((await handIn({ ...there, fileNames: [file] }, "2")).status).toBe(404);
  expect((await decide({ ...there, status: "accepted", seen: null }, "2")).status).toBe(404);
  expect(await records({ employeeId: lina }, "2")).toEqual([]);
  const posted = await ask("POST", documentsList.path, { json: { employeeId: lina }, in: "2" });
  expect(posted.body.data).toMatchObject({ total: 0 });
  expect((await ask("GET", documentsOwn.path, { as: "lina", in: "2" })).status).toBe(403);
  const json = { kindId: kinds.form, fileNames: [file] };
  const answer = await ask("POST", documentsHandInOwn.path, { json, as: "wangfang", in: "2" });
  expect(answer.status).toBe(404);
});

it(covers(ALL, "refused"), async () => {
  const json = { employeeId: lina, kindId: kinds.form, fileNames: ["x"], status: "accepted" };
  for (const [method, path] of [
    ["POST", documentsList.path],
    ["POST", CHANGE],
    ["PUT", CHANGE],
  ] as const) {
    expect([path, (await ask(method, path, { as: "lina", json })).status]).toEqual([path, 403]);
  }
  expect((await own({}, "guest")).status).toBe(403);
  expect((await host.ask("GET", documentsOwn.path)).status).toBe(401);
});
