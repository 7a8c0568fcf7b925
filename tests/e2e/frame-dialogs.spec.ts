/** Search by Ctrl K, and the settings drawer, whose choices hold after a reload and in the other tabs. */
import type { Route } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot } from "../support/look.ts";

test("A person hides the filters of a list, and a column on every device", async ({ people }) => {
  const admin = await people.loggedIn("admin", { path: "/system/config" });
  const page = admin.pages[0]!;
  const head = page.getByRole("columnheader", { name: "备注" });
  await expect(head).toBeVisible();
  await page.getByRole("button", { name: "列设置" }).click();
  const dialog = page.getByRole("dialog", { name: "列设置" });
  await dialog.getByRole("button", { name: "隐藏 备注" }).click();
  await expect(dialog.getByRole("button", { name: "显示 备注" })).toBeVisible();
  await shoot(page, "columns");
  await expectAccessible(page, "columns");
  await dialog.getByRole("button", { name: "确定" }).click();
  await expect(head).toHaveCount(0);
  await expect(page.getByRole("button", { name: "列设置" })).toBeFocused();
  await page.getByRole("button", { name: "隐藏搜索" }).click();
  await expect(page.getByRole("search")).toBeHidden();
  await page.reload();
  await expect(page.getByRole("columnheader", { name: "参数键名" })).toBeVisible();
  await expect(head).toHaveCount(0);

  // Another device has the same columns, and what is changed there shows here at once.
  const other = (await people.loggedIn("admin", { path: "/system/config" })).pages[0]!;
  await expect(other.getByRole("columnheader", { name: "参数键名" })).toBeVisible();
  await expect(other.getByRole("columnheader", { name: "备注" })).toHaveCount(0);
  await other.getByRole("button", { name: "列设置" }).click();
  const there = other.getByRole("dialog", { name: "列设置" });
  await there.getByRole("button", { name: "显示 备注" }).click();
  await there.getByRole("button", { name: "确定" }).click();
  await expect(head).toBeVisible();
});

test("Ctrl K finds pages and employees, and the settings drawer changes colour and frame in every tab", async ({
  people,
}) => {
  const admin = await people.loggedIn("admin", { path: "/supplier/employees", tabs: 2 });
  const [page, other] = [admin.pages[0]!, admin.pages[1]!];
  await expect(page.getByRole("row").nth(2)).toBeVisible();

  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "搜索页面和记录" });
  await expect(field).toBeFocused();
  await expectAccessible(page, "search");
  await page.keyboard.type("参数");
  await expect(page.getByRole("option")).toHaveText([/^参数配置/]);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/system\/config$/);
  await page.getByRole("button", { name: "搜索", exact: true }).click();
  await field.fill("李娜");
  await expect(page.getByRole("option").filter({ hasText: "客服专员" })).toBeVisible();
  await shoot(page, "search");
  await page.keyboard.press("Shift+Enter");
  await expect(page).toHaveURL(/\/im\/people\?chat=lina$/);

  await page.getByRole("button", { name: /^用户菜单/ }).click();
  await page.getByRole("menuitem", { name: "布局设置" }).click();
  const drawer = page.getByRole("dialog", { name: "系统布局配置" });
  await drawer.getByRole("radio", { name: "紫色" }).click();
  await shoot(page, "settings");
  await expectAccessible(page, "settings");
  await drawer.getByRole("switch", { name: "开启 Tags-View" }).click();
  await drawer.getByRole("button", { name: "关闭" }).click();
  await expect(drawer).toHaveCount(0);

  const brand = (shownPage: typeof page): Promise<string> =>
    shownPage.evaluate(() => getComputedStyle(document.body).getPropertyValue("--brand").trim());
  for (const tab of [page, other]) {
    await expect.poll(() => brand(tab)).toBe("#722ed1");
    await expect(tab.getByRole("navigation", { name: "已打开的页面" })).toHaveCount(0);
  }
  await page.reload();
  await expect(page.getByRole("button", { name: /^用户菜单/ })).toBeVisible();
  await expect.poll(() => brand(page)).toBe("#722ed1");
});

test("What is typed right after Ctrl K is searched for, though the search is still on its way; the focus comes back", async ({
  people,
}) => {
  const page = (await people.loggedIn("admin", { path: "/system/config" })).pages[0]!;
  const refresh = page.getByRole("button", { name: "刷新列表" });
  await expect(page.getByRole("row").nth(1)).toBeVisible();
  const held: Route[] = [];
  await page.route("**/assets/SearchDialog*.js", (route) => void held.push(route));
  await refresh.focus();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("zidian");
  await expect.poll(() => held.length).toBeGreaterThan(0);
  await page.keyboard.press("Control+a");
  await page.keyboard.type("/system/di");
  for (const route of held) await route.continue();
  const field = page.getByRole("combobox", { name: "搜索页面和记录" });
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("/system/di");
  await page.keyboard.type("ct");
  await expect(field).toHaveValue("/system/dict");
  await expect(page.getByRole("option").first()).toContainText("字典管理");
  await page.keyboard.press("Escape");
  await expect(field).toHaveCount(0);
  await expect(refresh).toBeFocused();
});

test("A question mark lists the keys unless it is typed in a field, and the user menu gives the console the whole screen", async ({
  people,
}) => {
  // A person with few rights.
  const guest = await people.loggedIn("guest", { path: "/dashboard" });
  const page = guest.pages[0]!;
  const dialog = page.getByRole("dialog", { name: "键盘快捷键" });
  const menu = page.getByRole("button", { name: /^用户菜单/ });
  await expect(menu).toBeVisible();
  await menu.focus();
  await page.keyboard.press("?");
  await expect(dialog).toBeVisible();
  await expect(dialog.getByText("搜索页面和记录")).toBeVisible();
  // The seven keys of a conference need Alt.
  await expect(dialog.locator("kbd")).toHaveCount(30);
  await expect(dialog.locator("kbd", { hasText: /^Alt$/ })).toHaveCount(7);
  await shoot(page, "keys");
  await expectAccessible(page, "keys");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(menu).toBeFocused();

  // In a field it is a text.
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "搜索页面和记录" });
  await expect(field).toBeFocused();
  await page.keyboard.type("?");
  await expect(field).toHaveValue("?");
  await expect(dialog).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(field).toHaveCount(0);

  const isFull = (): Promise<boolean> => page.evaluate(() => document.fullscreenElement !== null);
  await menu.click();
  await page.getByRole("menuitem", { name: "全屏显示" }).click();
  await expect.poll(isFull).toBe(true);
  await menu.click();
  await page.getByRole("menuitem", { name: "退出全屏" }).click();
  await expect.poll(isFull).toBe(false);
  await menu.click();
  await page.getByRole("menuitem", { name: "键盘快捷键" }).click();
  await expect(dialog).toBeVisible();
});
