/** Helpers for tests of group calls. They act by clicks and judge by what people see. */
import type { Page } from "@playwright/test";
import type { GroupCallSlice } from "../../src/shared/protocol/state.ts";
import { expect } from "./fixtures.ts";
import type { Person } from "./people.ts";
import { MEDIA_PATIENCE } from "./time-limits.ts";
import { consoleStarted } from "./started.ts";

export async function groupCall(page: Page): Promise<GroupCallSlice> {
  await consoleStarted(page);
  return page.evaluate(
    () => JSON.parse(JSON.stringify(globalThis.consoleCore.state.groupCall)) as GroupCallSlice,
  );
}

/** Waits until chat is connected, since a ring reaches only connected people. */
export async function chatOpen(pages: readonly Page[]): Promise<void> {
  for (const page of pages) {
    await consoleStarted(page);
    await expect
      .poll(() => page.evaluate(() => globalThis.consoleCore.state.chat.connection))
      .toBe("open");
  }
}

/** Chooses people in the open dialog by search, and clicks the button that rings. */
export async function choose(page: Page, names: readonly string[], button: string): Promise<void> {
  const dialog = page.getByRole("dialog").filter({ hasText: "已选" });
  for (const name of names) {
    await dialog.getByRole("textbox", { name: "搜索姓名" }).fill(name);
    await dialog.locator("label").filter({ hasText: name }).click();
  }
  await dialog.getByRole("button", { name: button }).click();
  await expect(dialog).toBeHidden();
}

/** Rings people whom the person chooses one by one. */
export async function callPeople(page: Page, names: readonly string[]): Promise<void> {
  await page.getByRole("button", { name: "发起群通话" }).click();
  await choose(page, names, "发起视频通话");
}

export const ringing = (page: Page) => page.getByRole("alertdialog");

export async function answer(page: Page): Promise<void> {
  await page.getByRole("button", { name: "接听" }).click();
  await inCall(page);
}

/** Waits until this tab shows the call large and is inside. */
export async function inCall(page: Page): Promise<void> {
  await expect(page.locator(".gcall")).toHaveAttribute("data-status", "inCall", {
    timeout: MEDIA_PATIENCE,
  });
}

/** What the strip says of those who are rung: state by chat user name. */
export const rung = (page: Page): Promise<Record<string, string>> =>
  page
    .locator(".gcall-rung li")
    .evaluateAll((rows) =>
      Object.fromEntries(
        rows.map((row) => [
          (row as HTMLElement).dataset["person"] ?? "",
          (row as HTMLElement).dataset["state"] ?? "",
        ]),
      ),
    );

/** The person's page that carries the media of the call. */
export async function callOwner(who: Person): Promise<Page> {
  let owner: Page | undefined;
  await expect
    .poll(
      async () => {
        for (const page of who.pages) {
          if (page.isClosed()) continue;
          const isOwner = await page
            .evaluate(
              () =>
                globalThis.consoleCore.state.conference.owner?.tabId ===
                globalThis.consoleCore.tabId,
            )
            .catch(() => false);
          if (isOwner) owner = page;
        }
        return owner !== undefined;
      },
      { timeout: MEDIA_PATIENCE, message: "an owner of the call" },
    )
    .toBe(true);
  if (owner === undefined) throw new Error("no owner");
  return owner;
}
