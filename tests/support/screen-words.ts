/** The words of a page, for a person who reads English: everything that is Chinese must come from the server's data. */
import { expect, type Locator, type Page } from "@playwright/test";

const CHINESE = /\p{Script=Han}/u;
/** The menus bring titles in both languages, so that a Chinese one is no excuse. */
const MENUS = /getRouters/;

/** Chinese texts of the server's answers, which no language changes. */
export interface ServerTexts {
  add(path: string, answer: unknown): void;
  /** @returns the words that have Chinese of their own */
  foreign(words: readonly string[]): string[];
}

export function createServerTexts(): ServerTexts {
  const texts = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === "string") {
      if (CHINESE.test(value)) texts.add(value.trim());
    } else if (typeof value === "object" && value !== null) {
      for (const part of Object.values(value)) collect(part);
    }
  };
  return {
    add(path, answer) {
      if (!MENUS.test(path)) collect(answer);
    },
    foreign(words) {
      const longestFirst = [...texts].toSorted((a, b) => b.length - a.length);
      return words.filter((text) => {
        if (!CHINESE.test(text)) return false;
        return CHINESE.test(longestFirst.reduce((rest, one) => rest.replaceAll(one, ""), text));
      });
    },
  };
}

/** Texts that the page shows or says. Messages, pictures of people and what must stay untranslated are left out. */
export const wordsOf = (area: Locator): Promise<string[]> =>
  area.evaluate((root) => {
    const found = new Set<string>();
    const isSaid = (element: Element | null): boolean =>
      element?.checkVisibility({ visibilityProperty: true }) === true &&
      element.closest('[translate="no"], [role="log"], .avatar') === null;
    const add = (text: string | null): void => {
      if (text !== null && text.trim() !== "") found.add(text.trim());
    };
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node !== null; node = walk.nextNode()) {
      if (isSaid(node.parentElement)) add(node.textContent);
    }
    for (const element of root.querySelectorAll("*")) {
      if (!isSaid(element)) continue;
      for (const name of ["placeholder", "title", "aria-label", "alt", "aria-description"]) {
        add(element.getAttribute(name));
      }
    }
    return [...found];
  });

/** No Chinese stands in the page but what the server's data have. */
export async function expectEnglish(page: Page, area: Locator, texts: ServerTexts, state: string) {
  const html = page.locator("html");
  await page.getByRole("button", { name: "切换语言" }).click();
  await expect(html).toHaveAttribute("lang", "en");
  const foreign = texts.foreign(await wordsOf(area));
  await page.getByRole("button", { name: /^Language/ }).click();
  await expect(html).toHaveAttribute("lang", "zh-CN");
  expect.soft(foreign, `${state}, in English`).toEqual([]);
}
