/**
 * A company from nothing to a working team, on a PostgreSQL without demo data and by the screens alone: registered and approved, with
 * departments and a role, twenty invitations by import and QR code, three people who accept on their telephones, calls, and one who leaves.
 */
import type { Locator, Page } from "@playwright/test";
import { answerButton, callStatus, dial, expectMedia, hangUpButton } from "./calls.ts";
import { emptyDatabase } from "./empty-database.ts";
import { expect, type Fixtures, test, type WorkerFixtures } from "./fixtures.ts";
import { importPageOf } from "./import-page.ts";
import { expectAccessible, shoot } from "./look.ts";
import { logIn } from "./people.ts";
import { readQr } from "./qr.ts";
import { PATIENCE } from "./time-limits.ts";
import { type SmsService, startSmsService } from "./sms-service.ts";

type People = Fixtures["people"];

export const COMPANY = "新程消防技术有限公司";
const OTHER_COMPANY = "城北电梯维保有限公司";
const PASSWORD = "Newteam2026";
const ADMIN_PASSWORD = "Platform2026";
const ROLE = "监控值班";
/** Rows of the imported file. With the two links by QR code there are twenty invitations. */
const IMPORTED = 18;
/** The pages of a person with the role 员工. */
const STAFF = ["首页", "人员与消息", "会议", "通话记录", "AI 助手"];
/** The pages that the role 监控值班 adds. */
const DUTY = ["运行监控", "错误日志"];
const MINUTE = 60_000;
const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 800 };

export interface NewCompanyServer {
  readonly sms: SmsService;
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** What a server on an empty database needs, and the SMS that it sends. */
export async function newCompanyServer(): Promise<NewCompanyServer> {
  const sms = await startSmsService();
  const database = await emptyDatabase();
  return {
    sms,
    env: {
      DATABASE_URL: database.url,
      ADMIN_USERNAME: "boss",
      ADMIN_PASSWORD,
      SMS_WEBHOOK_URL: sms.url,
    },
    async close() {
      sms.close();
      await database.drop();
    },
  };
}

async function fillCode(page: Page, sms: SmsService, mobile: string): Promise<void> {
  await expect.poll(() => sms.codeOf(mobile)).toBeDefined();
  await page.getByLabel("短信验证码").fill(sms.codeOf(mobile) ?? "");
}

interface Applicant {
  readonly company: string;
  readonly contact: string;
  readonly mobile: string;
  readonly username: string;
}

/** Registers a company and logs its administrator in, who waits for the platform. */
async function register(page: Page, sms: SmsService, given: Applicant): Promise<void> {
  await page.getByLabel("企业名称", { exact: true }).fill(given.company);
  await page.getByRole("button", { name: "下一步" }).click();
  for (const [label, value] of [
    ["联系人", given.contact],
    ["手机号", given.mobile],
    ["用户名", given.username],
    ["密码", PASSWORD],
    ["确认密码", PASSWORD],
  ] as const) {
    await page.getByLabel(label, { exact: true }).fill(value);
  }
  await page.getByRole("button", { name: "获取验证码" }).click();
  await fillCode(page, sms, given.mobile);
  await page.getByRole("button", { name: "提交注册" }).click();
  await page.getByRole("button", { name: "去登录" }).click();
  await logIn(page, given.username, PASSWORD);
  await expect(page.getByText("正在等待平台审批")).toBeVisible();
}

/** The platform's administrator, who came by the configuration, approves. */
async function approveCompany(platform: Page, company: string): Promise<void> {
  const row = platform.getByRole("row").filter({ hasText: company });
  await row.getByRole("button", { name: `通过 ${company}` }).click();
  await platform.getByRole("dialog").getByRole("button", { name: "确定" }).click();
  await expect(row).toContainText("已通过");
}

/** Departments of two levels, and a role that shows the monitoring pages. */
async function setUp(page: Page): Promise<void> {
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
  await roleForm.getByLabel("角色名称").fill(ROLE);
  await roleForm.getByRole("button", { name: "保存" }).click();
  const role = page.getByRole("row").filter({ hasText: ROLE });
  await role.getByRole("button", { name: `权限 ${ROLE}` }).click();
  const rights = page.getByRole("dialog", { name: `权限：${ROLE}` });
  for (const name of DUTY) await rights.getByText(name, { exact: true }).click();
  await rights.getByRole("button", { name: "保存" }).click();
  await expect(rights).toHaveCount(0);
}

const mobileOf = (row: number): string => `137000000${String(row).padStart(2, "0")}`;

/** Imports the staff with an invitation each. @returns the link on the printed QR code of the first one */
async function inviteByImport(page: Page, url: string, first: string): Promise<string> {
  await page.goto("/DataBatchImport/index");
  const imported = importPageOf(page, url);
  const rows = Array.from({ length: IMPORTED }, (_, at) =>
    [at === 0 ? first : `待加入${at + 1}`, mobileOf(at + 1), "工程部/维保一组", "维保工程师"].join(
      ",",
    ),
  );
  await imported.chooseCsv("姓名,联系电话,部门,岗位", ...rows);
  await imported.check();
  await imported.send(IMPORTED);
  await imported.done.getByRole("button", { name: "明细" }).click();
  const details = page.getByRole("tabpanel", { name: "邀请链接" });
  await details.getByRole("button", { name: "在邀请记录中查看" }).click();
  const list = page.locator('[data-page="/supplier/invitations"]');
  await expect(list.getByText(`共 ${IMPORTED} 个邀请`)).toBeVisible();
  await page.evaluate(() => {
    globalThis.print = () => undefined;
  });
  await list.getByRole("button", { name: "打印二维码" }).click();
  const dialog = page.getByRole("dialog", { name: "打印二维码" });
  await dialog.getByRole("combobox", { name: "导入" }).click();
  await page.getByRole("option", { name: "名单.csv" }).click();
  await dialog.getByRole("button", { name: "打印" }).click();
  const sheet = page.locator(".qr-sheet");
  await page.emulateMedia({ media: "print" });
  await expect(sheet.getByRole("listitem")).toHaveCount(IMPORTED);
  const link = await readQr(sheet.getByRole("img", { name: new RegExp(first) }));
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await page.emulateMedia({ media: "screen" });
  await expect(sheet).toHaveCount(0);
  return link;
}

/** Makes one invitation. @returns the link on its QR code */
async function inviteByQr(page: Page, choose: (dialog: Locator) => Promise<void>): Promise<string> {
  await page.getByRole("button", { name: "邀请员工" }).click();
  const dialog = page.getByRole("dialog", { name: "邀请员工" });
  await dialog.locator('[data-field$="departmentId"]').getByRole("combobox").click();
  await page.keyboard.type("维保一组");
  await page.getByRole("option", { name: "工程部 / 维保一组" }).click();
  await choose(dialog);
  await dialog.getByRole("button", { name: "生成链接" }).click();
  const link = await readQr(dialog.getByRole("img", { name: "邀请二维码" }));
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  return link;
}

interface Guest {
  readonly name: string;
  readonly mobile: string;
  readonly username: string;
  /** The account is an existing one. */
  readonly hasAccount?: boolean;
  /** What the page says at the end. */
  readonly end: string;
}

/** Opens an invitation on a telephone, proves the mobile number, and sends the form. The page then leads to the login. */
async function accept(page: Page, sms: SmsService, link: string, guest: Guest): Promise<void> {
  await page.setViewportSize(PHONE);
  await page.goto(new URL(link).pathname);
  await page.getByLabel("姓名").fill(guest.name);
  if (guest.hasAccount === true) {
    await page.getByRole("button", { name: "已有账号？用已有账号登录" }).click();
  }
  await page.getByLabel("手机号", { exact: true }).fill(guest.mobile);
  // A number gets one code a minute, and who registered a company just before has had one.
  await expect(async () => {
    await page.getByRole("button", { name: "获取验证码" }).click();
    await expect(page.getByText("验证码已发送")).toBeVisible({ timeout: 5_000 });
  }).toPass({ timeout: MINUTE + PATIENCE, intervals: [5_000] });
  await fillCode(page, sms, guest.mobile);
  await page.getByLabel("用户名").fill(guest.username);
  await page.getByLabel("密码", { exact: true }).fill(PASSWORD);
  if (guest.hasAccount !== true) await page.getByLabel("确认密码").fill(PASSWORD);
  await page.locator("button[value=join]").last().click();
  await expect(page.getByRole("heading", { name: guest.end })).toBeVisible();
}

/** Logs in on the telephone from the page at the end of an invitation. */
async function enter(page: Page, username: string): Promise<void> {
  await page.getByRole("link", { name: "去登录" }).click();
  await logIn(page, username, PASSWORD);
}

/** The pages in the menu of the telephone, from top to bottom; ask again until it is open, because a change of the page closes it. */
async function menuOf(page: Page): Promise<readonly string[]> {
  const menu = page.getByRole("navigation", { name: "主菜单" });
  const opener = page.getByRole("button", { name: "展开菜单" });
  // A closed menu stands beside the window and is inert, which Playwright takes for visible.
  if (await opener.isVisible()) await opener.click();
  for (const closed of await menu.locator('[aria-expanded="false"]').all()) await closed.click();
  return menu.getByRole("link").allTextContents();
}

/** Ends the employment by the list. @returns when it was confirmed, ms */
async function dismiss(page: Page, name: string): Promise<number> {
  await page.goto("/supplier/employees");
  await page.getByRole("textbox", { name: "搜索姓名、工号、电话、部门" }).fill(name);
  await page.getByRole("button", { name: `离职 ${name}` }).click();
  const dialog = page.getByRole("dialog", { name: `办理离职：${name}` });
  await dialog.getByLabel("离职原因").fill("个人原因");
  const began = Date.now();
  await dialog.getByRole("button", { name: "离职" }).click();
  return began;
}

/** @returns how long after the click each of the leaver's tabs was out, ms */
export async function buildCompany(
  people: People,
  server: WorkerFixtures["server"],
  sms: SmsService,
): Promise<readonly number[]> {
  const founder = await people.anonymous("founder");
  const page = await founder.open("/register");
  const away = await people.anonymous("hewaiyuan");
  const phoneOfAway = await away.open("/register");
  await test.step("two companies register, and the platform approves them", async () => {
    await register(page, sms, {
      company: COMPANY,
      contact: "钱创始",
      mobile: "13600000000",
      username: "founder",
    });
    await register(phoneOfAway, sms, {
      company: OTHER_COMPANY,
      contact: "何外援",
      mobile: "13600000001",
      username: "hewaiyuan",
    });
    const boss = await people.anonymous("boss");
    const platform = await boss.open("/login");
    await logIn(platform, "boss", ADMIN_PASSWORD);
    await platform.goto("/monitor/applies");
    await approveCompany(platform, COMPANY);
    await approveCompany(platform, OTHER_COMPANY);
    await expect(page.getByText("正在等待平台审批")).toHaveCount(0);
  });
  await test.step("departments and a role", () => setUp(page));

  const links = await test.step("twenty invitations by import and QR code", async () => {
    const imported = await inviteByImport(page, server.url, "孙维一");
    await page.goto("/supplier/employees");
    const withRole = await inviteByQr(page, async (dialog) => {
      await dialog.locator('[data-field$="roleIds"]').getByRole("combobox").click();
      for (const role of ["员工", ROLE]) {
        await page.getByRole("option", { name: role, exact: true }).click();
      }
      await page.keyboard.press("Escape");
    });
    const withApproval = await inviteByQr(page, (dialog) =>
      dialog.getByRole("switch", { name: /审批/ }).click(),
    );
    await page.goto("/supplier/invitations");
    // The list still shows those of the import.
    await page.getByRole("button", { name: "重置" }).click();
    await expect(page.getByText(`共 ${IMPORTED + 2} 个邀请`)).toBeVisible();
    return { imported, withRole, withApproval };
  });

  const newcomer = await people.anonymous("sunweiyi");
  const applicant = await people.anonymous("zhouweisan");
  const [first, third] = [await newcomer.open("/login"), await applicant.open("/login")];
  const second = phoneOfAway;
  await test.step("three people accept on their telephones", async () => {
    await accept(first, sms, links.imported, {
      name: "孙维一",
      mobile: mobileOf(1),
      username: "sunweiyi",
      end: `已加入${COMPANY}`,
    });
    await accept(second, sms, links.withRole, {
      name: "何外援",
      mobile: "13600000001",
      username: "hewaiyuan",
      hasAccount: true,
      end: `已加入${COMPANY}`,
    });
    await accept(third, sms, links.withApproval, {
      name: "周维三",
      mobile: "13600000003",
      username: "zhouweisan",
      end: `已申请加入${COMPANY}`,
    });
    await shoot(third, "new-company-applied");
    await expectAccessible(third, "an application by invitation");
    await third.setViewportSize(PHONE);
    await page.goto("/supplier/applies");
    await page
      .getByRole("row")
      .filter({ hasText: "周维三" })
      .getByRole("button", { name: /^通过/ })
      .click();
    const approving = page.getByRole("dialog", { name: "通过“周维三”的申请" });
    await approving.getByRole("button", { name: "通过" }).click();
    await expect(approving).toHaveCount(0);
    await page.goto("/supplier/employees");
    await expect(page.getByTestId("list-total")).toHaveText(`共 ${IMPORTED + 3} 人`);
  });

  await test.step("they log in and see exactly their menus", async () => {
    await enter(first, "sunweiyi");
    await enter(third, "zhouweisan");
    await second.goto("/dashboard");
    await second.getByRole("button", { name: /^当前企业/ }).click();
    await second.getByRole("menuitem", { name: COMPANY }).click();
    const loaded = second.waitForEvent("load");
    await second.getByRole("button", { name: "确定" }).click();
    await loaded;
    for (const [one, pages] of [
      [first, STAFF],
      [second, [...STAFF, ...DUTY]],
      [third, STAFF],
    ] as const) {
      await expect.poll(async () => (await menuOf(one)).toSorted()).toEqual(pages.toSorted());
    }
  });

  await test.step("they call each other", async () => {
    for (const [from, to, name] of [
      [first, second, "何外援"],
      [second, third, "周维三"],
      [third, first, "孙维一"],
    ] as const) {
      // A telephone shows the list or a conversation.
      for (const one of [from, to]) await one.goto("/im/people");
      await dial(from, name, "语音通话");
      await answerButton(to).click();
      await expectMedia(from, false);
      await expectMedia(to, false);
      await hangUpButton(from).first().click();
      await expect.poll(() => callStatus(to)).toBe("idle");
      await expect.poll(() => callStatus(from)).toBe("idle");
    }
    // The founder's first page counts the calls.
    await page.setViewportSize(DESK);
    await page.goto("/dashboard");
    const trend = page.getByRole("figure").filter({ hasText: "通话次数" });
    await expect(trend.locator("strong")).toHaveText("3");
    await expect(page.getByRole("region", { name: "企业概况" })).toContainText("21");
    await shoot(page, "dashboard-new-company");
  });

  return test.step("one leaves and is out in all tabs", async () => {
    const tabs: Page[] = [
      first,
      await newcomer.open("/im/people"),
      await newcomer.open("/dashboard"),
    ];
    for (const tab of tabs.slice(1))
      await expect(tab.getByRole("navigation").first()).toBeAttached();
    const began = dismiss(page, "孙维一");
    const outs = tabs.map(async (tab) => {
      await tab
        .getByText(/您已不在企业/)
        .first()
        .waitFor();
      return Date.now();
    });
    const [clicked, ...times] = await Promise.all([began, ...outs]);
    await expect(first.getByRole("navigation")).toHaveCount(0);
    await expect(second.getByText("孙维一")).toHaveCount(0);
    return times.map((at) => at - clicked);
  });
}
