/** 邀请记录: an invitation is made for two people, joined, shown again and revoked while somebody has its form open (docs/server.md#invitations). */
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";
import { readQr } from "../support/qr.ts";
import { startSmsService } from "../support/sms-service.ts";

let sms: Awaited<ReturnType<typeof startSmsService>>;
test.use({
  serverEnv: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      sms = await startSmsService();
      await use({ SMS_WEBHOOK_URL: sms.url });
      sms.close();
    },
    { scope: "worker" },
  ],
});

test("An invitation for two gives a department and a role, is listed with who joined, shown again, and revoked under an open form", async ({
  people,
}) => {
  people.expectComplaints(/410/);
  const admin = (await people.loggedIn("admin", { path: "/supplier/employees" })).pages[0]!;
  await admin.getByRole("button", { name: "邀请员工" }).click();
  const dialog = admin.getByRole("dialog", { name: "邀请员工" });
  await dialog.getByLabel("每个链接可用人数").fill("2");
  const post = dialog.getByRole("group", { name: "邀请岗位 1", exact: true });
  await post.locator('[data-field$="departmentId"]').getByRole("combobox").click();
  await admin.keyboard.type("客户服务部");
  await admin.getByRole("option", { name: "客户服务部" }).click();
  await post.getByRole("textbox", { name: "岗位" }).fill("接待");
  await post.locator('[data-field$="roleIds"]').getByRole("combobox").click();
  await admin.getByRole("option", { name: "运维人员" }).click();
  await admin.keyboard.press("Escape");
  await dialog.getByRole("button", { name: "生成链接" }).click();
  await expect(dialog.getByText("每个链接可供 2 人加入。")).toBeVisible();
  const link = await dialog.getByLabel("邀请链接").inputValue();
  await admin.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);

  const guest = await people.anonymous("invited");
  const page = await guest.open(link);
  const mobile = "13700002345";
  await page.getByLabel("姓名").fill("郑接待");
  await page.getByLabel("手机号", { exact: true }).fill(mobile);
  await page.getByRole("button", { name: "获取验证码" }).click();
  await expect.poll(() => sms.codeOf(mobile)).toBeDefined();
  await page.getByLabel("短信验证码").fill(sms.codeOf(mobile) ?? "");
  await page.getByLabel("用户名").fill("zhengjiedai");
  await page.getByLabel("密码", { exact: true }).fill("Newteam2026");
  await page.getByLabel("确认密码").fill("Newteam2026");
  await page.locator("button[value=join]").last().click();
  await expect(page.getByText("zhengjiedai")).toBeVisible();

  await admin.goto("/supplier/invitations");
  const row = admin.getByRole("row").filter({ hasText: "客户服务部 · 接待" });
  await expect(row).toContainText("可使用");
  await expect(row).toContainText("1 / 2");
  await expect(row).toContainText("郑接待");
  await expect(row).toContainText("运维人员");
  await shoot(admin, "invitations");
  await expectAccessible(admin, "invitations");
  const show = row.getByRole("button", { name: /^查看链接/ });
  await tabTo(admin, show);
  await admin.keyboard.press("Enter");
  const shown = admin.getByRole("dialog", { name: "新员工 · 客户服务部 · 接待" });
  await expect(shown.getByLabel("邀请链接")).toHaveValue(link);
  expect(await readQr(shown.getByRole("img", { name: "邀请二维码" }))).toBe(link);
  await shoot(admin, "invitation-link");
  await admin.keyboard.press("Escape");
  await expect(shown).toHaveCount(0);

  // Somebody has the form open while the company revokes the link.
  const late = await guest.open(link);
  await expect(late.getByLabel("姓名")).toBeVisible();
  await row.getByRole("button", { name: /^撤回/ }).click();
  await admin.getByRole("button", { name: "确定" }).click();
  await expect(row).toContainText("已撤回");
  await late.getByLabel("姓名").fill("迟到");
  await late.getByLabel("手机号", { exact: true }).fill("13700002346");
  await late.getByRole("button", { name: "获取验证码" }).click();
  await expect(late.getByRole("heading", { name: "邀请已撤回" })).toBeVisible();
  await shoot(late, "invite-revoked");
  await expectAccessible(late, "revoked invitation");
});
