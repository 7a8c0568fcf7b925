import { expect, test } from "vitest";
import { AppError } from "../errors.ts";
import { passes, pauseAfter } from "./retries.ts";

test("A failure by an outage is retried, a refusal is not, and a missing login is retried only while one is being restored", () => {
  for (const code of [
    "core.gone",
    "core.deadline",
    "network.offline",
    "network.timeout",
    "server.unavailable",
    "chat.not-connected",
  ] as const) {
    expect(passes(new AppError(code), true), code).toBe(true);
  }
  expect(passes(new AppError("request.invalid"), false)).toBe(false);
  expect(passes(new AppError("auth.required"), false)).toBe(true);
  expect(passes(new AppError("auth.required"), true)).toBe(false);
  expect([0, 1, 2, 3, 99].map(pauseAfter)).toEqual([500, 1_000, 2_000, 5_000, 5_000]);
});
