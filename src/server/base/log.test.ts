import { DrizzleQueryError } from "drizzle-orm/errors";
import { expect, it } from "vitest";
import { createLogger } from "./log.ts";

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
