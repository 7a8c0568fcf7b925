import { defineConfig } from "@playwright/test";
import { launchOptions } from "./support/chromium.ts";

export default defineConfig({
  testDir: ".",
  testMatch: "**/*.spec.ts",
  testIgnore: "**/torture/**",
  outputDir: "../.artifacts/browser",
  // one browser at a time: the suites measure, and two cores carry twenty tabs
  workers: 1,
  fullyParallel: false,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [["list"], ["json"]],
  use: { browserName: "chromium", headless: true, launchOptions: launchOptions() },
});
