/**
 * A list of 2,000 conversations. They are put into the page's state, because a device begins with the newest 200 and collects the others
 * over months.
 */
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot } from "../support/look.ts";

const TOTAL = 2000;
/** Rows that the list may have in the DOM. */
const ROWS = 60;

test("A list of 2,000 conversations renders at most 60 rows, is scrolled and searched to its last, and keeps the row with the focus", async ({
  people,
}) => {
  const page = (await people.loggedIn("zhangwei", { path: "/im/people" })).pages[0]!;
  await page.waitForFunction(() => globalThis.consoleCore.state.chat.connection === "open");
  await page.evaluate((total) => {
    const { conversations } = globalThis.consoleCore.state.chat;
    const now = Date.now();
    for (let n = 0; n < total; n += 1) {
      const chatId = `colleague${n}`;
      conversations[chatId] = {
        chatId,
        name: `同事 ${n}`,
        unread: n % 7 === 0 ? 1 : 0,
        order: [`m${n}`],
        messages: {
          [`m${n}`]: {
            id: `m${n}`,
            mid: String(n + 1),
            chatId,
            from: chatId,
            bySelf: false,
            type: "text",
            msg: `第 ${n} 条消息`,
            status: "unread",
            time: now - n * 60_000,
          },
        },
        historyLoaded: true,
        historyEnd: true,
      };
    }
  }, TOTAL);
  const list = page.getByRole("complementary", { name: "联系人列表" });
  const rows = list.locator(".contact-row");
  const drawn = async (): Promise<number> => rows.count();
  await expect(list.getByText("同事 3", { exact: true })).toBeVisible();
  expect(await drawn()).toBeLessThanOrEqual(ROWS);
  expect(Number(await rows.first().getAttribute("aria-setsize"))).toBeGreaterThanOrEqual(TOTAL);
  // Dense enough that a window of 800 px shows ten conversations at once.
  const inSight = await rows.evaluateAll(
    (all) => all.filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length,
  );
  expect(inSight).toBeGreaterThanOrEqual(10);
  await shoot(page, "many-conversations");
  await expectAccessible(page, "a list of 2,000 conversations");

  const box = list.locator(".contacts-scroll");
  await list.locator('[data-user="colleague1"]').focus();
  await box.evaluate((element) => (element.scrollTop = element.scrollHeight));
  await expect(list.getByText(`同事 ${TOTAL - 1}`, { exact: true })).toBeAttached();
  expect(await drawn()).toBeLessThanOrEqual(ROWS);
  await expect(list.locator('[data-user="colleague1"]'), "keeps the focus").toBeFocused();
  await page.keyboard.press("Tab");
  await expect(list.locator('[data-user="colleague2"]'), "is the next row").toBeFocused();
  await expect(list.locator('[data-user="colleague2"]')).toBeInViewport();

  const search = list.getByRole("textbox", { name: "搜索" });
  await box.evaluate((element) => (element.scrollTop = element.scrollHeight));
  await search.fill("同事 1234");
  await expect(list.getByText("同事 1234", { exact: true })).toBeInViewport();
  await expect(list.getByText("同事 3", { exact: true })).toHaveCount(0);
  await search.fill("");
  await expect(list.getByText("同事 3", { exact: true }), "begins at the top").toBeInViewport();
  await list.getByText("未读", { exact: true }).click();
  await expect(list.getByText("同事 7", { exact: true })).toBeInViewport();
  await expect(list.getByText("同事 3", { exact: true })).toHaveCount(0);
  expect(await drawn()).toBeLessThanOrEqual(ROWS);

  // On a phone a conversation stands in the list's place. Its row has the focus again afterwards, wherever it stands by then.
  await list.getByText("全部", { exact: true }).click();
  await page.setViewportSize({ width: 390, height: 844 });
  // A colleague without a message stands behind all conversations.
  const far = list.locator('[data-user="lina"]');
  await box.evaluate((element) => (element.scrollTop = element.scrollHeight));
  await expect(far).toBeAttached();
  await far.focus();
  await page.keyboard.press("Enter");
  const back = page.getByRole("button", { name: "返回" });
  await expect(back).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(far).toBeFocused();
  await expect(far).toBeInViewport();
  expect(await box.evaluate((element) => element.scrollTop)).toBeGreaterThan(10_000);
  await page.keyboard.press("Enter");
  await expect(back).toBeFocused();
  // A message comes, so that the row goes to the top.
  await page.evaluate(() => {
    const { conversations } = globalThis.consoleCore.state.chat;
    const { m0 } = conversations["colleague0"]!.messages;
    const message = { ...m0!, chatId: "lina", from: "lina", time: Date.now() + 60_000 };
    Object.assign(conversations["lina"]!, { order: ["m0"], messages: { m0: message } });
  });
  await page.keyboard.press("Enter");
  await expect(far).toBeFocused();
  await expect(far).toBeInViewport();
  await expect(far.locator("xpath=..")).toHaveAttribute("aria-posinset", "1");
});
