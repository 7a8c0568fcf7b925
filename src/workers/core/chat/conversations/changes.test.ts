import { expect, test } from "vitest";
import { createHarness, type Harness, settle } from "../chat.harness.ts";
import { ChatFailure } from "../provider/port.ts";

const context = { tabId: "t", id: "c" };
const message = (h: Harness, at = -1) => {
  const conversation = h.store.get("chat").conversations["bob"];
  return conversation?.messages[conversation.order.at(at) ?? ""];
};
const sentOne = async (text: string): Promise<{ h: Harness; id: string }> => {
  const h = createHarness();
  await settle();
  const id = await h.send("bob", text);
  h.conn().deliver();
  await settle();
  return { h, id };
};

test("An own text gets its new text once the server has it, and a restarted core still shows it", async () => {
  const { h, id } = await sentOne("三点");
  let answer = (): void => undefined;
  h.server.changeAnswer = () => new Promise((resolve) => (answer = resolve));
  const edit = h.chat.handlers.edit({ chatId: "bob", id, text: "四点" }, context);
  await settle();
  expect(message(h)).toMatchObject({ msg: "三点" });
  expect(message(h)).not.toHaveProperty("edits");
  answer();
  await edit;
  expect(message(h)).toMatchObject({ id, msg: "四点", edits: 1, status: "sent" });
  await h.chat.stop();

  const later = createHarness({ env: h.env, server: h.server, auto: false });
  await settle();
  expect(message(later)).toMatchObject({ id, msg: "四点", edits: 1 });
});

test("The other side's edits may come late, twice, out of order and before their message; the newest text stays", async () => {
  const h = createHarness();
  await settle();
  const { events } = h.conn();
  const stored = h.server.put("bob", "alice", "一");
  events.edited({ ...stored, msg: "二", edits: 1 });
  await settle();
  events.message(stored);
  await settle();
  expect(message(h)).toMatchObject({ msg: "二", edits: 1, status: "unread" });
  events.edited({ ...stored, msg: "四", edits: 3 });
  events.edited({ ...stored, msg: "三", edits: 2 });
  events.edited({ ...stored, msg: "四", edits: 3 });
  await settle();
  expect(message(h)).toMatchObject({ msg: "四", edits: 3 });
  expect(h.store.get("chat").conversations["bob"]?.unread).toBe(1);
});

test("History brings the text of an edit that this device missed", async () => {
  const h = createHarness();
  await settle();
  const stored = h.server.put("bob", "alice", "一");
  h.conn().events.message(stored);
  await settle();
  h.server.messages[0] = { ...stored, msg: "二", edits: 1 };
  await h.chat.handlers.open({ chatId: "bob", name: "鲍勃" }, context);
  expect(message(h)).toMatchObject({ msg: "二", edits: 1 });
});

test("An edit by another than the sender, or of a message that was taken back, changes nothing", async () => {
  const { h } = await sentOne("我的");
  const mid = message(h)?.mid ?? "";
  const { events } = h.conn();
  const edit = { ...h.server.put("bob", "alice", "x"), mid, msg: "伪造", edits: 1 };
  events.edited(edit);
  await settle();
  expect(message(h)?.msg).toBe("我的");
  events.recalled({ mid, from: "alice", to: "bob", time: 0 });
  events.edited({ ...edit, from: "alice", to: "bob" });
  await settle();
  expect(message(h)).toMatchObject({ status: "recall", msg: "您撤回了一条消息" });
});

test("A person may edit own texts alone, and reads why an edit or recall is refused", async () => {
  const { h, id } = await sentOne("我的");
  const { handlers } = h.chat;
  const edit = () => handlers.edit({ chatId: "bob", id, text: "新" }, context);
  for (const [type, code] of [
    [50, "chat.edit-limit"],
    [1302, "request.not-found"],
    [603, "chat.not-allowed"],
    [219, "chat.muted"],
    [1304, "server.unavailable"],
  ] as const) {
    h.server.changeAnswer = () => Promise.reject(new ChatFailure(type, ""));
    await expect(edit()).rejects.toMatchObject({ code });
  }
  h.server.changeAnswer = () => Promise.reject(new ChatFailure(504, ""));
  const recall = () => handlers.recall({ chatId: "bob", id }, context);
  await expect(recall()).rejects.toMatchObject({ code: "chat.recall-failed" });
  expect(message(h)).toMatchObject({ msg: "我的", status: "sent" });

  // Of a person a reaction is refused by the blacklist, of a group by a mute.
  h.server.changeAnswer = () => Promise.reject(new ChatFailure(603, ""));
  const group = h.server.put("bob", "#1", "群里");
  h.conn().events.message(group);
  await settle();
  for (const [chatId, messageId, code] of [
    ["bob", id, "chat.not-allowed"],
    ["#1", `m${group.mid}`, "chat.muted"],
  ] as const) {
    const reaction = { chatId, id: messageId, reaction: "👍", on: true };
    await expect(handlers.react(reaction, context)).rejects.toMatchObject({ code });
  }

  const theirs = h.server.put("bob", "alice", "你的");
  h.conn().events.message(theirs);
  await settle();
  const foreign = { chatId: "bob", id: `m${theirs.mid}` };
  await expect(handlers.edit({ ...foreign, text: "x" }, context)).rejects.toMatchObject({
    code: "chat.not-allowed",
  });
  await expect(handlers.recall(foreign, context)).rejects.toMatchObject({
    code: "chat.not-allowed",
  });
});

test("A recall shows its text at once, and a change that is never answered fails after 15 s", async () => {
  const { h, id } = await sentOne("错");
  h.server.changeAnswer = () => new Promise(() => undefined);
  const failed = expect(
    h.chat.handlers.recall({ chatId: "bob", id }, context),
  ).rejects.toMatchObject({ code: "network.timeout" });
  await settle();
  h.env.clock.advance(15_000);
  await failed;
  h.server.changeAnswer = () => Promise.resolve();
  await h.chat.handlers.recall({ chatId: "bob", id }, context);
  expect(message(h)).toMatchObject({ status: "recall", msg: "您撤回了一条消息" });
});

test("Reactions are counted and named; what this person did is known even when the list of people is cut", async () => {
  const { h, id } = await sentOne("好消息");
  const mid = message(h)?.mid ?? "";
  const receiveReaction = (
    reaction: string,
    count: number,
    users: string[],
    by: string,
    on = true,
  ) =>
    h.conn().events.reacted({
      mid,
      from: by,
      to: by === "alice" ? "bob" : "alice",
      reactions: [{ reaction, count, users, changes: [{ by, on }] }],
    });
  await h.chat.handlers.react({ chatId: "bob", id, reaction: "👍", on: true }, context);
  expect(h.server.reacted).toEqual([[mid, "👍", true]]);
  receiveReaction("👍", 1, ["alice"], "alice");
  await settle();
  expect(message(h)?.reactions).toEqual([
    { reaction: "👍", count: 1, users: ["alice"], bySelf: true },
  ]);
  receiveReaction("👍", 60, ["bob"], "bob");
  await settle();
  expect(message(h)?.reactions).toMatchObject([{ count: 60, bySelf: true }]);
  receiveReaction("👍", 59, ["bob"], "alice", false);
  await settle();
  expect(message(h)?.reactions).toMatchObject([{ count: 59, bySelf: false }]);
  receiveReaction("👍", 0, [], "bob", false);
  await settle();
  expect(message(h)).toMatchObject({ msg: "好消息", status: "sent" });
  expect(message(h)?.reactions).toBeUndefined();
});
