/** Lists are live (docs/session.md#live-data): tabs share one request, and a change shows in every tab and for other people. */
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";

const LIST = "/scm-supplier/api/sec/employees/list";
const EDITS = 30;

/** Notes in the page when each text of the form 实时N is shown for the first time, ms since the epoch. */
const noteTexts = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const seen: Record<string, number> = {};
    Object.assign(globalThis, { seen });
    new MutationObserver(() => {
      for (const [text] of document.body.innerText.matchAll(/实时\d+/g)) seen[text] ??= Date.now();
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
const seenAt = (page: Page, text: string): Promise<number> =>
  page
    .waitForFunction(
      (wanted) => (globalThis as unknown as { seen: Record<string, number> }).seen[wanted],
      text,
      { timeout: 15_000, polling: 50 },
    )
    .then((handle) => handle.jsonValue() as Promise<number>);
const p95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? Infinity;

test("Ten tabs on one list make one request; an edit shows in the others within 200 ms and for another person within 2 s", async ({
  people,
  server,
}, info) => {
  test.setTimeout(240_000);
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
  expect((await requests()) - before).toBe(1);

  const row = await first.evaluate(() =>
    globalThis.consoleCore.commands.rest
      .call({ call: "employees.list", query: { limit: 200 } })
      .then(({ records }) => records[0]),
  );
  await Promise.all(admin.pages.map(noteTexts));
  // staff have no page of the list, so her page watches the call
  await other.evaluate(() => {
    const seen: Record<string, number> = {};
    Object.assign(globalThis, { seen });
    globalThis.consoleCore.watch(
      { call: "employees.list", query: { cursor: 1, limit: 200 } },
      (answer) => {
        if (answer.state !== "ready") return;
        seen["first"] ??= Date.now();
        for (const { name } of answer.data.records) seen[name] ??= Date.now();
      },
    );
  });
  await seenAt(other, "first");
  const start = await requests();
  const near: number[] = [];
  const far: number[] = [];
  for (let n = 1; n <= EDITS; n += 1) {
    const name = `实时${n}`;
    const done = await first.evaluate(
      async ([id, next]) => {
        await globalThis.consoleCore.commands.rest.call({
          call: "employees.update",
          body: { id, name: next },
        });
        return Date.now();
      },
      [row?.id ?? "", name] as const,
    );
    const times = await Promise.all(admin.pages.slice(1).map((page) => seenAt(page, name)));
    near.push(Math.max(...times) - done);
    far.push((await seenAt(other, name)) - done);
  }
  info.annotations.push({
    type: "p95",
    description: `other tabs ${p95(near)} ms, another person ${p95(far)} ms`,
  });
  // each edit is one request of each browser
  expect((await requests()) - start).toBe(2 * EDITS);
  expect(p95(near), "the other nine tabs, ms").toBeLessThan(200);
  expect(p95(far), "another person, ms").toBeLessThan(2000);
});
