/** The queue of downloads (docs/session.md#downloads). */
import { describe, expect, it } from "vitest";
import { AppError } from "../../../shared/errors.ts";
import { settle } from "../core.fake.ts";
import { ZHANG } from "../transfers/queue.harness.ts";
import { createQueue } from "./downloads.harness.ts";

const AWAY = new AppError("server.unavailable");

describe("The queue of downloads", () => {
  it("fetches two at once, the oldest first", async () => {
    const queue = await createQueue();
    for (const key of ["a", "b", "c"]) {
      await queue.add(key);
      queue.env.clock.advance(1);
    }
    expect(queue.states()).toEqual({ a: "running", b: "running", c: "waiting" });
    await queue.of("b").answer("b", {});
    expect(queue.states()).toEqual({ a: "running", b: "done", c: "running" });
  });

  it("lets one that waits for the server take no place", async () => {
    const queue = await createQueue();
    for (const key of ["a", "b", "c"]) await queue.add(key);
    await queue.of("a").fail(AWAY);
    expect(queue.states()).toEqual({ a: "paused", b: "running", c: "running" });
  });

  it("begins nothing by a key that it knows, and refuses the fifty-first", async () => {
    const queue = await createQueue();
    await queue.add("a");
    await queue.add("a");
    expect(queue.fetchings).toHaveLength(1);
    for (let n = 1; n < 50; n += 1) await queue.add(`k${n}`);
    await expect(queue.add("more")).rejects.toThrow(AppError);
    expect(Object.keys(queue.states())).toHaveLength(50);
  });
});

describe("A download", () => {
  it("comes in pieces, in order, and is taken once", async () => {
    const queue = await createQueue();
    await queue.add("a");
    expect([queue.of("a").from, queue.of("a").supplierId]).toEqual([0, "s1"]);
    await queue.of("a").answer("消防", { size: 12 });
    expect(queue.entry("a")).toMatchObject({ state: "running", received: 6, size: 12 });
    expect(queue.of("a").from).toBe(6);
    expect(await queue.collect("a"), "while it runs").toBeNull();
    await queue.of("a").answer("检查", { size: 12 });
    expect(queue.entry("a")).toMatchObject({ state: "done", received: 12, size: 12 });
    expect(await queue.collect("a")).toBe("消防检查");
    expect([await queue.collect("a"), queue.states()]).toEqual([null, {}]);
    expect(queue.fetchings).toHaveLength(2);
  });

  it("is the whole file where the server knows no ranges", async () => {
    const queue = await createQueue();
    await queue.add("a");
    await queue.of("a").answer("one", { size: 6 });
    await queue.of("a").answer("onetwo", { whole: true });
    expect(await queue.collect("a")).toBe("onetwo");
  });

  it("goes on behind what has come after an outage, with growing pauses, however long it takes", async () => {
    const queue = await createQueue();
    await queue.add("a");
    await queue.of("a").answer("one", { size: 6 });
    for (let n = 0; n < 12; n += 1) {
      const before = queue.fetchings.length;
      await queue.of("a").fail(AWAY);
      expect(queue.entry("a")).toMatchObject({ state: "paused", received: 3, listed: true });
      queue.env.clock.advance(20_000);
      await settle();
      expect(queue.fetchings).toHaveLength(before + 1);
    }
    expect(queue.of("a").from).toBe(3);
    await queue.of("a").answer("two", { size: 6 });
    expect(await queue.collect("a")).toBe("onetwo");
  });

  it("goes on at once when the network is back", async () => {
    const queue = await createQueue();
    await queue.add("a");
    await queue.of("a").fail(AWAY);
    queue.env.online.set(false);
    queue.env.online.set(true);
    await settle();
    expect([queue.states(), queue.fetchings.length]).toEqual([{ a: "running" }, 2]);
  });

  it("says how far it is at most ten times a second, and how fast", async () => {
    const queue = await createQueue();
    await queue.add("a");
    const { onReceived } = queue.of("a");
    onReceived(10, 1000);
    onReceived(20, 1000);
    expect(queue.entry("a")).toMatchObject({ received: 10, size: 1000, rate: 0 });
    queue.env.clock.advance(100);
    expect(queue.entry("a")?.received).toBe(20);
    queue.env.clock.advance(900);
    onReceived(510, 1000);
    expect(queue.entry("a")).toMatchObject({ received: 510, rate: 500 });
  });

  it("is listed when it takes longer than a moment", async () => {
    const queue = await createQueue();
    await queue.add("a");
    expect(queue.entry("a")?.listed).toBe(false);
    queue.env.clock.advance(699);
    expect(queue.entry("a")?.listed).toBe(false);
    queue.env.clock.advance(1);
    expect(queue.entry("a")?.listed).toBe(true);
    await queue.add("b");
    await queue.of("b").answer("b", {});
    expect(await queue.collect("b")).toBe("b");
    queue.env.clock.advance(1_000);
    expect(queue.states(), "nothing comes back").toEqual({ a: "running" });
  });

  it("fails at once when the file is missing, and with the fifth fault of the server; the person begins it again", async () => {
    const queue = await createQueue();
    await queue.add("gone");
    await queue.of("gone").fail(new AppError("request.not-found"));
    expect(queue.entry("gone")).toMatchObject({
      state: "failed",
      listed: true,
      error: { code: "request.not-found" },
    });
    await queue.add("faulty");
    for (let n = 1; n <= 5; n += 1) {
      expect(queue.entry("faulty")?.state).toBe("running");
      await queue.of("faulty").fail(new AppError("server.internal"));
      queue.env.clock.advance(20_000);
      await settle();
    }
    expect(queue.entry("faulty")?.state).toBe("failed");
    expect(await queue.downloads.handlers.retry({ key: "faulty" }, queue.context)).toBe(true);
    await settle();
    expect(queue.entry("faulty")).toMatchObject({ state: "running", error: null });
    await queue.downloads.handlers.clear({}, queue.context);
    expect(queue.states()).toEqual({ faulty: "running" });
    expect(await queue.downloads.handlers.retry({ key: "none" }, queue.context)).toBe(false);
  });

  it("counts a piece without bytes as a fault, instead of asking for ever", async () => {
    const queue = await createQueue();
    await queue.add("a");
    await queue.of("a").answer("", { size: 5 });
    expect(queue.entry("a")?.state).toBe("paused");
    await queue.add("empty");
    await queue.of("empty").answer("", { size: 0 });
    expect(await queue.collect("empty")).toBe("");
  });

  it("is ended by the person: its request is aborted, the next one begins, and nothing late comes back", async () => {
    const queue = await createQueue();
    for (const key of ["a", "b", "c"]) await queue.add(key);
    const first = queue.of("a");
    expect(await queue.downloads.handlers.cancel({ key: "a" }, queue.context)).toBe(true);
    await settle();
    expect([first.signal.aborted, queue.states()]).toEqual([true, { b: "running", c: "running" }]);
    first.onReceived(5, 10);
    queue.env.clock.advance(1_000);
    expect(Object.keys(queue.states())).toEqual(["b", "c"]);
    expect(await queue.downloads.handlers.cancel({ key: "a" }, queue.context)).toBe(false);
  });
});

describe("The person of the downloads", () => {
  it("finds them after an ended login; a logout and another person end them", async () => {
    const queue = await createQueue();
    await queue.add("a");
    await queue.become(null, "expired");
    await queue.become(ZHANG);
    expect(queue.states()).toEqual({ a: "running" });
    await queue.become({ ...ZHANG, accountId: "a2" });
    expect([queue.states(), queue.of("a").signal.aborted]).toEqual([{}, true]);
    await queue.add("b");
    await queue.become(null, "logout");
    expect(queue.states()).toEqual({});
  });

  it("leaves nothing behind at the end", async () => {
    const queue = await createQueue();
    await queue.add("a");
    await queue.add("b");
    await queue.of("b").fail(AWAY);
    queue.downloads.stop();
    await settle();
    // The store sends what was shown last.
    queue.env.clock.advance(100);
    expect([queue.states(), queue.listeners(), queue.env.clock.pending]).toEqual([{}, 0, 0]);
  });
});
