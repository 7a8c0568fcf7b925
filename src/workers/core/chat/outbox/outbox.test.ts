import { describe, expect, test } from "vitest";
import { outboxKey } from "./outbox-writer.ts";
import { ChatFailure } from "../provider/port.ts";
import { createHarness, createRandom, settle, type Harness } from "../chat.harness.ts";

const loggedIn = async (over: Parameters<typeof createHarness>[0] = {}): Promise<Harness> => {
  const h = createHarness(over);
  await settle();
  return h;
};
const texts = (h: Harness): string[] => h.server.messages.map((m) => m.msg);
const deliverAll = async (h: Harness): Promise<void> => {
  for (let guard = 0; guard < 1_000 && h.conn().flying.length > 0; guard += 1) {
    h.conn().deliver();
    await settle(60);
  }
};

describe("sending", () => {
  test("A message is stored before it is shown as sending and sent, and then gets the server's id and time", async () => {
    const h = await loggedIn();
    const slow: (() => void)[] = [];
    const set = h.env.kv.set;
    h.env.kv.set = async (key, value) => {
      if (key === outboxKey("alice")) await new Promise<void>((resolve) => slow.push(resolve));
      await set(key, value);
    };
    const sending = h.send("bob", "一");
    await settle();
    expect(h.conversation("bob")).toEqual([]);
    expect(h.conn().flying).toHaveLength(0);
    h.env.kv.set = set;
    slow[0]?.();
    const id = await sending;
    expect(h.conversation("bob")).toEqual([{ text: "一", status: "sending", bySelf: true }]);
    expect(h.env.kv.data.get(outboxKey("alice"))).toMatchObject({ entries: [{ id, text: "一" }] });
    expect(h.conn().flying.map((f) => f.message.id)).toEqual([id]);
    h.conn().deliver();
    await settle(60);
    const stored = h.server.messages[0];
    expect(h.store.get("chat").conversations["bob"]?.messages[id]).toMatchObject({
      status: "sent",
      mid: stored?.mid,
      time: stored?.time,
    });
    expect(h.env.kv.data.get(outboxKey("alice"))).toMatchObject({ entries: [] });
  });

  test("A core that dies while its stored copy lacks the acknowledgements keeps the server's ids and times", async () => {
    const h = await loggedIn();
    const held: (() => void)[] = [];
    const set = h.env.kv.set;
    h.env.kv.set = async (key, value) => {
      const now: unknown = structuredClone(value);
      if (key.startsWith("chat.conversation.")) {
        await new Promise<void>((resolve) => held.push(resolve));
      }
      await set(key, now);
    };
    const ids = [await h.send("bob", "1"), await h.send("bob", "2")];
    h.env.clock.advance(50);
    await settle();
    expect(held).toHaveLength(1);
    await deliverAll(h);
    held[0]?.();
    await settle();
    // The outbox is stored once more, the copy is not.
    await h.send("carol", "3");

    h.env.kv.set = set;
    const next = await loggedIn({ env: h.env, server: h.server, auto: false });
    const { order, messages } = next.store.get("chat").conversations["bob"] ?? {};
    expect(order).toEqual(ids);
    expect(ids.map((id) => [messages?.[id]?.mid, messages?.[id]?.time])).toEqual(
      h.server.messages.filter(({ to }) => to === "bob").map(({ mid, time }) => [mid, time]),
    );
  });

  test("One message per conversation is in flight, and conversations are sent in parallel", async () => {
    const h = await loggedIn();
    await Promise.all([h.send("bob", "1"), h.send("bob", "2"), h.send("carol", "3")]);
    await settle();
    expect(h.conn().flying.map((f) => f.message.to)).toEqual(["bob", "carol"]);
    await deliverAll(h);
    expect(texts(h).toSorted()).toEqual(["1", "2", "3"]);
  });

  test("A key identifies one message, also when another tab sends it or another core receives it", async () => {
    const h = await loggedIn();
    const sendOnce = (core: Harness, tabId: string): Promise<{ id: string }> =>
      core.chat.handlers.send({ chatId: "bob", text: "once", key: "k" }, { tabId, id: tabId });
    const { id } = await sendOnce(h, "one");
    expect(await sendOnce(h, "two")).toEqual({ id });
    await deliverAll(h);
    const next = await loggedIn({ env: h.env, server: h.server, auto: false });
    await settle(60);
    expect(await sendOnce(next, "three")).toEqual({ id });
    await deliverAll(next);
    expect(texts(next)).toEqual(["once"]);
  });

  test("A repeated command creates no second message, in this core or the next", async () => {
    const h = await loggedIn();
    const id = await h.send("bob", "once", "command");
    expect(await h.send("bob", "once", "command")).toBe(id);
    await deliverAll(h);
    await h.chat.stop();
    const next = await loggedIn({ env: h.env, server: h.server, auto: false });
    expect(await next.send("bob", "once", "command")).toBe(id);
    await deliverAll(next);
    expect(texts(next)).toEqual(["once"]);
  });

  test("Messages written without a connection are sent in order after the reconnect", async () => {
    const h = await loggedIn();
    h.conn().drop();
    for (const text of ["1", "2", "3"]) await h.send("bob", text);
    expect(h.conn().flying).toHaveLength(0);
    expect(h.conversation("bob").map((m) => m.status)).toEqual(["sending", "sending", "sending"]);
    h.conn().back();
    await settle();
    await deliverAll(h);
    expect(texts(h)).toEqual(["1", "2", "3"]);
  });

  test("A message whose acknowledgement was lost is sent again under the same id and stored once", async () => {
    const h = await loggedIn();
    const id = await h.send("bob", "hello");
    h.conn().deliver(false);
    h.conn().drop();
    await settle();
    expect(h.conversation("bob")[0]?.status).toBe("sending");
    h.conn().back();
    await settle();
    await deliverAll(h);
    expect(h.server.received.map((r) => r.message.id)).toEqual([id, id]);
    expect(h.conversation("bob")).toEqual([{ text: "hello", status: "sent", bySelf: true }]);
  });

  test("A message that the server has already delivered back is not sent again", async () => {
    const h = await loggedIn();
    await h.send("bob", "hello");
    h.conn().deliver(false);
    h.conn().drop();
    h.conn().events.message(h.server.messages[0] as never);
    await settle(60);
    expect(h.conversation("bob")).toEqual([{ text: "hello", status: "sent", bySelf: true }]);
    h.conn().back();
    await settle();
    expect(h.conn().flying).toHaveLength(0);
    expect(h.server.received).toHaveLength(1);
  });

  test("A refused message fails with a notice and does not block the next one, and a resend uses the same id", async () => {
    const h = await loggedIn();
    const id = await h.send("bob", "no");
    await h.send("bob", "next");
    h.conn().answer(new ChatFailure(221, "not contact"));
    await settle(60);
    expect(h.notices.map((n) => [n.key, n.text])).toEqual([["chat.not-allowed", "不能与对方聊天"]]);
    await deliverAll(h);
    expect(h.conversation("bob").toSorted((a, b) => (a.text < b.text ? -1 : 1))).toEqual([
      { text: "next", status: "sent", bySelf: true },
      { text: "no", status: "failed", bySelf: true },
    ]);
    await h.chat.handlers.resend({ chatId: "bob", id }, { tabId: "t", id: "r" });
    expect(h.conn().flying.map((f) => f.message.id)).toEqual([id]);
    await deliverAll(h);
    expect(texts(h)).toEqual(["next", "no"]);
    await expect(
      h.chat.handlers.resend({ chatId: "bob", id: "1" }, { tabId: "t", id: "r2" }),
    ).rejects.toMatchObject({ code: "request.not-found" });
  });

  test("A failed message is still shown as failed in the next core", async () => {
    const h = await loggedIn();
    await h.send("bob", "no");
    h.conn().answer(new ChatFailure(603, "blocked"));
    await settle(60);
    const next = await loggedIn({ env: h.env, server: h.server, auto: false });
    expect(next.conversation("bob")).toEqual([{ text: "no", status: "failed", bySelf: true }]);
    expect(next.conn().flying).toHaveLength(0);
  });

  test("A message to a busy server is tried with pauses, and fails after five refusals", async () => {
    const h = await loggedIn();
    await h.send("bob", "busy");
    for (let tries = 1; tries <= 5; tries += 1) {
      expect(h.conn().flying).toHaveLength(1);
      h.conn().answer(new ChatFailure(509, "traffic limit"));
      await settle(60);
      expect(h.conn().flying).toHaveLength(0);
      h.env.clock.advance(9_000);
    }
    expect(h.conversation("bob")[0]?.status).toBe("failed");
  });

  test("Lost connections never fail a message", async () => {
    const h = await loggedIn();
    await h.send("bob", "patient");
    for (let losses = 0; losses < 20; losses += 1) {
      h.conn().answer(new ChatFailure(losses % 2 === 0 ? 512 : 510, "lost"));
      h.conn().drop();
      h.conn().back();
      await settle(60);
    }
    expect(h.conversation("bob")[0]?.status).toBe("sending");
    await deliverAll(h);
    expect(texts(h)).toEqual(["patient"]);
  });

  test("Failing storage does not stop the chat", async () => {
    const h = await loggedIn();
    h.env.kv.set = () => Promise.reject(new Error("QuotaExceededError"));
    await h.send("bob", "hello");
    await deliverAll(h);
    expect(texts(h)).toEqual(["hello"]);
    expect(h.env.reports.some((line) => line.includes("outbox not written"))).toBe(true);
  });
});

describe("any interleaving of sends, losses, lost acknowledgements and new cores", () => {
  test.each(Array.from({ length: 60 }, (_, seed) => seed + 1))(
    "With seed %i each message arrives once and in order",
    async (seed) => {
      const next = createRandom(seed);
      let h = await loggedIn();
      const { env, server } = h;
      const said: string[] = [];
      for (let step = 0; step < 80; step += 1) {
        const dice = next();
        const open = h.connections.at(-1);
        if (dice < 0.4) {
          const text = `m${said.length}`;
          said.push(text);
          await h.send("bob", text);
        } else if (dice < 0.6) open?.deliver();
        else if (dice < 0.7) open?.deliver(false);
        else if (dice < 0.8 && open?.isOpen() === true) open.drop();
        else if (dice < 0.9 && open !== undefined && !open.closed && !open.isOpen()) {
          if (open.login !== null) open.back();
        } else if (dice < 0.93) {
          open?.giveUp();
          env.clock.advance(8_000);
        } else if (dice < 0.96) {
          // The core dies: it stores nothing more.
          for (const connection of h.connections) connection.close();
          void h.chat.stop();
          h = createHarness({ env, server });
        }
        if (next() < 0.7) await settle(60);
        else await settle(2);
      }
      await settle(60);
      const last = h.connections.at(-1);
      if (last === undefined || last.closed) env.clock.advance(9_000);
      else if (!last.isOpen()) last.back();
      await settle(100);
      for (let guard = 0; guard < 300; guard += 1) {
        h.conn().deliver();
        await settle(60);
      }
      expect(texts(h)).toEqual(said);
      // Messages that a dead core had not copied come from the server, without duplicates.
      const context = { tabId: "t", id: "o" };
      await h.chat.handlers.open({ chatId: "bob", name: "Bob" }, context);
      while (h.store.get("chat").conversations["bob"]?.historyEnd !== true) {
        await h.chat.handlers.older({ chatId: "bob" }, context);
      }
      expect(h.conversation("bob").map((m) => m.text)).toEqual(said);
      expect(new Set(h.conversation("bob").map((m) => m.status))).toEqual(
        new Set(said.length > 0 ? ["sent"] : []),
      );
    },
  );
});
