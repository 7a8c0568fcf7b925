import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { covers } from "../../covers.harness.ts";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { type InvitationsWorld, startInvitations } from "./invitations.harness.ts";

const { applies, employeeCreate, inviteEmployee } = restCalls;

let world: InvitationsWorld;
beforeAll(async () => {
  world = await startInvitations();
}, 60_000);
afterAll(() => world.host.close());

describe("Invitations", () => {
  const invite: InvitationsWorld["invite"] = (json) => world.invite(json);
  const post: InvitationsWorld["post"] = (link, fields) => world.post(link, fields);
  const withCode: InvitationsWorld["withCode"] = (link, person) => world.withCode(link, person);
  const newPerson: InvitationsWorld["newPerson"] = (username) => world.newPerson(username);
  const employeesNamed: InvitationsWorld["employeesNamed"] = (name) => world.employeesNamed(name);

  it(covers([inviteEmployee, applies], "success"), async () => {
    const { link, expiresAt } = await invite({ department: "安全管理部", expiresInHours: 2 });
    expect(Date.parse(expiresAt) - world.host.clock.now()).toBe(2 * 3_600_000);
    const shown = await fetch(world.host.origin + link);
    expect([shown.status, shown.headers.get("content-security-policy")]).toEqual([
      200,
      expect.stringContaining("default-src 'none'"),
    ]);
    expect(await shown.text()).toContain("华安物业服务有限公司");
    const person = newPerson("xinren");
    const wrong = await post(link, { ...person, mobile: "1", act: "code" });
    const text = await wrong.text();
    expect([wrong.status, text.includes("手机号格式不正确"), text.includes("<b>新人")]).toEqual([
      400,
      true,
      false,
    ]);
    const ready = await withCode(link, person);
    for (const [fields, message] of [
      [{ ...ready, smsCode: ready.smsCode === "000000" ? "000001" : "000000" }, "验证码不正确"],
      [{ ...ready, again: "x" }, "两次输入的密码不一致"],
      [{ ...ready, username: "lina" }, "用户名已被使用"],
      [{ ...ready, username: "" }, "请填写用户名"],
    ] as const) {
      const refused = await post(link, fields);
      const html = await refused.text();
      expect([refused.ok, html.includes(message), html.includes(person.password)]).toEqual([
        false,
        true,
        false,
      ]);
    }
    const done = await post(link, ready);
    expect([done.status, (await done.text()).includes("xinren")]).toEqual([200, true]);
    for (const again of [await post(link, ready), await fetch(world.host.origin + link)]) {
      const page = await again.text();
      expect([again.status, page.includes("该邀请已被使用")]).toEqual([410, true]);
      expect(page, "who has joined logs in").toContain('href="../login"');
    }
    // The person works here now: a member of the department with the rights of staff.
    const [made] = await employeesNamed("<b>新人");
    expect(made).toMatchObject({
      phone: person.mobile,
      department: "安全管理部",
      departmentId: expect.stringMatching(/^\d+$/),
      userName: "xinren",
    });
    const login = await world.host.tryLogin("xinren", person.password);
    const { access_token: token } = login.body.data as { access_token: string };
    const own = await world.host.ask("GET", restCalls.account.path, { token, supplierId: "1" });
    expect(own.body.data).toMatchObject({ roles: [expect.objectContaining({ supplierId: "1" })] });
    const list = (await world.ask(applies)).body.data as { records: Record<string, unknown>[] };
    expect(list.records.at(-1)).toMatchObject({ status: "approved", employeeId: made?.id });
  });

  it("An invited person is bound to the employee who has the mobile number, and an account of that number is used again", async () => {
    const first = newPerson("zhaoliu");
    const known = await world.create({ name: "赵六", phone: first.mobile });
    const { link } = await invite();
    expect((await post(link, await withCode(link, first))).status).toBe(200);
    expect((await employeesNamed("赵六")).map(({ id, userName }) => [id, userName])).toEqual([
      [known.id, "zhaoliu"],
    ]);
    // The same person joins another company without a new account.
    const there = await world.ask(inviteEmployee, { json: {}, in: "2" });
    const other = (there.body.data as { link: string }).link;
    world.host.clock.advance(60_000);
    const { name, mobile } = first;
    expect((await post(other, await withCode(other, { name, mobile }))).status).toBe(200);
    const { rows } = await world.host.platform.database.pool.query(
      "SELECT a.username FROM employees e JOIN accounts a ON a.id = e.account_id WHERE e.phone = $1",
      [mobile],
    );
    expect(rows).toEqual([{ username: "zhaoliu" }, { username: "zhaoliu" }]);
    // A member does not join once more.
    const again = await invite();
    world.host.clock.advance(60_000);
    const refused = await post(again.link, await withCode(again.link, { name, mobile }));
    expect([refused.status, (await refused.text()).includes("已是本企业员工")]).toEqual([
      409,
      true,
    ]);
  });

  it("Two people who use one link at once: one joins", async () => {
    const { link } = await invite();
    const ready = await Promise.all(
      [newPerson("first1"), newPerson("second2")].map((person) => withCode(link, person)),
    );
    const answers = await Promise.all(ready.map((one) => post(link, one)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 410]);
  });

  it("An application that waits becomes an employee once", async () => {
    const { pool } = world.host.platform.database;
    const { rows } = await pool.query<{ id: string }>(
      `INSERT INTO membership_applies (company_id, name, phone, created_at)
       VALUES (1, '申请人', '13900009999', now()) RETURNING id::text`,
    );
    const applyId = rows[0]?.id;
    const made = await world.create({ name: "申请人", applyId });
    const after = (await world.ask(applies)).body.data as { records: Record<string, unknown>[] };
    expect(after.records.find(({ id }) => id === applyId)).toMatchObject({
      status: "approved",
      employeeId: made.id,
    });
    const twice = await world.ask(employeeCreate, { json: { name: "申请人", applyId } });
    expect([twice.status, twice.body.msg]).toEqual([409, "该申请已处理"]);
  });

  it(covers(inviteEmployee, "invalid", "expired and forged links say so"), async () => {
    const answer = await world.ask(inviteEmployee, { json: { expiresInHours: 0 } });
    expect([answer.status, Object.keys(answer.body.details?.["fields"] as object)]).toEqual([
      400,
      ["expiresInHours"],
    ]);
    const { link } = await invite({
      department: "安全管理部",
      position: "电工",
      expiresInHours: 1,
    });
    // The page says who invites, as what and until when; it needs nothing but its own style and script.
    const opened = await (await fetch(world.host.origin + link)).text();
    for (const part of [
      "华安物业服务有限公司",
      "安全管理部 · 电工",
      "邀请有效期至",
      "验证手机号",
    ]) {
      expect(opened).toContain(part);
    }
    for (const [, path = ""] of opened.matchAll(/(?:href|src)="(\/invite\/[^"]+)"/g)) {
      expect((await fetch(world.host.origin + path)).status, path).toBe(200);
    }
    for (const forged of [`/invite/2${link.slice("/invite/1".length)}`, "/invite/x", `${link}x`]) {
      const refused = await fetch(world.host.origin + forged);
      expect([refused.status, (await refused.text()).includes("邀请链接不正确")]).toEqual([
        404,
        true,
      ]);
    }
    world.host.clock.advance(3_600_000);
    const json = { headers: { accept: "application/json" } };
    const late = (await (await fetch(world.host.origin + link, json)).json()) as {
      msg: string;
      error: string;
    };
    expect([late.error, late.msg]).toEqual(["invite.closed", "该邀请已过期，请联系企业重新邀请"]);
    const lateForm = await post(link, newPerson("late"));
    expect([lateForm.status, (await lateForm.text()).includes("<h1>邀请已过期</h1>")]).toEqual([
      410,
      true,
    ]);
    for (const name of Object.keys(world.tokens))
      world.tokens[name] = (await world.host.login(name)).access_token;
  });

  it(covers(applies, ["invalid", "refused", "foreign"]), async () => {
    const get = (as: string, query: string, company?: string) =>
      world.host.ask("GET", `${applies.path}?${query}`, {
        token: world.tokens[as] ?? "",
        ...(company === undefined ? {} : { supplierId: company }),
      });
    expect((await get("lina", "cursor=0")).status).toBe(400);
    expect((await world.host.ask("GET", applies.path)).status).toBe(401);
    expect((await get("lina", "applyAccountId=1")).status).toBe(403);
    expect(((await get("wangfang", "", "2")).body.data as { records: unknown[] }).records).toEqual(
      [],
    );
    const other = (await get("admin", "", "2")).body.data as { records: { supplierId: string }[] };
    expect(other.records.filter((row) => row.supplierId !== "2")).toEqual([]);
  });
});
