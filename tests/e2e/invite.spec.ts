/** The page behind an invitation link: whom it names, what goes wrong in the form, and each of its states, on a wide and a narrow screen. */
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";
import { logIn, PASSWORD } from "../support/people.ts";
import { preparedEnv } from "../support/prepared-env.ts";
import { startSmsService } from "../support/sms-service.ts";

let sms: Awaited<ReturnType<typeof startSmsService>>;
test.use({
  serverEnv: preparedEnv(async (use) => {
    sms = await startSmsService();
    await use({ SMS_WEBHOOK_URL: sms.url });
    sms.close();
  }),
});

const COMPANY = "华安物业服务有限公司";
const MOBILE = "13700001234";

/** The page has the browser's theme, which it has no switch for. */
async function look(page: Page, name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await shoot(page, `${name}-${colorScheme}`);
    await expectAccessible(page, `${name}, ${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: "light" });
}

test("An invited person reads who invites, is shown what is wrong, joins once, and later finds each state of the link", async ({
  people,
}) => {
  people.expectComplaints(/40[04]|409|410/);
  const admin = (await people.loggedIn("admin", { path: "/dashboard" })).pages[0]!;
  const link = await admin.evaluate(() =>
    globalThis.consoleCore.commands.rest
      .call({ call: "employees.invite", body: { department: "安全管理部", position: "电工" } })
      .then((made) => made.link),
  );
  const guest = await people.anonymous("invited");
  const page = await guest.open(link);
  await expect(page.getByRole("heading", { name: `加入${COMPANY}` })).toBeVisible();
  await expect(page.getByText("安全管理部 · 电工")).toBeVisible();
  await expect(page.getByText("邀请有效期至")).toBeVisible();
  await look(page, "invite-form");

  await page.getByLabel("姓名").fill("周新来");
  await page.getByLabel("手机号", { exact: true }).fill("1");
  await page.getByRole("button", { name: "获取验证码" }).click();
  await expect(page.getByText("手机号格式不正确")).toBeVisible();
  await expect(page.getByLabel("手机号", { exact: true }), "leads to what is wrong").toBeFocused();
  await expect(page.getByLabel("姓名"), "what was typed stays").toHaveValue("周新来");
  await look(page, "invite-wrong");
  await page.getByLabel("手机号", { exact: true }).fill(MOBILE);
  await page.getByRole("button", { name: "获取验证码" }).click();
  await expect(page.getByText("验证码已发送")).toBeVisible();
  await expect.poll(() => sms.codeOf(MOBILE)).toBeDefined();
  await page.getByLabel("短信验证码").fill(sms.codeOf(MOBILE) ?? "");
  await page.getByLabel("用户名").fill("zhouxinlai");
  await page.getByLabel("密码", { exact: true }).fill("Newteam2026");
  await page.getByLabel("确认密码").fill("Newteam2026");

  // The form shows that it is on its way, and a second click sends nothing. The page itself notes both, for it goes away.
  let sent = 0;
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().includes("/invite/")) sent += 1;
  });
  const button = page.locator("button[value=join]").last();
  await button.evaluate((element: HTMLButtonElement) => {
    new MutationObserver(() => {
      sessionStorage.setItem("shown", `${element.textContent} ${element.ariaBusy}`);
      element.click();
    }).observe(element, { childList: true, attributes: true });
  });
  await button.click();
  await expect(page.getByRole("heading", { name: `已加入${COMPANY}` })).toBeVisible();
  expect(await page.evaluate(() => sessionStorage.getItem("shown"))).toBe("正在加入… true");
  expect(sent).toBe(1);
  await look(page, "invite-joined");
  await page.getByRole("link", { name: "去登录" }).click();
  await logIn(page, "zhouxinlai", "Newteam2026");

  const other = await guest.open(link);
  await expect(other.getByRole("heading", { name: "邀请已被使用" })).toBeVisible();
  await look(other, "invite-used");
  await other.goto("/invite/wrong");
  await expect(other.getByRole("heading", { name: "邀请链接不正确" })).toBeVisible();
  await look(other, "invite-bad-link");
});

test("On a phone, by keyboard and in English, a person with an account of another company logs in and belongs to this one too", async ({
  people,
}) => {
  people.expectComplaints(/400/);
  const admin = (await people.loggedIn("admin", { path: "/dashboard" })).pages[0]!;
  const link = await admin.evaluate(() =>
    globalThis.consoleCore.commands.rest
      .call({ call: "employees.invite", body: { position: "电工" } })
      .then((made) => made.link),
  );
  const guest = await people.anonymous("wangfang");
  const page = await guest.open(link);
  await page.setViewportSize({ width: 390, height: 844 });
  const rules = page.getByText("8 至 72 位，须含字母和数字");
  await expect(rules, "told before the first try").toBeVisible();
  await expect(page.getByLabel("密码", { exact: true })).toHaveAccessibleDescription(
    "8 至 72 位，须含字母和数字",
  );
  await page.getByLabel("姓名").fill("王芳");
  await tabTo(page, page.getByRole("button", { name: "English" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: `Join ${COMPANY}` })).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true }), "what was typed stays").toHaveValue(
    "王芳",
  );
  await expect(page.getByText("8 to 72 characters with letters and digits")).toBeVisible();
  await look(page, "invite-form-english");

  await page.setViewportSize({ width: 390, height: 844 });
  await tabTo(page, page.getByRole("button", { name: "Have an account? Log in with it" }));
  await page.keyboard.press("Enter");
  await expect(page.getByText("The account that you use in another company.")).toBeVisible();
  await expect(page.getByLabel("Password again")).toHaveCount(0);
  const mobile = "13700003456";
  await tabTo(page, page.getByLabel("Mobile number"));
  await page.keyboard.type(mobile);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByText("The code was sent and is valid for 5 minutes.")).toBeVisible();
  await expect.poll(() => sms.codeOf(mobile)).toBeDefined();
  await tabTo(page, page.getByLabel("Code by SMS"));
  await page.keyboard.type(sms.codeOf(mobile) ?? "");
  await page.keyboard.press("Tab");
  await page.keyboard.type("wangfang");
  await page.keyboard.press("Tab");
  await page.keyboard.type("wrong");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toHaveText("Wrong user name or password");
  await look(page, "invite-login-english");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: `You joined ${COMPANY}` })).toBeVisible();
  await expect(page.getByText("wangfang")).toBeVisible();
  await look(page, "invite-joined-english");

  await admin.goto("/supplier/employees");
  await admin.getByPlaceholder("搜索姓名、工号、电话、部门").fill(mobile);
  await expect(admin.getByRole("row").filter({ hasText: mobile })).toContainText("wangfang");
});
