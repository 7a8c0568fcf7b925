/** The inaugural documents that the company asks of its employees: the browser test of the worked example of docs/adding.md. */
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";

// The list begins with the seed's documents alone.
test.use({ serverEnv: { TEST_SERVER: "document kinds" } });

test("Inaugural documents are added, renamed, put in order and removed, at once in every tab, and staff has no screen for them", async ({
  people,
}) => {
  people.expectComplaints(/409/);
  const admin = await people.loggedIn("admin", { path: "/system/documents", tabs: 2 });
  const [page, second] = [admin.pages[0]!, admin.pages[1]!];
  const titles = (of: Page) => of.getByRole("row").filter({ hasNotText: "材料名称" });
  await expect(titles(page)).toHaveText([/入职登记表/, /安全生产承诺书/]);

  // By keyboard.
  await page.bringToFront();
  await tabTo(page, page.getByRole("button", { name: "新增" }));
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "新增材料" });
  await expect(dialog.getByLabel("材料名称")).toBeFocused();
  await page.keyboard.type("入职登记表");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("该值已被使用")).toBeVisible();
  await dialog.getByLabel("材料名称").fill("健康证明");
  await dialog.getByLabel("排序").fill("5");
  await shoot(page, "inaugural-document-form");
  await page.keyboard.press("Enter");
  await expect(dialog).toHaveCount(0);
  for (const tab of [page, second]) {
    await expect(titles(tab)).toHaveText([/入职登记表/, /安全生产承诺书/, /健康证明/]);
  }

  await page.getByRole("button", { name: "编辑 健康证明" }).click();
  const form = page.getByRole("dialog", { name: "修改材料" });
  await form.getByLabel("材料名称").fill("体检报告");
  await form.getByLabel("排序").fill("0");
  await form.getByRole("button", { name: "保存" }).click();
  for (const tab of [page, second]) {
    await expect(titles(tab)).toHaveText([/入职登记表/, /体检报告/, /安全生产承诺书/]);
  }
  await shoot(page, "inaugural-documents");
  await expectAccessible(page, "inaugural documents");

  await page.getByRole("button", { name: "删除 体检报告" }).click();
  await page.getByRole("button", { name: "取消" }).click();
  await expect(titles(page)).toHaveCount(3);
  await page.getByRole("button", { name: "删除 体检报告" }).click();
  await page.getByRole("button", { name: "确定" }).click();
  for (const tab of [page, second]) await expect(titles(tab)).toHaveCount(2);

  const lina = await people.loggedIn("lina", { path: "/system/documents" });
  await expect(lina.pages[0]!).toHaveURL(/\/404$/);
});
