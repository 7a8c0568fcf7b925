/** Somebody who left comes back, with the rights that the administrator decides (docs/server.md#reinstatement). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EmployeeDetail, restCalls } from "../../../shared/protocol/rest/index.ts";
import { covers } from "../../covers.harness.ts";
import { page } from "./employees.harness.ts";
import { type InvitationsWorld, startInvitations } from "./invitations.harness.ts";

const { employeeDimission, employeeDimissionList, employeeGet, employeeReinstate } = restCalls;

let world: InvitationsWorld;
beforeAll(async () => {
  world = await startInvitations();
}, 60_000);
afterAll(() => world.host.close());

const dismissed = async (id: string): Promise<EmployeeDetail> =>
  (await world.ask(employeeDimission, { json: { id, reason: "合同到期" } })).body
    .data as EmployeeDetail;
/** Somebody with an account and these roles, who has left. */
async function former(username: string, roleIds: readonly string[]) {
  const person = { ...world.newPerson(username), name: `回来${username}` };
  const { link } = await world.invite({ roleIds });
  world.host.clock.advance(60_000);
  expect((await world.post(link, await world.withCode(link, person))).status).toBe(200);
  const [employee] = await world.employeesNamed(person.name);
  return { person, gone: await dismissed(employee?.id ?? "") };
}
/** The status of a read in the first company, after a login of the person. */
async function reads(
  { username, password }: Awaited<ReturnType<typeof former>>["person"],
  path: string,
): Promise<number> {
  const login = await world.host.tryLogin(username, password);
  const { access_token: token } = login.body.data as { access_token: string };
  return (await world.host.ask("GET", path, { token, supplierId: "1" })).status;
}
const back = ({ id, version }: EmployeeDetail, json: object = {}, as = "admin") =>
  world.ask(employeeReinstate, { json: { id, version, ...json }, as });

describe("Somebody who left", () => {
  it(
    covers(
      employeeReinstate,
      "success",
      "an administrator who is named no role comes back as staff",
    ),
    async () => {
      const { person, gone } = await former("back1", [await world.roleId("admin")]);
      expect(await world.rolesOf("back1")).toEqual(["admin"]);
      expect(await reads(person, restCalls.employeeList.path)).toBe(403);
      const before = page(await world.ask(employeeDimissionList)).total;

      const answer = await back(gone);
      expect(answer.body.data).toMatchObject({
        id: gone.id,
        accountId: gone.accountId,
        status: "on",
        dimissionDate: null,
        dimissionReason: null,
      });
      expect(page(await world.ask(employeeDimissionList)).total).toBe(before - 1);
      const found = await world.employeesNamed(person.name);
      expect(found.map(({ id }) => id)).toEqual([gone.id]);
      expect(await world.rolesOf("back1")).toEqual(["staff"]);

      expect(await reads(person, restCalls.employeeList.path)).toBe(200);
      expect(await reads(person, restCalls.roleList.path), "what the old role could do").toBe(403);

      const [record] = await world.query(
        `SELECT action, before->>'dimissionReason' AS was, after->'roleIds' AS given FROM audit_records
         WHERE entity = 'employee' AND entity_id = $1 ORDER BY id DESC LIMIT 1`,
        [gone.id],
      );
      expect(record).toEqual({
        action: "reinstate",
        was: "合同到期",
        given: [await world.roleId("staff")],
      });
      // And can leave again.
      expect((await dismissed(gone.id)).status).toBe("off");
    },
  );

  it("comes back with the roles that are named, or without the account", async () => {
    const named = await former("back2", [await world.roleId("admin")]);
    expect((await back(named.gone, { roleIds: [await world.roleId("ops")] })).status).toBe(200);
    expect(await world.rolesOf("back2")).toEqual(["ops"]);

    const { gone, person } = await former("back3", [await world.roleId("ops")]);
    const answer = await back(gone, { withAccount: false });
    expect(answer.body.data).toMatchObject({ id: gone.id, status: "on", accountId: null });
    expect(await reads(person, restCalls.employeeList.path)).toBe(403);

    const plain = await dismissed((await world.create({ name: "无账号" })).id);
    expect((await back(plain)).body.data).toMatchObject({ status: "on", accountId: null });
  });

  it(
    covers(
      employeeReinstate,
      "invalid",
      "is refused while another employee has a number, the account, or a newer version",
    ),
    async () => {
      const { gone } = await former("back4", []);
      const idNumber = world.idNumber();
      const first = await dismissed((await world.create({ name: "原主", idNumber })).id);
      await world.create({ name: "后来", idNumber });
      const wrong = await back(first, { roleIds: "1" });
      expect([wrong.status, Object.keys(wrong.body.details?.["fields"] as object)]).toEqual([
        400,
        ["roleIds"],
      ]);
      const taken = await back(first);
      expect([taken.status, taken.body.msg]).toEqual([409, "身份证号已有在职员工使用"]);

      const stale = await back({ ...gone, version: gone.version - 1 });
      expect([stale.status, Object.keys(stale.body.details ?? {})]).toEqual([409, ["versions"]]);
      const employed = (await world.ask(employeeGet, {}, "1")).body.data as EmployeeDetail;
      const twice = await back(employed);
      expect([twice.status, twice.body.msg]).toEqual([409, "该员工已在职"]);
      const plain = await dismissed((await world.create({ name: "没有账号" })).id);
      const without = await back(plain, { roleIds: [await world.roleId("ops")] });
      expect([without.status, without.body.msg]).toEqual([409, "没有账号的员工不能分配角色"]);

      // The person joined again meanwhile, as another employee.
      const other = await world.create({ name: "另一条记录" });
      const { accountId } = gone;
      const json = { employeeId: other.id, accountId, version: other.version };
      expect((await world.ask(restCalls.employeeBindAccount, { json })).status).toBe(200);
      const member = await back(gone);
      expect([member.status, member.body.msg]).toEqual([409, "该账号已绑定员工“另一条记录”"]);
      expect((await world.ask(employeeGet, {}, gone.id)).body.data).toEqual(gone);
    },
  );

  it(
    covers(
      employeeReinstate,
      ["refused", "foreign"],
      "comes back by nobody who may not, and with no role of another company",
    ),
    async () => {
      const { gone } = await former("back5", []);
      expect((await back(gone, {}, "lina")).status).toBe(403);
      const foreign = await back(gone, { roleIds: [await world.roleId("ops", 2)] });
      expect(foreign.status).toBe(404);
      const elsewhere = await world.ask(employeeReinstate, {
        json: { id: gone.id, version: gone.version },
        in: "2",
      });
      expect(elsewhere.status).toBe(404);
      expect((await world.ask(employeeGet, {}, gone.id)).body.data).toEqual(gone);
    },
  );
});
