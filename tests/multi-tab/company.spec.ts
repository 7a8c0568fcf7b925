/**
 * The company is switched in one tab. Other tabs close what they show of the former company, with a text, and nothing is sent
 * to the wrong company.
 */
import { expect, test } from "../support/fixtures.ts";
import { employeesCsv } from "../support/employees-file.ts";

test("A half-filled form survives a reload and a company switch in another tab, which says so, until it is saved", async ({
  people,
}) => {
  const admin = await people.loggedIn("admin", { tabs: 2, path: "/system/role" });
  const [switching, filling] = [admin.pages[0]!, admin.pages[1]!];
  const dialog = filling.getByRole("dialog", { name: "新增角色" });
  const name = dialog.getByLabel("角色名称");
  const open = () => filling.getByRole("button", { name: "新增" }).click();
  const switchTo = async (company: string): Promise<void> => {
    await switching.getByRole("button", { name: /^当前企业/ }).click();
    await switching.getByRole("menuitem", { name: company }).click();
    await switching.getByRole("button", { name: "确定" }).click();
  };
  await open();
  await name.fill("夜班值守");
  filling.on("dialog", (asked) => void asked.accept());
  await filling.reload();
  await open();
  await expect(name).toHaveValue("夜班值守");
  await expect(dialog.getByText("已恢复上次未保存的内容")).toBeVisible();

  await switchTo("城南消防工程有限公司");
  await filling.bringToFront();
  await expect(filling).toHaveURL(/\/dashboard$/);
  await expect(filling.getByText("“新增角色”中有未保存的内容，已保留。").first()).toBeVisible();
  // The other company's form begins empty.
  await filling.goto("/system/role");
  await open();
  await expect(name).toHaveValue("");
  await dialog.getByRole("button", { name: "取消" }).click();

  await switchTo("华安物业服务有限公司");
  await filling.bringToFront();
  await expect(filling).toHaveURL(/\/dashboard$/);
  await filling.goto("/system/role");
  await open();
  await expect(name).toHaveValue("夜班值守");
  await name.press("Enter");
  await expect(filling.getByRole("row").filter({ hasText: "夜班值守" })).toBeVisible();
  await open();
  await expect(name).toHaveValue("");
});

test("A company switch in one tab moves the others to the dashboard with a text, and discards an unfinished import of the former company", async ({
  people,
}) => {
  const admin = await people.loggedIn("admin", { tabs: 3, path: "/dashboard" });
  const [switching, importing, listing] = [admin.pages[0]!, admin.pages[1]!, admin.pages[2]!];
  await listing.goto("/supplier/employees");
  await expect(listing.getByText("李娜")).toBeVisible();
  await importing.goto("/DataBatchImport2/index");
  await importing
    .locator("input[type=file]")
    .first()
    .setInputFiles({
      name: "former.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(employeesCsv({ rows: 20, seed: 7 })),
    });
  await expect(importing.getByText("former.csv").first()).toBeVisible();

  await switching.getByRole("button", { name: /^当前企业/ }).click();
  await switching.getByRole("menuitem", { name: "城南消防工程有限公司" }).click();
  await switching.getByRole("button", { name: "确定" }).click();

  for (const page of [importing, listing]) {
    await page.bringToFront();
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(
      page.getByText("已切换到企业[城南消防工程有限公司]，原企业的页面已关闭").first(),
    ).toBeVisible();
    await expect(page.getByRole("button", { name: /城南消防工程有限公司/ })).toBeVisible();
  }
  await importing.goto("/DataBatchImport2/index");
  await expect(importing.getByText("former.csv")).toHaveCount(0);
  await listing.goto("/supplier/employees");
  await expect(listing.getByText("王芳")).toBeVisible();
  await expect(listing.getByText("李娜")).toHaveCount(0);
});
