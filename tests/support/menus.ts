/** The menus as the server has them, so that no test lists them and a new page changes none. */
import type { Page } from "@playwright/test";
import { expect } from "@playwright/test";
import type { MenuEntry } from "../../src/shared/protocol/rest/entities.ts";
import { consoleStarted } from "./started.ts";

/** Entries that lead to a page: those that are shown and have none below them. */
export const leavesOf = (entries: readonly MenuEntry[]): MenuEntry[] =>
  entries.flatMap((entry) => {
    if (entry.hidden) return [];
    return entry.childMenu.length === 0 ? [entry] : leavesOf(entry.childMenu);
  });

/** @returns the uris of the pages in the menus of a person who is logged in */
export async function menuUris(page: Page): Promise<string[]> {
  await consoleStarted(page);
  const read = async (): Promise<string[]> =>
    leavesOf(
      await page.evaluate(
        () => JSON.parse(JSON.stringify(globalThis.consoleCore.state.session.menus)) as MenuEntry[],
      ),
    ).map(({ uri }) => uri);
  await expect.poll(async () => (await read()).length).toBeGreaterThan(0);
  return read();
}
