/**
 * Marks that only the server may set, sent by a person whose client speaks the wire itself: the receiver, with the provider's
 * unmodified SDK, shows none of them and loses no message (docs/chat.md#gateway).
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { APP_KEY, type TestClient } from "../client.harness.ts";
import { type Person, type SdkPeople, startSdkPeople } from "../sdk-people.harness.ts";
import { signInToChat } from "../sign-in.harness.ts";
import { BODY, CONTENT, GROUP_DOMAIN, type MessageBody, type Meta } from "../wire/wire.ts";

let people: SdkPeople;
/** Who receives. */
let na: Person;
/** Who forges. */
let forger: TestClient;
const rejections: unknown[] = [];
const onRejection = (reason: unknown): void => void rejections.push(reason);

beforeAll(async () => {
  people = await startSdkPeople();
  process.on("unhandledRejection", onRejection);
}, 120_000);
afterAll(async () => {
  process.off("unhandledRejection", onRejection);
  await people.close();
});
beforeEach(async () => {
  na = await people.login("lina");
  const token = (await people.platform.login("zhangwei")).access_token;
  forger = (await signInToChat(people.platform.origin, token)).client;
});
afterEach(() => {
  forger.socket.terminate();
  people.leave();
  expect(rejections.splice(0)).toEqual([]);
});

const makeGroup = async (): Promise<string> => {
  const data = {
    groupname: "群",
    desc: "",
    members: ["zhangwei"],
    public: true,
    approval: false,
    allowinvites: true,
  };
  return ((await na.call("createGroup", { data })) as { groupid: string }).groupid;
};
let sent = 0;
/** Sends a message by the wire. @returns the answer's status and the server's id */
const send = async (
  to: string,
  body: Partial<MessageBody>,
  { group = false, ...meta }: Partial<Meta> & { readonly group?: boolean } = {},
) => {
  sent += 1;
  const { status, serverId } = await forger.upload(
    String(Date.now() * 1000 + sent),
    to,
    { type: group ? BODY.groupChat : BODY.chat, ...body },
    {
      ...(group ? { to: { appKey: APP_KEY, name: to, domain: GROUP_DOMAIN } } : {}),
      ...meta,
    },
  );
  return { code: status?.errorCode, reason: status?.reason, id: serverId ?? "" };
};
const says = (text: string) => ({ contents: [{ type: CONTENT.text, text }] });
/** Sends a healthy message and waits until the receiver has it. */
const expectHealthy = async (to: string, group: boolean): Promise<void> => {
  const text = `正常 ${(sent += 1)}`;
  expect((await send(to, says(text), { group })).code).toBe(0);
  await na.hears("onTextMessage", (e) => e["msg"] === text);
};
const historyOf = async (targetId: string, group: boolean) => {
  const answer = (await na.user.conn["getHistoryMessages"]?.({
    targetId,
    chatType: group ? "groupChat" : "singleChat",
    cursor: -1,
    pageSize: 50,
    searchDirection: "up",
  })) as unknown as { messages: Record<string, unknown>[] };
  return answer.messages;
};

const FORGED = {
  isRead: true,
  isDelivered: true,
  reaction: [{ reaction: "👍", count: 99, state: true, userList: ["lina", "guest"] }],
  edit_msg: {
    count: 7,
    operator: "lina",
    edit_time: 1,
    sender: "guest",
    send_time: 1,
    chat_type: "chat:user",
  },
};
const shownMarks = (message: Record<string, unknown> | undefined) =>
  ["reactions", "modifiedInfo", "isRead", "isDelivered", "from", "msg"].map((key) => [
    key,
    message?.[key],
  ]);

it.each([false, true])(
  "Marks of the server that a member sends with a message are shown to nobody (in a group: %s)",
  async (group) => {
    const to = group ? await makeGroup() : "lina";
    const given = { ...says("伪造"), meta: JSON.stringify(FORGED) };
    const { code, id } = await send(to, given, { group });
    expect(code).toBe(0);
    const live = await na.hears("onTextMessage", (e) => e["id"] === id);
    const plainId = (await send(to, says("伪造"), { group })).id;
    const plain = await na.hears("onTextMessage", (e) => e["id"] === plainId);
    // It looks as one without marks does.
    expect(shownMarks(live)).toEqual(shownMarks(plain));
    expect(live).not.toHaveProperty("reactions");
    expect(live).not.toHaveProperty("modifiedInfo");
    const old = await historyOf(group ? to : "zhangwei", group);
    const [forged, other] = [id, plainId].map((each) => old.find((one) => one["id"] === each));
    expect(forged).toMatchObject({ from: "zhangwei", msg: "伪造" });
    expect(shownMarks(forged)).toEqual(shownMarks(other));
    expect(na.heard.filter((e) => e.handler === "onReactionChange")).toEqual([]);
  },
);

it.each([false, true])(
  "The same marks in an ext are fields of the sender's own, and change nothing (in a group: %s)",
  async (group) => {
    const to = group ? await makeGroup() : "lina";
    const ext = Object.entries(FORGED).map(([key, value]) => ({
      key,
      type: 8,
      stringValue: JSON.stringify(value),
    }));
    const { code, id } = await send(to, { ...says("附带"), ext }, { group });
    expect(code).toBe(0);
    const live = await na.hears("onTextMessage", (e) => e["id"] === id);
    expect(live).toMatchObject({ ext: FORGED, from: "zhangwei" });
    for (const key of ["reactions", "modifiedInfo", "isRead"]) expect(live).not.toHaveProperty(key);
    await expectHealthy(to, group);
  },
);

it("An edit brings no counts of its own, neither for the other nor in the history", async () => {
  const { id } = await send("lina", says("一"));
  await na.hears("onTextMessage", (e) => e["id"] === id);
  const edit = {
    type: BODY.edit,
    editMessageId: id,
    ...says("二"),
    meta: JSON.stringify(FORGED),
  };
  expect((await send("lina", edit)).code).toBe(0);
  const live = await na.hears("onModifiedMessage", (e) => e["id"] === id);
  const modifiedInfo = { operationCount: 1, operatorId: "zhangwei" };
  expect(live).toMatchObject({ msg: "二", from: "zhangwei", to: "lina", modifiedInfo });
  const old = (await historyOf("zhangwei", false)).find((one) => one["id"] === id);
  expect(old).toMatchObject({ msg: "二", modifiedInfo });
  expect(JSON.stringify([live, old])).not.toContain("👍");
});

it("A receipt counts no readers but those whom the server counted", async () => {
  const to = await makeGroup();
  const msgConfig = { allowGroupAck: true };
  const own = await na.sendText(to, "请确认", { chatType: "groupChat", msgConfig });
  const single = await na.sendText("zhangwei", "在吗");
  const forged = (about: string, stringValue: string, type = 7) => ({
    type: BODY.readAck,
    ackMessageId: about,
    ext: [{ key: "group_read_count", type, stringValue }],
  });
  const receipt = (about: string, counted: object) =>
    na.hears("onReadMessage", (e) => {
      const found = e["mid"] === about;
      if (found) expect(e["groupReadCount"]).toEqual(counted);
      return found;
    });
  expect((await send(to, forged(own, `{"${own}":999}`), { group: true })).code).toBe(0);
  await receipt(own, { [own]: 1 });
  expect((await send("lina", forged(single, `{"${single}":999}`))).code).toBe(0);
  const mark = await na.hears("onReadMessage", (e) => e["mid"] === single);
  expect(JSON.stringify(mark)).not.toContain("999");
  expect(mark).toMatchObject({ from: "zhangwei", mid: single });
  // What is no JSON would end the receiver's batch.
  const other = await na.sendText("zhangwei", "还在吗");
  expect((await send("lina", forged(other, "{bad"))).code).toBe(0);
  await na.hears("onReadMessage", (e) => e["mid"] === other);
  const second = await na.sendText(to, "再确认", { chatType: "groupChat", msgConfig });
  expect((await send(to, forged(second, "{bad"), { group: true })).code).toBe(0);
  await receipt(second, { [second]: 1 });
  const third = await na.sendText(to, "三", { chatType: "groupChat", msgConfig });
  expect(await send(to, forged(third, "{bad", 8), { group: true })).toMatchObject({
    code: 1,
    reason: "not readable",
  });
  await expectHealthy(to, true);
  await expectHealthy("lina", false);
});

it.each([false, true])(
  "Bad JSON in an ext or among the marks reaches nobody, and what comes next arrives (in a group: %s)",
  async (group) => {
    const to = group ? await makeGroup() : "lina";
    const bad = [{ key: "k", type: 8, stringValue: "{bad" }];
    const refusals = [
      await send(to, { ...says("坏一"), ext: bad }, { group }),
      await send(to, says("坏二"), { group, ext: bad }),
      await send(
        to,
        { contents: [{ type: 7, customEvent: "e", customExts: bad } as never] },
        { group },
      ),
      await send(to, { contents: [] }, { group }),
    ];
    for (const each of refusals) expect(each).toMatchObject({ code: 1, reason: "not readable" });
    await expectHealthy(to, group);
    // Marks that are no JSON are left out of a message that is well otherwise.
    const { code, id } = await send(to, { ...says("好"), meta: "{bad" }, { group });
    expect(code).toBe(0);
    await na.hears("onTextMessage", (e) => e["id"] === id);
    await expectHealthy(to, group);
    const heard = na.heard.filter((e) => String(e["msg"]).startsWith("坏"));
    expect([heard, na.heard.filter((e) => e.handler === "onCustomMessage")]).toEqual([[], []]);
  },
);
