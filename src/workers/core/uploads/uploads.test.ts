/** The queue of uploads (docs/session.md#uploads). */
import { describe, expect, it } from "vitest";
import { AppError } from "../../../shared/errors.ts";
import { settle } from "../core.fake.ts";
import { createTransferSlots, type TransferSlots } from "../transfers/slots.ts";
import { ZHANG } from "../transfers/queue.harness.ts";
import { createQueue } from "./uploads.harness.ts";

const AWAY = new AppError("server.unavailable");
const DAY = 24 * 60 * 60_000;

async function started(env?: Parameters<typeof createQueue>[0], slots?: TransferSlots) {
  const queue = createQueue(env, slots);
  await queue.begin();
  return queue;
}

describe("The order of uploads", () => {
  it("is that of their begin, two at once", async () => {
    const queue = await started();
    for (const key of ["a", "b", "c", "d"]) {
      await queue.add(key);
      queue.env.clock.advance(1);
    }
    expect(queue.states()).toEqual({ a: "running", b: "running", c: "waiting", d: "waiting" });
    await queue.of("b").store();
    expect(queue.states()).toEqual({ a: "running", b: "done", c: "running", d: "waiting" });
    await queue.of("a").store("name.pdf");
    await queue.of("c").store();
    await queue.of("d").store();
    expect(queue.sendings.map(({ name }) => name)).toEqual(["a", "b", "c", "d"]);
    expect(queue.slice().byKey["a"]).toMatchObject({ fileName: "name.pdf", sent: 4, size: 4 });
  });

  it("sends two at once with those of chat among them", async () => {
    const slots = createTransferSlots();
    const [one, two] = [{}, {}];
    expect([slots.occupy(one), slots.occupy(two), slots.occupy({})]).toEqual([true, true, false]);
    const queue = await started(undefined, slots);
    await queue.add("a");
    await queue.add("b");
    expect(queue.states()).toEqual({ a: "waiting", b: "waiting" });
    slots.release(one);
    expect(queue.states()).toEqual({ a: "running", b: "waiting" });
    await settle();
    await queue.of("a").store();
    expect(queue.states()).toEqual({ a: "done", b: "running" });
    expect(slots.occupy(one), "the other one is still with chat").toBe(false);
    slots.release(two);
    expect(slots.occupy(one)).toBe(true);
  });

  it("does not wait for one that is paused", async () => {
    const queue = await started();
    for (const key of ["a", "b", "c"]) await queue.add(key);
    await queue.of("a").fail(AWAY);
    expect(queue.states()).toEqual({ a: "paused", b: "running", c: "running" });
  });
});

describe("An upload", () => {
  it("is sent with its name, its company and its bytes, and is kept once", async () => {
    const queue = await started();
    await queue.add("现场.pdf");
    await queue.add("现场.pdf");
    expect(queue.sendings).toHaveLength(1);
    const sending = queue.of("现场.pdf");
    expect([sending.name, sending.supplierId]).toEqual(["现场.pdf", "s1"]);
    expect(await sending.file.text()).toBe("abcd");
    await sending.store();
    await queue.add("现场.pdf");
    expect(queue.sendings).toHaveLength(1);
  });

  it("says how far it is at most ten times a second, and how fast", async () => {
    const queue = await started();
    await queue.add("a", { content: "x".repeat(1000) });
    const { onSent } = queue.of("a");
    onSent(10);
    onSent(20);
    expect(queue.slice().byKey["a"]).toMatchObject({ sent: 10, rate: 0 });
    queue.env.clock.advance(99);
    expect(queue.slice().byKey["a"]?.sent).toBe(10);
    // The last report shows even when nothing follows it.
    queue.env.clock.advance(1);
    expect(queue.slice().byKey["a"]?.sent).toBe(20);
    queue.env.clock.advance(900);
    onSent(510);
    expect(queue.slice().byKey["a"]).toMatchObject({ sent: 510, rate: 500 });
  });

  it("shows, once it has broken off, what the server has, and nothing later of what was on its way", async () => {
    const queue = await started();
    await queue.add("a", { content: "x".repeat(1000) });
    const sent = () => queue.slice().byKey["a"]?.sent;
    const first = queue.of("a");
    first.onSent(400);
    first.onAccepted(400);
    queue.env.clock.advance(100);
    first.onSent(600);
    // This one waits for its turn.
    first.onSent(700);
    expect(sent()).toBe(600);
    await first.fail(AWAY);
    expect([queue.states(), sent()]).toEqual([{ a: "paused" }, 400]);
    queue.env.clock.advance(100);
    expect(sent()).toBe(400);
    // Another attempt that gets nowhere changes nothing; neither does a late word of the one before.
    queue.env.clock.advance(10_000);
    await settle();
    const second = queue.of("a");
    expect(second).not.toBe(first);
    first.onAccepted(900);
    await second.fail(AWAY);
    expect(sent()).toBe(400);
    // The server has lost it.
    queue.env.clock.advance(10_000);
    await settle();
    const third = queue.of("a");
    third.onAccepted(0);
    third.onSent(200);
    await third.fail(AWAY);
    expect(sent()).toBe(0);
  });

  it("waits out an outage however long, and goes on when the server is back", async () => {
    const queue = await started();
    await queue.add("a");
    for (let n = 1; n <= 20; n += 1) {
      await queue.of("a").fail(AWAY);
      expect(queue.states()).toEqual({ a: "paused" });
      queue.env.clock.advance(10_000);
      await settle();
      expect(queue.sendings).toHaveLength(n + 1);
    }
    await queue.of("a").fail(AWAY);
    queue.env.online.set(false);
    queue.env.online.set(true);
    await settle();
    expect(queue.sendings).toHaveLength(22);
    await queue.of("a").store();
    expect(queue.states()).toEqual({ a: "done" });
    expect(queue.env.clock.pending).toBeLessThanOrEqual(1);
  });

  it("ends after five faults of the server, and begins again when the person wants it", async () => {
    const queue = await started();
    await queue.add("a");
    for (let n = 0; n < 5; n += 1) {
      await queue.of("a").fail(new AppError("server.internal"));
      queue.env.clock.advance(10_000);
      await settle();
    }
    expect(queue.slice().byKey["a"]).toMatchObject({
      state: "failed",
      error: { code: "server.internal" },
    });
    expect(queue.sendings).toHaveLength(5);
    expect(await queue.uploads.handlers.retry({ key: "a" }, queue.context)).toBe(true);
    await settle();
    expect(queue.slice().byKey["a"]).toMatchObject({ state: "running", error: null });
    await queue.of("a").store();
    expect(queue.states()).toEqual({ a: "done" });
  });

  it("fails at once with the words of a refusal, and tells how long too many uploads last", async () => {
    const queue = await started();
    for (const key of ["a", "b"]) await queue.add(key);
    const words = "文件格式不正确，请上传 pdf 格式文件！";
    await queue.of("a").fail(new AppError("file.wrong-type", { message: words }));
    await queue
      .of("b")
      .fail(new AppError("request.rate-limited", { details: { retryAfter: 900 } }));
    expect(queue.slice().byKey["a"]?.error).toMatchObject({
      code: "file.wrong-type",
      message: words,
    });
    expect(queue.states()).toEqual({ a: "failed", b: "failed" });
  });

  it("is refused when it is empty, when the queue is full, and without a company", async () => {
    const queue = await started();
    await expect(queue.add("a", { content: "" })).rejects.toMatchObject({ code: "file.empty" });
    for (let n = 0; n < 200; n += 1) await queue.add(`k${n}`);
    await expect(queue.add("b")).rejects.toMatchObject({ code: "file.too-many" });
    await queue.become(null, "logout");
    await expect(queue.add("c")).rejects.toMatchObject({ code: "auth.required" });
  });
});

describe("Who ends an upload", () => {
  it("is the person, and the server drops what it has in part", async () => {
    const queue = await started();
    for (const key of ["a", "b"]) await queue.add(key);
    await queue.of("a").resume.write("http://h/parts/1");
    await queue.of("b").resume.write("http://h/parts/2");
    await queue.of("b").fail(AWAY);
    const { signal } = queue.of("a");
    for (const key of ["a", "b"]) {
      expect(await queue.uploads.handlers.cancel({ key }, queue.context)).toBe(true);
    }
    await settle();
    expect(signal.reason).toBe("taken back");
    expect(queue.dropped).toEqual(["s1 http://h/parts/1", "s1 http://h/parts/2"]);
    expect(queue.states()).toEqual({});
    expect([...queue.env.kv.data.keys()]).toEqual([]);
    expect(await queue.uploads.handlers.cancel({ key: "a" }, queue.context)).toBe(false);
  });

  it("is the end of its tab only when it does not survive it", async () => {
    const queue = await started();
    await queue.add("form", { tabId: "t1" });
    await queue.add("picture", { tabId: "t1", survives: false });
    await queue.add("other", { tabId: "t2", survives: false });
    await queue.leave("t1");
    expect(queue.states()).toEqual({ form: "running", other: "running" });
  });

  it("is who clears the list, of those that are over", async () => {
    const queue = await started();
    for (const key of ["a", "b", "c"]) await queue.add(key);
    await queue.of("a").store();
    await queue.of("b").fail(new AppError("file.quota"));
    await queue.uploads.handlers.clear({}, queue.context);
    expect(queue.states()).toEqual({ c: "running" });
  });

  it("is a logout, which leaves nothing on the machine; the end of a login keeps it for the next", async () => {
    const queue = await started();
    await queue.add("a");
    await queue.become(null, "expired");
    expect(queue.slice()).toEqual({ ready: false, byKey: {}, chat: {} });
    await queue.become(ZHANG);
    expect([queue.states(), queue.slice().ready]).toEqual([{ a: "running" }, true]);
    expect(await queue.of("a").file.text()).toBe("abcd");
    await queue.become(null, "logout");
    await queue.become(ZHANG);
    expect(queue.states()).toEqual({});
    expect([...queue.env.kv.data.keys()]).toEqual([]);
  });

  it("is no other person, and no switch of the company", async () => {
    const queue = await started();
    await queue.add("a");
    await queue.become({ ...ZHANG, supplierId: "s2" });
    expect(queue.states()).toEqual({ a: "running" });
    await queue.become({ ...ZHANG, accountId: "a2" });
    expect(queue.states()).toEqual({});
    await queue.become(ZHANG);
    expect(queue.states()).toEqual({ a: "running" });
    expect(queue.of("a").supplierId).toBe("s1");
  });
});

describe("The next core", () => {
  it("goes on with what a dead one had, in its order, and knows what is over", async () => {
    const first = await started();
    for (const key of ["a", "b", "c", "d"]) {
      await first.add(key);
      first.env.clock.advance(1);
    }
    await first.of("a").store("stored.pdf");
    await first.of("b").fail(new AppError("file.quota"));
    await first.of("c").resume.write("http://h/parts/3");
    first.uploads.stop();
    expect(first.of("c").signal.reason).not.toBe("taken back");
    expect(first.listeners()).toBe(0);
    const next = await started(first.env);
    expect(next.states()).toEqual({ a: "done", b: "failed", c: "running", d: "running" });
    expect(next.slice().byKey["a"]?.fileName).toBe("stored.pdf");
    expect(await next.of("c").resume.read()).toBe("http://h/parts/3");
    expect(await next.of("c").file.text()).toBe("abcd");
    await next.of("c").store();
    expect(await next.of("c").resume.read()).toBeNull();
  });

  it("drops what was begun by a tab that is gone and does not survive it, and what is a week old", async () => {
    const first = await started();
    await first.add("old");
    first.env.clock.advance(7 * DAY + 1);
    await first.add("gone", { tabId: "t1", survives: false });
    await first.add("there", { tabId: "t2", survives: false });
    await first.live("t2");
    first.uploads.stop();
    const next = await started(first.env);
    expect(next.states()).toEqual({ there: "running" });
    expect([...next.env.kv.data.keys()].filter((key) => key.includes("file"))).toEqual([
      "uploads.file.a1.there",
    ]);
  });

  it("keeps a list that cannot be read at first, and goes on with it later", async () => {
    const first = await started();
    await first.add("old");
    first.uploads.stop();
    const { get } = first.env.kv;
    first.env.kv.get = () => Promise.reject(new Error("broken"));
    const next = await started(first.env);
    await next.add("new");
    expect(first.env.kv.data.get("uploads.a1")).toMatchObject([{ key: "old" }]);
    first.env.kv.get = get;
    first.env.clock.advance(5_000);
    await settle(60);
    expect(Object.keys(next.states()).toSorted()).toEqual(["new", "old"]);
    const stored = first.env.kv.data.get("uploads.a1") as { key: string }[];
    expect(stored.map(({ key }) => key).toSorted()).toEqual(["new", "old"]);
    next.uploads.stop();
  });

  it("says that a file is gone whose contents the browser has lost", async () => {
    const first = await started();
    await first.add("a");
    first.uploads.stop();
    first.env.kv.data.delete("uploads.file.a1.a");
    const next = await started(first.env);
    expect(next.slice().byKey["a"]).toMatchObject({
      state: "failed",
      error: { code: "file.gone" },
    });
  });
});
