/** A platform without an SMS service says so, to administrators with what to set, to guests with what to do (docs/server.md#sms). */
import { emptyDatabase, POSTGRES } from "../support/empty-database.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot } from "../support/look.ts";
import { logIn } from "../support/people.ts";
import { preparedEnv } from "../support/prepared-env.ts";

// Reason: on the embedded database a page shows the codes, so there is always a sender.
test.skip(POSTGRES === "", "needs a PostgreSQL");
test.use({
  serverEnv: preparedEnv(async (use) => {
    const database = await emptyDatabase();
    await use({
      DATABASE_URL: database.url,
      ADMIN_USERNAME: "boss",
      ADMIN_PASSWORD: "Platform2026",
    });
    await database.drop();
  }),
});

test("Without an SMS service administrators read what to set, and guests what to do instead of a form", async ({
  people,
}) => {
  test.setTimeout(120_000);
  people.expectComplaints(/503/);
  const boss = await people.anonymous("boss");
  const page = await boss.open("/login");
  await logIn(page, "boss", "Platform2026");
  for (const path of ["/dashboard", "/monitor/applies", "/supplier/invitations"]) {
    await page.goto(path);
    const notice = page.getByRole("status").filter({ hasText: "未配置短信服务" });
    await expect(notice).toContainText("SMS_WEBHOOK_URL");
    await expect(notice).toContainText("README.md 的“Connect it to a real platform”");
  }
  await shoot(page, "sms-notice-list");
  await expectAccessible(page, "notice of a missing SMS service");
  await page.goto("/supplier/employees");
  await page.getByRole("button", { name: "邀请员工" }).click();
  const invite = page.getByRole("dialog", { name: "邀请员工" });
  await expect(invite.getByText("未配置短信服务")).toBeVisible();
  await invite.getByRole("button", { name: "生成链接" }).click();
  const link = await invite.getByLabel("邀请链接").inputValue();
  await page.goto("/profile/index");
  await expect(page.getByText(/暂时不能更换手机号/)).toBeVisible();
  await expect(page.getByRole("button", { name: "验证手机号" })).toHaveCount(0);

  const guest = await people.anonymous("guest");
  const form = await guest.open("/register");
  await expect(form.getByRole("heading", { name: "暂时无法注册" })).toBeVisible();
  await expect(form.getByRole("textbox")).toHaveCount(0);
  await shoot(form, "register-no-sms");
  await expectAccessible(form, "registration without an SMS service");
  await form.goto("/login?reset");
  await expect(form.getByRole("heading", { name: "暂时无法用短信重置密码" })).toBeVisible();
  await form.getByRole("button", { name: "去登录" }).click();
  await expect(form.getByRole("button", { name: "登录", exact: true })).toBeVisible();
  await form.getByRole("button", { name: "切换语言" }).click();
  await form.goto("/register");
  await expect(
    form.getByRole("heading", { name: "Registration is not possible now" }),
  ).toBeVisible();
  await form.goto(link);
  await expect(form.getByText(/平台还没有配置短信服务/)).toBeVisible();
  await expect(form.getByRole("textbox")).toHaveCount(0);
});
