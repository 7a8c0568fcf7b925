/** Combined messages between the core and the provider's unmodified SDK, over the gateway (docs/chat.md#combined-messages). */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { ChatMessage, CombinedPart } from "../../src/shared/protocol/state.ts";
import { accountCall } from "../../src/shared/protocol/rest/auth.ts";
import {
  type Person,
  type SdkPeople,
  startSdkPeople,
} from "../../src/server/modules/chat/sdk-people.harness.ts";
import { packMessages } from "../../src/workers/core/chat/provider/combined-file.ts";
import { type GroupCore, startGroupCore } from "./group-core.ts";

let people: SdkPeople;
let core: GroupCore;
let lina: Person;
let turn = 0;

beforeAll(async () => {
  people = await startSdkPeople();
}, 120_000);
afterAll(() => people.close());
/** A new core of 张伟, connected. */
async function startCore(): Promise<GroupCore> {
  const token = (await people.platform.login("zhangwei")).access_token;
  const { id } = (await people.platform.ask("GET", accountCall.path, { token })).body.data as {
    id: string;
  };
  const started = startGroupCore({
    origin: people.platform.origin,
    token,
    user: { accountId: id, username: "zhangwei", name: "张伟", supplierId: "1" },
  });
  await expect.poll(() => started.store.get("chat").connection, { timeout: 20_000 }).toBe("open");
  started.chat.learnNames([{ userName: "lina", name: "李娜" }]);
  return started;
}
beforeEach(async () => {
  core = await startCore();
  lina = await people.login("lina");
}, 60_000);
afterEach(async () => {
  await core.stop();
  people.leave();
  await people.platform.platform.database.pool.query(
    "TRUNCATE chat_message, chat_read, chat_inbox, chat_inbox_head, chat_cursor, chat_cleared, chat_mark, chat_setting, im_groups CASCADE",
  );
});

const context = () => ({ tabId: "t", id: `c${(turn += 1)}` });
const messagesOf = (chatId: string): ChatMessage[] => {
  const conversation = core.store.get("chat").conversations[chatId];
  return (conversation?.order ?? []).flatMap((id) => conversation?.messages[id] ?? []);
};
/** The message in a conversation of the core, once it is there and has an id of the server. */
async function seen(chatId: string, fits: (message: ChatMessage) => boolean): Promise<ChatMessage> {
  const find = () => messagesOf(chatId).find((m) => m.mid !== null && fits(m));
  await expect.poll(find).toBeDefined();
  return find()!;
}
const isCombined = (message: ChatMessage): boolean => message.type === "combined";
const read = (message: ChatMessage): Promise<CombinedPart[]> =>
  core.chat.handlers.readCombined({ url: message.combined?.url ?? "" }, context());
const parsed = async (event: unknown): Promise<Record<string, unknown>[]> =>
  (await lina.user.conn["downloadAndParseCombineMessage"]?.(event)) as never;

it("A combined message of the core, with a file and another combined one in it, opens in the SDK and in the core", async () => {
  await core.chat.handlers.send({ chatId: "lina", text: "几点集合？" }, context());
  await seen("lina", ({ bySelf }) => bySelf);
  await lina.sendText("zhangwei", "三点，一号楼门口");
  const file = new Blob(["a,b\n"], { type: "text/csv" });
  const about = { width: null, height: null, length: null, thumb: null };
  await core.chat.handlers.sendFile(
    { chatId: "lina", kind: "file", file, name: "名单.csv", ...about },
    context(),
  );
  await seen("lina", ({ msg, bySelf }) => !bySelf && msg.startsWith("三点"));
  await seen("lina", ({ type }) => type === "file");
  const ids = () => messagesOf("lina").map(({ id }) => id);
  const combined = { title: "张伟和李娜的聊天记录", summary: "张伟：几点集合？" };
  await core.chat.handlers.forward(
    { chatId: "lina", ids: ids(), to: ["lina"], combined },
    context(),
  );
  const event = await lina.hears("onCombineMessage");
  expect(event).toMatchObject({ ...combined, combineLevel: 1, compatibleText: combined.title });
  expect(await parsed(event)).toMatchObject([
    { type: "txt", msg: "几点集合？", from: "zhangwei" },
    { type: "txt", msg: "三点，一号楼门口", from: "lina" },
    { type: "file", filename: "名单.csv", file_length: 4, from: "zhangwei" },
  ]);

  const first = await seen("lina", isCombined);
  await core.chat.handlers.forward(
    { chatId: "lina", ids: [first.id], to: ["lina"], combined },
    context(),
  );
  const outer = await seen("lina", (m) => m.combined?.level === 2);
  const [inner] = await read(outer);
  expect(inner).toMatchObject({ type: "combined", name: "张伟", combined: { level: 1 } });
  const parts = await core.chat.handlers.readCombined({ url: inner!.combined!.url! }, context());
  expect(parts.map(({ text, name }) => ({ text, name }))).toEqual([
    { text: "几点集合？", name: "张伟" },
    { text: "三点，一号楼门口", name: "李娜" },
    { text: "名单.csv", name: "张伟" },
  ]);
  expect(await (await fetch(parts[2]!.file!.url!)).text()).toBe("a,b\n");
  const [, second] = lina.heard.filter((e) => e.handler === "onCombineMessage");
  const [held] = await parsed(second);
  expect(await parsed(held)).toHaveLength(3);
});

it("A combined message of the SDK, live and from the history, opens in the core", async () => {
  const single = { chatType: "singleChat", from: "lina", to: "zhangwei" } as const;
  const text = {
    ...single,
    id: "1700000000000000001",
    type: "txt",
    msg: "第一条",
    time: 1_700_000_000_000,
  };
  const place = {
    ...single,
    id: "1700000000000000002",
    type: "loc",
    addr: "人民路 1 号",
    lat: 31,
    lng: 121,
    time: 1_700_000_000_001,
  };
  const combine = {
    chatType: "singleChat",
    type: "combine",
    to: "zhangwei",
    compatibleText: "[聊天记录]",
    title: "李娜的聊天记录",
    summary: "第一条",
  };
  await lina.sends({ ...combine, messageList: [text, place] });
  const live = await seen("lina", isCombined);
  expect(live).toMatchObject({
    msg: "[聊天记录]",
    combined: { title: "李娜的聊天记录", summary: "第一条", level: 1 },
  });
  const expected = [
    { from: "lina", name: null, type: "text", text: "第一条", time: 1_700_000_000_000 },
    { from: "lina", name: null, type: "other", text: "人民路 1 号", time: 1_700_000_000_001 },
  ];
  expect(await read(live)).toEqual(expected);

  const later = await startCore();
  await later.chat.handlers.open({ chatId: "lina", name: "李娜" }, context());
  const listed = later.store.get("chat").conversations["lina"];
  const url = Object.values(listed?.messages ?? {}).find(isCombined)?.combined?.url ?? "";
  expect(await later.chat.handlers.readCombined({ url }, context())).toEqual(expected);
  await later.stop();
});

it("A combined message reaches a group, and a member whose client is the SDK opens it", async () => {
  const { groupId } = await core.chat.groups.create({ name: "巡查", members: ["lina"] }, context());
  await core.chat.handlers.send({ chatId: "lina", text: "明天巡查" }, context());
  const said = await seen("lina", ({ msg }) => msg === "明天巡查");
  const combined = { title: "聊天记录", summary: "张伟：明天巡查" };
  await core.chat.handlers.forward(
    { chatId: "lina", ids: [said.id], to: [`#${groupId}`], combined },
    context(),
  );
  const event = await lina.hears("onCombineMessage");
  expect(event).toMatchObject({ chatType: "groupChat", to: groupId, ...combined });
  expect(await parsed(event)).toMatchObject([{ type: "txt", msg: "明天巡查", from: "zhangwei" }]);
});

it("A file that hides a recall and a receipt, or is damaged, or lies elsewhere, changes nothing and is refused", async () => {
  await core.chat.handlers.send({ chatId: "lina", text: "保留" }, context());
  const kept = await seen("lina", ({ msg }) => msg === "保留");
  const conn = lina.user.conn as unknown as {
    mSync: { encodeChatMsg(message: object): Uint8Array };
    token: string;
  };
  const base = {
    chatType: "singleChat",
    from: "lina",
    to: "zhangwei",
    isBuildCombinedMsg: true,
    time: 1,
  };
  const hidden = ["recall", "read", "delivery"].map((type, at) =>
    conn.mSync.encodeChatMsg({ ...base, id: `170000000000000000${at}`, type, ackId: kept.mid }),
  );
  const place = `${people.platform.origin}/hyzh/console/chatfiles`;
  const upload = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> => {
    const body = new FormData();
    body.append("file", new Blob([bytes]), "combine");
    const answer = await fetch(`${place}?chat-type=CHAT&chat-target=zhangwei`, {
      method: "POST",
      headers: { authorization: `Bearer ${conn.token}` },
      body,
    });
    const { entities } = (await answer.json()) as {
      entities: [{ uuid: string; "share-secret": string }];
    };
    return `${place}/${entities[0].uuid}?em-redirect=true&share-secret=${entities[0]["share-secret"]}`;
  };
  const code = (url: string): Promise<unknown> =>
    core.chat.handlers.readCombined({ url }, context()).then(
      () => "read",
      (error: { code?: unknown }) => error.code,
    );
  const file = packMessages(hidden);
  const good = await upload(file);
  expect(await core.chat.handlers.readCombined({ url: good }, context())).toMatchObject(
    hidden.map(() => ({ from: "lina", text: "" })),
  );
  expect(messagesOf("lina")).toMatchObject([{ msg: "保留", status: "sent" }]);
  file[file.length - 1]! ^= 1;
  expect(await code(await upload(file))).toBe("chat.combined-unreadable");
  expect(await code(good.replace(/share-secret=.*/, "share-secret=x"))).toBe("chat.combined-gone");
  const missing = good.replace(/chatfiles\/[\w-]+/, `chatfiles/${crypto.randomUUID()}`);
  expect(await code(missing)).toBe("chat.combined-gone");
  const elsewhere = good.replace(people.platform.origin, "https://files.example");
  expect(await code(elsewhere)).toBe("chat.combined-unreadable");
  expect(await code(`${people.platform.origin}/healthz?share-secret=x`)).toBe(
    "chat.combined-unreadable",
  );
});

it("Deleted messages are gone for the person who deleted them, on a new core too; the other side keeps them", async () => {
  for (const text of ["一", "二", "三"]) {
    await core.chat.handlers.send({ chatId: "lina", text }, context());
    await seen("lina", ({ msg }) => msg === text);
  }
  const ids = messagesOf("lina").map(({ id }) => id);
  await core.chat.handlers.erase({ chatId: "lina", ids: ids.slice(0, 2) }, context());
  expect(messagesOf("lina").map(({ msg }) => msg)).toEqual(["三"]);
  const later = await startCore();
  await later.chat.handlers.open({ chatId: "lina", name: "李娜" }, context());
  const listed = later.store.get("chat").conversations["lina"];
  expect(Object.values(listed?.messages ?? {}).map(({ msg }) => msg)).toEqual(["三"]);
  await later.stop();
  const options = { targetId: "zhangwei", chatType: "singleChat", pageSize: 20, cursor: -1 };
  const history = (await lina.user.conn["getHistoryMessages"]?.(options)) as unknown as {
    messages: { msg: string }[];
  };
  expect(history.messages.map(({ msg }) => msg).toSorted()).toEqual(["一", "三", "二"]);
});

it("Another device that shows the messages drops what was deleted here", async () => {
  for (const text of ["一", "二", "三"]) {
    await core.chat.handlers.send({ chatId: "lina", text }, context());
    await seen("lina", ({ msg }) => msg === text);
  }
  const other = await startCore();
  await other.chat.handlers.open({ chatId: "lina", name: "李娜" }, context());
  const shown = () => {
    const listed = other.store.get("chat").conversations["lina"];
    return (listed?.order ?? []).map((id) => listed?.messages[id]?.msg);
  };
  expect(shown()).toEqual(["一", "二", "三"]);
  const [first = ""] = messagesOf("lina").map(({ id }) => id);
  await core.chat.handlers.erase({ chatId: "lina", ids: [first] }, context());
  await expect.poll(shown).toEqual(["二", "三"]);
  await other.stop();
});
