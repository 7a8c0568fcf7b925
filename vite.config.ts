import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type UserConfig } from "vite";
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
const library = (): UserConfig => ({
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

const application = (
  command: "build" | "serve",
  mode: string,
  build = command === "build" ? sourceHash() : "dev",
): UserConfig => ({
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
            // What every lazy part needs: together smaller than each in a file of its own.
            {
              name: "loading",
              test: /src[\\/]ui[\\/](?:state[\\/]retrying|loading[\\/]lazy-ahead|components[\\/](?:Part|Boundary))\.tsx?$/,
              includeDependenciesRecursively: false,
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
});

export default defineConfig(({ command, mode }) =>
  mode === "lib"
    ? library()
    : isBundle(mode)
      ? serverBundle(root, mode)
      : application(command, mode),
);
