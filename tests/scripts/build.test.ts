/**
 * No chunk of a worker imports its entry. WebKit evaluates an entry a second time when it is imported: then two cores run in one
 * SharedWorker, and the second one accepts the tabs but never gets the sockets lock.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { resolveConfig } from "vite";
import { expect, it } from "vitest";
import { presentAssets } from "../../scripts/lib/keep-builds.ts";
import { ensureBuild, ensureLibrary } from "../../scripts/lib/prepare.mjs";

const root = join(import.meta.dirname, "../..");

/** Names and versions that the page for unsupported browsers states, in the form of a build target. */
function statedByThePage(): string[] {
  const source = readFileSync(join(root, "src/ui/app/CoreState.tsx"), "utf8");
  const list = /const BROWSERS = \[([^\]]*)\]/.exec(source)?.[1] ?? "";
  return [...list.matchAll(/"\w+ (\w+) ([\d.]+)\+"/g)].map(
    ([, name = "", version = ""]) => name.toLowerCase() + version,
  );
}

function statedByTheReadme(): string[] {
  const source = readFileSync(join(root, "README.md"), "utf8").replaceAll("\n", " ");
  const [, list = ""] = /The console needs (.*?), or later\./.exec(source) ?? [];
  return list.split(", ").flatMap((part) => {
    const [, names = "", version = ""] = /^(.*) ([\d.]+)$/.exec(part) ?? [];
    return names.split(" or ").map((name) => name.toLowerCase() + version);
  });
}

/** The scripts of a build by path, each with the scripts that it imports, statically or dynamically. */
function imports(folder: string): Map<string, string[]> {
  const scripts = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".js"),
  );
  return new Map(
    scripts.map((path) => {
      const source = readFileSync(join(folder, path), "utf8");
      const found = [...source.matchAll(/(?:from|import)\s*\(?\s*["'`](\.{1,2}\/[^"'`]+)["'`]/g)];
      return [
        path,
        found.map(([, name]) => relative(folder, join(folder, dirname(path), name ?? ""))),
      ];
    }),
  );
}

const importersOf = (graph: Map<string, string[]>, entry: RegExp): string[] =>
  [...graph].flatMap(([path, to]) => to.filter((t) => entry.test(t)).map((t) => `${path} -> ${t}`));

const ENTRY = /^assets\/(?:core|effects|worker)-/;

it("No chunk imports an entry of the console's workers", async () => {
  await ensureBuild();
  const folder = join(root, "dist");
  const graph = imports(folder);
  // the folder also has assets of earlier builds
  const entries = presentAssets(folder).filter((path) => ENTRY.test(path) && path.endsWith(".js"));
  expect(entries.map((path) => path.replace(/-[\w-]{8}\.js$/, "")).toSorted()).toEqual([
    "assets/core",
    "assets/effects-background",
    "assets/effects-noise",
    "assets/worker-ahead-entry",
    // of the import, of the export, and of what reads the file of a call
    "assets/worker-entry",
    "assets/worker-entry",
    "assets/worker-entry",
    // of the sound meter, on the audio thread
    "assets/worker-worklet",
  ]);
  // Guard against an empty graph: the core must have chunks, and one of them loads the chat SDK.
  const core = entries.find((path) => path.startsWith("assets/core-")) ?? "";
  const modules = graph.get(core)?.find((path) => path.startsWith("assets/modules-")) ?? "";
  expect(graph.get(modules)?.some((path) => path.startsWith("assets/Easemob-chat-"))).toBe(true);
  expect(importersOf(graph, ENTRY)).toEqual([]);
}, 120_000);

it("No chunk imports the entry of the library's worker", async () => {
  const graph = imports(await ensureLibrary());
  expect(graph.has("conference-core.js")).toBe(true);
  expect(graph.get("conference-core.js")?.length).toBeGreaterThan(0);
  expect(importersOf(graph, /^conference-core\.js$/)).toEqual([]);
}, 120_000);

it.each(["production", "lib"])(
  "The build `%s` targets the browser versions that the README and the page for unsupported browsers state",
  async (mode) => {
    const given: unknown[] = [];
    const { build: resolved } = await resolveConfig(
      {
        mode,
        logLevel: "silent",
        plugins: [{ name: "given", config: (c) => void given.push(c.build?.target) }],
      },
      "build",
      mode,
    );
    const minimum = ["chrome120", "edge120", "firefox121", "safari17.4"];
    // The target must come from the configuration itself, not from Vite's default, which changes with its version.
    expect(given).toEqual([minimum]);
    expect(resolved.target).toEqual(minimum);
    expect(statedByThePage()).toEqual(minimum);
    expect(statedByTheReadme()).toEqual(minimum);
  },
);
