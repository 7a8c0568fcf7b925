import { randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import pino from "pino";
import { afterEach, describe, expect, it } from "vitest";
import type { Bus } from "../module.ts";
import { AGAIN } from "./bus.ts";
import { createRedisBus } from "./redis-bus.ts";

const { TEST_REDIS_URL: url = "" } = process.env;
const log = pino({ level: "silent" });

describe("The bus over Redis (TEST_REDIS_URL)", () => {
  const open: Bus[] = [];
  const bus = async (scope: string): Promise<Bus> => {
    const made = await createRedisBus({ url, scope, log });
    open.push(made);
    return made;
  };
  afterEach(async () => {
    for (const each of open.splice(0)) await each.close();
  });

  it("delivers a message to each process once, including the publisher's own, and to no other platform", async () => {
    const scope = randomUUID();
    const [a, b, other] = [await bus(scope), await bus(scope), await bus(randomUUID())];
    const heard: string[] = [];
    a.subscribe("t", (message) => heard.push(`a ${JSON.stringify(message)}`));
    b.subscribe("t", (message) => heard.push(`b ${JSON.stringify(message)}`));
    b.subscribe("u", () => heard.push("wrong topic"));
    other.subscribe("t", () => heard.push("wrong platform"));
    expect([a.reach?.(), b.reach?.()]).toEqual(["up", "up"]);
    await a.publish("t", { n: 1 });
    await expect.poll(() => heard.length).toBe(2);
    const stop = b.subscribe("end", () => heard.push("end"));
    await a.publish("end", null);
    await expect.poll(() => heard.at(-1)).toBe("end");
    stop();
    expect(heard.sort()).toEqual(['a {"n":1}', 'b {"n":1}', "end"]);
    await a.close();
    await expect.poll(() => a.reach?.()).toBe("away");
  });

  it("says after an interruption that messages may have been lost, also to processes that noticed none, and not at the first connect", async () => {
    const scope = randomUUID();
    const admin = new Redis(url);
    const connections = async (): Promise<string[]> =>
      String(await admin.client("LIST"))
        .split("\n")
        .flatMap((line) => /\bid=(\d+) /.exec(line)?.[1] ?? []);
    const heard: string[] = [];
    const passed: string[] = [];
    const observer = new Redis(url);
    observer.on("pmessage", (_pattern: string, channel: string) => passed.push(channel));
    await observer.psubscribe(`console:${scope}:*`);
    const a = await bus(scope);
    a.subscribe(AGAIN, () => heard.push("a"));
    const before = new Set(await connections());
    const b = await bus(scope);
    b.subscribe(AGAIN, () => heard.push("b"));
    b.subscribe("t", () => heard.push("message"));
    await a.publish("t", null);
    await expect.poll(() => heard).toEqual(["message"]);
    await expect.poll(() => passed).toEqual([`console:${scope}:t`]);
    // Only b is cut off: its speaker and its listener, or one of them.
    const own = (await connections()).filter((id) => !before.has(id));
    expect(own).toHaveLength(2);
    for (const cut of [own, own.slice(0, 1), own.slice(1)]) {
      heard.length = 0;
      const now = (await connections()).filter((id) => !before.has(id));
      for (const id of cut === own ? now : [now[own.indexOf(cut[0] ?? "")] ?? ""]) {
        await admin.client("KILL", "ID", id);
      }
      await expect.poll(() => heard.toSorted()).toEqual(["a", "b"]);
      // It hears again, and the word came once.
      await a.publish("t", null);
      await expect.poll(() => heard.includes("message")).toBe(true);
      expect(heard.toSorted()).toEqual(["a", "b", "message"]);
    }
    admin.disconnect();
    observer.disconnect();
  });
});
