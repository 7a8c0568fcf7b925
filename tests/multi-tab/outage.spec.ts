/**
 * Cores and servers fail at chosen moments. Nothing that was sent or written may be lost, and every page must continue
 * automatically.
 */
import { openChat } from "../support/calls.ts";
import { alerts, bubbles, composer, expectBothSee, sendText } from "../support/chat.ts";
import { coreId, killCore } from "../support/crash.ts";
import { expect, test } from "../support/fixtures.ts";
import { goTo, outageBar } from "../support/outage.ts";
import { logIn } from "../support/people.ts";
import { breakTokens, chooseNewLogin } from "../support/tokens.ts";

test.use({ serverDatabase: "embedded" });

test("When the core is killed among six messages, both lists keep them in order, and drafts stay", async ({
  people,
}) => {
  const zhang = await people.loggedIn("zhangwei", { tabs: 2, killsCore: true });
  const li = await people.loggedIn("lina");
  const [a, other] = [zhang.pages[0]!, zhang.pages[1]!];
  const b = li.pages[0]!;
  for (const page of [a, other]) await openChat(page, "李娜");
  await openChat(b, "张伟");
  await composer(other).fill("写到一半的话");
  const texts = [0, 1, 2, 3, 4, 5].map((n) => `«同时 ${n}»`);
  const first = await coreId(a);
  for (const text of texts.slice(0, 3)) await sendText(a, text);
  await killCore(a);
  for (const text of texts.slice(3)) await sendText(a, text);
  // Each message is a bubble in its place, whether or not a core runs.
  await expect.poll(async () => (await bubbles(a)).slice(-6)).toEqual(texts);
  await expect(composer(a)).toHaveValue("");
  await expectBothSee([a, other, b], texts, 20_000);
  await expect.poll(() => coreId(a)).not.toBe(first);
  await expect(composer(other)).toHaveValue("写到一半的话");
});

test("Messages that wait for a core survive the reload of their tab, in order and once", async ({
  people,
}) => {
  const zhang = await people.loggedIn("zhangwei", { tabs: 2, killsCore: true });
  const li = await people.loggedIn("lina");
  const a = zhang.pages[0]!;
  const b = li.pages[0]!;
  await openChat(a, "李娜");
  await openChat(b, "张伟");
  const texts = [0, 1, 2].map((n) => `«重载 ${n}»`);
  await killCore(a);
  for (const text of texts) await sendText(a, text);
  await a.reload();
  await expectBothSee([a, b], texts, 20_000);
});

test("A draft survives a reload, a logout by a refused token, and the next login of the same person", async ({
  people,
}) => {
  people.expectComplaints(/status of 401/);
  const zhang = await people.loggedIn("zhangwei", { killsCore: true });
  const page = zhang.pages[0]!;
  await openChat(page, "李娜");
  await composer(page).fill("没写完");
  await page.reload();
  await expect(composer(page)).toHaveValue("没写完");

  await breakTokens(page);
  await chooseNewLogin(page);
  await page.goto("/login");
  await logIn(page, "zhangwei");
  await page.goto("/im/people?chat=lina");
  await expect(composer(page)).toHaveValue("没写完");
});

test("When the server fails, one bar says so, lists stay, presence is unknown, and a page opened meanwhile appears automatically", async ({
  people,
  server,
}) => {
  people.expectComplaints(/WebSocket connection|ERR_CONNECTION|Failed to load resource/);
  const li = await people.loggedIn("lina");
  const admin = await people.loggedIn("admin", { tabs: 2 });
  const [page, other] = [admin.pages[0]!, admin.pages[1]!];
  await openChat(page, "李娜");
  const contact = page.locator('.contact[data-user="lina"]');
  await expect(contact).toHaveAttribute("data-online", "true");
  const contacts = await page.locator(".contact").count();
  expect(contacts).toBeGreaterThan(1);
  await other.goto("/dashboard");
  await openChat(li.pages[0]!, "管理员");

  await server.kill("SIGKILL");
  await expect(outageBar(page)).toHaveCount(1);
  await expect(outageBar(page)).toContainText("暂时连接不上服务器");
  await expect(outageBar(other)).toHaveCount(1);
  await expect(contact).toHaveAttribute("data-online", "unknown");
  await expect(page.locator(".contact")).toHaveCount(contacts);
  await sendText(page, "«断开时»");
  await expect.poll(async () => (await bubbles(page)).at(-1)).toBe("«断开时»");
  // The code of this page was never loaded.
  await goTo(other, "员工列表", "员工管理");
  await expect(other).toHaveURL(/employees|supplier/);
  await expect(other.locator(".progress")).toHaveAttribute("data-state", "running");
  await expect.poll(() => alerts(page)).toEqual([]);

  await server.start();
  await expect(outageBar(page)).toHaveCount(0);
  await expect(outageBar(other)).toHaveCount(0);
  await expect(other.getByRole("row").nth(1)).toBeVisible();
  // its styles could not be fetched either
  await expect(other.locator(".list-page-search")).toHaveCSS("max-width", "240px");
  await expect(contact).toHaveAttribute("data-online", "true");
  await expectBothSee([page, li.pages[0]!], ["«断开时»"], 30_000);
  await expect.poll(() => alerts(other)).toEqual([]);
});
