/**
 * Either the database stores what a cell shows, or the clerk sees a finding at the cell. One file for each way in which cells
 * mislead.
 */
import type { Page } from "@playwright/test";
import { IMPORT_FIELDS } from "../../src/shared/domain/import-fields.ts";
import type { EmployeeDetail } from "../../src/shared/protocol/rest/employee-schemas.ts";
import { SAID_FILES, type SaidFile } from "../import/said.ts";
import { expect, test } from "../support/fixtures.ts";
import { PASSWORD } from "../support/people.ts";
import { restLogin } from "../support/rest-login.ts";
import { shoot } from "../support/look.ts";

const PAGE = "/DataBatchImport2/index";
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const grid = (page: Page) => page.getByRole("grid", { name: "检查结果" });
const keyOf = (label: string): string =>
  IMPORT_FIELDS.find((field) => field.label === label)?.key ?? label;

/** All employees of the page's company, from REST. */
async function employees(page: Page, url: string): Promise<EmployeeDetail[]> {
  const known = await page.waitForFunction(() => globalThis.consoleCore.state.session.supplierId);
  const supplierId = (await known.jsonValue()) ?? "";
  const { grant } = await restLogin(url, "admin", PASSWORD);
  const found: EmployeeDetail[] = [];
  for (let cursor = 1; ; cursor += 1) {
    const answer = await page.request.post(`${url}/scm-supplier/api/sec/querySupplierEmployees`, {
      headers: { authorization: `Bearer ${grant.access_token}`, "supplier-id": supplierId },
      data: { cursor, limit: 1000 },
    });
    const { data } = (await answer.json()) as {
      data: { records: EmployeeDetail[]; total: number };
    };
    found.push(...data.records);
    if (found.length >= data.total || data.records.length === 0) return found;
  }
}

async function choose(page: Page, { name, bytes }: Pick<SaidFile, "name" | "bytes">) {
  await page.getByTestId("import-file").setInputFiles({
    name,
    mimeType: "application/octet-stream",
    buffer: bytes,
  });
  await button(page, "开始检查").click();
  await expect(grid(page)).toBeVisible();
}
async function send(page: Page, rows: number, bad: boolean): Promise<void> {
  await button(page, `导入 ${rows} 行`).click();
  if (bad) await button(page, "确定").click();
  await expect(page.locator("[data-import-state='done']").first()).toBeVisible();
}
const another = (page: Page) => button(page, "导入另一个文件").click();

for (const [title, file] of SAID_FILES) {
  test(title, async ({ people, server }) => {
    const admin = await people.loggedIn("admin", { path: PAGE });
    const page = admin.pages[0]!;
    const before = new Set((await employees(page, server.url)).map(({ id }) => id));
    await choose(page, file);
    await expect(grid(page).locator("[data-wrong='true']")).toHaveCount(file.told.length);
    for (const [row, header, words] of file.told) {
      const cell = grid(page)
        .getByRole("row")
        .filter({ has: page.getByRole("rowheader", { name: String(row), exact: true }) })
        .locator(".import-cell")
        .nth(file.head.indexOf(header));
      await expect(cell).toHaveAttribute("title", new RegExp(words));
      await expect(cell).toHaveAttribute("data-wrong", "true");
    }
    await shoot(page, `import-cells-${title.slice(0, 3)}`);
    await send(page, file.stored.length, file.told.length > 0);
    const stored = (await employees(page, server.url)).filter(({ id }) => !before.has(id));
    const texts = stored
      .sort((a, b) => Number(a.id) - Number(b.id))
      .map((one) =>
        file.head.map((label) => {
          const value = one[keyOf(label) as keyof EmployeeDetail];
          return typeof value === "string" && value !== "" ? value : null;
        }),
      );
    expect(texts).toEqual(file.stored);
  });
}

test("A row that the server refuses is reported by its number, and all other rows are stored", async ({
  people,
  server,
}) => {
  const admin = await people.loggedIn("admin", { path: PAGE });
  const page = admin.pages[0]!;
  const before = (await employees(page, server.url)).length;
  const lines = (name: string, extra: readonly string[]) => ({
    name,
    bytes: Buffer.from(["姓名,工号", ...extra].join("\n")),
  });
  const rows = Array.from({ length: 50 }, (_, i) => `辛${i},L${i}`);
  // Checked while the number is free, sent when it is taken.
  await choose(page, lines("先检查.csv", rows));
  const other = await people.loggedIn("admin", { path: PAGE });
  const second = other.pages[0]!;
  await choose(second, lines("先导入.csv", ["壬一,L7"]));
  await send(second, 1, false);
  await send(page, 50, false);
  await expect(page.getByText("拒绝 1 行").first()).toBeVisible();
  await button(page, "明细").first().click();
  const refused = page.locator("tr").filter({ hasText: "已有在职员工使用" });
  await expect(refused).toHaveCount(1);
  await expect(refused.locator("th, td").first()).toHaveText("9");
  const stored = await employees(page, server.url);
  expect(stored).toHaveLength(before + 50);
  expect(stored.filter(({ employeeNo }) => employeeNo === "L7").map(({ name }) => name)).toEqual([
    "壬一",
  ]);
});

test("A sum row is left out, near-duplicates get a warning, and the same file again adds nothing and says so", async ({
  people,
  server,
}) => {
  const admin = await people.loggedIn("admin", { path: PAGE });
  const page = admin.pages[0]!;
  const before = (await employees(page, server.url)).length;
  const names = {
    name: "只有姓名.csv",
    bytes: Buffer.from("姓名,岗位\n癸一,保安\n癸 一,\n癸二,\n合计,2"),
  };
  await choose(page, names);
  await expect(page.getByTestId("import-copies")).toContainText("第 3 行同第 2 行");
  await expect(page.getByTestId("import-total")).toContainText("第 5 行（合计）像是合计行");
  await expect(page.getByText("有问题 1 行")).toBeVisible();
  await shoot(page, "import-notes");
  await button(page, "不导入这一行").click();
  await expect(page.getByTestId("import-total")).toContainText("不会导入");
  await expect(page.getByText("共 3 行")).toBeVisible();
  await expect(page.getByText("有问题 1 行")).toHaveCount(0);
  await send(page, 3, false);
  await expect(page.getByText("新增 3 行").first()).toBeVisible();
  await expect.poll(() => employees(page, server.url)).toHaveLength(before + 3);

  await another(page);
  await choose(page, names);
  await button(page, "不导入这一行").click();
  await send(page, 3, false);
  await expect(page.getByText("该文件此前已导入（当时新增 3 行），这次没有新增")).toBeVisible();
  await expect.poll(() => employees(page, server.url)).toHaveLength(before + 3);
});
