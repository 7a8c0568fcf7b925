/**
 * What vitest runs, and how, on top of vite.config.ts. A file of its own, because vite reads all that its configuration imports, and
 * `npm start` installs no package that only tests need.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig, type ViteUserConfig } from "vitest/config";
import { linesOfList, quarantinedTests } from "./scripts/lib/lists.mjs";
import { PATIENCE } from "./src/shared/patience.harness.ts";
import vite from "./vite.config.ts";
import { ByPath } from "./tests/support/by-path.ts";

const root = fileURLToPath(new URL(".", import.meta.url));

const TESTS = ["src/**/*.test.ts", "src/**/*.test.tsx", "tests/**/*.test.ts"];
/** Modes of `npm run test:torture`; nothing else runs these. */
const LONG_TESTS: Readonly<Record<string, string[]>> = {
  torture: ["tests/torture/**/*.torture.test.ts"],
  webkit: ["tests/webkit/*.webkit.test.ts"],
};

/**
 * Each of these files runs in a process of its own: it measures the memory of its process, or changes modules or globals that other files
 * use. All other files share the processes and the modules in them, because loading the modules again for each file takes half of the time.
 */
const ALONE = [
  "src/server/base/database/database.test.ts",
  "src/server/modules/chat/groups/groups.test.ts",
  "src/server/modules/chat/wire/wire.test.ts",
  "src/server/modules/employees/one-line.test.ts",
  "src/server/modules/imports/imports.test.ts",
  "src/ui/features/import/corrections.test.ts",
  "src/ui/i18n/i18n.test.ts",
  "src/workers/core/chat/provider/sdk-log.test.ts",
  "src/workers/core/env.test.ts",
];

/** These wait for pictures of a real browser. */
const MEDIA = ["tests/media/*.test.ts"];

/** `npm run test:browsers` runs these, and `npm test` does not. Each runs in a process of its own. */
const HEAVY = [
  ...linesOfList("heavy"),
  ...quarantinedTests()
    .map(({ file }) => file)
    .filter((file) => file.includes(".test.")),
];

/** `npm run test:timed` runs these alone, each in a process of its own: they assert times, memory or processor time. */
const TIMED = ["src/**/*.timed.test.ts", "tests/**/*.timed.test.ts"];

/** These need PostgreSQL and Redis. `npm test` starts both; elsewhere TEST_DATABASE_URL and TEST_REDIS_URL name them. */
const ON_SERVICES = ["**/*.services.test.ts"];
const hasServices =
  (process.env["TEST_DATABASE_URL"] ?? "") !== "" && (process.env["TEST_REDIS_URL"] ?? "") !== "";

const NOT_HERE = [
  ...configDefaults.exclude,
  ...Object.values(LONG_TESTS).flat(),
  ...(hasServices ? [] : ON_SERVICES),
];
const PROJECTS = [
  {
    extends: true as const,
    test: {
      name: "shared",
      include: TESTS,
      exclude: [...NOT_HERE, ...ALONE, ...MEDIA, ...HEAVY, ...TIMED],
      isolate: false,
      setupFiles: [join(root, "tests/support/clean-globals.ts")],
    },
  },
  {
    extends: true as const,
    test: { name: "alone", include: ALONE, exclude: [...NOT_HERE, ...HEAVY] },
  },
  { extends: true as const, test: { name: "heavy", include: HEAVY, exclude: NOT_HERE } },
  { extends: true as const, test: { name: "timed", include: TIMED, exclude: NOT_HERE } },
  { extends: true as const, test: { name: "media", include: MEDIA, exclude: NOT_HERE } },
];

const testsOf = (mode: string) => {
  const long = LONG_TESTS[mode];
  return long === undefined ? { projects: PROJECTS } : { include: long };
};

const vitestOptions = (mode: string): NonNullable<ViteUserConfig["test"]> => ({
  ...testsOf(mode),
  environment: "node",
  restoreMocks: true,
  expect: { poll: { timeout: PATIENCE } },
  sequence: { sequencer: ByPath },
  testTimeout: mode === "torture" ? 1_800_000 : mode === "webkit" ? 120_000 : 60_000,
  hookTimeout: 120_000,
  // the processes of `npm test` compile each module once
  experimental: { fsModuleCache: true },
});

export default defineConfig((env) => ({ ...vite(env), test: vitestOptions(env.mode) }));
