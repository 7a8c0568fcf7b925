/** A company from nothing to a working team, on a PostgreSQL without demo data and by the screens alone. */
import type { Page } from "@playwright/test";
import { answerButton, callStatus, dial, expectMedia, hangUpButton } from "../support/calls.ts";
import { emptyDatabase, POSTGRES } from "../support/empty-database.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot } from "../support/look.ts";
import { logIn, type Person } from "../support/people.ts";
import { startSmsService } from "../support/sms-service.ts";

const COMPANY = "新程消防技术有限公司";
const PASSWORD = "Newteam2026";
const INVITATIONS = 20;

// Reason: the embedded database always starts with the demo data.
test.skip(POSTGRES === "", "needs a PostgreSQL");
let sms: Awaited<ReturnType<typeof startSmsService>>;
test.use({
  serverEnv: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      sms = await startSmsService();
      const database = await emptyDatabase();
      await use({
        DATABASE_URL: database.url,
        ADMIN_USERNAME: "boss",
        ADMIN_PASSWORD: "Platform2026",
        SMS_WEBHOOK_URL: sms.url,
      });
      sms.close();
      await database.drop();
    },
    { scope: "worker" },
  ],
});

async function code(page: Page, mobile: string): Promise<string> {
  await expect.poll(() => sms.codeOf(mobile)).toBeDefined();
  const said = sms.codeOf(mobile) ?? "";
  await page.getByLabel("短信验证码").fill(said);
  return said;
}

/** Opens an invitation, proves the mobile number, sets a password, and logs in. */
async function joinBy(who: Person, link: string, n: number): Promise<Page> {
  const mobile = `1370000000${n}`;
  const page = await who.open(link);
  await expect(page.getByRole("heading", { name: `加入${COMPANY}` })).toBeVisible();
  await page.getByLabel("姓名").fill(who.name);
  await page.getByLabel("手机号", { exact: true }).fill(mobile);
  await page.getByRole("button", { name: "获取验证码" }).click();
  await expect(page.getByText("验证码已发送")).toBeVisible();
  await code(page, mobile);
  await page.getByLabel("用户名").fill(`worker${n}`);
  await page.getByLabel("密码", { exact: true }).fill(PASSWORD);
  await page.getByLabel("确认密码").fill(PASSWORD);
  if (n === 1) {
    await shoot(page, "invite");
    await expectAccessible(page, "invitation");
  }
  await page.getByRole("button", { name: "加入", exact: true }).click();
  await expect(page.getByText(`worker${n}`)).toBeVisible();
  await page.getByRole("link", { name: "去登录" }).click();
  await logIn(page, `worker${n}`, PASSWORD);
  return page;
}

const menuOf = (page: Page) => page.getByRole("navigation", { name: "主菜单" });

test("A company registers, is approved, sets itself up, invites its people, and they call each other", async ({
  people,
}) => {
  test.setTimeout(300_000);
  const founder = await people.anonymous("founder");
  const page = await founder.open("/register");
  const mobile = "13600000000";
  await page.getByLabel("企业名称", { exact: true }).fill(COMPANY);
  await page.getByRole("button", { name: "下一步" }).click();
  for (const [label, value] of [
    ["联系人", "钱创始"],
    ["手机号", mobile],
    ["用户名", "founder"],
    ["密码", PASSWORD],
    ["确认密码", PASSWORD],
  ] as const) {
    await page.getByLabel(label, { exact: true }).fill(value);
  }
  await page.getByRole("button", { name: "获取验证码" }).click();
  await code(page, mobile);
  await page.getByRole("button", { name: "提交注册" }).click();
  await page.getByRole("button", { name: "去登录" }).click();
  await logIn(page, "founder", PASSWORD);
  await expect(page.getByText("正在等待平台审批")).toBeVisible();

  // The platform's administrator, who came by the configuration, approves.
  const boss = await people.anonymous("boss");
  const platform = await boss.open("/login");
  await logIn(platform, "boss", "Platform2026");
  await platform.goto("/monitor/applies");
  const apply = platform.getByRole("row").filter({ hasText: COMPANY });
  await apply.getByRole("button", { name: `通过 ${COMPANY}` }).click();
  await platform.getByRole("dialog").getByRole("button", { name: "确定" }).click();
  await expect(apply).toContainText("已通过");
  await expect(page.getByText("正在等待平台审批")).toHaveCount(0);

  // Departments of two levels, and a role that shows the employees.
  await page.goto("/system/dept");
  for (const [button, name] of [
    ["新增", "工程部"],
    ["新增下级 工程部", "维保一组"],
  ] as const) {
    await page.getByRole("button", { name: button, exact: true }).click();
    const form = page.getByRole("dialog", { name: "新增部门" });
    await form.getByLabel("部门名称").fill(name);
    await form.getByRole("button", { name: "保存" }).click();
    await expect(form).toHaveCount(0);
    await expect(page.getByRole("treegrid").getByText(name, { exact: true })).toBeVisible();
  }
  await page.goto("/system/role");
  await page.getByRole("button", { name: "新增" }).click();
  const roleForm = page.getByRole("dialog", { name: "新增角色" });
  await roleForm.getByLabel("角色名称").fill("监控值班");
  await roleForm.getByRole("button", { name: "保存" }).click();
  const role = page.getByRole("row").filter({ hasText: "监控值班" });
  await role.getByRole("button", { name: "权限 监控值班" }).click();
  const rights = page.getByRole("dialog", { name: "权限：监控值班" });
  await rights.getByText("系统监控", { exact: true }).click();
  await rights.getByRole("button", { name: "保存" }).click();
  await expect(rights).toHaveCount(0);

  // Twenty invitations at once; three people accept.
  await page.goto("/supplier/employees");
  await page.getByRole("button", { name: "邀请员工" }).click();
  const invite = page.getByRole("dialog", { name: "邀请员工" });
  await invite.locator('[data-field$="departmentId"]').getByRole("combobox").click();
  await page.keyboard.type("维保一组");
  await page.getByRole("option", { name: "工程部 / 维保一组" }).click();
  await invite.getByRole("textbox", { name: "岗位" }).fill("维保工程师");
  await invite.getByLabel("链接数量").fill(String(INVITATIONS));
  await invite.getByRole("button", { name: "生成链接" }).click();
  const links = (await invite.getByLabel("邀请链接").inputValue()).split("\n");
  expect(new Set(links).size).toBe(INVITATIONS);
  await shoot(page, "employee-invites");
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("list-total")).toHaveText("共 1 人");
  const names = ["孙维一", "李维二", "周维三"];
  const staff = await Promise.all(names.map((name) => people.anonymous(name)));
  const [first, second, third] = (await Promise.all(
    staff.map((who, i) => joinBy(who, links[i] ?? "", i + 1)),
  )) as [Page, Page, Page];
  // The founder's open list follows.
  await expect(page.getByTestId("list-total")).toHaveText("共 4 人");
  await expect(page.getByRole("row").filter({ hasText: "李维二" })).toContainText("维保一组");

  // One of them gets the role. The open console shows the menu.
  await expect(menuOf(first).getByRole("link", { name: "人员与消息" })).toBeVisible();
  await expect(menuOf(first).getByText("系统监控")).toHaveCount(0);
  await page.goto("/system/role");
  await role.getByRole("button", { name: "人员：监控值班" }).click();
  const assign = page.getByRole("dialog", { name: "人员：监控值班" });
  await assign.getByRole("button", { name: "未分配" }).click();
  await assign.getByRole("button", { name: "分配 孙维一" }).click();
  await expect(menuOf(first).getByText("系统监控")).toBeVisible();
  await page.goto("/dashboard");
  await expect(page.getByRole("region", { name: "企业概况" })).toContainText("4");
  await expect(page.getByText("近 14 天还没有通话")).toBeVisible();
  await shoot(page, "dashboard-new-company");

  // They call each other.
  for (const one of [first, second, third]) await one.goto("/im/people");
  for (const [from, to, name] of [
    [first, second, "李维二"],
    [second, third, "周维三"],
    [third, first, "孙维一"],
  ] as const) {
    await dial(from, name, "语音通话");
    await answerButton(to).click();
    await expectMedia(from, false);
    await expectMedia(to, false);
    await hangUpButton(from).first().click();
    await expect.poll(() => callStatus(to)).toBe("idle");
    await expect.poll(() => callStatus(from)).toBe("idle");
  }
  // The founder's first page counts the calls.
  const trend = page.getByRole("figure").filter({ hasText: "通话次数" });
  await expect(trend.locator("strong")).toHaveText("3");
});
