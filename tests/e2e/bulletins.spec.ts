/** Bulletins: an editor publishes one with a picture, and the people of the company read it. */
import { expect, test } from "../support/fixtures.ts";
import { startGateway } from "../support/gateway.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";
import { loggedIn } from "../support/people.ts";

/** A red picture of 8 by 8. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEklEQVR4nGP4z8CAFWEXHbQSACj/P8Fu7N9hAAAAAElFTkSuQmCC",
  "base64",
);

test("A bulletin with a picture reaches the open consoles of the company, and what was read is read in every tab", async ({
  people,
}) => {
  const lina = await people.loggedIn("lina", { path: "/dashboard" });
  const [reader] = lina.pages;
  const second = await lina.open("/dashboard");
  const admin = await people.loggedIn("admin", { path: "/system/notice" });
  const page = admin.pages[0]!;
  await expect(page.getByText("暂无数据")).toBeVisible();
  await expect(reader!.getByRole("button", { name: "通知公告，0 条未读" })).toBeVisible();

  // By keyboard: title, and a bold word in the content.
  await tabTo(page, page.getByRole("button", { name: "新增", exact: true }));
  await page.keyboard.press("Enter");
  const form = page.getByRole("dialog", { name: "新增通知公告" });
  await expect(form.getByLabel("标题")).toBeFocused();
  await page.keyboard.type("消防演练");
  const editor = form.getByRole("textbox", { name: "内容" });
  await editor.click();
  await page.keyboard.type("周五下午 ");
  await page.keyboard.press("Control+B");
  await page.keyboard.type("15:00");
  await page.keyboard.press("Control+B");
  await page.keyboard.type(" 在一号楼集合。");
  await form.getByRole("button", { name: "项目列表" }).click();
  await expect(form.getByRole("button", { name: "项目列表" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await page.keyboard.press("End");

  // A text file is no picture; a picture is uploaded and shown.
  const chooser = page.locator(".rich-tools input[type=file]");
  await chooser.setInputFiles({ name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("x") });
  await expect(page.getByText("文件格式不正确，请上传 png/jpg/jpeg 格式文件！")).toBeVisible();
  await chooser.setInputFiles({ name: "集合点.png", mimeType: "image/png", buffer: PNG });
  const shown = editor.getByRole("img", { name: "集合点" });
  await expect.poll(() => shown.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(8);
  await shoot(page, "bulletin-form");
  await expectAccessible(page, "bulletin-form");
  await form.getByRole("button", { name: "保存" }).click();
  await expect(form).toHaveCount(0);
  await expect(page.getByRole("row").filter({ hasText: "消防演练" })).toContainText("0 / ");

  // The reader's tabs count it at once; reading it in one tab is reading it in both.
  const bell = (tab: typeof page) => tab.getByRole("button", { name: /^通知公告，/ });
  await expect(bell(reader!)).toHaveAccessibleName("通知公告，1 条未读");
  await expect(bell(second)).toHaveAccessibleName("通知公告，1 条未读");
  await bell(reader!).click();
  const list = reader!.getByRole("dialog", { name: "通知公告" });
  await expect(list).toBeFocused();
  await shoot(reader!, "bulletin-bell");
  await expectAccessible(reader!, "bulletin-bell");
  await reader!.keyboard.press("ArrowDown");
  await reader!.keyboard.press("Enter");
  const text = reader!.getByRole("dialog", { name: "消防演练" });
  await expect(text.locator("strong")).toHaveText("15:00");
  await expect
    .poll(() => text.getByRole("img").evaluate((img: HTMLImageElement) => img.naturalWidth))
    .toBe(8);
  await shoot(reader!, "bulletin");
  await expect(bell(second)).toHaveAccessibleName("通知公告，0 条未读");
  await text.getByRole("button", { name: "关闭" }).last().click();
  await expect(bell(reader!)).toBeFocused();
  // The editor sees it without looking again.
  await expect(page.getByRole("row").filter({ hasText: "消防演练" })).toContainText("1 / ");
});

test("A picture that the platform does not store is said as a failed insert, and the text stays", async ({
  server,
  browser,
}) => {
  const gateway = await startGateway(server.url);
  const admin = await loggedIn(browser, gateway.url, "admin", { path: "/system/notice" });
  try {
    const page = admin.pages[0]!;
    await page.getByRole("button", { name: "新增", exact: true }).click();
    const form = page.getByRole("dialog", { name: "新增通知公告" });
    const editor = form.getByRole("textbox", { name: "内容" });
    await editor.click();
    await page.keyboard.type("集合点见图");
    gateway.refuse(/\/common\/upload/, 500);
    await page
      .locator(".rich-tools input[type=file]")
      .setInputFiles({ name: "集合点.png", mimeType: "image/png", buffer: PNG });
    await expect(page.getByText(/^图片插入失败：集合点\.png/).first()).toBeVisible();
    await expect(editor.getByRole("img")).toHaveCount(0);
    await expect(editor).toHaveText("集合点见图");
  } finally {
    await admin.close();
    await gateway.close();
  }
});
