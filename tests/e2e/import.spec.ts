/**
 * A batch import as a clerk does it: choose, match, fix, send. Whatever fails meanwhile, the database must contain exactly the
 * file's rows.
 */
import type { Page } from "@playwright/test";
import { employeesCsv } from "../support/employees-file.ts";
import { crash, killCore } from "../support/crash.ts";
import { expect, test } from "../support/fixtures.ts";

test.use({ serverDatabase: "embedded" });

const PAGE = "/DataBatchImport2/index";

async function choose(page: Page, name: string, text: string): Promise<void> {
  await page.getByTestId("import-file").setInputFiles({
    name,
    mimeType: "text/csv",
    buffer: Buffer.from(text, "utf8"),
  });
}
const start = (page: Page) => page.getByRole("button", { name: "开始检查" });
const done = (page: Page) => page.locator("[data-import-state='done']").first();
const total = (page: Page): Promise<number> =>
  page.evaluate(
    async () =>
      (
        await globalThis.consoleCore.commands.rest.call({
          call: "employees.list",
          query: { limit: 1 },
        })
      ).total,
  );

test("Bad rows are fixed in place, the rest is imported, and the job reports it", async ({
  people,
}) => {
  const admin = await people.loggedIn("admin", { path: PAGE });
  const page = admin.pages[0]!;
  const before = await total(page);
  const good = employeesCsv({ rows: 300, seed: 1 });
  // One phone number is wrong, and two people share an id number.
  const lines = good.split("\r\n");
  const [head = "", first = "", second = ""] = lines;
  const cells = first.split(",");
  const phone = head.split(",").indexOf("联系电话");
  const idNumber = head.split(",").indexOf("身份证号");
  cells[phone] = "12345";
  const twin = second.split(",");
  twin[idNumber] = cells[idNumber] ?? "";
  await choose(
    page,
    "新员工.csv",
    [head, cells.join(","), twin.join(","), ...lines.slice(3)].join("\r\n"),
  );
  await expect(page.getByText("共 300 行")).toBeVisible();
  await start(page).click();
  await expect(page.getByText("有问题 2 行")).toBeVisible();
  const grid = page.getByRole("grid", { name: "检查结果" });
  await expect(grid.locator("[data-bad='true']")).toHaveCount(2);

  // Fix the phone number with the keyboard alone.
  const wrong = grid.locator("[data-wrong='true']").filter({ hasText: "12345" });
  await wrong.click();
  await page.keyboard.press("Enter");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("13912345678");
  await page.keyboard.press("Enter");
  await expect(page.getByText("有问题 1 行")).toBeVisible();
  await page.getByRole("button", { name: "撤销" }).click();
  await expect(page.getByText("有问题 2 行")).toBeVisible();
  await page.getByRole("button", { name: "导入 298 行" }).click();
  await page.getByRole("button", { name: "确定" }).click();
  await expect(done(page)).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText("新增 298 行").first()).toBeVisible();
  await expect.poll(() => total(page)).toBe(before + 298);
  await expect(page.getByRole("table").last()).toContainText("新员工.csv");
});

test("When the tab is closed, the worker, the server and the network die, exactly the file's rows are imported", async ({
  people,
  server,
}) => {
  people.expectComplaints(/WebSocket connection|ERR_CONNECTION|Failed to load resource/);
  const admin = await people.loggedIn("admin", { path: PAGE, tabs: 2, killsCore: true });
  const [page, other] = [admin.pages[0]!, admin.pages[1]!];
  const before = await total(page);
  const rows = 30_000;
  await choose(page, "三万人.csv", employeesCsv({ rows, seed: 2 }));
  await expect(page.getByText(`共 ${rows.toLocaleString("zh")} 行`)).toBeVisible();
  await start(page).click();
  await page.getByRole("button", { name: `导入 ${rows.toLocaleString("zh")} 行` }).click();
  const entry = (at: Page) =>
    at.evaluate(() => {
      const [job] = Object.values(globalThis.consoleCore.state.imports.byKey);
      return job === undefined ? null : { state: job.state, sent: job.sent };
    });
  await expect
    .poll(async () => (await entry(other))?.sent ?? 0, { timeout: 60_000 })
    .toBeGreaterThan(0);
  // The tab that chose the file dies, and its import worker with it.
  await crash(page);
  await expect.poll(async () => (await entry(other))?.state).toMatch(/sending|waiting/);
  // Kill the core.
  // The core may have lived in the process that has just died. Then another one is starting.
  await expect
    .poll(() =>
      killCore(other).then(
        () => "killed",
        (error: unknown) => String(error),
      ),
    )
    .toBe("killed");
  await expect.poll(async () => (await entry(other))?.state ?? "").toMatch(/sending|waiting|done/);
  // Kill the server.
  await server.kill("SIGKILL");
  await server.start();
  await expect.poll(async () => (await entry(other))?.state, { timeout: 120_000 }).toBe("done");
  await expect.poll(() => total(other)).toBe(before + rows);
});
