/**
 * What a browser's translator does to a page: each text node is replaced by elements with a text, and again whatever changes. The words
 * stay, so that tests find them.
 */
import { type BrowserContext, expect, type Page } from "@playwright/test";

/** Translates every page of the context, also what appears later. */
export const translatePages = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    const LEFT = "script, style, noscript, textarea, svg, canvas, font, [translate=no]";
    const makeFont = (inner: Node): HTMLElement => {
      const font = document.createElement("font");
      font.style.verticalAlign = "inherit";
      font.append(inner);
      return font;
    };
    let planned = false;
    const translate = (): void => {
      planned = false;
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const texts: Text[] = [];
      while (walker.nextNode() !== null) texts.push(walker.currentNode as Text);
      for (const text of texts) {
        const parent = text.parentElement;
        if (parent === null || text.data.trim() === "" || parent.closest(LEFT) !== null) continue;
        const translated = document.createTextNode(text.data);
        text.replaceWith(makeFont(makeFont(translated)));
      }
    };
    new MutationObserver(() => {
      if (planned) return;
      planned = true;
      setTimeout(translate);
    }).observe(document, { childList: true, subtree: true, characterData: true });
  });

/** Waits until the page is translated: nearly all of its texts, for some say that they must not be. */
export const expectTranslated = (page: Page): Promise<void> =>
  expect
    .poll(() => page.locator("#root font font").count(), "texts that were translated")
    .toBeGreaterThan(8);
