/**
 * A half-filled form through what a working day brings: another page or tab, a token that ends, a server that is away, a core that is
 * killed, and a reload. What was typed stays or is offered again, and is saved afterwards (docs/session.md#drafts-of-forms).
 */
import type { Locator, Page } from "@playwright/test";
import { coreId, killCore } from "../support/crash.ts";
import { expect, test } from "../support/fixtures.ts";
import { outageBar } from "../support/outage.ts";
import { logIn } from "../support/people.ts";
import { breakAccess, breakTokens, chooseNewLogin } from "../support/tokens.ts";

// The new employees must stand on the first page.
test.use({ serverEnv: { TEST_SERVER: "form losses" } });

interface Form {
  readonly name: string;
  readonly path: string;
  readonly title: string;
  readonly fill: (dialog: Locator, page: Page, name: string) => Promise<void>;
  readonly expectFilled: (dialog: Locator, name: string) => Promise<void>;
  /** What the list shows of it afterwards. */
  readonly row: string;
}
const FORMS: readonly Form[] = [
  {
    name: "The form of an employee",
    path: "/supplier/employees",
    title: "新增员工",
    fill: async (dialog, _page, name) => {
      await dialog.getByLabel("姓名").fill(name);
      await dialog.getByLabel("岗位").fill("夜班保安");
      await dialog.getByLabel("备注", { exact: true }).fill("第一行\n第二行");
    },
    expectFilled: async (dialog, name) => {
      await expect(dialog.getByLabel("姓名")).toHaveValue(name);
      await expect(dialog.getByLabel("岗位")).toHaveValue("夜班保安");
      await expect(dialog.getByLabel("备注", { exact: true })).toHaveValue("第一行\n第二行");
    },
    row: "夜班保安",
  },
  {
    name: "A form with a dependent field and a switch",
    path: "/employeeSetfield",
    title: "新增字段",
    fill: async (dialog, page, name) => {
      await dialog.getByLabel("字段名称").fill(name);
      await expect(dialog.locator('[data-field="dictType"]')).toHaveCount(0);
      await dialog.getByLabel("类型").click();
      await page.getByRole("option", { name: "字典" }).click();
      await dialog.locator('[data-field="dictType"]').getByRole("combobox").click();
      await page.getByRole("option").first().click();
      await dialog.getByRole("switch", { name: "必填" }).click();
    },
    expectFilled: async (dialog, name) => {
      await expect(dialog.getByLabel("字段名称")).toHaveValue(name);
      await expect(dialog.locator('[data-field="dictType"]')).toContainText("（");
      await expect(dialog.getByRole("switch", { name: "必填" })).toBeChecked();
    },
    row: "字典",
  },
];

/** The browser asks before it leaves a page with input. */
const leavesUnasked = (page: Page): void => void page.on("dialog", (asked) => void asked.accept());

interface Filled {
  readonly page: Page;
  readonly dialog: Locator;
  /** The form is there, or is opened again, and holds what was typed. */
  readonly expectFilled: () => Promise<void>;
  readonly save: () => Promise<void>;
}

async function filled(page: Page, form: Form, name: string): Promise<Filled> {
  const dialog = page.getByRole("dialog", { name: form.title });
  const create = page.getByRole("button", { name: "新增", exact: true });
  await create.click();
  await form.fill(dialog, page, name);
  return {
    page,
    dialog,
    async expectFilled() {
      await expect(create).toBeVisible();
      if (!(await dialog.isVisible())) {
        await create.click();
        await expect(dialog.getByText("已恢复上次未保存的内容")).toBeVisible();
      }
      await form.expectFilled(dialog, name);
    },
    async save() {
      await dialog.getByRole("button", { name: "保存" }).click();
      await expect(dialog).toHaveCount(0);
      await expect(page.getByRole("row").filter({ hasText: name })).toContainText(form.row);
    },
  };
}

for (const form of FORMS) {
  test(`${form.name} is there again after another page, and after another tab in front`, async ({
    people,
  }) => {
    const admin = await people.loggedIn("admin", { path: "/dashboard" });
    const page = admin.pages[0]!;
    await page.goto(form.path);
    leavesUnasked(page);
    const it = await filled(page, form, "标签页");
    await page.goBack();
    await expect(page).toHaveURL(/dashboard/);
    await page.goForward();
    await it.expectFilled();
    const other = await admin.open("/dashboard");
    await other.bringToFront();
    await page.bringToFront();
    await it.expectFilled();
    await it.save();
  });

  test(`${form.name} is saved when the token has ended, and after a new login`, async ({
    people,
  }) => {
    people.expectComplaints(/status of 401/);
    const admin = await people.loggedIn("admin", { path: form.path, killsCore: true });
    const page = admin.pages[0]!;
    leavesUnasked(page);
    const refreshed = await filled(page, form, "新令牌");
    await breakAccess(page);
    await refreshed.expectFilled();
    await refreshed.save();

    const again = await filled(page, form, "重新登录");
    await breakTokens(page);
    await again.expectFilled();
    // a live read may meet the ended login first, and its question stands above the button
    await again.dialog.getByRole("button", { name: "保存" }).dispatchEvent("click");
    await chooseNewLogin(page);
    await page.goto("/login");
    await logIn(page, "admin");
    await page.goto(form.path);
    await again.expectFilled();
    await again.save();
  });

  test(`${form.name} says that the server is away, keeps what was typed, and is saved afterwards`, async ({
    people,
    server,
  }) => {
    people.expectComplaints(/WebSocket connection|ERR_CONNECTION|Failed to load resource/);
    const admin = await people.loggedIn("admin", { path: form.path });
    const page = admin.pages[0]!;
    leavesUnasked(page);
    const it = await filled(page, form, "停机时");
    await server.kill("SIGKILL");
    await expect(outageBar(page)).toHaveCount(1);
    await it.dialog.getByRole("button", { name: "保存" }).click();
    await expect(it.dialog.getByRole("alert")).toBeVisible();
    await it.expectFilled();
    await server.start();
    await expect(outageBar(page)).toHaveCount(0);
    await it.expectFilled();
    await it.save();
  });

  test(`${form.name} stays when the core is killed, and the next core saves it`, async ({
    people,
  }) => {
    const admin = await people.loggedIn("admin", { path: form.path, killsCore: true });
    const page = admin.pages[0]!;
    leavesUnasked(page);
    const it = await filled(page, form, "新核心");
    const first = await coreId(page);
    await killCore(page);
    await it.expectFilled();
    await it.save();
    await expect.poll(() => coreId(page)).not.toBe(first);
  });

  test(`${form.name} is offered again after a reload`, async ({ people }) => {
    const admin = await people.loggedIn("admin", { path: form.path });
    const page = admin.pages[0]!;
    leavesUnasked(page);
    const it = await filled(page, form, "刷新后");
    await page.reload();
    await it.expectFilled();
    await it.save();
  });
}
