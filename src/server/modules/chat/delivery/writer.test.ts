/** Batches of messages in a real database: order, a bad message, and what the writing of one costs. */
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestDatabase } from "../../../base/database/database.harness.ts";
import type { Database } from "../../../base/database/index.ts";
import { emptyDatabase } from "../chat.harness.ts";
import { createIdSource } from "../wire/ids.ts";
import type { Outgoing, Written } from "../wire/records.ts";
import { type ChatStore, createChatStore } from "../store.ts";
import { BODY } from "../wire/wire.ts";
import { createWriter } from "./writer.ts";

const clock = { now: () => Date.now(), setTimeout: () => ({ cancel: () => undefined }) };
const nextId = createIdSource(clock.now);
let database: Database;
let store: ChatStore;

beforeAll(async () => {
  database = await openTestDatabase();
  store = createChatStore(database.db);
}, 60_000);
afterAll(() => database.close());
beforeEach(() => emptyDatabase(database.db));

const message = (clientId: number, recipient = "bob", sender = "alice"): Outgoing => ({
  sender,
  resource: "web",
  recipient,
  clientId: String(clientId),
  digest: String(clientId),
  kind: BODY.chat,
  roams: true,
  onlineOnly: false,
  carbon: true,
  reads: null,
  recalls: null,
  build: (id) => Buffer.from(`${clientId} is ${id}`),
});

test("Messages that come during a write are one transaction, in their order", async () => {
  const sizes: number[] = [];
  const delivered: string[] = [];
  const writer = createWriter({
    clock,
    nextId,
    store: {
      writeBatch(batch) {
        sizes.push(batch.length);
        return store.writeBatch(batch);
      },
    },
    onCommitted: (written) => delivered.push(...written.map((w) => w.outgoing.clientId)),
  });
  const all = Array.from({ length: 120 }, (_, n) => n);
  const written = await Promise.all(all.map((n) => writer.write(message(n))));
  await writer.drain();
  expect(sizes).toEqual([1, 100, 19]);
  expect(delivered).toEqual(all.map(String));
  // The key of the recipient's inbox and the id grow with the order in which they came.
  const keys = written.map((w) => w.places.find(({ owner }) => owner === "bob")?.key);
  expect(keys).toEqual(all.map((n) => BigInt(n + 1)));
  const ids = written.map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted((a, b) => (a < b ? -1 : 1)));
});

test("A message that the database refuses fails alone, and a repeated one keeps its first id", async () => {
  const delivered: Written[] = [];
  const writer = createWriter({
    clock,
    nextId,
    store,
    onCommitted: (written) => delivered.push(...written),
  });
  // The database stores no text with a NUL.
  const all = [message(1), message(2), message(3, "b\0b"), message(4), message(2), message(5)];
  const settled = await Promise.allSettled(all.map((outgoing) => writer.write(outgoing)));
  expect(settled.map(({ status }) => status)).toEqual(
    all.map(({ recipient }) => (recipient === "bob" ? "fulfilled" : "rejected")),
  );
  const [, second, , , again] = settled.map((s) => (s.status === "fulfilled" ? s.value : null));
  expect(again).toMatchObject({ duplicate: true, id: second?.id });
  const { rows } = await database.db.execute<{ client_id: string; key: string }>(sql`
    select m.client_id, i.key::text from chat_inbox i join chat_message m on m.id = i.message_id
    where i.user_name = 'bob' order by i.key`);
  expect(rows.map((row) => row.client_id)).toEqual(["1", "2", "4", "5"]);
  expect(delivered.map((w) => w.duplicate)).toEqual([false, false, false, true, false]);
});

test("Entries of deleted messages are deleted", async () => {
  await store.writeBatch(
    [1, 2, 3].map((n) => ({ outgoing: message(n), id: nextId(), sentAt: clock.now() })),
  );
  await database.db.execute(sql`delete from chat_message where client_id in ('1', '3')`);
  const { rows } = await database.db.execute(sql`
    select i.user_name, m.client_id from chat_inbox i
    left join chat_message m on m.id = i.message_id order by 1`);
  expect(rows).toEqual([
    { user_name: "alice", client_id: "2" },
    { user_name: "bob", client_id: "2" },
  ]);
});

/** Rows of chat_message that connections have read one by one, whatever they looked for. */
async function rowsScanned(): Promise<number> {
  await database.db.execute(sql`select pg_stat_force_next_flush()`);
  const { rows } = await database.db.execute<{ n: number }>(sql`
    select seq_tup_read::int as n from pg_stat_user_tables where relname = 'chat_message'`);
  return rows[0]?.n ?? 0;
}

test("A write reads no message that was there before, also when the planner takes the table for empty", async () => {
  await database.db.execute(sql`analyze chat_message`);
  const before = await rowsScanned();
  for (let at = 0; at < 40; at += 1) {
    await store.writeBatch(
      Array.from({ length: 50 }, (_, n) => ({
        outgoing: message(at * 50 + n),
        id: nextId(),
        sentAt: clock.now(),
      })),
    );
  }
  expect((await rowsScanned()) - before).toBeLessThan(2000);
});
