/** Block list, allow list, what members say of themselves, receipts of single messages: by the unmodified SDK. */
import { describe, expect, it } from "vitest";
import type { GroupCast } from "./cast.harness.ts";
import type { SdkUser } from "./sdk.harness.ts";
import { connectThree } from "./three.harness.ts";

describe("Lists of a group", () => {
  let cast: GroupCast;
  let zhangwei: SdkUser;
  let lina: SdkUser;
  let guest: SdkUser;
  connectThree((three) => ({ cast, zhangwei, lina, guest } = three));

  it("A blocked person is removed and cannot enter until the block ends", async () => {
    const id = await cast.make(zhangwei, ["lina", "guest"]);
    const blocked = { groupId: id, usernames: ["guest"] };
    expect(await cast.refused(lina, "blockGroupMembers", blocked)).toBe(603);
    expect(
      await cast.refused(zhangwei, "blockGroupMember", { groupId: id, username: "zhangwei" }),
    ).toBe(603);
    expect(await cast.call(zhangwei, "blockGroupMembers", blocked)).toMatchObject([
      { user: "guest", result: true },
    ]);
    expect(await guest.groupEvent("removeMember", id)).toMatchObject({ from: "zhangwei" });
    expect(await lina.groupEvent("memberAbsence", id)).toMatchObject({
      from: "guest",
      memberCount: 2,
    });
    expect(lina.events.filter((e) => e["operation"] === "removeMember")).toEqual([]);
    expect(await cast.call(zhangwei, "getGroupBlocklist", { groupId: id })).toEqual(["guest"]);
    expect(await cast.refused(lina, "getGroupBlocklist", { groupId: id })).toBe(603);
    expect(await cast.refused(guest, "joinGroup", { groupId: id, message: "" })).toBe(605);
    const invited = { groupId: id, users: ["guest"] };
    expect(await cast.refused(lina, "inviteUsersToGroup", invited)).toBe(603);
    await cast.ask("zhangwei", "PUT", `/group/${id}`, { inviteconfirm: true });
    expect(await cast.refused(lina, "inviteUsersToGroup", invited)).toBe(603);
    expect(guest.events.filter((e) => e["operation"] === "inviteToJoin")).toEqual([]);
    expect(await cast.members(lina, id)).toEqual(["lina", "zhangwei"]);
    expect(await cast.mirror("lina", id)).toEqual(["lina", "zhangwei"]);

    await cast.call(zhangwei, "unblockGroupMember", { groupId: id, username: "guest" });
    expect(await guest.groupEvent("unblockMember", id)).toMatchObject({ from: "zhangwei" });
    expect(await cast.call(zhangwei, "getGroupBlocklist", { groupId: id })).toEqual([]);
    await cast.call(guest, "joinGroup", { groupId: id, message: "" });
    expect(await zhangwei.groupEvent("memberPresence", id)).toMatchObject({
      from: "guest",
      memberCount: 3,
    });
    await cast.call(zhangwei, "blockGroupMember", { groupId: id, username: "guest" });
    await cast.call(zhangwei, "unblockGroupMembers", blocked);
    expect(await cast.call(zhangwei, "getGroupBlocklist", { groupId: id })).toEqual([]);
  });

  it("Nobody is put into a group or invited by whom they block", async () => {
    await cast.call(guest, "addUsersToBlocklist", { name: ["zhangwei"] });
    try {
      const id = await cast.make(zhangwei, ["lina", "guest"]);
      expect(await cast.members(lina, id)).toEqual(["lina", "zhangwei"]);
      const invite = (user: SdkUser, users: string[]) =>
        cast.refused(user, "inviteUsersToGroup", { groupId: id, users });
      expect(await invite(zhangwei, ["guest"])).toBe(221);
      await cast.ask("zhangwei", "POST", "/groupUser", { userName: "guest", groupIdStr: id });
      await cast.call(zhangwei, "removeGroupMember", { groupId: id, username: "lina" });
      expect(
        await cast.call(zhangwei, "inviteUsersToGroup", { groupId: id, users: ["lina", "guest"] }),
      ).toMatchObject([
        { user: "lina", result: true },
        { user: "guest", result: false },
      ]);
      const asked = await cast.make(zhangwei, ["guest"], { inviteNeedConfirm: true });
      expect(
        await cast.refused(guest, "acceptGroupInvite", { groupId: asked, invitee: "guest" }),
      ).toBe(17);
      expect(await cast.members(zhangwei, id)).toEqual(["lina", "zhangwei"]);
      expect(guest.events.filter((e) => e["id"] === id || e["id"] === asked)).toEqual([]);
      // Others may invite, and the person may come by themselves.
      expect(await invite(lina, ["guest"])).toBe("not refused");
      expect(await guest.groupEvent("directJoined", id)).toMatchObject({ from: "lina" });
    } finally {
      await cast.call(guest, "removeUserFromBlocklist", { name: "zhangwei" });
    }
  });

  it("A person on the allow list writes in a muted group", async () => {
    const id = await cast.make(zhangwei, ["lina", "guest"]);
    await cast.call(zhangwei, "disableSendGroupMsg", { groupId: id });
    expect(await cast.refusedText(lina, id)).toBe(219);
    const users = { groupId: id, users: ["lina"] };
    expect(await cast.refused(guest, "addUsersToGroupAllowlist", users)).toBe(603);
    await cast.call(zhangwei, "addUsersToGroupAllowlist", users);
    for (const member of [lina, guest]) {
      expect(await member.groupEvent("addUserToAllowlist", id)).toMatchObject({
        from: "zhangwei",
        userId: "lina",
      });
    }
    await lina.sendText(id, "可以说了");
    expect(await cast.refusedText(guest, id)).toBe(219);
    expect(await cast.call(zhangwei, "getGroupAllowlist", { groupId: id })).toEqual(["lina"]);
    const one = { groupId: id, userName: "lina" };
    expect(await cast.call(lina, "isInGroupAllowlist", one)).toMatchObject({ white: true });
    await cast.call(zhangwei, "removeGroupAllowlistMember", one);
    for (const member of [lina, guest]) {
      expect(await member.groupEvent("removeAllowlistMember", id)).toMatchObject({
        from: "zhangwei",
        userId: "lina",
      });
    }
    expect(await cast.refusedText(lina, id)).toBe(219);
    expect(await cast.call(lina, "isInGroupAllowlist", one)).toMatchObject({ white: false });
  });

  it("A member who blocks the messages of a group gets them in silence, on all devices; strangers cannot", async () => {
    const groupId = await cast.make(zhangwei, ["lina"]);
    const isSilent = async () => {
      const given = { conversationId: groupId, type: "groupChat" };
      const data = await cast.call(lina, "getSilentModeForConversation", given);
      return (data as { type?: string }).type === "NONE";
    };
    await cast.call(lina, "blockGroupMessage", { groupId });
    expect(await isSilent()).toBe(true);
    await zhangwei.sendText(groupId, "集合");
    await expect.poll(() => lina.texts(groupId)).toEqual(["集合"]);
    await cast.call(lina, "unblockGroupMessage", { groupId });
    expect(await isSilent()).toBe(false);
    // The older call does the same.
    await cast.call(lina, "blockGroupMessages", { groupId });
    expect(await isSilent()).toBe(true);
    expect(await cast.refused(guest, "blockGroupMessage", { groupId })).toBe(605);
    expect(await cast.refused(guest, "unblockGroupMessage", { groupId })).toBe(605);
  });

  it("A muted member brings neither reactions nor files into the group, and sees the own mute while it lasts", async () => {
    const id = await cast.make(zhangwei, ["lina", "guest"]);
    const messageId = await zhangwei.sendText(id, "集合");
    const isIn = (user: SdkUser) => cast.call(user, "isInGroupMutelist", { groupId: id });
    const share = async (user: SdkUser): Promise<number> => {
      const form = new FormData();
      form.append("file", new Blob(["x"]), "滚开.txt");
      const answer = await fetch(
        `${cast.platform.origin}/hyzh/console/chatgroups/${id}/share_files`,
        {
          method: "POST",
          body: form,
          headers: { authorization: `Bearer ${String(user.conn["token"])}` },
        },
      );
      return answer.status;
    };
    const react = (user: SdkUser, reaction: string) =>
      cast.refused(user, "addReaction", { messageId, reaction });
    expect(await react(lina, "🎉")).toBe("not refused");
    const mute = (ms: number) =>
      cast.call(zhangwei, "muteGroupMember", { groupId: id, username: "lina", muteDuration: ms });
    await mute(60_000);
    expect([await isIn(lina), await isIn(guest)]).toEqual([true, false]);
    expect([await react(lina, "滚开"), await share(lina)]).toEqual([603, 403]);
    // What she said before, she may take back.
    await cast.call(lina, "deleteReaction", { messageId, reaction: "🎉" });
    // A mute of all is no punishment: members react, but bring no content.
    await cast.call(zhangwei, "disableSendGroupMsg", { groupId: id });
    expect([await react(guest, "👍"), await share(guest)]).toEqual(["not refused", 403]);
    await cast.call(zhangwei, "addUsersToGroupAllowlist", { groupId: id, users: ["guest"] });
    expect([await share(guest), await share(zhangwei)]).toEqual([200, 200]);
    await cast.call(zhangwei, "enableSendGroupMsg", { groupId: id });
    await mute(1);
    await expect.poll(() => isIn(lina)).toBe(false);
    expect(await cast.call(guest, "getGroupMuteList", { groupId: id })).toEqual([]);
    expect([await react(lina, "👍"), await share(lina)]).toEqual(["not refused", 200]);
    const files = (await cast.call(zhangwei, "getGroupSharedFilelist", { groupId: id })) as {
      file_owner: string;
    }[];
    expect(files.map((file) => file.file_owner).sort()).toEqual(["guest", "lina", "zhangwei"]);
    const outsider = await cast.make(zhangwei, ["guest"]);
    expect(await cast.refused(lina, "isInGroupMutelist", { groupId: outsider })).toBe(605);
  });

  it("A mute outlives leaving and removal, until it is ended", async () => {
    const id = await cast.make(zhangwei, ["lina", "guest"]);
    const mute = { groupId: id, username: "guest", muteDuration: 60_000 };
    await cast.call(zhangwei, "muteGroupMember", mute);
    await cast.call(guest, "leaveGroup", { groupId: id });
    await cast.call(guest, "joinGroup", { groupId: id, message: "" });
    expect(await cast.refusedText(guest, id)).toBe(219);
    await cast.call(zhangwei, "removeGroupMember", { groupId: id, username: "guest" });
    await cast.call(zhangwei, "inviteUsersToGroup", { groupId: id, users: ["guest"] });
    expect(await cast.refusedText(guest, id)).toBe(219);
    expect(await cast.call(lina, "getGroupMuteList", { groupId: id })).toMatchObject([
      { user: "guest" },
    ]);
    await cast.call(zhangwei, "unmuteGroupMember", { groupId: id, username: "guest" });
    await cast.call(guest, "leaveGroup", { groupId: id });
    await cast.call(guest, "joinGroup", { groupId: id, message: "" });
    expect(await cast.refusedText(guest, id)).toBe("not refused");
    // The group ends although one is muted who is inside, and one who is not.
    await cast.call(zhangwei, "muteGroupMember", mute);
    await cast.call(zhangwei, "muteGroupMember", { ...mute, username: "lina" });
    await cast.call(lina, "leaveGroup", { groupId: id });
    await cast.call(zhangwei, "destroyGroup", { groupId: id });
    expect(await guest.groupEvent("destroy", id)).toMatchObject({ from: "zhangwei" });
  });

  it("A muted member who becomes the owner writes: nobody else could end that mute", async () => {
    const id = await cast.make(zhangwei, ["lina", "guest"]);
    await cast.call(zhangwei, "muteGroupMember", {
      groupId: id,
      username: "lina",
      muteDuration: -1,
    });
    expect(await cast.refusedText(lina, id)).toBe(219);
    await cast.call(zhangwei, "changeGroupOwner", { groupId: id, newOwner: "lina" });
    expect(await cast.refusedText(lina, id)).toBe("not refused");
  });

  it("A message to some members reaches them alone, and stays out of the history", async () => {
    const id = await cast.make(zhangwei, ["lina", "guest"]);
    const directed = (receiverList: string[]) =>
      cast.sdk.message.create({
        type: "txt",
        chatType: "groupChat",
        to: id,
        msg: "只给李娜",
        receiverList,
      });
    const refused = (user: SdkUser, receiverList: string[]) =>
      cast.refused(user, "send", directed(receiverList));
    await zhangwei.conn["send"]?.(directed(["lina"]));
    await zhangwei.sendText(id, "给大家");
    await lina.until("both", () => lina.texts(id).length === 2);
    await guest.until("the second", () => guest.texts(id).length === 1);
    expect([lina.texts(id), guest.texts(id)]).toEqual([["只给李娜", "给大家"], ["给大家"]]);
    const history = await lina.conn["getHistoryMessages"]?.({
      targetId: id,
      chatType: "groupChat",
      pageSize: 20,
      cursor: -1,
      searchDirection: "up",
    });
    const messages = history?.["messages"] as { msg: string }[];
    expect(messages.map(({ msg }) => msg)).toEqual(["给大家"]);
    // Who did not get it can neither say that they have read it, nor hears that it is recalled.
    const { id: mid } = await lina.until("the directed text", (e) => e["msg"] === "只给李娜");
    const receipt = cast.sdk.message.create({
      type: "read",
      chatType: "groupChat",
      to: id,
      id: mid,
      msgConfig: { allowGroupAck: true },
      ackContent: "",
    });
    expect(await cast.refused(guest, "send", receipt)).not.toBe("not refused");
    expect(await cast.refused(lina, "send", receipt)).toBe("not refused");
    const recall = { mid, to: id, type: "groupchat", chatType: "groupChat" };
    expect(await cast.refused(zhangwei, "recallMessage", recall)).toBe("not refused");
    const recalled = (e: { handler: string; mid?: unknown }): boolean =>
      e.handler === "onRecallMessage" && e.mid === mid;
    await lina.until("the recall", recalled);
    await zhangwei.sendText(id, "说完了");
    await guest.until("what came after", () => guest.texts(id).includes("说完了"));
    expect(guest.events.filter(recalled)).toEqual([]);
    // A message to somebody outside the group is refused, and so is one to more than 20 members.
    expect(await refused(zhangwei, ["wangfang", "nobody"])).toBe(50);
    expect(
      await refused(zhangwei, ["lina", ...Array.from({ length: 20 }, (_, n) => `p${n}`)]),
    ).toBe(50);
    await cast.call(zhangwei, "disableSendGroupMsg", { groupId: id });
    expect(await refused(guest, ["lina"])).toBe(219);
    expect(lina.texts(id)).toEqual(["只给李娜", "给大家", "说完了"]);
  });

  it("Members say something of themselves, and those who rule the group may change it", async () => {
    const id = await cast.make(zhangwei, ["lina", "guest"]);
    const set = (user: SdkUser, userId: string, memberAttributes: object) =>
      user.conn["setGroupMemberAttributes"]?.({ groupId: id, userId, memberAttributes });
    const second = await cast.login("lina", "two");
    const onOwn = new Promise<unknown>((resolve) => {
      void second.conn["addEventHandler"]?.("own", { onMultiDeviceEvent: resolve });
    });
    await set(lina, "lina", { nickName: "值班李", phone: "8001" });
    expect(await guest.groupEvent("memberAttributesUpdate", id)).toMatchObject({
      attributes: { nickName: "值班李", phone: "8001" },
      userId: "lina",
    });
    // The own other device learns of it too, by an event of its own.
    expect(await onOwn).toMatchObject({
      operation: "memberAttributesUpdate",
      id,
      userId: "lina",
      attributes: { nickName: "值班李", phone: "8001" },
    });
    const wanted = (keys: string[]) =>
      cast.call(guest, "getGroupMembersAttributes", {
        groupId: id,
        userIds: ["lina", "zhangwei"],
        keys,
      });
    expect(await wanted(["nickName"])).toEqual({ lina: { nickName: "值班李" }, zhangwei: {} });
    const attributes = { groupId: id, userId: "lina", memberAttributes: { nickName: "x" } };
    expect(await cast.refused(guest, "setGroupMemberAttributes", attributes)).toBe(603);
    const long = {
      ...attributes,
      memberAttributes: Object.fromEntries(
        Array.from({ length: 20 }, (_, i) => [`k${i}`, "字".repeat(300)]),
      ),
    };
    expect(await cast.refused(lina, "setGroupMemberAttributes", long)).toBe(17);
    await set(zhangwei, "lina", { phone: "" });
    expect(await wanted([])).toEqual({ lina: { nickName: "值班李" }, zhangwei: {} });
  });

  it("The sender of a message learns how many have read it, and who; nobody else does", async () => {
    const id = await cast.make(zhangwei, ["lina", "guest"]);
    const msgConfig = { allowGroupAck: true };
    const text = { type: "txt", chatType: "groupChat", to: id, msg: "请确认", msgConfig };
    const sent = await zhangwei.conn["send"]?.(cast.sdk.message.create(text));
    const mid = String(sent?.["serverMsgId"]);
    const read = (user: SdkUser) =>
      cast.sdk.message.create({
        type: "read",
        chatType: "groupChat",
        to: id,
        id: mid,
        from: user.name,
      });
    const acks = (user: SdkUser) =>
      cast.call(user, "getGroupMsgReadUser", { groupId: id, msgId: mid });
    for (const [n, user] of [lina, guest].entries()) {
      await user.until("the text", () => user.texts(id).length === 1);
      await user.conn["send"]?.(read(user));
      // A receipt that is repeated counts once.
      await user.conn["send"]?.(read(user));
      expect(
        await zhangwei.until(
          `${n + 1} readers`,
          (e) =>
            e.handler === "onReadMessage" &&
            (e["groupReadCount"] as Record<string, number> | undefined)?.[mid] === n + 1,
        ),
      ).toMatchObject({ mid, from: user.name });
    }
    expect(await acks(zhangwei)).toMatchObject({
      ackmid: mid,
      total: 2,
      userlist: ["lina", "guest"],
    });
    expect(await cast.refused(lina, "getGroupMsgReadUser", { groupId: id, msgId: mid })).toBe(603);
    expect(await cast.refused(zhangwei, "send", read(zhangwei))).not.toBe("not refused");
    expect(lina.events.filter((e) => e.handler === "onReadMessage")).toEqual([]);
  });

  it("A receipt brings words along, except of a muted member; who came later has no receipt to give", async () => {
    const id = await cast.make(zhangwei, ["lina"]);
    const sendAsking = async (): Promise<string> => {
      const msgConfig = { allowGroupAck: true };
      const text = { type: "txt", chatType: "groupChat", to: id, msg: "请确认", msgConfig };
      return String(
        (await zhangwei.conn["send"]?.(cast.sdk.message.create(text)))?.["serverMsgId"],
      );
    };
    const read = (user: SdkUser, mid: string, ackContent: string) =>
      cast.sdk.message.create({
        type: "read",
        chatType: "groupChat",
        to: id,
        id: mid,
        from: user.name,
        ackContent,
      });
    const wordsOf = async (mid: string): Promise<unknown> =>
      (
        await zhangwei.until(
          `the receipt of ${mid}`,
          (e) => e.handler === "onReadMessage" && e["mid"] === mid,
        )
      )["ackContent"];
    const [first, second] = [await sendAsking(), await sendAsking()];
    await lina.conn["send"]?.(read(lina, first, `收到${"。".repeat(600)}`));
    expect(await wordsOf(first)).toBe(`收到${"。".repeat(510)}`);
    await cast.call(zhangwei, "muteGroupMember", {
      groupId: id,
      username: "lina",
      muteDuration: 60_000,
    });
    await lina.conn["send"]?.(read(lina, second, "滚开"));
    expect(await wordsOf(second)).toBe("");
    await cast.call(zhangwei, "inviteUsersToGroup", { groupId: id, users: ["guest"] });
    await guest.groupEvent("directJoined", id);
    expect(await cast.refused(guest, "send", read(guest, first, ""))).not.toBe("not refused");
    expect(
      await cast.call(zhangwei, "getGroupMsgReadUser", { groupId: id, msgId: first }),
    ).toMatchObject({ total: 1, userlist: ["lina"] });
  });
});
