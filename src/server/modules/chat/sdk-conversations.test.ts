/** Kinds of messages, receipts, the list of conversations, removal, and pinned messages, with the provider's unmodified SDK. */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type Person, type SdkPeople, startSdkPeople } from "./sdk-people.harness.ts";
import { MetaCodec } from "./wire/wire.ts";

let people: SdkPeople;
beforeAll(async () => {
  people = await startSdkPeople();
}, 120_000);
afterEach(async () => {
  people.leave();
  await people.platform.platform.database.pool.query(
    "TRUNCATE chat_message, chat_read, chat_inbox, chat_inbox_head, chat_cursor, chat_cleared, chat_mark, chat_setting, im_groups CASCADE",
  );
});
afterAll(() => people.close());

interface Listed {
  readonly conversationId: string;
  readonly conversationType: string;
  readonly unReadCount: number;
  readonly isPinned: boolean;
  readonly marks?: readonly number[];
  readonly lastMessage?: { readonly id?: string; readonly msg?: string; readonly type?: string };
}
const list = async (who: Person, more: object = {}): Promise<Listed[]> =>
  (
    (await who.call("getServerConversations", { pageSize: 20, cursor: "", ...more })) as {
      conversations: Listed[];
    }
  ).conversations;
interface History {
  readonly messages: readonly { id: string; msg?: string; type: string }[];
  readonly cursor?: string;
  readonly isLast: boolean;
}
const history = async (who: Person, targetId: string, more: object = {}): Promise<History> =>
  (await who.user.conn["getHistoryMessages"]?.({
    targetId,
    chatType: "singleChat",
    pageSize: 20,
    cursor: -1,
    searchDirection: "up",
    ...more,
  })) as unknown as History;
const ids = async (who: Person, targetId: string, more: object = {}): Promise<string[]> =>
  (await history(who, targetId, more)).messages.map((message) => message.id);
const single = { chatType: "singleChat" } as const;
async function pair() {
  return { wei: await people.login("zhangwei"), na: await people.login("lina") };
}
async function group(owner: Person, members: string[]): Promise<string> {
  const data = {
    groupname: "巡查",
    desc: "",
    members,
    public: false,
    approval: false,
    allowinvites: true,
  };
  return ((await owner.call("createGroup", { data })) as { groupid: string }).groupid;
}

it("A place, a custom message and a combined one arrive as what they are, live and in the history", async () => {
  const { wei, na } = await pair();
  const place = {
    ...single,
    type: "loc",
    to: "lina",
    addr: "人民路 1 号",
    buildingName: "A 座",
    lat: 31.2,
    lng: 121.5,
  };
  await wei.sends(place);
  expect(await na.hears("onLocationMessage")).toMatchObject({
    addr: "人民路 1 号",
    lat: 31.2,
    lng: 121.5,
  });
  await wei.sends({
    ...single,
    type: "custom",
    to: "lina",
    customEvent: "card",
    customExts: { userId: "guest" },
  });
  expect(await na.hears("onCustomMessage")).toMatchObject({
    customEvent: "card",
    customExts: { userId: "guest" },
  });
  const quoted = {
    ...single,
    type: "txt",
    id: "1",
    from: "zhangwei",
    to: "lina",
    msg: "四点",
    time: 1,
    ext: {},
  };
  await wei.sends({
    ...single,
    type: "combine",
    to: "lina",
    compatibleText: "[聊天记录]",
    title: "张伟的聊天记录",
    summary: "两条消息",
    messageList: [quoted],
  });
  expect(await na.hears("onCombineMessage")).toMatchObject({
    title: "张伟的聊天记录",
    summary: "两条消息",
  });
  const kinds = (await history(na, "zhangwei")).messages.map((message) => message.type);
  expect([...kinds].sort()).toEqual(["combine", "custom", "loc"]);
  expect(await wei.refusedSend({ ...place, to: "wangfang_x" })).toBe(221);
});

it("A command reaches connected devices and stays out of the history", async () => {
  const { wei, na } = await pair();
  await wei.sends({
    ...single,
    type: "cmd",
    to: "lina",
    action: "TypingBegin",
    deliverOnlineOnly: true,
  });
  expect(await na.hears("onCmdMessage")).toMatchObject({ action: "TypingBegin", from: "zhangwei" });
  expect(await ids(na, "zhangwei")).toEqual([]);
});

it("Receipts of one message and of a conversation reach the sender, and nobody reads for another", async () => {
  const { wei, na } = await pair();
  const guest = await people.login("guest");
  const id = await wei.sendText("lina", "看到请回复");
  await na.hears("onTextMessage");
  await na.sends({ ...single, type: "read", id, to: "zhangwei" });
  expect(await wei.hears("onReadMessage")).toMatchObject({ mid: id, from: "lina" });
  await na.sends({ ...single, type: "channel", to: "zhangwei" });
  expect(await wei.hears("onChannelMessage")).toMatchObject({ from: "lina", to: "zhangwei" });
  expect(await guest.refusedSend({ ...single, type: "read", id, to: "zhangwei" })).not.toBe(
    "not refused",
  );
});

it("The list counts unread messages until the conversation is read, and shows the last one", async () => {
  const { wei, na } = await pair();
  const id = await group(wei, ["lina"]);
  for (const msg of ["一", "二", "三"]) await wei.sendText("lina", msg);
  const groupChat = { chatType: "groupChat" };
  await wei.sendText(id, "全体注意", groupChat);
  const shown = await list(na);
  expect(shown.map((one) => [one.conversationId, one.conversationType, one.unReadCount])).toEqual([
    [id, "groupChat", 1],
    ["zhangwei", "singleChat", 3],
  ]);
  expect(shown.map((one) => one.lastMessage?.msg)).toEqual(["全体注意", "三"]);
  // Own messages do not count as unread.
  expect((await list(wei)).map((one) => one.unReadCount)).toEqual([0, 0]);
  await na.sends({ ...single, type: "channel", to: "zhangwei" });
  await na.sends({ ...groupChat, type: "channel", to: id });
  expect((await list(na)).map((one) => one.unReadCount)).toEqual([0, 0]);
  await wei.sendText("lina", "四");
  expect((await list(na)).map((one) => [one.conversationId, one.unReadCount])).toEqual([
    ["zhangwei", 1],
    [id, 0],
  ]);
});

it("The last message and the count of the list are of what the person may see and has not removed", async () => {
  const { wei, na } = await pair();
  const groupChat = { chatType: "groupChat" };
  const id = await group(wei, ["guest"]);
  await wei.sendText(id, "入群前的话", groupChat);
  await wei.call("inviteUsersToGroup", { groupId: id, users: ["lina"] });
  expect(await list(na)).toEqual([]);
  await wei.sendText(id, "欢迎", groupChat);
  const shown = async () =>
    (await list(na)).map((one) => [one.conversationId, one.unReadCount, one.lastMessage?.msg]);
  expect(await shown()).toEqual([[id, 1, "欢迎"]]);
  const remove = (targetId: string, messageId: string, chatType = "singleChat") =>
    na.call("removeHistoryMessages", { targetId, chatType, messageIds: [messageId] });
  await wei.sendText("lina", "留下");
  await remove("zhangwei", await wei.sendText("lina", "删除"));
  await remove(id, await wei.sendText(id, "群里删除", groupChat), "groupChat");
  expect(await shown()).toEqual([
    ["zhangwei", 1, "留下"],
    [id, 1, "欢迎"],
  ]);
  expect((await list(wei)).map((one) => one.lastMessage?.msg)).toEqual(["群里删除", "删除"]);
});

it("What somebody wrote who may write no more is read on all own devices, and nobody else learns of it", async () => {
  const [na, second] = [await people.login("lina", "one"), await people.login("lina", "two")];
  const wang = await people.login("wangfang");
  await na.user.conn["addContact"]?.("wangfang", "");
  await wang.hears("onContactInvited");
  await wang.user.conn["acceptContactInvite"]?.("lina");
  const text = { ...single, type: "txt", to: "lina", msg: "您好" };
  await expect.poll(() => wang.refusedSend(text)).toBe("not refused");
  const unread = async () => (await list(na)).map((one) => [one.conversationId, one.unReadCount]);
  expect(await unread()).toEqual([["wangfang", 1]]);
  await wang.user.conn["deleteContact"]?.("lina");
  await expect.poll(() => wang.refusedSend(text)).toBe(221);
  const before = (await unread())[0]?.[1];
  expect(before).toBeGreaterThan(0);
  await na.sends({ ...single, type: "channel", to: "wangfang" });
  expect(await unread()).toEqual([["wangfang", 0]]);
  expect(await second.hears("onChannelMessage")).toMatchObject({ from: "lina", to: "wangfang" });
  await wang.call("getServerConversations", { pageSize: 20, cursor: "" });
  expect(wang.heard.filter(({ handler }) => handler === "onChannelMessage")).toEqual([]);
  // Nothing is stored about people who never wrote.
  expect(await na.refusedSend({ ...single, type: "channel", to: "nobody" })).toBe(221);
});

it("The list is read in pages, and pinned conversations alone", async () => {
  const { wei, na } = await pair();
  const guest = await people.login("guest");
  await guest.sendText("lina", "在吗");
  await wei.sendText("lina", "在吗");
  const first = (await na.call("getServerConversations", { pageSize: 1, cursor: "" })) as {
    conversations: Listed[];
    cursor: string;
  };
  expect(first.conversations.map((one) => one.conversationId)).toEqual(["zhangwei"]);
  const next = await list(na, { pageSize: 1, cursor: first.cursor });
  expect(next.map((one) => one.conversationId)).toEqual(["guest"]);
  await na.call("pinConversation", {
    conversationId: "guest",
    conversationType: "singleChat",
    isPinned: true,
  });
  const pinned = (await na.call("getServerPinnedConversations", { pageSize: 20, cursor: "" })) as {
    conversations: Listed[];
  };
  expect(pinned.conversations.map((one) => one.conversationId)).toEqual(["guest"]);
  expect(await na.refused("getServerConversations", { pageSize: 1, cursor: "x" })).toBe(17);
});

it("A page of the list that ends with an emptied conversation has a page after it", async () => {
  const { wei, na } = await pair();
  const guest = await people.login("guest");
  await guest.sendText("lina", "在吗");
  await wei.sendText("lina", "在吗");
  await na.call("removeHistoryMessages", {
    targetId: "zhangwei",
    chatType: "singleChat",
    beforeTimeStamp: Date.now() + 1000,
  });
  const first = (await na.call("getServerConversations", { pageSize: 1, cursor: "" })) as {
    conversations: Listed[];
    cursor: string;
  };
  expect(first.conversations).toMatchObject([{ conversationId: "zhangwei", lastMessage: {} }]);
  const next = await list(na, { pageSize: 1, cursor: first.cursor });
  expect(next.map((one) => one.conversationId)).toEqual(["guest"]);
});

it("Pinned conversations come in pages in the order of the pins, with and without messages", async () => {
  const { wei, na } = await pair();
  const guest = await people.login("guest");
  const order = ["guest", "p1", "zhangwei", "p2", "admin"];
  await wei.sendText("lina", "一");
  await guest.sendText("lina", "二");
  for (const conversationId of order) {
    await na.call("pinConversation", {
      conversationId,
      conversationType: "singleChat",
      isPinned: true,
    });
  }
  const sizes: number[] = [];
  const seen: string[] = [];
  let cursor = "";
  do {
    const page = (await na.call("getServerPinnedConversations", { pageSize: 2, cursor })) as {
      conversations: Listed[];
      cursor?: string;
    };
    sizes.push(page.conversations.length);
    seen.push(...page.conversations.map((one) => one.conversationId));
    cursor = page.cursor ?? "";
  } while (cursor !== "" && sizes.length < 9);
  expect([sizes, seen]).toEqual([[2, 2, 1], order.toReversed()]);
});

it("Marks of conversations find them, on other devices too", async () => {
  const { wei, na } = await pair();
  const second = await people.login("lina", "two");
  await wei.sendText("lina", "在吗");
  const conversations = [{ conversationId: "zhangwei", conversationType: "singleChat" }];
  await na.call("addConversationMark", { conversations, mark: 3 });
  expect(await second.hears("onMultiDeviceEvent")).toMatchObject({ operation: "markConversation" });
  const found = async () =>
    (
      (await na.call("getServerConversationsByFilter", {
        pageSize: 10,
        cursor: "",
        filter: { mark: 3 },
      })) as {
        conversations: Listed[];
      }
    ).conversations.map((one) => one.conversationId);
  expect(await found()).toEqual(["zhangwei"]);
  await na.call("removeConversationMark", { conversations, mark: 3 });
  const one = { conversationId: "zhangwei", conversationType: "singleChat", conversationMark: 3 };
  for (const operation of ["markConversation", "unMarkConversation"]) {
    expect(
      await second.hears("onMultiDeviceEvent", (e) => e["operation"] === operation),
    ).toMatchObject(one);
  }
  expect(wei.heard.filter((e) => e.handler === "onMultiDeviceEvent")).toEqual([]);
  expect(await found()).toEqual([]);
  expect(await na.refused("addConversationMark", { conversations, mark: 40 })).toBe(17);
});

it("A deleted conversation leaves the own list alone, and comes back with a new message", async () => {
  const { wei, na } = await pair();
  const second = await people.login("lina", "two");
  const old = await wei.sendText("lina", "旧的");
  await na.call("deleteConversation", {
    channel: "zhangwei",
    chatType: "singleChat",
    deleteRoam: true,
  });
  expect(await second.hears("onMultiDeviceEvent")).toMatchObject({
    operation: "deleteConversation",
    conversationId: "zhangwei",
    conversationType: "singleChat",
  });
  expect(wei.heard.filter((e) => e.handler === "onMultiDeviceEvent")).toEqual([]);
  expect([await list(na), await ids(na, "zhangwei")]).toEqual([[], []]);
  expect(await ids(wei, "lina")).toEqual([old]);
  const fresh = await wei.sendText("lina", "新的");
  expect((await list(na)).map((one) => one.unReadCount)).toEqual([1]);
  expect(await ids(na, "zhangwei")).toEqual([fresh]);
  expect(
    await na.refused("deleteConversation", {
      channel: "No Name",
      chatType: "singleChat",
      deleteRoam: true,
    }),
  ).toBe(17);
});

it("Removed messages leave the own history, by their ids, by time, and all at once", async () => {
  const { wei, na } = await pair();
  const second = await people.login("lina", "two");
  const sent: string[] = [];
  for (const msg of ["一", "二", "三"]) sent.push(await wei.sendText("lina", msg));
  const [one = "", two = "", three = ""] = sent;
  await na.call("removeHistoryMessages", {
    targetId: "zhangwei",
    chatType: "singleChat",
    messageIds: [two],
  });
  expect(await second.hears("onMultiDeviceEvent")).toMatchObject({ operation: "deleteRoaming" });
  expect((await ids(na, "zhangwei")).sort()).toEqual([one, three].sort());
  expect((await ids(wei, "lina")).length).toBe(3);
  // A message of another conversation stays.
  const other = await na.sendText("guest", "私下");
  await na.call("removeHistoryMessages", {
    targetId: "zhangwei",
    chatType: "singleChat",
    messageIds: [other],
  });
  expect(await ids(na, "guest")).toEqual([other]);
  await na.call("removeHistoryMessages", {
    targetId: "zhangwei",
    chatType: "singleChat",
    beforeTimeStamp: Date.now() + 1000,
  });
  expect(await ids(na, "zhangwei")).toEqual([]);
  await na.user.conn["deleteAllMessagesAndConversations"]?.();
  expect([await list(na), await ids(na, "guest")]).toEqual([[], []]);
  expect((await ids(wei, "lina")).length).toBe(3);
  expect(
    await na.refused("removeHistoryMessages", {
      targetId: "zhangwei",
      chatType: "singleChat",
      messageIds: ["x"],
    }),
  ).toBe(17);
});

it("The history is read by time, by kind and by sender, in both directions", async () => {
  const { wei, na } = await pair();
  const id = await group(wei, ["lina"]);
  const groupChat = { chatType: "groupChat" };
  const first = await wei.sendText(id, "一", groupChat);
  const place = await na.sends({
    ...groupChat,
    type: "loc",
    to: id,
    addr: "x",
    buildingName: "",
    lat: 1,
    lng: 2,
  });
  const last = await wei.sendText(id, "二", groupChat);
  const here = { ...groupChat };
  expect(await ids(na, id, { ...here, searchDirection: "down" })).toEqual([first, place, last]);
  const options = (searchOptions: object) =>
    ids(na, id, { ...here, searchDirection: "down", searchOptions });
  expect(await options({ msgTypes: ["txt"] })).toEqual([first, last]);
  expect(await options({ msgTypes: ["loc"] })).toEqual([place]);
  expect(await options({ from: "lina" })).toEqual([place]);
  expect(await options({ startTime: Date.now() + 60_000, endTime: Date.now() + 120_000 })).toEqual(
    [],
  );
  const guest = await people.login("guest");
  expect(
    await guest.refused("getHistoryMessages", {
      targetId: id,
      ...here,
      pageSize: 5,
      cursor: -1,
      searchDirection: "up",
    }),
  ).toBe(702);
});

it("The history of two people is read by a time that is past, by kind, and by both", async () => {
  const { wei, na } = await pair();
  const { pool } = people.platform.platform.database;
  const base = Date.now() - 3_600_000;
  const sent = [
    await wei.sendText("lina", "一"),
    await na.sendText("zhangwei", "二"),
    await wei.sends({
      ...single,
      type: "loc",
      to: "lina",
      addr: "x",
      buildingName: "",
      lat: 1,
      lng: 2,
    }),
    await wei.sendText("lina", "四"),
  ];
  for (const [n, id] of sent.entries()) {
    const at = base + n * 60_000;
    await pool.query("UPDATE chat_message SET sent_at = $2 WHERE id = $1", [id, at]);
  }
  const [one, two, place, four] = sent;
  const read = (searchOptions: object) =>
    ids(na, "zhangwei", { searchDirection: "down", searchOptions });
  const minutes = (from: number, to: number) => ({
    startTime: base + from * 60_000,
    endTime: base + to * 60_000,
  });
  expect(await read({})).toEqual([one, two, place, four]);
  // Both ends belong to the range.
  expect(await read(minutes(1, 2))).toEqual([two, place]);
  expect(await read(minutes(1, 9))).toEqual([two, place, four]);
  expect(await read({ ...minutes(0, 2), msgTypes: ["txt"] })).toEqual([one, two]);
  expect(await read({ msgTypes: ["loc", "img"] })).toEqual([place]);
  expect(await read(minutes(-9, -1))).toEqual([]);
  expect(await ids(na, "zhangwei", { searchOptions: minutes(1, 2) })).toEqual([place, two]);
  // Of two people the SDK does not send whose messages are wanted; the gateway heeds it from a client that does.
  expect(await read({ from: "lina" })).toEqual(sent);
  const response = await fetch(`${people.platform.origin}/hyzh/console/users/lina/messageroaming`, {
    method: "POST",
    headers: { authorization: `Bearer ${String(na.user.conn["token"])}` },
    body: JSON.stringify({ queue: "zhangwei@easemob.com", start: -1, userId: "lina" }),
  });
  const { data } = (await response.json()) as { data: { msgs: { msg: string }[] } };
  expect(data.msgs.map(({ msg }) => MetaCodec.decode(Buffer.from(msg, "base64")).id)).toEqual([
    two,
  ]);
});

it("The history of a group is read by a time that is past, by kind and by sender", async () => {
  const { wei, na } = await pair();
  const groupChat = { chatType: "groupChat" };
  const id = await group(wei, ["lina"]);
  const { pool } = people.platform.platform.database;
  const sent = [
    await wei.sendText(id, "一", groupChat),
    await na.sendText(id, "二", groupChat),
    await wei.sendText(id, "三", groupChat),
  ];
  const base = Date.now() + 60_000;
  for (const [n, mid] of sent.entries()) {
    await pool.query("UPDATE chat_message SET sent_at = $2 WHERE id = $1", [mid, base + n * 1000]);
  }
  const read = (searchOptions: object) =>
    ids(na, id, { ...groupChat, searchDirection: "down", searchOptions });
  const range = { startTime: base, endTime: base + 1000 };
  expect(await read(range)).toEqual(sent.slice(0, 2));
  expect(await read({ ...range, from: "lina" })).toEqual([sent[1]]);
  expect(await read({ from: "zhangwei", msgTypes: ["txt"] })).toEqual([sent[0], sent[2]]);
});

it("A pinned message stands there for all of the conversation until one takes it off", async () => {
  const { wei, na } = await pair();
  const id = await group(wei, ["lina"]);
  const message = await wei.sendText(id, "集合点：北门", { chatType: "groupChat" });
  const place = { conversationType: "groupChat", conversationId: id };
  await wei.call("pinMessage", { ...place, messageId: message });
  expect(await na.hears("onMessagePinEvent")).toMatchObject({
    operation: "pin",
    conversationId: id,
    messageId: message,
  });
  const second = await people.login("lina", "two");
  const shown = async (who: Person) =>
    (
      (await who.call("getServerPinnedMessages", { ...place, pageSize: 10, cursor: "" })) as {
        list: { message: { id: string; msg: string }; operatorId?: string }[];
      }
    ).list;
  expect((await shown(na)).map((one) => [one.message.id, one.message.msg])).toEqual([
    [message, "集合点：北门"],
  ]);
  await na.call("unpinMessage", { ...place, messageId: message });
  // The other side and the own other device learn of it.
  for (const other of [wei, second]) {
    expect(await other.hears("onMessagePinEvent", (e) => e["operation"] === "unpin")).toMatchObject(
      {
        conversationId: id,
        conversationType: "groupChat",
        messageId: message,
        operatorId: "lina",
      },
    );
  }
  expect(na.heard.filter((e) => e["operation"] === "unpin")).toEqual([]);
  expect(await shown(wei)).toEqual([]);
  const guest = await people.login("guest");
  expect(await guest.refused("pinMessage", { ...place, messageId: message })).toBe(702);
  expect(
    await guest.refused("getServerPinnedMessages", { ...place, pageSize: 10, cursor: "" }),
  ).toBe(702);
  expect(await na.refused("unpinMessage", { ...place, messageId: message })).toBe(51);
});

it("A message is reported once by each person who may see it, and by nobody else", async () => {
  const { wei, na } = await pair();
  const id = await wei.sendText("lina", "广告");
  const report = { messageId: id, reportType: "ad", reportReason: "推销" };
  expect(await na.refused("reportMessage", report)).toBe("not refused");
  expect(await na.refused("reportMessage", report)).toBe("not refused");
  const { rows } = await people.platform.platform.database.pool.query(
    "SELECT message_id::text AS id, reporter, kind, reason FROM chat_report",
  );
  expect(rows).toEqual([{ id, reporter: "lina", kind: "ad", reason: "推销" }]);
  const guest = await people.login("guest");
  expect(await guest.refused("reportMessage", report)).toBe(705);
});

it("A stranger learns nothing of a group, and a member without a role names no admin", async () => {
  const { wei, na } = await pair();
  const guest = await people.login("guest");
  const id = await group(wei, ["lina"]);
  expect(await guest.refused("getGroupInfo", { groupId: id })).toBe(605);
  expect(await na.refused("setGroupAdmin", { groupId: id, username: "lina" })).toBe(603);
});
