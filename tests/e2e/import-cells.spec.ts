/**
 * Either the database stores what a cell shows, or the clerk sees a finding at the cell. One file for each way in which cells
 * mislead.
 */
import { IMPORT_FIELDS } from "../../src/shared/domain/import-fields.ts";
import type { EmployeeDetail } from "../../src/shared/protocol/rest/employee-schemas.ts";
import { SAID_FILES } from "../import/said.ts";
import { expect, test } from "../support/fixtures.ts";
import { openImport } from "../support/import-page.ts";
import { shoot } from "../support/look.ts";

const keyOf = (label: string): string =>
  IMPORT_FIELDS.find((field) => field.label === label)?.key ?? label;

for (const [title, file] of SAID_FILES) {
  test(title, async ({ people, server }) => {
    const at = await openImport({ people, server });
    const before = new Set((await at.employees()).map(({ id }) => id));
    await at.choose(file);
    await at.check();
    await expect(at.grid.locator("[data-wrong='true']")).toHaveCount(file.findings.length);
    for (const [row, header, words] of file.findings) {
      const cell = at.cell(row, file.head.indexOf(header));
      await expect(cell).toHaveAttribute("title", new RegExp(words));
      await expect(cell).toHaveAttribute("data-wrong", "true");
    }
    await shoot(at.page, `import-cells-${title.slice(0, 3)}`);
    await at.send(file.stored.length, file.findings.length > 0);
    const stored = (await at.employees()).filter(({ id }) => !before.has(id));
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
  const at = await openImport({ people, server });
  const before = (await at.employees()).length;
  const lines = (name: string, extra: readonly string[]) => ({
    name,
    bytes: Buffer.from(["姓名,工号", ...extra].join("\n")),
  });
  const rows = Array.from({ length: 50 }, (_, i) => `辛${i},L${i}`);
  // Checked while the number is free, sent when it is taken.
  await at.choose(lines("先检查.csv", rows));
  await at.check();
  const second = await openImport({ people, server });
  await second.choose(lines("先导入.csv", ["壬一,L7"]));
  await second.check();
  await second.send(1);
  await at.send(50);
  await expect(at.page.getByText("拒绝 1 行").first()).toBeVisible();
  await at.button("明细").first().click();
  const refused = at.page.locator("tr").filter({ hasText: "已有在职员工使用" });
  await expect(refused).toHaveCount(1);
  await expect(refused.locator("th, td").first()).toHaveText("9");
  const stored = await at.employees();
  expect(stored).toHaveLength(before + 50);
  expect(stored.filter(({ employeeNo }) => employeeNo === "L7").map(({ name }) => name)).toEqual([
    "壬一",
  ]);
});

test("A sum row is left out, near-duplicates get a warning, and the same file again adds nothing and says so", async ({
  people,
  server,
}) => {
  const at = await openImport({ people, server });
  const { page } = at;
  const before = (await at.employees()).length;
  const names = {
    name: "只有姓名.csv",
    bytes: Buffer.from("姓名,岗位\n癸一,保安\n癸 一,\n癸二,\n合计,2"),
  };
  await at.choose(names);
  await at.check();
  await expect(page.getByTestId("import-copies")).toContainText("第 3 行同第 2 行");
  await expect(page.getByTestId("import-total")).toContainText("第 5 行（合计）像是合计行");
  await expect(page.getByText("有问题 1 行")).toBeVisible();
  await shoot(page, "import-notes");
  await at.button("不导入这一行").click();
  await expect(page.getByTestId("import-total")).toContainText("不会导入");
  await expect(page.getByText("共 3 行")).toBeVisible();
  await expect(page.getByText("有问题 1 行")).toHaveCount(0);
  await at.send(3);
  await expect(page.getByText("新增 3 行").first()).toBeVisible();
  await expect.poll(() => at.employees()).toHaveLength(before + 3);

  await at.another();
  await at.choose(names);
  await at.check();
  await at.button("不导入这一行").click();
  await at.send(3);
  await expect(page.getByText("该文件此前已导入（当时新增 3 行），这次没有新增")).toBeVisible();
  await expect.poll(() => at.employees()).toHaveLength(before + 3);
});
