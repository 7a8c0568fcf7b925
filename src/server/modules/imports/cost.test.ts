/** Counts a chunk's database statements. On the embedded database every request waits for them. */
import type { PoolClient } from "pg";
import { beforeAll, expect, it } from "vitest";
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
import { platformForTests } from "../../asking.harness.ts";

/** The statements so far, each with the connection that ran it. */
const asked: { readonly client: PoolClient; readonly text: string }[] = [];
const counted = new WeakSet<PoolClient>();

/** Keeps the texts of a connection's statements. */
function count(client: PoolClient): void {
  if (counted.has(client)) return;
  counted.add(client);
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  client.query = ((...args: [string | { text: string }]) => {
    const [said] = args;
    asked.push({ client, text: (typeof said === "string" ? said : said.text).trim() });
    return query(...args);
  }) as typeof client.query;
}

const { host } = platformForTests();
let sender: Sender;
beforeAll(async () => {
  const { access_token: token } = await host.login("admin");
  sender = { platform: host, token, supplierId: "1" };
  // The pool of a PostgreSQL opens several connections and replaces idle ones, so each is counted when it is taken.
  host.platform.database.pool.on("acquire", count);
});

const jobOf = async (key: number, rows: number, chunks: number): Promise<string> =>
  (await createJob(sender, keyOf(key), rows, { chunks })).data.id;
/**
 * The statements of each attempt to store the rows, from its BEGIN to its COMMIT or ROLLBACK.
 * What the server does before, after and between them for its own tasks and for watchers does not count.
 */
const attempts = async (id: string, index: number, rows: readonly Row[]): Promise<string[][]> => {
  asked.length = 0;
  expect((await sendChunk(sender, id, index, toChunk(rows, FIELDS))).data.index).toBe(index);
  const first = asked.find(({ text }) => text.includes("WITH job AS"));
  const texts = asked.filter(({ client }) => client === first?.client).map(({ text }) => text);
  return texts.flatMap((text, at) => {
    if (!text.includes("WITH job AS")) return [];
    const end = texts.findIndex((next, n) => n > at && (next === "COMMIT" || next === "ROLLBACK"));
    return [texts.slice(at - 1, end + 1)];
  });
};

it("A chunk takes six statements, however many rows it has", async () => {
  const id = await jobOf(1, 503, 2);
  for (const [index, rows] of [people(3, 90_000), people(500, 90_100)].entries()) {
    const tries = await attempts(id, index, rows);
    expect(tries).toHaveLength(1);
    expect(tries[0]).toHaveLength(6);
    expect(tries[0]?.at(-1)).toBe("COMMIT");
  }
});

it("Taken numbers are looked up from the second attempt on, and at once in the job's next chunks", async () => {
  const lookUps = (texts: readonly string[]): number =>
    texts.filter((text) => text.includes("ON CONFLICT DO NOTHING RETURNING id")).length;
  const [first, ...rest] = people(5, 91_000);
  const id = await jobOf(2, 6, 2);
  const [again] = people(1, 90_100);
  const tries = await attempts(id, 0, [first!, again!]);
  expect(tries.map((texts) => texts.at(-1))).toEqual(["ROLLBACK", "COMMIT"]);
  expect(tries.map(lookUps)).toEqual([0, 1]);
  const next = await attempts(id, 1, rest);
  expect(next.map((texts) => texts.at(-1))).toEqual(["COMMIT"]);
  expect(next.map(lookUps)).toEqual([1]);
});
