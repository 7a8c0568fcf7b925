/** Login, guard, refresh, in a browser (docs/session.md). */
import { conversationRow } from "../support/calls.ts";
import { expect, test } from "../support/fixtures.ts";
import { logIn } from "../support/people.ts";

test.use({ serverDatabase: "embedded" });

test("Without a login every page leads to /login and back", async ({ people }) => {
  const who = await people.anonymous("zhangwei");
  const page = await who.open("/im/people?from=mail");
  await expect(page).toHaveURL(/\/login\?redirect=%2Fim%2Fpeople%3Ffrom%3Dmail$/);
  await logIn(page, "zhangwei");
  await expect(page).toHaveURL(/\/im\/people\?from=mail$/);
  // A reload on a route from the server's menus stays there.
  await page.reload();
  await expect(conversationRow(page, "李娜")).toBeVisible();
  await expect(page).toHaveURL(/\/im\/people\?from=mail$/);
  await page.goto("/login");
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goto("/no/such/page");
  await expect(page).toHaveURL(/\/404$/);
});

test("A wrong password shows an error text and changes nothing else", async ({ people }) => {
  people.expectComplaints(/status of 400/);
  const who = await people.anonymous("zhangwei");
  const page = await who.open("/login");
  await page.getByLabel("用户名").fill("zhangwei");
  await page.getByLabel("密码").fill("wrong");
  await page.getByRole("button", { name: "登录" }).click();
  await expect(page.getByText("用户名或密码错误").first()).toBeVisible();
  await expect(page).toHaveURL(/\/login/);
});

test("The menus come from the server and depend on the role", async ({ people }) => {
  const zhang = await people.loggedIn("zhangwei", { path: "/dashboard" });
  await expect(zhang.pages[0]!.getByRole("link", { name: "人员与消息" }).first()).toBeVisible();
  await expect(zhang.pages[0]!.getByText("运行监控")).toHaveCount(0);
  const ops = await people.loggedIn("ops", { path: "/monitor/runtime" });
  await expect(ops.pages[0]!.getByRole("heading", { name: "运行监控" })).toBeVisible();
});

test("Logging out in one tab logs out all tabs, and no tab keeps what was searched for", async ({
  people,
  server,
}) => {
  const zhang = await people.loggedIn("zhangwei", { tabs: 3 });
  const searching = zhang.pages[2]!;
  await searching.goto("/im/calls");
  await searching.locator(".list-page-search input").fill("李娜");
  const kept = () => searching.evaluate(() => JSON.stringify(sessionStorage));
  await expect.poll(kept).toContain("李娜");
  await zhang.pages[1]!.evaluate(() => globalThis.consoleCore.commands.session.logout({}));
  for (const page of zhang.pages) await expect(page).toHaveURL(/\/login/);
  await expect.poll(() => server.metric("chat_sockets")).toBe(0);
  await expect.poll(kept).not.toMatch(/hyzh-(?!pageTitles)/);
  await expect.poll(kept).not.toContain("李娜");
});
