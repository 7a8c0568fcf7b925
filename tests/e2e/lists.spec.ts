/** What every list can do: order, rows by key and in a drawer, advanced and saved filters, print; a reload keeps the query. */
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot } from "../support/look.ts";

// A different serverEnv gives this file its own server, without the rows of other tests.
test.use({ actionTimeout: 10_000, serverEnv: { TEST_SERVER: "few rows" } });

test("The employee list is sorted, filtered, walked by keys, printed, and keeps its query", async ({
  people,
}) => {
  const admin = await people.loggedIn("admin", { path: "/supplier/employees" });
  const page = admin.pages[0]!;
  const total = page.getByTestId("list-total");
  await expect(total).toHaveText(/共 [1-9]/);
  const rows = page.getByRole("row");
  const names = () =>
    page
      .locator(".list-page-row:not(.list-page-head) .list-page-link")
      .evaluateAll((all) => all.map((one) => one.textContent ?? ""));
  const head = page.getByRole("columnheader", { name: "姓名" });
  const usual = await names();

  // Ascending, descending, default.
  const sorted = usual.toSorted((a, b) => (a < b ? -1 : 1));
  const sort = head.getByRole("button");
  await sort.click();
  await expect(head).toHaveAttribute("aria-sort", "ascending");
  await expect.poll(names).toEqual(sorted);
  await sort.click();
  await expect(head).toHaveAttribute("aria-sort", "descending");
  await expect.poll(names).toEqual(sorted.toReversed());

  // A reload keeps order and keyword.
  const search = page.getByRole("textbox", { name: "搜索姓名、工号、电话、部门" });
  await search.fill(sorted[0]!);
  await expect(total).toHaveText("共 1 人");
  await page.reload();
  await expect(search).toHaveValue(sorted[0]!);
  await expect(total).toHaveText("共 1 人");
  await expect(head).toHaveAttribute("aria-sort", "descending");
  await search.fill("");
  await expect.poll(names).toEqual(sorted.toReversed());

  // Keys walk through the rows; Enter opens one with its columns and actions, arrows lead on, Escape gives the focus back.
  await page.getByRole("table").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(rows.nth(2)).toBeFocused();
  await page.keyboard.press("Enter");
  const drawer = page.getByRole("dialog", { name: "详情" });
  await expect(drawer.getByRole("definition").first()).toContainText(sorted.at(-2)!);
  await page.keyboard.press("ArrowLeft");
  await expect(drawer.getByRole("definition").first()).toContainText(sorted.at(-1)!);
  await expect(page.getByRole("button", { name: "上一条" })).toBeDisabled();
  await shoot(page, "list-row-drawer");
  await expectAccessible(page, "row of a list");
  await page.keyboard.press("Escape");
  await expect(drawer).toHaveCount(0);
  await expect(rows.nth(1)).toBeFocused();
  await rows.nth(2).getByRole("cell").nth(2).click();
  await expect(drawer.getByRole("definition").first()).toContainText(sorted.at(-2)!);
  await page.keyboard.press("Escape");
  await expect(drawer).toHaveCount(0);

  // An advanced filter, refused at the field while it is incomplete, then saved and used again.
  await page.getByRole("button", { name: "高级筛选" }).click();
  const advanced = page.getByRole("dialog", { name: "高级筛选" });
  await advanced.getByRole("button", { name: "添加条件组" }).click();
  await advanced.getByRole("button", { name: "筛选", exact: true }).click();
  await expect(advanced.getByText("请填写值").first()).toBeVisible();
  await shoot(page, "list-advanced");
  await expectAccessible(page, "advanced filter");
  await advanced.getByRole("button", { name: "删除条件", exact: true }).first().click();
  await advanced.getByRole("combobox", { name: "字段" }).click();
  await page.getByRole("option", { name: "姓名", exact: true }).click();
  await advanced.getByRole("textbox", { name: "值", exact: true }).fill(sorted[0]!);
  await page.keyboard.press("Enter");
  await expect(advanced).toHaveCount(0);
  await expect(total).toHaveText("共 1 人");
  await page.getByRole("button", { name: "常用筛选" }).click();
  const saved = page.getByRole("dialog", { name: "常用筛选" });
  await saved.getByRole("textbox", { name: "名称" }).fill("一个人");
  await page.keyboard.press("Enter");
  await expect(saved.getByRole("button", { name: "使用 一个人" })).toBeVisible();
  await shoot(page, "list-saved");
  await expectAccessible(page, "saved filters");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "高级筛选（1 个条件）" }).click();
  await advanced.getByRole("button", { name: "清除条件" }).click();
  await expect.poll(names).toEqual(sorted.toReversed());
  await page.getByRole("button", { name: "常用筛选" }).click();
  await saved.getByRole("button", { name: "使用 一个人" }).click();
  await expect(total).toHaveText("共 1 人");

  // Another device of the same person offers the saved filter.
  const other = (await people.loggedIn("admin", { path: "/supplier/employees" })).pages[0]!;
  await other.getByRole("button", { name: "常用筛选" }).click();
  await other.getByRole("button", { name: "使用 一个人" }).click();
  await expect(other.getByTestId("list-total")).toHaveText("共 1 人");

  // The print shows the title and the filtered rows only.
  await page.evaluate(() => {
    globalThis.print = () => undefined;
  });
  await page.getByRole("button", { name: "打印" }).click();
  const sheet = page.locator(".print-sheet");
  await expect(sheet.locator("tbody tr")).toHaveCount(1);
  await page.emulateMedia({ media: "print" });
  await expect(sheet.getByRole("heading", { name: "员工列表" })).toBeVisible();
  await expect(sheet.getByText(/^共 1 行/)).toBeVisible();
  await expect(page.locator("#root")).toBeHidden();
  await page.emulateMedia({ media: null });
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await expect(sheet).toHaveCount(0);
});
