/** Settings as an administrator keeps them, by mouse and by keyboard, and what other people get. */
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";

test("A setting is made by keyboard, refused when its key is taken, changed, found and deleted", async ({
  people,
}) => {
  people.expectComplaints(/409/);
  const admin = await people.loggedIn("admin", { path: "/system/config" });
  const page = admin.pages[0]!;
  await expect(page.getByRole("row").filter({ hasText: "sys.index.theme" })).toBeVisible();
  await shoot(page, "config");

  // By keyboard: a missing value is marked at its field, unsaved input asks before it is lost, and the focus returns.
  const create = page.getByRole("button", { name: "新增" });
  await tabTo(page, create);
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "新增参数" });
  await expect(dialog.getByLabel("参数名称")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("请填写参数名称")).toBeVisible();
  await expect(dialog.getByLabel("参数名称")).toBeFocused();
  await shoot(page, "config-form");
  await expectAccessible(page, "form of a setting");
  await page.keyboard.type("每页行数");
  await page.keyboard.press("Escape");
  const question = page.getByRole("dialog").filter({ hasText: "有未保存的内容" });
  await question.getByRole("button", { name: "继续填写" }).click();
  await expect(dialog.getByLabel("参数名称")).toHaveValue("每页行数");
  await tabTo(page, dialog.getByLabel("参数键名"));
  await page.keyboard.type("demo.rows");
  await tabTo(page, dialog.getByLabel("参数键值"));
  await page.keyboard.type("20");
  await tabTo(page, dialog.getByRole("button", { name: "保存" }));
  await page.keyboard.press("Enter");
  const row = page.getByRole("row").filter({ hasText: "demo.rows" });
  await expect(row).toContainText("每页行数");
  await expect(dialog).toHaveCount(0);
  await expect(create).toBeFocused();

  // A taken key is refused at its field, and the typed input stays.
  await create.click();
  await dialog.getByLabel("参数名称").fill("另一个");
  await dialog.getByLabel("参数键名").fill("demo.rows");
  await dialog.getByLabel("参数键值").fill("1");
  await dialog.getByRole("button", { name: "保存" }).click();
  await expect(dialog.getByText("该值已被使用")).toBeVisible();
  await expect(dialog.getByLabel("参数键名")).toBeFocused();
  await dialog.getByRole("button", { name: "取消" }).click();
  await question.getByRole("button", { name: "放弃" }).click();
  await expect(dialog).toHaveCount(0);

  // By mouse.
  await row.getByRole("button", { name: "编辑 每页行数" }).click();
  const edit = page.getByRole("dialog", { name: "修改参数" });
  await edit.getByLabel("参数键值").fill("50");
  await edit.getByRole("button", { name: "保存" }).click();
  await expect(row).toContainText("50");
  // The platform's own settings stay as they are.
  const platforms = page.getByRole("row").filter({ hasText: "sys.index.theme" });
  await expect(platforms.getByRole("button")).toHaveCount(0);
  await page.getByRole("search").getByLabel("参数键名").fill("demo");
  await expect(page.getByTestId("list-total")).toHaveText("共 1 项");
  await row.locator("label").first().click();
  await shoot(page, "config-chosen");
  await expectAccessible(page, "settings with a chosen row");
  await page.getByRole("status").getByRole("button", { name: "删除" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "确定" }).click();
  // the list is not empty: its filter leaves everything out, and one click ends that
  await expect(page.getByText("没有符合搜索或筛选条件的内容")).toBeVisible();
  await shoot(page, "config-empty");
  await page.getByRole("button", { name: "清除搜索和筛选" }).click();
  await expect(platforms).toBeVisible();
});

test("A person without the right has no such pages, and the server refuses the calls", async ({
  people,
}) => {
  people.expectComplaints(/403/);
  const lina = await people.loggedIn("lina", { path: "/dashboard" });
  const page = lina.pages[0]!;
  const menus = page.getByRole("navigation", { name: "主菜单" });
  await expect(menus.getByRole("link", { name: "人员与消息" })).toBeVisible();
  await expect(menus.getByText("系统管理")).toHaveCount(0);
  const refused = await page.evaluate(async () => {
    const { rest } = globalThis.consoleCore.commands;
    const codeOf = (call: Promise<unknown>): Promise<string> =>
      call.then(
        () => "done",
        (error: { code: string }) => error.code,
      );
    return Promise.all([
      codeOf(rest.call({ call: "config.list" })),
      codeOf(rest.call({ call: "config.delete", params: { id: "1" } })),
      codeOf(rest.call({ call: "employees.create", body: { name: "无权" } })),
      codeOf(rest.call({ call: "employees.dimissionList" })),
    ]);
  });
  expect(refused).toEqual(Array.from({ length: 4 }, () => "auth.forbidden"));
  await page.goto("/system/config");
  await expect(page).toHaveURL(/\/404$/);
});

/** Lets short timers fire late, as on a busy machine: questions then leave the page late. */
function slowTimers(): void {
  const usual = globalThis.setTimeout.bind(globalThis);
  Object.assign(globalThis, {
    setTimeout: (run: () => void, ms = 0, ...rest: unknown[]) =>
      usual(run, ms >= 50 && ms <= 1000 ? 3000 : ms, ...rest),
  });
}

test("What is typed while an answered question leaves the page stays in its field", async ({
  people,
}) => {
  const initScript = `(${slowTimers.toString()})()`;
  const admin = await people.loggedIn("admin", { path: "/system/config", initScript });
  const page = admin.pages[0]!;
  await page.getByRole("button", { name: "新增" }).click();
  const dialog = page.getByRole("dialog", { name: "新增参数" });
  const [name, key] = [dialog.getByLabel("参数名称"), dialog.getByLabel("参数键名")];
  await expect(name).toBeFocused();
  await page.keyboard.type("每页行数");
  await page.keyboard.press("Escape");
  const question = page.locator("[data-asked]");
  await question.getByRole("button", { name: "继续填写" }).click();
  await tabTo(page, key);
  await page.keyboard.type("demo.");
  await expect(question, "is still leaving").toHaveCount(1);
  await expect(question).toHaveCount(0);
  await expect(key).toBeFocused();
  await page.keyboard.type("rows");
  await expect(key).toHaveValue("demo.rows");
  await expect(name).toHaveValue("每页行数");
});
