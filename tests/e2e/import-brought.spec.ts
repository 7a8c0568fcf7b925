/**
 * Files of the kinds that people bring, through the page to the database: what is stored, what the check shows at a cell, what is refused,
 * and what the person can choose.
 */
import { IMPORT_FIELDS } from "../../src/shared/domain/import-fields.ts";
import type { EmployeeDetail } from "../../src/shared/protocol/rest/employee-schemas.ts";
import { BROUGHT_FILES, type BroughtFile } from "../import/brought.ts";
import { MADE_FILES } from "../import/brought-made.ts";
import { expect, test } from "../support/fixtures.ts";
import { type ImportPage, openImport } from "../support/import-page.ts";
import { expectAccessible, shoot } from "../support/look.ts";

const ENCODINGS = {
  big5: /^Big5/,
  shift_jis: /^Shift_JIS/,
  "windows-1252": /^Windows-1252/,
} as const;
const keyOf = (label: string | null): string =>
  IMPORT_FIELDS.find((field) => field.label === label)?.key ?? "";

/** Makes the choices that the file needs, after looking at what the page asks. */
async function decide(
  { page, button }: ImportPage,
  { choose: wanted = {}, asks }: BroughtFile,
): Promise<void> {
  if (asks === true) {
    await expect(page.getByTestId("import-error")).toHaveText(/编码无法确定/);
    await expect(page.getByRole("region", { name: "文件预览" })).toBeVisible();
    await expect(button("开始检查")).toBeDisabled();
  }
  const { encoding, fill } = wanted;
  if (encoding !== undefined) {
    await page.getByRole("combobox", { name: "编码" }).click();
    const name = ENCODINGS[encoding as keyof typeof ENCODINGS];
    await page.getByRole("option", { name }).click();
  }
  if (fill === true) {
    await button("按上一格填写").click();
    await expect(button("保持原样")).toBeVisible();
  }
}

for (const [kind, files] of [
  ["that people brought", BROUGHT_FILES],
  ["of the same kinds", MADE_FILES],
] as const) {
  test(`Files ${kind} are stored as they are meant, reported at their cells, or refused`, async ({
    people,
    server,
  }) => {
    test.slow();
    const at = await openImport({ people, server });
    const { page, button } = at;
    const seen = new Set((await at.employees()).map(({ id }) => id));
    const fresh = async () => (await at.employees()).filter(({ id }) => !seen.has(id));
    for (const [title, file] of files) {
      await test.step(title, async () => {
        await at.choose(file);
        if (file.refused !== undefined) {
          await expect(page.getByTestId("import-error")).toHaveText(file.refused);
          await expect(button("选择文件")).toBeVisible();
          return;
        }
        await decide(at, file);
        await at.check();
        await page.getByText("全部行", { exact: true }).click();
        // The grid shows the columns that fill a field.
        const shown = file.head.filter((_, column) => file.fields[column] !== null);
        for (const [row, header, words] of file.findings) {
          await expect(at.cell(row, shown.indexOf(header))).toHaveAttribute(
            "title",
            new RegExp(words.replaceAll(/[#!]/g, ".")),
          );
        }
        if (file.spare !== undefined) {
          await button("写入备注").click();
          await expect(page.getByTestId("import-spare")).toHaveCount(0);
        }
        if (file.stored.length === 0) {
          await expect(button(/^导入 \d+ 行$/)).toBeDisabled();
          await button("返回核对列").click();
          await button("换一个文件").click();
          return;
        }
        await at.send(file.stored.length, file.warns !== true && file.findings.length > 0);
        await expect.poll(fresh).toHaveLength(file.stored.length);
        const stored = (await fresh()).sort((a, b) => Number(a.id) - Number(b.id));
        const texts = stored.map((one) =>
          file.fields.map((label) => {
            const value = one[keyOf(label) as keyof EmployeeDetail];
            return typeof value === "string" && value !== "" ? value : null;
          }),
        );
        expect(texts).toEqual(file.stored);
        for (const { id } of stored) seen.add(id);
        await at.another();
      });
    }
  });
}

test("The person chooses encoding and header rows, and sees at once what comes of it", async ({
  people,
  server,
}) => {
  const at = await openImport({ people, server });
  const { page, button } = at;
  const file = (title: string): BroughtFile => new Map(BROUGHT_FILES).get(title)!;
  await at.choose(file("Shift_JIS"));
  const preview = page.getByRole("region", { name: "文件预览" });
  await expect(preview).toBeVisible();
  await expect(preview).not.toContainText("山田太郎");
  await shoot(page, "import-encoding");
  await expectAccessible(page, "an encoding that is not certain");
  await page.getByRole("combobox", { name: "编码" }).click();
  await page.getByRole("option", { name: /^Shift_JIS/ }).click();
  await expect(page.getByRole("cell", { name: "山田太郎" })).toBeVisible();
  await expect(page.getByTestId("import-error")).toHaveCount(0);
  await expect(button("开始检查")).toBeEnabled();

  await button("换一个文件").click();
  await at.choose(file("two header rows"));
  await expect(page.getByRole("rowheader", { name: "联系方式 › 邮箱" })).toBeVisible();
  const end = page.getByRole("spinbutton", { name: "表头到第几行" });
  await expect(end).toHaveValue("2");
  await shoot(page, "import-two-headers");
  await end.fill("1");
  await end.press("Enter");
  await expect(page.getByText("共 4 行")).toBeVisible();
  await expect(page.getByRole("rowheader", { name: "联系方式 › 邮箱" })).toHaveCount(0);
  await end.fill("2");
  await end.press("Enter");
  await expect(page.getByText("共 3 行")).toBeVisible();
  await expect(button("开始检查")).toBeEnabled();
});
