/** `npm run test:torture` in Chromium: tests that are too long or too random for `npm test`. */
import { defineConfig } from "@playwright/test";
import base from "../playwright.config.ts";
import { launchOptions } from "../support/chromium.ts";

export default defineConfig(base, {
  testDir: ".",
  testMatch: "**/*.torture.spec.ts",
  testIgnore: [],
  outputDir: "../../.artifacts/torture",
  timeout: 1_800_000,
  // Four browsers share two cores here. Drawing by an emulated GPU would take a quarter of them from what is measured.
  use: { ...base.use, launchOptions: launchOptions(["--disable-gpu"]) },
});
