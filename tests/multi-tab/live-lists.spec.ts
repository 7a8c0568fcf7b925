/** Lists are live (docs/session.md#live-data): tabs share one request, and a change shows in every tab and for other people. */
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { timeLimit } from "../support/time-limits.ts";

declare global {
  // Set by this test.
  var noting: Noting;
}

const LIST = "/scm-supplier/api/sec/employees/list";
const EDITS = 30;

interface Noting {
  seen: Record<string, number>;
  /** Resolves to when the text was shown for the first time, ms since the epoch. */
  when(text: string): Promise<number>;
  note(text: string): void;
}
/** Prepares the page to note when a text is shown. */
const prepare = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const waiting = new Map<string, (at: number) => void>();
    const noting: Noting = {
      seen: {},
      note(text) {
        noting.seen[text] ??= Date.now();
        waiting.get(text)?.(noting.seen[text]);
      },
      when: (text) =>
        new Promise((resolve) => {
          const at = noting.seen[text];
          if (at === undefined) waiting.set(text, resolve);
          else resolve(at);
        }),
    };
    globalThis.noting = noting;
  });
/** Notes each text of the form 实时N in the rows of the list. */
const noteRows = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { note } = globalThis.noting;
    const rows = document.querySelector(".list-page-rows");
    if (rows === null) throw new Error("no list");
    new MutationObserver(() => {
      for (const [text] of (rows.textContent ?? "").matchAll(/实时\d+(?=#)/g)) note(text);
    }).observe(rows, { subtree: true, childList: true, characterData: true });
  });
const seenAt = (page: Page, text: string): Promise<number> =>
  page.evaluate((wanted) => globalThis.noting.when(wanted), text);
const p95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? Infinity;

test("Ten tabs on one list make one request; an edit shows in the others within 200 ms and for another person within 2 s", async ({
  people,
  server,
}) => {
  const requests = () => server.metric("http_requests_total", { route: LIST, method: "GET" });
  const admin = await people.loggedIn("admin", { tabs: 10, path: "/dashboard" });
  const lina = await people.loggedIn("lina", { path: "/dashboard" });
  const first = admin.pages[0]!;
  const other = lina.pages[0]!;
  for (const page of [first, other]) {
    await page.waitForFunction(() => globalThis.consoleCore.state.chat.connection === "open");
  }
  const before = await requests();
  await Promise.all(
    admin.pages.map(async (page) => {
      await page.goto("/supplier/employees");
      await expect(page.getByText("李娜").first()).toBeVisible();
    }),
  );
  await expect.poll(async () => (await requests()) - before).toBe(1);

  const row = await first.evaluate(() =>
    globalThis.consoleCore.commands.rest
      .call({ call: "employees.list", query: { limit: 200 } })
      .then(({ records }) => records[0]),
  );
  await Promise.all([...admin.pages, other].map(prepare));
  await Promise.all(admin.pages.map(noteRows));
  // staff have no page of the list, so her page watches the call
  await other.evaluate(() => {
    const { note } = globalThis.noting;
    globalThis.consoleCore.watch(
      { call: "employees.list", query: { cursor: 1, limit: 200 } },
      (answer) => {
        if (answer.state !== "ready") return;
        for (const { name } of answer.data.records) note(name.replace(/#$/, ""));
      },
    );
  });
  await seenAt(other, row?.name ?? "");
  let { version } = await first.evaluate(
    (id) => globalThis.consoleCore.commands.rest.call({ call: "employees.get", params: { id } }),
    row?.id ?? "",
  );
  const start = await requests();
  const near: number[] = [];
  const far: number[] = [];
  for (let n = 1; n <= EDITS; n += 1) {
    const name = `实时${n}`;
    const { at: done, next } = await first.evaluate(
      async ([id, next, seen]) => {
        const saved = await globalThis.consoleCore.commands.rest.call({
          call: "employees.update",
          body: { id, version: seen, name: `${next}#` },
        });
        return { at: Date.now(), next: saved.version };
      },
      [row?.id ?? "", name, version] as const,
    );
    version = next;
    const times = await Promise.all(admin.pages.slice(1).map((page) => seenAt(page, name)));
    near.push(Math.max(...times) - done);
    far.push((await seenAt(other, name)) - done);
  }
  const figures = `other tabs ${p95(near)} ms, another person ${p95(far)} ms`;
  console.log(`      p95 of an edit: ${figures}`);
  // each edit is one request of each browser
  expect((await requests()) - start).toBe(2 * EDITS);
  expect(p95(near), figures).toBeLessThan(timeLimit(200));
  expect(p95(far), figures).toBeLessThan(timeLimit(2000));
});

test("A form that is saved, and a deletion, are one request of the list for all ten tabs of a person", async ({
  people,
  server,
}) => {
  const requests = () =>
    server.metric("http_requests_total", { route: "/system/config/list", method: "GET" });
  const admin = await people.loggedIn("admin", { tabs: 10, path: "/system/config" });
  const page = admin.pages[0]!;
  const rowIn = (tab: Page) => tab.getByRole("row").filter({ hasText: "live.rows" });
  const shownInAll = async (text: string): Promise<void> => {
    for (const tab of admin.pages) await expect(rowIn(tab)).toContainText(text);
  };
  for (const tab of admin.pages) await expect(tab.getByRole("row").nth(1)).toBeVisible();
  const counts = [await requests()];

  await page.getByRole("button", { name: "新增" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("参数名称").fill("每页行数");
  await dialog.getByLabel("参数键名").fill("live.rows");
  await dialog.getByLabel("参数键值").fill("20");
  await dialog.getByRole("button", { name: "保存" }).click();
  await shownInAll("20");
  counts.push(await requests());

  await page.getByRole("button", { name: "编辑 每页行数" }).click();
  await dialog.getByLabel("参数键值").fill("50");
  await dialog.getByRole("button", { name: "保存" }).click();
  await shownInAll("50");
  counts.push(await requests());

  await rowIn(page).locator("label").first().click();
  await page.getByRole("status").getByRole("button", { name: "删除" }).click();
  await dialog.getByRole("button", { name: "确定" }).click();
  for (const tab of admin.pages) await expect(rowIn(tab)).toHaveCount(0);
  counts.push(await requests());

  expect(counts.slice(1).map((count, n) => count - (counts[n] ?? 0))).toEqual([1, 1, 1]);
});
