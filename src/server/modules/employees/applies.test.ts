/** People who apply by an invitation, and what the company decides (docs/server.md#membership-applications). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { covers } from "../../covers.harness.ts";
import { appliesCall, candidatesCall } from "../../../shared/protocol/rest/joining.ts";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { refusedBy, whoMay } from "../../who-may.harness.ts";
import { type InvitationsWorld, startInvitations } from "./invitations.harness.ts";

const { candidates, decideMembership, employeeBindAccount } = restCalls;
const MAY = whoMay({ "employees.decideApply": "--+-", "employees.candidates": "--+-" });

let world: InvitationsWorld;
beforeAll(async () => {
  world = await startInvitations();
  world.tokens["ops"] = (await world.host.login("ops")).access_token;
}, 60_000);
afterAll(() => world.host.close());

const get = (path: string, company = "1") =>
  world.host.ask("GET", path, { token: world.tokens["admin"] ?? "", supplierId: company });
const applies = async (query: string, company = "1") =>
  appliesCall.data.parse((await get(`${appliesCall.path}?${query}`, company)).body.data).records;
const accountsToBind = async (keyword = "", company = "1") =>
  candidatesCall.data.parse(
    (await get(`${candidates.path}?limit=1000&keyword=${keyword}`, company)).body.data,
  ).records;
const decide = (id: string, json: object, company = "1") =>
  world.ask(decideMembership, { json, in: company }, id);
const roleId = async (code: string): Promise<string> => {
  const { rows } = await world.host.platform.database.pool.query<{ id: string }>(
    "SELECT id::text FROM roles WHERE company_id = 1 AND code = $1",
    [code],
  );
  return rows[0]?.id ?? "";
};
const tokenOf = async (username: string): Promise<string> => {
  const { body } = await world.host.tryLogin(username, "Join2026x");
  return (body.data as { access_token: string }).access_token;
};
/** Codes of the roles that the person holds in the first company. */
async function rolesOf(username: string): Promise<(string | undefined)[]> {
  const { body } = await world.host.ask("GET", restCalls.account.path, {
    token: await tokenOf(username),
  });
  const { roles } = body.data as { roles: { supplierId: string; roleCode?: string }[] };
  return roles.filter((role) => role.supplierId === "1").map(({ roleCode }) => roleCode);
}

/** Somebody applies by a link that needs an approval. */
async function applied(username: string, more: object = {}, mobile?: string) {
  const { link } = await world.invite({ approval: true, ...more });
  const person = { ...world.newPerson(username), name: `申请${username}` };
  const ready = await world.withCode(link, mobile === undefined ? person : { ...person, mobile });
  const answer = await world.post(link, ready);
  const page = await answer.text();
  expect([answer.status, page.includes("已申请加入华安物业服务有限公司")]).toEqual([200, true]);
  const [apply] = await applies(`status=pending&keyword=${person.name}`);
  expect(apply).toBeDefined();
  return {
    link,
    person: ready,
    id: apply?.id ?? "",
    accountId: apply?.applyAccountId ?? "",
    apply,
  };
}

describe("Membership applications", () => {
  it(
    covers(decideMembership, "success", "an approval makes a member with the preset of the link"),
    async () => {
      const ops = await roleId("ops");
      const { person, id, apply, link } = await applied("hopeful", {
        department: "安全管理部",
        position: "巡查员",
        roleIds: [ops],
      });
      expect(apply).toMatchObject({
        status: "pending",
        department: "安全管理部",
        position: "巡查员",
        employeeId: null,
        roleIds: [ops],
      });
      expect(await world.employeesNamed(person.name), "no employee yet").toEqual([]);
      expect(await rolesOf("hopeful"), "and no role").toEqual([]);
      expect((await fetch(world.host.origin + link)).status, "the link has no use left").toBe(410);
      const again = await world.invite({ approval: true });
      world.host.clock.advance(60_000);
      const twice = await world.post(again.link, await world.withCode(again.link, person));
      const text = await twice.text();
      expect([twice.status, text.includes("您已申请加入该企业，请等待企业处理")]).toEqual([
        409,
        true,
      ]);

      expect((await decide(id, { status: "approved" })).body.msg).toBe("操作成功");
      const [employee] = await world.employeesNamed(person.name);
      expect(employee).toMatchObject({
        department: "安全管理部",
        departmentId: expect.stringMatching(/^\d+$/),
        position: "巡查员",
        phone: person.mobile,
        userName: "hopeful",
      });
      expect(await rolesOf("hopeful")).toEqual(["ops"]);
      const [done] = await applies(`keyword=${person.name}`);
      expect(done).toMatchObject({
        status: "approved",
        employeeId: employee?.id,
        decidedBy: "管理员",
        reason: "",
      });
    },
  );

  it("An approval binds to the chosen employee, or to the only one with the number, with the chosen roles", async () => {
    const chosen = await world.create({ name: "被选中" });
    const first = await applied("choosy");
    const admin = await roleId("admin");
    const body = { status: "approved", employeeId: chosen.id, roleIds: [admin] };
    expect((await decide(first.id, body)).status).toBe(200);
    expect(await world.employeesNamed("被选中")).toMatchObject([
      { id: chosen.id, userName: "choosy", phone: first.person.mobile },
    ]);
    expect(await rolesOf("choosy")).toEqual(["admin"]);

    const mobile = "13311112222";
    const known = await world.create({ name: "号码相同", phone: mobile });
    const second = await applied("matched", {}, mobile);
    expect((await decide(second.id, { status: "approved" })).status).toBe(200);
    expect(await world.employeesNamed("号码相同")).toMatchObject([
      { id: known.id, userName: "matched" },
    ]);
    expect(await rolesOf("matched")).toEqual(["staff"]);

    const third = await applied("unlucky");
    for (const [employeeId, status] of [
      [chosen.id, 409],
      ["999999999", 404],
    ] as const) {
      expect((await decide(third.id, { status: "approved", employeeId })).status).toBe(status);
    }
    const bound = await decide(third.id, { status: "approved", employeeId: chosen.id });
    expect(bound.body.msg).toBe("该员工已绑定账号");
    expect(await rolesOf("unlucky"), "a refused decision gives nothing").toEqual([]);
  });

  it("A refusal names its reason, which the applicant reads after the login", async () => {
    const { id } = await applied("sorry1");
    expect((await decide(id, { status: "refused", reason: "名额已满" })).status).toBe(200);
    const token = await tokenOf("sorry1");
    const own = await world.host.ask("GET", appliesCall.path, { token });
    expect(appliesCall.data.parse(own.body.data).records).toMatchObject([
      { status: "refused", reason: "名额已满", supplierName: "华安物业服务有限公司" },
    ]);
    expect(await rolesOf("sorry1")).toEqual([]);
    // The person may apply again.
    const { link } = await world.invite({ approval: true });
    world.host.clock.advance(60_000);
    const mobile = (await applies("keyword=申请sorry1"))[0]?.phone ?? "";
    const again = await world.withCode(link, { name: "申请sorry1", mobile });
    expect((await world.post(link, again)).status).toBe(200);
  });

  it("Of two decisions at once one counts, and the second hears that it is done", async () => {
    const { id, person } = await applied("raced");
    const answers = await Promise.all([
      decide(id, { status: "approved" }),
      decide(id, { status: "refused", reason: "晚了" }),
      decide(id, { status: "approved" }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    for (const late of answers.filter(({ status }) => status === 409)) {
      expect(late.body.msg).toBe("该申请已处理");
    }
    const [apply] = await applies(`keyword=${person.name}`);
    const members = await world.employeesNamed(person.name);
    expect(members.length).toBe(apply?.status === "approved" ? 1 : 0);
  });

  it("Who became a member in another way meanwhile is not made one twice", async () => {
    const { id, accountId } = await applied("quick1");
    const employee = await world.create({ name: "先绑定" });
    const { version } = employee;
    const bind = await world.ask(employeeBindAccount, {
      json: { employeeId: employee.id, accountId, version },
    });
    expect(bind.status).toBe(200);
    const late = await decide(id, { status: "approved" });
    expect([late.status, late.body.msg], "the binding has approved it").toEqual([
      409,
      "该申请已处理",
    ]);
    const [apply] = await applies("keyword=申请quick1");
    expect(apply).toMatchObject({ status: "approved", employeeId: employee.id });
    expect(await rolesOf("quick1")).toEqual(["staff"]);
    const other = await world.create({ name: "第二个" });
    const second = await world.ask(employeeBindAccount, {
      json: { employeeId: other.id, accountId, version: other.version },
    });
    expect([second.status, second.body.msg]).toEqual([409, "该账号已绑定员工“先绑定”"]);
  });

  it(covers(candidates, "success"), async () => {
    const waiting = await applied("cand1");
    expect(await accountsToBind("cand1")).toMatchObject([
      { id: waiting.accountId, userName: "cand1", why: "pending", phone: waiting.person.mobile },
    ]);
    const refused = await applied("cand2");
    await decide(refused.id, { status: "refused", reason: "否" });
    expect(await accountsToBind("cand2"), "who was refused").toEqual([]);
    // A member is none, and is one again after an unbinding; the newest comes first.
    const member = await applied("cand3");
    await decide(member.id, { status: "approved" });
    expect(await accountsToBind("cand3")).toEqual([]);
    const [employee] = await world.employeesNamed("申请cand3");
    world.host.clock.advance(1000);
    await world.ask(employeeBindAccount, {
      json: { employeeId: employee?.id, accountId: null, version: employee?.version },
    });
    expect(await accountsToBind("cand3")).toMatchObject([{ id: member.accountId, why: "former" }]);
    const [again] = await world.employeesNamed("申请cand3");
    const bound = await world.ask(employeeBindAccount, {
      json: { employeeId: again?.id, accountId: member.accountId, version: again?.version },
    });
    expect(bound.status).toBe(200);
    expect(await accountsToBind("cand3")).toEqual([]);
  });

  it("A binding gives no role of before that the binder could not give", async () => {
    const ops = await roleId("ops");
    const person = await applied("wasops", { roleIds: [ops] });
    await decide(person.id, { status: "approved" });
    const unbindAndBind = async (as: string) => {
      const [employee] = await world.employeesNamed("申请wasops");
      const unbound = await world.ask(employeeBindAccount, {
        as,
        json: { employeeId: employee?.id, accountId: null, version: employee?.version },
      });
      expect(unbound.body.msg).toBe("操作成功");
      const [free] = await world.employeesNamed("申请wasops");
      const bound = await world.ask(employeeBindAccount, {
        as,
        json: { employeeId: free?.id, accountId: person.accountId, version: free?.version },
      });
      expect(bound.body.msg).toBe("操作成功");
    };
    await unbindAndBind("admin");
    expect(await rolesOf("wasops")).toEqual(["ops"]);
    await world.host.platform.database.pool.query(
      "UPDATE roles SET permissions = '{supplier:employee:edit}' WHERE company_id = 1 AND code = 'staff'",
    );
    await unbindAndBind("lina");
    expect(await rolesOf("wasops")).toEqual(["staff"]);
    await world.host.platform.database.pool.query(
      "UPDATE roles SET permissions = '{}' WHERE company_id = 1 AND code = 'staff'",
    );
  });

  it(covers([decideMembership, candidates], "invalid"), async () => {
    const { id } = await applied("invalid1");
    const silent = await decide(id, { status: "refused", reason: " " });
    expect(Object.keys(silent.body.details?.["fields"] ?? {})).toEqual(["reason"]);
    expect((await decide(id, { status: "pending" })).status).toBe(400);
    for (const wrong of ["999999", "x"]) {
      expect((await decide(wrong, { status: "approved" })).status).toBe(404);
    }
    expect((await get(`${candidates.path}?limit=0`)).status).toBe(400);
  });

  it(covers([decideMembership, candidates], "foreign"), async () => {
    const { id } = await applied("foreign1");
    expect((await decide(id, { status: "approved" }, "2")).status).toBe(404);
    expect(await accountsToBind("foreign1", "2")).toEqual([]);
    expect(await applies("keyword=申请foreign1")).toMatchObject([{ status: "pending" }]);
  });

  it(covers([decideMembership, candidates], "refused"), async () => {
    for (const call of [decideMembership, candidates]) {
      const path = call.path.replace("{id}", "1");
      const json = call.method === "PUT" ? { json: {} } : {};
      expect((await world.host.ask(call.method, path, json)).status).toBe(401);
      for (const name of refusedBy(MAY[call.id])) {
        const answer = await world.host.ask(call.method, path, {
          token: world.tokens[name] ?? "",
          supplierId: "1",
          ...json,
        });
        expect([name, answer.status]).toEqual([name, 403]);
      }
    }
  });
});
