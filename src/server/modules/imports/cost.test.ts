/** Counts a chunk's database statements. On the embedded database every request waits for them. */
import type { PoolClient } from "pg";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import {
  createJob,
  FIELDS,
  keyOf,
  people,
  type Row,
  type Sender,
  sendChunk,
  toChunk,
} from "./chunks.harness.ts";
import { startTestPlatform, type TestPlatform } from "../../platform.harness.ts";

const asked: string[] = [];

/** Keeps the texts of a connection's statements. */
function count(client: PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  client.query = ((...args: [string | { text: string }]) => {
    const [said] = args;
    asked.push((typeof said === "string" ? said : said.text).trim());
    return query(...args);
  }) as typeof client.query;
}

let host: TestPlatform;
let sender: Sender;
beforeAll(async () => {
  host = await startTestPlatform();
  const { access_token: token } = await host.login("admin");
  sender = { platform: host, token, supplierId: "1" };
  // Their statements would count too.
  await vi.waitUntil(async () => (await tasksToRun()) === 0, { timeout: 50_000 });
  // Nothing else uses the database now, so the statements follow one another. The pool of a PostgreSQL replaces a connection that was
  // idle for ten seconds, so later ones are counted too.
  const { pool } = host.platform.database;
  const client = await pool.connect();
  count(client);
  client.release();
  pool.on("connect", count);
}, 60_000);
afterAll(() => host.close());

/** The scheduled tasks that have not ended their run at the start. */
const tasksToRun = async (): Promise<number> => {
  const { rows } = await host.platform.database.pool.query<{ left: number }>(
    `SELECT count(*)::int AS left FROM tasks
     WHERE running_until IS NOT NULL OR NOT EXISTS (SELECT FROM task_runs WHERE task_id = tasks.id)`,
  );
  return rows[0]?.left ?? -1;
};
const jobOf = async (key: number, rows: number, chunks: number): Promise<string> =>
  (await createJob(sender, keyOf(key), rows, { chunks })).data.id;
/** The statements of the transaction that stores the rows. */
const chunk = async (id: string, index: number, rows: readonly Row[]): Promise<string[]> => {
  asked.length = 0;
  expect((await sendChunk(sender, id, index, toChunk(rows, FIELDS))).data.index).toBe(index);
  const begin = asked.findIndex((text) => text.includes("WITH job AS")) - 1;
  return asked.slice(begin).filter((text) => !text.includes("employee_search"));
};

it("A chunk takes six statements, however many rows it has, and the first one of a job also reads the departments", async () => {
  const id = await jobOf(1, 503, 2);
  expect(await chunk(id, 0, people(3, 90_000))).toHaveLength(7);
  expect(await chunk(id, 1, people(500, 90_100))).toHaveLength(6);
});

it("Taken numbers are looked up from the second attempt on, and at once in the job's next chunks", async () => {
  const [first, ...rest] = people(5, 91_000);
  const id = await jobOf(2, 6, 2);
  const [again] = people(1, 90_100);
  const tries = await chunk(id, 0, [first!, again!]);
  expect(tries.filter((text) => text.includes("INSERT INTO employees"))).toHaveLength(2);
  expect(tries.filter((text) => text === "ROLLBACK")).toHaveLength(1);
  const next = await chunk(id, 1, rest);
  expect(next.filter((text) => text.includes("ON CONFLICT DO NOTHING RETURNING id"))).toHaveLength(
    1,
  );
  expect(next.filter((text) => text === "ROLLBACK")).toHaveLength(0);
});
