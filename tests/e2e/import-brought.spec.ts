/**
 * Files of the kinds that people bring, through the page to the database: what is stored, what the check shows at a cell, what is refused,
 * and what the person can choose.
 */
import type { Page } from "@playwright/test";
import { IMPORT_FIELDS } from "../../src/shared/domain/import-fields.ts";
import type { EmployeeDetail } from "../../src/shared/protocol/rest/employee-schemas.ts";
import { BROUGHT_FILES, type BroughtFile } from "../import/brought.ts";
import { expect, test } from "../support/fixtures.ts";
import { PASSWORD } from "../support/people.ts";
import { restLogin } from "../support/rest-login.ts";
import { expectAccessible, shoot } from "../support/look.ts";

const PAGE = "/DataBatchImport2/index";
const ENCODINGS = {
  big5: /^Big5/,
  shift_jis: /^Shift_JIS/,
  "windows-1252": /^Windows-1252/,
} as const;
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const grid = (page: Page) => page.getByRole("grid", { name: "检查结果" });
const keyOf = (label: string | null): string =>
  IMPORT_FIELDS.find((field) => field.label === label)?.key ?? "";

/** Reads employees of the page's company from REST, each with its id. */
async function reader(page: Page, url: string) {
  const known = await page.waitForFunction(() => globalThis.consoleCore.state.session.supplierId);
  const supplierId = (await known.jsonValue()) ?? "";
  const { grant } = await restLogin(url, "admin", PASSWORD);
  return async (): Promise<EmployeeDetail[]> => {
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
  };
}

async function choose(page: Page, { name, bytes }: Pick<BroughtFile, "name" | "bytes">) {
  await page.getByTestId("import-file").setInputFiles({
    name,
    mimeType: "application/octet-stream",
    buffer: bytes,
  });
}

/** Makes the choices that the file needs, after looking at what the page asks. */
async function decide(page: Page, { choose: wanted = {}, asks }: BroughtFile): Promise<void> {
  if (asks === true) {
    await expect(page.getByTestId("import-error")).toHaveText(/编码无法确定/);
    await expect(page.getByRole("region", { name: "文件预览" })).toBeVisible();
    await expect(button(page, "开始检查")).toBeDisabled();
  }
  const { encoding, fill } = wanted;
  if (encoding !== undefined) {
    await page.getByRole("combobox", { name: "编码" }).click();
    const name = ENCODINGS[encoding as keyof typeof ENCODINGS];
    await page.getByRole("option", { name }).click();
  }
  if (fill === true) {
    await button(page, "按上一格填写").click();
    await expect(button(page, "保持原样")).toBeVisible();
  }
}

test("Files of every kind are stored as they are meant, reported at their cells, or refused", async ({
  people,
  server,
}) => {
  test.slow();
  const admin = await people.loggedIn("admin", { path: PAGE });
  const page = admin.pages[0]!;
  const employees = await reader(page, server.url);
  const seen = new Set((await employees()).map(({ id }) => id));
  for (const [title, file] of BROUGHT_FILES) {
    await test.step(title, async () => {
      await choose(page, file);
      if (file.refused !== undefined) {
        await expect(page.getByTestId("import-error")).toHaveText(file.refused);
        await expect(button(page, "选择文件")).toBeVisible();
        return;
      }
      await decide(page, file);
      await button(page, "开始检查").click();
      await expect(grid(page)).toBeVisible();
      // The grid shows the columns that fill a field.
      const shown = file.head.filter((_, column) => file.fields[column] !== null);
      for (const [row, header, words] of file.told) {
        const cell = grid(page)
          .getByRole("row")
          .filter({ has: page.getByRole("rowheader", { name: String(row), exact: true }) })
          .locator(".import-cell")
          .nth(shown.indexOf(header));
        await expect(cell).toHaveAttribute("title", new RegExp(words.replaceAll(/[#!]/g, ".")));
      }
      if (file.stored.length === 0) {
        await expect(button(page, /^导入 \d+ 行$/)).toBeDisabled();
        await button(page, "返回核对列").click();
        await button(page, "换一个文件").click();
        return;
      }
      await button(page, `导入 ${file.stored.length} 行`).click();
      if (file.told.length > 0) await button(page, "确定").click();
      await expect(button(page, "导入另一个文件")).toBeVisible();
      await expect
        .poll(async () => (await employees()).filter(({ id }) => !seen.has(id)).length)
        .toBe(file.stored.length);
      const stored = (await employees())
        .filter(({ id }) => !seen.has(id))
        .sort((a, b) => Number(a.id) - Number(b.id));
      const texts = stored.map((one) =>
        file.fields.map((label) => {
          const value = one[keyOf(label) as keyof EmployeeDetail];
          return typeof value === "string" && value !== "" ? value : null;
        }),
      );
      expect(texts).toEqual(file.stored);
      for (const { id } of stored) seen.add(id);
      await button(page, "导入另一个文件").click();
    });
  }
});

test("The person chooses encoding and header rows, and sees at once what comes of it", async ({
  people,
}) => {
  const admin = await people.loggedIn("admin", { path: PAGE });
  const page = admin.pages[0]!;
  const file = (title: string): BroughtFile => new Map(BROUGHT_FILES).get(title)!;
  await choose(page, file("Shift_JIS"));
  const preview = page.getByRole("region", { name: "文件预览" });
  await expect(preview).toBeVisible();
  await expect(preview).not.toContainText("山田太郎");
  await shoot(page, "import-encoding");
  await expectAccessible(page, "an encoding that is not certain");
  await page.getByRole("combobox", { name: "编码" }).click();
  await page.getByRole("option", { name: /^Shift_JIS/ }).click();
  await expect(page.getByRole("cell", { name: "山田太郎" })).toBeVisible();
  await expect(page.getByTestId("import-error")).toHaveCount(0);
  await expect(button(page, "开始检查")).toBeEnabled();

  await button(page, "换一个文件").click();
  await choose(page, file("two header rows"));
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
  await expect(button(page, "开始检查")).toBeEnabled();
});
