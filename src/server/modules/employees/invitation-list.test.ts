/** The list of invitations, how many may join by one, and its early end. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { covers } from "../../covers.harness.ts";
import { invitationCalls } from "../../../shared/protocol/rest/invitations.ts";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { refusedBy, whoMay } from "../../who-may.harness.ts";
import { type InvitationsWorld, startInvitations } from "./invitations.harness.ts";

const { invitationList, invitationRevoke } = restCalls;
const MAY = whoMay({ "invitations.list": "--+-", "invitations.revoke": "--+-" });

let world: InvitationsWorld;
beforeAll(async () => {
  world = await startInvitations();
  world.tokens["ops"] = (await world.host.login("ops")).access_token;
}, 60_000);
afterAll(() => world.host.close());

const list = async (query = "", company = "1") => {
  const answer = await world.host.ask("GET", `${invitationList.path}${query}`, {
    token: world.tokens["admin"] ?? "",
    supplierId: company,
  });
  return invitationCalls.invitationList.data.parse(answer.body.data);
};
const idOf = (link: string): string => link.split("/").at(-1)?.split(".")[1] ?? "";
const revoke = (link: string, company = "1") =>
  world.ask(invitationRevoke, { in: company }, idOf(link));
const joins = async (link: string, username: string): Promise<number> => {
  const person = { ...world.newPerson(username), name: username };
  return (await world.post(link, await world.withCode(link, person))).status;
};

describe("Invitations as records", () => {
  it(covers([invitationList, invitationRevoke], "success"), async () => {
    const role = await world.ask(restCalls.roleCreate, { json: { name: "值班员" } });
    const roleIds = [(role.body.data as { id: string }).id];
    const preset = { department: "安全管理部", position: "夜班", roleIds };
    const open = await world.invite({ ...preset, uses: 3 });
    const used = await world.invite({ position: "夜班一" });
    const expired = await world.invite({ position: "夜班二", expiresInHours: 1 });
    const revoked = await world.invite({ position: "夜班三" });
    expect(await joins(open.link, "night1")).toBe(200);
    expect(await joins(used.link, "night2")).toBe(200);
    expect((await revoke(revoked.link)).status).toBe(200);
    world.host.clock.advance(3_600_000);
    for (const name of Object.keys(world.tokens))
      world.tokens[name] = (await world.host.login(name)).access_token;

    const all = await list("?keyword=夜班&sort=createTime");
    expect(all.records.map(({ id, status }) => [id, status]).toSorted()).toEqual(
      [
        [idOf(open.link), "open"],
        [idOf(used.link), "used"],
        [idOf(expired.link), "expired"],
        [idOf(revoked.link), "revoked"],
      ].toSorted(),
    );
    for (const status of ["open", "used", "expired", "revoked"]) {
      const found = await list(`?keyword=夜班&status=${status}`);
      expect(found.records.map((row) => row.status)).toEqual([status]);
      expect(found.total).toBe(1);
    }
    const [row] = (await list("?keyword=夜班&status=open")).records;
    expect(row).toMatchObject({
      link: open.link,
      department: "安全管理部",
      position: "夜班",
      roles: ["值班员"],
      employee: null,
      uses: 1,
      usesMax: 3,
      people: ["night1"],
      createdBy: "管理员",
      expiresAt: open.expiresAt,
    });
    expect((await list("?keyword=night2")).records.map(({ id }) => id)).toEqual([idOf(used.link)]);
  });

  it("Of five who use a link for three at once, three join, and the page says that its places are used", async () => {
    const { link } = await world.invite({ uses: 3 });
    const ready = await Promise.all(
      ["race1", "race2", "race3", "race4", "race5"].map((name) =>
        world.withCode(link, { ...world.newPerson(name), name }),
      ),
    );
    const answers = await Promise.all(ready.map((one) => world.post(link, one)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 410, 410]);
    const page = await (await fetch(world.host.origin + link)).text();
    expect(page).toContain("该邀请的名额已用完，请联系企业重新邀请");
    expect((await world.employeesNamed("race")).length).toBe(3);
  });

  it("A link that is revoked while the form is open takes nobody, and says so in words of its own", async () => {
    const { link } = await world.invite();
    const ready = await world.withCode(link, world.newPerson("toolate"));
    expect((await revoke(link)).status).toBe(200);
    for (const answer of [await world.post(link, ready), await fetch(world.host.origin + link)]) {
      const page = await answer.text();
      expect([answer.status, page.includes("<h1>邀请已撤回</h1>")]).toEqual([410, true]);
      expect(page).toContain("企业已撤回该邀请，请联系企业重新邀请");
    }
    expect((await world.host.tryLogin("toolate", "Join2026x")).status).toBe(400);
  });

  it(covers([invitationList, invitationRevoke], "invalid", "only an open one ends"), async () => {
    const bad = await world.host.ask("GET", `${invitationList.path}?status=x&limit=0`, {
      token: world.tokens["admin"] ?? "",
      supplierId: "1",
    });
    expect(Object.keys(bad.body.details?.["fields"] ?? {})).toEqual(["limit", "status"]);
    const many = await world.ask(restCalls.inviteEmployee, { json: { uses: 0 } });
    expect(Object.keys(many.body.details?.["fields"] ?? {})).toEqual(["uses"]);
    expect((await world.ask(invitationRevoke, {}, "x")).status).toBe(404);
    const { link } = await world.invite();
    expect(await joins(link, "final1")).toBe(200);
    const used = await revoke(link);
    expect([used.status, used.body.msg]).toEqual([409, "该邀请已用完，无需撤回"]);
    const other = await world.invite();
    expect((await revoke(other.link)).status).toBe(200);
    const twice = await revoke(other.link);
    expect([twice.status, twice.body.msg]).toEqual([409, "该邀请已失效，无需撤回"]);
  });

  it(covers([invitationList, invitationRevoke], "foreign"), async () => {
    const { link } = await world.invite({ position: "外企不可见" });
    expect((await list("?keyword=外企不可见", "2")).records).toEqual([]);
    expect((await revoke(link, "2")).status).toBe(404);
    expect((await fetch(world.host.origin + link)).status).toBe(200);
  });

  it(covers([invitationList, invitationRevoke], "refused"), async () => {
    for (const call of [invitationList, invitationRevoke]) {
      const path = call.path.replace("{id}", "x");
      const json = call.method === "PUT" ? { json: {} } : {};
      expect((await world.host.ask(call.method, path, json)).status).toBe(401);
      for (const name of refusedBy(MAY[call.id])) {
        const { status } = await world.host.ask(call.method, path, {
          token: world.tokens[name] ?? "",
          supplierId: "1",
          ...json,
        });
        expect([name, status]).toEqual([name, 403]);
      }
    }
  });
});
