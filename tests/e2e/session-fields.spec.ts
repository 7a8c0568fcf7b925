/** Systems, cookies, sizes and the way in by /auth-redirect, in a browser (docs/session.md). */
import type { Page } from "@playwright/test";
import { conversationRow } from "../support/calls.ts";
import { expect, test } from "../support/fixtures.ts";
import { startGateway } from "../support/gateway.ts";
import { goTo } from "../support/outage.ts";
import { logIn, loggedIn, PASSWORD, person } from "../support/people.ts";

interface SessionFields {
  readonly systemName: string;
  readonly systemNameLogin: string;
  readonly supplierId: string;
  readonly expiresAt: number;
  readonly username: string;
}
const sessionOf = async (page: Page): Promise<SessionFields> =>
  JSON.parse(
    await page.evaluate(() => JSON.stringify(globalThis.consoleCore.state.session)),
  ) as SessionFields;
const cookiesOf = async (page: Page) =>
  new Map((await page.context().cookies()).map((cookie) => [cookie.name, cookie]));

test("A person chooses one of four systems at the login and can switch later", async ({
  people,
}) => {
  const who = await people.anonymous("zhangwei");
  const page = await who.open("/login");
  const select = page.getByLabel("登录系统");
  await expect(select.locator("option")).toHaveText([
    "企业管理",
    "物业管理",
    "办公自动化",
    "平台管理",
  ]);
  await expect(select).toHaveValue("sec-web-company-admin");
  await select.selectOption("办公自动化");
  await logIn(page, "zhangwei");
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect
    .poll(() => sessionOf(page))
    .toMatchObject({
      systemName: "sec-web-oa",
      systemNameLogin: "sec-web-oa",
    });
  await page.goto("/im/people");
  await page.getByRole("button", { name: /当前企业/ }).click();
  await page.getByRole("menuitem", { name: "物业管理" }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect
    .poll(() => sessionOf(page))
    .toMatchObject({ systemName: "sec-web-property-admin", systemNameLogin: "sec-web-oa" });
  // The next login on this machine offers the last choice.
  await page.evaluate(() => globalThis.consoleCore.commands.session.logout({}));
  await expect(page.getByLabel("登录系统")).toHaveValue("sec-web-oa");
});

test("The supplier_id cookie follows the company, and a logout removes the cookies", async ({
  people,
}) => {
  const who = await people.loggedIn("zhangwei", { path: "/dashboard" });
  const page = who.pages[0]!;
  await expect.poll(async () => (await sessionOf(page)).supplierId).not.toBeNull();
  const before = await sessionOf(page);
  await expect
    .poll(async () => (await cookiesOf(page)).get("supplier_id")?.value)
    .toBe(before.supplierId);
  const own = await cookiesOf(page);
  expect(own.get("ACCESS_TOKEN")).toMatchObject({ httpOnly: true, sameSite: "Strict" });
  expect(own.get("expires_in")?.value).toBe(String(before.expiresAt));
  await page.getByRole("button", { name: /当前企业/ }).click();
  await page.getByRole("menuitem", { name: "城南消防工程有限公司" }).click();
  // a switch loads the dashboard again
  const reloaded = page.waitForEvent("load");
  await page.getByRole("button", { name: "确定" }).click();
  await reloaded;
  await expect(page.getByRole("button", { name: /当前企业.*城南消防/ })).toBeVisible();
  await expect.poll(async () => (await sessionOf(page)).supplierId).not.toBe(before.supplierId);
  const after = await sessionOf(page);
  await expect
    .poll(async () => (await cookiesOf(page)).get("supplier_id")?.value)
    .toBe(after.supplierId);
  await page.evaluate(() => globalThis.consoleCore.commands.session.logout({}));
  await expect(page).toHaveURL(/\/login/);
  await expect
    .poll(async () =>
      [...(await cookiesOf(page)).keys()].filter((name) => name !== "sidebarStatus"),
    )
    .toEqual([]);
});

test("With a foreign platform the console writes the cookies itself, and contacts are loaded 200 per page", async ({
  server,
  browser,
}) => {
  const gateway = await startGateway(server.url, { foreign: true });
  const who = await loggedIn(browser, gateway.url, "zhangwei");
  try {
    const page = who.pages[0]!;
    await expect
      .poll(async () => [...(await cookiesOf(page)).keys()].sort())
      .toEqual(["ACCESS_TOKEN", "expires_in", "supplier_id"]);
    await expect.poll(async () => (await sessionOf(page)).supplierId).not.toBeNull();
    const { expiresAt, supplierId } = await sessionOf(page);
    const cookies = await cookiesOf(page);
    expect(cookies.get("ACCESS_TOKEN")?.value.split(".")).toHaveLength(3);
    expect(cookies.get("expires_in")?.value).toBe(String(expiresAt));
    expect(cookies.get("supplier_id")?.value).toBe(supplierId);
    await expect(conversationRow(page, "李娜")).toBeVisible();
    const lists = /^\/dc-im\/api\/(?:friend\/hx\/page|groups)\?.*cursor=1/;
    await expect.poll(() => gateway.count(lists)).toBeGreaterThan(1);
    expect(gateway.count(/^\/dc-im\/api\/(?:friend\/hx\/page|groups)\?.*cursor=1&limit=200/)).toBe(
      gateway.count(lists),
    );
    await page.evaluate(() => globalThis.consoleCore.commands.session.logout({}));
    await expect.poll(async () => (await cookiesOf(page)).size).toBe(0);
  } finally {
    await who.close();
    await gateway.close();
  }
});

test("The size of the interface is kept in its cookie", async ({ people }) => {
  const who = await people.loggedIn("zhangwei", { path: "/im/people" });
  const page = who.pages[0]!;
  const height = () =>
    page
      .getByRole("textbox", { name: "搜索姓名" })
      .evaluate((e) => e.getBoundingClientRect().height);
  const medium = await height();
  await page.getByRole("button", { name: "界面大小" }).click();
  await page.getByRole("menuitem", { name: "最小" }).click();
  await expect.poll(height).toBeLessThan(medium);
  await expect.poll(async () => (await cookiesOf(page)).get("size")?.value).toBe("mini");
  await page.reload();
  await expect(page.getByRole("textbox", { name: "搜索姓名" })).toBeVisible();
  await expect.poll(height).toBeLessThan(medium);
});

test("/auth-redirect accepts a token only after showing its person and getting consent", async ({
  people,
  server,
  browser,
}) => {
  const body = new URLSearchParams({
    username: "lina",
    password: PASSWORD,
    grant_type: "password",
  });
  const basic = Buffer.from("sec-web-oa:sec-web-oa-public").toString("base64");
  const answer = await fetch(`${server.url}/uaa/login/username`, {
    method: "POST",
    headers: { authorization: `Basic ${basic}` },
    body,
  });
  const { data } = (await answer.json()) as { data: Record<string, string> };
  const hash = new URLSearchParams({ ...data, systemName: "sec-web-oa", redirect: "/im/people" });
  const who = await person(browser, server.url, "lina");
  try {
    const page = await who.open(`/auth-redirect#${hash.toString()}`);
    await expect(page.getByText("是否以李娜（lina）的身份登录？")).toBeVisible();
    // The token is removed from the address and the history.
    expect(page.url()).toBe(`${server.url}/auth-redirect`);
    await page.getByRole("button", { name: "继续" }).click();
    await expect(page).toHaveURL(/\/im\/people$/);
    await expect
      .poll(() => sessionOf(page))
      .toMatchObject({ username: "lina", systemName: "sec-web-oa" });
    // With a login and without a token there is nothing to do.
    await page.goto("/auth-redirect");
    await expect(page).toHaveURL(/\/dashboard$/);
  } finally {
    await who.close();
  }
  people.expectComplaints(/status of 401/);
  const other = await people.anonymous("guest");
  const page = await other.open("/auth-redirect#access_token=wrong");
  await expect(page.getByRole("button", { name: "去登录" })).toBeVisible();
  await page.goto("/auth-redirect?redirect=%2Fim%2Fpeople");
  await expect(page.getByText("未收到有效的授权信息，请从登录页重新登录。")).toBeVisible();
});

test("A menu entry opens a page at its top, and a tag returns to the former position", async ({
  people,
}) => {
  const ops = await people.loggedIn("ops", { path: "/monitor/runtime" });
  const page = ops.pages[0]!;
  const area = page.locator('[data-page="/monitor/runtime"]');
  const top = () => area.evaluate((e) => e.scrollTop);
  await expect(page.getByRole("heading", { name: "运行监控" })).toBeVisible();
  const side = page.getByRole("navigation", { name: "主菜单" });
  await area.evaluate((e) => e.scrollTo(0, 300));
  await expect.poll(top).toBe(300);
  await side.getByRole("link", { name: "人员与消息" }).click();
  await expect(area).toBeHidden();
  await goTo(page, "运行监控", "系统监控");
  await expect(area).toBeVisible();
  await expect.poll(top).toBe(0);
  await area.evaluate((e) => e.scrollTo(0, 300));
  await side.getByRole("link", { name: "人员与消息" }).click();
  await expect(area).toBeHidden();
  await page
    .getByRole("navigation", { name: "已打开的页面" })
    .getByRole("link", { name: "运行监控" })
    .click();
  await expect.poll(top).toBe(300);
});

test("The theme colour is #1890ff", async ({ people }) => {
  const who = await people.anonymous("guest");
  const page = await who.open("/login");
  // The styles load with the console, after the skeleton.
  await expect(page.getByRole("button", { name: "登录" })).toBeVisible();
  const colours = await page.evaluate(() => {
    const style = getComputedStyle(document.body);
    return ["--brand", "--arcoblue-6"].map((name) => style.getPropertyValue(name).trim());
  });
  expect(colours).toEqual(["#1890ff", "24, 144, 255"]);
});
