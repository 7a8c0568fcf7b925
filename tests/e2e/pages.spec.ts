/** Every page of the menus opens, so that a new page needs no browser test of its own for that. */
import { menuUris } from "../support/menus.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible } from "../support/look.ts";

const CHINESE = /\p{Script=Han}/u;

test("Every page of the menus opens without a serious violation, and lists have English heads too", async ({
  people,
}) => {
  // twenty pages, each examined in several appearances
  test.setTimeout(600_000);
  const admin = await people.loggedIn("admin", { path: "/dashboard" });
  const page = admin.pages[0]!;
  const uris = await menuUris(page);
  const lists: string[] = [];
  for (const uri of uris) {
    await page.goto(uri);
    const area = page.locator(`[data-page="${uri}"]`);
    await expect(area.getByRole("heading").or(area.getByRole("button")).first()).toBeVisible();
    await expect(area.getByText("页面建设中")).toHaveCount(0);
    await expect(area.getByRole("alert")).toHaveCount(0);
    const list = area.locator(".list-page");
    if ((await list.count()) > 0) {
      await expect(list.getByRole("row").nth(1).or(list.getByText("暂无数据"))).toBeVisible();
      lists.push(uri);
    }
    await expectAccessible(page, uri);
  }
  expect(lists).toContain("/supplier/employees");
  // The company itself names its own fields, so no language changes them.
  const own = await page.evaluate(() =>
    globalThis.consoleCore.commands.rest
      .call({ call: "ownFields.list" })
      .then(({ records }) => records.map(({ label }) => label)),
  );
  expect(own).not.toEqual([]);
  await page.getByRole("button", { name: "切换语言" }).click();
  for (const uri of lists) {
    await page.goto(uri);
    const list = page.locator(`[data-page="${uri}"] .list-page`);
    await expect(list.getByTestId("list-total")).toHaveText(/\d [a-z]+/);
    const head = list.locator("header, .list-page-head");
    const texts = own.reduce(
      (rest, label) => rest.replaceAll(label, ""),
      (await head.allInnerTexts()).join(" "),
    );
    expect(texts, uri).not.toMatch(CHINESE);
  }
});
