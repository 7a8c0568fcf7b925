/** Rows of a list are chosen: by keys, all of a filter, and some that the filter hides (docs/session.md#lists). */
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot } from "../support/look.ts";

// A server of its own, without the rows of other tests.
test.use({ actionTimeout: 10_000, serverEnv: { TEST_SERVER: "few rows" } });

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

test("A question about all rows of a filter takes the focus, although its button was disabled while they were read", async ({
  people,
}) => {
  const { pages } = await people.loggedIn("admin", { path: "/supplier/employees" });
  const page = pages[0]!;
  await expect(page.getByTestId("list-total")).toHaveText(/共 [1-9]/);
  await page.evaluate(async () => {
    const { rest } = globalThis.consoleCore.commands;
    for (let n = 10; n < 35; n += 1) {
      await rest.call({ call: "employees.create", body: { name: `焦点${n}` } });
    }
  });
  await page.getByRole("textbox", { name: "搜索姓名、工号、电话、部门" }).fill("焦点");
  await expect(page.getByTestId("list-total")).toHaveText("共 25 人");
  await page.getByRole("checkbox", { name: "选择本页" }).press("Space");
  await page.getByRole("button", { name: "选择筛选出的全部 25 条" }).press("Enter");
  await page.getByRole("button", { name: "批量删除" }).press("Enter");
  const question = page.getByRole("dialog", { name: "批量删除" });
  await expect(question.getByRole("button", { name: "取消" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(question).toHaveCount(0);
});

test("Chosen rows that a filter hides are named, and are deleted only when that is wanted", async ({
  people,
}) => {
  const page = (await people.loggedIn("admin", { path: "/supplier/employees" })).pages[0]!;
  await page.evaluate(async () => {
    const { rest } = globalThis.consoleCore.commands;
    for (const name of ["隐藏甲", "隐藏乙", "显示丙"]) {
      await rest.call({ call: "employees.create", body: { name } });
    }
  });
  const total = page.getByTestId("list-total");
  const search = page.getByRole("textbox", { name: "搜索姓名、工号、电话、部门" });
  const choose = async (name: string) => {
    await search.fill(name);
    await expect(page.getByRole("row").nth(1)).toContainText(name);
    await expect(total).toHaveText("共 1 人");
    await page.getByRole("checkbox", { name: "选择第 1 行" }).focus();
    await page.keyboard.press("Space");
  };
  await choose("隐藏甲");
  await choose("隐藏乙");
  await choose("显示丙");
  await expect(page.getByText("已选 3 条，其中 2 条当前未显示")).toBeVisible();
  await page.getByRole("button", { name: "批量删除" }).click();
  const question = page.getByRole("dialog", { name: "批量删除" });
  await expect(question.getByText("确定要删除选中的 1 条吗？")).toBeVisible();
  await expect(question.getByText("显示丙", { exact: true })).toBeVisible();
  const hidden = question.getByRole("checkbox", { name: /当前未显示的 2 条：隐藏甲、隐藏乙/ });
  await hidden.check();
  await expect(question.getByText("确定要删除选中的 3 条吗？")).toBeVisible();
  await hidden.uncheck();
  await shoot(page, "list-chosen-hidden");
  await expectAccessible(page, "question with hidden rows");
  await question.getByRole("button", { name: "批量删除" }).click();
  await expect(question.getByText("1 条全部成功。")).toBeVisible();
  await question.getByRole("button", { name: "确定" }).click();
  await search.fill("隐藏");
  await expect(total).toHaveText("共 2 人");
  await expect(page.getByText("已选 2 条", { exact: true }), "both are in sight").toBeVisible();
  await page.getByRole("button", { name: "批量删除" }).click();
  await question.getByRole("button", { name: "批量删除" }).click();
  await expect(question.getByText("2 条全部成功。")).toBeVisible();
});
