/** Operations see the running system as a map: its parts with their states, what connects them, and the page behind each. */
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot } from "../support/look.ts";
import { reportingCore } from "../support/reporting-core.ts";
import { callerOf } from "../support/rest-caller.ts";
import { consoleStarted } from "../support/started.ts";

/** A core reports for the first time 15 s after the login, and processes say their figures every 10 s. */
const REPORTED = { timeout: 60_000 };

test("The map shows what runs, leads to the page of each part, and names the part that an alert is about", async ({
  people,
  server,
}) => {
  test.setTimeout(240_000);
  const old = await reportingCore(server.url, "admin", { build: "b-old" });
  old.says({ tabs: { open: 3, visible: 1 } });
  const ask = await callerOf(server.url, "ops");
  const ops = await people.loggedIn("ops", { path: "/dashboard" });
  const page = ops.pages[0]!;
  const menus = page.getByRole("navigation", { name: "主菜单" });
  await menus.getByRole("button", { name: "系统监控" }).click();
  await menus.getByRole("link", { name: "运行拓扑" }).click();
  await expect(page.getByRole("heading", { name: "运行拓扑" })).toBeVisible();

  const map = page.getByRole("region", { name: "系统各部分" });
  const box = (kind: string) => map.locator(`[data-box^="${kind}"]`);
  await expect(box("database")).toContainText("运行中");
  await expect(box("process")).toContainText("运行中");
  await expect(box("process")).toContainText(/处理器 [\d.]+% · \d+ MiB/, REPORTED);
  await expect(box("bus")).toContainText("未使用");
  await expect(box("company")).toContainText("2 个浏览器", REPORTED);
  await expect(box("build b-old")).toContainText("1 个浏览器");
  await expect(page.getByRole("status").filter({ hasText: "全部正常" })).toBeVisible();
  await expectAccessible(page, "map of the system");
  await shoot(page, "system-map");

  // The keyboard goes from box to box, and what is connected stands out.
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(map.locator("[data-layout=drawing]")).toBeVisible();
  await box("process").getByRole("link").focus();
  await expect(map.locator('path[data-lit][data-line^="browsers"]')).toHaveCount(1);
  await expect(map.locator("path[data-lit]")).not.toHaveCount(0);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/monitor\/servers\?page=(media|database)$/);
  await page.goBack();
  await box("build b-old").getByRole("link").click();
  await expect(page).toHaveURL(/\/monitor\/cores\?scope=all&build=b-old$/);
  await page.goBack();
  await box("company").getByRole("link").click();
  await expect(page).toHaveURL(/\/monitor\/cores\?scope=all&company=1$/);
  await expect(page.getByTestId("list-total")).toHaveText("共 2 个浏览器");
  await expect(page.getByRole("link", { name: "移除“华安物业服务有限公司”" })).toBeVisible();
  await page.goBack();

  // A rule that holds at once: the process needs more than 1 MiB. The map names the process, which is the only one.
  const made = await ask("POST", "/monitor/alertRule", {
    name: "内存试验",
    on: true,
    level: "critical",
    reach: "platform",
    kind: "threshold",
    metric: "server.memory",
    measure: "most",
    per: null,
    above: true,
    value: 1,
    window: 10,
    before: 0,
    lasting: 0,
    least: 0,
  });
  expect(made.status).toBe(200);
  const badge = box("process").getByRole("link", { name: /1 条告警$/ });
  await expect(badge).toBeVisible(REPORTED);
  await expect(box("process")).toHaveAttribute("data-tone", "bad");
  await expect(page.getByRole("list", { name: "未恢复的告警" })).toContainText("内存试验");
  await shoot(page, "system-map-alert");
  await badge.click();
  await expect(page).toHaveURL(/\/monitor\/alerts\?/);
  await expect(
    page.getByRole("dialog", { name: "详情" }).getByRole("heading", { level: 2 }),
  ).toContainText("进程内存");
  old.close();
});

test("Where there is no room the parts stand below each other, and say what they are connected to", async ({
  people,
}) => {
  const ops = await people.loggedIn("ops", { path: "/monitor/map" });
  const page = ops.pages[0]!;
  await page.setViewportSize({ width: 390, height: 844 });
  await consoleStarted(page);
  const map = page.getByRole("region", { name: "系统各部分" });
  await expect(map.locator("[data-layout=list]")).toBeVisible();
  await expect(map.locator('[data-box^="process"]')).toContainText("连接：");
  await expect(map.locator('[data-box^="process"]')).toContainText("数据库");
  await expect(map.locator("svg.map-lines")).toHaveCount(0);
});
