/** The department of an invitation is kept by its id (docs/server.md#invitations). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Department } from "../../../shared/protocol/rest/departments.ts";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { type InvitationsWorld, startInvitations } from "./invitations.harness.ts";

let world: InvitationsWorld;
beforeAll(async () => {
  world = await startInvitations();
}, 60_000);
afterAll(() => world.host.close());

const department = async (name: string, parentId: string | null = null): Promise<Department> => {
  const answer = await world.ask(restCalls.departmentCreate, { json: { name, parentId } });
  expect(answer.body.msg).toBe("操作成功");
  return answer.body.data as Department;
};
/** Joins by a link, and answers the department of the new employee. */
async function joined(link: string, username: string) {
  const person = { ...world.newPerson(username), name: username };
  expect((await world.post(link, await world.withCode(link, person))).status).toBe(200);
  const [employee] = await world.employeesNamed(username);
  return { departmentId: employee?.departmentId, department: employee?.department };
}
const shownOn = async (link: string) => (await fetch(world.host.origin + link)).text();

describe("The department of an invitation", () => {
  it("Of two departments with one name, the joiner is in the one of the invitation, by its id and by its path", async () => {
    const [first, second] = [await department("甲总部"), await department("乙总部")];
    const [one, two] = [await department("一组", first.id), await department("一组", second.id)];
    const byId = await world.invite({ departmentId: two.id });
    expect(await joined(byId.link, "byid")).toEqual({ departmentId: two.id, department: "一组" });
    const byPath = await world.invite({ department: "甲总部/一组" });
    expect(await joined(byPath.link, "bypath")).toEqual({
      departmentId: one.id,
      department: "一组",
    });
  });

  it("A department that was renamed or merged meanwhile is the joiner's, with its name of now, which the page shows", async () => {
    const [old, next] = [await department("旧名部"), await department("合并部")];
    const renamed = await world.invite({ departmentId: old.id });
    const merged = await world.invite({ departmentId: old.id });
    const update = await world.ask(restCalls.departmentUpdate, {
      json: { id: old.id, version: old.version, name: "新名部" },
    });
    expect(update.status).toBe(200);
    expect(await shownOn(renamed.link)).toContain("新名部");
    expect(await joined(renamed.link, "renamed")).toEqual({
      departmentId: old.id,
      department: "新名部",
    });
    const merge = await world.ask(restCalls.departmentMerge, {
      json: { id: old.id, version: old.version + 1, intoId: next.id },
    });
    expect(merge.status).toBe(200);
    expect(await shownOn(merged.link)).toContain("合并部");
    expect(await joined(merged.link, "merged")).toEqual({
      departmentId: next.id,
      department: "合并部",
    });
  });

  it("A department that was deleted meanwhile leaves the joiner without one", async () => {
    const gone = await department("撤销部");
    const { link } = await world.invite({ departmentId: gone.id, position: "电工" });
    expect((await world.ask(restCalls.departmentDelete, {}, gone.id)).status).toBe(200);
    expect(await shownOn(link)).not.toContain("撤销部");
    expect(await joined(link, "orphan")).toEqual({ departmentId: null, department: null });
  });

  it("A department of another company is refused", async () => {
    const answer = await world.ask(restCalls.departmentCreate, {
      json: { name: "他企部", parentId: null },
      in: "2",
    });
    const departmentId = (answer.body.data as Department).id;
    const refused = await world.ask(restCalls.inviteEmployee, { json: { departmentId } });
    expect([refused.status, refused.body.details?.["fields"]]).toEqual([
      400,
      { departmentId: "没有这个部门" },
    ]);
  });
});
