import { defineConfig } from "@playwright/test";
import { launchOptions } from "./support/chromium.ts";
import { PATIENCE, TEST_MS } from "./support/time-limits.ts";

/** They measure times, or need all processors (twenty tabs, pictures of four people), so no other test may take their processors. */
const ALONE = [
  "chromium/effects.spec.ts",
  "e2e/slow-network.spec.ts",
  "emedia/*.spec.ts",
  "multi-tab/{call,codecs,conference,group-call,live-lists,presence,restart,takeover}.spec.ts",
];
const TORTURE = "**/torture/**";

export default defineConfig({
  testDir: ".",
  // Each worker has a browser, a server and a database of its own.
  projects: [
    { name: "shared", testMatch: "**/*.spec.ts", testIgnore: [TORTURE, ...ALONE] },
    { name: "alone", testMatch: ALONE, testIgnore: TORTURE },
  ],
  outputDir: "../.artifacts/browser",
  workers: 1,
  fullyParallel: false,
  retries: 0,
  timeout: TEST_MS,
  expect: { timeout: PATIENCE },
  reporter: [["list"], ["json"]],
  use: { browserName: "chromium", headless: true, launchOptions: launchOptions() },
});
