import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { covers } from "../../covers.harness.ts";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { startEmployees, type EmployeesWorld } from "./employees.harness.ts";

const { applies, employeeCreate, inviteEmployee } = restCalls;

let world: EmployeesWorld;
beforeAll(async () => {
  world = await startEmployees();
}, 60_000);
afterAll(() => world.host.close());

describe("Invitations", () => {
  const invite = async (json: object = {}) =>
    (await world.ask(inviteEmployee, { json })).body.data as { link: string; expiresAt: string };
  const person = { name: "<b>新人", phone: "13900000009", idNumber: "11010519491231002X" };
  const post = (link: string, fields: Record<string, string>) =>
    fetch(world.host.origin + link, { method: "POST", body: new URLSearchParams(fields) });

  it(covers([inviteEmployee, applies], "success"), async () => {
    const { link, expiresAt } = await invite({ department: "安全管理部", expiresInHours: 2 });
    expect(Date.parse(expiresAt) - world.host.clock.now()).toBe(2 * 3_600_000);
    const shown = await fetch(world.host.origin + link);
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
    for (const again of [await post(link, person), await fetch(world.host.origin + link)]) {
      expect([again.status, (await again.text()).includes("该邀请已被使用")]).toEqual([410, true]);
    }
    const list = (await world.ask(applies)).body.data as { records: Record<string, unknown>[] };
    const apply = list.records.at(-1) ?? {};
    expect(apply).toMatchObject({ name: "<b>新人", status: "pending", department: "安全管理部" });
    const made = await world.create({
      name: "新人",
      idNumber: person.idNumber,
      applyId: apply["id"],
    });
    const after = (await world.ask(applies)).body.data as { records: Record<string, unknown>[] };
    expect(after.records.at(-1)).toMatchObject({ status: "approved", employeeId: made.id });
    const twice = await world.ask(employeeCreate, { json: { name: "新人", applyId: apply["id"] } });
    expect([twice.status, twice.body.msg]).toEqual([409, "该申请已处理"]);
  });

  it(covers(inviteEmployee, "invalid", "expired and forged links say so"), async () => {
    const answer = await world.ask(inviteEmployee, { json: { expiresInHours: 0 } });
    expect([answer.status, Object.keys(answer.body.details?.["fields"] as object)]).toEqual([
      400,
      ["expiresInHours"],
    ]);
    const { link } = await invite({ expiresInHours: 1 });
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
    expect((await post(link, person)).status).toBe(410);
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
