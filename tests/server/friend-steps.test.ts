/**
 * Two people of different companies, each with a core that uses the unmodified SDK, one with a second core beside the first: they
 * become friends, block each other and part, and each step shows in all cores.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import {
  createGroupCast,
  type GroupCast,
} from "../../src/server/modules/chat/groups/cast.harness.ts";
import { type GroupCore, startGroupCore } from "./group-core.ts";

/** ms after which a test counts a step as missing. */
const PATIENCE = { interval: 20 };
const context = { tabId: "t", id: "c" };
let cast: GroupCast;
let lina: GroupCore;
let second: GroupCore;
let wang: GroupCore;

const start = (username: string, supplierId: string): GroupCore =>
  startGroupCore({
    origin: cast.platform.origin,
    token: cast.token[username] ?? "",
    user: { accountId: cast.accountId[username] ?? "", username, name: username, supplierId },
  });
const friendsOf = (core: GroupCore) => core.store.get("chat").friends;
const brief = (core: GroupCore) => {
  const { list, requests, blocked } = friendsOf(core);
  return {
    friends: list.map(({ userName, remark }) => userName + (remark === "" ? "" : `=${remark}`)),
    requests: requests.map(({ kind, userName, message }) => `${kind} ${userName} ${message}`),
    blocked: blocked.map(({ userName }) => userName),
  };
};
const NONE = { friends: [], requests: [], blocked: [] };
const shows = (core: GroupCore, expected: Partial<ReturnType<typeof brief>>) =>
  expect.poll(() => brief(core), PATIENCE).toEqual({ ...NONE, ...expected });
/** The status of the text once the server has answered. */
const says = async (core: GroupCore, to: string, text: string): Promise<string> => {
  const { id } = await core.chat.handlers.send({ chatId: to, text }, { tabId: "t", id: text });
  const status = () => core.store.get("chat").conversations[to]?.messages[id]?.status ?? "";
  await expect.poll(status, PATIENCE).not.toBe("sending");
  return status() === "failed" ? "failed" : "sent";
};

beforeAll(async () => {
  cast = await createGroupCast(["lina", "wangfang"]);
}, 120_000);
beforeEach(async () => {
  [lina, second, wang] = [start("lina", "1"), start("lina", "1"), start("wangfang", "2")];
  await expect
    .poll(() => [lina, second, wang].map((core) => friendsOf(core).state), PATIENCE)
    .toEqual(["ready", "ready", "ready"]);
}, 60_000);
afterEach(async () => {
  await Promise.all([lina, second, wang].map((core) => core.stop()));
  await cast.platform.platform.database.pool.query(
    "TRUNCATE im_friends, im_friend_requests, chat_block, chat_remark",
  );
});
afterAll(() => cast.platform.close());

it("A request reaches the other side with its words, is accepted, and both are friends in every core", async () => {
  await lina.chat.friends.add({ userName: "wangfang", message: "联合检查" }, context);
  expect(brief(lina).requests).toEqual(["sent wangfang 联合检查"]);
  await shows(second, { requests: ["sent wangfang 联合检查"] });
  await shows(wang, { requests: ["received lina 联合检查"] });
  expect(friendsOf(wang).requests[0]?.name).toBe("李娜");
  await wang.chat.friends.accept({ userName: "lina" }, context);
  expect(brief(wang)).toEqual({ ...NONE, friends: ["lina"] });
  await shows(lina, { friends: ["wangfang"] });
  await shows(second, { friends: ["wangfang"] });
  expect(lina.notices.map(({ text }) => text)).toContain("王芳已同意您的好友申请");
  await lina.chat.friends.remark({ userName: "wangfang", remark: "王工" }, context);
  expect(brief(lina).friends).toEqual(["wangfang=王工"]);
  expect(brief(wang).friends).toEqual(["lina"]);
  await wang.chat.friends.remove({ userName: "lina" }, context);
  await shows(wang, {});
  await shows(lina, {});
  await shows(second, {});
});

it("A declined request ends on both sides, and the one who asked reads of it", async () => {
  await lina.chat.friends.add({ userName: "wangfang", message: "" }, context);
  await shows(wang, { requests: ["received lina "] });
  await wang.chat.friends.decline({ userName: "lina" }, context);
  await shows(lina, {});
  await expect
    .poll(() => lina.notices.map(({ style, text }) => [style, text]), PATIENCE)
    .toEqual([["warning", "wangfang拒绝了您的好友申请"]]);
  await expect(wang.chat.friends.accept({ userName: "lina" }, context)).rejects.toMatchObject({
    code: "request.not-found",
  });
});

it("Who is blocked writes nothing to that person, until it is taken back", async () => {
  await lina.chat.friends.add({ userName: "wangfang", message: "" }, context);
  await shows(wang, { requests: ["received lina "] });
  await wang.chat.friends.accept({ userName: "lina" }, context);
  let tries = 0;
  const greet = () => says(lina, "wangfang", `你好${(tries += 1)}`);
  await expect.poll(greet, PATIENCE).toBe("sent");
  await wang.chat.friends.block({ userName: "lina" }, context);
  expect(brief(wang)).toEqual({ ...NONE, friends: ["lina"], blocked: ["lina"] });
  expect(await says(lina, "wangfang", "在吗")).toBe("failed");
  expect(lina.notices.at(-1)).toMatchObject({ style: "error", text: "不能与对方聊天" });
  await wang.chat.friends.unblock({ userName: "lina" }, context);
  expect(brief(wang)).toEqual({ ...NONE, friends: ["lina"] });
  expect(await says(lina, "wangfang", "现在呢")).toBe("sent");
});

it("A name that nobody has answers as any other; the 201st open request is refused", async () => {
  await lina.chat.friends.add({ userName: "no_such_person", message: "您好" }, context);
  expect(brief(lina).requests).toEqual(["sent no_such_person 您好"]);
  await lina.chat.friends.remove({ userName: "no_such_person" }, context);
  expect(brief(lina)).toEqual(NONE);
  await cast.platform.platform.database.pool.query(
    `INSERT INTO im_friend_requests (account_id, user_name, reason)
      SELECT $1, 'nobody' || n, '' FROM generate_series(1, 200) n`,
    [cast.accountId["lina"]],
  );
  await expect(
    lina.chat.friends.add({ userName: "wangfang", message: "" }, context),
  ).rejects.toMatchObject({ code: "request.conflict" });
});
