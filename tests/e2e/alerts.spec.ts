/** Operations make a rule, find its alert, take care of it and keep it quiet; and say where alerts are sent. */
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";
import { consoleStarted } from "../support/started.ts";

/** Figures of the server are read every 10 s, and rules are looked at every 5 s. */
const BEGUN = { timeout: 60_000 };

const choose = async (page: Page, label: string, option: string | RegExp): Promise<void> => {
  await page.getByRole("dialog").getByRole("combobox", { name: label }).click();
  await page.getByRole("option", { name: option }).first().click();
};
const sentence = (page: Page) => page.locator("[data-condition]");
const toast = (page: Page, words: string | RegExp) => page.getByText(words).first();

test("A rule says what it means while it is edited, and its alert is found, taken care of and silenced", async ({
  people,
}) => {
  const ops = await people.loggedIn("ops", { path: "/monitor/alertRules" });
  const page = ops.pages[0]!;
  await expect(page.getByTestId("list-total")).toHaveText("共 15 条规则");
  await shoot(page, "alert-rules");
  await expectAccessible(page, "alert rules");

  // A rule that always holds.
  await page.getByRole("button", { name: "新增", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(sentence(page)).toContainText("选择指标并填写阈值后");
  await dialog.getByRole("textbox", { name: "名称" }).fill("内存试验");
  await choose(page, "级别", "严重");
  await choose(page, "指标", /^进程内存/);
  await dialog.getByRole("spinbutton", { name: "阈值" }).fill("1");
  await dialog.getByRole("spinbutton", { name: "时间窗（秒）" }).fill("10");
  await expect(sentence(page)).toHaveText("10 秒内，进程内存的平均值超过 1 MiB");
  await choose(page, "计算方式", "最大值");
  await expect(sentence(page)).toHaveText("10 秒内，进程内存的最大值超过 1 MiB");
  await dialog.getByRole("spinbutton", { name: "时间窗（秒）" }).fill("15");
  await dialog.getByRole("button", { name: "保存" }).click();
  await expect(dialog.getByText("10 到 3600，10 的倍数")).toBeVisible();
  await dialog.getByRole("spinbutton", { name: "时间窗（秒）" }).fill("10");
  await shoot(page, "alert-rule-form");
  await expectAccessible(page, "alert rule form");
  await dialog.getByRole("button", { name: "保存" }).click();
  await expect(dialog).toHaveCount(0);
  const rule = page.getByRole("row").filter({ hasText: "内存试验" });
  await expect(rule).toContainText("自定义");

  // Its alert, which the row of the rule leads to.
  await rule.getByRole("link", { name: "内存试验：1 个进行中的告警" }).click(BEGUN);
  await expect(page).toHaveURL(/\/monitor\/alerts$/);
  const alert = page.getByRole("row").filter({ hasText: "内存试验" });
  await expect(alert).toContainText("严重");
  await expect(alert).toContainText(/[\d.]+ \/ 1 MiB/);
  await expect(alert).toContainText("进行中");
  await shoot(page, "alerts");
  await expectAccessible(page, "alerts");

  // By keyboard: the row opens, and a key leads out of it.
  await tabTo(page, page.getByRole("table", { name: "告警" }));
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  const drawer = page.getByRole("dialog", { name: "详情" });
  await expect(drawer.getByRole("heading", { level: 2 })).toContainText(
    /进程内存的最大值为 [\d.]+ MiB，超过 1 MiB/,
  );
  await expect(page).toHaveURL(/row=\d+/);
  const chart = drawer.getByRole("application", { name: "进程内存" });
  await expect(chart).toBeVisible();
  await expect(drawer.getByText("没有发送到任何渠道。")).toBeVisible();
  await expect(drawer.getByRole("link", { name: "服务器：进程" })).toBeVisible();
  await chart.focus();
  await page.keyboard.press("ArrowLeft");
  await expect(drawer).toBeVisible();
  await shoot(page, "alert");
  await expectAccessible(page, "alert");
  const id = new URL(page.url()).searchParams.get("row") ?? "";

  // Somebody takes care of it.
  await page
    .getByRole("button", { name: /^确认 内存试验/ })
    .last()
    .click();
  await dialog.getByRole("textbox", { name: "备注" }).fill("正在扩容");
  await dialog.getByRole("button", { name: "确认" }).click();
  await expect(toast(page, "已确认")).toBeVisible();
  await expect(alert).toContainText("在处理");
  await page.goto(`/monitor/alerts?alert=${id}`);
  await expect(page).toHaveURL(new RegExp(`state=every&row=${id}$`));
  await expect(drawer.getByText("正在扩容")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(drawer).toHaveCount(0);

  // It is kept quiet for a while, which stands among the silences.
  await alert.getByRole("button", { name: /^静默/ }).click();
  await choose(page, "多久", "8 小时");
  await dialog.getByRole("textbox", { name: "原因" }).fill("计划内维护");
  await shoot(page, "alert-silence-form");
  await expectAccessible(page, "alert silence form");
  await dialog.getByRole("button", { name: "静默", exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await page.goto("/monitor/alertRules?view=silences");
  await consoleStarted(page);
  const silence = page.getByRole("row").filter({ hasText: "计划内维护" });
  await expect(silence).toContainText("生效中");
  await expect(silence).toContainText("内存试验");
  await shoot(page, "alert-silences");
  await silence.getByRole("button", { name: /^结束静默/ }).click();
  await page.getByRole("button", { name: "确定" }).click();
  await expect(silence).toContainText("已失效");

  // Without the rule the alert ends.
  await page.getByRole("button", { name: "规则", exact: true }).click();
  await expect(page).toHaveURL(/\/monitor\/alertRules$/);
  await rule.getByRole("button", { name: /^删除/ }).click();
  await page.getByRole("button", { name: "确定" }).click();
  await expect(rule).toHaveCount(0);
  await page.goto("/monitor/alerts?state=ended");
  await consoleStarted(page);
  await expect(alert).toContainText("已结束", BEGUN);
});

test("The limit of a shipped rule is changed in percent, marked, and brought back; its guide says what to do", async ({
  people,
}) => {
  const ops = await people.loggedIn("ops", { path: "/monitor/alertRules" });
  const page = ops.pages[0]!;
  const dialog = page.getByRole("dialog");
  const row = page.getByRole("row").filter({ hasText: "接口大量失败" });
  await expect(row).toContainText("超过 2%，且失败的请求不少于 5");
  await row.getByRole("button", { name: /^编辑/ }).click();
  await expect(dialog.getByRole("combobox", { name: "指标" })).toHaveCount(0);
  await dialog.getByRole("spinbutton", { name: "阈值（%）" }).fill("7.5");
  await expect(sentence(page)).toContainText("超过 7.5%");
  await dialog.getByRole("button", { name: "保存" }).click();
  await expect(row).toContainText("超过 7.5%");
  await expect(row).toContainText("内置，已修改");
  await row.getByRole("button", { name: /^恢复默认/ }).click();
  await page.getByRole("button", { name: "确定" }).click();
  await expect(row).toContainText("超过 2%");
  await expect(row).not.toContainText("已修改");

  await row.getByRole("switch").click();
  await expect(row.getByRole("switch")).not.toBeChecked();
  await row.getByRole("switch").click();
  await expect(row.getByRole("switch")).toBeChecked();

  await row.getByRole("button", { name: /^详情/ }).click();
  const guide = page.getByRole("region", { name: "怎么办" });
  await expect(guide).toContainText("失败集中在哪个接口");
  await shoot(page, "alert-guide");
  await expectAccessible(page, "alert guide");
  await guide.getByRole("link", { name: "服务器：接口" }).first().click();
  await expect(page).toHaveURL(/\/monitor\/servers\?.*page=http/);
});

test("The form of a channel asks what its kind needs, and a test says whether it arrived", async ({
  people,
}) => {
  const ops = await people.loggedIn("ops", { path: "/monitor/alertChannels" });
  const page = ops.pages[0]!;
  const dialog = page.getByRole("dialog");
  await expect(page.getByText("添加渠道后")).toBeVisible();
  await page.getByRole("button", { name: "新增", exact: true }).click();
  await expect(dialog.getByText("服务器没有设置 SMTP_URL")).toBeVisible();
  await dialog.getByRole("textbox", { name: "名称" }).fill("值班人员");
  await choose(page, "方式", "Webhook");
  await expect(dialog.getByRole("textbox", { name: "地址" })).toBeVisible();
  await dialog.getByRole("textbox", { name: "地址" }).fill("ftp://x");
  await dialog.getByRole("button", { name: "保存" }).click();
  await expect(dialog.locator('[data-field="address"] [data-wrong="true"]')).toBeVisible();
  await shoot(page, "alert-webhook-form");
  await choose(page, "方式", "聊天消息");
  await choose(page, "接收人", /^张伟/);
  await page.keyboard.press("Escape");
  await choose(page, "最低级别", "提示");
  await shoot(page, "alert-channel-form");
  await expectAccessible(page, "alert channel form");
  await dialog.getByRole("button", { name: "保存" }).click();
  await expect(dialog).toHaveCount(0);
  const row = page.getByRole("row").filter({ hasText: "值班人员" });
  await expect(row).toContainText("张伟");
  await expect(row).toContainText("未发送过");
  await row.getByRole("button", { name: /^发送测试/ }).click();
  await expect(toast(page, "测试消息已送达“值班人员”")).toBeVisible();
  await expect(row).toContainText("已送达");
  await shoot(page, "alert-channels");
  await expectAccessible(page, "alert channels");
  await row.getByRole("switch").click();
  await expect(row.getByRole("switch")).not.toBeChecked();
});
