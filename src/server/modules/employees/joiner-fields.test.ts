/** What a company requires of its employees is asked of who joins by an invitation (docs/server.md#invitations). */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { FieldSettings } from "../../../shared/protocol/rest/field-settings.ts";
import { type RestCall, restCalls } from "../../../shared/protocol/rest/index.ts";
import { idNumberOf } from "../imports/chunks.harness.ts";
import { type InvitationsWorld, startInvitations } from "./invitations.harness.ts";

const { appliesCall, decide, fieldsGet, fieldsSave, ownCreate } = {
  appliesCall: restCalls.applies,
  decide: restCalls.decideMembership,
  fieldsGet: restCalls.fieldSettingsGet,
  fieldsSave: restCalls.fieldSettingsSave,
  ownCreate: restCalls.ownFieldCreate,
};

let world: InvitationsWorld;
let own = "";
beforeAll(async () => {
  world = await startInvitations();
  await query("DELETE FROM company_fields");
  const made = await world.ask(ownCreate, { json: { label: "鞋码", type: "number" } });
  own = `custom.${(made.body.data as { key: string }).key}`;
}, 60_000);
afterAll(() => world.host.close());
beforeEach(() => requireFields("gender", "email", "position", own));

const query = (text: string, values: unknown[] = []) =>
  world.host.platform.database.pool.query<Record<string, unknown>>(text, values);
/** Makes these fields, and the name, the required ones. */
async function requireFields(...keys: readonly string[]): Promise<void> {
  const fieldsOf = (call: RestCall, options = {}) =>
    world.ask({ ...call, path: call.path.replace("{subject}", "employee") }, options);
  const now = (await fieldsOf(fieldsGet)).body.data as FieldSettings;
  const fields = now.fields.map((one) => ({
    ...one,
    required: one.key === "name" || keys.includes(one.key),
  }));
  const answer = await fieldsOf(fieldsSave, { json: { ...now, fields } });
  expect(answer.status).toBe(200);
}
const formOf = async (link: string, language = "zh") =>
  (await fetch(`${world.host.origin}${link}?lang=${language}`)).text();
const asked = (html: string): string[] =>
  [...html.matchAll(/<(?:input|select) id="more\.([^"]*)"/g)].map(([, key]) => key ?? "");
const refusals = (html: string): string[] =>
  [...html.matchAll(/<span class="wrong"[^>]*>([^<]*)</g)].map(([, words]) => words ?? "");
const employee = async (mobile: string) => {
  const { rows } = await query(
    'SELECT gender, email, "position", custom, id_number, account_id IS NOT NULL AS bound FROM employees WHERE phone = $1 AND company_id = 1',
    [mobile],
  );
  return rows;
};
const answers = () => ({
  "more.gender": "2",
  "more.email": "new@example.com",
  "more.position": "巡查员",
  [`more.${own}`]: "38",
});
const stored = { gender: "2", email: "new@example.com", position: "巡查员", bound: true };

it("The page asks for what is required and the server refuses without it, in both languages; the employee has it then", async () => {
  const { link } = await world.invite();
  const html = await formOf(link);
  expect(asked(html)).toEqual(["gender", "email", "position", own]);
  expect(html).toContain('<option value="2">女</option>');
  expect(html).toMatch(/<input id="more\.email"[^>]*required[^>]*type="email"/);
  expect(await formOf(link, "en")).toContain(">Email</label>");

  const person = await world.withCode(link, world.newPerson("required1"));
  const none = await world.post(link, person);
  expect([none.status, refusals(await none.text())]).toEqual([
    400,
    ["请填写性别", "请填写电子邮箱", "请填写岗位", "请填写鞋码"],
  ]);
  const english = await world.post(`${link}?lang=en`, { ...person, "more.gender": "9" });
  expect(refusals(await english.text())).toEqual([
    "Choose one of the values",
    "Enter: Email",
    "Enter: Position",
    "Enter: 鞋码",
  ]);
  const wrong = { ...answers(), "more.email": "nobody", [`more.${own}`]: "大" };
  const kept = await (await world.post(link, { ...person, ...wrong })).text();
  expect(refusals(kept)).toEqual(["电子邮箱格式不正确"]);
  const unlike = { ...answers(), [`more.${own}`]: "大" };
  expect(refusals(await (await world.post(link, { ...person, ...unlike })).text())).toEqual([
    "应为数字",
  ]);
  expect(kept, "what was typed stays").toContain('value="巡查员"');
  expect(kept).toContain('<option value="2" selected>');
  expect(await employee(person.mobile)).toEqual([]);

  const done = await world.post(link, { ...person, ...answers(), "more.remark": "不问" });
  expect(done.status).toBe(200);
  const [key = ""] = [own.slice("custom.".length)];
  expect(await employee(person.mobile)).toEqual([
    { ...stored, custom: { [key]: 38 }, id_number: null },
  ]);
});

it("A request without the page is refused by the same rule, and only after the code", async () => {
  const { link } = await world.invite();
  const person = await world.withCode(link, world.newPerson("required2"));
  const send = async (fields: object) => {
    const response = await fetch(world.host.origin + link, {
      method: "POST",
      headers: { accept: "application/json", "content-type": "application/json" },
      body: JSON.stringify(fields),
    });
    const { details } = (await response.json()) as { details?: { fields?: object } };
    return [response.status, Object.keys(details?.fields ?? {})];
  };
  const guessed = person.smsCode === "000000" ? "000001" : "000000";
  expect(await send({ ...person, smsCode: guessed })).toEqual([400, ["smsCode"]]);
  expect(await send(person)).toEqual([
    400,
    ["more.gender", "more.email", "more.position", `more.${own}`],
  ]);
});

it("An invitation's post is not asked for, nor what the ID number says, nor what the company knows of an employee", async () => {
  await requireFields("gender", "birthday", "idNumber", "position");
  const { link } = await world.invite({ position: "电工" });
  expect(asked(await formOf(link))).toEqual(["idNumber"]);
  const person = await world.withCode(link, world.newPerson("required3"));
  const taken = idNumberOf(99_001);
  await query("UPDATE employees SET id_number = $1 WHERE company_id = 1 AND name = '李娜'", [
    taken,
  ]);
  const other = await world.post(link, { ...person, "more.idNumber": taken });
  expect([other.status, refusals(await other.text())]).toEqual([409, ["已有在职员工使用"]]);
  const idNumber = idNumberOf(99_003);
  expect((await world.post(link, { ...person, "more.idNumber": idNumber })).status).toBe(200);
  const [joined] = await employee(person.mobile);
  expect(joined).toMatchObject({ id_number: idNumber, position: "电工", bound: true });
  expect(joined?.["gender"]).toMatch(/^[12]$/);
});

it("A day is a field of plain text, as people write it, in either language of the page", async () => {
  const made = await world.ask(ownCreate, { json: { label: "体检日期", type: "date" } });
  const { key } = made.body.data as { key: string };
  await requireFields("birthday", `custom.${key}`);
  const { link } = await world.invite();
  const html = await formOf(link, "en");
  expect(html).not.toContain('type="date"');
  expect(html).toMatch(/<input id="more\.birthday"[^>]*aria-describedby="more\.birthday-rules"/);
  expect(html).toContain("Such as 1990-01-31");
  const person = await world.withCode(link, world.newPerson("days1"));
  const wrong = { "more.birthday": "31.1.1990", [`more.custom.${key}`]: "20240230" };
  const refused = await (await world.post(`${link}?lang=en`, { ...person, ...wrong })).text();
  expect(refusals(refused)).toEqual(["A day is written YYYY-MM-DD"]);
  expect(refused, "what was typed stays").toContain('value="31.1.1990"');
  const unlike = { "more.birthday": "1990年1月31日", [`more.custom.${key}`]: "20240230" };
  expect(refusals(await (await world.post(link, { ...person, ...unlike })).text())).toEqual([
    "应为日期 YYYY-MM-DD",
  ]);
  const good = { "more.birthday": "1990年1月31日", [`more.custom.${key}`]: "20240229" };
  expect((await world.post(link, { ...person, ...good })).status).toBe(200);
  const { rows } = await query(
    "SELECT birthday::text, custom FROM employees WHERE phone = $1 AND company_id = 1",
    [person.mobile],
  );
  expect(rows).toEqual([{ birthday: "1990-01-31", custom: { [key]: "2024-02-29" } }]);
  await query("DELETE FROM company_fields WHERE key = $1", [key]);
});

it("The company's own record of a person stays: only what it lacks is filled in", async () => {
  const known = world.newPerson("required4");
  await query(
    "INSERT INTO employees (company_id, name, phone, email, \"position\") VALUES (1, '在册', $1, 'old@example.com', '门卫')",
    [known.mobile],
  );
  const { link } = await world.invite();
  const person = await world.withCode(link, known);
  expect((await world.post(link, { ...person, ...answers() })).status).toBe(200);
  expect(await employee(person.mobile)).toMatchObject([
    { gender: "2", email: "old@example.com", position: "门卫", bound: true },
  ]);
});

it("Who applies answers too, and the approval makes it the employee's", async () => {
  const { link } = await world.invite({ approval: true });
  const person = await world.withCode(link, world.newPerson("required5"));
  expect((await world.post(link, { ...person, ...answers() })).status).toBe(200);
  expect(await employee(person.mobile)).toEqual([]);
  const list = await world.ask(appliesCall, {});
  const { records } = appliesCall.data.parse(list.body.data);
  const apply = records.find(({ phone }) => phone === person.mobile);
  expect(apply?.position).toBe("巡查员");
  const approved = await world.ask(decide, { json: { status: "approved" } }, apply?.id ?? "");
  expect(approved.status).toBe(200);
  expect(await employee(person.mobile)).toMatchObject([stored]);
});

it("Who is bound to an employee while the application waits brings the answers along", async () => {
  const { link } = await world.invite({ approval: true });
  const person = await world.withCode(link, world.newPerson("required6"));
  expect((await world.post(link, { ...person, ...answers() })).status).toBe(200);
  await requireFields();
  const made = await world.create({ name: "在册二", email: "old2@example.com" });
  const { rows } = await query("SELECT id::text AS id FROM accounts WHERE username = 'required6'");
  const { id: employeeId, version } = made;
  const bound = await world.ask(restCalls.employeeBindAccount, {
    json: { employeeId, accountId: rows[0]?.["id"], version },
  });
  expect(bound.body.data).toMatchObject({ gender: "2", email: "old2@example.com" });
  expect(
    await world.host.platform.database.pool.query(
      'SELECT "position" FROM employees WHERE id = $1',
      [employeeId],
    ),
  ).toMatchObject({ rows: [{ position: "巡查员" }] });
});

it("A required department is named by who invites, because a link shows nobody the departments", async () => {
  await requireFields("department");
  const refused = await world.ask(restCalls.inviteEmployee, { json: {} });
  expect([refused.status, refused.body.details?.["fields"]]).toEqual([
    400,
    { department: "请填写部门" },
  ]);
  const { link } = await world.invite({ department: "安全管理部" });
  expect(asked(await formOf(link))).toEqual([]);
});
