/** A page that the browser translates goes on working: nothing throws, what changes is shown, and nothing typed is lost. */
import type { Locator, Page } from "@playwright/test";
import { openChat } from "../support/calls.ts";
import { composer, sendText } from "../support/chat.ts";
import { createConference } from "../support/conference.ts";
import { employeesCsv } from "../support/employees-file.ts";
import { expect, test } from "../support/fixtures.ts";
import { shoot } from "../support/look.ts";
import { logIn } from "../support/people.ts";
import { expectTranslated, translatePages } from "../support/translator.ts";

test("A person logs in on a translated page, after reading what was wrong", async ({ people }) => {
  people.expectComplaints(/401/);
  const lina = await people.anonymous("lina");
  await translatePages(lina.context);
  const page = await lina.open("/login");
  await expectTranslated(page);
  await page.getByRole("button", { name: "登录" }).click();
  await expect(page.getByText("请输入用户名")).toBeVisible();
  await page.getByLabel("用户名").fill("lina");
  await page.getByLabel("密码").fill("wrong password");
  await page.getByRole("button", { name: "登录" }).click();
  await expect(page.locator(".login-refused")).toBeVisible();
  await expect(page.getByText("请输入用户名")).toHaveCount(0);
  await expect(page.getByLabel("用户名")).toHaveValue("lina");
  await logIn(page, "lina");
  await expectTranslated(page);
});

test("Messages are sent, read, answered and taken back in a translated page", async ({
  people,
}) => {
  const zhang = await people.loggedIn("zhangwei");
  const a = zhang.pages[0]!;
  const b = (await people.loggedIn("lina")).pages[0]!;
  await translatePages(a.context());
  await a.reload();
  await openChat(a, "李娜");
  await openChat(b, "张伟");
  await expectTranslated(a);
  await composer(a).fill("写到一半");
  await sendText(b, "翻译中的消息");
  const theirs = a.locator("li.message").filter({ hasText: "翻译中的消息" });
  await expect(theirs).toBeVisible();
  await expect(composer(a), "what was typed").toHaveValue("写到一半");
  for (const text of ["第一条", "第二条", "第三条"]) {
    await sendText(a, text);
    const own = a.locator("li.message").filter({ hasText: text });
    await expect(own, "the state follows").toContainText("已读");
    await expect(own.getByText(text, { exact: true })).toHaveCount(1);
  }
  await theirs.hover();
  await theirs.getByRole("button", { name: "消息操作" }).click();
  await a.getByRole("menuitem", { name: "回复" }).click();
  await sendText(a, "收到");
  const last = a.locator("li.message").filter({ hasText: "收到" }).last();
  await last.hover();
  await last.getByRole("button", { name: "消息操作" }).click();
  await a.getByRole("menuitem", { name: "撤回" }).click();
  await expect(a.locator("li.message-recall")).toHaveText("您撤回了一条消息");
  await expect(a.getByRole("log").getByText("收到", { exact: true })).toHaveCount(0);
  await shoot(a, "chat-translated");
});

/** Imports employees from a file. @param seed makes people of its own */
const importPeople = (seed: number) => async (page: Page) => {
  await page.getByTestId("import-file").setInputFiles({
    name: `翻译${seed}.csv`,
    mimeType: "text/csv",
    buffer: Buffer.from(employeesCsv({ rows: 20, seed }), "utf8"),
  });
  await page.getByRole("button", { name: "开始检查" }).click();
  await page.getByRole("button", { name: "导入 20 行" }).click();
  await expect(page.locator("[data-import-state='done']").first()).toContainText("20");
};

/** The tasks of pages that are neither a list that can be searched nor have a form for a new row. */
const TASKS: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  "/DataBatchImport/index": importPeople(41),
  "/DataBatchImport2/index": importPeople(42),
  async "/im/conference"(page) {
    await createConference(page, "翻译的会议");
    const conference = page.locator(".conference-inside");
    await conference.getByRole("button", { name: "消息", exact: true }).click();
    await conference.getByPlaceholder("发送给所有人").fill("会议里的消息");
    await page.keyboard.press("Enter");
    await expect(conference.locator(".conference-messages")).toContainText("会议里的消息");
    await conference.getByRole("button", { name: "离开会议" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "为所有人结束" }).click();
    await expect(conference).toHaveCount(0);
    await expect(
      page.getByText("已离开会议“翻译的会议”").or(page.getByText("会议“翻译的会议”已结束")),
    ).toBeVisible();
  },
  async "/monitor/cores"(page) {
    const area = page.locator('[data-page="/monitor/cores"]');
    // A core is listed with its first report.
    await expect(area.getByTestId("list-total")).not.toHaveText(/\D0\D/, { timeout: 60_000 });
    expect(await search(area)).toBe(true);
  },
  async "/system/company"(page) {
    await page.getByRole("button", { name: "编辑" }).click();
    const form = page.getByRole("dialog", { name: "编辑企业资料" });
    await form.getByLabel("企业简称").fill("翻译的简称");
    await form.getByRole("button", { name: "保存" }).click();
    await expect(form).toHaveCount(0);
    await expect(page.locator(".company-profile")).toContainText("翻译的简称");
  },
  async "/setfield"(page) {
    await page.getByRole("switch", { name: "企业简称 必填" }).click();
    const save = page.getByRole("button", { name: "保存", exact: true });
    await save.click();
    await expect(save).toBeDisabled();
  },
  async "/monitor/job"(page) {
    const row = page.getByRole("row").filter({ hasText: "清理登录日志" });
    await row.getByRole("button", { name: /^执行一次/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "确定" }).click();
    await expect(page.getByText(/^执行成功，清理 \d+ 项$/)).toBeVisible();
  },
  async "/monitor/fleet"(page) {
    await page.getByRole("button", { name: "30 天" }).click();
    await expect(page).toHaveURL(/time=month/);
  },
  async "/monitor/servers"(page) {
    await page.getByRole("button", { name: "接口" }).click();
    await expect(page.getByRole("region", { name: "回答耗时" })).toBeVisible();
  },
};

/** Pages that are opened alone: the chat has a test of its own, and the others have no rows yet, or show what is without a choice. */
const OPENED: readonly string[] = [
  "/im/people",
  "/im/calls",
  "/supplier/dimission",
  "/monitor/alerts",
  "/monitor/map",
  "/monitor/runtime",
  "/monitor/errors",
  "/system/files",
  "/monitor/applies",
  "/monitor/jobLog",
  "/monitor/smsCodes",
  "/ai",
];

/** Looks for what is not there, and back: the number of rows follows on the screen. @returns whether it did */
async function search(area: Locator): Promise<boolean> {
  const total = area.getByTestId("list-total");
  if ((await total.count()) === 0) return false;
  await expect(total).toHaveText(/\d/);
  const before = (await total.textContent()) ?? "";
  // a choice has an input that nobody can reach
  const keyword = area.getByRole("textbox").and(area.locator('input:not([tabindex="-1"])')).first();
  if ((await keyword.count()) === 0 || /\D0\D/.test(before)) return false;
  await keyword.fill("没有这样的内容");
  await expect(total, "a changed number shows").not.toHaveText(before);
  await expect(keyword).toHaveValue("没有这样的内容");
  await keyword.fill("");
  await expect(total).toHaveText(before);
  return true;
}

/** What a required field accepts. */
async function fittingText(field: Locator, input: Locator): Promise<string> {
  if ((await input.getAttribute("type")) === "number") return "7";
  const isAddress = (await field.getAttribute("data-field")) === "address";
  return isAddress ? "https://translated.example" : "translated";
}

/** Saves a new row by the page's form: first with what is missing, then with all that is required. @returns whether there is one */
async function create(page: Page, area: Locator): Promise<boolean> {
  const button = area.getByRole("button", { name: "新增", exact: true });
  if ((await button.count()) === 0) return false;
  const total = area.getByTestId("list-total");
  // A page that is no list shows its rows without their number.
  const count = async (): Promise<string | null> =>
    (await total.count()) > 0 ? total.textContent() : `${await area.getByRole("row").count()}`;
  const before = await count();
  await button.first().click();
  const form = page
    .getByRole("dialog")
    .filter({ has: page.getByRole("button", { name: "保存", exact: true }) });
  const save = form.getByRole("button", { name: "保存", exact: true });
  await save.click();
  await expect(form.locator("[data-wrong=true]").first(), "what is missing").toBeVisible();
  const fields = form.locator("[data-field]");
  // A choice may show further fields.
  for (let n = 0; n < (await fields.count()); n += 1) {
    const field = fields.nth(n);
    if ((await field.locator("[data-required=true]").count()) === 0) continue;
    const select = field.getByRole("combobox");
    if ((await select.count()) > 0) {
      await select.click();
      await page.getByRole("option").first().click();
      if ((await field.locator(".arco-select-multiple").count()) > 0)
        await page.keyboard.press("Escape");
      continue;
    }
    const input = field.locator("input:not([type=file]), textarea").first();
    const isOpen = (await input.count()) > 0 && (await input.isEditable());
    if (isOpen && (await input.inputValue()) === "") {
      const typed = await fittingText(field, input);
      await input.fill(typed);
      await expect(input, "what was typed").toHaveValue(typed);
    }
    const editor = field.locator("[contenteditable=true]");
    if ((await editor.count()) > 0) {
      await editor.fill("translated");
      await expect(editor, "what was typed").toHaveText("translated");
    }
  }
  await save.click();
  await expect(form, "the form is saved").toHaveCount(0);
  await expect.poll(count, "a changed number shows").not.toBe(before);
  return true;
}

test("Every page of the menus works in a translated page", async ({ people }) => {
  test.setTimeout(600_000);
  const page = (await people.loggedIn("admin", { path: "/dashboard" })).pages[0]!;
  await translatePages(page.context());
  await page.reload();
  await expect(
    page.getByRole("navigation", { name: "主菜单" }).getByText("系统监控"),
  ).toBeVisible();
  const uris = await page.evaluate(() =>
    globalThis.consoleCore.state.session.menus.flatMap((entry) =>
      entry.childMenu.length === 0 ? [entry.uri] : entry.childMenu.map(({ uri }) => uri),
    ),
  );
  const opened: string[] = [];
  for (const uri of uris) {
    await test.step(uri, async () => {
      await page.goto(uri);
      const area = page.locator(`[data-page="${uri}"]`);
      await expect(area.getByRole("heading").or(area.getByRole("button")).first()).toBeVisible();
      await expectTranslated(page);
      const searched = await search(area);
      const created = await create(page, area);
      await TASKS[uri]?.(page);
      if (!searched && !created && !(uri in TASKS)) opened.push(uri);
      await expect(page.getByText("页面出现错误"), uri).toHaveCount(0);
    });
  }
  expect(opened.toSorted()).toEqual(OPENED.toSorted());
  // Pages that stay, one after another without a reload: tags and menus keep their words.
  const menus = page.getByRole("navigation", { name: "主菜单" });
  await page.getByRole("button", { name: "切换语言" }).click();
  await expect(page.getByRole("navigation").getByText("Monitoring").first()).toBeVisible();
  await expect(menus.getByText("系统监控")).toHaveCount(0);
  await page.getByRole("button", { name: /language/i }).click();
  await expect(menus.getByText("系统监控")).toBeVisible();
});
