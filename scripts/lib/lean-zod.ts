/**
 * Vite plugin: leaves out zod's JSON schema, which zod attaches to each schema and browsers never ask for. It is a tenth of what the login
 * loads. The server, which describes its calls by it, does not run this build.
 */
import { readFile } from "node:fs/promises";
import type { Plugin } from "vite";

const LEFT_OUT =
  /[\\/]node_modules[\\/]zod[\\/]v4[\\/]core[\\/](to-json-schema|json-schema-processors)\.js$/;
const EXPORTED = /^export (?:const|function) (\w+)|^export \{ (\w+) as (\w+) \};/gm;

export function leanZod(): Plugin {
  return {
    name: "lean-zod",
    apply: "build",
    async load(id) {
      const [path = ""] = id.split("?");
      if (!LEFT_OUT.test(path)) return null;
      const names = new Set<string>();
      for (const [, own, , renamed] of (await readFile(path, "utf8")).matchAll(EXPORTED)) {
        names.add(renamed ?? own ?? "");
      }
      const code = [...names].map((name) => `export { unused as ${name} };`).join("\n");
      return `const unused = () => unused;\n${code}\n`;
    },
  };
}
