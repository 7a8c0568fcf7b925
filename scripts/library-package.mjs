/**
 * Writes the package.json of the conferencing library, so that `npm pack` in its folder makes a package of it.
 *   node scripts/library-package.mjs [folder]
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const out = process.argv[2] ?? join(root, "dist-lib");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
mkdirSync(out, { recursive: true });
writeFileSync(
  join(out, "package.json"),
  `${JSON.stringify(
    {
      name: "city-safety-conference",
      version,
      description: "Conferences in a page of your own: publish, subscribe, roles, screens.",
      type: "module",
      main: "./conference.js",
      types: "./conference.d.ts",
      exports: {
        ".": { types: "./conference.d.ts", default: "./conference.js" },
        // A page serves it from its own origin and names it by `workerUrl`.
        "./conference-core.js": "./conference-core.js",
        // What `onMediaTransmission` needs.
        "./conference-helper.js": "./conference-helper.js",
      },
      files: ["*.js", "chunks", "assets", "*.d.ts", "types", "API.md"],
    },
    null,
    2,
  )}\n`,
);
