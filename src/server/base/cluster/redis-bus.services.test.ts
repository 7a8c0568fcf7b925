import { randomUUID } from "node:crypto";
import pino from "pino";
import { afterEach, describe, expect, it } from "vitest";
import type { Bus } from "../module.ts";
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
});
