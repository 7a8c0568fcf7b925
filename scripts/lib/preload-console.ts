/**
 * Vite plugin: adds links by which the page fetches the console's scripts and styles together with its first script (src/ui/boot.ts).
 * That script imports the console only when it runs, so without the links a first visit would wait one more round trip.
 */
import type { HtmlTagDescriptor, Plugin, Rolldown } from "vite";

const CONSOLE = [/\/src\/ui\/main\.tsx$/, /\/src\/ui\/app\/translated-nodes\.ts$/];

export function preloadConsole(): Plugin {
  return {
    name: "preload-console",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle = {} }) {
        const chunks = new Map<string, Rolldown.OutputChunk>();
        for (const file of Object.values(bundle)) {
          if (file.type === "chunk") chunks.set(file.fileName, file);
        }
        const scripts = new Set<string>();
        const styles = new Set<string>();
        const walk = (chunk: Rolldown.OutputChunk | undefined): void => {
          if (chunk === undefined || scripts.has(chunk.fileName)) return;
          scripts.add(chunk.fileName);
          for (const style of chunk.viteMetadata?.importedCss ?? []) styles.add(style);
          for (const name of chunk.imports) walk(chunks.get(name));
        };
        for (const file of CONSOLE) {
          const chunk = [...chunks.values()].find((c) => file.test(c.facadeModuleId ?? ""));
          if (chunk === undefined) throw new Error(`the build has no chunk for ${file.source}`);
          walk(chunk);
        }
        const link = (attrs: Record<string, string | boolean>): HtmlTagDescriptor => ({
          tag: "link",
          attrs,
          injectTo: "head",
        });
        return [
          ...[...styles].map((file) =>
            link({ rel: "preload", as: "style", crossorigin: true, href: `/${file}` }),
          ),
          ...[...scripts].map((file) =>
            link({ rel: "modulepreload", crossorigin: true, href: `/${file}` }),
          ),
        ];
      },
    },
  };
}
