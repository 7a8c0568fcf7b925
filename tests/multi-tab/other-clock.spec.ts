/**
 * The clock of a person's machine is days off the server's (docs/session.md#clocks). Page and worker of that browser get the other clock; the
 * server and the other person keep theirs.
 */
import type { Page } from "@playwright/test";
import { answerButton, conversationRow, dial, hangUpButton, openChat } from "../support/calls.ts";
import { bubbles, sendText } from "../support/chat.ts";
import { expect, test } from "../support/fixtures.ts";
import { startGateway } from "../support/gateway.ts";
import { loggedIn } from "../support/people.ts";

const HOUR = 3_600_000;

/** Code that moves the clock of a page or a worker. */
const clockCode = (ms: number): string => `{
  const Real = Date;
  const now = () => Real.now() + ${ms};
  globalThis.Date = class extends Real {
    constructor(...given) { super(...(given.length === 0 ? [now()] : given)); }
    static now() { return now(); }
  };
}`;

const chatOf = (page: Page) =>
  page.evaluate(() => globalThis.consoleCore.state.chat.connection as string);

for (const [name, hours] of [
  ["49 hours ahead", 49],
  ["23 hours ahead", 23],
  ["49 hours behind", -49],
] as const) {
  test(`With a clock ${name} chat is open, presence known, a new message is new, and a call rings`, async ({
    browser,
    people,
    server,
  }) => {
    const gateway = await startGateway(server.url);
    gateway.beforeCore(clockCode(hours * HOUR));
    const [lina] = (await people.loggedIn("lina", { path: "/im/people" })).pages as [Page];
    const zhang = await loggedIn(browser, gateway.url, "zhangwei", {
      path: "/im/people",
      initScript: clockCode(hours * HOUR),
    });
    const [page] = zhang.pages as [Page];
    await expect
      .poll(() =>
        page.evaluate(() => Math.round((Date.now() - performance.timeOrigin) / 3_600_000)),
      )
      .toBe(hours);
    await expect.poll(() => chatOf(page)).toBe("open");
    await expect(page.locator('[data-user="lina"]')).toHaveAttribute("data-online", "true");
    await expect(lina.locator('[data-user="zhangwei"]')).toHaveAttribute("data-online", "true");

    const text = `时钟${hours}`;
    await openChat(page, "李娜");
    await sendText(page, text);
    await expect.poll(async () => (await bubbles(page)).at(-1)).toContain(text);
    await expect(conversationRow(page, "李娜")).toContainText("刚刚");
    await openChat(lina, "张伟");
    await expect.poll(async () => (await bubbles(lina)).at(-1)).toContain(text);
    await expect(conversationRow(lina, "张伟")).toContainText("刚刚");

    await dial(lina, "张伟", "语音通话");
    await expect(answerButton(page)).toBeVisible();
    await hangUpButton(lina).click();
    await expect(answerButton(page)).toHaveCount(0);
    // it has stayed open all the time
    expect(await chatOf(page)).toBe("open");
    await zhang.close();
    await gateway.close();
  });
}
