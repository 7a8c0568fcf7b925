/**
 * Pages without a menu entry as everybody meets them: in Chinese and in English, wide and on a phone, light and dark, and with the Tab key.
 * The pages of the menus have a test of their own.
 */
import type { Locator, Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";

// Applications and required fields of this file belong to no other one.
test.use({ serverEnv: { TEST_SERVER: "people pages" } });

type Language = "zh" | "en";
/** The words of a control in both languages. */
type Words = readonly [zh: string, en: string];
const LANGUAGES = ["zh", "en"] as const;
const inLanguage = (language: Language, [zh, en]: Words): string => (language === "zh" ? zh : en);
const CHINESE = /\p{Script=Han}/u;
const PHONE = { width: 390, height: 844 };

/** Everything of an element that somebody reads or hears, but the switch to the other language. */
const wordsOf = (root: Locator): Promise<string[]> =>
  root.evaluate((top) => {
    const found: string[] = [];
    for (const element of [top, ...top.querySelectorAll("*")]) {
      if (element.closest("noscript, [lang=zh-CN]:not(html), [aria-label='Language 中文']"))
        continue;
      for (const name of ["placeholder", "aria-label", "title", "alt"]) {
        found.push(element.getAttribute(name) ?? "");
      }
      for (const node of element.childNodes) {
        if (node.nodeType === Node.TEXT_NODE) found.push(node.textContent ?? "");
      }
    }
    return found.map((text) => text.trim()).filter((text) => text !== "");
  });

/** @param data texts that people or companies wrote, which no language changes */
async function expectEnglish(root: Locator, what: string, data: readonly string[]): Promise<void> {
  const foreign = (await wordsOf(root))
    .map((text) => data.reduce((rest, one) => rest.replaceAll(one, ""), text))
    .filter((text) => CHINESE.test(text));
  expect.soft(foreign, `${what} in English`).toEqual([]);
}

/**
 * Axe looks at each screen wide in Chinese and narrow in English, both light and dark; nothing sticks out at either width in either
 * language; Tab reaches what the screen is for.
 */
async function look(
  page: Page,
  name: string,
  language: Language,
  { root, main, data }: { root: Locator; main: Locator; data: readonly string[] },
): Promise<void> {
  await tabTo(page, main);
  await shoot(page, `people-${name}-${language}`);
  if (language === "en") {
    await expectEnglish(root, name, data);
    await page.setViewportSize(PHONE);
    await expect(main, "the control can be reached on a phone").toBeVisible();
  }
  await expectAccessible(page, `${name}, ${language}`);
  await page.setViewportSize({ width: 1280, height: 800 });
}

/** The code that the demo keeps for a number. */
const newestCode = (admin: Page, mobile: string): Promise<string> =>
  admin.evaluate(
    (keyword) =>
      globalThis.consoleCore.commands.rest
        .call({ call: "sms.outbox", query: { keyword } })
        .then(({ records }) => /\d{6}/.exec(records[0]?.text ?? "")?.[0] ?? ""),
    mobile,
  );
const inviteLink = (admin: Page, approval: boolean): Promise<string> =>
  admin.evaluate(
    (wants) =>
      globalThis.consoleCore.commands.rest
        .call({ call: "employees.invite", body: { approval: wants } })
        .then((made) => made.link),
    approval,
  );

const COMPANY = "华安物业服务有限公司";
interface PublicPage {
  readonly name: string;
  readonly path: string;
  readonly main: Words;
  /** Fills in what comes before. */
  readonly before?: (page: Page, words: (of: Words) => string) => Promise<void>;
}
const PUBLIC: readonly PublicPage[] = [
  { name: "register", path: "/register", main: ["下一步", "Next"] },
  {
    name: "next-page",
    path: "/register",
    main: ["提交注册", "Register"],
    before: async (page, words) => {
      await page.getByLabel(words(["企业名称", "Company name"])).fill("Test Co");
      await page.getByRole("button", { name: words(["下一步", "Next"]) }).click();
      await expect(page).toHaveURL("/nextPage");
    },
  },
  { name: "states", path: "/nextPage?states", main: ["查询", "Show"] },
  { name: "reset", path: "/login?reset", main: ["设置新密码", "Set new password"] },
];

test("Pages for people without a login can be used by everybody: registration, its state, a forgotten password", async ({
  people,
}) => {
  const guest = await people.anonymous("guest");
  const page = await guest.open("/login");
  page.on("dialog", (dialog) => void dialog.accept());
  for (const language of LANGUAGES) {
    const words = (of: Words): string => inLanguage(language, of);
    if (language === "en") {
      await page.goto("/login?reset");
      await page.getByRole("button", { name: "切换语言" }).click();
      await expect(page.locator("html")).toHaveAttribute("lang", "en");
    }
    for (const { name, path, main, before } of PUBLIC) {
      await page.goto(path);
      await before?.(page, words);
      const button = page.getByRole("button", { name: words(main), exact: true });
      await expect(button).toBeVisible();
      await look(page, name, language, { root: page.locator("body"), main: button, data: [] });
    }
  }
});

test("The page of an invitation can be used by everybody, with what the company requires, and in each of its states", async ({
  people,
}) => {
  people.expectComplaints(/400|404|410/);
  const admin = (await people.loggedIn("admin", { path: "/dashboard" })).pages[0]!;
  await admin.evaluate(async () => {
    const { rest } = globalThis.consoleCore.commands;
    const params = { subject: "employee" } as const;
    const { version, fields } = await rest.call({ call: "fieldSettings.get", params });
    const required = ["name", "gender", "birthday", "email"];
    const wanted = fields.map((one) => ({ ...one, required: required.includes(one.key) }));
    await rest.call({ call: "fieldSettings.save", params, body: { version, fields: wanted } });
  });
  const [link, revoked] = [await inviteLink(admin, true), await inviteLink(admin, false)];
  await admin.evaluate(async (path) => {
    const { rest } = globalThis.consoleCore.commands;
    const { records } = await rest.call({ call: "invitations.list", query: { limit: 20 } });
    const id = records.find((one) => one.link === path)?.id ?? "";
    await rest.call({ call: "invitations.revoke", params: { id } });
  }, revoked);
  const page = await (await people.anonymous("invited")).open("/login");
  const states = [
    { name: "invitation", path: link, main: ["提交申请", "Apply"], role: "button" },
    { name: "invitation-revoked", path: revoked, main: ["去登录", "Log in"], role: "link" },
    { name: "invitation-wrong", path: "/invite/x", main: ["English", "中文"], role: "link" },
  ] as const;
  for (const language of LANGUAGES) {
    for (const { name, path, main, role } of states) {
      await page.goto(`${path}?lang=${language}`);
      const control = page
        .getByRole(role, { name: inLanguage(language, main), exact: true })
        .last();
      // Its names of genders are those of the company's dictionary. The theme is the browser's.
      const parts = {
        root: page.locator("body"),
        main: control,
        data: [COMPANY, "男", "女", "未知"],
      };
      await page.emulateMedia({ colorScheme: language === "zh" ? "light" : "dark" });
      await look(page, name, language, parts);
    }
  }
  // On a phone: what is missing is said at its field.
  await page.goto(`${link}?lang=zh`);
  await page.setViewportSize(PHONE);
  await page.getByLabel("姓名").fill("申请人");
  await page.getByLabel("手机号", { exact: true }).fill("13900008001");
  await page.getByRole("button", { name: "获取验证码" }).click();
  await expect(page.getByText("验证码已发送")).toBeVisible();
  await page.getByLabel("短信验证码").fill(await newestCode(admin, "13900008001"));
  await page.getByLabel("用户名").fill("applicant1");
  await page.getByLabel("密码", { exact: true }).fill("Newteam2026");
  await page.getByLabel("确认密码").fill("Newteam2026");
  await page.getByLabel("性别").selectOption({ label: "女" });
  await page.getByLabel("出生日期").fill("1990-05-06");
  // The browser itself leads to a required field that is empty.
  await page.getByRole("button", { name: "提交申请" }).last().click();
  await expect(page.getByLabel("电子邮箱")).toBeFocused();
  await page.locator("form").evaluate((form: HTMLFormElement) => (form.noValidate = true));
  await page.getByRole("button", { name: "提交申请" }).last().click();
  await expect(page.getByText("请填写电子邮箱")).toBeVisible();
  await expect(page.getByLabel("电子邮箱")).toBeFocused();
  await expect(page.getByLabel("性别"), "what was chosen stays").toHaveValue("2");
  await shoot(page, "people-invitation-missing");
  await expectAccessible(page, "a required field of an invitation is missing");
  await page.setViewportSize(PHONE);
  await page.getByLabel("电子邮箱").fill("a@example.com");
  await page.getByLabel("密码", { exact: true }).fill("Newteam2026");
  await page.getByLabel("确认密码").fill("Newteam2026");
  await page.getByRole("button", { name: "提交申请" }).last().click();
  await expect(page.getByRole("heading", { name: `已申请加入${COMPANY}` })).toBeVisible();
  await page.getByRole("link", { name: "查询申请进度" }).click();
  await expect(page.getByRole("heading", { name: "查询申请进度" })).toBeVisible();
});
