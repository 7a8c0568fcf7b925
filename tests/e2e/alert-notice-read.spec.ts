/** The notice of an alert covers what lies below it, so it goes when the person has had the time to read it. */
import { expect, test } from "../support/fixtures.ts";
import { callerOf } from "../support/rest-caller.ts";
import { consoleStarted } from "../support/started.ts";

/** Figures of the server are read every 10 s, and rules are looked at every 5 s. */
const BEGUN = { timeout: 60_000 };

test("A notice that nobody closes goes by itself, and the alert stays in the header", async ({
  people,
  server,
}) => {
  test.setTimeout(180_000);
  const ask = await callerOf(server.url, "ops");
  const ops = await people.loggedIn("ops", { path: "/dashboard" });
  const page = ops.pages[0]!;
  await consoleStarted(page);
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
  const notice = page.getByRole("alert").filter({ hasText: "内存试验" });
  await expect(notice).toBeVisible(BEGUN);
  await expect(notice).toHaveCount(0, { timeout: 60_000 });
  await expect(page.getByRole("button", { name: "1 条未恢复的告警" })).toBeVisible();
});
