/**
 * The dialogs and drawers of the people pages as everybody meets them: opened by the keyboard, in Chinese on a wide window and in English on a
 * phone, light and dark, closed by Escape, with unsaved input too. The pages have tests of their own (every-screen, people-pages).
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { expect, test as base } from "../support/fixtures.ts";
import { type Gateway, startGateway } from "../support/gateway.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";
import {
  type At,
  PEOPLE_DIALOGS,
  type PeopleDialog,
  type Step,
  topmost,
  type Words,
} from "../support/people-dialogs.ts";
import { addPeopleRows } from "../support/people-rows.ts";
import { loggedIn, type Person } from "../support/people.ts";
import { areaOf, hasData } from "../support/screen-visit.ts";
import { createServerTexts, type ServerTexts, wordsOf } from "../support/screen-words.ts";

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
const LANGUAGES = ["zh", "en"] as const;
type Language = (typeof LANGUAGES)[number];

interface Console {
  readonly gateway: Gateway;
  readonly texts: ServerTexts;
  readonly admin: Person;
}

const test = base.extend<object, { console: Console }>({
  console: [
    async ({ browser, server }, use) => {
      const texts = createServerTexts();
      const gateway = await startGateway(server.url, { onJson: texts.add });
      await addPeopleRows(server.url);
      const admin = await loggedIn(browser, gateway.url, "admin", { path: "/dashboard" });
      await use({ gateway, texts, admin });
      await admin.close();
      await gateway.close();
    },
    { scope: "worker" },
  ],
});

// Nobody else's rows.
test.use({ serverEnv: { TEST_SERVER: "people dialogs" } });
test.describe.configure({ mode: "parallel" });

/** Opens the page in this language, on a window of this size. */
async function openPage({ admin, gateway }: Console, uri: string, language: Language): Promise<At> {
  const page = admin.pages[0]!;
  await page.setViewportSize(WIDE);
  if (new URL(page.url()).pathname !== uri) await page.goto(uri);
  await hasData(page, uri, gateway);
  const html = page.locator("html");
  const wanted = language === "zh" ? "zh-CN" : "en";
  if ((await html.getAttribute("lang")) !== wanted) {
    await page.getByRole("button", { name: /^(切换语言|Language)/ }).click();
    await expect(html).toHaveAttribute("lang", wanted);
  }
  await page.setViewportSize(language === "zh" ? WIDE : PHONE);
  return {
    page,
    area: areaOf(page, uri),
    say: ([zh, en]: Words) => (language === "zh" ? zh : en),
  };
}

/** Presses the key until the control has the focus. */
async function pressUntil(page: Page, key: string, target: Locator): Promise<void> {
  for (let n = 0; n < 40; n += 1) {
    if (await target.evaluate((one) => one === document.activeElement)) break;
    await page.keyboard.press(key);
  }
  await expect(target, `reached by ${key}`).toBeFocused();
}

/** The keyboard comes to the control from the start of the page, or from where it is in a list or a dialog, and presses it. */
async function reach(at: At, step: Step): Promise<void> {
  const { page } = at;
  const target = step.target(at);
  if (step.before === true) {
    const stop = step.along?.from(at) ?? target;
    await pressUntil(page, "Shift+Tab", stop);
    if (step.along !== undefined) await pressUntil(page, step.along.key, step.along.to(at));
    await page.keyboard.press(step.key);
    return;
  }
  const aim = step.along?.to(at);
  const isInList = await page.evaluate(
    () => document.activeElement?.closest("[role=row][data-index]") != null,
  );
  if ((await topmost(page).count()) === 0 && !(isInList && step.along !== undefined)) {
    await page.locator("#main").evaluate((main) => {
      main.tabIndex = -1;
      main.focus();
    });
  }
  if (step.along !== undefined && aim !== undefined) {
    const { from, key } = step.along;
    await expect(aim).toBeVisible();
    if (!isInList) await tabTo(page, from(at));
    await page.keyboard.press("Home");
    await pressUntil(page, key, aim);
  }
  await tabTo(page, target);
  await page.keyboard.press(step.key);
}

const dialogs = (page: Page): Locator => page.locator(".arco-modal:visible, .arco-drawer:visible");

/** Lists parts of the dialog that are wider than the window, and buttons that something covers. */
const misfits = (dialog: Locator): Promise<string[]> =>
  dialog.evaluate((box) => {
    const found: string[] = [];
    const { left, right } = box.getBoundingClientRect();
    if (left < 0 || right > innerWidth) found.push(`from ${left} to ${right}`);
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) found.push(`the page is ${scrollWidth} wide`);
    const parts = [box, ...box.querySelectorAll<HTMLElement>("*")];
    const isSeen = (part: Element): boolean => part.checkVisibility({ visibilityProperty: true });
    for (const part of parts.filter(isSeen)) {
      // a table of many columns scrolls in itself
      if (part.closest("[role=table], .table-scroll") !== null) continue;
      const { overflowX } = getComputedStyle(part);
      if (!/auto|scroll/.test(overflowX) || part.scrollWidth <= part.clientWidth + 1) continue;
      found.push(`scrolls sideways: ${part.tagName} ${part.className}`);
    }
    for (const button of box.querySelectorAll<HTMLElement>("button:enabled")) {
      if (!isSeen(button)) continue;
      button.scrollIntoView({ block: "nearest", inline: "nearest" });
      const { x, y, width, height } = button.getBoundingClientRect();
      const there = document.elementFromPoint(x + width / 2, y + height / 2);
      if (!button.contains(there)) found.push(`cannot be pressed: ${button.textContent}`);
    }
    return found;
  });

/** Selects the text fields of a form, but not those of days: what is no day yet is no input. */
const TEXTS =
  "form textarea:enabled:not([readonly]), form input:is(:not([type]), [type=text]):enabled:not([readonly], [role], [role=combobox] *, .day-field *)";

/** Escape asks about input that was not saved. @returns whether there was a field for it */
async function expectInputKept(at: At, open: number): Promise<boolean> {
  const { page } = at;
  const field = topmost(page).locator(TEXTS).first();
  if ((await field.count()) === 0) return false;
  await tabTo(page, field);
  await page.keyboard.type("1");
  await page.keyboard.press("Escape");
  await expect(dialogs(page), "asks about unsaved input").toHaveCount(open + 1);
  await page.keyboard.press("Escape");
  await expect(dialogs(page)).toHaveCount(open);
  await expect(field, "gets the focus back from the question").toBeFocused();
  await page.keyboard.press("Escape");
  await discard(at, open + 1);
  return true;
}

/** Confirms that input is lost, in the question above the form. */
async function discard({ page, say }: At, open: number): Promise<void> {
  await expect(dialogs(page)).toHaveCount(open);
  await tabTo(page, topmost(page).getByRole("button", { name: say(["放弃", "Discard"]) }));
  await page.keyboard.press("Enter");
  await expect(dialogs(page)).toHaveCount(open - 2);
}

/** Opens the dialog, looks at it, and closes it and those below. */
async function visit(at: At, row: PeopleDialog, language: Language, texts: ServerTexts) {
  const { page, say } = at;
  const openers: Step[] = [];
  for (const step of row.steps) {
    await reach(at, step);
    if (!step.opens) continue;
    openers.push(step);
    await expect(dialogs(page)).toHaveCount(openers.length);
  }
  await row.act?.(at);
  const named = page.getByRole("dialog", { name: say(row.title), exact: true }).last();
  await expect(named).toBeVisible();
  const state = `${row.name} ${language}`;
  const hasFocus = (): Promise<boolean> =>
    topmost(page).evaluate((box) => box.contains(document.activeElement));
  await expect.poll(hasFocus, `${state}: the dialog has the focus`).toBe(true);
  if (language === "en") {
    expect.soft(texts.foreign(await wordsOf(topmost(page))), `${state}: in English`).toEqual([]);
  }
  await shoot(page, `dialog-${row.name}-${language}`);
  if (language === "en") await page.setViewportSize(PHONE);
  await expect.soft.poll(() => misfits(topmost(page)), `${state}: fits`).toEqual([]);
  await expectAccessible(page, state, ".arco-modal, .arco-drawer");
  let open = openers.length;
  if (row.asksOfInput === true) {
    await page.keyboard.press("Escape");
    await expect(dialogs(page)).toHaveCount(open);
    await page.keyboard.press("Escape");
    await discard(at, open + 1);
    openers.pop();
    open -= 1;
    await expect.soft(row.steps[0]!.target(at), `${state}: gives the focus back`).toBeFocused();
  } else if (row.act === undefined && language === "zh" && (await expectInputKept(at, open))) {
    open -= 1;
    await expect.soft(openers.pop()!.target(at), `${state}: gives the focus back`).toBeFocused();
  }
  for (const opener of openers.toReversed()) {
    await page.keyboard.press("Escape");
    open -= 1;
    await expect(dialogs(page), "closed by Escape").toHaveCount(open);
    await expect.soft(opener.target(at), `${state}: gives the focus back`).toBeFocused();
  }
  await row.after?.(at);
}

for (const [uri, rows] of Object.entries(PEOPLE_DIALOGS)) {
  for (const [language, how] of [
    ["zh", "in Chinese on a wide window"],
    ["en", "in English on a phone"],
  ] as const) {
    test(`The dialogs of ${uri} can be used ${how}`, async ({ console: shown }) => {
      const before = shown.admin.complaints.length;
      const at = await openPage(shown, uri, language);
      for (const row of rows) {
        await test.step(row.name, () => visit(at, row, language, shown.texts));
      }
      expect(shown.admin.complaints.slice(before), "the browser's console").toEqual([]);
    });
  }
}

/** All limits of SMS are reached, and whose they are. */
const full = (answer: unknown): unknown => {
  const { data, ...rest } = answer as { readonly data: object };
  const until = "2026-11-27T08:30:00.000Z";
  const used = { used: 200, limit: 200, until };
  const nearest = [
    { kind: "company", who: "远航消防设施工程技术有限公司", ...used },
    { kind: "pair", who: "2001:db8:85a3:8d3:1319:8a2e:370:7348 · 138****5671", ...used },
    { kind: "address", who: "203.0.113.54", used: 41, limit: 50, until: null },
    { kind: "wrong", who: "203.0.113.54", used: 3, limit: 30, until: null },
    { kind: "invitations", who: "华安物业服务有限公司", ...used },
  ];
  return { ...rest, data: { ...data, codes: used, invitations: used, nearest } };
};

test("How many SMS were sent is read by everybody, also when all limits are reached", async ({
  console: shown,
}) => {
  const uri = "/monitor/smsCodes";
  for (const state of ["now", "full"] as const) {
    shown.gateway.treat(
      state === "now"
        ? null
        : (path) => (path.startsWith("/system/sms/usage") ? { change: full } : "pass"),
    );
    await shown.admin.pages[0]!.goto("/dashboard");
    for (const language of LANGUAGES) {
      const at = await openPage(shown, uri, language);
      const { page, area, say } = at;
      const panel = area.getByRole("region", {
        name: say(["最近 24 小时的短信", "SMS of the last 24 hours"]),
      });
      await expect(panel).toBeVisible();
      const details = panel.locator("details");
      const summary = panel.locator("summary");
      if ((await details.getAttribute("open")) === null) {
        await tabTo(page, summary);
        await page.keyboard.press("Enter");
      }
      await expect(details.getByRole("table")).toBeVisible();
      await shoot(page, `sms-use-${state}-${language}`);
      if (language === "en") {
        expect.soft(shown.texts.foreign(await wordsOf(panel)), "SMS in English").toEqual([]);
        await page.setViewportSize(PHONE);
      }
      await expectAccessible(page, `SMS of a day, ${state}, ${language}`, ".sms-use");
    }
  }
  shown.gateway.treat(null);
});

test("The sheet of QR codes is printed in the language of who prints it", async ({
  console: shown,
}) => {
  for (const language of LANGUAGES) {
    const at = await openPage(shown, "/supplier/invitations", language);
    const { page, area, say } = at;
    await page.evaluate(() => {
      globalThis.print = () => undefined;
    });
    await area.getByRole("button", { name: say(["打印二维码", "Print QR codes"]) }).click();
    await topmost(page).locator("[type=submit]").click();
    const sheet = page.locator(".qr-sheet");
    await page.emulateMedia({ media: "print" });
    await expect(sheet.getByRole("listitem").first()).toBeVisible();
    // Paper is as wide as it is, whatever the window.
    await shoot(page, `qr-sheet-${language}`, ["wide"]);
    if (language === "en") {
      expect.soft(shown.texts.foreign(await wordsOf(sheet)), "the sheet in English").toEqual([]);
    }
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    await page.emulateMedia({ media: null });
    await expect(sheet).toHaveCount(0);
  }
});

const UI = join(import.meta.dirname, "../../src/ui");
/** Folders of the code behind the people pages. */
const FEATURES = [
  "company",
  "departments",
  "documents",
  "employees",
  "fields",
  "register",
  "roles",
  "sms",
].map((name) => `features/${name}/`);
/** Where code shows a dialog or a question. A list's declaration opens some too. */
const SITE = /<(?:Form|Row)?Dialog$|<Drawer$|\bask\(\{$|\b(?:form|remove)=\{\{$|\bquestion: \(/gm;

test("Every place of the code that shows a dialog of these pages has a row in the table", () => {
  const isOfPeople = (file: string): boolean =>
    file.startsWith("pages/supplier/") ||
    FEATURES.some((folder) => file.startsWith(folder)) ||
    Object.keys(PEOPLE_DIALOGS).some(
      (uri) => file === `pages${uri}.tsx` || file === `pages${uri}.fixed.tsx`,
    );
  const rows = Object.values(PEOPLE_DIALOGS).flat();
  const without = readdirSync(UI, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file) && isOfPeople(file))
    .map((file) => {
      const places = readFileSync(join(UI, file), "utf8").match(SITE)?.length ?? 0;
      return { file, places, rows: rows.filter((row) => row.file === file).length };
    })
    .filter((one) => one.rows < one.places);
  expect(without).toEqual([]);
  expect(new Set(rows.map(({ name }) => name)).size, "each has pictures of its own").toBe(
    rows.length,
  );
});
