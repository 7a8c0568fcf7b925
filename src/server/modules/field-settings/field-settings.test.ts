import { desc, eq } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";
import type { FieldSetting, FieldSubject } from "../../../shared/domain/fields-in-use.ts";
import {
  type FieldSettings,
  fieldSettingsSchema,
} from "../../../shared/protocol/rest/field-settings.ts";
import {
  type ImportContext,
  type RestCall,
  restCalls,
} from "../../../shared/protocol/rest/index.ts";
import { auditRecords } from "../../base/database/schema/audit.ts";
import { readXlsx } from "../../base/xlsx/xlsx.harness.ts";
import { covers } from "../../covers.harness.ts";
import { platformForTests } from "../../asking.harness.ts";
import { refusedBy, whoMay } from "../../who-may.harness.ts";
import {
  ask as send,
  createJob,
  idNumberOf,
  keyOf,
  sendChunk,
  toChunk,
} from "../imports/chunks.harness.ts";

const { fieldSettingsGet, fieldSettingsSave, ownFieldCreate, ownFieldDelete } = restCalls;
const { employeeCreate, employeeUpdate, employeeGet, employeeExport } = restCalls;
const { importContext, importRefusals, companyProfile, companyProfileUpdate } = restCalls;
const MAY = whoMay({ "fieldSettings.get": "-+++", "fieldSettings.save": "--+-" });

const { host } = platformForTests();
let token: string;
let supplierId: string;
let other: string;
beforeAll(async () => {
  token = (await host.login("admin")).access_token;
  const { pool } = host.platform.database;
  const { rows } = await pool.query<{ id: string }>("SELECT id::text FROM companies ORDER BY id");
  [supplierId, other] = [rows[0]?.id ?? "", rows[1]?.id ?? ""];
  // the demo has a field
  await pool.query("DELETE FROM company_fields");
});

const ask = (
  call: RestCall,
  { in: company = supplierId, by = token, json, ...params }: Record<string, unknown> = {},
) =>
  host.ask(
    call.method,
    call.path.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name])),
    {
      token: by as string,
      supplierId: company as string,
      ...(json === undefined ? {} : { json }),
    },
  );
const fieldsOf = ({ body }: Awaited<ReturnType<typeof ask>>) =>
  (body.details?.["fields"] ?? {}) as Record<string, string>;
const read = async (subject: FieldSubject = "employee", company = supplierId) =>
  fieldSettingsSchema.parse((await ask(fieldSettingsGet, { subject, in: company })).body.data);
const save = (json: unknown, subject: FieldSubject = "employee", company = supplierId) =>
  ask(fieldSettingsSave, { subject, json, in: company });
/** The settings as they are, but for some fields. */
const changed = (
  { version, fields }: FieldSettings,
  parts: Readonly<Record<string, Partial<FieldSetting>>>,
): FieldSettings => ({
  version,
  fields: fields.map((one) => ({ ...one, ...parts[one.key] })),
});
const set = async (
  parts: Readonly<Record<string, Partial<FieldSetting>>>,
  subject: FieldSubject = "employee",
) => {
  const answer = await save(changed(await read(subject), parts), subject);
  expect(answer.status).toBe(200);
};
const all = { used: true, required: false };
const hire = (json: unknown) => ask(employeeCreate, { json });

it(
  covers([fieldSettingsGet, fieldSettingsSave], "success", "with the order, and an audit record"),
  async () => {
    const made = await ask(ownFieldCreate, { json: { label: "鞋码", type: "number" } });
    const own = `custom.${(made.body.data as { key: string }).key}`;
    const before = await read();
    expect(before.fields.filter(({ required }) => required)).toEqual([
      { key: "name", used: true, required: true },
    ]);
    expect(before.fields.at(-1)).toEqual({ key: own, ...all });
    const wanted = changed(before, { gender: { used: false }, [own]: { required: true } });
    const [first, ...rest] = wanted.fields;
    const answer = await save({ ...wanted, fields: [...rest, first] });
    const after = fieldSettingsSchema.parse(answer.body.data);
    expect(after).toEqual({ version: before.version + 1, fields: [...rest, first] });
    expect(await read()).toEqual(after);
    // The own field's record says it too.
    const hired = await hire({ name: "钱一" });
    expect(fieldsOf(hired)).toEqual({ [own]: "必填" });
    const [record] = await host.platform.database.db
      .select()
      .from(auditRecords)
      .where(eq(auditRecords.entity, "employee-fields"))
      .orderBy(desc(auditRecords.id))
      .limit(1);
    expect(record).toMatchObject({
      action: "update",
      before: { unused: [], required: ["name"] },
      after: { unused: ["gender"], required: ["name", own] },
    });
    // The same once more changes nothing.
    expect((await save(after)).body.data).toEqual(after);
    // A field that goes makes older settings stale.
    const { id } = made.body.data as { id: string };
    expect((await ask(ownFieldDelete, { id })).status).toBe(200);
    expect((await save(after)).status).toBe(409);
    const now = await read();
    expect(now.fields.map(({ key }) => key)).not.toContain(own);
    expect(now.fields.find(({ key }) => key === "gender")?.used).toBe(false);
    const { fields } = changed(now, { gender: all });
    await save({ ...now, fields: [fields.at(-1), ...fields.slice(0, -1)] });
  },
);

it(covers([fieldSettingsGet, fieldSettingsSave], "invalid"), async () => {
  expect((await ask(fieldSettingsGet, { subject: "x" })).status).toBe(400);
  const now = await read();
  const stale = await save({ ...now, version: now.version + 1 });
  expect([stale.status, stale.body.details?.["versions"]]).toMatchObject([
    409,
    { theirs: { version: now.version } },
  ]);
  for (const fields of [now.fields.slice(1), [...now.fields, now.fields[0]!]]) {
    expect(fieldsOf(await save({ ...now, fields }))).toEqual({
      fields: "须列出全部字段，每个一次",
    });
  }
  for (const [key, part, why] of [
    ["name", { used: false }, "系统以姓名识别员工"],
    ["name", { required: false }, "系统以姓名识别员工"],
    ["phone", { used: false }, "邀请和账号绑定需要手机号"],
    ["status", { required: true }, "不填写时为在职"],
  ] as const) {
    const answer = await save(changed(now, { [key]: part }));
    expect([answer.status, answer.body.msg, fieldsOf(answer)]).toEqual([400, why, { [key]: why }]);
  }
  const company = await read("company");
  expect(
    fieldsOf(await save(changed(company, { creditCode: { used: false } }), "company")),
  ).toHaveProperty("creditCode");
  expect(await read()).toEqual(now);
});

it(covers([fieldSettingsGet, fieldSettingsSave], "foreign"), async () => {
  const theirs = await read("employee", other);
  await set({ email: { used: false, required: false } });
  expect(await read("employee", other)).toEqual(theirs);
  // Neither the version nor the fields of one company are those of another.
  await ask(ownFieldCreate, { json: { label: "工服", type: "text" }, in: other });
  expect((await read()).fields.some(({ key }) => key.startsWith("custom."))).toBe(false);
  expect((await read("employee", other)).version).toBe(theirs.version + 1);
  await set({ email: all });
});

it(covers([fieldSettingsGet, fieldSettingsSave], "refused"), async () => {
  const now = await read();
  for (const name of refusedBy(MAY["fieldSettings.get"])) {
    const by = (await host.login(name)).access_token;
    expect((await ask(fieldSettingsGet, { subject: "employee", by })).status).toBe(403);
  }
  for (const name of refusedBy(MAY["fieldSettings.save"])) {
    const by = (await host.login(name)).access_token;
    const answer = await ask(fieldSettingsSave, { subject: "employee", by, json: now });
    expect(answer.status).toBe(403);
  }
});

it("A required field is asked for in new employees, and in changes of it alone", async () => {
  await set({
    position: { required: true },
    birthday: { required: true },
    department: { required: true },
  });
  expect(fieldsOf(await hire({ name: "孙一", position: " " }))).toEqual({
    position: "请填写岗位",
    birthday: "请填写出生日期",
    department: "请填写部门",
  });
  // The ID number says the birthday.
  const given = { name: "孙一", position: "电工", department: "安全管理部" };
  const hired = await hire({ ...given, idNumber: idNumberOf(77_001) });
  expect(hired.status).toBe(200);
  const { id, version } = hired.body.data as { id: string; version: number };
  const update = (json: object) => ask(employeeUpdate, { json: { id, version, ...json } });
  expect(fieldsOf(await update({ position: null }))).toEqual({ position: "请填写岗位" });
  expect(fieldsOf(await update({ departmentId: null, department: "" }))).toEqual({
    department: "请填写部门",
  });
  expect((await update({ remark: "无关" })).status).toBe(200);
  await set({ position: all, birthday: all, department: all });
});

it("Values of an unused field stay, changes without it do not erase them, and nobody asks for it", async () => {
  const hired = await hire({ name: "李一", email: "li@example.com" });
  const { id, version } = hired.body.data as { id: string; version: number };
  await set({ email: { used: false, required: true } });
  const json = { id, version, position: "门卫" };
  expect((await ask(employeeUpdate, { json })).status).toBe(200);
  expect((await hire({ name: "李二" })).status).toBe(200);
  const kept = await ask(employeeGet, { id });
  expect(kept.body.data).toMatchObject({ email: "li@example.com", position: "门卫" });
  await set({ email: all });
});

it("An export has the columns in use, in the company's order", async () => {
  const exported = async (json: object) => {
    const path = employeeExport.path.replace("{a}", "employed").replace("{b}", "x");
    const response = await fetch(host.origin + path, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "supplier-id": supplierId,
        "content-type": "application/json",
      },
      body: JSON.stringify(json),
    });
    return (await readXlsx(Buffer.from(await response.arrayBuffer())))[0] ?? [];
  };
  expect((await exported({})).slice(0, 3)).toEqual(["工号", "姓名", "性别"]);
  const { version, fields } = changed(await read(), { gender: { used: false } });
  const [employeeNo, ...rest] = fields;
  await save({ version, fields: [...rest, employeeNo] });
  const columns = await exported({});
  expect(columns.slice(0, 2)).toEqual(["姓名", "身份证号"]);
  expect(columns).toContain("工号");
  expect(columns).not.toContain("性别");
  expect(await exported({ columns: [{ field: "gender" }, { field: "name" }] })).toEqual(["姓名"]);
  await set({ gender: all });
});

it("An import takes no column of an unused field, and refuses a row without a required value", async () => {
  const sender = { platform: host, token, supplierId };
  await set({ email: { used: false }, position: { required: true }, gender: { required: true } });
  const context = await send<ImportContext>(sender, importContext);
  expect(context.data.fields).toEqual((await read()).fields);
  const refused = await createJob(sender, keyOf(1), 2, { fields: ["name", "email"] });
  expect(refused.fields).toEqual({ fields: "企业未使用这些字段：电子邮箱" });
  const fields = ["name", "idNumber", "position"];
  const job = await createJob(sender, keyOf(2), 3, { fields });
  const rows = [
    { name: "周一", position: "保安", idNumber: idNumberOf(88_001) },
    { name: "周二", idNumber: idNumberOf(88_002) },
    { name: "周三", position: "保安" },
  ];
  const chunk = await sendChunk(sender, job.data.id, 0, toChunk(rows, fields));
  expect(chunk.data).toMatchObject({ created: 1, refused: 2 });
  const list = await send<{ records: unknown[] }>(sender, importRefusals, { id: job.data.id });
  expect(list.data.records).toEqual([
    { row: 3, field: "position", message: "请填写岗位" },
    { row: 4, field: "gender", message: "请填写性别" },
  ]);
  await set({ email: all, position: all, gender: all });
});

it("A required field of the company's record cannot be emptied", async () => {
  await set({ address: { used: true, required: true } }, "company");
  const update = async (json: object) => {
    const { version } = (await ask(companyProfile)).body.data as { version: number };
    return ask(companyProfileUpdate, { json: { version, ...json } });
  };
  expect((await update({ address: "人民路 1 号" })).status).toBe(200);
  expect(fieldsOf(await update({ address: "" }))).toEqual({ address: "请填写地址" });
  expect((await update({ shortName: "" })).status).toBe(200);
});
