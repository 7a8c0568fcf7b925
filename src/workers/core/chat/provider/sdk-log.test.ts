/** Loads the SDK, which reads its globals when it is evaluated: so this file runs alone. */
import { expect, test, vi } from "vitest";
import { logErrorsAlone, unwrapSdk } from "./sdk.ts";

test("The log of the core has the SDK's errors without what people write, and nothing below them", async () => {
  for (const name of ["window", "self"]) vi.stubGlobal(name, globalThis);
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
  const lines: string[] = [];
  for (const level of ["debug", "log", "info", "warn", "error", "trace"] as const) {
    vi.spyOn(console, level).mockImplementation(() => void lines.push(level));
  }
  const sdk = unwrapSdk(await import("easemob-websdk"));
  const written: string[] = [];
  logErrorsAlone(sdk, (text) => void written.push(text));
  const logger = sdk.logger as unknown as Record<string, (...parts: unknown[]) => void>;
  for (const level of ["trace", "debug", "info", "warn", "error"]) {
    logger[level]?.(`a line of ${level}`, { msg: "你好" });
  }
  expect([written, lines]).toEqual([["a line of error"], []]);
  expect(kept.size).toBe(0);
});
