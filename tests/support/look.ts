/** Checks of a screen's appearance: pictures in light, dark and narrow, accessibility violations, and keyboard access. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import { engineOf } from "./crash.ts";
import { expect, type Locator, type Page } from "@playwright/test";

/** Whether pictures are saved, for a person who looks at them. `npm test` saves none: four per screen take minutes of a run. */
const saves = process.env["SAVE_SCREENS"] === "1";
/** Folder of the pictures. */
const SCREENS = join(import.meta.dirname, "../../.artifacts/screens");
const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 390, height: 844 };
const SIZES = { wide: WIDE, narrow: NARROW } as const;

/** Waits until nothing moves any more: dialogs that slide in, and colours that change with the theme. */
const settle = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    await Promise.all(
      document
        .getAnimations()
        .filter((a) => a.effect?.getTiming().iterations !== Infinity)
        // What is not drawn, as in a closed <details>, never ends.
        .filter(
          ({ effect }) =>
            !(effect instanceof KeyframeEffect) || effect.target?.checkVisibility() !== false,
        )
        .map((a) => a.finished.catch(() => undefined)),
    );
  });

async function setTheme(page: Page, theme: "light" | "dark"): Promise<void> {
  await page.evaluate((dark) => {
    if (dark) document.body.setAttribute("arco-theme", "dark");
    else document.body.removeAttribute("arco-theme");
  }, theme === "dark");
  await settle(page);
}

/** Elements that extend beyond the right edge and cannot be scrolled to, so that the page cuts them off. */
const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    // The page itself scrolls only vertically.
    const scrolls = (element: Element | null): boolean =>
      element !== null &&
      element.id !== "main" &&
      (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
    const isSeen = (element: Element): boolean =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const found = [...document.querySelectorAll("body *")].filter(
      (one) =>
        one.getBoundingClientRect().right > width + 1 &&
        one.getBoundingClientRect().width > 0 &&
        isSeen(one) &&
        !scrolls(one.parentElement),
    );
    return found
      .slice(0, 5)
      .map((one) => `${one.tagName} ${one.className} ${one.textContent?.slice(0, 30)}`);
  });

/** Text fields that are too narrow to show what is typed. */
const squeezed = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLInputElement>("input:not([type]), input[type=text]")]
      .filter((field) => !field.readOnly && field.checkVisibility({ visibilityProperty: true }))
      .filter(({ clientWidth }) => clientWidth > 1 && clientWidth < 48)
      .map((field) => `${field.ariaLabel ?? field.placeholder}: ${field.clientWidth} px`),
  );

/** With SAVE_SCREENS=1, saves the screen to .artifacts/screens in light and dark. */
export async function save(page: Page, name: string): Promise<void> {
  // In Firefox the screenshot tool violates the page's style policy, which would be reported.
  if (!saves || engineOf(page) === "firefox") return;
  mkdirSync(SCREENS, { recursive: true });
  for (const theme of ["light", "dark"] as const) {
    await setTheme(page, theme);
    await page.screenshot({ path: join(SCREENS, `${name}-${theme}.png`) });
  }
  await setTheme(page, "light");
}

/** Fails where an element is cut off at the side or a field shows no text, wide and narrow. With SAVE_SCREENS=1 it saves pictures. */
export async function shoot(
  page: Page,
  name: string,
  looks: readonly (keyof typeof SIZES)[] = ["wide", "narrow"],
): Promise<void> {
  for (const look of looks) {
    await page.setViewportSize(SIZES[look]);
    await settle(page);
    await save(page, `${name}-${look}`);
    // Some parts follow the new size a moment later.
    const sideways = `${name} ${look}: nothing sticks out sideways`;
    await expect.poll(() => cutOff(page), sideways).toEqual([]);
    await expect
      .poll(() => squeezed(page), `${name} ${look}: every field shows its text`)
      .toEqual([]);
  }
  await page.setViewportSize(WIDE);
}

/** Rules about colours. The others judge the same in light and in dark. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"];

/** The serious and critical violations of the screen as it is now, or of a part of it. */
async function violationsOf(
  page: Page,
  theme: "light" | "dark",
  part: string | undefined,
): Promise<string[]> {
  // Without legacy mode axe opens a tab, which the core would count.
  // Of what passes, axe would otherwise describe every element, which takes longer than to look at it.
  const all = new AxeBuilder({ page }).options({ resultTypes: ["violations"] }).setLegacyMode();
  const axe = part === undefined ? all : all.include(part);
  const { violations } = await (theme === "dark" ? axe.withRules(OF_COLOURS) : axe).analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map((n) => `${id}: ${n.html} ${n.failureSummary ?? ""}`));
}

/**
 * Fails on a serious or critical violation, in light or dark.
 *
 * @param part selects what is looked at, where the rest of the page is looked at elsewhere
 */
export async function expectAccessible(page: Page, screen: string, part?: string): Promise<void> {
  for (const theme of ["light", "dark"] as const) {
    await setTheme(page, theme);
    let grave = await violationsOf(page, theme, part);
    // A notice that fades away while axe looks is faint for a moment. What stays faint is a violation.
    if (grave.length > 0) {
      await settle(page);
      grave = await violationsOf(page, theme, part);
    }
    expect.soft(grave, `${screen}, ${theme}`).toEqual([]);
  }
  await setTheme(page, "light");
}

/** Presses Tab until the element has focus. An element that cannot be reached this way cannot be used without a mouse. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let presses = 0; presses < 80; presses += 1) {
    if (await target.evaluate((e) => e === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  await expect(target, "reached by the Tab key").toBeFocused();
}
