/**
 * The browser suites in Firefox ESR (`npm run test:torture -- firefox`). They need version 1.64.1 of the runner: from 1.65 on, it
 * begins every context with a command that this Firefox refuses. The suites' `@playwright/test` is mapped to that version in this
 * folder's tsconfig.
 */
import { defineConfig } from "playwright-test-firefox";
import { EXCEPTIONS } from "./exceptions.ts";
import { firefoxOptions } from "./launch.ts";

export default defineConfig({
  testDir: "..",
  testMatch: [
    "e2e/*.spec.ts",
    "multi-tab/*.spec.ts",
    "torture/{four-browsers,import-smooth,janus,network,turn}.torture.spec.ts",
  ],
  grepInvert: EXCEPTIONS.map(({ test }) => test),
  tsconfig: "./tsconfig.json",
  outputDir: "../../.artifacts/firefox",
  workers: 1,
  fullyParallel: false,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [["list"], ["json"]],
  use: {
    browserName: "firefox",
    channel: "moz-firefox",
    headless: true,
    launchOptions: firefoxOptions(),
  },
});
