/** Helpers for tests of calls. They act by clicks and judge by what people see. */
import type { Locator, Page } from "@playwright/test";
import { expect } from "./fixtures.ts";
import { expectArriving, inbound, remotePixels } from "./rtc.ts";
import { consoleStarted } from "./started.ts";

/** The row of a person or group in the list of conversations. Other rows may contain the name in their last message. */
export const conversationRow = (page: Page, name: string): Locator =>
  page
    .locator(".contact-row")
    .filter({ has: page.locator(".contact-name").getByText(name, { exact: true }) });

/** Opens the conversation with the person of that name on the people page. */
export async function openChat(page: Page, name: string): Promise<void> {
  await conversationRow(page, name).click();
  await expect(page.getByRole("heading", { name })).toBeVisible();
}

/** Opens the conversation and calls the person. */
export async function dial(
  page: Page,
  name: string,
  button: "语音通话" | "视频通话" = "视频通话",
): Promise<void> {
  await openChat(page, name);
  await page.getByRole("button", { name: button }).click();
}

export const answerButton = (page: Page) => page.getByRole("button", { name: "接听" });
export const refuseButton = (page: Page) => page.getByRole("button", { name: "拒绝" });
export const hangUpButton = (page: Page) => page.getByRole("button", { name: "挂断" });
export const timer = (page: Page) => page.getByRole("timer");

/** The page that owns the media, which has an open connection; null when none does. */
export async function ownerOf(pages: readonly Page[]): Promise<Page | null> {
  for (const page of pages) {
    if (page.isClosed()) continue;
    const peers = await inbound(page).then(
      (i) => i.openPeers,
      () => 0,
    );
    if (peers > 0) return page;
  }
  return null;
}

/** Waits until one of the pages carries the media, and returns it. */
export async function waitForOwner(pages: readonly Page[]): Promise<Page> {
  let owner: Page | null = null;
  await expect
    .poll(async () => {
      owner = await ownerOf(pages);
      return owner !== null;
    })
    .toBe(true);
  if (owner === null) throw new Error("no owner");
  return owner;
}

/** Waits until frames are decoded (unless `video` is false) and audio arrives. */
export const expectMedia = (page: Page, video = true): Promise<void> =>
  expectArriving(page, { frames: video ? 6 : 0, audioPackets: 11 });

/** Waits until the picture of the remote video element changes. */
export async function expectMovingPicture(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      const first = await remotePixels(page);
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)));
      const second = await remotePixels(page);
      return first !== null && second !== null && first !== second;
    })
    .toBe(true);
}

/** Seconds shown by a timer `mm:ss` or `hh:mm:ss`. */
export async function shownSeconds(page: Page): Promise<number> {
  const text = (await timer(page).first().textContent()) ?? "";
  return text
    .trim()
    .split(":")
    .reduce((sum, part) => sum * 60 + Number(part), 0);
}

/** The call's id in the tab's mirror; null without a call. */
export async function callId(page: Page): Promise<string | null> {
  await consoleStarted(page);
  return page.evaluate(() => globalThis.consoleCore.state.call.info?.callId ?? null);
}

export async function callStatus(page: Page): Promise<string> {
  await consoleStarted(page);
  return page.evaluate(() => globalThis.consoleCore.state.call.status);
}
