/** The dialog that replaces the values of a column: where the keyboard's focus is when it opens, while it is open, and after it. */
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { tabTo } from "../support/look.ts";

const PAGE = "/DataBatchImport2/index";
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const dialog = (page: Page) => page.getByRole("dialog", { name: "批量替换：性别" });

/** Two values of a column that are no such value, a hundred rows each. */
async function check(page: Page): Promise<void> {
  const rows = Array.from(
    { length: 200 },
    (_, i) => `周${i},${i % 2 === 0 ? "不详甲" : "不详乙"},保安员`,
  );
  await page.getByTestId("import-file").setInputFiles({
    name: "性别.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(["姓名,性别,岗位", ...rows].join("\n")),
  });
  await button(page, "开始检查").click();
  await expect(page.getByText("有问题 200 行")).toBeVisible();
}

/** Whether the focus is in the dialog, and on which of its parts. */
const focusOf = (page: Page): Promise<{ inside: boolean; on: string }> =>
  page.evaluate(() => {
    const active = document.activeElement;
    return {
      inside: active?.closest('[role="dialog"]') != null,
      on: active?.getAttribute("aria-label") ?? active?.tagName ?? "",
    };
  });
const focusIsInside = (page: Page) =>
  expect.poll(async () => (await focusOf(page)).inside, "the focus is in the dialog").toBe(true);

test("the focus goes into the dialog, stays there both ways round, and returns to the button that opened it", async ({
  people,
}) => {
  const admin = await people.loggedIn("admin", { path: PAGE });
  const page = admin.pages[0]!;
  await check(page);
  for (const opener of [
    button(page, /^批量替换：性别/),
    button(page, "批量替换").and(page.locator(".import-tools button")),
  ]) {
    // the toolbar's button is for the column of the cell that was chosen
    if (!(await opener.getAttribute("aria-label"))) {
      await page
        .getByRole("grid", { name: "检查结果" })
        .getByRole("gridcell", { name: "不详甲", exact: true })
        .first()
        .click();
    }
    // it lies before the table: the Tab key would lead through the browser's own buttons
    await opener.focus();
    await page.keyboard.press("Enter");
    await expect(dialog(page)).toBeVisible();
    await focusIsInside(page);
    await expect(dialog(page).getByRole("row")).toHaveCount(3);
    for (const key of ["Tab", "Shift+Tab"]) {
      const seen = new Set<string>();
      for (let presses = 0; presses < 12; presses += 1) {
        await page.keyboard.press(key);
        const { inside, on } = await focusOf(page);
        expect(inside, `${key} pressed ${presses + 1} times`).toBe(true);
        seen.add(on);
      }
      // it goes round over both values, and does not stand still
      expect([...seen].filter((on) => on.includes("不详"))).toHaveLength(2);
    }
    await page.keyboard.press("Escape");
    await expect(dialog(page)).toHaveCount(0);
    await expect(opener).toBeFocused();
  }
});

test("when the problem is solved and its button gone, the focus goes to the table", async ({
  people,
}) => {
  const admin = await people.loggedIn("admin", { path: PAGE });
  const page = admin.pages[0]!;
  await check(page);
  const opener = button(page, /^批量替换：性别/);
  await tabTo(page, opener);
  await page.keyboard.press("Enter");
  await expect(dialog(page)).toBeVisible();
  for (const [value, left] of [
    ["不详甲", 100],
    ["不详乙", 0],
  ] as const) {
    await tabTo(page, dialog(page).getByRole("textbox", { name: new RegExp(value) }));
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("女");
    await page.keyboard.press("Enter");
    if (left > 0) await expect(page.getByText(`有问题 ${left} 行`)).toBeVisible();
    // the row that had the focus is gone: the dialog keeps the keys
    await focusIsInside(page);
  }
  await expect(opener).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
  await expect(page.getByRole("grid", { name: "检查结果" })).toBeFocused();
});
