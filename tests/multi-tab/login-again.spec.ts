/** A login after a login has ended: another person gets nothing of the former one, the same person gets everything back. */
import { openChat } from "../support/calls.ts";
import { alerts, bubbles, composer, sendText } from "../support/chat.ts";
import { expect, test } from "../support/fixtures.ts";
import { logIn } from "../support/people.ts";
import { breakTokens, chooseNewLogin } from "../support/tokens.ts";

test("Another person who logs in after a refused token reaches the requested page, has her own list, and sees no draft of the former person", async ({
  people,
}) => {
  people.expectComplaints(/status of 401/);
  const zhang = await people.loggedIn("zhangwei", { killsCore: true });
  const page = zhang.pages[0]!;
  await openChat(page, "李娜");
  await composer(page).fill("没写完");
  await breakTokens(page);
  await chooseNewLogin(page);
  await page.goto("/login");
  await logIn(page, "lina");
  // Immediately, when the person may not be known yet.
  await page.goto("/im/people");
  await openChat(page, "张伟");
  await expect(page).toHaveURL(/\/im\/people/);
  await expect(page.locator(".contact")).toHaveCount(3);
  await expect(composer(page)).toHaveValue("");
  await expect.poll(() => alerts(page)).toEqual([]);
  await page.evaluate(() => globalThis.consoleCore.commands.session.logout({}));
  await expect(page).toHaveURL(/\/login/);
  await logIn(page, "zhangwei");
  await page.goto("/im/people?chat=lina");
  await expect(composer(page)).toHaveValue("没写完");
});

test("After a new login of the sender, read messages are 已读 and unread ones 已发送", async ({
  people,
}) => {
  const zhang = await people.loggedIn("zhangwei");
  const li = await people.loggedIn("lina");
  const [a, b] = [zhang.pages[0]!, li.pages[0]!];
  await openChat(a, "李娜");
  await openChat(b, "张伟");
  const statuses = (): Promise<(string | null)[]> =>
    a
      .locator(".message")
      .evaluateAll((all) => all.slice(-2).map((one) => one.getAttribute("data-status")));
  await sendText(a, "«读过»");
  await expect.poll(async () => (await statuses()).at(-1)).toBe("read");
  await li.close();
  await sendText(a, "«未读»");
  await expect.poll(statuses).toEqual(["read", "sent"]);
  await a.evaluate(() => globalThis.consoleCore.commands.session.logout({}));
  await expect(a).toHaveURL(/\/login/);
  await logIn(a, "zhangwei");
  await a.goto("/im/people?chat=lina");
  await expect.poll(async () => (await bubbles(a)).slice(-2)).toEqual(["«读过»", "«未读»"]);
  await expect.poll(() => statuses()).toEqual(["read", "sent"]);
});
