/**
 * Generates the type declarations of the conferencing library: dist-lib/conference.d.ts and dist-lib/types.
 *   node scripts/library-types.mjs [folder]
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const out = process.argv[2] ?? join(root, "dist-lib");
const { status } = spawnSync(
  process.execPath,
  [
    join(root, "node_modules/typescript/bin/tsc"),
    "src/conference-lib/index.ts",
    "src/globals.d.ts",
    "--ignoreConfig",
    "--declaration",
    "--emitDeclarationOnly",
    "--outDir",
    join(out, "types"),
    "--target",
    "ES2023",
    "--module",
    "esnext",
    "--moduleResolution",
    "bundler",
    "--lib",
    "ES2023,DOM,DOM.Iterable,DOM.AsyncIterable",
    "--types",
    "node,vite/client",
    "--strict",
    "--noUncheckedIndexedAccess",
    "--exactOptionalPropertyTypes",
    "--allowImportingTsExtensions",
    "--rewriteRelativeImportExtensions",
    "--skipLibCheck",
  ],
  { cwd: root, stdio: "inherit" },
);
if (status !== 0) process.exit(status ?? 1);
mkdirSync(out, { recursive: true });
writeFileSync(join(out, "conference.d.ts"), 'export * from "./types/conference-lib/index.js";\n');
console.log(`types: ${join(out, "conference.d.ts")}`);
