/** The columns of a list as a person sets them up: order, width and choice, by pointer and by keys, wide and narrow, on every device. */
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";
import type { Page } from "@playwright/test";

test.use({ actionTimeout: 10_000, serverEnv: { TEST_SERVER: "few rows" } });

const USUAL = ["参数名称", "参数键名", "参数键值", "系统内置", "所属", "备注"];
const titles = async (page: Page) =>
  (await page.getByRole("columnheader").allTextContents()).filter((one) => USUAL.includes(one));
const dialogOf = (page: Page) => page.getByRole("dialog", { name: "列设置" });
const edgeOf = (page: Page, title: string) =>
  page.getByRole("separator", { name: `调整 ${title} 的列宽` });
const widthOf = async (page: Page, title: string) =>
  Number(await edgeOf(page, title).getAttribute("aria-valuenow"));
const without = (...gone: string[]) => USUAL.filter((one) => !gone.includes(one));

test("A person orders, hides and widens columns by pointer and by keys, on every device, and restores them", async ({
  people,
}) => {
  const page = (await people.loggedIn("admin", { path: "/system/config" })).pages[0]!;
  await expect.poll(() => titles(page)).toEqual(USUAL);
  const dialog = dialogOf(page);
  const open = () => page.getByRole("button", { name: "列设置" }).click();
  const confirm = () => dialog.getByRole("button", { name: "确定" }).click();

  // Keys: Alt and an arrow, or the buttons; the focus stays with the column, and the new place is said.
  await open();
  await dialog.getByRole("button", { name: "隐藏 所属" }).focus();
  await page.keyboard.press("Alt+ArrowUp");
  await expect(dialog.getByRole("status")).toHaveText("所属 现为第 4 列，共 6 列");
  await expect(dialog.getByRole("button", { name: "隐藏 所属" })).toBeFocused();
  await page.keyboard.press("Alt+ArrowDown");
  await expect(dialog.getByRole("status")).toHaveText("所属 现为第 5 列，共 6 列");
  const down = dialog.getByRole("button", { name: "下移 所属" });
  await down.focus();
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("status")).toHaveText("所属 现为第 6 列，共 6 列");
  await expect(down).toBeDisabled();
  await dialog.getByRole("button", { name: "隐藏 系统内置" }).click();
  await shoot(page, "columns-order");
  await expectAccessible(page, "order of columns");
  await confirm();
  const keyed = [...without("系统内置", "所属"), "所属"];
  await expect.poll(() => titles(page)).toEqual(keyed);
  await page.reload();
  await expect.poll(() => titles(page)).toEqual(keyed);

  // The pointer drags a column to the first place.
  await open();
  const handle = (title: string) =>
    dialog
      .getByRole("listitem")
      .filter({ has: page.getByRole("button", { name: `隐藏 ${title}` }) })
      .locator(".columns-dialog-handle");
  // `hover` waits until the dialog has come to rest
  await handle("备注").hover();
  await page.mouse.down();
  await handle("参数键名").hover();
  await handle("参数名称").hover();
  await page.mouse.up();
  await confirm();
  const dragged = ["备注", ...without("备注", "系统内置", "所属"), "所属"];
  await expect.poll(() => titles(page)).toEqual(dragged);

  // The pointer widens a column, keys do, and a double click restores it.
  const name = edgeOf(page, "参数名称");
  const usual = await widthOf(page, "参数名称");
  const edge = (await name.boundingBox())!;
  await page.mouse.move(edge.x + 6, edge.y + 20);
  await page.mouse.down();
  await page.mouse.move(edge.x + 86, edge.y + 20, { steps: 5 });
  await page.mouse.up();
  await expect.poll(() => widthOf(page, "参数名称")).toBe(usual + 80);
  await name.focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => widthOf(page, "参数名称")).toBe(usual + 48);
  await page.reload();
  await expect.poll(() => widthOf(page, "参数名称")).toBe(usual + 48);
  await shoot(page, "columns-width");
  await expectAccessible(page, "width of columns");

  // Another device has all of it.
  const other = (await people.loggedIn("admin", { path: "/system/config" })).pages[0]!;
  await expect.poll(() => titles(other)).toEqual(dragged);
  await expect.poll(() => widthOf(other, "参数名称")).toBe(usual + 48);

  await name.focus();
  await page.keyboard.press("Home");
  await expect.poll(() => widthOf(page, "参数名称")).toBe(56);
  await name.dblclick();
  await expect.poll(() => widthOf(page, "参数名称")).toBe(usual);

  // A narrow screen: the same by keys, and the head is reached and sorted by keys.
  await page.setViewportSize({ width: 390, height: 844 });
  const sort = page.getByRole("columnheader", { name: "参数键名" }).getByRole("button");
  await tabTo(page, sort);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("columnheader", { name: "参数键名" })).toHaveAttribute(
    "aria-sort",
    "ascending",
  );
  await tabTo(page, edgeOf(page, "参数键名"));
  const narrow = await widthOf(page, "参数键名");
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => widthOf(page, "参数键名")).toBe(narrow + 16);
  await open();
  await dialog.getByRole("button", { name: "上移 所属" }).click();
  await expect(dialog.getByRole("status")).toHaveText("所属 现为第 4 列，共 5 列");

  // What was set up is undone at once.
  await dialog.getByRole("button", { name: "恢复默认" }).click();
  await confirm();
  await expect.poll(() => titles(page)).toEqual(USUAL);
  await expect.poll(() => titles(other)).toEqual(USUAL);
});
