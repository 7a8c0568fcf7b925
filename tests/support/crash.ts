/** Kills the renderer of a page, as the system does with one that ran out of memory. */
import type { Page } from "@playwright/test";

export async function crash(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const crashed = new Promise<void>((resolve) => page.once("crash", () => resolve()));
  // the command's own answer never comes: its target is dead
  void session.send("Page.crash").catch(() => undefined);
  await crashed;
}
