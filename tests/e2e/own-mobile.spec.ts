/** The own mobile, proved by a code to it, and a password by a code (docs/session.md#profile). */
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";
import { PASSWORD } from "../support/people.ts";

const MOBILE = "13800006789";

test("A person proves a mobile with the password, and sets a new password by a code to it", async ({
  people,
}) => {
  people.expectComplaints(/40[09]|429/);
  const admin = await people.loggedIn("admin", { path: "/monitor/smsCodes" });
  const outbox = admin.pages[0]!;
  const newest = async (page: Page): Promise<string> => {
    const row = page.getByRole("row").filter({ hasText: MOBILE }).first();
    await expect(row).toContainText(/验证码是 \d{6}/);
    return /验证码是 (\d{6})/.exec(await row.innerText())?.[1] ?? "";
  };
  const lina = await people.loggedIn("lina", { path: "/profile/index" });
  const page = lina.pages[0]!;
  await tabTo(page, page.getByRole("button", { name: "验证手机号" }));
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "验证手机号" });
  await dialog.getByRole("button", { name: "获取验证码" }).click();
  await expect(dialog.getByText("手机号格式不正确")).toBeVisible();
  await dialog.getByLabel("新手机号").fill(MOBILE);
  await dialog.getByRole("button", { name: "获取验证码" }).click();
  await expect(dialog.getByLabel("短信验证码")).toBeFocused();
  await page.keyboard.type(await newest(outbox));
  await dialog.getByLabel("登录密码").fill("Wrong2026");
  await shoot(page, "own-mobile");
  await expectAccessible(page, "own mobile");
  await dialog.getByRole("button", { name: "保存" }).click();
  await expect(dialog.getByText("密码不正确")).toBeVisible();
  await dialog.getByLabel("登录密码").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText("138****6789")).toBeVisible();

  await page.getByRole("button", { name: "切换语言" }).click();
  await page.getByRole("button", { name: "Change password" }).click();
  const password = page.getByRole("dialog", { name: "Change password" });
  await expect(password.getByText("8 to 72 characters with letters and digits")).toBeVisible();
  await password.getByRole("combobox").click();
  await page.getByRole("option", { name: "A code to your mobile" }).click();
  // Within a minute the same address gets no second code for a number; the words say so.
  await password.getByRole("button", { name: "Send code" }).click();
  await expect(password.getByText("Codes were asked for too often, try again later")).toBeVisible();
  await shoot(page, "password-by-code");
  await expectAccessible(page, "password by a code");
});
