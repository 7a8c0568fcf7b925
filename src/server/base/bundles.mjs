// The server's bundles: the server itself and its media process, each built from its entry by `vite build --mode NAME`
// (scripts/lib/server-bundle.ts). A bundle starts in a third of the CPU time that the sources need, which counts when everybody
// waits for a server that came back.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The entry of each bundle, from the root of the project. */
export const BUNDLES = {
  server: "src/server/main.ts",
  media: "src/server/modules/media-node/embedded/process.ts",
};

/** Where a bundle lies, from the root of the project. @param {keyof BUNDLES} name */
export const bundleFolder = (name) => `dist-server/${name}`;
/** @param {keyof BUNDLES} name */
const scriptOf = (name) => `${bundleFolder(name)}/${name}.js`;
/** What a bundle was made from: paths from the root, each with the hash of its content. */
export const SOURCES = "sources.json";

/** @param {string} path */
export const contentHash = (path) => createHash("sha256").update(readFileSync(path)).digest("hex");

/** @param {string} root folder of the project */
export const areBuilt = (root) =>
  Object.keys(BUNDLES).every((name) => existsSync(join(root, scriptOf(name))));

/**
 * @param {string} root folder of the project
 * @param {keyof BUNDLES} name
 * @returns {string | null} path of the bundle's script; null when there is none, or a source has changed since
 */
export function freshBundle(root, name) {
  const [script, list] = [join(root, scriptOf(name)), join(root, bundleFolder(name), SOURCES)];
  if (!existsSync(script) || !existsSync(list)) return null;
  /** @type {Record<string, string>} */
  const sources = JSON.parse(readFileSync(list, "utf8"));
  const isSame = ([path, hash]) =>
    existsSync(join(root, path)) && contentHash(join(root, path)) === hash;
  return Object.entries(sources).every(isSame) ? script : null;
}
