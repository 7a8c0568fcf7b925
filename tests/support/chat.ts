/** Helpers for tests of chat: writing and reading messages in a page, and reading them in the database of a stopped server. */
import type { Page } from "@playwright/test";
import { expect } from "./fixtures.ts";
import type { TestServer } from "./server.ts";
import { consoleStarted } from "./started.ts";
import { storedRows } from "./stored-rows.ts";

export const composer = (page: Page) => page.getByRole("textbox", { name: "输入消息" });

/** Texts of the visible message bubbles, oldest first. */
export const bubbles = (page: Page): Promise<string[]> =>
  page.locator(".message-bubble").allTextContents();

/** Number of own messages that are being sent or have failed. */
export const unsent = (page: Page): Promise<number> =>
  page.locator('.message[data-status="sending"], .message[data-status="failed"]').count();

/** Texts of the visible alerts. */
export const alerts = (page: Page): Promise<string[]> =>
  page.locator('[role="alert"]:visible').allTextContents();

/** Types the text and presses Enter. */
export async function sendText(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await composer(page).press("Enter");
}

/** Texts of all messages of the page's open conversation, oldest first, also of those that are not drawn. */
export async function listed(page: Page): Promise<string[]> {
  await consoleStarted(page);
  return page.evaluate(() => {
    const chatId = new URLSearchParams(location.search).get("chat") ?? "";
    const conversation = globalThis.consoleCore.state.chat.conversations[chatId];
    return (conversation?.order ?? []).flatMap((id) => conversation?.messages[id]?.msg ?? []);
  });
}

/** So many rows are drawn at least at the end of a list (docs/chat.md#message-list). */
const DRAWN = 10;

/**
 * Waits until each page has exactly these messages in this order, shows the last of them, no message is being sent, and no alert is
 * visible. A list draws only the rows near the visible part, so the bubbles are compared as far as they go.
 */
export async function expectBothSee(
  pages: readonly Page[],
  texts: readonly string[],
  timeout: number,
): Promise<void> {
  for (const [at, page] of pages.entries()) {
    await expect
      .poll(
        async () => ({
          listed: (await listed(page)).slice(-texts.length),
          shown: (await bubbles(page)).slice(-Math.min(texts.length, DRAWN)),
          unsent: await unsent(page),
          alerts: await alerts(page),
        }),
        { timeout, intervals: [50], message: `the messages of page ${at}` },
      )
      .toEqual({ listed: texts, shown: texts.slice(-DRAWN), unsent: 0, alerts: [] });
  }
}

/**
 * Texts between « and » of all messages in the database, in the server's order, restricted to `among`, because an earlier test may
 * have left others. The server must be stopped.
 */
export async function storedTexts(server: TestServer, among: readonly string[]): Promise<string[]> {
  const asked = new Set(among);
  const rows = await storedRows<{ meta: Uint8Array }>(
    server,
    "SELECT meta FROM chat_message WHERE roams ORDER BY id",
  );
  return rows
    .flatMap(({ meta }) => /«[^»]*»/.exec(Buffer.from(meta).toString("utf8")) ?? [])
    .filter((text) => asked.has(text));
}
