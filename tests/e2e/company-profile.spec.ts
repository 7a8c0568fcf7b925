/** The profile of the company (docs/server.md#company-profile): an administrator edits it with a logo, and the page keeps to its frame. */
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot } from "../support/look.ts";

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
  await chooser.setInputFiles({ name: "标志.png", mimeType: "image/png", buffer: PNG });
  await expect(page.getByText("上传成功")).toBeVisible();
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
