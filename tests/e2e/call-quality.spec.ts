/** 通话质量 for operations: the list, one call as a timeline, two side by side, and files. */
import { writeFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { callRecords, CONFR } from "../../src/shared/domain/call-records.harness.ts";
import { timelineOf } from "../../src/shared/domain/call-timeline.ts";
import { QUALITY_EVENT } from "../../src/shared/protocol/qoe.ts";
import { writeCallFile } from "../../src/shared/protocol/call-file.ts";
import { answerButton, dial, expectMedia, hangUpButton } from "../support/calls.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot } from "../support/look.ts";

const charts = (page: Page) => page.locator(".call-side .chart");
const marks = (page: Page) => page.locator(".call-causes li");

test("Operations find a call by its score, look at both of its sides, and put two beside each other", async ({
  people,
}) => {
  test.setTimeout(120_000);
  const zhang = await people.loggedIn("zhangwei", { path: "/im/people" });
  const li = await people.loggedIn("lina", { path: "/im/people" });
  const [a, b] = [zhang.pages[0]!, li.pages[0]!];
  await dial(a, "李娜");
  await answerButton(b).click();
  await expectMedia(a);
  await expectMedia(b);
  // Three samples of both sides make two points of each figure.
  await expect
    .poll(() =>
      b.evaluate(() =>
        Object.values(globalThis.consoleCore.state.quality.streams).reduce(
          (most, { points }) => Math.max(most, points.length),
          0,
        ),
      ),
    )
    .toBeGreaterThan(3);
  await hangUpButton(a).click();

  const ops = await people.loggedIn("ops", { path: "/monitor/calls" });
  const page = ops.pages[0]!;
  const row = page.getByRole("row").filter({ hasText: "张伟" }).filter({ hasText: "李娜" });
  await expect(async () => {
    await page.reload();
    await expect(row.first()).toContainText(/良好|一般|较差/, { timeout: 5000 });
  }).toPass();
  await shoot(page, "measured-calls");
  await expectAccessible(page, "measured calls");
  await row.first().getByRole("button", { name: /^查看/ }).click();
  for (const name of ["张伟", "李娜"]) {
    await expect(page.getByRole("region", { name, exact: true })).toBeVisible();
  }
  await expect(page.getByText("没有发现质量问题。")).toBeVisible();
  expect(await charts(page).count()).toBeGreaterThanOrEqual(10);
  await expect(page).toHaveURL(/call=/);
  await expect(charts(page).first().locator("canvas")).toBeVisible();
  await shoot(page, "measured-call");
  await expectAccessible(page, "measured call");

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "导出 JSON" }).click(),
  ]);
  const path = await download.path();
  await page.getByRole("button", { name: "对比" }).click();
  await expect(page.locator(".call-quality-note")).toContainText("已选择一次通话");
  // A click on the row opens the call too.
  await row.first().getByRole("cell").first().click();
  await expect(page.locator(".call-view")).toHaveCount(2);
  await page.getByRole("button", { name: "返回列表" }).click();
  await page.locator("input[type=file]").setInputFiles(path);
  await expect(page.getByRole("region", { name: "李娜", exact: true })).toBeVisible();
});

test("A file shows the same timeline with the causes named, and a file of another kind is refused with the place of its fault", async ({
  people,
}, info) => {
  const timeline = timelineOf(
    CONFR,
    callRecords(
      180,
      ({ at, from, kind, side }) => ({
        ...(from === "ann" && at > 40_000 && at <= 70_000 ? { loss: 0.2 } : {}),
        ...(at > 100_000 && at <= 125_000 ? { rtt: 700 } : {}),
        ...(from === "bob" && kind === "video" && at > 140_000 && at <= 165_000
          ? {
              limited: "cpu" as const,
              fps: 6,
              coding: 95,
              ...(side === "ann" ? { freezes: 1 } : {}),
            }
          : {}),
      }),
      [
        [85_000, "bob", QUALITY_EVENT.takeover],
        [1000, "ann", QUALITY_EVENT.device, "camera:on"],
      ],
    ),
  );
  const file = info.outputPath("call.json");
  writeFileSync(file, writeCallFile({ timeline, names: { ann: "安", bob: "博" } }));
  const other = info.outputPath("other.json");
  writeFileSync(other, '{"format":"call-quality-9"}');

  const ops = await people.loggedIn("ops", { path: "/monitor/calls" });
  const page = ops.pages[0]!;
  const input = page.locator("input[type=file]");
  await input.setInputFiles(other);
  await expect(page.getByText("文件既不是导出的通话", { exact: false })).toContainText("(format)");
  await input.setInputFiles(file);
  await expect(marks(page)).toHaveText([
    /丢包.*安/,
    /标签页接管.*博/,
    /延迟过大.*双方/,
    /设备性能不足.*博/,
  ]);
  await expect(page.getByRole("region", { name: "博", exact: true })).toBeVisible();
  await expect(charts(page).first().locator("canvas")).toBeVisible();
  await shoot(page, "call-file");
  await expectAccessible(page, "call of a file");
});
