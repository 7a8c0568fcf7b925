/**
 * Vite plugin: a build keeps the assets of the builds before it, so that tabs of those builds find their code
 * (docs/shell.md#assets-of-earlier-builds). `.builds` in the output folder has one list of assets for each kept build; the server does not
 * serve it.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Plugin } from "vite";
import { z } from "zod";

/** Builds before the present one whose assets stay. */
export const BUILDS_KEPT = 3;
/** ms after which the assets of a replaced build go. */
export const KEPT_FOR = 14 * 24 * 60 * 60_000;

const LISTS = ".builds";
const ASSETS = "assets";
/** Copies that the build makes beside a file (compress-build.ts). */
const COPIES = ["", ".br", ".gz"];

const listSchema = z.object({
  build: z.string(),
  /** ms since the epoch */
  builtAt: z.number(),
  /** Below the output folder, with forward slashes. */
  assets: z.array(z.string()),
});
export type BuildList = z.infer<typeof listSchema>;

/** The lists of the builds in the folder, newest first. One that cannot be read counts as absent. */
export function readLists(folder: string): BuildList[] {
  const lists = join(folder, LISTS);
  if (!existsSync(lists)) return [];
  return readdirSync(lists)
    .flatMap((name) => {
      try {
        return [listSchema.parse(JSON.parse(readFileSync(join(lists, name), "utf8")))];
      } catch {
        return [];
      }
    })
    .toSorted((a, b) => b.builtAt - a.builtAt);
}

/**
 * The builds before the newest that stay: the last ones, unless they were replaced too long ago.
 *
 * @param lists newest first; the first is the present build
 */
export const keptLists = (lists: readonly BuildList[], now: number): BuildList[] =>
  lists.slice(1, 1 + BUILDS_KEPT).filter((_, i) => now - (lists[i]?.builtAt ?? 0) <= KEPT_FOR);

/** Assets of the present build of a folder, without those of earlier ones. */
export const presentAssets = (folder: string): readonly string[] =>
  readLists(folder)[0]?.assets ?? [];

/** Removes all but assets and lists, as vite empties its folder. */
function emptyButAssets(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (name !== ASSETS && name !== LISTS) rmSync(join(folder, name), { recursive: true });
  }
}

/** Writes the list of the present build, and removes what no kept build lists. Source maps of earlier builds go too. */
export function settleBuilds(folder: string, present: BuildList): void {
  const others = readLists(folder).filter(({ build }) => build !== present.build);
  const kept = keptLists([present, ...others], present.builtAt);
  const names = new Set(
    [
      ...present.assets,
      ...kept.flatMap(({ assets }) => assets.filter((name) => !name.endsWith(".map"))),
    ].flatMap((name) => COPIES.map((copy) => name + copy)),
  );
  for (const entry of readdirSync(join(folder, ASSETS), { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1).replaceAll("\\", "/");
    if (entry.isFile() && !names.has(name)) rmSync(path);
  }
  rmSync(join(folder, LISTS), { recursive: true, force: true });
  mkdirSync(join(folder, LISTS));
  for (const list of [present, ...kept]) {
    writeFileSync(join(folder, LISTS, `${list.build}.json`), JSON.stringify(list));
  }
}

/** @param now ms since the epoch */
export function keepBuilds(build: string, now: () => number = () => Date.now()): Plugin {
  let folder = "";
  return {
    name: "keep-builds",
    apply: "build",
    config: () => ({ build: { emptyOutDir: false } }),
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir);
    },
    renderStart: {
      // before vite copies the public files into the folder
      order: "pre",
      handler: () => emptyButAssets(folder),
    },
    writeBundle(_options, bundle) {
      const assets = Object.keys(bundle).filter((name) => name.startsWith(`${ASSETS}/`));
      settleBuilds(folder, { build, builtAt: now(), assets: assets.toSorted() });
    },
  };
}
