/** The build of one bundle of the server (src/server/base/bundles.mjs), with the hashes of its sources beside it. */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import type { Plugin, UserConfig } from "vite";
import {
  archivePath,
  makeEmptyFiles,
  packFolder,
} from "../../src/server/base/database/empty-files.ts";
import {
  BUNDLES,
  type BundleName,
  bundleFolder,
  contentHash,
  SOURCES,
} from "../../src/server/base/bundles.mjs";

/** Packs the files of an empty database beside the bundle, unless an earlier build did with the same version of PGlite. */
function emptyDatabase(): Plugin {
  return {
    name: "empty-database",
    apply: "build",
    async closeBundle() {
      const archive = archivePath();
      if (existsSync(archive)) return;
      const folder = mkdtempSync(join(tmpdir(), "empty-database-"));
      try {
        await makeEmptyFiles(folder);
        mkdirSync(dirname(archive), { recursive: true });
        // A build killed midway leaves no incomplete archive.
        writeFileSync(`${archive}.part`, packFolder(folder));
        renameSync(`${archive}.part`, archive);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

/** Packages with native code, or with files that they find beside themselves. */
const EXTERNAL = ["node-datachannel", "@electric-sql/pglite", "@node-rs/argon2", "pg-native"];

function sources(root: string): Plugin {
  return {
    name: "bundle-sources",
    apply: "build",
    generateBundle() {
      const modules = [...this.getModuleIds()].map((id) => relative(root, id).split(sep).join("/"));
      // The lock file determines the packages.
      const paths = [...modules.filter((path) => path.startsWith("src/")), "package-lock.json"];
      this.emitFile({
        type: "asset",
        fileName: SOURCES,
        source: JSON.stringify(
          Object.fromEntries(paths.toSorted().map((path) => [path, contentHash(join(root, path))])),
        ),
      });
    },
  };
}

/** @param root folder of the project */
export const serverBundle = (root: string, name: BundleName): UserConfig => ({
  plugins: [sources(root), ...(name === "server" ? [emptyDatabase()] : [])],
  publicDir: false,
  ssr: { noExternal: true, external: EXTERNAL },
  build: {
    target: "node20",
    outDir: bundleFolder(name),
    ssr: true,
    rolldownOptions: { input: { [name]: join(root, BUNDLES[name]) } },
  },
});

/** Whether a mode of the build names a bundle. */
export const isBundle = (mode: string): mode is BundleName => Object.hasOwn(BUNDLES, mode);
