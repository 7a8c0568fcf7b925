/** Pictures of people: chosen and cropped by the person, shown wherever those who may see it meet the person. */
import type { Locator, Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";

/** A picture of 400 by 200 pixels whose left half is red and whose right half is green. */
const halves = async (page: Page): Promise<Buffer> => {
  const bytes = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(400, 200);
    const context = canvas.getContext("2d")!;
    context.fillStyle = "#e00000";
    context.fillRect(0, 0, 200, 200);
    context.fillStyle = "#00a000";
    context.fillRect(200, 0, 200, 200);
    return [...new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())];
  });
  return Buffer.from(bytes);
};
/** Side of a picture, and the colours of its left and right edge: red, green or other. */
const coloursOf = (picture: Locator): Promise<readonly [number, string, string]> =>
  picture.evaluate(async (element) => {
    const image = element as HTMLImageElement;
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    const context = new OffscreenCanvas(width, height).getContext("2d", {
      willReadFrequently: true,
    })!;
    context.drawImage(image, 0, 0);
    const at = (x: number): string => {
      const [red = 0, green = 0] = context.getImageData(x, height / 2, 1, 1).data;
      return red > 150 && green < 80 ? "red" : green > 100 && red < 80 ? "green" : "other";
    };
    return [width, at(4), at(width - 5)] as const;
  });

test("A person crops a picture; colleagues see it in every place, and people of another company do not", async ({
  people,
}) => {
  const lina = await people.loggedIn("lina", { path: "/profile/index", tabs: 2 });
  const [page, tab] = lina.pages as [Page, Page];
  const faceIn = (where: Page): Locator =>
    where.getByRole("button", { name: /^用户菜单/ }).locator(".avatar img");
  await expect(page.getByRole("button", { name: "修改头像" })).toBeVisible();
  await expect(faceIn(page)).toHaveCount(0);

  await tabTo(page, page.getByRole("button", { name: "修改头像" }));
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "修改头像" });
  await shoot(page, "avatar-empty");
  const input = dialog.getByLabel("选择图片文件");
  await input.setInputFiles({
    name: "a.gif",
    mimeType: "image/gif",
    buffer: Buffer.from("GIF89a"),
  });
  await expect(dialog.getByRole("alert")).toHaveText(
    "文件格式不正确，请上传 png/jpg/jpeg 格式文件！",
  );
  await input.setInputFiles({ name: "a.png", mimeType: "image/png", buffer: Buffer.from("x") });
  await expect(dialog.getByRole("alert")).toHaveText("图片已损坏，请选择其他图片");
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    dialog.getByRole("button", { name: "选择图片", exact: true }).click(),
  ]);
  await chooser.setFiles({ name: "我.png", mimeType: "image/png", buffer: await halves(page) });
  await expect(dialog.getByLabel("缩放")).toBeVisible();
  await expect(dialog.getByRole("alert")).toHaveCount(0);
  const save = dialog.getByRole("button", { name: "保存" });
  await expect(save).toBeEnabled();
  await shoot(page, "avatar-crop");
  await expectAccessible(page, "crop of the picture");
  // By keyboard: the picture moves until its left half alone is in the circle.
  await dialog.getByLabel("缩放").focus();
  await page.keyboard.press("End");
  await dialog.getByLabel(/^移动图片/).focus();
  for (let n = 0; n < 200; n += 1) await page.keyboard.press("ArrowRight");
  await save.click();
  await expect(dialog).toHaveCount(0);
  for (const one of [page, tab]) {
    await expect(faceIn(one)).toBeVisible();
    await expect.poll(() => coloursOf(faceIn(one))).toEqual([256, "red", "red"]);
  }
  await shoot(page, "profile-avatar");
  await page.reload();
  await expect(faceIn(page)).toBeVisible();

  const admin = await people.loggedIn("admin", { path: "/supplier/employees" });
  const desk = admin.pages[0]!;
  const inList = desk.getByRole("row").filter({ hasText: "李娜" }).locator(".avatar img");
  await expect(inList).toBeVisible();
  await expect.poll(() => coloursOf(inList)).toEqual([256, "red", "red"]);
  await shoot(desk, "employees-avatar");
  await desk.goto("/im/people");
  await expect(desk.locator("[data-user=lina] .avatar img")).toBeVisible();

  // 王芳 works elsewhere, and nothing shows her the picture by the chat user name either.
  const wangfang = await people.loggedIn("wangfang");
  const other = wangfang.pages[0]!;
  await other.goto("/im/people?chat=lina");
  await expect(other.locator(".avatar").first()).toBeVisible();
  await expect(other.locator("main .avatar img")).toHaveCount(0);

  // Without the picture the letter is there again.
  await page.getByRole("button", { name: "修改头像" }).click();
  await dialog.getByRole("button", { name: "移除头像" }).click();
  await expect(dialog).toHaveCount(0);
  for (const one of [page, tab]) await expect(faceIn(one)).toHaveCount(0);
});
