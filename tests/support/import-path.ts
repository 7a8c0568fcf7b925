/**
 * A complete import in a real page. Each button is pressed as soon as it is enabled, and the duration of each part is measured.
 */
import type { Page } from "@playwright/test";

export interface ImportParts {
  /** The page's time (performance.timeOrigin + now) in ms when the file was chosen. */
  readonly chosen: number;
  /** Milliseconds from choosing the file until all rows are read and columns matched. */
  readonly read: number;
  /** Milliseconds for rules and uniqueness, in the file and on the server. */
  readonly check: number;
  /** Milliseconds for packing the valid rows and storing them for the core. */
  readonly stage: number;
  /** Milliseconds until the core has sent the rows and the server has stored and acknowledged them. */
  readonly send: number;
  /** Milliseconds in total. */
  readonly total: number;
}

/**
 * @param page shows the first step of the import
 * @param file path of a file whose rows are all valid
 */
export async function importFile(
  page: Page,
  file: string,
  rows: number,
  timeout = 180_000,
): Promise<ImportParts> {
  page.setDefaultTimeout(timeout);
  const driven = page.evaluate(async (count) => {
    const now = (): number => performance.timeOrigin + performance.now();
    const seen = <T>(look: () => T | null | undefined): Promise<T> =>
      new Promise((resolve) => {
        const again = (): void => {
          const found = look();
          if (found === null || found === undefined) setTimeout(again, 20);
          else resolve(found);
        };
        again();
      });
    const button = (name: string) => (): HTMLButtonElement | undefined =>
      [...document.querySelectorAll("button")].find(
        (one) => one.textContent.trim() === name && !one.disabled,
      );
    const key = Object.keys(globalThis.consoleCore.state.imports.byKey);
    await new Promise((resolve) =>
      document.addEventListener("change", resolve, { capture: true, once: true }),
    );
    const chosen = now();
    (await seen(button("开始检查"))).click();
    const read = now();
    (await seen(button(`导入 ${count.toLocaleString("zh")} 行`))).click();
    const checked = now();
    const job = () =>
      Object.values(globalThis.consoleCore.state.imports.byKey).find(
        (one) => !key.includes(one.key),
      );
    await seen(job);
    const staged = now();
    await seen(() => (job()?.state === "done" ? true : null));
    const done = now();
    const created = job()?.created;
    if (created !== count) throw new Error(`${created ?? 0} of ${count} rows were created`);
    return {
      chosen,
      read: read - chosen,
      check: checked - read,
      stage: staged - checked,
      send: done - staged,
      total: done - chosen,
    };
  }, rows);
  await page.getByTestId("import-file").setInputFiles(file);
  return driven;
}
