import pino from "pino";
import { expect, it } from "vitest";
import { createRedisBus } from "./redis-bus.ts";

const log = pino({ level: "silent" });

it("The error is clear when Redis does not answer", async () => {
  await expect(createRedisBus({ url: "redis://127.0.0.1:1", scope: "x", log })).rejects.toThrow(
    "the bus between server processes (REDIS_URL) cannot be reached",
  );
});
