import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { VIEWS, viewsOf } from "./views.ts";

const MIGRATIONS = new URL("../../server/base/database/migrations/", import.meta.url);

it("A page's file says its uri and whether it fills the area, without being loaded", () => {
  const never = () => Promise.reject(new Error("loaded"));
  const views = viewsOf({ "../pages/a/list.fixed.tsx": never, "../pages/a/b.tsx": never });
  expect(Object.entries(views).map(([uri, { fixed }]) => [uri, fixed])).toEqual([
    ["a/list", true],
    ["a/b", false],
  ]);
});

it("Every menu entry that leads to a page has one, and every page has a menu entry", () => {
  const sql = readdirSync(MIGRATIONS)
    .map((file) => readFileSync(new URL(file, MIGRATIONS), "utf8"))
    .join("\n");
  const entries = [
    ...sql.matchAll(
      /add_menu\(\s*(?:NULL|'([^']*)'),\s*'([^']*)',\s*'[^']*',\s*'[^']*',\s*'([^']*)'/g,
    ),
  ].map(([, parent, code = "", uri = ""]) => ({ parent, code, uri }));
  const parents = new Set(entries.map(({ parent }) => parent));
  const leaves = entries.filter(({ code }) => !parents.has(code)).map(({ uri }) => uri.slice(1));
  expect(leaves.length).toBeGreaterThan(5);
  expect(Object.keys(VIEWS).sort()).toEqual(leaves.sort());
});
