/** The steps of an import as people see them: by keyboard, error texts for bad files, and their appearance. */
import type { FileChooser, Page } from "@playwright/test";
import { rawZip } from "../import/raw-zip.ts";
import { partsOf } from "../../src/server/base/xlsx/workbook.harness.ts";
import { employeesCsv } from "../support/employees-file.ts";
import { expect, test } from "../support/fixtures.ts";
import { takeShifts, watchShifts } from "../support/layout-shifts.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";
import { timeLimit } from "../support/time-limits.ts";

const PAGE = "/DataBatchImport2/index";
const csv = (name: string, text: string) => ({
  name,
  mimeType: "text/csv",
  buffer: Buffer.from(text, "utf8"),
});
/** A realistic file: a phone number that is too short, misspelt departments, and a meaningless column. */
function untidy(seed: number, rows: number): string {
  const [head = "", ...lines] = employeesCsv({ rows, seed }).split("\r\n");
  const at = (name: string): number => head.split(",").indexOf(name);
  const changed = lines.map((line, i) => {
    const cells = line.split(",");
    if (i === 1) cells[at("联系电话")] = "12345";
    if (i % 9 === 2) cells[at("部门")] = "客户服务步";
    if (i % 11 === 3) cells[at("入职日期")] = "2024-02-30";
    if (i === 5) cells[at("姓名")] = "";
    return [...cells, i % 2 === 0 ? "蓝" : "红"].join(",");
  });
  return [`${head},帽子`, ...changed].join("\r\n");
}
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const phone = (page: Page, text: string) =>
  page.getByRole("grid", { name: "检查结果" }).getByRole("gridcell", { name: text, exact: true });

test("The keyboard alone suffices for a whole import", async ({ people }) => {
  const admin = await people.loggedIn("admin", { path: "/dashboard" });
  const page = admin.pages[0]!;
  // Listen from the start. If the listener is added just before the key press, the browser may open its own dialog first.
  const chooser = new Promise<FileChooser>((resolve) => page.once("filechooser", resolve));
  await page.goto("/supplier/employees");
  await tabTo(page, button(page, "批量导入员工"));
  await page.keyboard.press("Enter");
  await tabTo(page, button(page, "选择文件"));
  await page.keyboard.press("Enter");
  await (await chooser).setFiles(csv("键盘.csv", untidy(20, 60)));
  // The next control comes next in the focus order, so no mouse is needed.
  await tabTo(page, button(page, "开始检查"));
  await page.keyboard.press("Enter");
  const grid = page.getByRole("grid", { name: "检查结果" });
  await tabTo(page, grid);
  await expect(phone(page, "12345")).toBeVisible();
  for (let steps = 0; steps < 12; steps += 1) {
    if ((await phone(page, "12345").getAttribute("aria-selected")) === "true") break;
    await page.keyboard.press("ArrowRight");
  }
  await page.keyboard.press("F2");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("13912345678");
  await page.keyboard.press("Enter");
  await expect(grid).toBeFocused();
  await expect(phone(page, "12345")).toHaveCount(0);
  await page.keyboard.press("ControlOrMeta+z");
  await expect(phone(page, "12345")).toBeVisible();
  await tabTo(page, button(page, /^导入 \d+ 行$/));
  await page.keyboard.press("Enter");
  await tabTo(page, button(page, "确定"));
  await page.keyboard.press("Enter");
  await expect(page.locator("[data-import-state='done']").first()).toBeVisible();
  await tabTo(page, button(page, "导入另一个文件"));
  await page.keyboard.press("Enter");
  await expect(button(page, "选择文件")).toBeVisible();
});

test("A bad file is refused with its cause within 2 s, and the next one can be chosen", async ({
  people,
}) => {
  const admin = await people.loggedIn("admin", { path: PAGE });
  const page = admin.pages[0]!;
  const parts = Object.entries(partsOf([["姓名"], ["王伟"]]));
  const whole = rawZip(parts.map(([name, data]) => ({ name, data })));
  const locked = rawZip(parts.map(([name, data]) => ({ name, data, encrypted: true })));
  const html = Buffer.from("<html><body><table><tr><td>姓名</td></tr></table></body></html>");
  for (const [buffer, words] of [
    [html, /网页.*另存为 .xlsx/],
    [whole.subarray(0, whole.length / 2), /已损坏或不完整/],
    [locked, /密码/],
    [Buffer.alloc(0), /空的/],
  ] as const) {
    await page
      .getByTestId("import-file")
      .setInputFiles({ name: "名单.xlsx", mimeType: "application/zip", buffer });
    await expect(page.getByTestId("import-error")).toHaveText(words, { timeout: timeLimit(2000) });
    await expect(button(page, "选择文件")).toBeEnabled();
  }
  await shoot(page, "import-error");
  await expectAccessible(page, "a file that cannot be read");
  await page.getByTestId("import-file").setInputFiles(csv("好.csv", untidy(21, 5)));
  await expect(page.getByText("共 5 行")).toBeVisible();
  await expect(page.getByTestId("import-error")).toHaveCount(0);
});

test("No step of an import moves what is on the screen by more than 0.02 in all", async ({
  people,
}) => {
  const admin = await people.loggedIn("admin", { path: "/dashboard" });
  const page = admin.pages[0]!;
  await watchShifts(page);
  await page.goto(PAGE);
  const expectStill = async (step: string): Promise<void> => {
    const { sum, moved } = await takeShifts(page);
    console.log(`      ${step}: ${sum.toFixed(4)}`);
    expect.soft(sum, `${step}: ${moved.join("; ")}`).toBeLessThanOrEqual(0.02);
  };
  const jobs = page.locator(".import-jobs");
  await expect(button(page, "选择文件")).toBeVisible();
  await expect(jobs.getByRole("status")).toHaveCount(0);
  await expectStill("file");
  await page.getByTestId("import-file").setInputFiles(csv("名单.csv", untidy(24, 5000)));
  await expect(button(page, "开始检查")).toBeEnabled();
  await expectStill("columns");
  await button(page, "开始检查").click();
  await expect(phone(page, "12345")).toBeVisible();
  await expectStill("check");
  await button(page, /^导入 [\d,]+ 行$/).click();
  await button(page, "确定").click();
  await expect(page.locator("[data-import-state='done']").first()).toBeVisible();
  await expectStill("import");
});

test("Each step has no serious violation, in each appearance", async ({ people }) => {
  const admin = await people.loggedIn("admin", { path: PAGE });
  const page = admin.pages[0]!;
  await expect(button(page, "选择文件")).toBeVisible();
  await shoot(page, "import-1-file");
  await expectAccessible(page, "file");
  await page
    .getByTestId("import-file")
    .setInputFiles(csv("华安物业2026年新入职员工名单.csv", untidy(22, 400)));
  await expect(button(page, "开始检查")).toBeEnabled();
  await shoot(page, "import-2-map");
  await expectAccessible(page, "columns");
  await button(page, "开始检查").click();
  await expect(phone(page, "12345")).toBeVisible();
  await phone(page, "12345").click();
  await shoot(page, "import-3-check");
  await expectAccessible(page, "check");
  await button(page, /^批量替换：部门/).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await shoot(page, "import-3-replace");
  await expectAccessible(page, "replace");
  await page.getByRole("dialog").getByRole("button", { name: "替换" }).first().click();
  await expect(button(page, /^批量替换：部门/)).toHaveCount(0);
  // The clicked button is gone. The dialog takes the focus back, so that it receives the keys.
  await page.waitForFunction(() => document.activeElement?.closest("[role=dialog]") != null);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await button(page, /^导入 \d+ 行$/).click();
  await expect(button(page, "确定")).toBeVisible();
  await shoot(page, "import-3-confirm");
  await button(page, "确定").click();
  await expect(page.locator("[data-import-state='done']").first()).toBeVisible();
  await expect(page.getByRole("table").last()).toContainText("华安物业2026年新入职员工名单.csv");
  await shoot(page, "import-4-done");
  await expectAccessible(page, "done, with what was imported");
  await page.goto("/supplier/employees");
  await expect(page.getByRole("row").nth(5)).toBeVisible();
  await shoot(page, "employees");
  await expectAccessible(page, "employees");
});
