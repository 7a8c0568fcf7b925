import { expect, test } from "vitest";
import { createHarness, settle } from "./chat.harness.ts";

const context = { tabId: "t", id: "c" };
const message = (h: ReturnType<typeof createHarness>, chatId: string, at = -1) => {
  const conversation = h.store.get("chat").conversations[chatId];
  return conversation?.messages[conversation.order.at(at) ?? ""];
};

test("An answer shows what it answers from the first moment on, and still does at a new core", async () => {
  const h = createHarness();
  await settle();
  const asked = h.server.put("bob", "alice", "几点开会？");
  h.conn().events.message(asked);
  await settle();
  const quote = { mid: asked.mid, from: "bob", type: "text", text: "几点开会？" } as const;
  await h.chat.handlers.send({ chatId: "bob", text: "三点", quote }, context);
  expect(message(h, "bob")).toMatchObject({ msg: "三点", status: "sending", quote });
  h.conn().deliver();
  await settle();
  expect(h.server.received.at(-1)?.message).toMatchObject({ text: "三点", quote });

  // this core dies before it has written its copy: only the outbox knows the message
  const later = createHarness({ env: h.env, server: h.server, auto: false });
  await settle();
  expect(message(later, "bob")).toMatchObject({ msg: "三点", status: "sent", quote });
});

test("A message is forwarded to each receiver once, a file without another upload", async () => {
  const h = createHarness();
  await settle();
  const text = h.server.put("bob", "alice", "通知");
  const url = "http://chat.example/o/a/chatfiles/u1?em-redirect=true&share-secret=s1";
  const about = { name: "a.png", size: 7, width: 4, height: 3, length: null };
  const picture = {
    ...h.server.put("bob", "alice", "a.png"),
    type: "img" as const,
    file: { ...about, url, thumb: null },
  };
  for (const each of [text, picture]) h.conn().events.message(each);
  await settle();
  const forward = (mid: string, to: string[]) =>
    h.chat.handlers.forward(
      { chatId: "bob", ids: [`m${mid}`], to, combined: null },
      { tabId: "t", id: mid },
    );
  await forward(text.mid, ["carol", "#17", "carol"]);
  await forward(text.mid, ["carol", "#17"]);
  await forward(picture.mid, ["carol"]);
  for (let n = 0; n < 5; n += 1) {
    h.conn().deliver();
    await settle();
  }
  expect(h.conn().uploads).toEqual([]);
  expect(h.server.received.map((r) => r.message)).toMatchObject([
    { kind: "text", to: "carol", text: "通知" },
    { kind: "text", to: "#17", text: "通知" },
    {
      kind: "img",
      to: "carol",
      file: { ...about, url: "http://chat.example/o/a/chatfiles/u1", secret: "s1" },
    },
  ]);
});

test("A message that was taken back, or that the server does not have, is not forwarded", async () => {
  const h = createHarness();
  await settle();
  const text = h.server.put("bob", "alice", "秘密");
  h.conn().events.message(text);
  h.conn().events.recalled({ mid: text.mid, from: "bob", to: "alice", time: 0 });
  await settle();
  const unsent = await h.send("bob", "未发");
  for (const id of [`m${text.mid}`, unsent, "m404"]) {
    await expect(
      h.chat.handlers.forward({ chatId: "bob", ids: [id], to: ["carol"], combined: null }, context),
    ).rejects.toMatchObject({ code: "request.not-found" });
  }
});

test("The way to a quoted message loads older pages until it is there, and ends at the beginning", async () => {
  const h = createHarness();
  await settle();
  const old = h.server.put("bob", "alice", "第一条");
  for (let n = 0; n < 34; n += 1) h.server.put("bob", "alice", `${n}`);
  await h.chat.handlers.open({ chatId: "bob", name: "鲍勃" }, context);
  expect(message(h, "bob", 0)?.msg).not.toBe("第一条");
  expect(await h.chat.handlers.reach({ chatId: "bob", mid: old.mid }, context)).toBe(true);
  expect(message(h, "bob", 0)?.msg).toBe("第一条");
  expect(await h.chat.handlers.reach({ chatId: "bob", mid: "404" }, context)).toBe(false);
});

test("A text to a group names those whose names stand after an @, and a message that names this person is marked", async () => {
  const h = createHarness();
  h.server.groups.push({ id: "17", name: "群", members: ["alice", "bob"] });
  await settle();
  h.conn().events.message({ ...h.server.put("bob", "#17", "大家好") });
  await settle();
  await h.send("#17", "@名字-bob 看一下");
  await h.send("bob", "@名字-bob");
  h.conn().deliver();
  h.conn().deliver();
  await settle();
  expect(h.server.received.map((r) => ("ext" in r.message ? r.message.ext : null))).toEqual([
    { em_at_list: ["bob"] },
    null,
  ]);
  h.conn().events.message({ ...h.server.put("bob", "#17", "@名字-alice"), mentions: ["alice"] });
  h.conn().events.message({ ...h.server.put("bob", "alice", "@all"), mentions: "ALL" });
  await settle();
  expect(message(h, "#17")?.mention).toBe(true);
  expect(message(h, "bob")?.mention).toBeUndefined();
});
