/** A dismissal as the administrator does it: 员工管理, 离职. */
import { expect, type Locator, type Page } from "@playwright/test";

/** Opens the dialog and fills it in. @returns its button */
export async function openDismissal(page: Page, name: string): Promise<Locator> {
  await page.getByRole("textbox", { name: "搜索姓名、工号、电话、部门" }).fill(name);
  await page.getByRole("button", { name: `离职 ${name}` }).click();
  const dialog = page.getByRole("dialog", { name: `办理离职：${name}` });
  await dialog.getByLabel("离职原因").fill("个人原因");
  return dialog.getByRole("button", { name: "离职" });
}

export async function dismiss(page: Page, name: string): Promise<void> {
  const button = await openDismissal(page, name);
  await button.click();
  await expect(page.getByRole("dialog", { name: `办理离职：${name}` })).toHaveCount(0);
}
