/** Inaugural documents (docs/server.md#inaugural-documents): an employee hands in, an administrator refuses, accepts and hands in for others. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";

test.use({ serverEnv: { TEST_SERVER: "inaugural documents" } });

const scan = (name: string) => ({
  name,
  mimeType: "application/pdf",
  buffer: Buffer.from("%PDF-1.7\n%%EOF"),
});
/** Hands in one file by the open dialog, with the keyboard for all but the system's own choice of a file. */
async function handIn(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.locator("input[type=file]").setInputFiles(scan(name));
  // A form waits for its uploads, whose share stands behind the name.
  await expect(dialog.getByText(name, { exact: true })).toBeVisible();
  await tabTo(page, dialog.getByRole("button", { name: /^(提交|Hand in)$/ }));
  await page.keyboard.press("Enter");
  await expect(dialog).toHaveCount(0);
}

test("An employee hands in a document, reads why it was refused, hands it in again and sees it accepted; the administrator sees who lacks what", async ({
  people,
}) => {
  people.expectComplaints(/409/);
  const li = (await people.loggedIn("lina", { path: "/profile" })).pages[0]!;
  const own = li.getByRole("region", { name: "我的入职材料" });
  const promise = own.getByRole("listitem").filter({ hasText: "安全生产承诺书" });
  await expect(promise).toContainText("未提交");
  await expect(own.getByRole("listitem").filter({ hasText: "入职登记表" })).toContainText("已通过");
  await tabTo(li, promise.getByRole("button", { name: "提交 安全生产承诺书" }));
  await li.keyboard.press("Enter");
  const dialog = li.getByRole("dialog", { name: "提交“安全生产承诺书”" });
  await dialog.getByRole("button", { name: "提交", exact: true }).click();
  await expect(dialog, "without a file nothing is sent").toBeVisible();
  await shoot(li, "document-hand-in");
  await expectAccessible(li, "hand in a document");
  await handIn(li, "承诺书 1.pdf");
  await expect(promise).toContainText("待审核");
  await shoot(li, "own-documents");
  await expectAccessible(li, "own documents");

  const admin = (await people.loggedIn("admin", { path: "/supplier/handedDocuments" })).pages[0]!;
  // The list is a POST query: keyword, order, page and filters go in its body.
  const names = () =>
    admin
      .locator("[role=row][data-index] [role=cell]:first-child")
      .evaluateAll((all) => all.map((one) => one.textContent ?? ""));
  const keyword = admin.getByPlaceholder("姓名或材料名称");
  await keyword.fill("登记表");
  await expect.poll(async () => (await names()).length).toBeGreaterThan(2);
  await expect(admin.getByRole("row").filter({ hasText: "安全生产承诺书" })).toHaveCount(0);
  const sort = admin.getByRole("columnheader", { name: "员工" }).getByRole("button");
  await sort.click();
  const sorted = (await names()).toSorted((a, b) => (a < b ? -1 : 1));
  await expect.poll(names).toEqual(sorted);
  await sort.click();
  await expect.poll(names).toEqual(sorted.toReversed());
  await keyword.fill("");
  await admin.getByRole("combobox", { name: "状态" }).click();
  await admin.getByRole("option", { name: "待审核" }).click();
  const row = admin.getByRole("row").filter({ hasText: "李娜" });
  await expect(row).toHaveCount(1);
  await expect(row).toContainText("安全生产承诺书");
  const saved = admin.waitForEvent("download");
  await row.getByRole("button", { name: "下载 承诺书 1.pdf" }).click();
  expect((await saved).suggestedFilename()).toBe("承诺书 1.pdf");
  await shoot(admin, "handed-in-documents");
  await expectAccessible(admin, "handed-in documents");
  await tabTo(admin, row.getByRole("button", { name: /^退回/ }));
  await admin.keyboard.press("Enter");
  const refusing = admin.getByRole("dialog", { name: "退回李娜的“安全生产承诺书”" });
  await expect(refusing.getByLabel("退回原因")).toBeFocused();
  await admin.keyboard.type("没有签名");
  await refusing.getByRole("button", { name: "退回" }).click();
  await expect(refusing).toHaveCount(0);
  await expect(row).toHaveCount(0);

  // The employee sees it at once, without a new visit.
  await expect(promise).toContainText("已退回");
  await expect(promise).toContainText("退回原因：没有签名");
  await promise.getByRole("button", { name: "重新提交 安全生产承诺书" }).click();
  await handIn(li, "承诺书 2.pdf");

  // In the details of the employee, under eyes that saw an older state.
  await admin.goto("/supplier/employees");
  await admin.getByPlaceholder("搜索姓名、工号、电话、部门").fill("李娜");
  const employee = admin.getByRole("row").filter({ hasText: "李娜" });
  await employee.getByRole("button", { name: "李娜", exact: true }).click();
  const details = admin.getByRole("dialog", { name: "员工详情" });
  await details.getByRole("tab", { name: "入职材料" }).click();
  const shown = details.getByRole("listitem").filter({ hasText: "安全生产承诺书" });
  await expect(shown).toContainText("承诺书 2.pdf");
  await shoot(admin, "employee-documents");
  await expectAccessible(admin, "documents of an employee");
  await shown.getByRole("button", { name: "通过 安全生产承诺书" }).click();
  const accepting = admin.getByRole("dialog", { name: "通过李娜的“安全生产承诺书”" });
  await promise.getByRole("button", { name: "重新提交 安全生产承诺书" }).click();
  await handIn(li, "承诺书 3.pdf");
  await accepting.getByRole("button", { name: "通过" }).click();
  await expect(accepting.getByRole("alert")).toHaveText("该材料刚刚被更改，请重新查看");
  await accepting.getByRole("button", { name: "取消" }).click();
  await expect(shown).toContainText("承诺书 3.pdf");
  await shown.getByRole("button", { name: "通过 安全生产承诺书" }).click();
  await admin
    .getByRole("dialog", { name: "通过李娜的“安全生产承诺书”" })
    .getByRole("button", { name: "通过" })
    .click();
  await expect(shown).toContainText("已通过");
  await expect(promise).toContainText("已通过");
  await expect(promise.getByRole("button", { name: /提交/ })).toHaveCount(0);
  await admin.keyboard.press("Escape");
  await expect(details).toHaveCount(0);

  // Who lacks nothing shows nothing; a further required document is lacked at once.
  await expect(employee).not.toContainText("安全生产承诺书");
  await admin.evaluate(() =>
    globalThis.consoleCore.commands.rest.call({
      call: "documentKinds.create",
      body: { title: "健康证明", dated: true },
    }),
  );
  await expect(admin.getByRole("columnheader", { name: "缺少材料" })).toBeVisible();
  await expect(employee).toContainText("健康证明");
  await shoot(admin, "employees-lacked-documents");
});

test("A text document whose main part has another name is handed in, and what is downloaded has equal bytes", async ({
  people,
}) => {
  const content = readFileSync(
    join(import.meta.dirname, "../import/fixtures/brought/document2.docx"),
  );
  const admin = (await people.loggedIn("admin", { path: "/supplier/handedDocuments" })).pages[0]!;
  const keyword = admin.getByPlaceholder("姓名或材料名称");
  await keyword.fill("安全生产承诺书");
  const promises = admin.getByRole("row").filter({ hasText: "安全生产承诺书" });
  const lacking = promises.filter({ hasText: "未提交" }).first();
  const name = (await lacking.getByRole("cell").first().textContent()) ?? "";
  await keyword.fill(name);
  const row = promises.filter({ hasText: name });
  await row.getByRole("button", { name: /^代为提交/ }).click();
  const dialog = admin.getByRole("dialog");
  await dialog.locator("input[type=file]").setInputFiles({
    name: "承诺书.docx",
    mimeType: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    buffer: content,
  });
  await expect(dialog.getByText("承诺书.docx", { exact: true })).toBeVisible();
  await dialog.getByRole("button", { name: "提交" }).click();
  await expect(dialog).toHaveCount(0);
  const saved = admin.waitForEvent("download");
  await row.getByRole("button", { name: "下载 承诺书.docx" }).click();
  expect(readFileSync(await (await saved).path())).toEqual(content);
});

test("In English and on a phone a document with a day is handed in for an employee, and one is taken on paper", async ({
  people,
}) => {
  const admin = (await people.loggedIn("admin", { path: "/supplier/handedDocuments" })).pages[0]!;
  await admin.evaluate(async () => {
    const { rest } = globalThis.consoleCore.commands;
    const { records } = await rest.call({ call: "documentKinds.list" });
    if (records.some(({ title }) => title === "健康证明")) return;
    await rest.call({ call: "documentKinds.create", body: { title: "健康证明", dated: true } });
  });
  await admin.getByRole("button", { name: "切换语言" }).click();
  await expect(admin.getByRole("heading", { name: "Handed-in documents" })).toBeVisible();
  await admin.setViewportSize({ width: 390, height: 844 });
  await admin.getByPlaceholder("Name or document").fill("张伟");
  const row = admin.getByRole("row").filter({ hasText: "健康证明" });
  await expect(row).toHaveCount(1);
  await row.getByRole("button", { name: /^Hand in for them/ }).click();
  const dialog = admin.getByRole("dialog", { name: "Hand in “健康证明” for 张伟" });
  await dialog.locator("input[type=file]").setInputFiles(scan("health.pdf"));
  await expect(dialog.getByText("health.pdf", { exact: true })).toBeVisible();
  await dialog.getByLabel("Valid until").fill("2000-01-01");
  await dialog.getByRole("button", { name: "Hand in", exact: true }).click();
  await expect(dialog.getByText("Not before today")).toBeVisible();
  await dialog.getByLabel("Valid until").fill("2099-01-31");
  await expectAccessible(admin, "hand in for an employee, in English");
  await dialog.getByRole("button", { name: "Hand in", exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(row).toContainText("Accepted");
  await expect(row).toContainText("2099-01-31");

  const paper = admin.getByRole("row").filter({ hasText: "安全生产承诺书" });
  await paper.getByRole("button", { name: /^Accept/ }).click();
  const accepting = admin.getByRole("dialog", { name: "Accept “安全生产承诺书” of 张伟" });
  await expect(accepting).toContainText("It is noted as received on paper.");
  await accepting.getByRole("button", { name: "Accept", exact: true }).click();
  await expect(paper).toContainText("On paper");
  await shoot(admin, "handed-in-documents-english");
});
