/** A sheet of as many rows as a workbook can have is looked through from its first to its last row (docs/import.md#check-grid). */
import { openImport } from "../support/import-page.ts";
import { barOf } from "../../src/ui/components/row-places.ts";
import { expect, test } from "../support/fixtures.ts";

const ROWS = 1_048_575;
/** px, as the page draws them. */
const ROW = 36;

test("The check of 1,048,575 rows is scrolled from its first to its last row by keys, wheel and bar", async ({
  people,
  server,
}) => {
  test.slow();
  const { page, grid, choose, check } = await openImport({ people, server });
  const lines = ["姓名", ...Array.from({ length: ROWS }, (_, i) => `人${i + 2}`)];
  await choose({ name: "百万.csv", bytes: Buffer.from(lines.join("\n")) });
  await expect(page.getByText("共 1,048,575 行").or(page.getByText(`共 ${ROWS} 行`))).toBeVisible();
  await check();
  const row = (number: number) =>
    grid.getByRole("rowheader", { name: String(number), exact: true });
  const cell = (number: number) => grid.getByRole("gridcell", { name: `人${number}`, exact: true });
  await expect(row(2)).toBeInViewport();

  await grid.focus();
  await page.keyboard.press("Control+End");
  await expect(row(ROWS + 1)).toBeInViewport({ ratio: 1 });
  await expect(cell(ROWS + 1)).toHaveAttribute("data-active", "true");
  await page.keyboard.press("ArrowUp");
  await expect(cell(ROWS)).toHaveAttribute("data-active", "true");
  await expect(row(ROWS)).toBeInViewport({ ratio: 1 });
  await page.keyboard.press("Control+Home");
  await expect(row(2)).toBeInViewport({ ratio: 1 });
  await expect.poll(() => grid.evaluate((box) => box.scrollTop)).toBe(0);

  // The bar is dragged to the middle, then to the end.
  const drag = (part: number) =>
    grid.evaluate((box, to) => {
      box.scrollTop = (box.scrollHeight - box.clientHeight) * to;
    }, part);
  await drag(0.5);
  /** The row that is highest in sight, and px of its top below the top of the box. */
  const highest = () =>
    grid.evaluate((box, height) => {
      const { top } = box.getBoundingClientRect();
      const rows = [...box.querySelectorAll(".import-row:not(.import-head)")].map((one) => ({
        at: Number(one.firstElementChild?.textContent),
        px: one.getBoundingClientRect().top - top - box.clientTop,
      }));
      return rows.find(({ px }) => px >= height);
    }, ROW);
  await expect.poll(async () => Math.abs(((await highest())?.at ?? 0) - ROWS / 2)).toBeLessThan(20);

  // A wheel moves the rows by its own px, and they stay when the bar is set right behind them.
  const before = (await highest())!;
  const topOf = (number: number) =>
    row(number).evaluate((one) => {
      const box = one.closest(".import-grid")!;
      return one.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientTop;
    });
  const watched = before.at + 8;
  const top = await topOf(watched);
  await grid.hover();
  await page.mouse.wheel(0, 90);
  await expect.poll(() => topOf(watched)).toBeCloseTo(top - 90, 0);
  const bar = () => grid.evaluate((box) => [box.scrollTop, box.clientHeight] as const);
  const settled = async () => {
    const [at, view] = await bar();
    const list = (watched - 1) * ROW - (await topOf(watched));
    return Math.abs(at - barOf({ content: (ROWS + 1) * ROW, view }, list));
  };
  await expect.poll(settled).toBeLessThan(1.5);
  expect(await topOf(watched)).toBeCloseTo(top - 90, 0);

  await drag(1);
  await expect(row(ROWS + 1)).toBeInViewport({ ratio: 1 });
  await drag(0);
  await expect(row(2)).toBeInViewport({ ratio: 1 });
});
