/** The frame around every page: sidebar, breadcrumb, user menu, switches, the bar of a navigation (docs/session.md#frame). */
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { startGateway } from "../support/gateway.ts";
import { goTo } from "../support/outage.ts";
import { loggedIn, logIn, person } from "../support/people.ts";

declare global {
  // States that the bar showed, set by this test.
  var barStates: string[];
}

const sidebar = (page: Page) => page.locator("aside.sidebar");
const side = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "主菜单" }).getByRole("link", { name });
const cookie = async (page: Page, name: string) =>
  (await page.context().cookies()).find((one) => one.name === name)?.value;
const width = (page: Page) => sidebar(page).evaluate((e) => e.getBoundingClientRect().width);

test("The sidebar is 210 px wide, folds by the button, and remembers it by its cookie", async ({
  people,
}) => {
  const page = (await people.loggedIn("ops", { path: "/im/people" })).pages[0]!;
  await expect.poll(() => width(page)).toBe(210);
  await expect(sidebar(page)).toContainText("城市综合安全服务平台");
  await page.getByRole("button", { name: "收起菜单" }).click();
  await expect.poll(() => width(page)).toBeLessThan(100);
  await expect.poll(() => cookie(page, "sidebarStatus")).toBe("0");
  await page.reload();
  await expect(page.getByRole("button", { name: "展开菜单" })).toBeVisible();
  await expect.poll(() => width(page)).toBeLessThan(100);
  await page.getByRole("button", { name: "展开菜单" }).click();
  await expect.poll(() => cookie(page, "sidebarStatus")).toBe("1");
  await expect.poll(() => width(page)).toBe(210);
});

test("Below 992 px the sidebar is a drawer, which a navigation, a resize and a tap beside it close", async ({
  people,
}) => {
  const page = (await people.loggedIn("ops", { path: "/im/people" })).pages[0]!;
  await page.setViewportSize({ width: 992, height: 800 });
  await expect(page.locator(".layout")).toHaveAttribute("data-mobile", "false");
  await page.setViewportSize({ width: 991, height: 800 });
  await expect(page.locator(".layout")).toHaveAttribute("data-mobile", "true");
  const open = async (): Promise<void> => {
    await page.getByRole("button", { name: "展开菜单" }).click();
    await expect(sidebar(page)).toHaveAttribute("data-open", "true");
  };
  const isClosed = async (): Promise<void> => {
    await expect(sidebar(page)).toHaveAttribute("data-open", "false");
    await expect(sidebar(page)).not.toBeInViewport();
  };
  await isClosed();
  await open();
  await goTo(page, "运行监控", "系统监控");
  await expect(page).toHaveURL(/\/monitor\/runtime$/);
  await isClosed();
  await open();
  await page.setViewportSize({ width: 900, height: 800 });
  await isClosed();
  await open();
  // It moves out, it does not vanish.
  expect(await sidebar(page).evaluate((e) => getComputedStyle(e).transitionProperty)).toBe(
    "transform",
  );
  await page.locator(".drawer-mask").click({ position: { x: 850, y: 400 } });
  await isClosed();
  // The drawer leaves the choice of a wide screen alone.
  expect(await cookie(page, "sidebarStatus")).toBeUndefined();
});

test("The breadcrumb begins with 首页, its last entry is a text, and the user menu leads home and logs out", async ({
  people,
}) => {
  const page = (await people.loggedIn("ops", { path: "/monitor/runtime" })).pages[0]!;
  const crumbs = page.getByRole("navigation", { name: "面包屑" });
  await expect(crumbs.getByRole("listitem").first()).toHaveText("首页");
  await expect(crumbs.locator("[aria-current]")).toHaveText("运行监控");
  await expect(crumbs.locator("[aria-current]").getByRole("link")).toHaveCount(0);
  await crumbs.getByRole("link", { name: "首页" }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await goTo(page, "运行监控", "系统监控");
  await expect(page).toHaveURL(/\/monitor\/runtime$/);
  const menu = page.getByRole("button", { name: /^用户菜单/ });
  await menu.click();
  await page.getByRole("menuitem", { name: "首页" }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await menu.click();
  await page.getByRole("menuitem", { name: "退出", exact: true }).click();
  await expect(page).toHaveURL(/\/login$/);
  const stored = await page.evaluate(() => Object.keys(sessionStorage));
  expect(stored.filter((key) => /tagsView|form:/.test(key))).toEqual([]);
});

test("The static addresses lead to their pages, and a redirect to itself mounts a page again", async ({
  people,
}) => {
  const page = (await people.loggedIn("admin", { path: "/dashboard" })).pages[0]!;
  await expect(page.getByRole("button", { name: /^用户菜单/ })).toBeVisible();
  for (const [from, to] of [
    ["/", "/dashboard"],
    ["/profile", "/profile/index"],
    ["/dc/easemob/index", "/im/people"],
    ["/redirect/supplier/employees?keyword=x", "/supplier/employees?keyword=x"],
    ["/im/nowhere", "/404"],
  ] as const) {
    await page.goto(from);
    await expect(page, from).toHaveURL(to);
  }
});

test("A page of the import is not kept while another one is shown, and each of its two addresses has its own kind", async ({
  people,
}) => {
  const page = (await people.loggedIn("admin", { path: "/DataBatchImport/index" })).pages[0]!;
  await expect(page.getByRole("heading", { name: "批量导入员工（发送邀请）" })).toBeVisible();
  await side(page, "人员与消息").click();
  await expect(page).toHaveURL(/\/im\/people$/);
  await expect(page.locator('[data-page="/DataBatchImport/index"]')).toHaveCount(0);
  await page.goto("/DataBatchImport2/index");
  await expect(page.getByRole("heading", { name: "批量导入员工", exact: true })).toBeVisible();
  await expect(page.locator('[data-page="/im/people"]')).toHaveCount(0);
});

test("A thin bar runs during each navigation", async ({ people }) => {
  const page = (await people.loggedIn("ops", { path: "/im/people" })).pages[0]!;
  await expect(side(page, "人员与消息")).toBeVisible();
  const bar = page.locator(".progress");
  await expect(bar).toHaveAttribute("data-state", "idle");
  await bar.evaluate((e) => {
    const seen: string[] = [];
    new MutationObserver(() => seen.push(e.dataset["state"] ?? "")).observe(e, {
      attributeFilter: ["data-state"],
    });
    Object.assign(globalThis, { barStates: seen });
  });
  await goTo(page, "运行监控", "系统监控");
  const seen = (): Promise<string[]> => page.evaluate(() => globalThis.barStates);
  await expect.poll(async () => (await seen()).at(-1)).toBe("idle");
  expect((await seen())[0]).toBe("running");
  expect(await seen()).toContain("done");
});

test("A company switch asks under 提示 with 确定 and 取消, drops the guest marker and loads the dashboard again", async ({
  people,
}) => {
  const page = (await people.loggedIn("zhangwei", { path: "/im/people" })).pages[0]!;
  await page.evaluate(() => sessionStorage.setItem("guest", "1"));
  const ask = async (): Promise<void> => {
    await page.getByRole("button", { name: /^当前企业/ }).click();
    await page.getByRole("menuitem", { name: "城南消防工程有限公司" }).click();
  };
  await ask();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("提示");
  await expect(dialog).toContainText("确认要切换到企业[城南消防工程有限公司]吗?");
  await dialog.getByRole("button", { name: "取消" }).click();
  await expect(page.getByRole("button", { name: /^当前企业.*华安/ })).toBeVisible();
  await expect(dialog).toBeHidden();
  await ask();
  const reloaded = page.waitForEvent("load");
  await dialog.getByRole("button", { name: "确定" }).click();
  await reloaded;
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole("button", { name: /^当前企业.*城南/ })).toBeVisible();
  expect(await page.evaluate(() => sessionStorage.getItem("guest"))).toBeNull();
});

test("A switch of the system that fails reloads the page in the former system", async ({
  server,
  browser,
}) => {
  const gateway = await startGateway(server.url);
  const who = await loggedIn(browser, gateway.url, "zhangwei", { path: "/im/people" });
  try {
    const page = who.pages[0]!;
    await expect(side(page, "人员与消息")).toBeVisible();
    gateway.refuse(/getRouters/, 500);
    const reloaded = page.waitForEvent("load");
    await page.getByRole("button", { name: /^当前企业/ }).click();
    await page.getByRole("menuitem", { name: "物业管理" }).click();
    await reloaded;
    gateway.refuse(null);
    await expect(side(page, "人员与消息")).toBeVisible();
    await expect(page).toHaveURL(/\/im\/people$/);
    await expect(sidebar(page)).toContainText("企业管理");
  } finally {
    await who.close();
    await gateway.close();
  }
});

test("After a login whose menus fail the person reads the error and goes on to the dashboard", async ({
  server,
  browser,
}) => {
  const gateway = await startGateway(server.url);
  const who = await person(browser, gateway.url, "zhangwei");
  try {
    const page = await who.open("/dashboard");
    await expect(page).toHaveURL(/\/login\?redirect=%2Fdashboard$/);
    gateway.refuse(/getRouters/, 500);
    await logIn(page, "zhangwei");
    await expect(page.getByText("服务器内部错误").first()).toBeVisible();
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(page.getByRole("button", { name: /^用户菜单/ })).toBeVisible();
    gateway.refuse(null);
    await page.reload();
    await expect(side(page, "人员与消息")).toBeVisible();
  } finally {
    await who.close();
    await gateway.close();
  }
});
