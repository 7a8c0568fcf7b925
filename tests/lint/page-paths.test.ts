/**
 * A page and the calls of the server share one origin. A call that has the path of a page would answer when a person loads that page again,
 * with JSON instead of the console.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RestCall } from "../../src/shared/protocol/rest/call.ts";
import { restCalls } from "../../src/shared/protocol/rest/index.ts";

const PAGES = join(import.meta.dirname, "../../src/ui/pages");

test("No call that is read has the path of a page", () => {
  const pages = readdirSync(PAGES, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".tsx"))
    .map((file) => `/${file.replaceAll("\\", "/").replace(/(?:\/index)?(?:\.fixed)?\.tsx$/, "")}`);
  expect(pages).toContain("/monitor/map");
  const read = Object.values<RestCall>(restCalls).filter(({ method }) => method === "GET");
  const pattern = ({ path }: RestCall): RegExp =>
    new RegExp(`^${path.replaceAll(/\{[^}]*\}/g, "[^/]+")}$`);
  const taken = read.filter((call) => pages.some((page) => pattern(call).test(page)));
  expect(taken.map(({ id, path }) => `${id} ${path}`)).toEqual([]);
});
