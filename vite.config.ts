import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type ViteUserConfig } from "vitest/config";

const root = fileURLToPath(new URL(".", import.meta.url));

/** The build's name: a hash over the sources, so that equal sources give one worker name. */
function sourceHash(dir: string, hash = createHash("sha256")): string {
  const walk = (folder: string): void => {
    for (const name of readdirSync(folder).sort()) {
      const path = join(folder, name);
      if (statSync(path).isDirectory()) walk(path);
      else hash.update(path.slice(root.length)).update(readFileSync(path));
    }
  };
  walk(dir);
  return hash.digest("hex").slice(0, 10);
}

/** The conferencing library (`npm run build:lib`): the face, its worker, and the example page that is copied beside them. */
const library = (): ViteUserConfig => ({
  define: { __BUILD__: JSON.stringify(sourceHash(join(root, "src"))) },
  publicDir: join(root, "src/rtc-main/conference/example"),
  build: {
    target: "chrome120",
    outDir: "dist-lib",
    sourcemap: true,
    lib: {
      entry: {
        conference: join(root, "src/ui/conference-lib/index.ts"),
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

const application = (command: "build" | "serve"): ViteUserConfig => ({
  plugins: [react()],
  define: {
    __BUILD__: JSON.stringify(command === "build" ? sourceHash(join(root, "src")) : "dev"),
  },
  build: {
    target: "chrome120",
    sourcemap: true,
    manifest: true,
    // the call provider's and the chat provider's SDKs are one large file each, loaded only when needed
    chunkSizeWarningLimit: 1700,
  },
  worker: {
    format: "es" as const,
    rolldownOptions: {
      // the chat SDK compiles its protobuf code at run time; the policy lets it, in the core's script alone
      checks: { eval: false },
      output: {
        // the server knows the core's script by this name: its response alone may bear a policy with 'unsafe-eval'
        entryFileNames: (chunk: { facadeModuleId?: string | null }) =>
          chunk.facadeModuleId?.includes("/workers/core/") === true
            ? "assets/core-[hash].js"
            : "assets/worker-[name]-[hash].js",
      },
    },
  },
  optimizeDeps: { include: ["easemob-websdk"] },
  test: {
    include: ["src/**/*.test.ts", "src/**/*.test.tsx", "tests/**/*.test.ts"],
    environment: "node",
    restoreMocks: true,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});

export default defineConfig(({ command, mode }) =>
  mode === "lib" ? library() : application(command),
);
