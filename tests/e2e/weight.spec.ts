/** What a visitor downloads before the login shows, and before the list of employees does, in the compressed files of the build. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { z } from "zod";
import { expect, test } from "../support/fixtures.ts";

const DIST = join(import.meta.dirname, "../../dist");
/**
 * Bytes of script, compressed by brotli. Raise neither: load later what the page does not need. What says why code is missing is part of
 * both, because it could not be loaded then (docs/shell.md#a-missing-script).
 */
const LOGIN = 122_500;
const EMPLOYEES = 270_000;

const manifestSchema = z.record(
  z.string(),
  z.object({ file: z.string(), imports: z.array(z.string()).default([]) }),
);

/** The scripts that the entries need before they run. */
function scriptsOf(entries: readonly string[]): string[] {
  const manifest = manifestSchema.parse(
    JSON.parse(readFileSync(join(DIST, ".vite/manifest.json"), "utf8")),
  );
  const files = new Map<string, string>();
  const walk = (name: string): void => {
    const chunk = manifest[name];
    if (chunk === undefined) throw new Error(`the build has no chunk for ${name}`);
    if (files.has(name)) return;
    files.set(name, chunk.file);
    chunk.imports.forEach(walk);
  };
  entries.forEach(walk);
  return [...files.values()].filter((file) => file.endsWith(".js"));
}

/**
 * A small file has no compressed copy. The others are compressed here as for a release, because the build of `npm test` makes gzip alone
 * (scripts/lib/prepare.mjs).
 */
const bytesOf = (file: string): number => {
  const path = join(DIST, file);
  const isServedSmaller = existsSync(`${path}.gz`);
  return isServedSmaller ? brotliCompressSync(readFileSync(path)).length : statSync(path).size;
};
const weight = (entries: readonly string[]): number =>
  scriptsOf(entries)
    .map(bytesOf)
    .reduce((a, b) => a + b, 0);

const LOGIN_ENTRIES = ["index.html", "src/ui/main.tsx"];

test("The login needs little script, and none of calls, charts, lists, the chat and the frame", () => {
  expect(weight(LOGIN_ENTRIES)).toBeLessThan(LOGIN);
  const names = scriptsOf(LOGIN_ENTRIES).join(" ");
  expect(names).not.toMatch(/Agora|Easemob|Chart|ListPage|rtc-main|FramePlaces|ArcoProvider/);
});

test("The frame with the list of employees stays below 270 kB of script", () => {
  const list = [
    "src/ui/loading/ArcoProvider.tsx",
    "src/ui/app/FramePlaces.tsx",
    "src/ui/i18n/zh.ts",
    "src/ui/pages/supplier/employees.fixed.tsx",
  ];
  expect(weight([...LOGIN_ENTRIES, ...list])).toBeLessThan(EMPLOYEES);
});
