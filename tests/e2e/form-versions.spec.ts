/** Two people edit one record in forms: what the other one changed is shown field by field, and nothing is lost unseen (docs/server.md#versions). */
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot } from "../support/look.ts";

/** What another person's console sends meanwhile. */
const changeEmployee = (page: Page, name: string, change: Record<string, unknown>): Promise<void> =>
  page.evaluate(
    async ([who, fields]) => {
      const { rest } = globalThis.consoleCore.commands;
      const { records } = await rest.call({ call: "employees.list", query: { keyword: who } });
      const { id } = records[0]!;
      const { version } = await rest.call({ call: "employees.get", params: { id } });
      await rest.call({ call: "employees.update", body: { id, version, ...fields } });
    },
    [name, change] as const,
  );
const employee = (page: Page, name: string) =>
  page.evaluate(async (who) => {
    const { rest } = globalThis.consoleCore.commands;
    const { records } = await rest.call({ call: "employees.list", query: { keyword: who } });
    return rest.call({ call: "employees.get", params: { id: records[0]!.id } });
  }, name);

test("A form of a list shows what another person changed field by field, asks about what both changed, and saves the choices", async ({
  people,
}) => {
  people.expectComplaints(/409/);
  const admin = await people.loggedIn("admin", { path: "/supplier/employees" });
  const page = admin.pages[0]!;
  await page.evaluate(() =>
    globalThis.consoleCore.commands.rest.call({
      call: "employees.create",
      body: { name: "版本一", position: "保安", remark: "旧备注", hireDate: "2024-01-01" },
    }),
  );
  await page.getByRole("textbox", { name: "搜索姓名、工号、电话、部门" }).fill("版本一");
  await page.getByRole("button", { name: "编辑 版本一" }).click();
  const form = page.getByRole("dialog", { name: "编辑员工" });
  await form.getByRole("textbox", { name: "岗位" }).fill("队长");
  await form.getByRole("textbox", { name: "备注", exact: true }).fill("我的备注");
  await changeEmployee(page, "版本一", {
    position: "安全员",
    remark: "对方的备注",
    hireDate: "2024-02-02",
  });
  await form.getByRole("button", { name: "保存" }).click();

  // What only they changed is taken, what both changed must be chosen.
  await expect(form.getByRole("alert")).toHaveText("尚未保存：其他人刚刚修改了这条记录");
  const of = (label: string) => form.getByRole("radiogroup", { name: label });
  await expect(of("入职日期").getByRole("radio", { name: /采用对方/ })).toBeChecked();
  await expect(of("岗位")).toContainText("原来：保安");
  await expect(of("岗位").getByRole("radio", { name: "采用对方 安全员" })).toBeFocused();
  await expect(of("岗位").getByRole("radio", { name: "保留我的 队长" })).not.toBeChecked();
  await expect(of("姓名")).toHaveCount(0);
  await shoot(page, "form-stale");
  await expectAccessible(page, "form with a newer version");
  await form.getByRole("button", { name: "保存" }).click();
  await expect(of("岗位").getByRole("radio", { name: /采用对方/ })).toBeFocused();
  expect((await employee(page, "版本一")).position).toBe("安全员");

  // By keyboard.
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowDown");
  await expect(of("岗位").getByRole("radio", { name: /保留我的/ })).toBeChecked();
  await expect(form.getByRole("textbox", { name: "岗位", exact: true })).toHaveValue("队长");
  await of("备注").getByText("采用对方").click();
  await expect(form.getByRole("textbox", { name: "备注", exact: true })).toHaveValue("对方的备注");
  await shoot(page, "form-stale-chosen");
  await form.getByRole("button", { name: "保存" }).click();
  await expect(form).toHaveCount(0);
  expect(await employee(page, "版本一")).toMatchObject({
    position: "队长",
    remark: "对方的备注",
    hireDate: "2024-02-02",
    version: 3,
  });

  // All of one side; and a change of what the form does not concern is no question.
  await page.getByRole("button", { name: "编辑 版本一" }).click();
  await form.getByRole("textbox", { name: "岗位", exact: true }).fill("主管");
  await form.getByRole("textbox", { name: "备注", exact: true }).fill("再次我的");
  await changeEmployee(page, "版本一", { position: "经理", remark: "再次对方" });
  await form.getByRole("button", { name: "保存" }).click();
  await form.getByRole("button", { name: "全部采用对方" }).click();
  await expect(form.getByRole("textbox", { name: "岗位", exact: true })).toHaveValue("经理");
  await form.getByRole("button", { name: "全部保留我的" }).click();
  await expect(form.getByRole("textbox", { name: "岗位", exact: true })).toHaveValue("主管");
  await form.getByRole("button", { name: "保存" }).click();
  await expect(form).toHaveCount(0);
  expect(await employee(page, "版本一")).toMatchObject({ position: "主管", remark: "再次我的" });
});

test("A form that was left half-filled and whose record another person changed is offered again with the differences", async ({
  people,
}) => {
  const admin = await people.loggedIn("admin", { path: "/supplier/employees" });
  const page = admin.pages[0]!;
  page.on("dialog", (asked) => void asked.accept());
  await page.evaluate(() =>
    globalThis.consoleCore.commands.rest.call({
      call: "employees.create",
      body: { name: "版本二", position: "保安" },
    }),
  );
  await page.getByRole("textbox", { name: "搜索姓名、工号、电话、部门" }).fill("版本二");
  await page.getByRole("button", { name: "编辑 版本二" }).click();
  const form = page.getByRole("dialog", { name: "编辑员工" });
  await form.getByRole("textbox", { name: "岗位" }).fill("队长");
  await changeEmployee(page, "版本二", { position: "安全员" });
  await page.reload();
  await page.getByRole("textbox", { name: "搜索姓名、工号、电话、部门" }).fill("版本二");
  await page.getByRole("button", { name: "编辑 版本二" }).click();
  await expect(form.getByText("已恢复上次未保存的内容")).toBeVisible();
  const post = form.getByRole("radiogroup", { name: "岗位" });
  await expect(post).toContainText("双方都修改了此项，请选择");
  await post.getByText("保留我的").click();
  await form.getByRole("button", { name: "保存" }).click();
  await expect(form).toHaveCount(0);
  expect(await employee(page, "版本二")).toMatchObject({ position: "队长", version: 3 });
});

test("A bulletin that two people edit shows the switch and the formatted text of both", async ({
  people,
}) => {
  people.expectComplaints(/409/);
  const admin = await people.loggedIn("admin", { path: "/system/notice" });
  const page = admin.pages[0]!;
  const made = await page.evaluate(() =>
    globalThis.consoleCore.commands.rest.call({
      call: "bulletins.create",
      body: { noticeTitle: "停电", noticeType: "1", status: "1", noticeContent: "<p>周五</p>" },
    }),
  );
  await page.getByRole("button", { name: "编辑 停电" }).click();
  const form = page.getByRole("dialog", { name: "修改通知公告" });
  await form.getByRole("textbox", { name: "内容" }).fill("周六");
  await page.evaluate(async ({ noticeId, version }) => {
    await globalThis.consoleCore.commands.rest.call({
      call: "bulletins.update",
      body: { noticeId, version, status: "0", noticeContent: "<p><strong>周日</strong> 上午</p>" },
    });
  }, made);
  await form.getByRole("button", { name: "保存" }).click();
  const of = (label: string) => form.getByRole("radiogroup", { name: label });
  await expect(of("已发布").getByRole("radio", { name: "采用对方 是" })).toBeChecked();
  await expect(form.getByRole("switch", { name: "已发布" })).toBeChecked();
  await expect(of("内容").getByRole("radio", { name: "采用对方 周日 上午" })).toBeVisible();
  await of("内容").getByText("采用对方").click();
  await expect(form.getByRole("textbox", { name: "内容" })).toHaveText("周日 上午");
  await of("内容").getByText("保留我的").click();
  await expect(form.getByRole("textbox", { name: "内容" })).toHaveText("周六");
  await shoot(page, "form-stale-rich");
  await expectAccessible(page, "bulletin with a newer version");
  await form.getByRole("button", { name: "保存" }).click();
  await expect(form).toHaveCount(0);
  const { status, noticeContent } = await page.evaluate(
    (noticeId) =>
      globalThis.consoleCore.commands.rest.call({ call: "bulletins.get", params: { noticeId } }),
    made.noticeId,
  );
  expect([status, noticeContent]).toEqual(["0", "<p>周六</p>"]);
});
