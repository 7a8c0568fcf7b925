/** What the settings of a company ask of the console's look, and what a switch of the system changes (docs/session.md#appearance). */
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot } from "../support/look.ts";

test.use({ serverEnv: { TEST_SERVER: "company look" } });

const brand = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.body).getPropertyValue("--brand").trim());
const side = (page: Page) => page.locator(".layout");
const set = (page: Page, configKey: string, configValue: string) =>
  page.evaluate(
    async ([key, value]) => {
      const { rest } = globalThis.consoleCore.commands;
      const { records } = await rest.call({ call: "config.list", query: { configKey: key! } });
      const own = records.find((row) => row.configKey === key && row.supplierId !== null);
      const body = { configKey: key!, configName: key!, configValue: value! };
      if (own === undefined) await rest.call({ call: "config.create", body });
      else
        await rest.call({
          call: "config.update",
          body: { ...body, id: own.id, version: own.version },
        });
    },
    [configKey, configValue],
  );

test("The company's colour and sidebar show in the open tabs of everybody who chose none, and an own choice goes before", async ({
  people,
}) => {
  const [admin] = (await people.loggedIn("admin", { path: "/dashboard" })).pages as [Page];
  const [lina] = (await people.loggedIn("lina", { path: "/dashboard" })).pages as [Page];
  await expect(side(lina)).toHaveAttribute("data-side", "light");
  const usual = await brand(lina);
  await set(admin, "sys.index.theme", "#722ed1");
  await set(admin, "sys.index.sideTheme", "theme-dark");
  for (const page of [admin, lina]) {
    await expect.poll(() => brand(page)).not.toBe(usual);
    await expect(side(page)).toHaveAttribute("data-side", "dark");
  }
  await expectAccessible(lina, "a dark sidebar in the company's colour");
  await shoot(lina, "company-look");
  // an own choice
  await lina.evaluate(() => {
    const value = { color: "#1890ff", side: "light" };
    localStorage.setItem(
      "hyzh-settings",
      JSON.stringify({ value, dataType: "object", type: "", datetime: 0 }),
    );
  });
  await lina.reload();
  await expect(side(lina)).toHaveAttribute("data-side", "light");
  expect(await brand(lina)).toBe(usual);
});

test("Another system has its own menus, and its name stands in the frame", async ({ people }) => {
  const [page] = (await people.loggedIn("admin", { path: "/dashboard" })).pages as [Page];
  const menus = page.getByRole("navigation", { name: "主菜单" });
  await expect(menus.getByText("系统管理")).toBeVisible();
  await expect(page.locator(".sidebar-title")).toContainText("企业管理");
  await page.getByRole("button", { name: /当前企业/ }).click();
  await page.getByRole("menuitem", { name: "办公自动化" }).click();
  await expect(page.getByText("已切换到“办公自动化”")).toBeVisible();
  await expect(page.locator(".sidebar-title")).toContainText("办公自动化");
  await expect(menus.getByRole("link", { name: "人员与消息" })).toBeVisible();
  for (const gone of ["员工管理", "系统管理", "系统监控"])
    await expect(menus.getByText(gone)).toHaveCount(0);
  await shoot(page, "other-system");
});
