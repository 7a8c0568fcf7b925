/** The roles of who joins (docs/server.md#invitations). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { type InvitationsWorld, startInvitations } from "./invitations.harness.ts";

let world: InvitationsWorld;
beforeAll(async () => {
  world = await startInvitations();
}, 60_000);
afterAll(() => world.host.close());

/** Somebody joins by a new link. */
async function joins(
  person: { readonly mobile: string; readonly name?: string },
  json: object = {},
) {
  const { link } = await world.invite(json);
  world.host.clock.advance(60_000);
  expect((await world.post(link, await world.withCode(link, { ...person }))).status).toBe(200);
}

describe("The roles of who joins", () => {
  it("An invitation gives the roles that it names, and staff without any", async () => {
    await joins(world.newPerson("watcher"), { roleIds: [await world.roleId("ops")] });
    expect(await world.rolesOf("watcher")).toEqual(["ops"]);
    await joins(world.newPerson("plain1"));
    expect(await world.rolesOf("plain1")).toEqual(["staff"]);
  });

  it.each(["离职", "unbound"])(
    "A former administrator (%s) who is invited as staff is staff",
    async (how) => {
      const person = {
        ...world.newPerson(how === "unbound" ? "former2" : "former1"),
        name: `前任${how}`,
      };
      await joins(person, { roleIds: [await world.roleId("admin")] });
      expect(await world.rolesOf(person.username)).toEqual(["admin"]);
      const [employee] = await world.employeesNamed(person.name);
      const done =
        how === "unbound"
          ? await world.ask(restCalls.employeeBindAccount, {
              json: { employeeId: employee?.id, accountId: null, version: employee?.version },
            })
          : await world.ask(restCalls.employeeDimission, { json: { id: employee?.id } });
      expect(done.status).toBe(200);
      const { name, mobile } = person;
      await joins({ name, mobile });
      expect(await world.rolesOf(person.username)).toEqual(["staff"]);
      const login = await world.host.tryLogin(person.username, person.password);
      const { access_token: token } = login.body.data as { access_token: string };
      const refused = await world.host.ask("GET", restCalls.roleList.path, {
        token,
        supplierId: "1",
      });
      expect(refused.status, "what the old role could do").toBe(403);
    },
  );

  it("A role that was deleted meanwhile is left out", async () => {
    const made = await world.ask(restCalls.roleCreate, { json: { name: "临时角色" } });
    const { id } = made.body.data as { id: string };
    const { link } = await world.invite({ roleIds: [id] });
    expect((await world.ask(restCalls.roleDelete, {}, id)).status).toBe(200);
    const person = world.newPerson("roleless");
    expect((await world.post(link, await world.withCode(link, person))).status).toBe(200);
    expect(await world.rolesOf("roleless")).toEqual(["staff"]);
  });

  it("Nobody invites to a role that they could not assign: one that may do more, of another company, or without the right to assign", async () => {
    const refuse = async (as: string, roleIds: string[]) =>
      (await world.ask(restCalls.inviteEmployee, { as, json: { roleIds } })).status;
    expect(await refuse("admin", [await world.roleId("staff", 2)])).toBe(404);
    expect(await refuse("admin", ["999999999"])).toBe(404);
    await world.query(
      "UPDATE roles SET permissions = '{supplier:employee:edit}' WHERE company_id = 1 AND code = 'staff'",
    );
    expect(await refuse("lina", [])).toBe(200);
    expect(
      await refuse("lina", [await world.roleId("staff")]),
      "lina may invite but assign nothing",
    ).toBe(403);
    await world.query(
      "UPDATE roles SET permissions = '{supplier:employee:edit,system:role:edit}' WHERE company_id = 1 AND code = 'staff'",
    );
    expect(await refuse("lina", [await world.roleId("staff")])).toBe(200);
    expect(await refuse("lina", [await world.roleId("admin")]), "more than lina holds").toBe(403);
  });
});
