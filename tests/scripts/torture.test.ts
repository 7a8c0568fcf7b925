/** Long and random tests belong to `npm run test:torture`; `npm test` runs none of them. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const vitest = join(root, "node_modules/vitest/vitest.mjs");
const playwright = join(root, "node_modules/@playwright/test/cli.js");

const run = (args: readonly string[]): { text: string; status: number | null } => {
  const env = { ...process.env, TORTURE_SEED: "7", VITEST: "" };
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    cwd: root,
    env,
    encoding: "utf8",
  });
  return { text: stdout + stderr, status };
};

const TORTURE = /tests\/torture\/|torture\.(?:test|spec)/;

it("npm test leaves the torture tests out, in Node and in the browser", () => {
  const unit = run([vitest, "list", "--filesOnly", "tests"]);
  expect(unit.text).toContain("tests/scripts/torture.test.ts");
  expect(unit.text.split("\n").filter((line) => /\.torture\./.test(line))).toEqual([]);
  const browser = run([playwright, "test", "--list", "-c", "tests/playwright.config.ts"]);
  expect(browser.text).toContain("e2e/session.spec.ts");
  expect(browser.text.split("\n").filter((line) => TORTURE.test(line))).toEqual([]);
});

it("The torture run contains only torture tests", () => {
  const unit = run([vitest, "list", "--filesOnly", "--mode", "torture"]);
  expect(unit.text).toContain("seed.torture.test.ts");
  expect(unit.text.split("\n").filter((l) => /\.test\.tsx?/.test(l) && !TORTURE.test(l))).toEqual(
    [],
  );
  const config = "tests/torture/playwright.config.ts";
  const browser = run([playwright, "test", "--list", "-c", config]);
  expect(browser.text).toContain("conference-deaths.torture.spec.ts");
  expect(browser.text).not.toContain("session.spec.ts");
});

it("The seed is printed, and the same seed repeats a run", () => {
  const args = [vitest, "run", "--mode", "torture", "seed.torture.test.ts"];
  const [first, second] = [run(args), run(args)];
  expect(first.text).toContain("seed: TORTURE_SEED=7");
  const drawn = (text: string): string | undefined => /drawn (\S+)/.exec(text)?.[1];
  expect(drawn(first.text)).toBeDefined();
  expect(drawn(second.text)).toBe(drawn(first.text));
});
