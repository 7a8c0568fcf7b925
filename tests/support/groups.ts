/** Groups of a test: made by the command that the console's dialog gives, and opened in tabs. */
import type { Locator, Page } from "@playwright/test";
import { expect } from "./fixtures.ts";

/** Waits until the chat of each page is connected. */
export async function expectConnected(pages: readonly Page[]): Promise<void> {
  for (const page of pages) {
    await expect
      .poll(() => page.evaluate(() => globalThis.consoleCore.state.chat.connection))
      .toBe("open");
  }
}

/** @param members chat user names of the others. @returns the group's id */
export async function createGroup(
  page: Page,
  name: string,
  members: readonly string[],
): Promise<string> {
  await expectConnected([page]);
  const { groupId } = await page.evaluate(
    (given) => globalThis.consoleCore.commands.group.create(given),
    { name, members: [...members] },
  );
  return groupId;
}

/** Opens the group's conversation by its address. */
export async function openGroup(page: Page, groupId: string): Promise<void> {
  await page.goto(`/im/people?chat=${encodeURIComponent(`#${groupId}`)}`);
}

export const membersPanel = (page: Page): Locator =>
  page.getByRole("complementary", { name: "群成员" });

/** Opens the panel beside the conversation. @returns it */
export async function openMembers(page: Page): Promise<Locator> {
  await page.getByRole("button", { name: "群成员" }).click();
  return membersPanel(page);
}

/** Opens the group's files, from its conversation. @returns their dialog */
export async function openGroupFiles(page: Page): Promise<Locator> {
  await (await openMembers(page)).getByRole("button", { name: "群文件" }).click();
  return page.getByRole("dialog", { name: "群文件" });
}
