/** Two-step login: an authenticator reads the picture, logins need its codes, recovery codes are good once, an administrator resets. */
import { Secret, TOTP, URI } from "otpauth";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";
import { PASSWORD } from "../support/people.ts";
import { readQr } from "../support/qr.ts";
import type { Page } from "@playwright/test";

/** Codes after that of the present period are good for one period, so a test need not wait for the next one. */
const codeOf = (secret: string, periods = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + periods * 30_000,
  });

async function submitPassword(page: Page, username: string): Promise<void> {
  await page.goto("/login");
  await page.getByLabel("用户名").fill(username);
  await page.getByLabel("密码").fill(PASSWORD);
  await page.getByRole("button", { name: "登录", exact: true }).click();
  await expect(page.getByRole("heading", { name: "两步验证" })).toBeVisible();
}

test("A person turns the two-step login on by its picture, logs in by code and by recovery code, and the administrator resets it", async ({
  people,
}) => {
  people.expectComplaints(/400|429/);
  const lina = await people.loggedIn("lina", { path: "/profile/index", tabs: 2 });
  const [page, tab] = lina.pages as [Page, Page];
  await expect(page.getByText("未开启。开启后")).toBeVisible();

  // By keyboard alone.
  await tabTo(page, page.getByRole("button", { name: "开启两步验证" }));
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "开启两步验证" });
  await dialog.getByLabel("登录密码").fill("wrong-one");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("密码不正确")).toBeVisible();
  await dialog.getByLabel("登录密码").fill(PASSWORD);
  await page.keyboard.press("Enter");
  const picture = dialog.getByRole("img", { name: "验证器二维码" });
  await expect(picture).toBeVisible();
  const found = URI.parse(await readQr(picture)) as TOTP;
  expect([found.label, found.issuer, found.period]).toEqual(["lina", "城市综合安全服务平台", 30]);
  const secret = found.secret.base32;
  await expect(dialog.locator("code")).toHaveText(secret.match(/.{4}/g)!.join(" "));
  await shoot(page, "two-factor-picture");
  await expectAccessible(page, "picture of the second factor");
  await dialog.getByLabel("验证码").fill("000000");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("验证码不正确或已使用").first()).toBeVisible();
  await dialog.getByLabel("验证码").fill(codeOf(secret));
  await page.keyboard.press("Enter");

  const shown = page.getByRole("dialog", { name: "恢复码" });
  const codes = shown.getByRole("listitem");
  await expect(codes).toHaveCount(10);
  const [first] = await codes.allTextContents();
  expect(first).toMatch(/^[a-z2-9]{5}-[a-z2-9]{5}$/);
  // A slip does not close what is shown once.
  await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  await shoot(page, "two-factor-codes");
  await expectAccessible(page, "recovery codes");
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    shown.getByRole("button", { name: "下载" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("恢复码.txt");
  await shown.getByRole("button", { name: "我已保存" }).click();
  await expect(shown).toHaveCount(0);
  await expect(page.getByText("剩余 10 个恢复码")).toBeVisible();
  // The other tab follows.
  await expect(tab.getByText("剩余 10 个恢复码")).toBeVisible();
  await shoot(page, "profile-two-factor");

  const phone = await people.anonymous("lina's telephone");
  const login = await phone.open("/login");
  await submitPassword(login, "lina");
  await shoot(login, "login-code");
  await expectAccessible(login, "login's code");
  await expect(login.getByLabel("验证码")).toBeFocused();
  await expect(login.getByLabel("用户名")).toBeHidden();
  await login.getByLabel("验证码").fill("000000");
  await login.keyboard.press("Enter");
  await expect(login.getByText("验证码不正确或已使用")).toBeVisible();
  await login.getByLabel("验证码").fill(codeOf(secret, 1));
  await login.keyboard.press("Enter");
  await expect(login).not.toHaveURL(/\/login/);

  const borrowed = await people.anonymous("a borrowed machine");
  const desk = await borrowed.open("/login");
  await submitPassword(desk, "lina");
  await desk.getByRole("button", { name: "返回" }).click();
  await expect(desk.getByLabel("用户名")).toHaveValue("lina");
  await submitPassword(desk, "lina");
  await desk.getByLabel("验证码").fill(first!.toUpperCase());
  await desk.keyboard.press("Enter");
  await expect(desk).not.toHaveURL(/\/login/);
  await expect(page.getByText("剩余 9 个恢复码")).toBeVisible();

  const admin = await people.loggedIn("admin", { path: "/supplier/employees" });
  const staff = admin.pages[0]!;
  await staff.getByRole("button", { name: "李娜", exact: true }).click();
  const detail = staff.getByRole("dialog", { name: "员工详情" });
  await detail.getByRole("button", { name: "重置两步验证" }).click();
  await staff.getByRole("button", { name: "确定" }).click();
  await expect(staff.getByText("两步验证已重置")).toBeVisible();
  await staff.goto("/monitor/operlog");
  const record = staff.getByRole("row").filter({ hasText: "两步验证" }).first();
  await expect(record).toContainText("重置");
  const again = await people.anonymous("lina again");
  const plain = await again.open("/login");
  await plain.getByLabel("用户名").fill("lina");
  await plain.getByLabel("密码").fill(PASSWORD);
  await plain.getByRole("button", { name: "登录", exact: true }).click();
  await expect(plain).not.toHaveURL(/\/login/);
});
