/** Files of the company go through one queue for all tabs (docs/session.md#uploads). */
import type { Page } from "@playwright/test";
import { openChat } from "../support/calls.ts";
import { coreId, killCore } from "../support/crash.ts";
import { expect, test } from "../support/fixtures.ts";
import { startGateway } from "../support/gateway.ts";
import { downloaded, largeFile, queueLargeFile, uploadIn } from "../support/large-file.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";
import { loggedIn, PASSWORD } from "../support/people.ts";
import { restLogin } from "../support/rest-login.ts";

test.use({ serverEnv: { TEST_SERVER: "uploads" } });

/** Seven parts of 2 MB. */
const MEGABYTES = 13;
const PARTS = 7;
const ADDRESSES = /\/common\/upload\/resumable/;
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEklEQVR4nGP4z8CAFWEXHbQSACj/P8Fu7N9hAAAAAElFTkSuQmCC",
  "base64",
);
const button = (page: Page) => page.getByRole("button", { name: /^文件上传/ });
const panel = (page: Page) => page.getByRole("dialog", { name: "文件上传" });
const stateOf = async (page: Page, key: string) => (await uploadIn(page, key))?.state ?? null;
const companyOf = (page: Page) =>
  page.evaluate(() => globalThis.consoleCore.state.session.supplierId ?? "");

test("An upload of 13 MB survives an outage, the death of the core and the end of its tab, sends each part once, and arrives once", async ({
  browser,
  server,
}) => {
  test.setTimeout(300_000);
  const gateway = await startGateway(server.url);
  const zhang = await loggedIn(browser, gateway.url, "zhangwei", { path: "/dashboard", tabs: 2 });
  const [a, b] = [zhang.pages[0]!, zhang.pages[1]!];
  const sent = () => gateway.passed(ADDRESSES, "PATCH");
  const breaksOffAfter = async (parts: number): Promise<void> => {
    await expect.poll(() => gateway.refusals(), { timeout: 60_000 }).toBeGreaterThan(0);
    expect(sent()).toBe(parts);
  };
  const file = largeFile(MEGABYTES);
  try {
    // The creation and two parts pass.
    gateway.refuse(ADDRESSES, 503, 3);
    await queueLargeFile(a, { key: "large", name: "年度 报告.pdf", megabytes: MEGABYTES });
    await breaksOffAfter(2);
    await expect(button(b)).toHaveAccessibleName(/^文件上传: 1 个 · \d+%$/);
    await a.close();

    // The question whether all of it is there, the one how much, and one part.
    gateway.refuse(ADDRESSES, 503, 3);
    await breaksOffAfter(3);
    const before = await coreId(b);
    await killCore(b);
    await expect.poll(() => coreId(b)).not.toBe(before);

    gateway.refuse(null);
    await expect.poll(() => stateOf(b, "large"), { timeout: 60_000 }).toBe("done");
    expect([sent(), gateway.passed(/resumable$/, "POST")]).toEqual([PARTS, 1]);
    const { fileName } = (await uploadIn(b, "large"))!;
    const { grant } = await restLogin(server.url, "zhangwei", PASSWORD);
    const whose = { token: grant.access_token, supplierId: await companyOf(b) };
    const got = await downloaded(server.url, fileName ?? "", whose);
    expect(got).toMatchObject(file);
    expect(got.disposition).toContain(`filename*=UTF-8''${encodeURIComponent("年度 报告.pdf")}`);
  } finally {
    await zhang.close();
    await gateway.close();
  }
});

test("The list of uploads shows size, share and words, works by keyboard, wide and narrow, in both languages, and is gone when it is empty", async ({
  browser,
  server,
}) => {
  const gateway = await startGateway(server.url);
  const zhang = await loggedIn(browser, gateway.url, "zhangwei", { path: "/dashboard" });
  const page = zhang.pages[0]!;
  try {
    await expect(button(page)).toHaveCount(0);
    gateway.refuse(ADDRESSES, 503);
    await queueLargeFile(page, { key: "k1", name: "巡查记录.pdf", megabytes: 3 });
    await queueLargeFile(page, { key: "k2", name: "脚本.exe", megabytes: 1 });
    await expect.poll(() => stateOf(page, "k1")).toBe("paused");
    await expect(button(page)).toHaveAccessibleName("文件上传: 1 个 · 0%");
    await tabTo(page, button(page));
    await page.keyboard.press("Enter");
    await expect(panel(page)).toBeFocused();
    const lines = panel(page).getByRole("listitem");
    await expect(lines.nth(0)).toContainText("3 MB · 0% · 连接中断，恢复后自动继续");
    await expect(lines.nth(1)).toContainText("文件格式不正确！");
    await shoot(page, "uploads");
    await expectAccessible(page, "uploads");

    await page.keyboard.press("Escape");
    await expect(panel(page)).toHaveCount(0);
    await expect(button(page)).toBeFocused();
    await page.getByRole("button", { name: "切换语言" }).click();
    const english = page.getByRole("dialog", { name: "Uploads" });
    await page.getByRole("button", { name: "Uploads: 1 · 0%" }).click();
    await expect(english.getByRole("listitem").nth(1)).toContainText(
      "1 MB · file format incorrect",
    );
    await english.getByRole("button", { name: "Clear finished" }).click();
    await expect(english.getByRole("listitem")).toHaveCount(1);
    await english.getByRole("button", { name: "Cancel 巡查记录.pdf" }).click();
    await expect(page.getByRole("button", { name: /^Uploads/ })).toHaveCount(0);
    await expect(english).toHaveCount(0);
    expect(await uploadIn(page, "k1")).toBeNull();
  } finally {
    await zhang.close();
    await gateway.close();
  }
});

test("A file of chat is in the list of every tab with its size and share, goes on without its tab, and is taken back there", async ({
  browser,
  server,
}) => {
  const gateway = await startGateway(server.url);
  const zhang = await loggedIn(browser, gateway.url, "zhangwei", { path: "/dashboard", tabs: 2 });
  const [a, b] = [zhang.pages[0]!, zhang.pages[1]!];
  const chatFiles = /\/chatfiles\/resumable/;
  try {
    await a.goto("/im/people");
    await openChat(a, "李娜");
    // The creation and two parts of seven pass.
    gateway.refuse(chatFiles, 503, 3);
    await a
      .locator('.composer input[type="file"]')
      .setInputFiles({ name: "航拍.bin", mimeType: "", buffer: Buffer.alloc(13 * 1024 * 1024, 7) });
    await a.getByRole("dialog").getByRole("button", { name: "发送（1）" }).click();
    await expect.poll(() => gateway.passed(chatFiles, "PATCH")).toBe(2);
    await expect(button(b)).toHaveAccessibleName(/^文件上传: 1 个 · \d+%$/);
    await a.close();
    await button(b).click();
    const line = panel(b).getByRole("listitem");
    await expect(line).toContainText(/航拍\.bin.*13 MB · \d+% · 连接中断，恢复后自动继续/);
    await shoot(b, "uploads-chat");
    await expectAccessible(b, "a file of chat among the uploads");

    gateway.refuse(chatFiles, 503, 2);
    await expect.poll(() => gateway.passed(chatFiles, "PATCH")).toBeGreaterThan(2);
    await line.getByRole("button", { name: "取消上传 航拍.bin" }).click();
    await expect(button(b)).toHaveCount(0);
    gateway.refuse(null);
    await b.goto("/im/people");
    await openChat(b, "李娜");
    await expect(b.locator(".message-card").filter({ hasText: "航拍.bin" })).toHaveCount(0);
  } finally {
    await zhang.close();
    await gateway.close();
  }
});

test("A failed upload says why and is tried again by the person", async ({ people }) => {
  const zhang = await people.loggedIn("zhangwei", { path: "/dashboard" });
  const page = zhang.pages[0]!;
  await page.evaluate(() =>
    globalThis.consoleCore.commands.uploads.start({
      key: "fake",
      file: new Blob(["no picture"]),
      name: "假图.png",
    }),
  );
  await expect(button(page)).toHaveAccessibleName("文件上传: 1 个失败");
  await button(page).click();
  const line = panel(page).getByRole("listitem");
  await expect(line).toContainText("文件格式不正确，请上传 doc/xls");
  await line.getByRole("button", { name: "重新上传 假图.png" }).click();
  await expect.poll(() => stateOf(page, "fake")).toBe("failed");
  await line.getByRole("button", { name: "移除记录 假图.png" }).click();
  await expect(button(page)).toHaveCount(0);
});

test("The upload of a form goes on while its input is kept, holds the save back, and ends when the input is discarded", async ({
  browser,
  server,
}) => {
  const gateway = await startGateway(server.url);
  const admin = await loggedIn(browser, gateway.url, "admin", { path: "/system/company" });
  const page = admin.pages[0]!;
  const dialog = page.getByRole("dialog", { name: "编辑企业资料" });
  const open = () => page.locator(".company-profile").getByRole("button", { name: "编辑" }).click();
  const choose = () =>
    dialog
      .locator("input[type=file]")
      .setInputFiles({ name: "标志.png", mimeType: "image/png", buffer: PNG });
  page.on("dialog", (asked) => void asked.accept());
  try {
    gateway.refuse(ADDRESSES, 503);
    await open();
    await choose();
    await expect(button(page)).toHaveAccessibleName(/^文件上传: 1 个/);
    await dialog.getByRole("button", { name: "保存" }).click();
    await expect(dialog.getByText("文件正在上传，请稍候")).toBeVisible();

    // A reload keeps the draft, and so the upload.
    await page.reload();
    await open();
    await expect(dialog.getByText("正在上传", { exact: true })).toBeVisible();
    gateway.refuse(null);
    await expect(page.getByText("上传成功")).toBeVisible();
    await expect(dialog.getByRole("img", { name: "图片 1" })).toBeVisible();
    await expect(button(page)).toHaveCount(0);

    await dialog.getByRole("button", { name: "删除图片 1" }).click();
    gateway.refuse(ADDRESSES, 503);
    await choose();
    await expect(button(page)).toBeVisible();
    await dialog.getByRole("button", { name: "取消" }).click();
    await page.getByRole("button", { name: "放弃" }).click();
    await expect(dialog).toHaveCount(0);
    await expect(button(page)).toHaveCount(0);
  } finally {
    await admin.close();
    await gateway.close();
  }
});
