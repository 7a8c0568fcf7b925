import type { Pool } from "pg";
import { beforeAll, expect, it } from "vitest";
import { platformForTests } from "../../asking.harness.ts";
import { arrayText } from "./write.ts";

const { host } = platformForTests();
let pool: Pool;
beforeAll(async () => {
  pool = host.platform.database.pool;
});

it("The database reads an array's text form as the same array", async () => {
  const values = [
    "",
    "NULL",
    null,
    "a,b",
    "{}",
    '"',
    "\\",
    '\\"\\\\',
    " x ",
    "字\u{20bb7}\n",
    "'",
    "$1",
  ];
  const { rows } = await pool.query<{ values: (string | null)[] }>("SELECT $1::text[] AS values", [
    arrayText(values),
  ]);
  expect(rows[0]?.values).toEqual(values);
  const { rows: others } = await pool.query(
    "SELECT $1::int[] AS a, $2::jsonb[] AS b, $3::date[]::text[] AS c",
    [
      arrayText([1, null, -3]),
      arrayText([JSON.stringify({ a: 'x"\\y' })]),
      arrayText(["2024-02-29", null, undefined]),
    ],
  );
  expect(others).toEqual([
    { a: [1, null, -3], b: [{ a: 'x"\\y' }], c: ["2024-02-29", null, null] },
  ]);
});
