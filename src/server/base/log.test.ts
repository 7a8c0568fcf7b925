import { DrizzleQueryError } from "drizzle-orm/errors";
import { expect, it } from "vitest";
import { createAreaLogs, createLogger } from "./log.ts";

function written(error: unknown): string {
  const lines: string[] = [];
  const log = createLogger("info", { write: (line) => void lines.push(line) });
  log.child({ requestId: "r" }).error({ err: error }, "failed");
  return lines.join("");
}

it("The log describes a failed query without its parameters", () => {
  const cause = Object.assign(new Error("duplicate key"), { detail: "Key (x)=(secret-1)" });
  const failed = new DrizzleQueryError("insert into t values ($1)", ["secret-2"], cause);
  for (const error of [failed, new Error("outer", { cause: failed })]) {
    const text = written(error);
    expect(text).toContain("insert into t values ($1)");
    expect(text).toContain("duplicate key");
    expect(text).not.toMatch(/secret-/);
  }
});

it("The log keeps the stack of any other error", () => {
  expect(written(new TypeError("odd"))).toMatch(/TypeError: odd.*log\.test\.ts/);
});

it("An area logs at its own level, more or less than the whole log, and each line names it", () => {
  const lines: unknown[] = [];
  const whole = createLogger("info", { write: (line) => void lines.push(JSON.parse(line)) });
  const logOf = createAreaLogs(whole, { chat: "debug", http: "error" });
  for (const area of ["chat", "http", "media"] as const) {
    logOf(area).debug("debug");
    logOf(area).child({ requestId: "r" }).info("info");
    logOf(area).error({ err: new Error("odd") }, "error");
  }
  expect(lines).toMatchObject([
    { area: "chat", msg: "debug" },
    { area: "chat", msg: "info", requestId: "r" },
    { area: "chat", msg: "error", err: { stack: expect.stringContaining("log.test.ts") } },
    { area: "http", msg: "error", err: { stack: expect.stringContaining("log.test.ts") } },
    { area: "media", msg: "info", requestId: "r" },
    { area: "media", msg: "error", err: { stack: expect.stringContaining("log.test.ts") } },
  ]);
  expect(lines).toHaveLength(6);
});
