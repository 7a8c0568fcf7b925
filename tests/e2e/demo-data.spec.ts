/** The first page of a demo in full work, and the removal of its data. */
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot } from "../support/look.ts";

test.use({ serverEnv: { DEMO_DATA: "full" } });

test("The demo's company is in full work, and its administrator removes the demo data by typing the company's name", async ({
  people,
}) => {
  const admin = await people.loggedIn("admin", { path: "/dashboard" });
  const page = admin.pages[0]!;
  const figures = page.getByRole("region", { name: "企业概况" });
  const employees = figures.getByRole("listitem").filter({ hasText: "在职员工" }).locator("strong");
  await expect(employees).toHaveText(/^2\d\d$/);
  await expect(figures.getByRole("figure")).toHaveCount(3);
  await expect(page.getByRole("button", { name: /^打开与/ }).first()).toBeVisible();
  await shoot(page, "dashboard-demo");
  await expectAccessible(page, "dashboard in full work");

  await page.getByRole("button", { name: "清除演示数据" }).click();
  const dialog = page.getByRole("dialog", { name: "清除演示数据" });
  await dialog.getByLabel("企业名称").fill("华安");
  await dialog.getByRole("button", { name: "清除演示数据" }).click();
  await expect(dialog.getByText("与企业名称不一致")).toBeVisible();
  await shoot(page, "demo-remove");
  await dialog.getByLabel("企业名称").fill("华安物业服务有限公司");
  await dialog.getByRole("button", { name: "清除演示数据" }).click();
  await expect(page.getByText("演示数据已清除")).toBeVisible();
  await expect(employees).toHaveText("5");
  await expect(page.getByRole("button", { name: "清除演示数据" })).toHaveCount(0);
});
