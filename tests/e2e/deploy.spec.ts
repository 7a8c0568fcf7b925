/** Two builds one after the other under open tabs (docs/shell.md#deployments): what they say, what is kept, and what goes on. */
import type { Page } from "@playwright/test";
import { answerButton, callStatus, dial, expectMedia, hangUpButton } from "../support/calls.ts";
import { killCore } from "../support/crash.ts";
import { employeesCsv } from "../support/employees-file.ts";
import { expect, test } from "../support/fixtures.ts";
import { type Gateway, startGateway } from "../support/gateway.ts";
import { importPageOf } from "../support/import-page.ts";
import { expectAccessible, shoot } from "../support/look.ts";
import { goTo, outageBar } from "../support/outage.ts";
import { loggedIn, type LoginOptions, type Person } from "../support/people.ts";
import { setVisible } from "../support/system-notices.ts";

test.use({ serverEnv: { TEST_SERVER: "deploy" } });

const IMPORT = "/DataBatchImport2/index";
const UPDATED = "系统已更新，刷新后生效";
/** What browsers, React and the core write about code and servers that are gone. */
const MISSING =
  /error: Error \(|status of 404|dynamically imported|Loading (module|Worker|failed)|load worker|WebSocket|\[core\]|SharedWorker|ERR_CONNECTION|ERR_FAILED|Failed to load resource|disallowed MIME|blocked because|error loading dynamically|NS_ERROR|can.t establish a connection|was interrupted while the page was loading/i;

const bar = (page: Page) => page.locator("[data-newer-build]");
const reloadButton = (page: Page) => bar(page).getByRole("button", { name: "刷新" });
/** The script that the page began with: the one build has none of the other's. */
const firstScript = (page: Page): Promise<string> =>
  page.evaluate(() => document.querySelector("script[src]")?.getAttribute("src") ?? "");
const check = (page: Page) =>
  page.evaluate(() => globalThis.consoleCore.commands.worker.checkBuild({}));
/** Presses the button also below a dialog, and waits for the page of the other build. */
async function renew(page: Page): Promise<void> {
  const before = await firstScript(page);
  await reloadButton(page).evaluate((button) => (button as HTMLElement).click());
  await expect.poll(() => firstScript(page).catch(() => before)).not.toBe(before);
}
async function choose(page: Page, name: string, text: string): Promise<void> {
  await page.getByTestId("import-file").setInputFiles({
    name,
    mimeType: "text/csv",
    buffer: Buffer.from(text, "utf8"),
  });
}

let gateway: Gateway;
const people: Person[] = [];
test.beforeEach(async ({ server }) => {
  gateway = await startGateway(server.url);
});
test.afterEach(async () => {
  for (const who of people.splice(0)) {
    await who.close();
    expect(who.complaints.filter((line) => !MISSING.test(line))).toEqual([]);
  }
  await gateway.close();
});
const enter: typeof loggedIn = async (browser, url, name, options: LoginOptions = {}) => {
  const who = await loggedIn(browser, url, name, options);
  people.push(who);
  return who;
};

test("Three old tabs, with a form, a call and an import, offer the reload; the call goes on, and nothing that was typed is lost", async ({
  browser,
}) => {
  const admin = await enter(browser, gateway.url, "admin");
  const lina = await enter(browser, gateway.url, "lina");
  const [calling] = admin.pages as [Page];
  const form = await admin.open("/system/config");
  await form.getByRole("button", { name: "新增" }).click();
  await form.getByRole("dialog").getByLabel("参数名称").fill("写到一半");
  const importing = await admin.open(IMPORT);
  const [head = "", first = "", ...rest] = employeesCsv({ rows: 20, seed: 31 }).split("\r\n");
  const wrong = first.split(",");
  wrong[head.split(",").indexOf("联系电话")] = "12345";
  await choose(importing, "新员工.csv", [head, wrong.join(","), ...rest].join("\r\n"));
  await importing.getByRole("button", { name: "开始检查" }).click();
  await expect(importing.getByText("有问题 1 行")).toBeVisible();
  const grid = importing.getByRole("grid", { name: "检查结果" });
  await grid.locator("[data-wrong='true']").filter({ hasText: "12345" }).click();
  await importing.keyboard.press("Enter");
  await importing.keyboard.press("ControlOrMeta+a");
  await importing.keyboard.type("13912345678");
  await importing.keyboard.press("Enter");
  await expect(importing.getByRole("button", { name: "导入 20 行" })).toBeVisible();
  await calling.bringToFront();
  await dial(calling, "李娜");
  await answerButton(lina.pages[0]!).click();
  await expectMedia(calling);

  gateway.replace("next");
  await check(form);
  const old = await firstScript(calling);
  for (const tab of [form, calling, importing]) {
    await expect(bar(tab)).toContainText("系统已更新，通话结束后可刷新");
    await expect(reloadButton(tab)).toBeDisabled();
  }
  await setVisible([form, importing], false);
  // the call and what was typed go on
  await expectMedia(calling);
  await expectMedia(lina.pages[0]!);
  expect(await callStatus(calling)).toBe("chat");
  await setVisible([form, importing], true);
  await hangUpButton(calling).click();
  for (const tab of [form, calling, importing]) {
    await expect(bar(tab)).toContainText(UPDATED);
    await expect(reloadButton(tab)).toBeEnabled();
  }
  expect(await firstScript(form)).toBe(old);
  await shoot(importing, "deploy-bar");

  await renew(form);
  await form.getByRole("button", { name: "新增" }).click();
  const dialog = form.getByRole("dialog", { name: "新增参数" });
  await expect(dialog.getByText("已恢复上次未保存的内容")).toBeVisible();
  await expect(dialog.getByLabel("参数名称")).toHaveValue("写到一半");

  await renew(importing);
  await expect(importing.getByText("已恢复刷新前的文件和修改")).toBeVisible();
  await expect(importing.getByRole("button", { name: "导入 20 行" })).toBeVisible();
  await shoot(importing, "deploy-import-restored");
  await renew(calling);
  await expect(bar(calling)).toHaveCount(0);
  for (const tab of [form, calling, importing]) expect(await firstScript(tab)).not.toBe(old);
});

test("An import that is being sent when a deployment comes is stored whole and once, while its tabs move to the other build", async ({
  browser,
  server,
}) => {
  const ROWS = 6000;
  const chunks = /\/chunks\/\d+$/;
  const admin = await enter(browser, gateway.url, "admin", { path: IMPORT, tabs: 2 });
  const [sending, watching] = admin.pages as [Page, Page];
  // Firefox shows the newest tab alone, and a hidden one with nothing to lose reloads by itself.
  await setVisible([sending, watching], true);
  const at = importPageOf(sending, server.url);
  const before = (await at.employees()).length;
  gateway.treat((path) =>
    chunks.test(path) && gateway.passed(chunks, "POST") >= 2 ? "hold" : "pass",
  );
  await choose(sending, "部署时.csv", employeesCsv({ rows: ROWS, seed: 33 }));
  await at.check();
  await at.button("导入 6,000 行").click();
  await expect.poll(() => gateway.passed(chunks, "POST")).toBe(2);

  gateway.replace("next");
  await check(sending);
  for (const tab of [sending, watching]) await expect(bar(tab)).toContainText(UPDATED);
  await renew(sending);
  await expect(sending.locator("[data-import-state]").first()).toContainText("部署时.csv");
  gateway.treat(null);
  await renew(watching);
  for (const tab of [sending, watching]) {
    const job = tab.locator("[data-import-state='done']").first();
    await expect(job).toContainText("部署时.csv");
    await expect(job).toContainText("6,000");
  }
  expect((await at.employees()).length - before).toBe(ROWS);
});

test("What the frame misses after a deployment costs neither the page nor what was typed", async ({
  browser,
  server,
}) => {
  const admin = await enter(browser, gateway.url, "admin", { path: IMPORT });
  const [sending] = admin.pages as [Page];
  const typing = await admin.open("/system/config");
  await typing.getByRole("button", { name: "新增" }).click();
  const typed = typing.getByRole("dialog").getByLabel("参数名称");
  await typed.fill("写到一半");
  await setVisible([sending, typing], true);
  const at = importPageOf(sending, server.url);
  await choose(sending, "部署后.csv", employeesCsv({ rows: 40, seed: 35 }));
  await at.check();
  await expect(at.button("导入 40 行")).toBeVisible();

  gateway.replace("next");
  await check(sending);
  // The progress in the header of every tab is code of the old build.
  const missed = [sending, typing].map((tab) =>
    tab.waitForResponse((one) => /ImportProgress/.test(one.url()) && one.status() === 404),
  );
  await at.button("导入 40 行").click();
  await Promise.all(missed);
  await expect(sending.locator("[data-import-state='done']").first()).toContainText("部署后.csv");
  await expect(bar(typing)).toContainText(UPDATED);

  // What a person opens says why it does not open.
  await sending.keyboard.press("ControlOrMeta+k");
  await expect(sending.getByText("系统已更新，请刷新页面后继续")).toBeVisible();
  await expect(sending.getByRole("textbox", { name: "搜索" })).toHaveCount(0);
  await expect(sending.locator("[data-import-state='done']").first()).toBeVisible();
  await expect(typed).toHaveValue("写到一半");
  await shoot(typing, "deploy-frame-part");
});

test("A tab whose import worker is gone says that the system was updated, and opens the chosen file after the reload", async ({
  browser,
}) => {
  const admin = await enter(browser, gateway.url, "admin", { path: IMPORT });
  const [page] = admin.pages as [Page];
  await expect(page.getByRole("button", { name: "选择文件" })).toBeVisible();
  gateway.replace("next");
  await choose(page, "新员工.csv", employeesCsv({ rows: 5, seed: 32 }));
  await expect(page.getByTestId("import-error")).toHaveText("系统已更新，请刷新页面后继续");
  await expect(bar(page)).toContainText(UPDATED);
  await expectAccessible(page, "an import without its worker");
  await shoot(page, "deploy-import-worker");
  const old = await firstScript(page);
  await page.locator(".import-wizard").getByRole("button", { name: "刷新" }).click();
  await expect(page.getByText("共 5 行")).toBeVisible();
  expect(await firstScript(page)).not.toBe(old);
});

test("A page that was not visited before the deployment says so in its place, and shows after the reload", async ({
  browser,
}) => {
  const admin = await enter(browser, gateway.url, "admin", { path: "/system/config" });
  const [page] = admin.pages as [Page];
  await expect(page.getByRole("row").nth(1)).toBeVisible();
  gateway.replace("next");
  await goTo(page, "字典管理", "系统管理");
  const place = page.locator(".plain-inner");
  await expect(place.getByRole("heading", { name: UPDATED })).toBeVisible();
  await place.getByRole("button", { name: "刷新" }).click();
  await expect(page.getByRole("row").nth(1)).toBeVisible();
  await expect(bar(page)).toHaveCount(0);
});

test("Old tabs find their pages and workers as long as the server keeps the assets of the build before", async ({
  browser,
}) => {
  const admin = await enter(browser, gateway.url, "admin", { path: "/system/config" });
  const [page] = admin.pages as [Page];
  await expect(page.getByRole("row").nth(1)).toBeVisible();
  const old = await firstScript(page);
  gateway.replace("next", "kept");
  await goTo(page, "字典管理", "系统管理");
  await expect(page.getByRole("row").nth(1)).toBeVisible();
  await check(page);
  await expect(bar(page)).toContainText(UPDATED);
  expect(await firstScript(page)).toBe(old);
});

test("A tab whose core dies after the deployment offers the reload instead of waiting for ever, beside a tab of the new build", async ({
  browser,
}) => {
  const admin = await enter(browser, gateway.url, "admin", {
    path: "/system/config",
    killsCore: true,
  });
  const [page] = admin.pages as [Page];
  await expect(page.getByRole("row").nth(1)).toBeVisible();
  gateway.replace("next");
  await killCore(page);
  const fresh = await admin.open("/system/config");
  await expect(fresh.getByRole("row").nth(1)).toBeVisible();
  expect(await firstScript(fresh)).not.toBe(await firstScript(page));
  await expect(bar(page)).toContainText(UPDATED);
  await expect(outageBar(page)).toHaveCount(0);
  await expect(reloadButton(page)).toBeEnabled();
  await renew(page);
  await expect(page.getByRole("row").nth(1)).toBeVisible();
  await expect(fresh.getByRole("row").nth(1)).toBeVisible();
});

test("A page and an import that wait for a server out of reach say so, and go on by themselves when it is back", async ({
  browser,
  server,
}) => {
  const admin = await enter(browser, gateway.url, "admin", { path: IMPORT });
  const [page] = admin.pages as [Page];
  const other = await admin.open("/system/config");
  await expect(other.getByRole("row").nth(1)).toBeVisible();
  await expect(page.getByRole("button", { name: "选择文件" })).toBeVisible();
  await server.kill();
  await choose(page, "新员工.csv", employeesCsv({ rows: 5, seed: 33 }));
  await expect(page.getByTestId("import-error")).toHaveText("无法连接服务器，请重试");
  await expect(page.locator(".import-wizard").getByRole("button", { name: "重试" })).toBeVisible();
  await goTo(other, "字典管理", "系统管理");
  await expect(other.getByText("无法连接服务器", { exact: true })).toBeVisible();
  await expect(other.locator(".page-waits").getByRole("button", { name: "重试" })).toBeVisible();
  await shoot(other, "deploy-unreachable");
  await expect(bar(other)).toHaveCount(0);
  await server.start();
  await expect(page.getByText("共 5 行")).toBeVisible();
  await expect(other.getByRole("row").nth(1)).toBeVisible();
});

test("A hidden tab with nothing to lose reloads by itself, and one with a half-filled form does not", async ({
  browser,
}) => {
  const admin = await enter(browser, gateway.url, "admin", { path: "/system/config", tabs: 2 });
  const [idle, busy] = admin.pages as [Page, Page];
  await busy.getByRole("button", { name: "新增" }).click();
  const dialog = busy.getByRole("dialog");
  await dialog.getByLabel("参数名称").fill("写到一半");
  const old = await firstScript(idle);
  gateway.replace("next");
  await setVisible([idle, busy], false);
  await check(idle);
  await expect.poll(() => firstScript(idle).catch(() => old)).not.toBe(old);
  // it has had as many looks as the other
  await expect(bar(busy)).toBeVisible();
  expect(await firstScript(busy)).toBe(old);
  await expect(dialog.getByLabel("参数名称")).toHaveValue("写到一半");
});
