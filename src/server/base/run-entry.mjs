// Runs the server or its media process: the bundle when it is fresh, otherwise the sources by tsx.
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { BUNDLES, freshBundle } from "./bundles.mjs";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** @param {keyof BUNDLES} name */
export async function runEntry(name) {
  const bundle = freshBundle(root, name);
  if (bundle === null) {
    const { register } = await import("tsx/esm/api");
    register();
  }
  await import(pathToFileURL(bundle ?? join(root, BUNDLES[name])).href);
}
