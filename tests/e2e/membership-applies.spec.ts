/** Invitations that need an approval: somebody applies, logs in, reads the decision, and becomes a member (docs/server.md#membership-applications). */
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";
import { logIn } from "../support/people.ts";
import { preparedEnv } from "../support/prepared-env.ts";
import { startSmsService } from "../support/sms-service.ts";

let sms: Awaited<ReturnType<typeof startSmsService>>;
test.use({
  serverEnv: preparedEnv(async (use) => {
    sms = await startSmsService();
    await use({ SMS_WEBHOOK_URL: sms.url, TRUSTED_PROXIES: "127.0.0.1" });
    sms.close();
  }),
});

const COMPANY = "华安物业服务有限公司";
const link = (page: Page): Promise<string> =>
  page.evaluate(() =>
    globalThis.consoleCore.commands.rest
      .call({ call: "employees.invite", body: { approval: true, position: "巡查员" } })
      .then((made) => made.link),
  );

async function apply(page: Page, name: string, mobile: string, username: string): Promise<void> {
  await expect(page.getByText("然后由企业审批您的加入申请")).toBeVisible();
  await page.getByLabel("姓名").fill(name);
  await page.getByLabel("手机号", { exact: true }).fill(mobile);
  await page.getByRole("button", { name: "获取验证码" }).click();
  await expect.poll(() => sms.codeOf(mobile)).toBeDefined();
  await page.getByLabel("短信验证码").fill(sms.codeOf(mobile) ?? "");
  await page.getByLabel("用户名").fill(username);
  await page.getByLabel("密码", { exact: true }).fill("Newteam2026");
  await page.getByLabel("确认密码").fill("Newteam2026");
  await page.locator("button[value=join]").last().click();
  await expect(page.getByRole("heading", { name: `已申请加入${COMPANY}` })).toBeVisible();
}

test("Two people apply by a link: one reads why the company refuses, the other is approved and enters", async ({
  people,
}) => {
  people.expectComplaints(/40[03]|没有使用权限/);
  const admin = (await people.loggedIn("admin", { path: "/dashboard" })).pages[0]!;
  const [first, second] = [await link(admin), await link(admin)];
  const one = await people.anonymous("refused");
  // A phone elsewhere: the codes of one address have to wait for each other.
  await one.context.setExtraHTTPHeaders({ "x-forwarded-for": "203.0.113.5" });
  const page = await one.open(first);
  await apply(page, "申一", "13700003451", "shenyi");
  await shoot(page, "invite-applied");
  await expectAccessible(page, "applied");
  const two = await people.anonymous("approved");
  const other = await two.open(second);
  await apply(other, "申二", "13700003452", "shener");

  // The applicant logs in while the company has not decided.
  await page.getByRole("link", { name: "去登录" }).click();
  await logIn(page, "shenyi", "Newteam2026");
  await page.goto("/dashboard");
  await expect(page.getByText(`您申请加入“${COMPANY}”，正在等待企业处理。`)).toBeVisible();

  // The dashboard's figure leads to the applications.
  await admin.getByRole("link", { name: "待处理申请" }).click();
  await expect(admin.getByRole("heading", { name: "加入申请" })).toBeVisible();
  const row = (name: string) => admin.getByRole("row").filter({ hasText: name });
  await expect(row("申一")).toContainText("待审批");
  await shoot(admin, "membership-applies");
  await expectAccessible(admin, "membership applications");
  await row("申一").getByRole("button", { name: /^拒绝/ }).click();
  const refusing = admin.getByRole("dialog", { name: "拒绝“申一”的申请" });
  await refusing.getByLabel("原因").fill("岗位已满");
  await refusing.getByRole("button", { name: "拒绝" }).click();
  await expect(refusing).toHaveCount(0);
  await expect(row("申一")).toContainText("岗位已满");
  await page.reload();
  await expect(page.getByText(`“${COMPANY}”未通过您的加入申请：岗位已满`)).toBeVisible();
  await shoot(page, "membership-refused");
  await expectAccessible(page, "a refused application");

  // In another browser, without a login: by the mobile number and a code.
  const elsewhere = await people.anonymous("elsewhere");
  const asked = await elsewhere.open("/login");
  await tabTo(asked, asked.getByRole("link", { name: "查询申请进度" }));
  await asked.keyboard.press("Enter");
  await expect(asked).toHaveURL("/nextPage?states");
  await tabTo(asked, asked.getByLabel("手机号"));
  await asked.keyboard.type("13700003451");
  const used = sms.codeOf("13700003451") ?? "";
  await asked.getByRole("button", { name: "获取验证码" }).click();
  await expect(asked.getByLabel("短信验证码")).toBeFocused();
  await asked.keyboard.type(used);
  await asked.keyboard.press("Enter");
  await expect(asked.getByText("验证码不正确或已过期")).toBeVisible();
  await expect.poll(() => sms.codeOf("13700003451")).not.toBe(used);
  await asked.getByLabel("短信验证码").fill(sms.codeOf("13700003451") ?? "");
  await shoot(asked, "application-by-code");
  await expectAccessible(asked, "the state of an application by a code");
  await asked.keyboard.press("Enter");
  await expect(asked.getByText(`加入“${COMPANY}”的申请未通过：岗位已满`)).toBeVisible();
  await shoot(asked, "application-state");
  await expectAccessible(asked, "the state of an application");

  await row("申二").getByRole("button", { name: /^通过/ }).click();
  const approving = admin.getByRole("dialog", { name: "通过“申二”的申请" });
  await expect(approving.locator('[data-field="employeeId"]')).toContainText("自动");
  await shoot(admin, "membership-approve");
  await expectAccessible(admin, "approving an application");
  await approving.getByRole("button", { name: "通过" }).click();
  await expect(approving).toHaveCount(0);
  await expect(row("申二")).toContainText("已通过");
  await other.getByRole("link", { name: "去登录" }).click();
  await logIn(other, "shener", "Newteam2026");
  await expect(other.getByText(COMPANY).first()).toBeVisible();
  await expect(other.getByText("人员与消息").first()).toBeVisible();
});

test("An account is bound again from the details of an employee, found by the server", async ({
  people,
}) => {
  const admin = (await people.loggedIn("admin", { path: "/supplier/employees" })).pages[0]!;
  await admin.evaluate(async () => {
    const { rest } = globalThis.consoleCore.commands;
    const { records } = await rest.call({ call: "employees.list", query: { keyword: "李娜" } });
    const { id } = records[0]!;
    const { version } = await rest.call({ call: "employees.get", params: { id } });
    const body = { employeeId: id, accountId: null, version };
    await rest.call({ call: "employees.bindAccount", body });
  });
  await admin.getByRole("textbox", { name: "搜索姓名、工号、电话、部门" }).fill("李娜");
  await admin.getByRole("button", { name: "李娜", exact: true }).click();
  const details = admin.getByRole("dialog", { name: "员工详情" });
  await details.getByRole("button", { name: "绑定账号" }).click();
  const form = admin.getByRole("dialog", { name: "绑定账号" });
  await form.getByRole("combobox").click();
  await admin.keyboard.type("lina");
  await admin.getByRole("option", { name: /李娜.*lina.*曾加入/ }).click();
  await shoot(admin, "bind-account");
  await expectAccessible(admin, "binding an account");
  await form.getByRole("button", { name: "保存" }).click();
  await expect(details.getByText("已绑定账号 lina")).toBeVisible();
});
