/** Visits of a page through its menu entry: with treated reads, whether it waits, and where its fixed parts stand. */
import { expect, type Locator, type Page } from "@playwright/test";
import { restCalls } from "../../src/shared/protocol/rest/index.ts";
import type { Gateway, Treatment } from "./gateway.ts";
import { SCREENS } from "./screens.ts";

/** Reads that change nothing, though they are sent as changes are. */
const ALSO: ReadonlySet<string> = new Set(["assistant.open"]);
/** What pages and the core read for them. */
const READS = Object.values(restCalls)
  .filter(
    ({ id, method, shows, auth }) =>
      auth === "bearer" && (method === "GET" || shows !== undefined || ALSO.has(id)),
  )
  .map(({ id, method, path }) => ({
    id,
    method,
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}(\\?|$)`),
  }));

/** Treats every read from now on, and passes on everything else. @returns the ids of the reads so far, growing */
export function treatReads(gateway: Gateway, how: Treatment): ReadonlySet<string> {
  const ids = new Set<string>();
  gateway.treat((path, method) => {
    const read = READS.find((one) => one.method === method && one.pattern.test(path));
    if (read === undefined) return "pass";
    ids.add(read.id);
    return how;
  });
  return ids;
}

/** An answer without anything in it: no rows, no total. */
export const emptied = (answer: unknown): unknown => {
  if (Array.isArray(answer)) return [];
  if (typeof answer !== "object" || answer === null) return answer;
  return Object.fromEntries(
    Object.entries(answer).map(([key, value]) => [
      key,
      Array.isArray(value)
        ? []
        : key === "total" && typeof value === "number"
          ? 0
          : key === "data"
            ? emptied(value)
            : value,
    ]),
  );
};

export const REFUSED: Treatment = {
  status: 500,
  body: { code: 500, msg: "服务器内部错误", data: null, error: "server.internal" },
};

export const areaOf = (page: Page, uri: string): Locator => page.locator(`[data-page="${uri}"]`);

/** Opens the page by its menu entry; the first page, which has none, by its tag; a page that no menu leads to as the browser's Back does. */
async function openByMenu(page: Page, uri: string): Promise<void> {
  if (SCREENS[uri]?.outsideMenus !== undefined) {
    await page.evaluate((path) => {
      history.pushState(null, "", path);
      dispatchEvent(new PopStateEvent("popstate"));
    }, uri);
    return;
  }
  const nav = page.locator("nav.nav");
  await expect(nav.locator("a").first()).toBeVisible();
  const folded = nav.locator('button[aria-expanded="false"]');
  while ((await folded.count()) > 0) await folded.first().click();
  const entry = nav.locator(`a[href="${uri}"]`);
  await ((await entry.count()) > 0 ? entry : tagOf(page, uri).locator(".tag-link")).click();
  await expect(page).toHaveURL(new RegExp(`${uri}(\\?|$)`));
}

const tagOf = (page: Page, uri: string): Locator =>
  page.locator("nav.tags .tag", { has: page.locator(`a[href^="${uri}"]`) });

/** Where a page is left to: its one request is no read that pages share. It is made each time the page is shown. */
const QUIET = "/ai";
const QUIET_REQUEST = /\/assistant\b/;
const quietBeside = (uri: string): string => (uri === QUIET ? "/im/conference" : QUIET);

/** The page whose tag cannot be closed. */
const FIRST = "/dashboard";

/** Goes elsewhere, until nothing is read there, so that the next visit mounts the page again and reads everything again. */
export async function leave(page: Page, uri: string, gateway: Gateway): Promise<void> {
  const quiet = quietBeside(uri);
  const asked = gateway.count(QUIET_REQUEST);
  const comes = quiet === QUIET && new URL(page.url()).pathname !== quiet;
  await openByMenu(page, quiet);
  if (comes) await expect.poll(() => gateway.count(QUIET_REQUEST)).toBeGreaterThan(asked);
  await hasData(page, quiet, gateway);
  const tag = tagOf(page, uri);
  if (uri === FIRST || (await tag.count()) === 0) return;
  await tag.locator(".tag-close").click();
  await expect(areaOf(page, uri)).toHaveCount(0);
}

/** Opens the page as if for the first time. A page that cannot be closed is mounted again by its tag's menu. */
export async function openAnew(page: Page, uri: string): Promise<void> {
  await openByMenu(page, uri);
  if (uri !== FIRST) return;
  await tagOf(page, uri).click({ button: "right" });
  await page.getByRole("menuitem").first().click();
}

const WAITS = '[role="status"]:not(:empty), [aria-busy="true"], .arco-spin-loading';

/** Whether the page says that it waits. */
export const waits = (area: Locator): Promise<boolean> =>
  area
    .locator(WAITS)
    .evaluateAll((all) =>
      all.some(
        (one) =>
          one.checkVisibility({ visibilityProperty: true }) &&
          (/加载|Loading|正在|读取/.test(one.textContent ?? "") ||
            /加载|Loading/.test(one.getAttribute("aria-label") ?? "") ||
            one.getAttribute("aria-busy") === "true"),
      ),
    );

/** Waits until no request is on its way. */
const hasSettled = (gateway: Gateway): Promise<void> =>
  expect.poll(() => gateway.pending(), "requests on their way").toBe(0);

/** Waits until the page has its data: it says something, waits for nothing, and no request is on its way. */
export async function hasData(page: Page, uri: string, gateway: Gateway): Promise<void> {
  const area = areaOf(page, uri);
  await expect(area.getByRole("heading").or(area.getByRole("button")).first()).toBeVisible();
  await hasSettled(gateway);
  await expect.poll(() => waits(area), `${uri} waits for nothing`).toBe(false);
  await expect(area.locator(".page-waits")).toHaveCount(0);
}

/** Where the fixed parts of the page stand: titles, buttons and fields that are there before the data. */
export const placesOf = (area: Locator): Promise<Record<string, string>> =>
  area.evaluate((root) => {
    const places: Record<string, string> = {};
    const twice = new Set<string>();
    const parts = "h1, h2, header button, header input, [role=search] input, [role=search] button";
    for (const part of root.querySelectorAll<HTMLElement>(parts)) {
      if (!part.checkVisibility({ visibilityProperty: true })) continue;
      const { x, y } = part.getBoundingClientRect();
      const name = [
        part.tagName,
        part.getAttribute("aria-label") ?? part.getAttribute("placeholder") ?? part.textContent,
      ].join(" ");
      if (places[name] !== undefined) twice.add(name);
      places[name] = `${Math.round(x)},${Math.round(y)}`;
    }
    for (const name of twice) delete places[name];
    return places;
  });
