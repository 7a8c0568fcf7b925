/** The tree of departments: heads, people, and departments that are moved by the pointer and by keys. */
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";

// Another environment means another server, whose departments no other file changes.
test.use({ serverEnv: { TEST_SERVER: "tree of departments" } });

const treeOf = (page: Page) => page.getByRole("treegrid", { name: "部门管理" });
const rowOf = (page: Page, name: string) =>
  treeOf(page)
    .locator("[aria-level]")
    .filter({ has: page.getByText(name, { exact: true }) });

/** Departments at the top, each with those below it, beside what the company has already. */
const make = (page: Page, tops: Readonly<Record<string, readonly string[]>>) =>
  page.evaluate(async (wanted) => {
    const { rest } = globalThis.consoleCore.commands;
    for (const [name, below] of Object.entries(wanted)) {
      const top = await rest.call({ call: "departments.create", body: { name, parentId: null } });
      for (const one of below) {
        await rest.call({ call: "departments.create", body: { name: one, parentId: top.id } });
      }
    }
  }, tops);

/** The names that begin with a letter, with their levels, as the screen shows them. */
const shown = (page: Page, letter: string) =>
  treeOf(page)
    .locator("[aria-level]")
    .evaluateAll(
      (rows, first) =>
        rows
          .map(
            (row) =>
              `${row.getAttribute("aria-level")} ${row.querySelector(".dept-name .ellipsis")?.textContent}`,
          )
          .filter((line) => line.includes(` ${first}`)),
      letter,
    );

/** Puts the pointer on a part of a row: 0 is its upper edge, 1 its lower edge. */
async function point(page: Page, name: string, share: number): Promise<void> {
  const box = await rowOf(page, name).boundingBox();
  if (box === null) throw new Error(`no row ${name}`);
  await page.mouse.move(box.x + 120, box.y + box.height * share, { steps: 8 });
}
async function pick(page: Page, name: string): Promise<void> {
  await rowOf(page, name).scrollIntoViewIfNeeded();
  await point(page, name, 0.5);
  await page.mouse.down();
}

test("A department has a head until that person leaves, and the number of its people leads to them", async ({
  people,
}) => {
  const admin = await people.loggedIn("admin", { path: "/system/dept" });
  const page = admin.pages[0]!;
  await page.getByRole("button", { name: "编辑 客户服务部" }).click();
  const form = page.getByRole("dialog", { name: "修改部门" });
  await form.getByRole("combobox", { name: "上级部门" }).click();
  await page.getByRole("option", { name: "综合管理部", exact: true }).click();
  await form.getByRole("combobox", { name: "负责人" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.type("李娜");
  await expect(page.getByRole("option")).toHaveCount(1);
  await page.getByRole("option", { name: "李娜（客户服务部）" }).click();
  await shoot(page, "department-head");
  await expectAccessible(page, "form of a department with a head");
  await form.getByRole("button", { name: "保存" }).click();
  await expect(rowOf(page, "客户服务部")).toContainText("李娜");
  await expect(rowOf(page, "综合管理部")).toContainText("1 / 2");

  // The people of the department and of all below it; a reload keeps them, and another choice shows others.
  await treeOf(page).getByRole("link", { name: "查看“综合管理部”的 2 人" }).click();
  await expect(page).toHaveURL(/\/supplier\/employees$/);
  const list = page.locator('[data-page="/supplier/employees"]');
  const total = list.getByTestId("list-total");
  await expect(total).toHaveText("共 2 人");
  const names = () => list.getByRole("row").locator(".list-page-link").allInnerTexts();
  await expect.poll(async () => (await names()).toSorted()).toEqual(["李娜", "管理员"]);
  await page.reload();
  await expect(total).toHaveText("共 2 人");
  const filter = list.getByRole("combobox", { name: "部门" });
  await expect(filter).toContainText("综合管理部");
  await shoot(page, "employees-of-department");
  await expectAccessible(page, "employees of a department");
  await filter.click();
  await page.getByRole("option", { name: "综合管理部 / 客户服务部" }).click();
  await expect(total).toHaveText("共 1 人");
  await expect.poll(names).toEqual(["李娜"]);

  // Who leaves is head no more, without a reload.
  await page.goBack();
  await expect(rowOf(page, "客户服务部")).toContainText("李娜");
  await page.evaluate(async () => {
    const { rest } = globalThis.consoleCore.commands;
    const { records } = await rest.call({ call: "employees.list", query: { keyword: "李娜" } });
    await rest.call({ call: "employees.dimission", body: { id: records[0]!.id } });
  });
  await expect(rowOf(page, "客户服务部")).not.toContainText("李娜");
  await expect(rowOf(page, "综合管理部")).toContainText("1 / 1");
});

test("A department is dragged below another and between two, and the move is undone", async ({
  people,
}) => {
  const admin = await people.loggedIn("admin", { path: "/system/dept" });
  const page = admin.pages[0]!;
  await make(page, { D1: ["D11", "D12"], D2: [], D3: [] });
  const before = ["1 D1", "2 D11", "2 D12", "1 D2", "1 D3"];
  await expect.poll(() => shown(page, "D")).toEqual(before);

  // Onto a row: below it. The notice undoes it.
  await pick(page, "D3");
  await point(page, "D2", 0.5);
  await expect(rowOf(page, "D2")).toHaveAttribute("data-drop", "into");
  await page.mouse.up();
  await expect.poll(() => shown(page, "D")).toEqual(["1 D1", "2 D11", "2 D12", "1 D2", "2 D3"]);
  const notice = page.getByText("“D3”已移到“D2”之下，第 1 个，共 1 个").first();
  await expect(notice).toBeVisible();
  await page.getByRole("button", { name: "撤销" }).click();
  await expect.poll(() => shown(page, "D")).toEqual(before);

  // Onto the edge between two rows: there.
  await pick(page, "D3");
  await point(page, "D12", 0.1);
  await expect(rowOf(page, "D12")).toHaveAttribute("data-drop", "before");
  await page.mouse.up();
  const between = ["1 D1", "2 D11", "2 D3", "2 D12", "1 D2"];
  await expect.poll(() => shown(page, "D")).toEqual(between);

  // Not below itself: the mark and a text say so, and nothing moves.
  await pick(page, "D1");
  await point(page, "D11", 0.5);
  await expect(rowOf(page, "D11")).toHaveAttribute("data-drop", "refused");
  await expect(page.locator(".dept-drag")).toHaveText("不能移到自己或下级部门之下");
  await page.mouse.up();
  await expect(page.locator(".dept-page").getByRole("status")).toHaveText(
    "不能移到自己或下级部门之下",
  );
  expect(await shown(page, "D")).toEqual(between);

  // A folded row unfolds under the pointer. Escape ends the drag.
  await rowOf(page, "D1").getByRole("button", { name: "D1的下级部门" }).click();
  await expect(rowOf(page, "D11")).toHaveCount(0);
  await pick(page, "D2");
  await point(page, "D1", 0.5);
  await expect(rowOf(page, "D11")).toBeVisible();
  await point(page, "D11", 0.5);
  await page.keyboard.press("Escape");
  await expect(page.locator("[data-drop], [data-dragged]")).toHaveCount(0);
  await page.mouse.up();
  expect(await shown(page, "D")).toEqual(between);
});

test("A department is moved by keys alone, and a live text says where it stands", async ({
  people,
}) => {
  const admin = await people.loggedIn("admin", { path: "/system/dept" });
  const page = admin.pages[0]!;
  await make(page, { K1: [], K2: ["K21"], K3: [] });
  await expect.poll(() => shown(page, "K")).toEqual(["1 K1", "1 K2", "2 K21", "1 K3"]);
  const status = page.locator(".dept-page").getByRole("status");
  await shoot(page, "departments-moved");
  await expectAccessible(page, "departments that can be moved");

  await tabTo(page, treeOf(page).locator('[aria-level][tabindex="0"]'));
  const rows = await treeOf(page).locator("[aria-level]").count();
  for (let n = 1; n < rows; n += 1) await page.keyboard.press("ArrowDown");
  await expect(rowOf(page, "K3")).toBeFocused();
  await page.keyboard.press("Alt+ArrowDown");
  await expect(status).toHaveText("已是最后一个");
  await page.keyboard.press("Alt+ArrowUp");
  await expect.poll(() => shown(page, "K")).toEqual(["1 K1", "1 K3", "1 K2", "2 K21"]);
  await expect(rowOf(page, "K3")).toBeFocused();
  await page.keyboard.press("Alt+ArrowRight");
  await expect.poll(() => shown(page, "K")).toEqual(["1 K1", "2 K3", "1 K2", "2 K21"]);
  await expect(status).toContainText("“K3”已移到“K1”之下，第 1 个，共 1 个");
  await expect(rowOf(page, "K3")).toBeFocused();
  await page.keyboard.press("Alt+ArrowRight");
  await expect(status).toHaveText("上面没有同级部门");
  await page.keyboard.press("Alt+ArrowLeft");
  await expect.poll(() => shown(page, "K")).toEqual(["1 K1", "1 K3", "1 K2", "2 K21"]);
  await expect(rowOf(page, "K3")).toBeFocused();
  await page.keyboard.press("Alt+ArrowLeft");
  await expect(status).toHaveText("没有上级部门");
  await page.keyboard.press("Alt+ArrowDown");
  await expect.poll(() => shown(page, "K")).toEqual(["1 K1", "1 K2", "2 K21", "1 K3"]);
  await expect(rowOf(page, "K3")).toBeFocused();
  // The last move is undone by keys too.
  await page.keyboard.press("Control+z");
  await expect.poll(() => shown(page, "K")).toEqual(["1 K1", "1 K3", "1 K2", "2 K21"]);
  await expect(rowOf(page, "K3")).toBeFocused();
});
