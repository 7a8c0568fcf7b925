/** An alert begins while people work: a notice in each visible tab of those who may see it, until it ends, is closed or was read. */
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot } from "../support/look.ts";
import { callerOf } from "../support/rest-caller.ts";
import { consoleStarted } from "../support/started.ts";

/** Figures of the server are read every 10 s, and rules are looked at every 5 s. */
const BEGUN = { timeout: 60_000 };
/** An alert ends a minute after its condition. */
const ENDED = { timeout: 150_000 };

const notice = (page: Page, words: string) => page.getByRole("alert").filter({ hasText: words });
const bell = (page: Page) => page.getByRole("button", { name: /条未恢复的告警$/ });

/** A rule that holds at once: a process needs more than 1 MiB. */
const rule = (name: string, level: string) => ({
  name,
  on: true,
  level,
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

test("An alert shows in every tab of an operator, leads to its page, and is not shown again", async ({
  people,
  server,
}) => {
  test.setTimeout(300_000);
  const ask = await callerOf(server.url, "ops");
  const ops = await people.loggedIn("ops", { path: "/dashboard" });
  const first = ops.pages[0]!;
  await consoleStarted(first);
  const second = await ops.open("/dashboard");
  await consoleStarted(second);
  const lina = await people.loggedIn("lina", { path: "/dashboard" });
  const stranger = lina.pages[0]!;
  await consoleStarted(stranger);

  const made = await ask("POST", "/monitor/alertRule", rule("内存试验", "critical"));
  expect(made.status).toBe(200);
  await expect(notice(first, "严重 · 内存试验")).toBeVisible(BEGUN);
  await expect(notice(second, "严重 · 内存试验")).toBeVisible();
  await expect(bell(first)).toHaveAccessibleName("1 条未恢复的告警");
  await shoot(first, "alert-notice");
  await expectAccessible(first, "an alert's notice");

  // Its button leads to the alert, and closes the notice everywhere.
  await notice(second, "内存试验").getByRole("button", { name: "查看" }).click();
  await expect(second).toHaveURL(/\/monitor\/alerts/);
  await expect(
    second.getByRole("dialog", { name: "详情" }).getByRole("heading", { level: 2 }),
  ).toContainText("进程内存");
  for (const page of [first, second]) await expect(notice(page, "内存试验")).toHaveCount(0);

  // A page that opens shows none of earlier alerts, and what is open stands in the header.
  await first.reload();
  await consoleStarted(first);
  await expect(bell(first)).toHaveAccessibleName("1 条未恢复的告警");
  await expect(notice(first, "内存试验")).toHaveCount(0);

  // Many at once: three, and the number of the others.
  const more = ["甲", "乙", "丙", "丁"];
  const ids = await Promise.all(
    more.map(async (name) => {
      const { data } = await ask("POST", "/monitor/alertRule", rule(`试验${name}`, "warning"));
      return (data as { id: string }).id;
    }),
  );
  await expect(notice(first, "还有 1 条告警")).toBeVisible(BEGUN);
  await expect(notice(first, "警告 · 试验")).toHaveCount(3);
  await shoot(first, "alert-notices");
  await expect(bell(first)).toHaveAccessibleName("5 条未恢复的告警");
  await bell(first).click();
  await expect(first).toHaveURL(/\/monitor\/alerts$/);

  // They go when they end. Who may not see them never had any.
  for (const id of [...ids, (made.data as { id: string }).id]) {
    expect((await ask("DELETE", `/monitor/alertRule/${id}`)).status).toBe(200);
  }
  await expect(notice(first, "告警").or(notice(first, "试验"))).toHaveCount(0, ENDED);
  await expect(bell(first)).toHaveCount(0, ENDED);
  await expect(notice(stranger, "试验")).toHaveCount(0);
  await expect(bell(stranger)).toHaveCount(0);
});
