/** Employees as an administrator keeps them: taken on, changed, bound, dismissed and deleted, by mouse and by keyboard. */
import { expect, test } from "../support/fixtures.ts";
import { readQr } from "../support/qr.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";

test("An employee is taken on, refused under a taken number, changed, read, dismissed and deleted", async ({
  people,
}) => {
  people.expectComplaints(/409/);
  const admin = await people.loggedIn("admin", { path: "/supplier/employees" });
  const page = admin.pages[0]!;
  await expect(page.getByTestId("list-total")).toHaveText(/共 [1-9]/);

  // By keyboard.
  const create = page.getByRole("button", { name: "新增" });
  const dialog = page.getByRole("dialog", { name: "新增员工" });
  await tabTo(page, create);
  await page.keyboard.press("Enter");
  await expect(dialog.getByLabel("工号")).toBeFocused();
  await page.keyboard.type("T-1001");
  await tabTo(page, dialog.getByLabel("姓名"));
  await page.keyboard.type("贺新一");
  await tabTo(page, dialog.getByLabel("联系电话", { exact: true }));
  await page.keyboard.type("123");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("电话号码不正确")).toBeVisible();
  await shoot(page, "employee-form");
  await expectAccessible(page, "form of an employee");
  await dialog.getByLabel("联系电话", { exact: true }).fill("13912345678");
  await page.keyboard.press("Enter");
  await expect(dialog).toHaveCount(0);
  await expect(create).toBeFocused();

  // A number of another employee is refused at its field.
  await create.click();
  await dialog.getByLabel("工号").fill("T-1001");
  await dialog.getByLabel("姓名").fill("贺新二");
  await dialog.getByRole("button", { name: "保存" }).click();
  await expect(dialog.getByText("该值已被使用")).toBeVisible();
  await expect(dialog.getByLabel("工号")).toBeFocused();
  await dialog.getByLabel("工号").fill("T-1002");
  await dialog.getByRole("button", { name: "保存" }).click();
  await expect(dialog).toHaveCount(0);

  // By mouse: found, changed, read.
  await page.getByRole("textbox", { name: "搜索姓名、工号、电话、部门" }).fill("贺新");
  await expect(page.getByTestId("list-total")).toHaveText("共 2 人");
  await page.getByRole("button", { name: "编辑 贺新一" }).click();
  const edit = page.getByRole("dialog", { name: "编辑员工" });
  await expect(edit.getByLabel("工号")).toHaveValue("T-1001");
  await edit.getByLabel("岗位").fill("安全员");
  await edit.getByRole("button", { name: "保存" }).click();
  await expect(page.getByRole("row").filter({ hasText: "贺新一" })).toContainText("安全员");
  await page.getByRole("button", { name: "贺新一", exact: true }).click();
  const detail = page.getByRole("dialog", { name: "员工详情" });
  await expect(detail.getByText("13912345678")).toBeVisible();
  await expect(detail.getByText("在职", { exact: true })).toBeVisible();
  await shoot(page, "employee-detail");
  await expectAccessible(page, "detail of an employee");
  await page.keyboard.press("Escape");
  await expect(detail).toHaveCount(0);

  // Dismissed, with the reason in the list of those who left; the other one is deleted.
  await page.getByRole("button", { name: "离职 贺新一" }).click();
  const leave = page.getByRole("dialog", { name: "办理离职：贺新一" });
  await leave.getByLabel("离职日期").fill("2099-01-01");
  await leave.getByRole("button", { name: "离职" }).click();
  await expect(leave.getByText("不能晚于今天")).toBeVisible();
  await leave.getByLabel("离职日期").fill("2025-01-02");
  await leave.getByLabel("离职原因").fill("个人原因");
  await leave.getByRole("button", { name: "离职" }).click();
  await expect(page.getByTestId("list-total")).toHaveText("共 1 人");
  await page.getByRole("button", { name: "删除 贺新二" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "确定" }).click();
  await expect(page.getByText("没有符合搜索或筛选条件的内容")).toBeVisible();
  await page.goto("/supplier/dimission");
  await expect(page.getByRole("row").filter({ hasText: "贺新一" })).toContainText("个人原因");
  await shoot(page, "dimission");
});

test("An invitation is a link that opens, and an account is unbound", async ({ people }) => {
  const admin = await people.loggedIn("admin", { path: "/supplier/employees" });
  const page = admin.pages[0]!;
  await page.getByRole("button", { name: "邀请员工" }).click();
  const dialog = page.getByRole("dialog", { name: "邀请员工" });
  await dialog.getByLabel("有效小时数").fill("0");
  await dialog.getByRole("button", { name: "生成链接" }).click();
  await expect(dialog.getByText("应为 1 到 720 的整数")).toBeVisible();
  await dialog.getByLabel("有效小时数").fill("24");
  await dialog.getByRole("button", { name: "生成链接" }).click();
  const link = await dialog.getByLabel("邀请链接").inputValue();
  expect(link).toMatch(/^http.*\/invite\/.+/);
  expect(await readQr(dialog.getByRole("img", { name: "邀请二维码" }))).toBe(link);
  await shoot(page, "employee-invite");
  expect((await page.request.get(link)).status()).toBe(200);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);

  const bound = await page.evaluate(async () => {
    const { rest } = globalThis.consoleCore.commands;
    const { records } = await rest.call({ call: "employees.list", query: { keyword: "访客" } });
    return records[0];
  });
  await page.getByRole("button", { name: "访客", exact: true }).click();
  const detail = page.getByRole("dialog", { name: "员工详情" });
  await detail.getByRole("button", { name: "解绑账号" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "确定" }).click();
  await expect(detail.getByText("未绑定账号")).toBeVisible();
  // Other tests use the account on the same server.
  const again = await page.evaluate(
    ({ id, accountId }) =>
      globalThis.consoleCore.commands.rest
        .call({ call: "employees.get", params: { id } })
        .then(({ version }) =>
          globalThis.consoleCore.commands.rest.call({
            call: "employees.bindAccount",
            body: { employeeId: id, accountId, version },
          }),
        ),
    { id: bound?.id ?? "", accountId: bound?.accountId ?? null },
  );
  expect(again.accountId).toBe(bound?.accountId);
});
