/**
 * The registration in two steps with a licence picture, a refusal that is corrected, and a credit code that another company has
 * (docs/session.md#registration).
 */
import type { Locator, Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";
import { logIn } from "../support/people.ts";

/** A red picture of 8 by 8. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEklEQVR4nGP4z8CAFWEXHbQSACj/P8Fu7N9hAAAAAElFTkSuQmCC",
  "base64",
);
const PASSWORD = "Secret2026";

/** What the demo would have sent, as the platform's administrator reads it. */
async function codeFor(outbox: Page, mobile: string): Promise<string> {
  const row = outbox.getByRole("row").filter({ hasText: mobile }).first();
  await expect(row).toContainText(/验证码是 \d{6}/);
  return /验证码是 (\d{6})/.exec(await row.innerText())?.[1] ?? "";
}
const company = (page: Page): Locator => page.getByLabel("企业名称", { exact: true });
const next = (page: Page): Locator => page.getByRole("button", { name: "下一步" });

test("A company registers in two steps by the keyboard; what was entered survives back and reload; it is refused, corrected and approved", async ({
  people,
}) => {
  test.setTimeout(180_000);
  people.expectComplaints(/40[09]/);
  const guest = await people.anonymous("applicant");
  // The second step without the first leads back to it.
  const page = await guest.open("/nextPage");
  // The browser asks before it leaves unsaved input.
  page.on("dialog", (dialog) => void dialog.accept());
  await expect(page).toHaveURL("/register");
  await expect(page.getByRole("listitem").filter({ hasText: "企业" }).first()).toHaveAttribute(
    "aria-current",
    "step",
  );
  await tabTo(page, company(page));
  await page.keyboard.type("远航消防有限公司");
  await page.keyboard.press("Tab");
  await page.keyboard.type("91350100M000100Y44");
  await page.keyboard.press("Enter");
  await expect(page.getByText("统一社会信用代码的校验位不正确，请核对")).toBeVisible();
  const code = page.getByLabel("统一社会信用代码");
  await expect(code).toBeFocused();
  await code.fill("9135 0100 m000 100y 43");
  const chooser = page.locator("input[type=file]");
  await chooser.setInputFiles({ name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("x") });
  await expect(page.getByText("文件格式不正确，请上传 png/jpg/jpeg 格式文件！")).toBeVisible();
  await chooser.setInputFiles({ name: "执照.png", mimeType: "image/png", buffer: PNG });
  await expect(page.getByText("执照.png")).toBeVisible();
  await shoot(page, "register-company");
  await expectAccessible(page, "registration, company");
  await page.reload();
  await expect(company(page)).toHaveValue("远航消防有限公司");
  await expect(page.getByText("执照.png")).toBeVisible();
  await tabTo(page, next(page));
  await page.keyboard.press("Enter");

  await expect(page).toHaveURL("/nextPage");
  await expect(page.getByLabel("联系人")).toBeFocused();
  // The rule of a password stands there before the first try.
  await expect(page.getByText("8 至 72 位，须含字母和数字")).toBeVisible();
  await page.keyboard.type("钱远航");
  const mobile = "13800005678";
  await page.getByLabel("手机号").fill(mobile);
  await page.getByLabel("用户名").fill("sailboss");
  await page.getByLabel("密码", { exact: true }).fill(PASSWORD);
  await page.getByLabel("确认密码").fill(PASSWORD);
  await shoot(page, "register-administrator");
  await expectAccessible(page, "registration, administrator");
  await page.getByRole("button", { name: "上一步" }).click();
  await expect(page).toHaveURL("/register");
  await expect(company(page)).toHaveValue("远航消防有限公司");
  await next(page).click();
  await expect(page.getByLabel("联系人")).toHaveValue("钱远航");
  await expect(page.getByLabel("密码", { exact: true })).toHaveValue(PASSWORD);
  // A reload keeps everything but the passwords, which are kept nowhere.
  await page.reload();
  await expect(page).toHaveURL("/nextPage");
  await expect(page.getByLabel("用户名")).toHaveValue("sailboss");
  await expect(page.getByLabel("密码", { exact: true })).toHaveValue("");
  const admin = await people.loggedIn("admin", { path: "/monitor/smsCodes" });
  const outbox = admin.pages[0]!;
  await page.getByRole("button", { name: "获取验证码" }).click();
  await page.getByLabel("短信验证码").fill(await codeFor(outbox, mobile));
  await page.getByLabel("密码", { exact: true }).fill(PASSWORD);
  await page.getByLabel("确认密码").fill(PASSWORD);
  await page.getByRole("button", { name: "提交注册" }).click();
  await expect(page.getByRole("heading", { name: "注册申请已提交" })).toBeVisible();
  await page.getByRole("button", { name: "去登录" }).click();
  await logIn(page, "sailboss", PASSWORD);

  // The platform's administrator sees the picture, and refuses.
  await outbox.goto("/monitor/applies");
  const row = outbox.getByRole("row").filter({ hasText: "远航消防有限公司" });
  await row.getByRole("button", { name: /^拒绝/ }).click();
  const refusing = outbox.getByRole("dialog");
  const picture = refusing.getByRole("img", { name: "营业执照" });
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(8);
  await refusing.getByLabel("原因").fill("企业名称与营业执照不一致");
  await shoot(outbox, "apply-refuse");
  await expectAccessible(outbox, "refusal of an application");
  await refusing.getByRole("button", { name: "拒绝" }).click();
  await expect(row).toContainText("企业名称与营业执照不一致");

  // The applicant reads why, corrects, and types nothing again that was right.
  const notice = page.getByRole("status").filter({ hasText: "企业名称与营业执照不一致" });
  await notice.getByRole("link").click();
  await page.getByRole("button", { name: "修改后重新提交" }).click();
  await expect(page.getByRole("heading", { name: "修改申请" })).toBeVisible();
  await expect(page.getByText("拒绝原因：企业名称与营业执照不一致")).toBeVisible();
  await expect(page.getByLabel("联系人")).toHaveValue("钱远航");
  await expect(page.getByText("已上传，不更换则保留")).toBeVisible();
  await page.getByLabel("企业名称").fill("远航消防技术有限公司");
  await shoot(page, "apply-correct");
  await expectAccessible(page, "correction of an application");
  await page.getByRole("button", { name: "重新提交" }).click();
  await expect(page.getByText("“远航消防技术有限公司”的入驻申请正在等待平台审批。")).toBeVisible();

  const corrected = outbox.getByRole("row").filter({ hasText: "远航消防技术有限公司" });
  await expect(corrected).toContainText("待审批");
  await corrected.getByRole("button", { name: /^通过/ }).click();
  const approving = outbox.getByRole("dialog");
  await expect(approving.getByRole("img", { name: "营业执照" })).toBeVisible();
  await shoot(outbox, "apply-approve");
  await approving.getByRole("button", { name: "确定" }).click();
  await expect(corrected).toContainText("已通过");
  await page.goto("/system/company");
  await expect(page.getByRole("img", { name: "营业执照" })).toBeVisible();

  // Another company cannot have the code: the refusal leads to its field.
  const other = await people.anonymous("other");
  const second = await other.open("/register");
  await second.getByRole("button", { name: "切换语言" }).click();
  await second.getByLabel("Company name").fill("Second Company");
  await second.getByLabel("Unified social credit code").fill("91350100M000100Y43");
  await second.getByRole("button", { name: "Next" }).click();
  await second.getByLabel("Contact").fill("Zhao");
  await second.getByLabel("Mobile").fill("13800005679");
  await second.getByRole("button", { name: "Send code" }).click();
  await outbox.goto("/monitor/smsCodes");
  await second.getByLabel("SMS code").fill(await codeFor(outbox, "13800005679"));
  await second.getByLabel("User name").fill("secondboss");
  await second.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await second.getByLabel("Confirm password").fill(PASSWORD);
  await second.getByRole("button", { name: "Register" }).click();
  await expect(second).toHaveURL("/register");
  await expect(
    second.getByText("Another company has this unified social credit code"),
  ).toBeVisible();
  await expect(second.getByLabel("Unified social credit code")).toBeFocused();
  await shoot(second, "register-taken");
});
