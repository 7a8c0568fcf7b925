/** Scheduled tasks: the platform's people see the runs, run one, pause and resume it; other companies have none. */
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";

test.use({ serverEnv: { TEST_SERVER: "tasks" } });

test("Operations run a task, pause it and resume it by keyboard, and the log names who did", async ({
  people,
}) => {
  const ops = await people.loggedIn("ops", { path: "/monitor/job" });
  const page = ops.pages[0]!;
  const row = page.getByRole("row").filter({ hasText: "清理登录日志" });
  await expect(row).toContainText("每 1 小时");
  // It has run after the start of the server.
  await expect(row).toContainText("成功");
  await shoot(page, "tasks");
  await expectAccessible(page, "tasks");

  await row.getByRole("button", { name: /^执行一次/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "确定" }).click();
  await expect(page.getByText(/^执行成功，清理 \d+ 项$/)).toBeVisible();

  await tabTo(page, row.getByRole("button", { name: /^暂停/ }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toContainText("清理登录日志");
  await tabTo(page, page.getByRole("dialog").getByRole("button", { name: "确定" }));
  await page.keyboard.press("Enter");
  await expect(row).toContainText("已暂停");
  await page.reload();
  await expect(row).toContainText("已暂停");
  await tabTo(page, row.getByRole("button", { name: /^恢复/ }));
  await page.keyboard.press("Enter");
  await expect(row).toContainText("正常");

  await page.getByRole("link", { name: "任务日志" }).click();
  await expect(page).toHaveURL("/monitor/jobLog");
  const run = page.getByRole("row").filter({ hasText: "清理登录日志" });
  await expect(run).toHaveCount(2);
  await expect(run.last()).toContainText("系统");
  await expect(run.first()).not.toContainText("系统");
  await shoot(page, "task-log");
  await expectAccessible(page, "log of tasks");
});
