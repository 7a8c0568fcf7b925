/**
 * Vite plugin: writes build.json, which names the build and the assets of the shell (docs/shell.md): the scripts and styles of the
 * console and its frame, and the script of the core. Their lazy parts are not among them, but for those that every visit needs.
 */
import type { Plugin, Rolldown } from "vite";
import { BUILD_PATH, type BuildFile } from "../../src/shared/protocol/build.ts";

/** Sources whose chunks, and all that these import, belong to the shell. */
const SHELL = [
  /\/index\.html$/,
  /\/src\/ui\/main\.tsx$/,
  /\/src\/ui\/app\/translated-nodes\.ts$/,
  /\/src\/ui\/loading\/ArcoProvider\.tsx$/,
  /\/src\/ui\/app\/FramePlaces\.tsx$/,
  /\/src\/ui\/components\/menu-icons\.tsx$/,
  /\/src\/ui\/i18n\/zh\.ts$/,
  /\/src\/ui\/i18n\/en\.ts$/,
  /\/src\/ui\/i18n\/notices\.ts$/,
  /\/src\/shared\/error-texts-en\.ts$/,
];
/** It may have no script, because it imports only styles. */
const STYLES = /\/src\/ui\/loading\/arco\.ts$/;
/** The core's worker is built apart and comes as a finished script. */
const CORE = /^assets\/core-[\w-]+\.js$/;
const IMPORTED = /(?:from|import)\s*"\.\/([\w.-]+\.js)"/g;

export function buildFile(build: string): Plugin {
  return {
    name: "build-file",
    apply: "build",
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const shell = new Set<string>();
        const walk = (chunk: Rolldown.OutputChunk): void => {
          if (shell.has(chunk.fileName)) return;
          shell.add(chunk.fileName);
          for (const style of chunk.viteMetadata?.importedCss ?? []) shell.add(style);
          for (const name of chunk.imports) {
            const next = bundle[name];
            if (next?.type === "chunk") walk(next);
          }
        };
        const walkWorker = (fileName: string): void => {
          const asset = bundle[fileName];
          if (shell.has(fileName) || asset === undefined) return;
          shell.add(fileName);
          const code = asset.type === "chunk" ? asset.code : asset.source.toString();
          for (const [, name = ""] of code.matchAll(IMPORTED)) walkWorker(`assets/${name}`);
        };
        const missing = new Set(SHELL);
        for (const file of Object.values(bundle)) {
          if (CORE.test(file.fileName)) walkWorker(file.fileName);
          if (file.type !== "chunk") continue;
          const source = file.facadeModuleId ?? "";
          if (STYLES.test(source)) walk(file);
          for (const pattern of SHELL) {
            if (!pattern.test(source)) continue;
            missing.delete(pattern);
            walk(file);
          }
        }
        if (missing.size > 0)
          throw new Error(`the shell has no chunk for ${[...missing].join(", ")}`);
        const content: BuildFile = {
          build,
          shell: [...shell]
            .filter((name) => name.startsWith("assets/"))
            .map((name) => `/${name}`)
            .sort(),
        };
        this.emitFile({
          type: "asset",
          fileName: BUILD_PATH.slice(1),
          source: JSON.stringify(content),
        });
      },
    },
  };
}
