/** A long call opens without stopping the page (docs/session.md#quality-of-calls). */
import { writeFileSync } from "node:fs";
import { callRecords, CONFR } from "../../src/shared/domain/call-records.harness.ts";
import { timelineOf } from "../../src/shared/domain/call-timeline.ts";
import { writeCallFile } from "../../src/shared/protocol/call-file.ts";
import { expect, test } from "../support/fixtures.ts";
import { timeLimit } from "../support/time-limits.ts";

declare global {
  var longest: number;
}

/** The most that a look at a call reads: two hours of a video call from both sides. */
const RECORDS = 40_000;
/** ms. Before the page was given charts instead of records it was 900; what is left draws twelve charts. */
const LIMIT = 250;

test("A call of 40,000 records opens, and no task of the page takes long", async ({
  people,
}, info) => {
  const records = callRecords(RECORDS / 4, ({ at, from }) => ({
    ...(from === "ann" && Math.floor(at / 60_000) % 5 === 0 ? { loss: 0.2 } : {}),
    ...(Math.floor(at / 60_000) % 7 === 0 ? { rtt: 700 } : {}),
  }));
  const timeline = timelineOf(CONFR, records.slice(0, RECORDS));
  const file = info.outputPath("long-call.json");
  writeFileSync(file, writeCallFile({ timeline, names: { ann: "安", bob: "博" } }));

  const ops = await people.loggedIn("ops", { path: "/monitor/calls" });
  const page = ops.pages[0]!;
  const input = page.locator("input[type=file]");
  await expect(input).toBeAttached();
  const longest: number[] = [];
  // The first time also loads the code of charts.
  for (const time of [1, 2, 3]) {
    await page.evaluate(() => {
      globalThis.longest = 0;
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) {
          globalThis.longest = Math.max(globalThis.longest, duration);
        }
      }).observe({ type: "longtask" });
    });
    await input.setInputFiles(file);
    await expect(page.locator(".call-side .u-over")).toHaveCount(12, { timeout: 60_000 });
    await expect(page.locator(".call-causes li").first()).toBeVisible();
    longest.push(Math.round(await page.evaluate(() => globalThis.longest)));
    if (time === 3) break;
    await page.getByRole("button", { name: "返回列表" }).click();
    await expect(input).toBeAttached();
  }
  console.log(`longest task of the page: ${longest.join(", ")} ms`);
  expect(Math.max(...longest.slice(1))).toBeLessThan(timeLimit(LIMIT));
});
