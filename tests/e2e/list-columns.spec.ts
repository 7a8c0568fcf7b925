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

test("The space bar chooses a row, and with Shift all rows since the one before", async ({
  people,
}) => {
  const page = (await people.loggedIn("admin", { path: "/supplier/employees" })).pages[0]!;
  await expect(page.getByRole("row").nth(5)).toBeVisible();
  await page.evaluate(async () => {
    const { rest } = globalThis.consoleCore.commands;
    for (let n = 10; n < 16; n += 1) {
      await rest.call({ call: "employees.create", body: { name: `范围${n}` } });
    }
  });
  await page.getByRole("textbox", { name: "搜索姓名、工号、电话、部门" }).fill("范围");
  await expect(page.getByTestId("list-total")).toHaveText("共 6 人");
  await expect(page.getByRole("row").nth(6)).toContainText("范围15");
  await page.getByRole("table").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Space");
  await expect(page.getByText("已选 1 条")).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Shift+Space");
  await expect(page.getByText("已选 3 条")).toBeVisible();
  await expect(page.getByRole("checkbox", { name: "选择第 3 行" })).toBeChecked();
  await expect(page.getByRole("checkbox", { name: "选择第 1 行" })).not.toBeChecked();

  // The pointer does the same.
  await page
    .getByRole("row")
    .nth(6)
    .locator(".arco-checkbox")
    .click({ modifiers: ["Shift"] });
  await expect(page.getByText("已选 5 条")).toBeVisible();
});

test("All rows that the filter holds are chosen and deleted, but for one that was taken out; another filter ends the choice", async ({
  people,
}) => {
  const page = (await people.loggedIn("admin", { path: "/supplier/employees" })).pages[0]!;
  const total = page.getByTestId("list-total");
  await expect(total).toHaveText(/共 [1-9]/);
  await page.evaluate(async () => {
    const { rest } = globalThis.consoleCore.commands;
    for (let n = 10; n < 55; n += 1) {
      await rest.call({ call: "employees.create", body: { name: `全选${n}` } });
    }
  });
  const search = page.getByRole("textbox", { name: "搜索姓名、工号、电话、部门" });
  await search.fill("全选");
  await expect(total).toHaveText("共 45 人");
  const press = async (name: string) => {
    await page.getByRole("checkbox", { name }).focus();
    await page.keyboard.press("Space");
  };
  const whole = page.getByRole("button", { name: "选择筛选出的全部 45 条" });

  // The mark in the head chooses the page; then all are offered.
  await press("选择第 1 行");
  await expect(page.getByText("已选 1 条")).toBeVisible();
  await expect(whole).toHaveCount(0);
  await press("选择本页");
  await expect(page.getByText("已选 20 条")).toBeVisible();
  await shoot(page, "whole-offered");
  await whole.click();
  await expect(page.getByText("已选筛选出的全部 45 条")).toBeVisible();
  await page.getByRole("button", { name: "下一页" }).click();
  await expect(page.getByRole("checkbox", { name: "选择第 25 行" })).toBeChecked();
  await press("选择第 25 行");
  await expect(page.getByText("已选筛选出的 44 条，另有 1 条已除去")).toBeVisible();
  await shoot(page, "whole-chosen");
  await expectAccessible(page, "all rows of a filter");

  // Another filter ends it and says so; the first one does not bring it back.
  await search.fill("全选1");
  await expect(page.getByText("筛选条件已改变，不再选择“全部”")).toBeVisible();
  await search.fill("全选");
  await expect(total).toHaveText("共 45 人");
  await expect(page.getByRole("checkbox", { name: "选择第 1 行" })).not.toBeChecked();
  await page.getByRole("button", { name: "知道了" }).click();

  // What is done concerns the rows that the filter holds then, also one that came meanwhile.
  await press("选择本页");
  await whole.click();
  await press("选择第 2 行");
  const kept = await page.getByRole("row").nth(2).locator(".list-page-link").textContent();
  await page.evaluate(() =>
    globalThis.consoleCore.commands.rest.call({
      call: "employees.create",
      body: { name: "全选99" },
    }),
  );
  await expect(page.getByText("已选筛选出的 45 条，另有 1 条已除去")).toBeVisible();
  await page.getByRole("button", { name: "批量删除" }).click();
  const question = page.getByRole("dialog", { name: "批量删除" });
  await expect(question.getByText("确定要删除选中的 45 条吗？")).toBeVisible();
  await expect(question.getByText(/等 45 条$/)).toBeVisible();
  // How far it is, as it was said from the first to the last row.
  await page.evaluate(() => {
    const heard: string[] = [];
    new MutationObserver(() => {
      const text = document.querySelector(".bulk [role=status]")?.textContent ?? "";
      if (heard.at(-1) === text) return;
      heard.push(text);
      document.body.dataset["heard"] = heard.join("|");
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await question.getByRole("button", { name: "批量删除" }).click();
  await expect(question.getByText("45 条全部成功。")).toBeVisible();
  const heard = (await page.locator("body").getAttribute("data-heard")) ?? "";
  const done = [...heard.matchAll(/已处理 (\d+) \/ 45 条/g)].map(([, n]) => Number(n));
  expect(done[0]).toBe(0);
  expect(done).toEqual(done.toSorted((a, b) => a - b));
  expect(done.length).toBeGreaterThan(5);
  await question.getByRole("button", { name: "确定" }).click();
  await expect(total).toHaveText("共 1 人");
  await expect(page.getByRole("row").nth(1)).toContainText(kept ?? "–");
  await expect(page.getByText(/^已选/)).toHaveCount(0);
});

test("A link to a row opens it, after a reload and by Back and Forward, and says when it is not in the list or gone", async ({
  people,
}) => {
  // the row that is gone
  people.expectComplaints(/404/);
  const page = (await people.loggedIn("admin", { path: "/supplier/employees" })).pages[0]!;
  const total = page.getByTestId("list-total");
  await expect(total).toHaveText(/共 [1-9]/);
  const ids = await page.evaluate(async () => {
    const { rest } = globalThis.consoleCore.commands;
    const made: string[] = [];
    for (let n = 10; n < 33; n += 1) {
      const { id } = await rest.call({ call: "employees.create", body: { name: `链接${n}` } });
      made.push(id);
    }
    return made;
  });
  const search = page.getByRole("textbox", { name: "搜索姓名、工号、电话、部门" });
  await search.fill("链接");
  await expect(total).toHaveText("共 23 人");
  const drawer = page.getByRole("dialog", { name: "详情" });
  const name = drawer.getByRole("definition").first();

  // Opened, reloaded, Back and Forward.
  await page.getByRole("table").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(name).toContainText("链接10");
  await expect(page).toHaveURL(new RegExp(`\\?row=${ids[0]}$`));
  await page.keyboard.press("ArrowRight");
  await expect(name).toContainText("链接11");
  await expect(page).toHaveURL(new RegExp(`\\?row=${ids[1]}$`));
  await page.reload();
  await expect(name).toContainText("链接11");
  await page.goBack();
  await expect(drawer).toHaveCount(0);
  await page.goForward();
  await expect(name).toContainText("链接11");

  // The arrow keys lead over the end of the page, which stays when the row is closed; one step back leads to the page before.
  const list = /\/supplier\/employees$/;
  await page.keyboard.press("Escape");
  await expect(drawer).toHaveCount(0);
  await expect(page).toHaveURL(list);
  await page.getByRole("row").nth(20).getByRole("cell").nth(2).click();
  await expect(name).toContainText("链接29");
  await page.keyboard.press("ArrowRight");
  await expect(name).toContainText("链接30");
  await expect(page).toHaveURL(new RegExp(`\\?row=${ids[20]}&page=2$|\\?page=2&row=${ids[20]}$`));
  await page.keyboard.press("Escape");
  await expect(drawer).toHaveCount(0);
  await expect(page).toHaveURL(/\/supplier\/employees\?page=2$/);
  await page.goBack();
  await expect(page).toHaveURL(list);

  // Another person's link, to a row that the first page does not show; the note says so.
  const other = (await people.loggedIn("admin", { path: "/supplier/employees" })).pages[0]!;
  await other.goto(`/supplier/employees?row=${ids[22]}`);
  const there = other.getByRole("dialog", { name: "详情" });
  await expect(there.getByRole("definition").first()).toContainText("链接32");
  await expect(there.getByText("这条记录不在当前显示的列表中")).toBeVisible();
  await shoot(other, "row-outside");
  await expectAccessible(other, "row outside of the list");
  await other.evaluate(
    (id) => globalThis.consoleCore.commands.rest.call({ call: "employees.delete", params: { id } }),
    ids[22]!,
  );
  await other.reload();
  await expect(there.getByRole("alert")).toHaveText("这条记录不存在，或已被删除");
  await shoot(other, "row-gone");
  await other.keyboard.press("Escape");
  await expect(there).toHaveCount(0);
  await expect(other).toHaveURL(/\/supplier\/employees$/);

  await page.evaluate(
    async (made) => {
      const { rest } = globalThis.consoleCore.commands;
      for (const id of made) await rest.call({ call: "employees.delete", params: { id } });
    },
    ids.slice(0, 22),
  );
});

test("A row that was closed leaves no step in the history: Back leaves the list, however it was opened and however fast it was closed", async ({
  people,
}) => {
  const admin = await people.loggedIn("admin", { path: "/dashboard" });
  const page = admin.pages[0]!;
  const list = /\/supplier\/employees$/;
  const open = /\/supplier\/employees\?row=\d+$/;
  const drawer = page.getByRole("dialog", { name: "详情" });
  const row = (n: number) => page.getByRole("row").nth(n).getByRole("cell").nth(2);
  const closed = async (): Promise<void> => {
    await expect(drawer).toHaveCount(0);
    await expect(page).toHaveURL(list);
  };
  const backToDashboard = async (): Promise<void> => {
    await page.goBack();
    await expect(page).toHaveURL(/\/dashboard$/);
    await page.goForward();
    await closed();
    await expect(page.getByTestId("list-total")).toHaveText(/共 [1-9]/);
  };
  await page.locator(".entries").getByRole("link", { name: "员工列表" }).click();
  await expect(page.getByTestId("list-total")).toHaveText(/共 [1-9]/);
  const steps = await page.evaluate(() => history.length);

  // Several rows, one after the other; one row after another in the same drawer is one step.
  for (const n of [1, 2]) {
    await row(n).click();
    await expect(page).toHaveURL(open);
    await expect(drawer).toBeVisible();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Escape");
    await closed();
  }
  await backToDashboard();

  // On a slow machine, keys that follow each other faster than React renders the address.
  const devtools = await admin.context.newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 6 });
  await page.getByRole("table").focus();
  await page.keyboard.press("ArrowDown");
  for (let n = 0; n < 4; n += 1) {
    await page.evaluate(() => {
      const press = (key: string): void => {
        const { activeElement } = document;
        activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
      };
      document.querySelector<HTMLElement>(".list-page-row[data-index='0']")?.click();
      requestAnimationFrame(() => {
        press("ArrowRight");
        press("Escape");
        document.querySelector<HTMLElement>(".list-page-row[data-index='1']")?.click();
      });
    });
    await expect(drawer).toBeVisible();
    await expect(page).toHaveURL(open);
    await page.keyboard.press("Escape");
    await closed();
  }
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  await backToDashboard();

  // A reload keeps the step below.
  await row(1).click();
  await expect(page).toHaveURL(open);
  const link = page.url();
  await page.reload();
  await expect(drawer).toBeVisible();
  await page.keyboard.press("Escape");
  await closed();
  await backToDashboard();

  // What a button of the row begins comes after the step back.
  await row(1).click();
  await expect(page).toHaveURL(open);
  await page
    .locator(".row-drawer")
    .getByRole("button", { name: /^编辑 / })
    .click();
  const form = page.getByRole("dialog", { name: "编辑员工" });
  await expect(form).toBeVisible();
  await expect(page).toHaveURL(list);
  await form.getByRole("button", { name: "取消" }).click();
  await expect(form).toHaveCount(0);
  await backToDashboard();
  expect(await page.evaluate(() => history.length)).toBe(steps + 1);

  // The browser's Back closes an open row, and Forward shows it again.
  // Several times, because Back sometimes comes before React has rendered the address of the row.
  for (let n = 0; n < 8; n += 1) {
    await row(1).click();
    await expect(page).toHaveURL(open);
    await page.goBack();
    await closed();
    await page.goForward();
    await expect(drawer).toBeVisible();
    await page.goBack();
    await closed();
  }
  await backToDashboard();

  // Another tab begins with a link: there is no list below, and nothing else is left.
  const tab = await admin.open("/im/people");
  const there = tab.getByRole("dialog", { name: "详情" });
  await tab.goto(link);
  await expect(there).toBeVisible();
  await tab.reload();
  await expect(there).toBeVisible();
  await tab.keyboard.press("Escape");
  await expect(there).toHaveCount(0);
  await expect(tab).toHaveURL(list);
  await tab.goBack();
  await expect(tab).toHaveURL(/\/im\/people$/);
  await tab.goForward();
  await expect(tab).toHaveURL(list);
  await expect(tab.getByTestId("list-total")).toHaveText(/共 [1-9]/);
  await expect(there).toHaveCount(0);
});
