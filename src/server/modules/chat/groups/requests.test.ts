/** What waits for an answer, public groups, and who may enter: by the SDK, and as the console's own calls show it. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { employeeDimissionCall } from "../../../../shared/protocol/rest/employees.ts";
import type { GroupRequest } from "../../../../shared/protocol/group-model.ts";
import type { PublicGroup } from "../../../../shared/protocol/rest/im-groups.ts";
import { createGroupCast, type GroupCast } from "./cast.harness.ts";
import type { SdkUser } from "./sdk.harness.ts";

describe("Invitations and applications", () => {
  let cast: GroupCast;
  let zhangwei: SdkUser;
  let lina: SdkUser;
  let guest: SdkUser;

  beforeAll(async () => {
    cast = await createGroupCast(["zhangwei", "lina", "guest", "wangfang"]);
  }, 120_000);
  afterAll(() => cast.platform.close());
  beforeEach(async () => {
    [zhangwei, lina, guest] = await Promise.all([
      cast.login("zhangwei"),
      cast.login("lina"),
      cast.login("guest"),
    ]);
  });
  afterEach(() => cast.closeAll());

  const waiting = async (who: string, groupId: string) => {
    const page = (await cast.ask(who, "GET", "/groupRequests?limit=100")) as {
      records: GroupRequest[];
    };
    return page.records
      .filter((one) => one.groupId === groupId)
      .map(({ kind, userName, message }) => [kind, userName, message]);
  };
  const found = async (who: string, keyword: string): Promise<PublicGroup[]> => {
    const query = new URLSearchParams({ keyword, limit: "100" });
    const page = await cast.ask(who, "GET", `/publicGroups?${query.toString()}`);
    return (page as { records: PublicGroup[] }).records;
  };

  it("An application is shown to those who rule the group and to the applicant, until it is answered", async () => {
    const id = await cast.make(zhangwei, ["lina"], { approval: true });
    await cast.call(zhangwei, "setGroupAdmin", { groupId: id, username: "lina" });
    await cast.call(guest, "joinGroup", { groupId: id, message: "值夜班" });
    for (const who of ["zhangwei", "lina"]) {
      expect(await waiting(who, id)).toEqual([["application", "guest", "值夜班"]]);
    }
    expect(await waiting("guest", id)).toEqual([["applied", "guest", "值夜班"]]);
    expect(await waiting("wangfang", id)).toEqual([]);
    const answer = { groupId: id, applicant: "guest", reason: "人已满" };
    await cast.call(lina, "rejectGroupJoinRequest", answer);
    expect(await guest.groupEvent("joinPublicGroupDeclined", id)).toMatchObject({
      from: "lina",
      userId: "guest",
    });
    // The other who rules learns that the application has ended.
    expect(await zhangwei.groupEvent("updateInfo", id)).toMatchObject({ from: "lina" });
    for (const who of ["zhangwei", "lina", "guest"]) expect(await waiting(who, id)).toEqual([]);
    // A former admin no longer sees applications.
    await cast.call(guest, "joinGroup", { groupId: id, message: "" });
    await cast.call(zhangwei, "removeGroupAdmin", { groupId: id, username: "lina" });
    expect(await waiting("lina", id)).toEqual([]);
    await cast.call(zhangwei, "destroyGroup", { groupId: id });
    expect(await guest.groupEvent("destroy", id)).toMatchObject({ from: "zhangwei" });
    expect(await waiting("guest", id)).toEqual([]);
  });

  it("Only the invited person sees an invitation, and enters without an approval", async () => {
    const id = await cast.make(zhangwei, ["lina", "guest"], {
      approval: true,
      inviteNeedConfirm: true,
    });
    for (const who of ["lina", "guest"]) {
      expect(await waiting(who, id)).toEqual([["invitation", "zhangwei", ""]]);
    }
    expect(await waiting("zhangwei", id)).toEqual([]);
    await cast.call(lina, "joinGroup", { groupId: id, message: "" });
    expect(await cast.members(zhangwei, id)).toEqual(["lina", "zhangwei"]);
    await cast.call(guest, "rejectGroupInvite", { groupId: id, invitee: "guest" });
    expect(await waiting("guest", id)).toEqual([]);
  });

  it("Colleagues find a public group by name and number; other companies and hidden groups stay out of sight", async () => {
    const name = "巡查三组";
    const id = await cast.make(zhangwei, ["lina"], { groupname: name });
    const hidden = await cast.make(zhangwei, ["lina"], { groupname: name, public: false });
    const row = { id, name, memberCount: 2, membersonly: false, applied: false };
    expect(await found("guest", "查三")).toEqual([{ ...row, desc: "值班", joined: false }]);
    expect(await found("lina", id)).toMatchObject([{ ...row, joined: true }]);
    expect(await found("guest", hidden)).toEqual([]);
    expect(await found("wangfang", name)).toEqual([]);
    const listed = async (user: SdkUser) => {
      const all = (await cast.call(user, "getPublicGroups", { limit: 100, cursor: "" })) as {
        groupid: string;
      }[];
      return all.map((group) => group.groupid);
    };
    expect(await listed(guest)).toContain(id);
    expect(await listed(guest)).not.toContain(hidden);
    expect(await listed(await cast.login("wangfang"))).not.toContain(id);
    await cast.call(zhangwei, "blockGroupMember", { groupId: id, username: "guest" });
    expect([await found("guest", id), (await listed(guest)).includes(id)]).toEqual([[], false]);
    await cast.call(zhangwei, "unblockGroupMember", { groupId: id, username: "guest" });
    expect([(await found("guest", id)).length, (await listed(guest)).includes(id)]).toEqual([
      1,
      true,
    ]);
  });

  it("A block list names colleagues alone, and the end of a block that does not exist sends no event", async () => {
    const wangfang = await cast.login("wangfang");
    const id = await cast.make(zhangwei, ["lina"]);
    const [blocked, unblocked] = ["blockGroupMember", "unblockGroupMember"] as const;
    const tried = (method: string, username: string) =>
      cast.refused(zhangwei, method, { groupId: id, username });
    // An unknown name gets the same answers.
    for (const name of ["wangfang", "nobody"]) {
      expect([name, await tried(blocked, name)]).toEqual([name, 204]);
      expect([name, await tried(unblocked, name)]).toEqual([name, "not refused"]);
    }
    expect(await tried(unblocked, "guest")).toBe("not refused");
    expect(await tried(blocked, "guest")).toBe("not refused");
    expect(await tried(unblocked, "guest")).toBe("not refused");
    await guest.groupEvent("unblockMember", id);
    // What comes later has arrived, so what was sent before it would have.
    const own = await cast.make(wangfang, ["zhangwei"]);
    await cast.call(zhangwei, "leaveGroup", { groupId: own });
    await wangfang.groupEvent("memberAbsence", own);
    expect(wangfang.events.filter((e) => e["id"] === id)).toEqual([]);
    expect(guest.events.filter((e) => e["operation"] === "unblockMember")).toHaveLength(1);
  });

  it("Those who rule a group change who enters it, and all members learn of it", async () => {
    const id = await cast.make(zhangwei, ["lina"]);
    const put = (who: string, json: object) => cast.ask(who, "PUT", `/group/${id}`, json);
    expect(await put("lina", { approval: true })).toBeUndefined();
    expect(
      await put("zhangwei", { approval: true, allowinvites: false, desc: "新简介" }),
    ).toMatchObject({ membersonly: true, allowinvites: false, desc: "新简介", role: "owner" });
    expect(await lina.groupEvent("updateInfo", id)).toMatchObject({
      detail: { approval: true, allowInvites: false },
    });
    const invited = { groupId: id, users: ["guest"] };
    expect(await cast.refused(lina, "inviteUsersToGroup", invited)).toBe(603);
    await cast.call(guest, "joinGroup", { groupId: id, message: "" });
    expect(await cast.members(zhangwei, id)).toEqual(["lina", "zhangwei"]);
  });

  it("A group whose owner leaves the company passes to the longest-standing admin, then member, and ends with the last", async () => {
    const admin = (await cast.platform.login("admin")).access_token;
    const company = { token: admin, headers: { "supplier-id": "1" } };
    const dismiss = async (userName: string): Promise<void> => {
      const { rows } = await cast.platform.platform.database.pool.query<{ id: string }>(
        `SELECT e.id FROM employees e JOIN accounts a ON a.id = e.account_id
         WHERE a.chat_user_name = $1 AND e.company_id = 1`,
        [userName],
      );
      const json = { id: rows[0]?.id, dimissionDate: "2024-01-02", reason: "合同到期" };
      const { path, method } = employeeDimissionCall;
      expect((await cast.platform.ask(method, path, { ...company, json })).body.code).toBe(0);
    };
    const id = await cast.make(guest, ["lina", "zhangwei"], { groupname: "值班" });
    await cast.call(guest, "setGroupAdmin", { groupId: id, username: "zhangwei" });
    await dismiss("guest");
    expect(await lina.groupEvent("changeOwner", id)).toMatchObject({ from: "zhangwei" });
    expect(await lina.groupEvent("memberAbsence", id)).toMatchObject({
      from: "guest",
      memberCount: 2,
    });
    expect(await cast.call(lina, "getGroupInfo", { groupId: id })).toMatchObject([
      { owner: "zhangwei" },
    ]);
    expect(await cast.mirror("lina", id)).toEqual(["lina", "zhangwei"]);
    await dismiss("zhangwei");
    // Who has another company is still connected.
    expect(await zhangwei.groupEvent("removeMember", id)).toMatchObject({ from: "zhangwei" });
    await lina.until(
      "lina owns it",
      () =>
        lina.events.filter((e) => e["operation"] === "changeOwner" && e["id"] === id).length === 2,
    );
    await cast.call(lina, "modifyGroup", { groupId: id, groupName: "只剩一人" });
    await dismiss("lina");
    const left = async () => {
      const { rows } = await cast.platform.platform.database.pool.query(
        "SELECT FROM im_groups WHERE id = $1",
        [id],
      );
      return rows.length;
    };
    await expect.poll(left).toBe(0);
  });
});
