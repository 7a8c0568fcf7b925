/** A visit of a dialog by the keyboard: the way to it, how it looks, what Escape does, and where the focus is afterwards. */
import type { Locator, Page } from "@playwright/test";
import { expect } from "./fixtures.ts";
import { expectAccessible, shoot, tabTo } from "./look.ts";
import { type Language, PHONE } from "./people-console.ts";
import { type At, type PeopleDialog, type Step, topmost } from "./people-dialogs.ts";
import { type ServerTexts, wordsOf } from "./screen-words.ts";

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
  const isInMenu = await page.evaluate(
    () => document.activeElement?.closest("[role=menu]") != null,
  );
  if (isInMenu) {
    await pressUntil(page, "ArrowDown", target);
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
export async function visit(at: At, row: PeopleDialog, language: Language, texts: ServerTexts) {
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
    const opener = openers.pop()!;
    const back = (opener.returns ?? opener.target)(at);
    await expect.soft(back, `${state}: gives the focus back`).toBeFocused();
  }
  for (const opener of openers.toReversed()) {
    await page.keyboard.press("Escape");
    open -= 1;
    await expect(dialogs(page), "closed by Escape").toHaveCount(open);
    await expect
      .soft((opener.returns ?? opener.target)(at), `${state}: gives the focus back`)
      .toBeFocused();
  }
  await row.after?.(at);
}
