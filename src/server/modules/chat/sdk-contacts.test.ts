/** Contacts, the block list, presence, profiles and the person's own entry, with the provider's unmodified SDK. */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type SdkPeople, startSdkPeople } from "./sdk-people.harness.ts";

let people: SdkPeople;
beforeAll(async () => {
  people = await startSdkPeople();
}, 120_000);
afterEach(async () => {
  people.leave();
  await people.platform.platform.database.pool.query(
    "TRUNCATE im_friends, im_friend_requests, chat_block, chat_remark, chat_profile",
  );
});
afterAll(() => people.close());

/** lina and wangfang work in different companies. */
async function strangers() {
  const [na, wang] = [await people.login("lina"), await people.login("wangfang")];
  return { na, wang };
}
const text = (to: string) => ({ type: "txt", chatType: "singleChat", to, msg: "您好" });

it("Two people of different companies become friends, write to each other, and part", async () => {
  const { na, wang } = await strangers();
  expect(await na.refusedSend(text("wangfang"))).toBe(221);
  await na.user.conn["addContact"]?.("wangfang", "联合检查");
  expect(await wang.hears("onContactInvited")).toMatchObject({ from: "lina", status: "联合检查" });
  expect(await na.refusedSend(text("wangfang"))).toBe(221);
  await wang.user.conn["acceptContactInvite"]?.("lina");
  expect(await na.hears("onContactAgreed")).toMatchObject({ from: "wangfang" });
  expect(await na.hears("onContactAdded")).toMatchObject({ from: "wangfang" });
  expect(await wang.hears("onContactAdded")).toMatchObject({ from: "lina" });
  const listed = (await na.user.conn["getAllContacts"]?.())?.data as { userId: string }[];
  expect(listed.map((one) => one.userId)).toContain("wangfang");
  // Who may talk is remembered for a while.
  await expect.poll(() => na.refusedSend(text("wangfang"))).toBe("not refused");
  await na.user.conn["deleteContact"]?.("wangfang");
  expect(await wang.hears("onContactDeleted")).toMatchObject({ from: "lina" });
  await expect.poll(() => wang.refusedSend(text("lina"))).toBe(221);
});

it("A declined request ends, and nobody accepts what was never asked", async () => {
  const { na, wang } = await strangers();
  await na.user.conn["addContact"]?.("wangfang", "");
  await wang.hears("onContactInvited");
  await wang.user.conn["declineContactInvite"]?.("lina");
  expect(await na.hears("onContactRefuse")).toMatchObject({ from: "wangfang" });
  expect(await refusedWith(wang, "acceptContactInvite", "lina")).toBe(705);
  expect(await refusedWith(wang, "declineContactInvite", "lina")).toBe(705);
  expect(await refusedWith(na, "addContact", "lina")).toBe(17);
});

type Person = Awaited<ReturnType<SdkPeople["login"]>>;
const refusedWith = (who: Person, method: string, ...given: unknown[]): Promise<unknown> =>
  Promise.resolve()
    .then(() => who.user.conn[method]?.(...given))
    .then(
      () => "not refused",
      (error: { type?: unknown }) => error.type,
    );

it("What the console's own calls do with friends reaches the SDK of the other side, and heeds the block list", async () => {
  const { na, wang } = await strangers();
  const post = async (who: string, path: string, other: string, more: object = {}) => {
    const token = (await people.platform.login(who)).access_token;
    const json = { userName: who, friendUserName: other, ...more };
    return (await people.platform.ask("POST", `/dc-im/api/friend/hx/${path}`, { token, json }))
      .status;
  };
  // Lina asks by the console's own call, Wang declines by the SDK.
  expect(await post("lina", "create/userName", "wangfang", { reason: "联合检查" })).toBe(200);
  expect(await wang.hears("onContactInvited")).toMatchObject({ from: "lina", status: "联合检查" });
  await wang.user.conn["declineContactInvite"]?.("lina");
  expect(await na.hears("onContactRefuse")).toMatchObject({ from: "wangfang" });
  // Wang asks by the SDK, Lina agrees by the own call, and ends it by the own call.
  await wang.user.conn["addContact"]?.("lina", "");
  await na.hears("onContactInvited", (event) => event["from"] === "wangfang");
  expect(await post("lina", "create/userName", "wangfang")).toBe(200);
  expect(await wang.hears("onContactAgreed")).toMatchObject({ from: "lina" });
  expect(await wang.hears("onContactAdded")).toMatchObject({ from: "lina" });
  expect(await na.hears("onContactAdded")).toMatchObject({ from: "wangfang" });
  expect(await post("lina", "userName/delete", "wangfang")).toBe(200);
  expect(await wang.hears("onContactDeleted")).toMatchObject({ from: "lina" });
  // Turning a request down by the own call is a refusal for the SDK.
  await wang.user.conn["addContact"]?.("lina", "再次");
  await na.hears("onContactInvited", (event) => event["status"] === "再次");
  expect(await post("lina", "userName/delete", "wangfang")).toBe(200);
  expect(await wang.hears("onContactRefuse")).toMatchObject({ from: "lina" });
  // A blocked person reaches nobody, by neither way.
  await na.call("addUsersToBlocklist", { name: ["wangfang"] });
  const asked = na.heard.filter((e) => e.handler === "onContactInvited").length;
  expect(await post("wangfang", "create/userName", "lina")).toBe(200);
  await wang.user.conn["addContact"]?.("lina", "");
  await na.call("removeUserFromBlocklist", { name: "wangfang" });
  await post("wangfang", "userName/delete", "lina");
  await wang.user.conn["addContact"]?.("lina", "最后");
  await na.hears("onContactInvited", (event) => event["status"] === "最后");
  expect(na.heard.filter((e) => e.handler === "onContactInvited")).toHaveLength(asked + 1);
});

it("The own other devices learn whom the person asked and who is no friend any more", async () => {
  const [one, two] = [await people.login("lina", "one"), await people.login("lina", "two")];
  await one.user.conn["addContact"]?.("wangfang", "");
  expect(await two.hears("onContactInvited")).toMatchObject({ from: "lina", to: "wangfang" });
  await one.user.conn["deleteContact"]?.("wangfang");
  expect(await two.hears("onContactDeleted")).toMatchObject({ from: "lina", to: "wangfang" });
  expect(one.heard.filter(({ handler }) => handler.startsWith("onContact"))).toEqual([]);
});

it("A request to a name that nobody has answers as any other, and reaches nobody", async () => {
  const { na } = await strangers();
  expect(await refusedWith(na, "addContact", "no_such_person")).toBe("not refused");
  expect(await refusedWith(na, "deleteContact", "no_such_person")).toBe("not refused");
});

it("What a person calls a contact is kept for that person alone", async () => {
  const [na, wei] = [await people.login("lina"), await people.login("zhangwei")];
  await na.call("setContactRemark", { userId: "zhangwei", remark: "小张" });
  const named = (await na.call("getContactsWithCursor", { pageSize: 50, cursor: "" })) as {
    contacts: { userId: string; remark: string }[];
  };
  expect(named.contacts.find((one) => one.userId === "zhangwei")?.remark).toBe("小张");
  const theirs = (await wei.call("getContactsWithCursor", {
    pageSize: 50,
    cursor: "",
  })) as typeof named;
  expect(theirs.contacts.map((one) => one.remark).filter((one) => one !== "")).toEqual([]);
  expect(await na.refused("setContactRemark", { userId: "wangfang", remark: "x" })).toBe(221);
  expect(
    await na.refused("setContactRemark", { userId: "zhangwei", remark: "长".repeat(101) }),
  ).toBe(50);
});

it("The pages of contacts are complete and have an end", async () => {
  const na = await people.login("lina");
  const seen: string[] = [];
  let cursor = "";
  for (let page = 0; page < 20; page += 1) {
    const got = (await na.call("getContactsWithCursor", { pageSize: 2, cursor })) as {
      contacts: { userId: string }[];
      cursor?: string;
    };
    seen.push(...got.contacts.map((one) => one.userId));
    cursor = got.cursor ?? "";
    if (cursor === "") break;
  }
  const all = (await na.user.conn["getContacts"]?.())?.data as string[];
  expect(seen).toEqual([...all].sort());
});

it("Who is blocked writes nothing to that person and cannot ask, until it is taken back", async () => {
  const [na, wei] = [await people.login("lina"), await people.login("zhangwei")];
  await na.call("addUsersToBlocklist", { name: ["zhangwei"] });
  expect((await na.user.conn["getBlocklist"]?.())?.data).toEqual(["zhangwei"]);
  expect(await wei.refusedSend(text("lina"))).toBe(603);
  // The one who blocks may write.
  expect(await na.refusedSend(text("zhangwei"))).toBe("not refused");
  await na.call("removeUserFromBlocklist", { name: "zhangwei" });
  expect(await wei.refusedSend(text("lina"))).toBe("not refused");
  expect(await na.refused("addUsersToBlocklist", { name: "Not A Name" })).toBe(17);
});

it("Who is blocked reacts to nothing and pins nothing there, and may read on", async () => {
  const [na, wei] = [await people.login("lina"), await people.login("zhangwei")];
  const messageId = await na.sendText("zhangwei", "明天检查");
  const own = await wei.sendText("lina", "收到");
  await na.call("addUsersToBlocklist", { name: ["zhangwei"] });
  const place = { conversationType: "singleChat", conversationId: "lina" };
  const acts: [string, object][] = [
    ["addReaction", { messageId, reaction: "滚开" }],
    ["addReaction", { messageId: own, reaction: "滚开" }],
    ["deleteReaction", { messageId, reaction: "滚开" }],
    ["pinMessage", { ...place, messageId: own }],
    ["unpinMessage", { ...place, messageId: own }],
  ];
  for (const [method, given] of acts) {
    expect([method, await wei.refused(method, given)]).toEqual([method, 603]);
  }
  expect(await wei.refused("getServerPinnedMessages", { ...place, pageSize: 10, cursor: "" })).toBe(
    "not refused",
  );
  // The one who blocks may.
  await na.call("addReaction", { messageId, reaction: "👍" });
  await wei.hears("onReactionChange", (event) => event["messageId"] === messageId);
  await na.call("removeUserFromBlocklist", { name: "zhangwei" });
  await wei.call("addReaction", { messageId, reaction: "🎉" });
  await na.hears("onReactionChange", (event) => JSON.stringify(event).includes("🎉"));
  const heard = JSON.stringify(na.heard.map((event) => ({ ...event })));
  expect(heard).not.toContain("滚开");
  expect(na.heard.filter(({ handler }) => handler === "onMessagePinEvent")).toEqual([]);
});

it("The older names of the SDK's methods do the same", async () => {
  const { na, wang } = await strangers();
  await na.user.conn["addContact"]?.("wangfang", "");
  await wang.hears("onContactInvited");
  await wang.user.conn["acceptInvitation"]?.("lina");
  await na.hears("onContactAgreed");
  const roster = (await na.user.conn["getRoster"]?.())?.data;
  expect(JSON.stringify(roster)).toContain("wangfang");
  await na.call("addToBlackList", { name: ["wangfang"] });
  expect((await na.user.conn["getBlacklist"]?.())?.data).toEqual(["wangfang"]);
  // Who may talk is remembered for a while, also from the test before.
  await expect.poll(() => wang.refusedSend(text("lina"))).toBe(603);
  await na.call("removeFromBlackList", { name: ["wangfang"] });
  expect((await na.user.conn["getBlacklist"]?.())?.data).toEqual([]);
  await na.user.conn["removeRoster"]?.("wangfang");
  expect(await wang.hears("onContactDeleted")).toMatchObject({ from: "lina" });
});

it("A recall brings words along, except to a person who blocks the sender", async () => {
  const [na, wei] = [await people.login("lina"), await people.login("zhangwei")];
  const [first, second] = [await wei.sendText("lina", "一"), await wei.sendText("lina", "二")];
  const recall = (mid: string, ext: string) =>
    wei.call("recallMessage", { mid, to: "lina", chatType: "singleChat", ext });
  const wordsOf = async (mid: string) =>
    (await na.hears("onRecallMessage", (event) => event["mid"] === mid))["ext"] ?? "";
  await recall(first, "发错了");
  expect(await wordsOf(first)).toBe("发错了");
  await na.call("addUsersToBlocklist", { name: ["zhangwei"] });
  await recall(second, "滚开");
  expect(await wordsOf(second)).toBe("");
});

it("A status text reaches those who watch the person, and nobody of another company", async () => {
  const [na, wei] = [await people.login("lina"), await people.login("zhangwei")];
  await na.call("subscribePresence", { usernames: ["zhangwei"], expiry: 60 });
  await wei.call("publishPresence", { description: "会议中" });
  await na.hears("onPresenceStatusChange", (event) => JSON.stringify(event).includes("会议中"));
  const list = await na.call("getSubscribedPresencelist", { pageNum: 1, pageSize: 20 });
  expect(JSON.stringify(list)).toContain("zhangwei");
  const status = await na.user.conn["getPresenceStatus"]?.({ usernames: ["zhangwei"] });
  expect(JSON.stringify(status)).toContain("会议中");
  await na.call("unsubscribePresence", { usernames: ["zhangwei"] });
  const after = await na.call("getSubscribedPresencelist", { pageNum: 1, pageSize: 20 });
  expect(JSON.stringify(after)).not.toContain("zhangwei");
  const foreign = await na.user.conn["getPresenceStatus"]?.({ usernames: ["wangfang"] });
  expect(JSON.stringify(foreign)).not.toContain("wangfang");
  expect(
    await na.refused("subscribePresence", { usernames: ["zhangwei"], expiry: 99_999_999 }),
  ).toBe(17);
});

it("Friends of different companies see each other's presence, status text and attributes, until they part", async () => {
  const { na, wang } = await strangers();
  await na.call("updateUserInfo", { sign: "值班" });
  const status = async () => {
    const answer = await wang.user.conn["getPresenceStatus"]?.({ usernames: ["lina"] });
    return ((answer?.["result"] ?? []) as { uid: string }[]).map(({ uid }) => uid);
  };
  const sign = async () => {
    const answer = await wang.user.conn["fetchUserInfoById"]?.("lina");
    return ((answer?.data ?? {}) as Record<string, object>)["lina"];
  };
  expect([await status(), await sign()]).toEqual([[], undefined]);
  await wang.user.conn["addContact"]?.("lina", "");
  await na.hears("onContactInvited");
  await na.user.conn["acceptContactInvite"]?.("wangfang");
  await wang.hears("onContactAgreed");
  expect([await status(), await sign()]).toEqual([["lina"], { sign: "值班" }]);
  await expect.poll(() => na.refusedSend(text("wangfang"))).toBe("not refused");
  await wang.call("subscribePresence", { usernames: ["lina"], expiry: 60 });
  await na.call("publishPresence", { description: "外出检查" });
  await wang.hears("onPresenceStatusChange", (e) => JSON.stringify(e).includes("外出检查"));
  await na.user.conn["deleteContact"]?.("wangfang");
  await wang.hears("onContactDeleted");
  expect([await status(), await sign()]).toEqual([[], undefined]);
  await expect.poll(() => na.refusedSend(text("wangfang"))).toBe(221);
  const before = wang.heard.length;
  await na.call("publishPresence", { description: "机密去向" });
  await wang.hears("onPresenceStatusChange", (e) => wang.heard.indexOf(e) >= before);
  expect(JSON.stringify(wang.heard)).not.toContain("机密去向");
});

it("Attributes of a person are hidden from strangers", async () => {
  const { na, wang } = await strangers();
  await na.call("updateUserInfo", { nickname: "李娜", sign: "值班" });
  expect(await na.user.conn["fetchUserInfoById"]?.("lina")).toMatchObject({
    data: { lina: { nickname: "李娜", sign: "值班" } },
  });
  const foreign = await wang.user.conn["fetchUserInfoById"]?.("lina");
  expect(foreign?.data).toEqual({});
  expect(await na.refused("updateUserInfo", { sign: "x".repeat(1025) })).toBe(17);
});

it("The own entry names the connected devices and takes what other kits save there", async () => {
  const na = await people.login("lina", "one");
  await people.login("lina", "two");
  const others = await na.user.conn["getSelfIdsOnOtherPlatform"]?.();
  expect(JSON.stringify(others?.data)).toContain("two");
  expect(await refusedWith(na, "updateCurrentUserNick", "小李")).toBe("not refused");
  expect(
    await na.refused("uploadPushToken", { deviceId: "d", deviceToken: "t", notifierName: "n" }),
  ).toBe("not refused");
  expect(await refusedWith(na, "updateCurrentUserNick", "长".repeat(101))).toBe(17);
});
