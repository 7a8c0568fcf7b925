/** The whole path of an import in a real page, each button pressed in the frame in which it can be, with the time of each part. */
import type { Page } from "@playwright/test";

export interface ImportParts {
  /** ms of the page's clock (performance.timeOrigin + now) when the file was chosen. */
  readonly chosen: number;
  /** ms: file chosen to all rows read and columns matched. */
  readonly read: number;
  /** ms: rules, uniqueness in the file and on the server. */
  readonly check: number;
  /** ms: good rows packed and written down for the core. */
  readonly stage: number;
  /** ms: sent by the core, stored by the server, answered for. */
  readonly send: number;
  /** ms: all of it. */
  readonly total: number;
}

/** @param file path of a file of which every row is good; @param page stands at its first step */
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
          if (found === null || found === undefined) requestAnimationFrame(again);
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
    if (created !== count) throw new Error(`${created ?? 0} of ${count} rows are in`);
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
