import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { configDefaults, defineConfig, type ViteUserConfig } from "vitest/config";
import { PATIENCE } from "./src/shared/patience.harness.ts";
import { ByPath } from "./tests/support/by-path.ts";
import { linesOfList, quarantinedTests } from "./scripts/lib/lists.mjs";
import { buildFile } from "./scripts/lib/build-file.ts";
import { compressBuild } from "./scripts/lib/compress-build.ts";
import { keepBuilds } from "./scripts/lib/keep-builds.ts";
import { makeRegistries } from "./scripts/lib/registries.mjs";
import { arcoButtons } from "./scripts/lib/arco-buttons.ts";
import { leanArco } from "./scripts/lib/lean-arco.ts";
import { leanZod } from "./scripts/lib/lean-zod.ts";
import { isBundle, serverBundle } from "./scripts/lib/server-bundle.ts";
import { preloadConsole } from "./scripts/lib/preload-console.ts";

const root = fileURLToPath(new URL(".", import.meta.url));

// Where npm ci ran no scripts, or a pull brought new files since.
makeRegistries(root);

/** All that decides what a build contains. */
const SOURCES = [
  "src",
  "public",
  "scripts/lib",
  "index.html",
  "package-lock.json",
  "vite.config.ts",
];

/** The build's name: a hash over the sources, so that equal sources give one worker name, and others another. */
function sourceHash(): string {
  const hash = createHash("sha256");
  const walk = (path: string): void => {
    if (statSync(path).isDirectory()) {
      for (const name of readdirSync(path).sort()) walk(join(path, name));
    } else hash.update(path.slice(root.length)).update(readFileSync(path));
  };
  for (const name of SOURCES) walk(join(root, name));
  return hash.digest("hex").slice(0, 10);
}

/** The versions that the page for other browsers names (src/ui/app/CoreState.tsx). */
const TARGETS = ["chrome120", "edge120", "firefox121", "safari17.4"];

/**
 * No chunk of a worker may import its entry: WebKit evaluates an entry that is imported a second time, and then two cores run in one
 * SharedWorker. So whatever the core's modules and their chunks share lies beside the entry. The chat SDK stays a chunk of its own,
 * which is loaded when it is needed.
 */
const besideEntry = {
  groups: [{ name: "modules", test: /[\\/]src[\\/]workers[\\/]core[\\/](?!entry\.ts)/ }],
};

/** The conferencing library (`npm run build:lib`): the face, its worker, and the example page that is copied beside them. */
const library = (): ViteUserConfig => ({
  // the worklet of sounds lies beside the script, wherever a page serves both
  base: "./",
  define: { __BUILD__: JSON.stringify(sourceHash()) },
  publicDir: join(root, "src/conference-lib/example"),
  build: {
    target: TARGETS,
    outDir: "dist-lib",
    sourcemap: true,
    lib: {
      entry: {
        conference: join(root, "src/conference-lib/index.ts"),
        "conference-helper": join(root, "src/conference-lib/helper.ts"),
        "conference-core": join(root, "src/workers/core/library-entry.ts"),
      },
      formats: ["es"],
    },
    rolldownOptions: {
      // the provider's engine is the console's alone: nothing in the library loads it
      external: ["agora-rtc-sdk-ng"],
      output: { entryFileNames: "[name].js", chunkFileNames: "chunks/[name]-[hash].js" },
    },
  },
});

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

const application = (
  command: "build" | "serve",
  mode: string,
  build = command === "build" ? sourceHash() : "dev",
): ViteUserConfig => ({
  plugins: [
    leanZod(),
    leanArco(),
    arcoButtons(),
    react(),
    preloadConsole(),
    buildFile(build),
    keepBuilds(build),
    compressBuild(process.env["QUICK_BUILD"] === "1"),
  ],
  // every browser of TARGETS has it
  resolve: { alias: { "resize-observer-polyfill": join(root, "src/ui/resize-observer.ts") } },
  define: { __BUILD__: JSON.stringify(build) },
  // scripts and styles find each other relative to themselves, so that one build serves any BASE_PATH; the server completes index.html
  experimental: {
    renderBuiltUrl: (_file, { hostType }) => (hostType === "html" ? undefined : { relative: true }),
  },
  build: {
    target: TARGETS,
    sourcemap: true,
    manifest: true,
    // the call provider's and the chat provider's SDKs are one large file each, loaded only when needed
    chunkSizeWarningLimit: 1700,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What the first page needs, in one file: it is smaller than many, and stays in the browser's cache over deployments.
            {
              name: "libraries",
              test: /node_modules\/(?:react|react-dom|scheduler|react-router|react-router-dom|react-i18next|i18next|comlink|valtio|proxy-compare)\//,
            },
            // Small parts that most pages of the frame use: together they are smaller than each in a file of its own.
            {
              name: "parts",
              test: /src[\\/](?:shared[\\/]domain[\\/](?:fields-in-use|page-sizes)|ui[\\/]components[\\/](?:ReadNote|NothingFound|Avatar|useRowsInSight|useScrollCue|list[\\/](?:usePages|columnLayout))|ui[\\/]features[\\/](?:employees[\\/]useOwnFields|departments[\\/]useDepartments|fields[\\/]useFieldsInUse)|ui[\\/]state[\\/](?:useDicts|usePreference|useRead))\.tsx?$/,
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
  worker: {
    format: "es" as const,
    plugins: () => [leanZod()],
    rolldownOptions: {
      // the chat SDK compiles its protobuf code at run time; the policy lets it, in the core's script alone
      checks: { eval: false },
      output: {
        codeSplitting: besideEntry,
        // the service worker's path is its scope, and the same in each build, so that a new build replaces it; the server knows the core's script by this name: its response alone may bear a policy with 'unsafe-eval'
        entryFileNames: (chunk: { facadeModuleId?: string | null }) => {
          const path = chunk.facadeModuleId ?? "";
          if (path.includes("/workers/service/")) return "service-worker.js";
          // likewise the workers that may run WebAssembly
          if (path.includes("/workers/effects/")) return "assets/effects-[name]-[hash].js";
          return path.includes("/workers/core/")
            ? "assets/core-[hash].js"
            : "assets/worker-[name]-[hash].js";
        },
      },
    },
  },
  optimizeDeps: { include: ["easemob-websdk"] },
  test: {
    ...testsOf(mode),
    environment: "node",
    restoreMocks: true,
    expect: { poll: { timeout: PATIENCE } },
    sequence: { sequencer: ByPath },
    testTimeout: mode === "torture" ? 1_800_000 : mode === "webkit" ? 120_000 : 60_000,
    hookTimeout: 120_000,
    // the processes of `npm test` compile each module once
    experimental: { fsModuleCache: true },
  },
});

export default defineConfig(({ command, mode }) =>
  mode === "lib"
    ? library()
    : isBundle(mode)
      ? serverBundle(root, mode)
      : application(command, mode),
);
