/** What people do with messages beside sending them, by the provider's unmodified SDK. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Person, type SdkPeople, startSdkPeople } from "../sdk-people.harness.ts";

let people: SdkPeople;
/** Colleagues; wangfang works for another company and has no friends. */
let wei: Person;
let na: Person;

beforeAll(async () => {
  people = await startSdkPeople();
}, 120_000);
afterAll(() => people.close());
beforeEach(async () => {
  [wei, na] = await Promise.all([people.login("zhangwei"), people.login("lina")]);
});
afterEach(() => people.leave());

const history = async (person: Person, targetId: string, chatType = "singleChat") => {
  const answer = (await person.user.conn["getHistoryMessages"]?.({
    targetId,
    chatType,
    cursor: -1,
    pageSize: 20,
    searchDirection: "up",
  })) as { messages: Record<string, unknown>[] } | undefined;
  return answer?.messages ?? [];
};
const group = async (): Promise<string> => {
  const data = { groupname: "群", desc: "", members: ["lina"], public: true, approval: false };
  const made = (await wei.call("createGroup", { data: { ...data, allowinvites: true } })) as {
    groupid: string;
  };
  await na.user.groupEvent("directJoined", made.groupid);
  return made.groupid;
};
const inGroup = { chatType: "groupChat" };
/** The type of a refused edit. */
const refusedEdit = (who: Person, ...given: Parameters<Person["edit"]>): Promise<unknown> =>
  who.edit(...given).then(
    () => "not refused",
    (error: { type?: unknown }) => error.type,
  );

describe("Answers", () => {
  it("What a message answers reaches the other side and the history", async () => {
    const asked = await na.sendText("zhangwei", "几点？");
    const msgQuote = { msgID: asked, msgPreview: "几点？", msgSender: "lina", msgType: "txt" };
    const id = await wei.sendText("lina", "三点", { ext: { msgQuote } });
    expect(await na.hears("onTextMessage", (e) => e["id"] === id)).toMatchObject({
      msg: "三点",
      ext: { msgQuote },
    });
    expect((await history(na, "zhangwei")).find((m) => m["id"] === id)).toMatchObject({
      ext: { msgQuote },
    });
  });
});

describe("Edits", () => {
  it("An edit reaches the other side, the own other device and the history, and counts", async () => {
    const second = await people.login("zhangwei", "two");
    const id = await wei.sendText("lina", "三点开会", { ext: { localId: "77" } });
    await na.hears("onTextMessage", (e) => e["id"] === id);
    const answer = (await wei.edit("lina", id, "四点开会")) as { message: unknown };
    expect(answer.message).toMatchObject({
      id,
      msg: "四点开会",
      modifiedInfo: { operationCount: 1, operatorId: "zhangwei" },
    });
    for (const other of [na, second]) {
      expect(await other.hears("onModifiedMessage", (e) => e["id"] === id)).toMatchObject({
        msg: "四点开会",
        from: "zhangwei",
        to: "lina",
        chatType: "singleChat",
        modifiedInfo: { operationCount: 1, operatorId: "zhangwei" },
      });
    }
    await wei.edit("lina", id, "五点开会");
    expect((await history(na, "zhangwei")).find((m) => m["id"] === id)).toMatchObject({
      msg: "五点开会",
      ext: { localId: "77" },
      modifiedInfo: { operationCount: 2 },
    });
  });

  it("Who was away gets the newest text alone, and of a message that was taken back nothing", async () => {
    na.user.close();
    const kept = await wei.sendText("lina", "旧");
    const gone = await wei.sendText("lina", "秘密");
    await wei.edit("lina", kept, "新");
    await wei.edit("lina", gone, "更大的秘密");
    await wei.call("recallMessage", { mid: gone, to: "lina", chatType: "singleChat" });
    const back = await people.login("lina");
    await back.hears("onModifiedMessage", (e) => e["id"] === kept);
    expect(await back.hears("onTextMessage", (e) => e["id"] === kept)).toMatchObject({ msg: "新" });
    expect(JSON.stringify([back.heard, await history(back, "zhangwei")])).not.toContain("秘密");
  });

  it("A message of a group is edited for its members", async () => {
    const to = await group();
    const id = await wei.sendText(to, "通知", inGroup);
    await na.hears("onTextMessage", (e) => e["id"] === id);
    await wei.edit(to, id, "新通知", inGroup);
    expect(await na.hears("onModifiedMessage", (e) => e["id"] === id)).toMatchObject({
      msg: "新通知",
      to,
      chatType: "groupChat",
    });
  });

  it("Nobody edits the message of another, one that was taken back, a picture, or one more than ten times", async () => {
    const id = await wei.sendText("lina", "一");
    const picture = await wei.sendText("lina", "", {
      type: "img",
      url: `${people.platform.origin}/hyzh/console/chatfiles/u`,
      body: { type: "img", url: "", secret: "", filename: "a.png", file_length: 1 },
    });
    expect(await refusedEdit(na, "zhangwei", id, "x")).toBe(603);
    expect(await refusedEdit(wei, "guest", id, "x")).toBe(1302);
    expect(await refusedEdit(wei, "lina", "404", "x")).toBe(1302);
    expect(await refusedEdit(wei, "lina", picture, "x")).toBe(505);
    expect(await refusedEdit(wei, "lina", id, "\u200b")).toBe(1304);
    for (let n = 0; n < 10; n += 1) await wei.edit("lina", id, `${n}`);
    expect(await refusedEdit(wei, "lina", id, "x")).toBe(50);
    const other = await wei.sendText("lina", "二");
    await wei.call("recallMessage", { mid: other, to: "lina", chatType: "singleChat" });
    expect(await refusedEdit(wei, "lina", other, "x")).toBe(1302);
    const outsider = await people.login("wangfang");
    expect(await refusedEdit(outsider, "lina", id, "x")).not.toBe("not refused");
    expect((await history(na, "zhangwei")).find((m) => m["id"] === id)).toMatchObject({ msg: "9" });
  });

  it("A muted or former member of a group edits nothing there", async () => {
    const to = await group();
    const id = await na.sendText(to, "我的", inGroup);
    await wei.call("muteGroupMember", { groupId: to, username: "lina", muteDuration: 60_000 });
    expect(await refusedEdit(na, to, id, "x", inGroup)).toBe(219);
    await na.call("leaveGroup", { groupId: to });
    expect(await refusedEdit(na, to, id, "x", inGroup)).toBe(602);
  });
});

describe("Recalls", () => {
  it("A recall reaches the other side, and the message leaves the history", async () => {
    const id = await wei.sendText("lina", "错");
    await na.hears("onTextMessage", (e) => e["id"] === id);
    await wei.call("recallMessage", { mid: id, to: "lina", chatType: "singleChat" });
    expect(await na.hears("onRecallMessage", (e) => e["mid"] === id)).toMatchObject({
      from: "zhangwei",
      to: "lina",
    });
    expect((await history(na, "zhangwei")).map((m) => m["id"])).not.toContain(id);
    const given = { mid: id, to: "zhangwei", chatType: "singleChat" };
    expect(await na.refused("recallMessage", given)).not.toBe("not refused");
  });
});

describe("Reactions", () => {
  const add = (who: Person, messageId: string, reaction = "👍") =>
    who.call("addReaction", { messageId, reaction });
  /** The newest notice about a message that has the reaction this often. */
  const notice = (who: Person, messageId: string, count: number, reaction = "👍") =>
    who.hears("onReactionChange", (e) => {
      const reactions = e["reactions"] as { reaction: string; count: number }[];
      const found = reactions.find((each) => each.reaction === reaction);
      return e["messageId"] === messageId && found?.count === count;
    });
  const counted = async (who: Person, messageId: string, more: object = {}) => {
    const given = { chatType: "singleChat", messageId: [messageId], ...more };
    const data = (await who.call("getReactionlist", given)) as { reactionList: object[] }[];
    return data[0]?.reactionList;
  };

  it("A reaction is counted with its people, reaches all devices of both sides, and is taken back", async () => {
    const second = await people.login("zhangwei", "two");
    const id = await wei.sendText("lina", "好消息");
    await na.hears("onTextMessage", (e) => e["id"] === id);
    await add(na, id, "❤️");
    await add(na, id, "❤️");
    for (const other of [wei, second, na]) {
      expect(await notice(other, id, 1, "❤️")).toMatchObject({
        from: "lina",
        to: "zhangwei",
        chatType: "singleChat",
        reactions: [
          {
            reaction: "❤️",
            count: 1,
            userList: ["lina"],
            op: [{ operator: "lina", reactionType: "create" }],
          },
        ],
      });
    }
    await add(wei, id, "❤️");
    expect(await notice(na, id, 2, "❤️")).toMatchObject({ from: "zhangwei", to: "lina" });
    expect(await counted(na, id)).toMatchObject([
      { reaction: "❤️", userCount: 2, isAddedBySelf: true, userList: ["lina", "zhangwei"] },
    ]);
    const plain = await wei.sendText("lina", "没有反应");
    const messageId = [id, plain];
    expect(await na.call("getReactionlist", { chatType: "singleChat", messageId })).toMatchObject([
      { msgId: id, reactionList: [{ reaction: "❤️", userCount: 2 }] },
      { msgId: plain, reactionList: [] },
    ]);
    const detail = { messageId: id, reaction: "❤️", cursor: "", pageSize: 20 };
    expect(await na.call("getReactionDetail", detail)).toMatchObject({ userCount: 2 });
    expect((await history(wei, "lina")).find((m) => m["id"] === id)).toMatchObject({
      reactions: [
        { reaction: "❤️", count: 2, isAddedBySelf: true, userList: ["lina", "zhangwei"] },
      ],
    });
    for (const who of [na, wei]) {
      await who.call("deleteReaction", { messageId: id, reaction: "❤️" });
    }
    expect(await notice(second, id, 0, "❤️")).toMatchObject({
      reactions: [{ op: [{ operator: "zhangwei", reactionType: "delete" }] }],
    });
    expect(await counted(wei, id)).toEqual([]);
  });

  it("Who was away learns of a reaction on coming back", async () => {
    const id = await wei.sendText("lina", "在吗");
    wei.user.close();
    await add(na, id);
    const back = await people.login("zhangwei");
    expect(await notice(back, id, 1)).toMatchObject({ from: "lina" });
  });

  it("Members of a group react and see who did", async () => {
    const to = await group();
    const id = await wei.sendText(to, "通知", inGroup);
    await add(na, id, "🎉");
    expect(await notice(wei, id, 1, "🎉")).toMatchObject({ to, chatType: "groupChat" });
    expect(await counted(wei, id, { chatType: "groupChat", groupId: to })).toMatchObject([
      { reaction: "🎉", userCount: 1, userList: ["lina"] },
    ]);
    await na.call("leaveGroup", { groupId: to });
    expect(await na.refused("addReaction", { messageId: id, reaction: "👍" })).not.toBe(
      "not refused",
    );
    expect(await counted(na, id, { chatType: "groupChat", groupId: to })).toEqual([]);
  });

  it("Nobody reacts to a message of others, to one that was taken back, or with text and markup that is too long", async () => {
    const id = await wei.sendText("lina", "秘密");
    await add(na, id);
    for (const name of ["guest", "wangfang"]) {
      const outsider = await people.login(name);
      const given = { messageId: id, reaction: "👍" };
      expect(await outsider.refused("addReaction", given)).not.toBe("not refused");
      expect(await outsider.refused("deleteReaction", given)).not.toBe("not refused");
      expect(await counted(outsider, id)).toEqual([]);
    }
    for (const reaction of ["x".repeat(33), "a b", "\u0000"]) {
      expect(await na.refused("addReaction", { messageId: id, reaction })).not.toBe("not refused");
    }
    for (const messageId of ["404", "-1", "1".repeat(19), "9".repeat(20), "x"]) {
      expect(await na.refused("addReaction", { messageId, reaction: "👍" })).not.toBe(
        "not refused",
      );
    }
    await wei.call("recallMessage", { mid: id, to: "lina", chatType: "singleChat" });
    expect(await na.refused("addReaction", { messageId: id, reaction: "🎉" })).not.toBe(
      "not refused",
    );
    expect(await counted(na, id)).toEqual([]);
  });
});

describe("Settings of conversations", () => {
  const pin = (who: Person, conversationId: string, isPinned: boolean, group = false) =>
    who.call("pinConversation", {
      conversationId,
      conversationType: group ? "groupChat" : "singleChat",
      isPinned,
    });
  const pinned = async (who: Person) => {
    const data = (await who.call("getServerPinnedConversations", { pageSize: 50 })) as {
      conversations: { conversationId: string; conversationType: string; isPinned: boolean }[];
    };
    return data.conversations.map(({ conversationId: id, isPinned }) => [id, isPinned]);
  };
  const quiet = (who: Person, remindType: string, conversationId = "lina") =>
    who.call("setSilentModeForConversation", {
      conversationId,
      type: "singleChat",
      options: { paramType: 0, remindType },
    });
  const silent = async (who: Person) => {
    const data = (await who.call("getSilentModeRemindTypeConversations", { pageSize: 50 })) as
      | { conversations: { conversationId: string; remindType: string }[] }
      | undefined;
    return (data?.conversations ?? []).map((c) => [c.conversationId, c.remindType]);
  };

  it("A pinned conversation stands first on all devices of the person, and on nobody else's", async () => {
    const second = await people.login("zhangwei", "two");
    const to = await group();
    expect(await pin(wei, "lina", true)).toMatchObject({ isPinned: true });
    await pin(wei, to, true, true);
    expect(
      await second.hears("onMultiDeviceEvent", (e) => e["conversationId"] === "lina"),
    ).toMatchObject({ operation: "pinnedConversation", conversationType: "singleChat" });
    await second.hears("onMultiDeviceEvent", (e) => e["conversationId"] === to);
    expect(await pinned(second)).toEqual([
      [to, true],
      ["lina", true],
    ]);
    expect(await pinned(na)).toEqual([]);
    await wei.sendText("lina", "x");
    const list = (await wei.call("getServerConversations", { pageSize: 20, cursor: "" })) as {
      conversations: { conversationId: string; isPinned: boolean }[];
    };
    expect(list.conversations.find((c) => c.conversationId === "lina")?.isPinned).toBe(true);
    await pin(wei, to, false, true);
    await second.hears(
      "onMultiDeviceEvent",
      (e) => e["conversationId"] === to && e["operation"] === "unpinnedConversation",
    );
    await pin(wei, "lina", false);
    expect(await pinned(wei)).toEqual([]);
  });

  it("A silent conversation is silent on all devices of the person until the setting is taken away", async () => {
    const second = await people.login("zhangwei", "two");
    await quiet(wei, "NONE");
    expect(await second.hears("onMultiDeviceEvent")).toMatchObject({
      operation: "setSilentModeForConversation",
      conversationId: "lina",
      type: "singleChat",
      data: { type: "NONE" },
    });
    expect(await silent(second)).toEqual([["lina", "NONE"]]);
    expect(await wei.call("getSilentModeRemindTypeConversations", { pageSize: 50 })).toMatchObject({
      conversations: [{ conversationId: "lina", type: "singleChat", remindType: "NONE" }],
    });
    expect(await silent(na)).toEqual([]);
    const one = { conversationId: "lina", type: "singleChat" };
    expect(await wei.call("getSilentModeForConversation", one)).toMatchObject({ type: "NONE" });
    const conversationList = [{ id: "lina", type: "singleChat" }];
    expect(await wei.call("getSilentModeForConversations", { conversationList })).toMatchObject({
      user: { lina: { type: "NONE" } },
    });
    await wei.call("clearRemindTypeForConversation", one);
    await second.hears(
      "onMultiDeviceEvent",
      (e) => e["operation"] === "removeSilentModeForConversation",
    );
    expect(await silent(wei)).toEqual([]);
  });

  it("A silence for a while, one at a time of day, and one but for mentions are kept, and the own devices learn of them", async () => {
    const second = await people.login("zhangwei", "two");
    const to = await group();
    const one = { conversationId: to, type: "groupChat" };
    const set = (options: object) => wei.call("setSilentModeForConversation", { ...one, options });
    const learns = (fits: (data: Record<string, unknown>) => boolean) =>
      second.hears("onMultiDeviceEvent", (e) => fits((e["data"] ?? {}) as Record<string, unknown>));
    const read = () => second.call("getSilentModeForConversation", one);

    await set({ paramType: 0, remindType: "AT" });
    expect(await learns((data) => data["type"] === "AT")).toMatchObject({
      operation: "setSilentModeForConversation",
      ...one,
    });
    expect(await read()).toEqual({ type: "AT" });
    expect(await silent(second)).toEqual([[to, "AT"]]);

    const before = Date.now();
    await set({ paramType: 1, duration: 600_000 });
    const { ignoreDuration } = (await read()) as { ignoreDuration: number };
    expect(ignoreDuration).toBeGreaterThanOrEqual(before + 600_000);
    expect(ignoreDuration).toBeLessThanOrEqual(Date.now() + 600_000);
    expect(await learns((data) => data["ignoreDuration"] === ignoreDuration)).toMatchObject(one);

    const options = {
      paramType: 2,
      startTime: { hours: 22, minutes: 30 },
      endTime: { hours: 7, minutes: 5 },
    };
    await set(options);
    const whole = { type: "AT", ignoreDuration, ignoreInterval: "22:30-7:5" };
    expect(await read()).toEqual(whole);
    expect(await learns((data) => "ignoreInterval" in data)).toMatchObject({
      operation: "setSilentModeForUser",
      data: whole,
    });
    const conversationList = [
      { id: to, type: "groupChat" },
      { id: "lina", type: "singleChat" },
    ];
    expect(await wei.call("getSilentModeForConversations", { conversationList })).toEqual({
      group: { [to]: whole },
      user: { lina: {} },
    });
    await wei.call("clearRemindTypeForConversation", one);
    expect(await read()).toEqual({});

    await wei.call("setSilentModeForAll", { options });
    await wei.call("setSilentModeForAll", { options: { paramType: 1, duration: 60_000 } });
    expect(await second.call("getSilentModeForAll")).toMatchObject({
      ignoreInterval: "22:30-7:5",
      ignoreDuration: expect.any(Number) as number,
    });
    const tooLong = { options: { paramType: 1, duration: 31 * 86_400_000 } };
    expect(await wei.refused("setSilentModeForAll", tooLong)).toBe(17);
    await people.platform.platform.database.pool.query("TRUNCATE chat_setting");
  });

  it("Do not disturb holds for all conversations", async () => {
    const second = await people.login("zhangwei", "two");
    const options = { paramType: 0, remindType: "NONE" };
    await wei.call("setSilentModeForAll", { options });
    expect(await second.hears("onMultiDeviceEvent")).toMatchObject({
      conversationId: "zhangwei",
      data: { type: "NONE" },
    });
    expect(await second.call("getSilentModeForAll")).toMatchObject({ type: "NONE" });
    expect(await silent(second)).toEqual([]);
    await wei.call("setSilentModeForAll", { options: { ...options, remindType: "ALL" } });
    expect(await wei.call("getSilentModeForAll")).toMatchObject({ type: "ALL" });
    expect(await na.call("getSilentModeForAll")).toEqual({});
  });
});
