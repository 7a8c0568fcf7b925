/** What is wrong with the screens of a call at a glance: controls that are covered, cut off, too small, nameless, or on one another. */
import type { Locator, Page } from "@playwright/test";
import { expect } from "./fixtures.ts";
import { save, shoot } from "./look.ts";

const SIZES = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
] as const;
/** Least width and height of a control, px. */
const LEAST = 28;

/** Runs in the page, so it uses nothing of this file. */
function faultsOf(part: Element, least: number): string[] {
  const page = part.ownerDocument;
  const { innerWidth, innerHeight } = page.defaultView ?? globalThis;
  const faults: string[] = [];
  const controls = [...part.querySelectorAll<HTMLElement>("button, a, input")]
    .filter((one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
    .map((one) => ({
      one,
      name: (one.ariaLabel ?? one.textContent).trim(),
      box: one.getBoundingClientRect(),
    }));
  if (controls.length === 0) faults.push("nothing to press");
  for (const [index, { one, name, box }] of controls.entries()) {
    const { left, top, right, bottom, width, height } = box;
    if (name === "") faults.push(`a control without a name: ${one.className}`);
    if (Math.min(width, height) < least) {
      faults.push(`${name}: ${Math.round(width)} x ${Math.round(height)} px`);
    }
    const isInside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    if (!isInside) faults.push(`${name} is outside of the window`);
    const front = page.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    if (isInside && !one.contains(front)) faults.push(`${name} is covered`);
    for (const other of controls.slice(index + 1)) {
      const across = Math.min(right, other.box.right) - Math.max(left, other.box.left);
      const along = Math.min(bottom, other.box.bottom) - Math.max(top, other.box.top);
      if (across > 0 && along > 0) faults.push(`${name} and ${other.name} overlap`);
    }
  }
  // Words that end without "…" where their box ends.
  for (const one of part.querySelectorAll<HTMLElement>("strong, h2, p, small, .round > span")) {
    const isCut = one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0;
    if (isCut && getComputedStyle(one).textOverflow !== "ellipsis") {
      faults.push(`${one.textContent} is cut off`);
    }
  }
  if (page.documentElement.scrollWidth > innerWidth) faults.push("the page scrolls sideways");
  return faults;
}

/** Saves the screen, and fails where this part of it has a fault, wide and on a phone. */
export async function lookAtCall(page: Page, name: string, part: Locator): Promise<void> {
  await shoot(page, name);
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await expect
      .poll(() => part.evaluate(faultsOf, LEAST), `${name} at ${size.width} px`)
      .toEqual([]);
  }
}

/** The same of a window that floats, in its own size. */
export async function lookAtFloating(floating: Page, name: string): Promise<void> {
  await floating.setViewportSize({ width: 400, height: 300 });
  await save(floating, name);
  const part = floating.locator(".floating");
  await expect.poll(() => part.evaluate(faultsOf, LEAST), name).toEqual([]);
}
