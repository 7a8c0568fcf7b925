import { describe, expect, test } from "vitest";
import { CHAT_CACHE } from "../../../../shared/domain/chat-window.ts";
import { createHarness, settle, type Harness, type Stored } from "../chat.harness.ts";

const context = { tabId: "t", id: "c" };
const loggedIn = async (over: Parameters<typeof createHarness>[0] = {}): Promise<Harness> => {
  const h = createHarness(over);
  await settle();
  return h;
};
const open = async (h: Harness, chatId = "bob"): Promise<void> => {
  await h.chat.handlers.open({ chatId, name: "鲍勃" }, context);
};
const hear = async (h: Harness, message: Stored): Promise<void> => {
  h.conn().events.message(message);
  await settle();
};
const texts = (h: Harness, chatId = "bob"): string[] => h.conversation(chatId).map((m) => m.text);
const unread = (h: Harness): number | undefined => h.store.get("chat").conversations["bob"]?.unread;

describe("received messages", () => {
  test("They appear once, in the server's order, and count as unread", async () => {
    const h = await loggedIn();
    const one = h.server.put("bob", "alice", "1");
    const two = h.server.put("bob", "alice", "2");
    await hear(h, two);
    await hear(h, one);
    await hear(h, two);
    expect(h.conversation("bob")).toEqual([
      { text: "1", status: "unread", bySelf: false },
      { text: "2", status: "unread", bySelf: false },
    ]);
    expect(unread(h)).toBe(2);
    expect(h.store.get("chat").conversations["bob"]?.name).toBe("名字-bob");
  });

  test("A resent message that the server stored twice is shown once", async () => {
    const h = await loggedIn();
    const first = { ...h.server.put("bob", "alice", "x"), localId: "77" };
    await hear(h, first);
    await hear(h, { ...first, mid: "9111111111111111111" });
    expect(texts(h)).toEqual(["x"]);
    expect(unread(h)).toBe(1);
  });

  test("A copy of a message from the person's other device is shown as an own message", async () => {
    const h = await loggedIn();
    await hear(h, h.server.put("alice", "bob", "from my phone"));
    expect(h.conversation("bob")).toEqual([
      { text: "from my phone", status: "sent", bySelf: true },
    ]);
    expect(unread(h)).toBe(0);
  });

  test("Messages of other people's conversations and from invalid user names are dropped", async () => {
    const h = await loggedIn();
    await hear(h, h.server.put("bob", "carol", "?"));
    await hear(h, h.server.put("__proto__", "alice", "?"));
    await hear(h, h.server.put("constructor", "alice", "?"));
    await hear(h, h.server.put("Bob Space", "alice", "?"));
    expect(h.store.get("chat").conversations).toEqual({});
    expect(h.env.reports).toHaveLength(4);
  });

  test(`A conversation keeps at most ${CHAT_CACHE} messages: the newest ones and those still to be sent`, async () => {
    const h = await loggedIn();
    h.conn().drop();
    await h.send("bob", "waiting");
    h.conn().back();
    for (let n = 0; n < 1_200; n += 1)
      h.conn().events.message(h.server.put("bob", "alice", `${n}`));
    await settle(60);
    const conversation = h.store.get("chat").conversations["bob"];
    expect(conversation?.order.length).toBeLessThanOrEqual(CHAT_CACHE);
    expect(conversation?.order.length).toBeGreaterThan(400);
    expect(Object.keys(conversation?.messages ?? {})).toHaveLength(
      conversation?.order.length ?? -1,
    );
    expect(texts(h).slice(-2)).toEqual(["1199", "waiting"]);
  });
});

describe("receipts and recalls", () => {
  test("A delivery receipt makes the status delivered, a read receipt makes it read, and it never goes back", async () => {
    const h = await loggedIn();
    await h.send("bob", "hi");
    h.conn().deliver();
    await settle(60);
    const mid = h.server.messages[0]?.mid ?? "";
    h.conn().events.delivered({ mid, from: "bob", to: "alice", time: 0 });
    await settle();
    expect(h.conversation("bob")[0]?.status).toBe("delivered");
    h.conn().events.read({ mid, from: "bob", to: "alice", time: 0 });
    h.conn().events.delivered({ mid, from: "bob", to: "alice", time: 0 });
    await settle();
    expect(h.conversation("bob")[0]?.status).toBe("read");
  });

  test("A receipt that arrives before the acknowledgement waits for it", async () => {
    const h = await loggedIn();
    await h.send("bob", "hi");
    h.conn().deliver(false);
    const mid = h.server.messages[0]?.mid ?? "";
    h.conn().events.read({ mid, from: "bob", to: "alice", time: 0 });
    await settle();
    expect(h.conversation("bob")[0]?.status).toBe("sending");
    h.conn().deliver();
    await settle(60);
    expect(h.conversation("bob")[0]?.status).toBe("read");
  });

  test("A receipt for the conversation marks the messages sent until its time as read", async () => {
    const h = await loggedIn();
    for (const text of ["1", "2"]) {
      await h.send("bob", text);
      h.conn().deliver();
      await settle(60);
    }
    const time = h.server.messages[0]?.time ?? 0;
    h.conn().events.readAll({ from: "bob", to: "alice", time });
    await settle();
    expect(h.conversation("bob").map((m) => m.status)).toEqual(["read", "sent"]);
  });

  test("A receipt for the conversation that arrives before the history is applied to it", async () => {
    const h = await loggedIn();
    const one = h.server.put("alice", "bob", "1");
    h.server.put("alice", "bob", "2");
    h.conn().events.readAll({ from: "bob", to: "alice", time: one.time });
    await settle();
    await open(h);
    await settle();
    expect(h.conversation("bob").map((m) => m.status)).toEqual(["read", "sent"]);
  });

  test("Marking as read clears the count and sends a receipt, and sends it again after a loss", async () => {
    const h = await loggedIn();
    await hear(h, h.server.put("bob", "alice", "1"));
    await h.chat.handlers.markRead({ chatId: "bob" }, context);
    expect(unread(h)).toBe(0);
    expect(h.conversation("bob")[0]?.status).toBe("read");
    expect(h.conn().flying.map((f) => f.message.kind)).toEqual(["readAll"]);
    h.conn().drop();
    await settle();
    h.conn().back();
    await settle();
    expect(h.conn().flying.map((f) => f.message.kind)).toEqual(["readAll"]);
    h.conn().deliver();
    await settle();
    await h.chat.handlers.markRead({ chatId: "bob" }, context);
    expect(h.conn().flying).toHaveLength(0);
  });

  test("A message that comes while the mark of an earlier one is on its way stays unread, and no receipt says that all is read", async () => {
    const h = await loggedIn();
    await hear(h, h.server.put("bob", "alice", "1"));
    await hear(h, h.server.put("bob", "alice", "2"));
    const [seen = "", newer = ""] = h.store.get("chat").conversations["bob"]?.order ?? [];
    const mark = (upTo: string) => h.chat.handlers.markRead({ chatId: "bob", upTo }, context);
    await mark(seen);
    expect(h.conversation("bob").map(({ status }) => status)).toEqual(["read", "unread"]);
    expect([unread(h), h.conn().flying.length]).toEqual([1, 0]);
    await mark(newer);
    expect(unread(h)).toBe(0);
    expect(h.conn().flying.map((f) => f.message.kind)).toEqual(["readAll"]);
  });

  test("What another device read before a message came leaves that message unread", async () => {
    const h = await loggedIn();
    const one = h.server.put("bob", "alice", "1");
    await hear(h, one);
    const two = h.server.put("bob", "alice", "2");
    await hear(h, two);
    h.conn().events.readAll({ from: "alice", to: "bob", time: one.time });
    await settle();
    expect(h.conversation("bob").map(({ status }) => status)).toEqual(["read", "unread"]);
    expect(unread(h)).toBe(1);
    h.conn().events.read({ from: "alice", to: "bob", mid: two.mid, time: two.time });
    await settle();
    expect(unread(h)).toBe(0);
  });

  test("Messages read on the person's other device are marked as read", async () => {
    const h = await loggedIn();
    await hear(h, h.server.put("bob", "alice", "1"));
    h.conn().events.readAll({ from: "alice", to: "bob", time: 0 });
    await settle();
    expect(unread(h)).toBe(0);
    expect(h.conn().flying).toHaveLength(0);
  });

  test("A recalled message is shown as recalled, also when the recall arrives first, and only its sender can recall it", async () => {
    const h = await loggedIn();
    const one = h.server.put("bob", "alice", "oops");
    await hear(h, one);
    h.conn().events.recalled({ mid: one.mid, from: "carol", to: "alice", time: 0 });
    h.conn().events.recalled({ mid: one.mid, from: "alice", to: "bob", time: 0 });
    await settle();
    expect(texts(h)).toEqual(["oops"]);
    h.conn().events.recalled({ mid: one.mid, from: "bob", to: "alice", time: 0 });
    await settle();
    expect(h.conversation("bob")).toEqual([
      { text: "对方撤回了一条消息", status: "recall", bySelf: false },
    ]);
    expect(unread(h)).toBe(0);

    const two = h.server.put("bob", "alice", "again");
    h.conn().events.recalled({ mid: two.mid, from: "bob", to: "alice", time: 0 });
    await hear(h, two);
    expect(h.conversation("bob").map((m) => m.status)).toEqual(["recall", "recall"]);
    expect(unread(h)).toBe(0);
  });
});

describe("history", () => {
  const fill = (h: Harness, count: number): void => {
    for (let n = 0; n < count; n += 1) {
      h.server.put(n % 2 === 0 ? "bob" : "alice", n % 2 === 0 ? "alice" : "bob", `${n}`);
    }
  };
  const range = (from: number, to: number): string[] =>
    Array.from({ length: to - from }, (_, n) => `${from + n}`);

  test("Opening reads the newest ten messages and older reads ten more, without duplicates, up to the end", async () => {
    const h = await loggedIn();
    fill(h, 25);
    await hear(h, h.server.messages[24] as Stored);
    await open(h);
    expect(texts(h)).toEqual(range(15, 25));
    expect(h.store.get("chat").conversations["bob"]).toMatchObject({
      name: "鲍勃",
      // The window of the person says what is read, not the opening: it may be covered, and its answer may come after newer messages.
      unread: 1,
      historyLoaded: true,
      historyEnd: false,
    });
    await h.chat.handlers.older({ chatId: "bob" }, context);
    expect(texts(h)).toEqual(range(5, 25));
    await h.chat.handlers.older({ chatId: "bob" }, context);
    expect(texts(h)).toEqual(range(0, 25));
    expect(h.store.get("chat").conversations["bob"]?.historyEnd).toBe(true);
  });

  test("Two tabs that open and scroll at once get no duplicates and no gaps", async () => {
    const h = await loggedIn();
    fill(h, 40);
    await Promise.all([open(h), open(h)]);
    await Promise.all([
      h.chat.handlers.older({ chatId: "bob" }, context),
      h.chat.handlers.older({ chatId: "bob" }, context),
    ]);
    expect(texts(h)).toEqual(range(10, 40));
  });

  test("A new core shows its copy at once, and open reads the messages after it", async () => {
    const h = await loggedIn();
    fill(h, 12);
    await open(h);
    h.env.clock.advance(1_000);
    await settle(60);
    await h.chat.stop();
    fill(h, 30);
    const next = createHarness({ env: h.env, server: h.server, auto: false });
    await settle(60);
    expect(next.connections.at(-1)?.isOpen()).toBe(false);
    expect(texts(next)).toEqual(range(2, 12));
    next.conn().accept();
    await settle();
    await open(next);
    expect(texts(next)).toEqual([...range(2, 12), ...range(0, 30)]);
  });

  test("When a gap is too wide to close, the old copy is dropped, so that no gap is shown", async () => {
    const h = await loggedIn();
    fill(h, 12);
    await open(h);
    h.conn().drop();
    await h.send("bob", "to be sent");
    fill(h, 90);
    h.conn().back();
    await settle(100);
    expect(texts(h)).toEqual([...range(40, 90), "to be sent"]);
    expect(h.store.get("chat").conversations["bob"]?.historyEnd).toBe(false);
  });

  test("After a reconnect the messages missed in an opened conversation are shown as unread", async () => {
    const h = await loggedIn();
    fill(h, 3);
    await open(h);
    h.conn().drop();
    h.server.put("bob", "alice", "missed");
    h.conn().back();
    await settle(60);
    expect(h.conversation("bob").at(-1)).toEqual({
      text: "missed",
      status: "unread",
      bySelf: false,
    });
    expect(unread(h)).toBe(1);
  });

  test("A history request without an answer times out and does not block the next one", async () => {
    const over = { silentHistory: true };
    const h = await loggedIn(over);
    const first = open(h);
    const second = open(h);
    await settle(60);
    h.env.clock.advance(10_000);
    await expect(first).rejects.toMatchObject({ code: "network.timeout" });
    over.silentHistory = false;
    await settle(60);
    h.env.clock.advance(10_000);
    await expect(second).rejects.toMatchObject({ code: "network.timeout" });
    fill(h, 3);
    await open(h);
    expect(texts(h)).toEqual(range(0, 3));
  });

  test("The storage keeps copies of the latest 200 conversations", async () => {
    const h = await loggedIn();
    for (let n = 0; n < 205; n += 1) {
      h.conn().events.message(h.server.put(`user-${n}`, "alice", "hi"));
      if (n % 100 !== 99) continue;
      await settle(60);
      h.env.clock.advance(1_000);
      await settle(2_000);
    }
    await settle(60);
    h.env.clock.advance(1_000);
    await settle(2_000);
    const copies = [...h.env.kv.data.keys()].filter((key) => key.startsWith("chat.conversation."));
    expect(copies).toHaveLength(200);
    expect(copies.some((key) => key.endsWith(".user-0"))).toBe(false);
    expect(copies.some((key) => key.endsWith(".user-204"))).toBe(true);
  });

  test("Without a connection open shows the copy, and older fails with its reason", async () => {
    const h = await loggedIn();
    h.conn().drop();
    await open(h);
    await expect(h.chat.handlers.older({ chatId: "bob" }, context)).rejects.toMatchObject({
      code: "chat.not-connected",
    });
  });

  test("A logout leaves only unsent messages in the browser's storage", async () => {
    const h = await loggedIn();
    await hear(h, h.server.put("bob", "alice", "secret"));
    h.conn().drop();
    await h.send("bob", "unsent");
    h.env.clock.advance(1_000);
    await settle(60);
    expect(JSON.stringify([...h.env.kv.data])).toContain("secret");
    h.user(null);
    await settle(100);
    const left = JSON.stringify([...h.env.kv.data]);
    expect(left).not.toContain("secret");
    expect(left).toContain("unsent");
    expect(left).not.toContain('"pw"');
  });
});

describe("presence", () => {
  test("The people shown are subscribed, again after a reconnect, and events update the slice", async () => {
    const h = await loggedIn();
    h.chat.watchPresence(["bob", "carol"]);
    h.env.clock.advance(100);
    await settle();
    expect(h.store.get("chat").online).toEqual({ bob: true, carol: false });
    h.conn().events.presence([{ userName: "carol", online: true }]);
    expect(h.store.get("chat").online["carol"]).toBe(true);
    h.conn().drop();
    h.conn().back();
    await settle();
    h.env.clock.advance(100);
    await settle();
    expect(h.conn().subscribed).toEqual([
      ["bob", "carol"],
      ["bob", "carol"],
    ]);
  });

  test("An event without a presence makes the core subscribe again", async () => {
    const h = await loggedIn();
    h.chat.watchPresence(["bob", "carol"]);
    h.env.clock.advance(100);
    await settle();
    h.conn().events.presence([
      { userName: "bob", online: null },
      { userName: "carol", online: null },
    ]);
    h.env.clock.advance(100);
    await settle();
    expect(h.conn().subscribed).toHaveLength(2);
  });
});
