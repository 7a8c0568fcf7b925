/**
 * docs/specification.md has a row for every route, menu and call, and names files and tests that exist. What the specification itself
 * says stands here as data, because a fresh clone does not have it.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { restCalls, rtcTokenPath } from "../../src/shared/protocol/rest/index.ts";
import { SPECIFIED_CALLS, UNSHOWN_CALLS } from "../support/specification-calls.ts";
import { breachesOf, type Known, rowsOf } from "./specification.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const document = read("docs/specification.md");

/** The routes of §2.1. */
const SPECIFIED_ROUTES = [
  "/redirect/:path(.*)",
  "/login",
  "/register",
  "/auth-redirect",
  "/404",
  "/401",
  "/dc/{provider}/index",
  "/nextPage",
  "/setfield",
  "/employeeSetfield",
  "/",
  "/dashboard",
  "/ai",
  "/profile",
  "/profile/index",
  "/activiti/admin/formsPanelTwo",
  "/activiti/admin/layout/formBaseSettingTwo",
  "/DataBatchImport/index",
  "/DataBatchImport2/index",
  "/largeScreenDatas",
  "/dict/type/data/:dictId",
  "/error/401",
  "/error/404",
];
/** Routes without a page and without a test: nothing of them is shown in the specification. */
const EXCEPTED = [
  "/activiti/admin/formsPanelTwo",
  "/activiti/admin/layout/formBaseSettingTwo",
  "/largeScreenDatas",
];
/** Rows without a test. Lower it when one gets its test; it never rises. */
const WITHOUT_TEST = 2;
/** What each part of the specification has at least, so that no table is lost. */
const LEAST_ROWS = { "§2": 60, "§3": 35, "§4": 30, "§5": 15, "§6": 7, "§7": 65, "§8": 20 };

/** The paths that the router knows by itself: those outside of the frame, and the static ones inside. */
const routes = ["src/ui/app/AppRoutes.tsx", "src/ui/places/place.tsx"].flatMap((file) =>
  [...read(file).matchAll(/(?<!from )"(\/[^"\s]*)"/g)].map(([, path = ""]) => path),
);
const MIGRATIONS = "src/server/base/database/migrations";
const uris = readdirSync(join(root, MIGRATIONS)).flatMap((file) =>
  [
    ...read(`${MIGRATIONS}/${file}`).matchAll(
      /add_menu\(\s*(?:NULL|'[^']*'),\s*'[^']*',\s*'[^']*',\s*'[^']*',\s*'([^']*)'/g,
    ),
  ].map(([, uri = ""]) => uri),
);
const known: Known = {
  has: (file) => existsSync(join(root, file)),
  read,
  routes: [...routes, ...SPECIFIED_ROUTES],
  uris,
  calls: [...SPECIFIED_CALLS, `GET ${rtcTokenPath}`],
  ids: Object.values(UNSHOWN_CALLS),
};
const rows = rowsOf(document);

describe("The table of the specification", () => {
  it("finds routes and menus", () => {
    expect(routes).toEqual(expect.arrayContaining(["/login", "/redirect/", "/dashboard"]));
    expect(uris.length).toBeGreaterThan(25);
  });

  it("has a row for each route, menu and call, and names only what exists", () => {
    expect(breachesOf(rows, known)).toEqual([]);
  });

  it("names only calls that the server has", () => {
    const shape = (line: string): string => line.replaceAll(/\{\w+\}/g, "{}");
    const served = new Set(
      Object.values(restCalls).map(({ method, path }) => shape(`${method} ${path}`)),
    );
    expect(SPECIFIED_CALLS.filter((line) => !served.has(shape(line)))).toEqual([]);
  });

  it.each(Object.entries(LEAST_ROWS))("has rows for %s", (section, least) => {
    expect(rows.filter((row) => row.section.startsWith(section)).length).toBeGreaterThanOrEqual(
      least,
    );
  });

  it("lacks the test of a few rows alone, and the page of the excepted routes alone", () => {
    const without = rows.filter(({ reason }) => reason !== null);
    expect(without.map(({ requirement }) => requirement)).toHaveLength(WITHOUT_TEST);
    const pathsOf = (text: string): string[] =>
      [...text.matchAll(/`(\/[^`]+)`/g)].map(([, path = ""]) => path);
    const nowhere = rows.filter(({ where }) => where.length === 0);
    expect(nowhere.flatMap(({ requirement }) => pathsOf(requirement)).sort()).toEqual(EXCEPTED);
  });
});

describe("A breach is found", () => {
  const [first] = rows.filter(({ tests }) => tests.length > 0);
  const line = (requirement: string, where: string, test: string): string =>
    `${document}\n| ${requirement} | ${where} | ${test} |\n`;
  const FILE = "tests/lint/specification.test.ts";
  const TITLE = "finds routes and menus";
  const breaches = (text: string, over: Partial<Known> = {}): string[] =>
    breachesOf(rowsOf(text), { ...known, ...over });

  it("of a row without one there is none", () => {
    expect(first?.section).toBe("§1");
    expect(breaches(line("A", `\`${FILE}\``, `\`${FILE}\`: ${TITLE}`))).toEqual([]);
  });

  it.each([
    [line("A", "`src/none.ts`", `\`${FILE}\`: ${TITLE}`), "there is no src/none.ts"],
    [line("A", `\`${FILE}\``, `\`src/none.test.ts\`: ${TITLE}`), "there is no test src/none"],
    [line("A", `\`${FILE}\``, `\`${FILE}\`: no such title`), "0 tests of"],
    [line("A", `\`${FILE}\``, `\`${FILE}\`: of a row`), "2 tests of"],
    [line("A", `\`${FILE}\``, "–"), "no test and no reason"],
    [line("A", "–", `\`${FILE}\`: ${TITLE}`), "says not where"],
  ])("of a row %#", (text, why) => {
    const found = breaches(text);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(why);
  });

  it("of a route, a menu or a call without a row, and of an unknown call", () => {
    expect(breaches(document, { routes: ["/new"] })).toEqual(["/new has no row in §2"]);
    expect(breaches(document, { uris: ["/system/new"] })).toEqual(["/system/new has no row in §2"]);
    expect(breaches(document, { calls: [...known.calls, "GET /new"] })).toEqual([
      "GET /new has no row in §7",
    ]);
    expect(breaches(document, { ids: ["new.call"] })).toEqual(["new.call has no row in §7"]);
    expect(
      breaches(document.replace("`POST /uaa/logout`", "`POST /uaa/logout`, `POST /uaa/out`")),
    ).toEqual(["POST /uaa/out is no call of the specification"]);
    expect(breaches(document.replaceAll("`POST /uaa/logout`", "the logout"))).toEqual([
      "POST /uaa/logout has no row in §7",
    ]);
  });
});
