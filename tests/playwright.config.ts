import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { type ListedTest, quarantinedTests, smokeTests } from "../scripts/lib/lists.mjs";
import { launchOptions } from "./support/chromium.ts";
import { PATIENCE, TEST_MS } from "./support/time-limits.ts";

/** They measure times, or need all processors (twenty tabs, pictures of three people), so no other test may take their processors. */
const ALONE = [
  "chromium/effects.spec.ts",
  "e2e/slow-network.spec.ts",
  "emedia/annotations.spec.ts",
  "emedia/entering.spec.ts",
  "emedia/mixed.spec.ts",
  "emedia/package.spec.ts",
  "emedia/join-room.spec.ts",
  "multi-tab/annotations.spec.ts",
  "multi-tab/call.spec.ts",
  "multi-tab/codecs.spec.ts",
  "multi-tab/conference-devices.spec.ts",
  "multi-tab/conference.spec.ts",
  "multi-tab/group-call.spec.ts",
  "multi-tab/inside-conference.spec.ts",
  "multi-tab/live-lists.spec.ts",
  "multi-tab/presence.spec.ts",
  "multi-tab/remote-camera-refused.spec.ts",
  "multi-tab/remote-camera.spec.ts",
  "multi-tab/restart.spec.ts",
  "multi-tab/screen-control.spec.ts",
  "multi-tab/silence.spec.ts",
  "multi-tab/takeover.spec.ts",
];

const bytes = (file: string): number => statSync(join(import.meta.dirname, file)).size;

/** Playwright begins projects in this order. Large files come first, as a long one at the end would leave the other worker idle. */
const all = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => file.endsWith(".spec.ts") && !file.startsWith("torture/"))
  .toSorted((a, b) => bytes(b) - bytes(a) || (a < b ? -1 : 1));

/** SMOKE=1 (`npm test`) chooses the tests of tests/smoke.list. */
const smoke = process.env["SMOKE"] === "1" ? smokeTests() : [];
const files = smoke.length > 0 ? all.filter((file) => smoke.some((one) => one.file === file)) : all;
const escaped = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&");
/** Playwright compares with `project file title`. */
const patternOf = ({ file, title }: ListedTest): RegExp =>
  new RegExp(`${escaped(file)} ${escaped(title)}`);
const grep = smoke.map(patternOf);
const grepInvert = smoke.length > 0 ? quarantinedTests().map(patternOf) : [];

/**
 * A project per file: a worker belongs to one project, so each file gets a browser, a server and a database of its own, whatever runs
 * before it.
 */
const laneOf = (file: string): "alone" | "shared" | "timed" =>
  file.includes(".timed.") ? "timed" : ALONE.includes(file) ? "alone" : "shared";
/** The files of the lane "timed" measure alone: only `npm run test:timed` runs them. */
const projects = files.map((file) => ({
  name: `${laneOf(file)} ${file}`,
  testMatch: `**/${file}`,
}));

export default defineConfig({
  testDir: ".",
  projects,
  ...(grep.length > 0 ? { grep } : {}),
  ...(grepInvert.length > 0 ? { grepInvert } : {}),
  outputDir: "../.artifacts/browser",
  workers: 1,
  fullyParallel: false,
  retries: 0,
  timeout: TEST_MS,
  expect: { timeout: PATIENCE },
  reporter: [["list"], ["json"]],
  use: {
    browserName: "chromium",
    headless: true,
    launchOptions: launchOptions(),
    // A click that nothing answers names itself before the time of the whole test is over.
    actionTimeout: PATIENCE,
  },
});
