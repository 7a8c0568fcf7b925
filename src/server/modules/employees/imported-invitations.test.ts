/** An invitation that an import made is for one employee (docs/server.md#invitations). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { type InvitationsWorld, startInvitations } from "./invitations.harness.ts";

let world: InvitationsWorld;
beforeAll(async () => {
  world = await startInvitations();
}, 60_000);
afterAll(() => world.host.close());

const employee = async (id: string) =>
  (await world.ask(restCalls.employeeGet, {}, id)).body.data as {
    phone: string | null;
    accountId: string | null;
    version: number;
  };
/** What a link says that does not open, as a page. */
async function closedPage(answer: Response): Promise<[number, string]> {
  return [
    answer.status,
    /role="alert"><h1>.*?<\/h1>\s*<p>(.*?)<\/p>/.exec(await answer.text())?.[1] ?? "",
  ];
}

describe("The invitation of an imported employee", () => {
  it("Another number than the employee's is refused with the number's ends, and the employee's own number joins", async () => {
    const { employeeId, link } = await world.importPerson("13900000001");
    const stranger = await world.withCode(link, {
      ...world.newPerson("stranger"),
      mobile: "13800138000",
    });
    const refused = await world.post(link, stranger);
    const html = await refused.text();
    expect([refused.status, html.includes("请使用企业登记的手机号 139****0001")]).toEqual([
      409,
      true,
    ]);
    expect(html, "the middle stays hidden").not.toContain("13900000001");
    expect(await employee(employeeId)).toMatchObject({ accountId: null, phone: "13900000001" });
    expect((await world.host.tryLogin("stranger", "Join2026x")).status, "no account either").toBe(
      400,
    );

    const self = await world.withCode(link, { ...world.newPerson("self"), mobile: "13900000001" });
    expect((await world.post(link, self)).status).toBe(200);
    expect((await employee(employeeId)).accountId).toMatch(/^\d+$/);
  });

  it("An employee without a number gets the one that is proved", async () => {
    const { employeeId, link } = await world.importPerson("");
    const person = await world.withCode(link, world.newPerson("numberless"));
    expect((await world.post(link, person)).status).toBe(200);
    expect(await employee(employeeId)).toMatchObject({ phone: person.mobile });
  });

  it("A link whose employee was bound, left or was deleted meanwhile says so, opened and sent", async () => {
    const bound = await world.importPerson("13900000002");
    const left = await world.importPerson("13900000003");
    const gone = await world.importPerson("13900000004");
    const ready = await world.withCode(bound.link, {
      ...world.newPerson("late1"),
      mobile: "13900000002",
    });
    const other = await world.invite();
    const first = await world.post(other.link, {
      ...ready,
      username: "early1",
    });
    expect(first.status, "joined by an ordinary link with the same number").toBe(200);
    expect((await employee(bound.employeeId)).accountId).toMatch(/^\d+$/);
    await world.ask(restCalls.employeeDimission, { json: { id: left.employeeId } });
    expect((await world.ask(restCalls.employeeDelete, {}, gone.employeeId)).status).toBe(200);
    for (const [link, text] of [
      [bound.link, "该员工已绑定账号，请联系企业核对"],
      [left.link, "该员工已离职，请联系企业重新邀请"],
      [gone.link, "该员工的资料已被删除，请联系企业重新邀请"],
    ] as const) {
      expect(await closedPage(await fetch(world.host.origin + link))).toEqual([410, text]);
      expect(await closedPage(await world.post(link, world.newPerson("nobody")))).toEqual([
        410,
        text,
      ]);
    }
    expect((await world.host.tryLogin("nobody", "Join2026x")).status).toBe(400);
  });
});
