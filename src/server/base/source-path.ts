/** Files of the sources that the server reads or starts at run time, wherever its own script lies: among them or in a bundle. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** @throws Error when no folder above this file contains a package.json */
function findRoot(): string {
  for (let at = dirname(fileURLToPath(import.meta.url)); ; at = dirname(at)) {
    if (existsSync(join(at, "package.json"))) return at;
    if (at === dirname(at)) throw new Error("the server runs outside its project");
  }
}

/** @param path from the root of the project, such as "src/server/seed.ts" */
export const sourcePath = (path: string): string => join(findRoot(), path);
