/** 文件: the files that the company keeps (docs/server.md#the-files-of-a-company). */
import type { Locator, Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { startGateway } from "../support/gateway.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";
import { loggedIn, PASSWORD } from "../support/people.ts";
import { restLogin } from "../support/rest-login.ts";
import { PATIENCE } from "../support/time-limits.ts";

// The list begins without files, and three megabytes are soon full.
test.use({ serverEnv: { TEST_SERVER: "files page", UPLOAD_COMPANY_MB: "3" } });

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEklEQVR4nGP4z8CAFWEXHbQSACj/P8Fu7N9hAAAAAElFTkSuQmCC";
const PATH = "/system/files";

/** Uploads a file of the company by the queue, as a form does. @returns the name by which it is read, or the refusal */
const upload = (page: Page, name: string, content: string | number): Promise<string> =>
  page.evaluate(
    async ([key, given, png]) => {
      const { commands, state } = globalThis.consoleCore;
      const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
      const text = typeof given === "number" ? "文".repeat(given / 3) : given;
      const file = new Blob([key.endsWith(".png") ? bytes : text]);
      await commands.uploads.start({ key, file, name: key });
      return new Promise<string>((resolve) => {
        const look = (): void => {
          const { state: now, fileName, error } = state.uploads.byKey[key] ?? {};
          if (now !== "done" && now !== "failed") return void requestAnimationFrame(look);
          void commands.uploads.cancel({ key }).then(() => resolve(fileName ?? error?.code ?? ""));
        };
        look();
      });
    },
    [name, content, PNG] as const,
  );

const rows = (page: Page) => page.getByRole("row").filter({ hasNotText: "文件名" });
const row = (page: Page, name: string) => rows(page).filter({ hasText: name });
const space = (page: Page) => page.getByRole("region", { name: "文件空间" });
/** Goes on by the Tab key from the field of the file name. */
const tabFromSearch = async (page: Page, target: Locator): Promise<void> => {
  await page.getByRole("textbox", { name: "文件名" }).focus();
  await tabTo(page, target);
};
const choose = async (page: Page, filter: string, option: string): Promise<void> => {
  await page.getByRole("combobox", { name: filter }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
};

test("An administrator finds the company's files and what needs them, looks at one, saves one, and deletes what nothing needs", async ({
  people,
  server,
}) => {
  test.setTimeout(240_000);
  people.expectComplaints(/409/);
  const admin = await people.loggedIn("admin", { path: PATH, tabs: 2 });
  const [page, second] = [admin.pages[0]!, admin.pages[1]!];
  await page.bringToFront();
  await expect(page.getByText("暂无数据")).toBeVisible();
  await expect(space(page)).toContainText("已用 0 B，共 3 MB");
  await shoot(page, "files-empty");
  await expectAccessible(page, "files, empty");

  // What is uploaded shows at once, in every tab.
  const scene = await upload(page, "现场.png", "");
  await upload(page, "报告.pdf", "%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF");
  await upload(page, "巡查记录.txt", 300_000);
  for (const tab of [page, second]) await expect(rows(tab)).toHaveCount(3);
  await expect(rows(page)).toHaveText([/巡查记录/, /报告/, /现场/]);
  await expect(row(page, "巡查记录")).toContainText(/纯文本.*293 KB.*管理员.*未使用/);
  await expect(space(page)).toContainText("未使用的文件 3 个");
  await expect(space(page).getByRole("progressbar")).toHaveAttribute("value", "9");

  // A download that takes its file away takes it off every list.
  const passing = await upload(page, "临时.txt", 300);
  for (const tab of [page, second]) await expect(row(tab, "临时")).toHaveCount(1);
  const { grant } = await restLogin(server.url, "admin", PASSWORD);
  const taken = await fetch(
    `${server.url}/umc-rbac/common/download?fileName=${passing}&delete=true`,
    { headers: { authorization: `Bearer ${grant.access_token}`, "supplier-id": "1" } },
  );
  expect((await taken.text()).length).toBe(100);
  for (const tab of [page, second]) await expect(row(tab, "临时")).toHaveCount(0);
  await expect(space(page)).toContainText("未使用的文件 3 个");

  // A picture of a bulletin is needed: it names the bulletin, and is not offered for deletion.
  await page.evaluate(
    (fileName) =>
      globalThis.consoleCore.commands.rest.call({
        call: "bulletins.create",
        body: {
          noticeTitle: "停电通知",
          noticeType: "1",
          status: "0",
          noticeContent: `<p>明日停电</p><img data-file="${fileName}">`,
        },
      }),
    scene,
  );
  const link = row(page, "现场").getByRole("button", { name: "通知公告：停电通知" });
  await expect(link).toBeVisible();
  await expect(page.getByRole("button", { name: "删除 现场.png" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "删除 报告.pdf" })).toBeVisible();
  await link.click();
  const reader = page.getByRole("dialog", { name: "停电通知" });
  await expect(reader).toContainText("明日停电");
  await reader.getByRole("button", { name: "关闭" }).last().click();
  await expect(reader).toHaveCount(0);
  await shoot(page, "files");
  await expectAccessible(page, "files");

  // By keyboard: the preview, and the file under its own name.
  const preview = page.getByRole("button", { name: "预览 现场.png" });
  await expect(page.getByRole("button", { name: /^预览/ })).toHaveCount(1);
  await tabFromSearch(page, preview);
  await page.keyboard.press("Enter");
  const picture = page.getByRole("dialog", { name: "图片预览" });
  await expect(picture.getByRole("img", { name: "现场.png" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(picture).toHaveCount(0);
  const saved = page.waitForEvent("download");
  await tabFromSearch(page, page.getByRole("button", { name: "下载 报告.pdf" }));
  await page.keyboard.press("Enter");
  expect((await saved).suggestedFilename()).toBe("报告.pdf");

  // The order, and the filters, which a reload keeps.
  await page.getByRole("button", { name: "大小", exact: true }).click();
  await expect(rows(page)).toHaveText([/报告/, /现场/, /巡查记录/]);
  await choose(page, "使用于", "未使用");
  await expect(rows(page)).toHaveText([/报告/, /巡查记录/]);
  await choose(page, "类型", "PDF");
  await expect(rows(page)).toHaveText([/报告/]);
  await page.reload();
  await expect(rows(page)).toHaveText([/报告/]);
  await page.getByRole("textbox", { name: "上传人" }).fill("李娜");
  await expect(page.getByText("没有符合搜索或筛选条件的内容")).toBeVisible();
  await page.getByRole("button", { name: "重置" }).click();
  await expect(rows(page)).toHaveCount(3);

  // Deletion by keyboard, after a question that names the file.
  await tabFromSearch(page, page.getByRole("button", { name: "删除 报告.pdf" }));
  await page.keyboard.press("Enter");
  await expect(page.getByText("确定要删除“报告.pdf”吗？")).toBeVisible();
  await page.getByRole("button", { name: "取消" }).click();
  await expect(rows(page)).toHaveCount(3);
  await page.getByRole("button", { name: "删除 报告.pdf" }).click();
  await page.getByRole("button", { name: "确定" }).click();
  for (const tab of [page, second]) await expect(rows(tab)).toHaveCount(2);

  // Several by one request; what is needed has no mark.
  await upload(page, "旧表.txt", 30);
  await expect(rows(page)).toHaveCount(3);
  await expect(rows(page).getByRole("checkbox")).toHaveCount(2);
  await page.getByRole("checkbox", { name: "选择本页" }).focus();
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "删除", exact: true }).click();
  await expect(page.getByText("确定要删除选中的 2 条吗？")).toBeVisible();
  await page.getByRole("button", { name: "确定" }).click();
  for (const tab of [page, second]) await expect(rows(tab)).toHaveText([/现场/]);

  // What was taken into use while the question was open is refused in words.
  const logo = await upload(page, "标志.png", "");
  await page.getByRole("button", { name: "删除 标志.png" }).click();
  await expect(page.getByText("确定要删除“标志.png”吗？")).toBeVisible();
  await page.evaluate(async (name) => {
    const { rest } = globalThis.consoleCore.commands;
    const { version } = await rest.call({ call: "company.get" });
    await rest.call({ call: "company.update", body: { version, logo: name } });
  }, logo);
  await page.getByRole("button", { name: "确定" }).click();
  await expect(page.getByText("“标志.png”正在使用，不能删除").first()).toBeVisible();
  await row(page, "标志").getByRole("link", { name: "企业标志" }).click();
  await expect(page).toHaveURL(/\/system\/company$/);

  const lina = await people.loggedIn("lina", { path: PATH });
  await expect(lina.pages[0]!).toHaveURL(/\/404$/);
});

test("A full file space is said by the bar and by the refused upload, in both languages, and is free again after a deletion", async ({
  people,
}) => {
  people.expectComplaints(/413/);
  const admin = await people.loggedIn("admin", { path: PATH });
  const page = admin.pages[0]!;
  await expect(space(page)).toBeVisible();
  await upload(page, "大一.txt", 1_500_000);
  await upload(page, "大二.txt", 1_480_000);
  await expect(space(page).getByRole("status")).toHaveText("空间即将用尽，请删除不用的文件");
  expect(await upload(page, "大三.txt", 600_000)).toBe("file.quota");
  await shoot(page, "files-nearly-full");
  await expectAccessible(page, "files, nearly full");
  await page.getByRole("button", { name: "切换语言" }).click();
  const english = page.getByRole("region", { name: "File space" });
  await expect(english).toContainText("The space is nearly full");
  await page.evaluate(() =>
    globalThis.consoleCore.commands.uploads.start({
      key: "again",
      file: new Blob(["x".repeat(600_000)]),
      name: "again.txt",
    }),
  );
  await page.getByRole("button", { name: "Uploads: 1 failed" }).click();
  await expect(page.getByText("The company's file storage is full")).toBeVisible();
  await page.getByRole("button", { name: "Clear finished" }).click();
  await page.getByRole("button", { name: "Delete 大一.txt" }).click();
  await page.getByRole("button", { name: "OK" }).click();
  await expect(english.getByRole("status")).toHaveCount(0);
  expect(await upload(page, "大三.txt", 600_000)).toMatch(/\.txt$/);
});

test("A list of files that fails says so and is read again", async ({ browser, server }) => {
  const gateway = await startGateway(server.url);
  const admin = await loggedIn(browser, gateway.url, "admin", { path: "/dashboard" });
  const page = admin.pages[0]!;
  try {
    gateway.refuse(/\/common\/files/, 500);
    await page.goto(`${gateway.url}${PATH}`);
    await expect(page.getByText("文件未能加载")).toBeVisible();
    await expect(page.getByText("文件空间未能加载")).toBeVisible();
    await shoot(page, "files-failed");
    await expectAccessible(page, "files, failed");
    await page.getByRole("button", { name: "重试" }).last().click();
    await expect(page.getByText("文件未能加载")).toBeVisible();
    gateway.refuse(null);
    // the list and the space have a button each
    await expect(async () => {
      const retry = page.getByRole("button", { name: "重试" });
      if ((await retry.count()) > 0) await retry.first().click({ timeout: 2_000 });
      await expect(retry).toHaveCount(0, { timeout: 1_000 });
    }).toPass({ timeout: PATIENCE });
    await expect(space(page)).toContainText("共 3 MB");
  } finally {
    await admin.close();
    await gateway.close();
  }
});
