/** Operations see the cores of other people, find the one behind a number, and read why it is slow. */
import type { Page } from "@playwright/test";
import { bucketOf } from "../../src/shared/domain/latency-histogram.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot } from "../support/look.ts";
import { reportingCore } from "../support/reporting-core.ts";
import { consoleStarted } from "../support/started.ts";

/** A core reports for the first time 15 s after the login, and its figures are written every 10 s. */
const REPORTED = { timeout: 60_000 };
const HOUR_MS = 3_600_000;

const figure = (page: Page, name: string) => page.locator(`[data-figure="${name}"] strong`).first();
const shown = (page: Page) =>
  page
    .locator(".charts-range")
    .evaluate(({ dataset }) => [Number(dataset["from"]), Number(dataset["to"])] as const);
const spanOf = async (page: Page): Promise<number> => {
  const [from, to] = await shown(page);
  return to - from;
};

test("Operations see who is online, find the cores of a build, and read why one is slow", async ({
  people,
  server,
}) => {
  const old = await reportingCore(server.url, "admin", { build: "b-old" });
  old.says({
    tabs: { open: 3, visible: 1 },
    commands: { "chat.send": { ms: [bucketOf(2_500), 4], failed: 0 } },
    sockets: { chat: { state: "open", opened: 2, lost: { network: 2 } } },
    errors: { "core.deadline": 3 },
    pages: { longTasks: [bucketOf(400), 20] },
  });
  await people.loggedIn("lina", { path: "/dashboard" });
  await people.loggedIn("zhangwei", { path: "/dashboard" });
  const ops = await people.loggedIn("ops", { path: "/dashboard" });
  const page = ops.pages[0]!;
  const menus = page.getByRole("navigation", { name: "主菜单" });
  await menus.getByRole("button", { name: "系统监控" }).click();
  await menus.getByRole("link", { name: "运行总览" }).click();
  await expect(page.getByRole("heading", { name: "运行总览" })).toBeVisible();

  // The people at their browsers, the operator among them, and the core of the test.
  await expect(figure(page, "people")).toHaveText("4", REPORTED);
  await expect(figure(page, "cores")).toHaveText("4");
  await expectAccessible(page, "fleet");
  await shoot(page, "fleet");

  // A number leads to the cores behind it.
  await expect(page.locator('[data-error="core.deadline"]')).toBeVisible(REPORTED);
  await page.locator('[data-error="core.deadline"] a').click();
  await expect(page).toHaveURL(/\/monitor\/cores\?error=core.deadline$/);
  await expect(page.getByTestId("list-total")).toHaveText("共 1 个浏览器");
  await page.goBack();
  await page.locator('[data-lost="chat"] a').click();
  await expect(page).toHaveURL(/\/monitor\/cores\?socket=chat$/);
  await expect(page.getByTestId("list-total")).toHaveText("共 1 个浏览器");
  await page.goBack();
  await page.locator('[data-share="b-old"] a').click();
  await expect(page).toHaveURL(/\/monitor\/cores\?build=b-old$/);
  await expect(page.getByTestId("list-total")).toHaveText("共 1 个浏览器");
  await shoot(page, "cores");
  const row = page.getByRole("row").filter({ hasText: "b-old" });

  // The core, live: what is wrong, in words, and what comes while somebody looks.
  await row.getByRole("button", { name: /^详情/ }).click();
  const core = page.locator('[data-core="core-admin"]');
  for (const cause of ["blocked", "slowCommands", "unsteady", "errors", "otherBuild"]) {
    await expect(core.locator(`[data-cause="${cause}"]`)).toBeVisible();
  }
  await expect(core.locator('[data-command="chat.send"]').first()).toBeVisible();
  await expect(core.locator('[data-socket="chat"]')).toContainText("网络断开");
  await expect(core.locator('[data-cause="outbox"]')).toHaveCount(0);
  old.says({ tabs: { open: 3, visible: 1 }, queues: { outbox: 60 } });
  await expect(core.locator('[data-cause="outbox"]')).toContainText("60", REPORTED);
  await expect(page).toHaveURL(/row=core-admin/);
  await expectAccessible(page, "core");
  await shoot(page, "core");
  // The link shows the core to whom it is sent.
  await page.reload();
  await consoleStarted(page);
  await expect(core.locator('[data-cause="outbox"]')).toBeVisible(REPORTED);

  // Without the filter all of them are there.
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "移除“b-old”" }).click();
  await expect(page.getByTestId("list-total")).toHaveText("共 4 个浏览器");
  old.close();
});

test("All charts have one time, which keys and buttons change and the address keeps", async ({
  people,
}) => {
  const ops = await people.loggedIn("ops", { path: "/dashboard" });
  const page = ops.pages[0]!;
  await page.goto("/monitor/fleet?time=hour");
  const chart = page.getByRole("application", { name: "浏览器与标签页" });
  await expect(chart).toBeVisible();
  await expect(page.locator(".u-over")).toHaveCount(7);
  expect(await spanOf(page)).toBe(HOUR_MS);
  await expect(page.getByRole("button", { name: "1 小时" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );

  await chart.focus();
  await page.keyboard.press("+");
  await expect(page).toHaveURL(/from=\d+&to=\d+/);
  expect(await spanOf(page)).toBe(HOUR_MS / 2);
  const [from] = await shown(page);
  await page.keyboard.press("ArrowLeft");
  await expect.poll(async () => (await shown(page))[0]).toBe(from - HOUR_MS / 10);
  await expect(page).toHaveURL(new RegExp(`from=${from - HOUR_MS / 10}&`));

  // F5 and a sent link show the same.
  const address = page.url();
  await page.reload();
  await consoleStarted(page);
  await expect(chart).toBeVisible();
  expect((await shown(page))[0]).toBe(from - HOUR_MS / 10);
  expect(page.url()).toBe(address);

  // The mouse pans by a drag, and zooms by a wheel once the chart has the focus.
  await chart.scrollIntoViewIfNeeded();
  const box = (await page.locator(".u-over").first().boundingBox())!;
  const middle = [box.x + box.width / 2, box.y + box.height / 2] as const;
  await page.mouse.move(...middle);
  await page.mouse.down();
  await page.mouse.move(middle[0] + box.width / 10, middle[1], { steps: 5 });
  await page.mouse.up();
  await expect
    .poll(async () => Math.round(((await shown(page))[0] - from) / 60_000))
    .toBe(-Math.round(HOUR_MS / 10 / 60_000) - 3);
  await expect(chart).toBeFocused();
  await page.mouse.wheel(0, -200);
  await expect.poll(() => spanOf(page)).toBeLessThan(HOUR_MS / 2);

  await page.keyboard.press("Home");
  await expect(page).toHaveURL(/\/monitor\/fleet\?time=hour$/);
  expect(await spanOf(page)).toBe(HOUR_MS);
  await page.getByRole("button", { name: "30 天" }).click();
  await expect(page).toHaveURL(/\?time=month$/);
  await expect.poll(() => spanOf(page)).toBe(30 * 24 * HOUR_MS);
  await page.getByRole("button", { name: "所有企业" }).click();
  await expect(page).toHaveURL(/\?time=month&scope=all$/);
});

test("The server shows itself: each part has a page of its own, and the platform's people alone have them", async ({
  people,
}) => {
  const ops = await people.loggedIn("ops", { path: "/monitor/servers" });
  const page = ops.pages[0]!;
  const memory = page.getByRole("region", { name: "内存" });
  // Of the 10 s that just ended.
  await expect(memory.locator("dd").first()).toHaveText(/^\d+(\.\d)? MiB$/, REPORTED);
  await page.getByRole("button", { name: "接口" }).click();
  await expect(page).toHaveURL(/\/monitor\/servers\?page=http$/);
  // Which of the routes are among the most asked depends on the tests before.
  await expect(page.locator('[data-name^="GET /"]').first()).toBeVisible(REPORTED);
  await shoot(page, "servers");
  await page.reload();
  await consoleStarted(page);
  await expect(page.getByRole("region", { name: "回答耗时" })).toBeVisible();
  for (const [name, chart] of [
    ["登录", "登录"],
    ["聊天", "从发送到服务器确认"],
    ["导入", "导入的行"],
    ["会议与媒体节点", "媒体流"],
    ["数据库", "查询耗时"],
  ] as const) {
    await page.getByRole("group", { name: "页面" }).getByRole("button", { name }).click();
    await expect(page.getByRole("region", { name: chart, exact: true })).toBeVisible();
  }
  await expectAccessible(page, "servers");
});
