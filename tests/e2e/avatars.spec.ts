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
/** The same as a phone keeps it that was held upright: JPEG, turned by its EXIF data so that red is above and green below. */
const upright = async (page: Page): Promise<Buffer> => {
  const plain = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(400, 200);
    const context = canvas.getContext("2d")!;
    context.fillStyle = "#e00000";
    context.fillRect(0, 0, 200, 200);
    context.fillStyle = "#00a000";
    context.fillRect(200, 0, 200, 200);
    const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: 1 });
    return [...new Uint8Array(await blob.arrayBuffer())];
  });
  // One entry: the orientation (0x0112), a quarter turn clockwise (6).
  const tiff = "4d4d002a00000008000101120003000000010006000000000000";
  const exif = Buffer.concat([Buffer.from("Exif\0\0"), Buffer.from(tiff, "hex")]);
  const head = Buffer.from([0xff, 0xe1, 0, exif.length + 2]);
  const [start, rest] = [Buffer.from(plain.slice(0, 2)), Buffer.from(plain.slice(2))];
  return Buffer.concat([start, head, exif, rest]);
};
/** Side of a picture, and the colours of its left and right edge: red, green or other. */
const coloursOf = (picture: Locator, across = true): Promise<readonly [number, string, string]> =>
  picture.evaluate(async (element, isAcross) => {
    const image = element as HTMLImageElement;
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    const context = new OffscreenCanvas(width, height).getContext("2d", {
      willReadFrequently: true,
    })!;
    context.drawImage(image, 0, 0);
    const at = (x: number): string => {
      const place = isAcross ? ([x, height / 2] as const) : ([width / 2, x] as const);
      const [red = 0, green = 0] = context.getImageData(...place, 1, 1).data;
      return red > 150 && green < 80 ? "red" : green > 100 && red < 80 ? "green" : "other";
    };
    return [width, at(4), at(width - 5)] as const;
  }, across);

test("A picture that a phone has turned by EXIF is cropped as it is seen, and HEIC is refused with what to do about it", async ({
  people,
}) => {
  const wangfang = await people.loggedIn("wangfang", { path: "/profile/index" });
  const page = wangfang.pages[0]!;
  await page.getByRole("button", { name: "修改头像" }).click();
  const dialog = page.getByRole("dialog", { name: "修改头像" });
  const input = dialog.getByLabel("选择图片文件");
  const heic = { name: "IMG_0001.HEIC", mimeType: "image/heic", buffer: Buffer.from("ftypheic") };
  await input.setInputFiles(heic);
  await expect(dialog.getByRole("alert")).toHaveText(/^不支持 HEIC 图片，请在手机相机设置中选择/);
  const buffer = await upright(page);
  await input.setInputFiles({ name: "IMG_0002.jpg", mimeType: "image/jpeg", buffer });
  await expect(dialog.getByLabel("缩放")).toBeVisible();
  await dialog.getByRole("button", { name: "保存" }).click();
  await expect(dialog).toHaveCount(0);
  const face = page.getByRole("button", { name: /^用户菜单/ }).locator(".avatar img");
  await expect(face).toBeVisible();
  // The middle of 200 by 400: red above, green below.
  await expect.poll(() => coloursOf(face, false)).toEqual([256, "red", "green"]);
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
