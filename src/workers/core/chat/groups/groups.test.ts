import { describe, expect, test } from "vitest";
import { groupChatId, groupIdOf } from "../../../../shared/domain/group-chat.ts";
import { AppError } from "../../../../shared/errors.ts";
import { createHarness, settle, type Harness } from "../chat.harness.ts";
import { ChatFailure } from "../provider/port.ts";

const context = { tabId: "t", id: "c" };
const GROUP = { id: "1001", name: "值班群", members: ["alice", "bob", "carol"] };
const CHAT = groupChatId(GROUP.id);

const inGroup = async (): Promise<Harness> => {
  const h = createHarness({ onCreate: () => undefined });
  h.server.groups.push(structuredClone(GROUP));
  await settle();
  return h;
};
const groups = (h: Harness) => h.store.get("chat").groups;
const news = async (h: Harness, operation: string, groupId = GROUP.id): Promise<void> => {
  h.conn().events.group({ groupId, operation, from: "bob", name: "值班群" });
  await settle();
};

test("A group's key is no user name", () => {
  expect(groupIdOf("1001")).toBeNull();
  expect(groupIdOf(CHAT)).toBe("1001");
  expect(groupIdOf("#constructor")).toBeNull();
});

describe("the list of groups", () => {
  test("It is read when the connection opens, and again after each event", async () => {
    const h = await inGroup();
    expect(groups(h)["1001"]).toMatchObject({ name: "值班群", owner: "alice", members: 3 });
    h.server.groups[0] = { ...GROUP, name: "新名", members: ["alice", "bob"] };
    await news(h, "updateInfo");
    expect(groups(h)["1001"]).toMatchObject({ name: "新名", members: 2, revision: 1 });
    h.server.groups.length = 0;
    await news(h, "removeMember");
    expect(groups(h)).toEqual({});
    h.user(null);
    expect(h.store.get("chat").names).toEqual({});
  });

  test("A rename reaches the open conversation", async () => {
    const h = await inGroup();
    await h.chat.handlers.open({ chatId: CHAT, name: "值班群" }, context);
    h.server.groups[0] = { ...GROUP, name: "新名" };
    await news(h, "updateInfo");
    expect(h.store.get("chat").conversations[CHAT]?.name).toBe("新名");
  });
});

describe("messages of a group", () => {
  test("A conversation that begins with a message keeps the group's name after this person has left", async () => {
    const h = await inGroup();
    h.conn().events.message(h.server.put("bob", CHAT, "到了"));
    await settle();
    h.server.groups.length = 0;
    await news(h, "removeMember");
    expect(groups(h)).toEqual({});
    expect(h.store.get("chat").conversations[CHAT]?.name).toBe("值班群");
  });

  test("They stand beside those of people, count as unread, and bring their senders' names", async () => {
    const h = await inGroup();
    h.conn().events.message(h.server.put("bob", CHAT, "到了"));
    h.conn().events.message(h.server.put("carol", CHAT, "收到"));
    h.conn().events.message(h.server.put("bob", "alice", "私下说"));
    await settle();
    expect(h.conversation(CHAT)).toEqual([
      { text: "到了", status: "unread", bySelf: false },
      { text: "收到", status: "unread", bySelf: false },
    ]);
    expect(h.conversation("bob").map((m) => m.text)).toEqual(["私下说"]);
    expect(h.store.get("chat").conversations[CHAT]?.unread).toBe(2);
    expect(h.store.get("chat").names).toMatchObject({ bob: "名字-bob", carol: "名字-carol" });
  });

  test("A message of a group that the list does not have yet brings the group", async () => {
    const h = await inGroup();
    h.server.groups.push({ id: "1002", name: "新群", members: ["bob", "alice"] });
    h.conn().events.message(h.server.put("bob", "#1002", "欢迎"));
    await settle();
    expect(groups(h)["1002"]?.name).toBe("新群");
    expect(h.store.get("chat").conversations["#1002"]?.name).toBe("新群");
  });

  test("An own text goes out once, however often the connection drops", async () => {
    const h = await inGroup();
    await h.send(CHAT, "一次");
    await settle();
    h.conn().deliver(false);
    h.conn().drop();
    h.conn().back();
    await settle();
    h.conn().deliver();
    await settle();
    expect(h.server.messages.map((m) => [m.to, m.msg])).toEqual([[CHAT, "一次"]]);
    expect(h.conversation(CHAT)).toEqual([{ text: "一次", status: "sent", bySelf: true }]);
  });

  test("History, a recall by its sender, and a read mark of another device concern the group", async () => {
    const h = await inGroup();
    const old = h.server.put("bob", CHAT, "旧的");
    await h.chat.handlers.open({ chatId: CHAT, name: "值班群" }, context);
    await settle();
    expect(h.conversation(CHAT).map((m) => m.text)).toEqual(["旧的"]);
    h.conn().events.recalled({ mid: old.mid, from: "carol", to: CHAT, time: 0 });
    await settle();
    expect(h.conversation(CHAT)[0]?.status).not.toBe("recall");
    h.conn().events.recalled({ mid: old.mid, from: "bob", to: CHAT, time: 0 });
    await settle();
    expect(h.conversation(CHAT)).toMatchObject([{ status: "recall", text: "对方撤回了一条消息" }]);
    h.conn().events.message(h.server.put("bob", CHAT, "新的"));
    await settle();
    expect(h.store.get("chat").conversations[CHAT]?.unread).toBe(1);
    h.conn().events.readAll({ from: "alice", to: CHAT, time: 0 });
    await settle();
    expect(h.store.get("chat").conversations[CHAT]?.unread).toBe(0);
  });

  test("A group that was left keeps what was read, and is not read again and again", async () => {
    const h = await inGroup();
    h.conn().events.message(h.server.put("bob", CHAT, "到了"));
    await settle();
    let readings = 0;
    Object.assign(h.conn(), {
      history: () => {
        readings += 1;
        return Promise.reject(new ChatFailure(702, "not in the group"));
      },
    });
    await h.chat.handlers.open({ chatId: CHAT, name: "值班群" }, context);
    h.conn().drop();
    h.conn().back();
    for (let i = 0; i < 5; i += 1) {
      h.env.clock.advance(10_000);
      await settle();
    }
    expect(readings).toBe(2);
    expect(h.conversation(CHAT).map((m) => m.text)).toEqual(["到了"]);
    expect(h.store.get("chat").conversations[CHAT]?.historyEnd).toBe(true);
  });

  test.each([
    [602, "chat.not-in-group"],
    [219, "chat.muted"],
    [603, "chat.not-allowed"],
  ])("A refusal of type %s is shown as %s", async (type, code) => {
    const h = await inGroup();
    await h.send(CHAT, "不行");
    await settle();
    h.conn().answer(new ChatFailure(type, "refused"));
    await settle();
    expect(h.conversation(CHAT)).toMatchObject([{ status: "failed" }]);
    expect(h.notices.map((n) => n.code)).toEqual([code]);
  });
});

describe("changes of a group", () => {
  test("A new group is in the list when the command returns", async () => {
    const h = await inGroup();
    const { groupId } = await h.chat.groups.create({ name: "新群", members: ["bob"] }, context);
    expect(groups(h)[groupId]).toMatchObject({ name: "新群", members: 2 });
  });

  test("Members of a large group are read by pages of 200, with how many there are", async () => {
    const h = await inGroup();
    h.server.groups[0]!.members.push(...Array.from({ length: 4997 }, (_, n) => `m${n}`));
    const page = (cursor: number) =>
      h.chat.groups.memberPage({ groupId: "1001", keyword: "", cursor }, context);
    const [first, last] = [await page(1), await page(25)];
    expect(first).toMatchObject({ total: 5000 });
    expect(first.members).toHaveLength(200);
    expect(last.members.at(-1)?.userName).toBe("m4996");
  });

  test("Members have names; each change is made at the provider", async () => {
    const h = await inGroup();
    expect(await h.chat.groups.members({ groupId: "1001" }, context)).toContainEqual({
      userName: "bob",
      name: "名字-bob",
      avatar: "",
      owner: false,
      card: "",
      role: "member",
      mutedUntil: null,
      allowed: false,
    });
    await h.chat.groups.invite({ groupId: "1001", members: ["dora"] }, context);
    await h.chat.groups.remove({ groupId: "1001", userName: "bob" }, context);
    await h.chat.groups.settings({ groupId: "1001", name: "新名" }, context);
    await h.chat.groups.setCard({ groupId: "1001", card: "老张" }, context);
    await h.chat.groups.block({ groupId: "1001", userName: "bob", blocked: true }, context);
    await h.chat.groups.leave({ groupId: "1001" }, context);
    await h.chat.groups.dissolve({ groupId: "1001" }, context);
    expect(h.server.groupCalls).toEqual([
      ["invite", "1001", ["dora"]],
      ["remove", "1001", ["bob"]],
      ["modify", "1001", { name: "新名" }],
      ["setCard", "1001", "alice", "老张"],
      ["block", "1001", "bob", true],
      ["leave", "1001"],
      ["dissolve", "1001"],
    ]);
  });

  test.each([
    [603, "chat.group-forbidden"],
    [605, "chat.not-in-group"],
    [606, "chat.group-full"],
    [204, "chat.group-foreign"],
    [17, "server.unavailable"],
  ])("A refusal of type %s reads as %s", async (type, code) => {
    const h = await inGroup();
    h.server.groupAnswer = () => Promise.reject(new ChatFailure(type, "no"));
    await expect(
      h.chat.groups.settings({ groupId: "1001", name: "x" }, context),
    ).rejects.toMatchObject({ code });
  });

  test("A call that the SDK never answers ends after its deadline", async () => {
    const h = await inGroup();
    h.server.groupAnswer = () => new Promise(() => undefined);
    const left = h.chat.groups.leave({ groupId: "1001" }, context);
    await settle();
    h.env.clock.advance(15_000);
    await expect(left).rejects.toMatchObject({ code: "network.timeout" });
  });
});

describe("what waits for an answer", () => {
  const INVITATION = {
    kind: "invitation" as const,
    groupId: "1002",
    groupName: "巡查组",
    userName: "bob",
    name: "鲍勃",
    avatar: "",
    message: "",
    at: 1,
  };
  const invited = async (): Promise<Harness> => {
    const h = await inGroup();
    h.server.groupRequests.push(INVITATION);
    await news(h, "inviteToJoin", "1002");
    return h;
  };
  /** The group and the answer to the invitation, as the provider has them afterwards. */
  const enter = (h: Harness): Promise<void> => {
    h.server.groups.push({ id: "1002", name: "巡查组", members: ["bob", "alice"] });
    h.server.groupRequests.length = 0;
    return Promise.resolve();
  };
  const accept = (h: Harness) =>
    h.chat.groups.answerInvitation({ groupId: "1002", accept: true }, context);
  const saves = (h: Harness): (() => number) => {
    let n = 0;
    const answer = h.server.groupSave;
    h.server.groupSave = () => {
      n += 1;
      return answer();
    };
    return () => n;
  };

  test("An invitation and its notice are shown at once; accepted, the group stands in its place", async () => {
    const h = await invited();
    expect(h.store.get("chat").groupRequests).toEqual([INVITATION]);
    expect(h.notices.map(({ key }) => key)).toEqual(["group.invited"]);
    h.server.groupAnswer = () => enter(h);
    const saved = saves(h);
    await accept(h);
    expect(h.server.groupCalls).toEqual([["answerInvitation", "1002", "alice", true]]);
    expect(saved()).toBe(1);
    expect(h.store.get("chat").groupRequests).toEqual([]);
    expect(groups(h)["1002"]?.name).toBe("巡查组");
  });

  test("A declined invitation is shown in the style of a success", async () => {
    const h = await invited();
    await h.chat.groups.answerInvitation({ groupId: "1002", accept: false }, context);
    expect(h.notices.at(-1)).toMatchObject({ style: "success", text: "已拒绝加入群组" });
    expect(h.server.groupCalls).toEqual([["answerInvitation", "1002", "alice", false]]);
  });

  test("A refusal of the provider is shown with the platform's text, and nothing is saved", async () => {
    const h = await invited();
    h.server.groupAnswer = () => Promise.reject(new ChatFailure(606, "full"));
    const saved = saves(h);
    await expect(accept(h)).rejects.toMatchObject({
      code: "chat.group-join-failed",
      message: "加入群组失败",
    });
    expect(saved()).toBe(0);
  });

  test("A membership that the backend does not take is reported, and saved later, by the next core too", async () => {
    const h = await invited();
    h.server.groupAnswer = () => enter(h);
    h.server.groupSave = () => Promise.reject(new AppError("server.unavailable"));
    await expect(accept(h)).rejects.toMatchObject({
      code: "chat.group-save-failed",
      message: "保存加入群组数据失败",
    });
    // The provider has taken it: the group is there.
    expect(groups(h)["1002"]?.name).toBe("巡查组");
    await h.chat.stop();

    const failing = saves(h);
    const next = createHarness({ env: h.env, server: h.server, onCreate: () => undefined });
    await settle(40);
    expect(failing()).toBe(1);
    let saved = 0;
    h.server.groupSave = () => {
      saved += 1;
      return Promise.resolve({});
    };
    h.env.clock.advance(10_000);
    await settle();
    expect(saved).toBe(1);
    next.conn().drop();
    next.conn().back();
    h.env.clock.advance(60_000);
    await settle();
    expect(saved).toBe(1);
  });

  test("What the backend refuses for good is not tried again", async () => {
    const h = await invited();
    h.server.groupAnswer = () => enter(h);
    h.server.groupSave = () => Promise.reject(new AppError("network.timeout"));
    await expect(accept(h)).rejects.toMatchObject({ code: "chat.group-save-failed" });
    h.server.groupSave = () => Promise.reject(new AppError("request.not-found"));
    const saved = saves(h);
    h.env.clock.advance(10_000);
    await settle();
    h.env.clock.advance(60_000);
    await settle();
    expect(saved()).toBe(1);
  });

  test.each([
    ["directJoined", "success", "名字-bob邀请您加入了群组“值班群”"],
    ["inviteToJoin", "info", "名字-bob邀请您加入群组“值班群”，请在群通知中处理"],
    ["rejectInvite", "warning", "名字-bob拒绝了加入群组“值班群”的邀请"],
    ["acceptRequest", "success", "您已加入群组“值班群”"],
    ["requestToJoin", "info", "名字-bob申请加入群组“值班群”，请在群通知中处理"],
    ["joinPublicGroupDeclined", "warning", "您加入群组“值班群”的申请被拒绝"],
    ["destroy", "error", "群组“值班群”已解散"],
    ["removeMember", "warning", "您已被移出群组“值班群”"],
    ["muteMember", null, ""],
  ])("%s is told", async (operation, style, text) => {
    const h = await inGroup();
    await h.chat.groups.members({ groupId: "1001" }, context);
    await news(h, operation);
    expect(h.notices).toEqual(style === null ? [] : [expect.objectContaining({ style, text })]);
    // This person's own acts on another device cause no notice.
    h.conn().events.group({ groupId: "1001", operation, from: "alice", name: "值班群" });
    await settle();
    expect(h.notices).toHaveLength(style === null ? 0 : 1);
  });

  test("A notice names the group also where the event does not, by its request or else by its number", async () => {
    const h = await inGroup();
    h.server.groupRequests.push({ ...INVITATION, kind: "applied", userName: "alice" });
    await news(h, "updateInfo");
    for (const groupId of ["1002", "1003"]) {
      h.conn().events.group({
        groupId,
        operation: "joinPublicGroupDeclined",
        from: "bob",
        name: "",
      });
    }
    await settle();
    expect(h.notices.map(({ text }) => text)).toEqual([
      "您加入群组“巡查组”的申请被拒绝",
      "您加入群组“1003”的申请被拒绝",
    ]);
  });

  test("A notice waits for the name of a person whom no list has named, and gives the user name where there is none", async () => {
    const h = createHarness({ onCreate: () => undefined });
    await settle();
    const missed = (from: string): void =>
      h.conn().events.group({ groupId: "3003", operation: "directJoined", from, name: "夜班群" });
    missed("bob");
    expect(h.notices).toEqual([]);
    await settle();
    h.server.nameOf = () => Promise.reject(new AppError("request.not-found"));
    missed("ghost");
    await settle();
    expect(h.notices.map(({ text }) => text)).toEqual([
      "名字-bob邀请您加入了群组“夜班群”",
      "ghost邀请您加入了群组“夜班群”",
    ]);
    h.server.nameOf = () => Promise.resolve("卡罗");
    missed("carol");
    await h.chat.stop();
    await settle();
    expect(h.notices).toHaveLength(2);
  });

  test("The answer to an application names the group, of which this person is no member and which the event does not name", async () => {
    const h = createHarness({ onCreate: () => undefined });
    h.server.groupRequests.push({ ...INVITATION, kind: "applied" });
    await settle();
    const answered = (operation: string, groupId: string): void =>
      h.conn().events.group({ groupId, operation, from: "bob", name: "" });
    answered("joinPublicGroupDeclined", INVITATION.groupId);
    answered("acceptRequest", INVITATION.groupId);
    answered("acceptRequest", "2002");
    h.conn().events.group({
      groupId: "3003",
      operation: "directJoined",
      from: "bob",
      name: "夜班群",
    });
    answered("destroy", "3003");
    await settle();
    expect(h.notices.map(({ text }) => text)).toEqual([
      `您加入群组“${INVITATION.groupName}”的申请被拒绝`,
      `您已加入群组“${INVITATION.groupName}”`,
      "您已加入群组“2002”",
      "鲍勃邀请您加入了群组“夜班群”",
      "群组“夜班群”已解散",
    ]);
  });
});
