/** A row of a list has an address of its own, and a history that Back can follow (docs/session.md#lists). */
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot } from "../support/look.ts";

// A server of its own, without the rows of other tests.
test.use({ actionTimeout: 10_000, serverEnv: { TEST_SERVER: "few rows" } });

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
