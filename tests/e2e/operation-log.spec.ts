/** The operation log says in words what was changed, in both languages (docs/server.md#operation-log). */
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";
import { callerOf } from "../support/rest-caller.ts";

test("A change is found by the name of the person changed, read by keyboard in words, with a long value as a whole, also in English", async ({
  people,
  server,
}) => {
  const ask = await callerOf(server.url, "admin");
  const make = async (path: string, json: object) =>
    ((await ask("POST", path, json)).data as { id: string }).id;
  const first = await make("/system/dept", { parentId: null, name: "日志一部" });
  const second = await make("/system/dept", { parentId: null, name: "日志二部" });
  const path = "/scm-supplier/api/sec/employee";
  const id = await make(path, { name: "冯日志", gender: "1", departmentId: first });
  const remark = `开头${"很长的备注".repeat(60)}结尾`;
  const { status } = await ask("PUT", path, {
    id,
    version: 1,
    gender: "2",
    departmentId: second,
    remark,
  });
  expect(status).toBe(200);

  const admin = await people.loggedIn("admin", { path: "/monitor/operlog" });
  const page = admin.pages[0]!;
  const rows = page.getByRole("row").filter({ hasText: "冯日志" });
  await tabTo(page, page.getByPlaceholder("操作人或对象名称"));
  await page.keyboard.type("冯日志");
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText("性别：男 → 女；部门：日志一部 → 日志二部");
  await expect(rows.last()).toContainText("新增");
  await shoot(page, "operation-log");

  const row = rows.first();
  await row.focus();
  await page.keyboard.press("Enter");
  const drawer = page.getByRole("dialog", { name: "详情" });
  const changes = drawer.getByRole("region", { name: "修改内容" });
  await expect(changes.locator("dl > div")).toHaveText([
    /^性别男 →改为 女$/,
    /^部门日志一部 →改为 日志二部$/,
    /^备注（空） →改为 开头.*… ?显示全部$/,
  ]);
  await expect(changes).not.toContainText("结尾");
  const more = changes.getByRole("button", { name: "显示全部" });
  await expectAccessible(page, "a change in words");
  await shoot(page, "operation-log-change");
  await tabTo(page, more);
  await page.keyboard.press("Enter");
  await expect(changes).toContainText("结尾");
  await expect(changes.getByRole("button", { name: "收起" })).toBeFocused();

  // The row after it: what the employee was created with.
  await page.keyboard.press("ArrowRight");
  const created = drawer.getByRole("region", { name: "新增时的内容" });
  await expect(created).toContainText("姓名冯日志");
  await expect(created).not.toContainText("备注");

  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "切换语言" }).click();
  const oldest = page.getByRole("row").filter({ hasText: "冯日志" }).last();
  await oldest.focus();
  await page.keyboard.press("Enter");
  const english = page.getByRole("dialog", { name: "Details" });
  await expect(english.getByRole("region", { name: "Created with" })).toContainText("Name冯日志");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("row").filter({ hasText: "冯日志" }).first()).toContainText(
    "Department: 日志一部 → 日志二部",
  );
  await expectAccessible(page, "operation log in English");
  await shoot(page, "operation-log-english");
});
