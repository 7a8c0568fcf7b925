/** A console that has started in a page: `load` and `reload` of the browser return before it. */
import type { Page } from "@playwright/test";

/**
 * Waits until the page's console has made its core client. The first script loads the console dynamically, so the page's load event,
 * after which `goto` and `reload` return, comes first; on a busy machine by a second. Readers of the mirrored state call this.
 */
export async function consoleStarted(page: Page): Promise<void> {
  await page.waitForFunction(
    () => (globalThis.consoleCore as typeof globalThis.consoleCore | undefined) !== undefined,
  );
}
