/** The worked example of a list page (docs/adding.md#list-page) names all of its files, and they are all that names the feature. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const MOST_FILES = 7;
/** How the example is called where code names it. */
const FEATURE = /document[-_]?kind|system\/documents/i;

const text = readFileSync(join(root, "docs/adding.md"), "utf8");
const [, section = ""] = /^## List page$([\s\S]*?)^## /m.exec(text) ?? [];
const table = [...section.matchAll(/^\| \d+ +\| `([^`]+)`/gm)].map(([, file = ""]) => file);
/** Files that name the feature and that a new page does without: `name.ext` of a bullet that begins so. */
const namesIn = (bullet: RegExp): readonly string[] =>
  [...(bullet.exec(section)?.[1] ?? "").matchAll(/`([\w.-]+\.\w+)`/g)].map(([, name = ""]) => name);
const besides = namesIn(/^- Besides, (.*)$/m);
/** Files of another feature, which reads the table of this one. */
const builtOnIt = namesIn(/^- Built on it, (.*)$/m);

/** Every file that people write, but documents and this test. */
const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => /\.(?:tsx?|mts|mjs|sql|list|jsonc?|css)$/.test(file))
  .filter((file) => file !== "tests/lint/adding.test.ts" && file !== "package-lock.json");

it("A page over a new table is at most seven files, and the example names each of them", () => {
  expect(files.length).toBeGreaterThan(1000);
  expect(table.length).toBeGreaterThan(3);
  expect(table.length).toBeLessThanOrEqual(MOST_FILES);
  const found = files.filter(
    (file) =>
      (FEATURE.test(file) || FEATURE.test(readFileSync(join(root, file), "utf8"))) &&
      ![...besides, ...builtOnIt].some((name) => file.endsWith(`/${name}`)),
  );
  // So no list of calls, modules, permissions, tags, menus, texts or tests names it by hand.
  expect(found).toEqual(table.toSorted());
});

it("What the example has besides is no list that a new page must extend", () => {
  expect(besides).toEqual(["0290_menu_words.sql", "seed-staff.ts"]);
});
