/** Code that was not loaded when the server went away (docs/shell.md#a-missing-script): what stands in its place, and how it goes on. */
import type { Page, Route } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot } from "../support/look.ts";
import { goTo, outageBar } from "../support/outage.ts";

const AWAY =
  /ERR_CONNECTION|ERR_FAILED|preload assets|Failed to load resource|WebSocket connection|\[core\]|MIME type|error: Error \(/;
const waits = (page: Page) => page.locator(".page-waits");
const retry = (page: Page) => waits(page).getByRole("button", { name: "重试" });

/** Holds what matches until it is let go. */
async function hold(page: Page, glob: string): Promise<() => Promise<void>> {
  const held: Route[] = [];
  await page.route(glob, (route) => void held.push(route));
  return async () => {
    await page.unroute(glob);
    await Promise.all(held.map((route) => route.abort().catch(() => undefined)));
  };
}

test("A page whose code is on its way says that it loads, then that the server is away, and appears by itself when it is back", async ({
  people,
  server,
}) => {
  people.expectComplaints(AWAY);
  const [page] = (await people.loggedIn("admin", { path: "/system/config" })).pages as [Page];
  await expect(page.getByRole("row").nth(1)).toBeVisible();
  // a network that swallows packets: nothing fails, and nothing comes
  const letGo = await hold(page, "**/assets/dict*.js");
  await goTo(page, "字典管理", "系统管理");
  await expect(waits(page)).toContainText("加载中");
  await server.kill();
  await expect(waits(page)).toContainText("无法连接服务器");
  await expect(retry(page)).toBeVisible();
  await expect(outageBar(page)).toHaveAttribute("data-outage", "down");
  await expectAccessible(page, "a page that waits for the server");
  await shoot(page, "missing-code");
  await letGo();
  await server.start();
  await expect(page.getByRole("row").nth(1)).toBeVisible();
  await expect(waits(page)).toHaveCount(0);
});

test("A page outside of the frame and the lock screen say so too", async ({ people, server }) => {
  people.expectComplaints(AWAY);
  const [page] = (await people.loggedIn("admin", { path: "/system/config" })).pages as [Page];
  await expect(page.getByRole("row").nth(1)).toBeVisible();
  const letGo = await hold(page, "**/assets/LockScreen*.js");
  await page.evaluate(() => globalThis.consoleCore.commands.session.lock({}));
  await expect(waits(page)).toContainText("加载中");
  await server.kill();
  await expect(retry(page)).toBeVisible();
  await shoot(page, "missing-code-lock");
  await letGo();
  await server.start();
  await expect(page.getByLabel("登录密码")).toBeVisible();
});

test("A network that answers by its own page instead of the code is an outage, not a fault of the page", async ({
  people,
}) => {
  people.expectComplaints(AWAY);
  const [page] = (await people.loggedIn("admin", { path: "/system/config" })).pages as [Page];
  await expect(page.getByRole("row").nth(1)).toBeVisible();
  const portal = (route: Route) =>
    route.fulfill({ contentType: "text/html", body: "<title>网络登录</title>" });
  await page.route("**/assets/**", portal);
  await page.route("**/build.json", portal);
  await goTo(page, "字典管理", "系统管理");
  await expect(retry(page)).toBeVisible();
  await expect(page.getByText("页面出现错误")).toHaveCount(0);
  await page.unroute("**/assets/**");
  await page.unroute("**/build.json");
  await expect(page.getByRole("row").nth(1)).toBeVisible();
});
