/** The pages of the menus and their buttons, as a person with some rights is shown them; each button names its call in `data-call`. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import {
  CALL_PERMISSIONS,
  type GuardedCall,
} from "../../src/shared/protocol/rest/call-permissions.generated.ts";
import { holdsPermission } from "../../src/ui/state/held.ts";
import type { Rights } from "./company-roles.ts";
import { expect } from "./fixtures.ts";

const PAGES = join(import.meta.dirname, "../../src/ui/pages");
export const isGuarded = (call: string): call is GuardedCall =>
  Object.hasOwn(CALL_PERMISSIONS, call);
const may = (call: GuardedCall, held: readonly string[]): boolean =>
  holdsPermission(CALL_PERMISSIONS[call], held);

/** The source of the page of a menu entry. */
function sourceOf(uri: string): string {
  const file = [`${uri}.fixed.tsx`, `${uri}.tsx`].find((name) => existsSync(join(PAGES, name)));
  return file === undefined ? "" : readFileSync(join(PAGES, file), "utf8");
}
/** The call of the page's list or tree, without which it shows nothing; null: the page has none. */
const listOf = (uri: string): string | null =>
  /^ +(?:<Allowed )?call="([\w.]+)"/m.exec(sourceOf(uri))?.[1] ?? null;
/** A button's call in the source of a page, but not what the page asks by itself. */
const BUTTON_CALL =
  /(?<!rest\.call\(\{\s*)(?:call|create|edit): "([\w.]+)"(?!,\s*(?:query|params|body)\b)|data-call="([\w.]+)"/g;
/** Whether the page offers something that needs a right. */
const offers = (uri: string): boolean =>
  [...sourceOf(uri).matchAll(BUTTON_CALL)].some(([, declared, own]) =>
    isGuarded(declared ?? own ?? ""),
  );

/** Pages that every company reads, and whose buttons the one that runs the platform has alone. */
const CHANGED_BY_PLATFORM = ["/monitor/alertRules"];

/** These are there without an entry, and say themselves what the person may not (docs/session.md#static-routes). Two of them show their list. */
const READ_BY_ALL = ["/setfield", "/employeeSetfield"];
const STATIC = ["/DataBatchImport/index", "/DataBatchImport2/index", "/ai", ...READ_BY_ALL];

/** The entries that the browser shows to the person: the shortcuts of the first page hold all of them. */
const shownEntries = (page: Page): Promise<string[]> =>
  page
    .locator(".entries a")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? "").toSorted());

const permissionsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    // the page may still be starting
    "consoleCore" in globalThis
      ? [...globalThis.consoleCore.state.session.permissions].toSorted()
      : ["not known yet"],
  );

/** Follows a link to the page: a new start of the console for each page of each role would take minutes. */
export const follow = (page: Page, uri: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState({}, "", to);
    dispatchEvent(new PopStateEvent("popstate", { state: {} }));
  }, uri);

/** Opens a page, chooses a row where rows can be chosen, and reads which calls its buttons name. */
async function shownCalls(page: Page, uri: string) {
  await follow(page, uri);
  const area = page.locator(`[data-page="${uri}"]`);
  const said = area.getByRole("heading").or(area.getByRole("button")).or(area.locator("strong"));
  await expect(said.first()).toBeVisible();
  const list = area.locator(".list-page");
  const rows = list.locator("[role=row][data-index], [role=row][aria-level]");
  const settled = rows.first().or(area.getByText("暂无数据")).or(area.locator(".taken"));
  if ((await list.count()) > 0) await expect(settled.first()).toBeVisible();
  const mark = list.locator("[role=row][data-index] label").first();
  if ((await mark.count()) > 0) await mark.click();
  const read = (): Promise<string[]> =>
    area
      .locator("[data-call]")
      .evaluateAll((buttons) =>
        [...new Set(buttons.map((button) => button.getAttribute("data-call") ?? ""))].toSorted(),
      );
  return { read, filled: (await list.count()) === 0 || (await rows.count()) > 0 };
}

/** Reads until the same is read several times: parts of a page come a moment after its rows. */
async function steady(read: () => Promise<string[]>): Promise<string[]> {
  let last: string[] = [];
  let same = 0;
  const again = async (): Promise<number> => {
    const now = await read();
    same = now.join() === last.join() ? same + 1 : 0;
    last = now;
    return same;
  };
  await expect.poll(again, { intervals: [100] }).toBeGreaterThanOrEqual(3);
  return last;
}

/** Starts the console with the rights, and waits until the console knows them. */
export async function beginWith(
  page: Page,
  who: string,
  { permissions, uris }: Rights,
): Promise<void> {
  await page.goto("/dashboard");
  await expect.poll(() => permissionsOf(page), who).toEqual(permissions);
  await expect.poll(() => shownEntries(page), who).toEqual(uris);
}

/** The buttons of each page for a person with all rights. */
type Offered = ReadonlyMap<string, readonly string[]>;

export async function offeredTo(
  page: Page,
  who: string,
  rights: Rights,
  runsPlatform: boolean,
): Promise<Offered> {
  await beginWith(page, who, rights);
  const offered = new Map<string, readonly string[]>();
  for (const uri of rights.uris) {
    const { read, filled } = await shownCalls(page, uri);
    if (offers(uri) && filled && (runsPlatform || !CHANGED_BY_PLATFORM.includes(uri))) {
      await expect.poll(async () => (await read()).length, uri).toBeGreaterThan(0);
    }
    offered.set(uri, await steady(read));
  }
  return offered;
}

/** Whether the person's menus have the page and its list is shown; of what is refused there are no buttons. */
const isShown = (uri: string, { uris, permissions }: Rights): boolean => {
  const list = listOf(uri);
  return uris.includes(uri) && (list === null || !isGuarded(list) || may(list, permissions));
};
export const allows = (uri: string, call: string, rights: Rights): boolean =>
  isShown(uri, rights) && isGuarded(call) && may(call, rights.permissions);

/** Compares every page and every button that somebody sees with what their rights say. */
export async function compare(
  page: Page,
  who: string,
  rights: Rights,
  offered: Offered,
): Promise<void> {
  await beginWith(page, who, rights);
  for (const uri of rights.uris) {
    const { read } = await shownCalls(page, uri);
    const allowed = (offered.get(uri) ?? []).filter((call) => allows(uri, call, rights));
    await expect.poll(read, `${who} ${uri}`).toEqual(allowed);
    const refused = page.locator(`[data-page="${uri}"] .taken`);
    await expect(refused, `${who} ${uri}`).toHaveCount(isShown(uri, rights) ? 0 : 1);
  }
  // A list that everybody reads opens without an entry too, with the buttons of the permissions alone.
  for (const uri of READ_BY_ALL.filter((one) => !rights.uris.includes(one))) {
    const { read } = await shownCalls(page, uri);
    const allowed = (offered.get(uri) ?? []).filter(
      (call) => isGuarded(call) && may(call, rights.permissions),
    );
    await expect.poll(read, `${who} ${uri}`).toEqual(allowed);
  }
  // A page without an entry does not open by its address.
  const closed = [...offered.keys()].filter(
    (uri) => !rights.uris.includes(uri) && !STATIC.includes(uri),
  );
  for (const uri of closed) {
    await follow(page, uri);
    await expect(page, `${who} ${uri}`).toHaveURL(/\/(404|401|403)/);
  }
}

/** Switches to the other company by the button of the header. */
export async function switchCompany(page: Page, company: string): Promise<void> {
  await page
    .getByRole("button", { name: /^切换 / })
    .first()
    .click();
  // The switch starts the page again.
  const started = page.waitForEvent("load");
  await page.getByRole("dialog").getByRole("button", { name: "确定" }).click();
  await started;
  const current = () =>
    page.evaluate(() =>
      "consoleCore" in globalThis ? globalThis.consoleCore.state.session.supplierId : null,
    );
  await expect.poll(current).toBe(company);
}
