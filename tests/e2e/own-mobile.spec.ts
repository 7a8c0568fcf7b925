/** The own mobile, proved by a code to it, released by an administrator when it is lost, and a password by a code (docs/session.md#mobile-number). */
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

  // The next change asks the number so far for a code too, and says what to do when it is lost.
  await page.getByRole("button", { name: "更换手机号" }).click();
  const change = page.getByRole("dialog", { name: "更换手机号" });
  const old = change.getByLabel("原手机号 138****6789 的验证码");
  await expect(old).toBeFocused();
  await expect(change.getByText("请企业管理员在您的员工详情中解除手机号")).toBeVisible();
  await old.fill("000000");
  await change.getByLabel("新手机号", { exact: true }).fill("13800006780");
  await change.getByLabel("新手机号的验证码").fill("000000");
  await change.getByLabel("登录密码").fill(PASSWORD);
  await shoot(page, "change-mobile");
  await expectAccessible(page, "change of the mobile");
  await change.getByRole("button", { name: "保存" }).click();
  await expect(change.locator('[data-field="oldCode"]')).toContainText("验证码不正确或已过期");
  await expect(old).toBeFocused();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "放弃" }).click();
  await expect(change).toHaveCount(0);

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
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Discard" }).click();

  // She has lost the phone: the administrator releases the number, which is warned, and she proves another one.
  await outbox.goto("/supplier/employees");
  await outbox.getByRole("textbox", { name: "搜索姓名、工号、电话、部门" }).fill("李娜");
  await outbox.getByRole("button", { name: "李娜", exact: true }).click();
  const details = outbox.getByRole("dialog", { name: "员工详情" });
  await tabTo(outbox, details.getByRole("button", { name: "解除手机号" }));
  await outbox.keyboard.press("Enter");
  const asked = outbox.getByRole("dialog", { name: "解除手机号" });
  await expect(asked).toContainText("请先核实本人身份");
  await shoot(outbox, "release-mobile");
  await expectAccessible(outbox, "release of a mobile");
  await asked.getByRole("button", { name: "确定" }).click();
  await expect(outbox.getByText("手机号已解除")).toBeVisible();
  await expect(page.getByText("Not verified")).toBeVisible();
  await page.getByRole("button", { name: "Verify a mobile" }).click();
  await expect(page.getByRole("dialog").getByRole("textbox")).toHaveCount(3);
  await outbox.goto("/monitor/smsCodes");
  await expect(outbox.getByRole("row").filter({ hasText: MOBILE }).first()).toContainText(
    "您的账号已不再使用此手机号。如非本人操作，请立即联系企业管理员。",
  );
});
