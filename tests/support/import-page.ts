/** The page of a batch import for tests that follow files through it to the database. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import type { EmployeeDetail } from "../../src/shared/protocol/rest/employee-schemas.ts";
import type { Fixtures, WorkerFixtures } from "./fixtures.ts";
import { PASSWORD } from "./people.ts";
import { restLogin } from "./rest-login.ts";
import { consoleStarted } from "./started.ts";

/** The route that invites nobody. */
export const IMPORT_PAGE = "/DataBatchImport2/index";

interface ImportFile {
  readonly name: string;
  readonly bytes: Buffer;
}

export interface ImportPage {
  readonly page: Page;
  button(name: string | RegExp): Locator;
  readonly grid: Locator;
  /** The kinds of findings. */
  readonly chips: Locator;
  /** The job that was sent, once it is done. */
  readonly done: Locator;
  choose(file: ImportFile): Promise<void>;
  /** Chooses a file of tests/fixtures/import-cases. */
  chooseCase(name: string): Promise<void>;
  chooseCsv(...lines: string[]): Promise<void>;
  check(): Promise<void>;
  /** The cell of a row of the file, by the column's place in the grid. */
  cell(row: number, at: number): Locator;
  /** Sends the rows that are good, and waits until they are stored. @param withBad other rows are left out, after a question */
  send(rows: number, withBad?: boolean): Promise<void>;
  another(): Promise<void>;
  /** Employees of the page's company, from REST: all, or those whom a keyword finds, by employee number. */
  employees(keyword?: string): Promise<EmployeeDetail[]>;
  /** What those whom a keyword finds have of a field, in the same order. */
  read<T>(keyword: string, pick: (one: EmployeeDetail) => T): Promise<T[]>;
}

/** @param url of the server */
export function importPageOf(page: Page, url: string): ImportPage {
  const button = (name: string | RegExp): Locator => page.getByRole("button", { name });
  const grid = page.getByRole("grid", { name: "检查结果" });
  const done = page.locator("[data-import-state='done']").first();
  const choose = ({ name, bytes }: ImportFile): Promise<void> =>
    page
      .getByTestId("import-file")
      .setInputFiles({ name, mimeType: "application/octet-stream", buffer: bytes });
  async function employees(keyword?: string): Promise<EmployeeDetail[]> {
    await consoleStarted(page);
    const known = await page.waitForFunction(() => globalThis.consoleCore.state.session.supplierId);
    const supplierId = (await known.jsonValue()) ?? "";
    const { grant } = await restLogin(url, "admin", PASSWORD);
    const found: EmployeeDetail[] = [];
    for (let cursor = 1; ; cursor += 1) {
      const answer = await page.request.post(`${url}/scm-supplier/api/sec/querySupplierEmployees`, {
        headers: { authorization: `Bearer ${grant.access_token}`, "supplier-id": supplierId },
        data: { cursor, limit: 1000, ...(keyword === undefined ? {} : { keyword }) },
      });
      const { data } = (await answer.json()) as {
        data: { records: EmployeeDetail[]; total: number };
      };
      found.push(...data.records);
      if (found.length >= data.total || data.records.length === 0) break;
    }
    return found.sort((a, b) =>
      (a.employeeNo ?? "").localeCompare(b.employeeNo ?? "", "en", { numeric: true }),
    );
  }
  return {
    page,
    button,
    grid,
    chips: page.getByRole("list", { name: "问题分类" }),
    done,
    choose,
    chooseCase: (name) =>
      choose({
        name,
        bytes: readFileSync(join(import.meta.dirname, "../fixtures/import-cases", name)),
      }),
    chooseCsv: (...lines) => choose({ name: "名单.csv", bytes: Buffer.from(lines.join("\n")) }),
    async check() {
      await button("开始检查").click();
      await expect(grid).toBeVisible();
    },
    cell: (row, at) =>
      grid
        .getByRole("row")
        .filter({ has: page.getByRole("rowheader", { name: String(row), exact: true }) })
        .locator(".import-cell")
        .nth(at),
    async send(rows, withBad = false) {
      await button(`导入 ${rows} 行`).click();
      if (withBad) await button("确定").click();
      await expect(done).toBeVisible();
    },
    async another() {
      await button("导入另一个文件").click();
      await expect(page.getByTestId("import-file")).toBeAttached();
    },
    employees,
    read: async (keyword, pick) => (await employees(keyword)).map(pick),
  };
}

/** Logs an administrator in and opens the page. */
export async function openImport({
  people,
  server,
}: Pick<Fixtures & WorkerFixtures, "people" | "server">): Promise<ImportPage> {
  const admin = await people.loggedIn("admin", { path: IMPORT_PAGE });
  return importPageOf(admin.pages[0]!, server.url);
}
