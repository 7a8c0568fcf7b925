import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createGroupCast, type GroupCast } from "./cast.harness.ts";
import type { SdkUser } from "./sdk.harness.ts";

describe("Groups, by the unmodified SDK", () => {
  let cast: GroupCast;
  let zhangwei: SdkUser;
  let lina: SdkUser;
  let guest: SdkUser;
  const call: GroupCast["call"] = (...given) => cast.call(...given);
  const refused: GroupCast["refused"] = (...given) => cast.refused(...given);
  const refusedText: GroupCast["refusedText"] = (...given) => cast.refusedText(...given);
  const make: GroupCast["make"] = (...given) => cast.make(...given);
  const members: GroupCast["members"] = (...given) => cast.members(...given);
  const mirror: GroupCast["mirror"] = (...given) => cast.mirror(...given);

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
  afterEach(() => {
    cast.closeAll();
  });

  it("A new group is known to its members, to the console's own calls, and to the owner's other devices", async () => {
    const second = await cast.login("zhangwei", "two");
    const id = await make(zhangwei, ["lina", "guest"]);
    expect(await lina.groupEvent("directJoined", id)).toMatchObject({
      from: "zhangwei",
      name: "消防联络",
    });
    expect(await guest.groupEvent("directJoined", id)).toMatchObject({
      from: "zhangwei",
      name: "消防联络",
    });
    expect(await second.groupEvent("create", id)).toMatchObject({ from: "zhangwei" });
    expect(zhangwei.events).toEqual([]);
    expect(await members(lina, id)).toEqual(["guest", "lina", "zhangwei"]);
    expect(await mirror("guest", id)).toEqual(["guest", "lina", "zhangwei"]);
    expect(await call(lina, "getGroupInfo", { groupId: id })).toMatchObject([
      { id, name: "消防联络", description: "值班", owner: "zhangwei", affiliations_count: 3 },
    ]);
    expect(
      await call(lina, "listGroupMembers", { groupId: id, pageNum: 1, pageSize: 1000 }),
    ).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ owner: "zhangwei" }),
        expect.objectContaining({ member: "lina" }),
      ]),
    );
    const joined = { pageNum: 0, pageSize: 200 };
    expect(await call(guest, "getJoinedGroups", joined)).toEqual(
      expect.arrayContaining([expect.objectContaining({ groupid: id })]),
    );
    const full = await guest.conn["getJoinedGroups"]?.({ ...joined, needAffiliations: true });
    expect(full?.["entities"]).toContainEqual(
      expect.objectContaining({ groupId: id, role: "member", affiliationsCount: 3 }),
    );
  });

  it("A message reaches every member once and in order, the absent ones later, and the history has it", async () => {
    const id = await make(zhangwei, ["lina", "guest"]);
    guest.close();
    const said = Array.from({ length: 60 }, (_, i) => `第${i}条`);
    for (const [i, text] of said.entries())
      await (i % 2 === 0 ? zhangwei : lina).sendText(id, text);
    await lina.until("the last of the other", () => lina.texts(id).length === 30);
    expect(lina.texts(id)).toEqual(said.filter((_, i) => i % 2 === 0));
    const back = await cast.login("guest");
    await back.until("all", () => back.texts(id).length >= 60);
    expect(back.texts(id)).toEqual(said);
    const [first] = back.events.filter((e) => e.handler === "onTextMessage");
    expect(first).toMatchObject({ from: "zhangwei", to: id, chatType: "groupChat" });

    const { rows } = await cast.platform.platform.database.pool.query<{ n: number }>(
      "SELECT count(*)::int AS n FROM chat_message WHERE conversation = $1 AND roams",
      [`#${id}`],
    );
    expect(rows).toEqual([{ n: 60 }]);

    const history = (await back.conn["getHistoryMessages"]?.({
      targetId: id,
      chatType: "groupChat",
      pageSize: 50,
      cursor: -1,
      searchDirection: "up",
    })) as unknown as { messages: { msg: string; chatType: string }[]; isLast: boolean };
    expect(history.messages.map((m) => m.msg).sort()).toEqual(said.slice(10).sort());
    expect(history.messages[0]?.chatType).toBe("groupChat");
    expect(history.isLast).toBe(false);
    const list = await back.conn["getServerConversations"]?.({ pageSize: 20 });
    expect(list?.data).toMatchObject({
      conversations: expect.arrayContaining([
        expect.objectContaining({ conversationId: id, conversationType: "groupChat" }),
      ]) as unknown,
    });
  });

  it("A recalled message is recalled for all, and only by its sender", async () => {
    const id = await make(zhangwei, ["lina", "guest"]);
    const mid = await zhangwei.sendText(id, "错了");
    await lina.until("the text", () => lina.texts(id).length === 1);
    const recall = { mid, to: id, chatType: "groupChat" };
    expect(await refused(lina, "recallMessage", recall)).not.toBe("not refused");
    await zhangwei.conn["recallMessage"]?.(recall);
    for (const user of [lina, guest]) {
      await user.until("the recall", (e) => e.handler === "onRecallMessage" && e["mid"] === mid);
    }
    const history = { targetId: id, chatType: "groupChat", cursor: -1 };
    expect(await lina.conn["getHistoryMessages"]?.(history)).toMatchObject({ messages: [] });
  });

  it("Reading a group tells one's own other devices alone, and a message for chosen members reaches them alone", async () => {
    const id = await make(zhangwei, ["lina", "guest"]);
    const second = await cast.login("lina", "two");
    await zhangwei.sendText(id, "看到了吗");
    await second.until("the text", () => second.texts(id).length === 1);
    const to = { to: id, chatType: "groupChat" };
    await lina.conn["send"]?.(cast.sdk.message.create({ type: "channel", ...to }));
    expect(
      await second.until("the read mark", (e) => e.handler === "onChannelMessage"),
    ).toMatchObject({ from: "lina", to: id });
    const some = { type: "txt", msg: "只给李娜", ...to };
    const directed = (receiverList: string[]) => cast.sdk.message.create({ ...some, receiverList });
    await zhangwei.conn["send"]?.(directed(["lina"]));
    await lina.until("the directed text", () => lina.texts(id).includes("只给李娜"));
    expect(await refused(zhangwei, "send", directed(["wangfang"]))).toBe(50);
    await lina.sendText(id, "看到了");
    await zhangwei.until("the answer", () => zhangwei.texts(id).length === 1);
    await guest.until("the answer", () => guest.texts(id).includes("看到了"));
    expect(guest.texts(id)).toEqual(["看到了吗", "看到了"]);
    const history = (await guest.conn["getHistoryMessages"]?.({
      targetId: id,
      chatType: "groupChat",
      cursor: -1,
    })) as unknown as { messages: { msg: string }[] };
    expect(history.messages.map((m) => m.msg)).not.toContain("只给李娜");
    expect(zhangwei.events.filter((e) => e.handler === "onChannelMessage")).toEqual([]);
  });

  it("Who is no member neither writes, nor reads, nor acts; the group is hidden from them", async () => {
    const id = await make(zhangwei, ["lina"], { public: false });
    expect(await refusedText(guest, id)).toBe(602);
    expect(await refusedText(guest, "99999")).toBe(605);
    const history = { targetId: id, chatType: "groupChat", cursor: -1 };
    expect(await refused(guest, "getHistoryMessages", history)).toBe(702);
    const attempts: [string, object][] = [
      ["getGroupInfo", { groupId: id }],
      ["getGroupMembers", { groupId: id }],
      ["joinGroup", { groupId: id, message: "" }],
      ["leaveGroup", { groupId: id }],
      ["destroyGroup", { groupId: id }],
      ["modifyGroup", { groupId: id, groupName: "x" }],
      ["inviteUsersToGroup", { groupId: id, users: ["guest"] }],
      ["removeGroupMember", { groupId: id, username: "lina" }],
      ["getGroupAdmin", { groupId: id }],
      ["getGroupMuteList", { groupId: id }],
      ["disableSendGroupMsg", { groupId: id }],
    ];
    for (const [method, given] of attempts) {
      expect([method, await refused(guest, method, given)]).toEqual([method, 605]);
    }
    expect(await members(lina, id)).toEqual(["lina", "zhangwei"]);
  });

  it("The newer call makes a group as the older one does, in one company", async () => {
    const given = { groupName: "值班群", description: "夜班", isPublic: true };
    const made = await call(zhangwei, "createGroupVNext", { ...given, members: ["lina"] });
    const { groupId } = made as { groupId: string };
    expect(await lina.groupEvent("directJoined", groupId)).toMatchObject({
      from: "zhangwei",
      name: "值班群",
    });
    expect(await call(lina, "getGroupInfo", { groupId })).toMatchObject([
      { name: "值班群", description: "夜班", owner: "zhangwei", public: true, membersonly: false },
    ]);
    expect(await mirror("lina", groupId)).toEqual(["lina", "zhangwei"]);
    await cast.login("wangfang");
    expect(await refused(lina, "createGroupVNext", { ...given, members: ["wangfang"] })).toBe(204);
  });

  it("Companies stay apart: nobody of another company is invited or joins", async () => {
    const wangfang = await cast.login("wangfang");
    const data = { groupname: "x", desc: "", members: ["wangfang"], public: true };
    expect(await refused(lina, "createGroup", { data })).toBe(204);
    expect(
      await refused(zhangwei, "createGroup", { data: { ...data, members: ["lina", "wangfang"] } }),
    ).toBe(204);
    const id = await make(zhangwei, ["lina"]);
    expect(
      await refused(zhangwei, "inviteUsersToGroup", { groupId: id, users: ["wangfang"] }),
    ).toBe(204);
    expect(await refused(zhangwei, "inviteUsersToGroup", { groupId: id, users: ["nobody"] })).toBe(
      204,
    );
    expect(await refused(wangfang, "joinGroup", { groupId: id, message: "" })).toBe(605);
    expect(await refusedText(wangfang, id)).toBe(602);
    // Leaving the company also leaves its groups.
    await cast.platform.platform.database.pool.query(
      `UPDATE employees e SET dimission_at = now() FROM accounts a, im_groups g
       WHERE a.id = e.account_id AND a.chat_user_name = 'lina' AND g.id = $1 AND e.company_id = g.company_id`,
      [id],
    );
    try {
      expect(await refusedText(lina, id)).toBe(602);
      expect(await mirror("zhangwei", id)).toEqual(["zhangwei"]);
    } finally {
      await cast.platform.platform.database.pool.query(
        `UPDATE employees e SET dimission_at = NULL FROM accounts a
         WHERE a.id = e.account_id AND a.chat_user_name = 'lina'`,
      );
    }
  });

  it("An invitation that needs an answer is accepted or declined, once", async () => {
    const id = await make(zhangwei, ["lina", "guest"], { inviteNeedConfirm: true });
    for (const invited of [lina, guest]) {
      expect(await invited.groupEvent("inviteToJoin", id)).toMatchObject({
        from: "zhangwei",
        name: "消防联络",
      });
    }
    expect(await members(zhangwei, id)).toEqual(["zhangwei"]);
    await call(lina, "acceptGroupInvite", { groupId: id, invitee: "lina" });
    expect(await zhangwei.groupEvent("acceptInvite", id)).toMatchObject({ from: "lina" });
    expect(await zhangwei.groupEvent("memberPresence", id)).toMatchObject({
      from: "lina",
      memberCount: 2,
    });
    await call(guest, "rejectGroupInvite", { groupId: id, invitee: "guest" });
    expect(await zhangwei.groupEvent("rejectInvite", id)).toMatchObject({ from: "guest" });
    expect(await refused(guest, "acceptGroupInvite", { groupId: id, invitee: "guest" })).toBe(17);
    expect(await refused(guest, "acceptGroupInvite", { groupId: id, invitee: "lina" })).toBe(603);
    expect(await members(zhangwei, id)).toEqual(["lina", "zhangwei"]);
    expect(await refused(zhangwei, "inviteUsersToGroup", { groupId: id, users: ["lina"] })).toBe(
      601,
    );
  });

  it("An application goes to those who rule the group, and they answer it", async () => {
    const id = await make(zhangwei, ["lina"], { approval: true });
    await call(guest, "joinGroup", { groupId: id, message: "请加我" });
    expect(await zhangwei.groupEvent("requestToJoin", id)).toMatchObject({
      from: "guest",
      reason: "请加我",
    });
    const answer = { groupId: id, applicant: "guest", reason: "" };
    expect(await refused(lina, "acceptGroupJoinRequest", answer)).toBe(603);
    await call(zhangwei, "rejectGroupJoinRequest", answer);
    expect(await guest.groupEvent("joinPublicGroupDeclined", id)).toMatchObject({
      from: "zhangwei",
      userId: "guest",
    });
    await call(guest, "joinGroup", { groupId: id, message: "" });
    await call(zhangwei, "acceptGroupJoinRequest", answer);
    expect(await guest.groupEvent("acceptRequest", id)).toMatchObject({ from: "zhangwei" });
    expect(await lina.groupEvent("memberPresence", id)).toMatchObject({
      from: "guest",
      memberCount: 3,
    });
    // The applicant alone gets the answers.
    const answers = ["joinPublicGroupDeclined", "acceptRequest"];
    for (const other of [zhangwei, lina]) {
      expect(other.events.filter((e) => answers.includes(String(e["operation"])))).toEqual([]);
    }
    expect(lina.events.filter((e) => e["operation"] === "requestToJoin")).toEqual([]);
    expect(await members(guest, id)).toEqual(["guest", "lina", "zhangwei"]);
    expect(await refused(zhangwei, "acceptGroupJoinRequest", answer)).toBe(17);
    // An open group is joined at once.
    const wide = await make(zhangwei, []);
    await call(guest, "joinGroup", { groupId: wide, message: "" });
    expect(await zhangwei.groupEvent("memberPresence", wide)).toMatchObject({ from: "guest" });
  });

  it("Members are removed and leave; each side and the console's own calls agree", async () => {
    const id = await make(zhangwei, ["lina", "guest"]);
    expect(await refused(lina, "removeGroupMember", { groupId: id, username: "guest" })).toBe(603);
    await call(zhangwei, "removeGroupMember", { groupId: id, username: "guest" });
    expect(await guest.groupEvent("removeMember", id)).toMatchObject({ from: "zhangwei" });
    expect(await lina.groupEvent("memberAbsence", id)).toMatchObject({
      from: "guest",
      memberCount: 2,
    });
    expect(await refusedText(guest, id)).toBe(602);
    expect(await refused(zhangwei, "removeGroupMember", { groupId: id, username: "guest" })).toBe(
      602,
    );
    expect(await refused(zhangwei, "leaveGroup", { groupId: id })).toBe(17);
    await call(lina, "leaveGroup", { groupId: id });
    await zhangwei.until(
      "lina has left",
      (e) => e["operation"] === "memberAbsence" && e["from"] === "lina" && e["memberCount"] === 1,
    );
    // The removed person alone hears of the removal as such.
    for (const other of [zhangwei, lina]) {
      expect(other.events.filter((e) => e["operation"] === "removeMember")).toEqual([]);
    }
    expect(await members(zhangwei, id)).toEqual(["zhangwei"]);
    expect(await mirror("zhangwei", id)).toEqual(["zhangwei"]);
    // The console's own calls tell the members just the same.
    await cast.ask("zhangwei", "POST", "/groupUser", { userName: "lina", groupIdStr: id });
    expect(await lina.groupEvent("directJoined", id)).toMatchObject({ from: "zhangwei" });
    await cast.ask("zhangwei", "POST", "/groupUser/delete", { userName: "lina", groupIdStr: id });
    expect(await lina.groupEvent("removeMember", id)).toMatchObject({ from: "zhangwei" });
  });

  it("Several members are removed at once, and everybody counts the own groups", async () => {
    const count = async (user: SdkUser) => await call(user, "getJoinedGroupsCount", {});
    const before = [await count(lina), await count(guest)] as number[];
    const id = await make(zhangwei, ["lina", "guest"]);
    expect([await count(lina), await count(guest)]).toEqual(before.map((n) => n + 1));
    const both = { groupId: id, users: ["lina", "guest"] };
    expect(await refused(lina, "removeGroupMembers", { ...both, users: ["guest"] })).toBe(603);
    expect(await refused(zhangwei, "removeGroupMembers", { ...both, users: ["zhangwei"] })).toBe(
      603,
    );
    expect(await call(zhangwei, "removeGroupMembers", both)).toMatchObject([
      { user: "lina", result: true },
      { user: "guest", result: true },
    ]);
    for (const user of [lina, guest]) {
      expect(await user.groupEvent("removeMember", id)).toMatchObject({ from: "zhangwei" });
    }
    expect([await members(zhangwei, id), await mirror("zhangwei", id)]).toEqual([
      ["zhangwei"],
      ["zhangwei"],
    ]);
    expect([await count(lina), await count(guest)]).toEqual(before);
  });

  it("The owner renames, hands over and dissolves; others may not", async () => {
    const id = await make(zhangwei, ["lina", "guest"]);
    expect(await refused(lina, "modifyGroup", { groupId: id, groupName: "x" })).toBe(603);
    expect(await refused(lina, "changeGroupOwner", { groupId: id, newOwner: "lina" })).toBe(603);
    expect(await refused(lina, "destroyGroup", { groupId: id })).toBe(603);
    await call(zhangwei, "modifyGroup", { groupId: id, groupName: "新名", description: "新" });
    expect(await lina.groupEvent("updateInfo", id)).toMatchObject({
      from: "zhangwei",
      detail: {
        name: "新名",
        description: "新",
        public: true,
        approval: false,
        allowInvites: true,
        inviteNeedConfirm: false,
        lastModified: expect.any(Number) as number,
      },
    });
    // The new owner stands in the older event alone.
    const changes: Record<string, unknown>[] = [];
    const onGroupChange = (event: Record<string, unknown>) => void changes.push(event);
    await guest.conn["addEventHandler"]?.("older", { onGroupChange });
    await call(zhangwei, "changeGroupOwner", { groupId: id, newOwner: "lina" });
    for (const member of [lina, guest]) {
      expect(await member.groupEvent("changeOwner", id)).toMatchObject({ from: "zhangwei" });
    }
    expect(changes.filter(({ type }) => type === "changeOwner")).toMatchObject([
      { gid: id, from: "zhangwei", to: "lina" },
    ]);
    expect(await call(guest, "getGroupInfo", { groupId: id })).toMatchObject([
      { owner: "lina", name: "新名" },
    ]);
    expect(await refused(zhangwei, "destroyGroup", { groupId: id })).toBe(603);
    await call(lina, "destroyGroup", { groupId: id });
    for (const member of [zhangwei, guest]) {
      expect(await member.groupEvent("destroy", id)).toMatchObject({ from: "lina" });
    }
    expect(await refusedText(guest, id)).toBe(605);
    expect(await mirror("zhangwei", id)).toEqual([]);
  });

  it("Muted members cannot write, and of a muted group only those who rule it can", async () => {
    const id = await make(zhangwei, ["lina", "guest"]);
    const mute = { groupId: id, username: "lina", muteDuration: 60_000 };
    expect(await refused(lina, "muteGroupMember", { ...mute, username: "guest" })).toBe(603);
    const [muted] = (await call(zhangwei, "muteGroupMember", mute)) as { expire: number }[];
    const muteTimestamp = muted?.expire;
    expect(muteTimestamp).toBeGreaterThan(Date.now());
    expect(muteTimestamp).toBeLessThanOrEqual(Date.now() + 60_000);
    for (const member of [lina, guest]) {
      expect(await member.groupEvent("muteMember", id)).toMatchObject({
        from: "zhangwei",
        userId: "lina",
        muteTimestamp,
      });
    }
    expect(await refusedText(lina, id)).toBe(219);
    expect(await call(guest, "getGroupMuteList", { groupId: id })).toEqual([
      { user: "lina", expire: muteTimestamp },
    ]);
    await call(zhangwei, "unmuteGroupMember", { groupId: id, username: "lina" });
    for (const member of [lina, guest]) {
      expect(await member.groupEvent("unmuteMember", id)).toMatchObject({
        from: "zhangwei",
        userId: "lina",
      });
    }
    await lina.sendText(id, "又能说了");

    await call(zhangwei, "setGroupAdmin", { groupId: id, username: "lina" });
    for (const member of [lina, guest]) {
      expect(await member.groupEvent("setAdmin", id)).toMatchObject({
        from: "zhangwei",
        userId: "lina",
      });
    }
    expect(await call(guest, "getGroupAdmin", { groupId: id })).toEqual(["lina"]);
    await call(lina, "disableSendGroupMsg", { groupId: id });
    expect(await guest.groupEvent("muteAllMembers", id)).toMatchObject({ from: "lina" });
    expect(await refusedText(guest, id)).toBe(219);
    await lina.sendText(id, "管理员可以说");
    await call(lina, "enableSendGroupMsg", { groupId: id });
    expect(await guest.groupEvent("unmuteAllMembers", id)).toMatchObject({ from: "lina" });
    await guest.sendText(id, "大家可以说");
    await call(zhangwei, "removeGroupAdmin", { groupId: id, username: "lina" });
    expect(await lina.groupEvent("removeAdmin", id)).toMatchObject({ from: "zhangwei" });
    expect(await refused(lina, "disableSendGroupMsg", { groupId: id })).toBe(603);
  });

  it("The announcement reaches the members", async () => {
    const id = await make(zhangwei, ["lina"]);
    const text = { groupId: id, announcement: "明早演练" };
    expect(await refused(lina, "updateGroupAnnouncement", text)).toBe(603);
    await call(zhangwei, "updateGroupAnnouncement", text);
    expect(await lina.groupEvent("updateAnnouncement", id)).toMatchObject({
      from: "zhangwei",
      announcement: "明早演练",
    });
    expect(await call(lina, "fetchGroupAnnouncement", { groupId: id })).toMatchObject({
      announcement: "明早演练",
    });
  });
});
