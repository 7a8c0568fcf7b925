/** `npm run test:torture` in Chromium: tests that are too long or too random for `npm test`. */
import { defineConfig } from "@playwright/test";
import base from "../playwright.config.ts";

const { projects: _, ...rest } = base;

export default defineConfig(rest, {
  testDir: ".",
  testMatch: "**/*.torture.spec.ts",
  testIgnore: [],
  outputDir: "../../.artifacts/torture",
  timeout: 1_800_000,
});
