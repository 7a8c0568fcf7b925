import { desc, eq } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { OWN_FIELDS_MOST } from "../../../shared/domain/own-fields.ts";
import { ownFieldSchema } from "../../../shared/protocol/rest/own-fields.ts";
import { auditRecords } from "../../base/database/schema/audit.ts";
import { covers } from "../../covers.harness.ts";
import { platformForTests } from "../../asking.harness.ts";
import { whoMay } from "../../who-may.harness.ts";

const {
  ownFieldList,
  ownFieldCreate,
  ownFieldUpdate,
  ownFieldDelete,
  employeeCreate,
  employeeGet,
  employeeList,
} = restCalls;
whoMay({
  "ownFields.list": "-+++",
  "ownFields.create": "--+-",
  "ownFields.update": "--+-",
  "ownFields.delete": "--+-",
});

const { host } = platformForTests();
let token: string;
let supplierId: string;
let other: string;
beforeAll(async () => {
  token = (await host.login("admin")).access_token;
  const { rows } = await host.platform.database.pool.query<{ id: string }>(
    "SELECT id::text FROM companies ORDER BY id",
  );
  // the demo has a field
  await host.platform.database.pool.query("DELETE FROM company_fields");
  [supplierId, other] = [rows[0]?.id ?? "", rows[1]?.id ?? ""];
});

type Given = Record<string, unknown>;
const ask = (method: string, path: string, json?: unknown, company = supplierId) =>
  host.ask(method, path, {
    token,
    supplierId: company,
    ...(json === undefined ? {} : { json }),
  });
const create = (json: Given, company = supplierId) =>
  ask("POST", ownFieldCreate.path, json, company);
const made = async (json: Given) => ownFieldSchema.parse((await create(json)).body.data);
const update = (json: Given, company = supplierId) =>
  ask("PUT", ownFieldUpdate.path, json, company);
const remove = (id: string, company = supplierId) =>
  ask("DELETE", ownFieldDelete.path.replace("{id}", id), undefined, company);
const list = async (query = "", company = supplierId) =>
  ownFieldList.data.parse(
    (await ask("GET", ownFieldList.path + query, undefined, company)).body.data,
  );
const fieldsOf = ({ body }: Awaited<ReturnType<typeof ask>>) =>
  (body.details?.["fields"] ?? {}) as Record<string, string>;

it(
  covers(
    [ownFieldList, ownFieldCreate, ownFieldUpdate, ownFieldDelete],
    "success",
    "employees have values in them, which go with the field",
  ),
  async () => {
    const weight = await made({ label: "体重", type: "number", sort: 2 });
    const shift = await made({ label: "班次", type: "dict", dictType: "gender", sort: 1 });
    expect(weight.key).toMatch(/^f[a-z0-9]{12}$/);
    expect((await list()).records.map(({ label }) => label)).toEqual(["班次", "体重"]);
    expect((await list("?keyword=体")).records).toEqual([weight]);
    expect((await list("?sort=-sort")).records.map(({ sort }) => sort)).toEqual([2, 1]);

    const renamed = await update({
      id: weight.id,
      version: 1,
      label: "体重（kg）",
      required: true,
    });
    expect(renamed.body.data).toMatchObject({ label: "体重（kg）", required: true, version: 2 });
    const without = await ask("POST", employeeCreate.path, { name: "赵一" });
    expect(fieldsOf(without)).toEqual({ [`custom.${weight.key}`]: "必填" });
    const custom = { [weight.key]: 61.5, [shift.key]: "1" };
    const hired = await ask("POST", employeeCreate.path, { name: "赵一", custom });
    expect(hired.status).toBe(200);
    const { id } = hired.body.data as { id: string };
    const page = employeeList.data.parse(
      (await ask("GET", `${employeeList.path}?keyword=赵一`)).body.data,
    );
    expect(page.records[0]?.custom).toEqual(custom);
    // Who may not read all data gets none of them.
    const staff = await host.ask("GET", `${employeeList.path}?keyword=赵一`, {
      token: (await host.login("lina")).access_token,
      supplierId,
    });
    expect(employeeList.data.parse(staff.body.data).records[0]).not.toHaveProperty("custom");
    const filter = encodeURIComponent(
      JSON.stringify({
        logic: "and",
        rules: [{ field: `custom.${weight.key}`, op: "gt", value: "60" }],
      }),
    );
    const found = await ask("GET", `${employeeList.path}?filter=${filter}`);
    expect(employeeList.data.parse(found.body.data).records.map(({ name }) => name)).toEqual([
      "赵一",
    ]);

    expect((await remove(weight.id)).status).toBe(200);
    const left = await ask("GET", employeeGet.path.replace("{id}", id));
    expect((left.body.data as { custom: unknown }).custom).toEqual({ [shift.key]: "1" });
    const [record] = await host.platform.database.db
      .select()
      .from(auditRecords)
      .where(eq(auditRecords.entity, "own-field"))
      .orderBy(desc(auditRecords.id))
      .limit(1);
    expect(record).toMatchObject({
      action: "delete",
      before: { label: "体重（kg）", employees: 1 },
    });
  },
);

it(covers([ownFieldCreate, ownFieldUpdate, ownFieldDelete, ownFieldList], "invalid"), async () => {
  const field = await made({ label: "工装尺码", type: "text" });
  // The name of another field, and that of a common one.
  for (const label of ["工装尺码", "姓名", "Phone"]) {
    const answer = await create({ label, type: "text" });
    expect([answer.status, fieldsOf(answer)]).toEqual([409, { label: `字段“${label}”已存在` }]);
  }
  expect(fieldsOf(await create({ label: " ", type: "colour" }))).toHaveProperty("label");
  expect(fieldsOf(await create({ label: "字典一", type: "dict" }))).toEqual({
    dictType: "请选择字典",
  });
  expect(fieldsOf(await create({ label: "字典二", type: "dict", dictType: "no_such" }))).toEqual({
    dictType: "没有这个字典，或字典没有数据",
  });
  expect(fieldsOf(await create({ label: "文本", type: "text", dictType: "gender" }))).toEqual({
    dictType: "只有字典类型的字段才能选择字典",
  });
  expect((await update({ id: field.id, version: 1, sort: 3 })).status).toBe(200);
  const stale = await update({ id: field.id, version: 1, label: "尺码" });
  expect([stale.status, stale.body.details?.["versions"]]).toMatchObject([
    409,
    { theirs: { sort: 3, version: 2 }, yours: { label: "尺码" } },
  ]);
  expect(fieldsOf(await update({ id: field.id, version: 0 }))).toHaveProperty("version");
  expect((await remove("x")).status).toBe(404);
  expect((await ask("GET", `${ownFieldList.path}?limit=0`)).status).toBe(400);
  const { total } = await list();
  for (let n = total; n < OWN_FIELDS_MOST; n += 1) await made({ label: `多${n}`, type: "text" });
  const last = await create({ label: "太多", type: "text" });
  expect([last.status, last.body.msg]).toEqual([409, "最多 30 个字段"]);
});

it(covers([ownFieldList, ownFieldCreate, ownFieldUpdate, ownFieldDelete], "foreign"), async () => {
  // A dictionary of one company is none of the other, and a name is taken in its company alone.
  await host.platform.database.pool.query(
    `INSERT INTO dict_data (company_id, dict_type, dict_label, dict_value)
     VALUES ($1, 'their_shift', '早', 'am')`,
    [supplierId],
  );
  const theirs = { label: "班次", type: "dict", dictType: "their_shift" };
  expect(fieldsOf(await create(theirs, other))).toEqual({
    dictType: "没有这个字典，或字典没有数据",
  });
  expect((await create({ label: "工装尺码", type: "text" }, other)).status).toBe(200);
  const [field] = (await list()).records;
  const { id = "" } = field ?? {};
  expect((await list("", other)).records.map((one) => one.id)).not.toContain(id);
  expect((await update({ id, version: field?.version, label: "外" }, other)).status).toBe(404);
  expect((await remove(id, other)).status).toBe(404);
  expect((await list()).records[0]).toEqual(field);
});

it(covers([ownFieldList, ownFieldCreate, ownFieldUpdate, ownFieldDelete], "refused"), async () => {
  const guest = (await host.login("guest")).access_token;
  const lina = (await host.login("lina")).access_token;
  const body = { id: "1", version: 1, label: "字段", type: "text" };
  for (const call of [ownFieldCreate, ownFieldUpdate, ownFieldDelete]) {
    const json = call.method === "DELETE" ? {} : { json: body };
    const path = call.path.replace("{id}", "1");
    const { status } = await host.ask(call.method, path, { token: lina, supplierId, ...json });
    expect([call.id, status]).toEqual([call.id, 403]);
  }
  const { status } = await host.ask("GET", ownFieldList.path, { token: guest, supplierId });
  expect(status).toBe(403);
});
