/** A list of a million employees on PostgreSQL is looked through from its first to its last row (docs/session.md#lists). */
import { administeredDatabase } from "../support/administered-database.ts";
import { type EmptyDatabase, POSTGRES, runStatement } from "../support/empty-database.ts";
import { expect, test } from "../support/fixtures.ts";
import { preparedEnv } from "../support/prepared-env.ts";
import { timeLimit } from "../support/time-limits.ts";

const EMPLOYEES = 1_000_000;
/** ms from a key to the row in sight. */
const LIMIT = 1000;

// The embedded database takes many times as long for so many rows.
test.skip(POSTGRES === "", "needs a PostgreSQL");
let database: EmptyDatabase;
test.use({
  serverEnv: preparedEnv((use) => administeredDatabase(use, (made) => (database = made))),
});

test(`The list of ${EMPLOYEES} employees comes to its last and its first row by a key within ${LIMIT} ms, by bar and wheel, in the usual and in a chosen order`, async ({
  people,
  server,
}) => {
  test.slow();
  // Names whose order differs from that of the rows: the last one of the names belongs to a row in the middle.
  await runStatement(
    database.url,
    `INSERT INTO employees (company_id, name, employee_no, phone, department, "position")
     SELECT c.id, '员工' || lpad(((n + $1::int / 2) % $1::int)::text, 7, '0'), 'M' || lpad(n::text, 7, '0'),
       '1990' || lpad(n::text, 7, '0'), '工程部', '电工'
     FROM (SELECT min(id) AS id FROM companies) AS c CROSS JOIN generate_series(1, $1::int) AS n`,
    [EMPLOYEES],
  );
  // Nobody searches here, and a million words would be indexed beside the test.
  await runStatement(database.url, "TRUNCATE employee_search_queue");
  await runStatement(database.url, "VACUUM ANALYZE employees");
  // The server counts its own employee as well: the administrator.
  const all = EMPLOYEES + 1;

  const { pages } = await people.loggedIn("admin", { path: "/supplier/employees" });
  const page = pages[0]!;
  await page.getByRole("button", { name: "连续滚动" }).click();
  await expect(page.getByTestId("list-total")).toHaveText(/共 1,?000,?001 人/);
  const table = page.getByRole("table");
  const row = (index: number) => table.locator(`.list-page-row[data-index="${index}"]`);
  /** The row with its data, in sight. */
  const shows = async (index: number, name: string) => {
    // Where a box's height is no whole number of px, browsers round it, and half a px of a row may be cut.
    await expect(row(index)).toBeInViewport({ ratio: 0.98 });
    await expect(row(index)).toContainText(name);
  };
  const names = (n: number): string => `员工${String(n % EMPLOYEES).padStart(7, "0")}`;
  /** Name of a row in the usual order, which begins with the administrator. */
  const nameAt = (index: number): string => names(index + EMPLOYEES / 2);
  const times: { key: string; ms: number }[] = [];
  const press = async (key: string, index: number, name: string) => {
    const began = performance.now();
    await page.keyboard.press(key);
    await shows(index, name);
    times.push({ key, ms: Math.round(performance.now() - began) });
  };

  await shows(1, nameAt(1));
  await table.focus();
  for (let n = 0; n < 5; n += 1) {
    await press("End", all - 1, nameAt(all - 1));
    await expect(row(all - 1)).toBeFocused();
    await press("ArrowUp", all - 2, nameAt(all - 2));
    await press("Home", 0, "管理员");
    await expect(row(0)).toBeFocused();
  }
  console.log(`      ${times.map(({ key, ms }) => `${key} ${ms} ms`).join(", ")}`);
  for (const { ms } of times) expect(ms).toBeLessThan(timeLimit(LIMIT));

  // The bar is dragged to the middle, the wheel moves on by rows, and the bar goes to both ends.
  const drag = (part: number) =>
    table.evaluate((box, to) => {
      box.scrollTop = (box.scrollHeight - box.clientHeight) * to;
    }, part);
  const highest = () =>
    table.evaluate((box) => {
      const top = box.getBoundingClientRect().top;
      const rows = [...box.querySelectorAll<HTMLElement>(".list-page-row[data-index]")];
      const inSight = rows.filter((one) => one.getBoundingClientRect().top >= top);
      return Math.min(...inSight.map((one) => Number(one.dataset["index"])));
    });
  await drag(0.5);
  await expect.poll(async () => Math.abs((await highest()) - all / 2)).toBeLessThan(40);
  const before = await highest();
  await table.hover();
  await page.mouse.wheel(0, 440);
  await expect.poll(highest).toBe(before + 10);
  await shows(before + 12, nameAt(before + 12));
  await drag(1);
  await shows(all - 1, nameAt(all - 1));
  await drag(0);
  await shows(1, nameAt(1));

  // In the order of names the first half of the rows changes places with the second.
  const head = page.getByRole("columnheader", { name: "姓名" });
  await head.getByRole("button").click();
  await expect(head).toHaveAttribute("aria-sort", "ascending");
  await shows(0, names(0));
  await table.focus();
  await page.keyboard.press("End");
  // The administrator's name begins with a later sign than 员.
  await shows(all - 1, "管理员");
  await shows(all - 2, names(EMPLOYEES - 1));
  await drag(0.5);
  await expect.poll(async () => Math.abs((await highest()) - all / 2)).toBeLessThan(40);
  const middle = await highest();
  await shows(middle + 2, names(middle + 2));
  expect(server.log()).not.toContain('"level":50');
});
