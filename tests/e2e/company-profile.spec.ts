/** The profile of the company (docs/server.md#company-profile): an administrator edits it with a logo, and the page keeps to its frame. */
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot } from "../support/look.ts";

declare global {
  // Masks that the page showed, set by this test.
  var masksSeen: string[];
}

/** Notes the masks of uploads that the page shows from now on: a small picture is stored at once. */
async function watchMasks(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const seen: string[] = [];
    new MutationObserver((changes) => {
      for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
        if (node instanceof HTMLElement && node.className === "image-cards-mask") {
          seen.push((node.textContent ?? "").trim());
        }
      }
    }).observe(document.body, { childList: true, subtree: true });
    Object.assign(globalThis, { masksSeen: seen });
  });
  return () => page.evaluate(() => globalThis.masksSeen);
}

/** A red picture of 8 by 8. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEklEQVR4nGP4z8CAFWEXHbQSACj/P8Fu7N9hAAAAAElFTkSuQmCC",
  "base64",
);

test("An administrator fills the company's profile in and gives it a logo, and a text file is refused as one", async ({
  people,
}) => {
  const admin = await people.loggedIn("admin", { path: "/system/company" });
  const page = admin.pages[0]!;
  const profile = page.locator(".company-profile");
  await profile.getByRole("button", { name: "编辑" }).click();
  const dialog = page.getByRole("dialog", { name: "编辑企业资料" });
  await dialog.getByLabel("企业简称").fill("华安");
  const chooser = dialog.locator("input[type=file]");
  await chooser.setInputFiles({ name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("x") });
  await expect(page.getByText("文件格式不正确，请上传 png/jpg/jpeg 格式文件！")).toBeVisible();
  const masks = await watchMasks(page);
  await chooser.setInputFiles({ name: "标志.png", mimeType: "image/png", buffer: PNG });
  await expect(page.getByText("上传成功")).toBeVisible();
  expect(await masks()).toEqual(["正在上传"]);
  await expect(dialog.locator(".image-cards-mask")).toHaveCount(0);
  await dialog.getByRole("button", { name: "预览图片 1" }).click();
  const preview = page.getByRole("dialog", { name: "图片预览" });
  await expect(preview.getByRole("img")).toBeVisible();
  await preview.getByRole("button", { name: "关闭预览" }).click();
  await expect(preview).toHaveCount(0);
  await shoot(page, "company-profile-form");
  await expectAccessible(page, "company-profile-form");
  await dialog.getByRole("button", { name: "保存" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(profile).toContainText("华安");
  await expect
    .poll(() => profile.getByRole("img").evaluate((img: HTMLImageElement) => img.naturalWidth))
    .toBe(8);
  // The rules of this page must not reach the frame around it.
  await expect(page.getByRole("button", { name: /^当前企业/ })).toContainText(
    "华安物业服务有限公司",
  );
  await shoot(page, "company-profile");
});
