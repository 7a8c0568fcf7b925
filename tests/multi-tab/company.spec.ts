/**
 * The company is switched in one tab. Other tabs close what they show of the former company, with a text, and nothing is sent
 * to the wrong company.
 */
import { expect, test } from "../support/fixtures.ts";
import { employeesCsv } from "../support/employees-file.ts";

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
