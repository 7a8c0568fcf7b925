/**
 * Every page of the menus, and those of the frame beside them, in every state: with its data, after F5, wide and narrow, light and dark, in English, empty, loading, failed by
 * the network and by the server, and with the keyboard alone. tests/support/screens.ts names what a page does not have, with the reason.
 */
import type { Page } from "@playwright/test";
import { expect, test as base } from "../support/fixtures.ts";
import { type Gateway, startGateway } from "../support/gateway.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";
import { menuUris } from "../support/menus.ts";
import { loggedIn, type Person } from "../support/people.ts";
import { addRows } from "../support/screen-rows.ts";
import {
  areaOf,
  emptied,
  hasData,
  leave,
  openAnew,
  placesOf,
  REFUSED,
  treatReads,
  waits,
} from "../support/screen-visit.ts";
import {
  createServerTexts,
  expectEnglish,
  type ServerTexts,
  wordsOf,
} from "../support/screen-words.ts";
import { type Role, ROLES, type Screen, SCREENS } from "../support/screens.ts";
import { consoleStarted } from "../support/started.ts";

/** People of one server, who stay logged in over all pages. */
interface Console {
  readonly gateway: Gateway;
  readonly texts: ServerTexts;
  as(role: Role): Promise<Person>;
}

const test = base.extend<object, { consoles: Console }>({
  consoles: [
    async ({ browser, server }, use) => {
      const texts = createServerTexts();
      const gateway = await startGateway(server.url, { onJson: texts.add });
      await addRows(server.url);
      const people = new Map<Role, Person>();
      await use({
        gateway,
        texts,
        async as(role) {
          const known = people.get(role);
          if (known !== undefined) return known;
          const who = await loggedIn(browser, gateway.url, role, { path: "/dashboard" });
          people.set(role, who);
          return who;
        },
      });
      for (const who of people.values()) await who.close();
      await gateway.close();
    },
    { scope: "worker" },
  ],
});

// Two weeks of calls, people who left, and a log.
test.use({ serverEnv: { DEMO_DATA: "full" } });
// The pages are independent of each other, so that two workers share them.
test.describe.configure({ mode: "parallel" });

test("Every page of the menus of every role has a row in the table of screens", async ({
  consoles,
}) => {
  const seen = new Map<string, Role[]>();
  for (const role of ROLES) {
    const page = (await consoles.as(role)).pages[0]!;
    for (const uri of ["/dashboard", ...(await menuUris(page))]) {
      seen.set(uri, [...(seen.get(uri) ?? []), role]);
    }
  }
  const ofMenus = Object.entries(SCREENS).filter(([, one]) => one.outsideMenus === undefined);
  expect([...seen.keys()].toSorted()).toEqual(ofMenus.map(([uri]) => uri).toSorted());
  for (const [uri, { role }] of ofMenus) {
    expect(seen.get(uri), `${uri} is seen by ${role}`).toContain(role);
  }
});

/** What a person who is shown nothing reads first. */
const NOTHING = /^(暂无|还没有|没有|现在没有|尚未)/;
/** What leads on is a sentence. */
const SENTENCE = /。$/;
/** The bell of the header reads this whenever an alert comes or goes, whatever the page does. */
const OF_BELL = "alerts.open";
/** Why the reads of a page failed, in the words of the catalogue. */
const REASONS = { failed: "服务器内部错误", cut: "服务暂不可用" } as const;

for (const [uri, screen] of Object.entries(SCREENS)) {
  test(`${uri} works in every state`, async ({ consoles }) => {
    const { gateway, texts } = consoles;
    const who = await consoles.as(screen.role);
    const page = who.pages[0]!;
    const area = areaOf(page, uri);
    const before = who.complaints.length;
    /** Pictures, narrow and wide, and the words in English. */
    const look = async (state: string): Promise<void> => {
      await shoot(page, `every${uri.replaceAll("/", "-")}-${state}`);
      await expectEnglish(page, area, texts, `${uri} ${state}`);
    };
    /** The page says what failed and why; its button asks for everything again, and shows at once that it does. */
    const expectRetried = async (
      state: keyof typeof REASONS,
      failed: ReadonlySet<string>,
    ): Promise<void> => {
      const alert = area.getByRole("alert").first();
      await expect(alert).toBeVisible();
      expect.soft(await waits(area), "does not say that it loads").toBe(false);
      if (screen.noReason === undefined) await expect.soft(alert).toContainText(REASONS[state]);
      await look(state);
      const again = treatReads(gateway, "hold");
      await alert.getByRole("button", { name: "重试" }).click();
      await expect.soft.poll(() => waits(area), "loads again at once").toBe(true);
      // of what is held a browser asks for six at once, and for the others when these are answered
      const others = treatReads(gateway, "pass");
      const left = () =>
        [...failed].filter((id) => id !== OF_BELL && !again.has(id) && !others.has(id));
      await expect.soft.poll(left, "reads that failed and are not asked for again").toEqual([]);
      gateway.treat(null);
      await hasData(page, uri, gateway);
      await expect(alert).toHaveCount(0);
    };

    await test.step("opens from the menu with its data", async () => {
      await leave(page, uri, gateway);
      await openAnew(page, uri);
      await hasData(page, uri, gateway);
      await expect(area.getByText("页面建设中")).toHaveCount(0);
      await expect(area.getByRole("alert")).toHaveCount(0);
      await look("data");
      await expectAccessible(page, uri);
    });
    await test.step("F5 keeps route, tags and filter", () =>
      expectKept(page, uri, screen, gateway));
    /** Sentences of the empty page. */
    const leads: string[] = [];
    if (screen.neverEmpty === undefined) {
      await test.step("is empty in words", async () => {
        await leave(page, uri, gateway);
        treatReads(gateway, { change: emptied });
        await openAnew(page, uri);
        await hasData(page, uri, gateway);
        leads.push(...(await wordsOf(area)).filter((text) => SENTENCE.test(text)));
        await look("empty");
        gateway.treat(null);
      });
    }
    if (screen.noReads === undefined) {
      await test.step("loads in words, says that the network cut it off, and nothing jumps", async () => {
        await leave(page, uri, gateway);
        treatReads(gateway, "hold");
        await openAnew(page, uri);
        await expect.soft.poll(() => waits(area), "says that it loads").toBe(true);
        const words = await wordsOf(area);
        const nothing = words.filter((text) => NOTHING.test(text));
        expect.soft(nothing, "says nothing of nothing while it loads").toEqual([]);
        if (screen.neverEmpty === undefined) {
          const own = leads.filter((text) => !words.includes(text));
          expect.soft(own, "an empty page leads on").not.toEqual([]);
        }
        await look("loading");
        const places = await placesOf(area);
        await expectRetried("cut", treatReads(gateway, "cut"));
        const after = await placesOf(area);
        const jumps = Object.entries(places)
          .filter(([name, place]) => after[name] !== undefined && after[name] !== place)
          .map(([name, place]) => `${name}: ${place} -> ${after[name]}`);
        expect.soft(jumps, "nothing jumps when the data come").toEqual([]);
      });
      await test.step("says that the server failed, and tries again", async () => {
        await leave(page, uri, gateway);
        const failed = treatReads(gateway, REFUSED);
        await openAnew(page, uri);
        await expectRetried("failed", failed);
      });
    }
    await test.step("the keyboard reaches the main task", () => expectTask(page, uri, screen));
    await leave(page, uri, gateway);
    expect(who.complaints.slice(before), "the browser's console").toEqual([]);
  });
}

/** What no row has. */
const FILTERED = "没有这样的内容";

const tagsOf = (page: Page): Promise<string[]> =>
  page.locator("nav.tags .tag-link").allTextContents();

async function expectKept(page: Page, uri: string, screen: Screen, gateway: Gateway) {
  const area = areaOf(page, uri);
  const total = area.getByTestId("list-total");
  const field = area
    .locator(".list-page-search input, .list-page-filters input:not([role=combobox])")
    .first();
  const all = screen.noFilter === undefined ? await total.textContent() : null;
  if (all !== null) {
    await field.fill(FILTERED);
    await expect(total, "another number of rows").not.toHaveText(all);
  }
  const tags = await tagsOf(page);
  await page.reload();
  await consoleStarted(page);
  await hasData(page, uri, gateway);
  await expect(page).toHaveURL(new RegExp(`${uri}(\\?|$)`));
  expect.soft(await tagsOf(page), "tags after F5").toEqual(tags);
  if (all !== null) {
    await expect.soft(field, "filter after F5").toHaveValue(FILTERED);
    await field.fill("");
    await expect(total).toHaveText(all);
  }
}

/** The keyboard reaches the main task and opens it; Escape closes it, and the focus is where it was. */
async function expectTask(page: Page, uri: string, { task }: Screen) {
  if (task !== null && "none" in task) return;
  const area = areaOf(page, uri);
  const makes = area.getByRole("button", { name: "新增", exact: true }).first();
  const usual = { by: (await makes.count()) > 0 ? "新增" : null, opens: "dialog" } as const;
  const { by, opens } = task ?? usual;
  const named = (name: string | RegExp) => {
    const options = { name, exact: typeof name === "string" };
    return area.getByRole("button", options).or(area.getByRole("link", options)).first();
  };
  const target = by === null ? area.getByRole("table").first() : named(by);
  await page.locator("#main").evaluate((main) => {
    main.tabIndex = -1;
    main.focus();
  });
  await tabTo(page, target);
  if (opens === "files") {
    const chooser = page.waitForEvent("filechooser");
    // Playwright takes the choice of files from the browser by a message that Enter could overtake.
    await page.evaluate(() => null);
    await page.keyboard.press("Enter");
    await chooser;
    return;
  }
  if (by === null) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  if (opens === "page") {
    await expect(page).not.toHaveURL(new RegExp(`${uri}$`));
    return;
  }
  const opened = page.getByRole("dialog").first();
  await expect(opened).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(opened).toHaveCount(0);
  const back = by === null ? area.locator('[data-index="0"]') : target;
  await expect(back, "gets the focus back").toBeFocused();
}
