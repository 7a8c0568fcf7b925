/** The inbox of a group (docs/chat.md#inboxes): who reads what of it, from where, and when. */
import { sql } from "drizzle-orm";
import pino from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createLocalBus } from "../../../base/cluster/bus.ts";
import { openTestDatabase } from "../../../base/database/database.harness.ts";
import type { Database } from "../../../base/database/index.ts";
import { emptyDatabase, startTestServer, type TestServer } from "../chat.harness.ts";
import { APP_KEY, type TestClient } from "../client.harness.ts";
import { BODY, CONTENT, GROUP_DOMAIN } from "../wire/wire.ts";

const GROUP = "7001";
const to = { appKey: APP_KEY, name: GROUP, domain: GROUP_DOMAIN };

let database: Database;
let server: TestServer;
let serial = 0;

beforeAll(async () => {
  database = await openTestDatabase();
}, 60_000);
afterAll(() => database.close());
beforeEach(async () => {
  await emptyDatabase(database.db);
  await database.db.execute(sql`
    INSERT INTO accounts (username, nickname, chat_user_name, password_hash)
    SELECT name, name, name, 'x' FROM unnest(ARRAY['alice', 'bob', 'carol']) name`);
  await database.db.execute(sql`
    INSERT INTO im_groups (id, name, owner_id, public, approval, allow_invites)
    SELECT ${GROUP}, 'group', id, false, false, false FROM accounts WHERE chat_user_name = 'alice'`);
  for (const name of ["alice", "bob", "carol"]) await enter(name);
  server = await startTestServer({ database });
});
afterEach(() => server.close());

const enter = (name: string): Promise<unknown> =>
  database.db.execute(sql`
    INSERT INTO im_group_members (group_id, account_id)
    SELECT ${GROUP}, id FROM accounts WHERE chat_user_name = ${name}`);
const remove = (name: string): Promise<unknown> =>
  database.db.execute(sql`
    DELETE FROM im_group_members m USING accounts a
    WHERE m.account_id = a.id AND m.group_id = ${GROUP} AND a.chat_user_name = ${name}`);

/** @returns the server's id of the message */
async function write(sender: TestClient, text: string): Promise<string> {
  const body = { type: BODY.groupChat, contents: [{ type: CONTENT.text, text }] };
  const answer = await sender.upload(String((serial += 1)), GROUP, body, { to });
  expect(answer.status?.errorCode).toBe(0);
  return answer.serverId ?? "";
}
const textsOf = (client: TestClient): string[] => client.received.map((each) => each.text);
/** Pulls what waits, and ends when the server has said that nothing is left. */
async function pull(client: TestClient, name: string): Promise<string[]> {
  const { ends } = client;
  client.sync({ queue: { name } });
  await client.until("the end of the pull", () => client.ends > ends);
  return textsOf(client);
}
const acknowledged = (client: TestClient): Promise<unknown> => client.unread();

test("A member who was away reads from the own place on, after the death of the server too, and each message once", async () => {
  const alice = await server.client("alice");
  const bob = await server.client("bob");
  await write(alice, "one");
  await bob.until("one", () => bob.received.length === 1);
  await acknowledged(bob);
  bob.socket.close();
  await bob.until("closed", () => bob.closed !== null);
  for (let n = 2; n <= 90; n += 1) await write(alice, String(n));
  await server.restart();
  const back = await server.client("bob");
  expect((await back.unread()).unread?.[0]?.n).toBe(89);
  expect(await pull(back, "bob")).toEqual(Array.from({ length: 89 }, (_, n) => String(n + 2)));
  expect((await back.unread()).unread ?? []).toEqual([]);
  await server.restart();
  const again = await server.client("bob");
  expect(await pull(again, "bob")).toEqual([]);
});

test("The sending device gets nothing, the sender's other devices and all devices of others do", async () => {
  const desk = await server.client("alice", "web_1");
  const laptop = await server.client("alice", "web_2");
  // The same name of a device belongs to another person.
  const bob = await server.client("bob", "web_1");
  await write(desk, "hello");
  await laptop.until("the copy", () => laptop.received.length === 1);
  await bob.until("the message", () => bob.received.length === 1);
  expect((await desk.unread()).unread ?? []).toEqual([]);
  expect(desk.received).toEqual([]);
});

test("A new device begins where the person's furthest device is, and keeps its own place then", async () => {
  const alice = await server.client("alice");
  const bob = await server.client("bob", "web_1");
  await write(alice, "one");
  await bob.until("one", () => bob.received.length === 1);
  await acknowledged(bob);
  const other = await server.client("bob", "web_2");
  expect(await pull(other, "bob")).toEqual([]);
  other.socket.close();
  await other.until("closed", () => other.closed !== null);
  await write(alice, "two");
  await bob.until("two", () => bob.received.length === 2);
  await acknowledged(bob);
  expect(await pull(await server.client("bob", "web_2"), "bob")).toEqual(["two"]);
});

test("Who enters reads from there on, who is removed reads nothing more, and who comes back misses what was written meanwhile", async () => {
  await remove("carol");
  const alice = await server.client("alice");
  const bob = await server.client("bob");
  const carol = await server.client("carol");
  await write(alice, "before");
  await enter("carol");
  await write(alice, "with carol");
  await carol.until("the first", () => carol.received.length === 1);
  carol.auto = false;
  await write(alice, "not pulled");
  await remove("carol");
  await write(alice, "without carol");
  carol.auto = true;
  expect(await pull(carol, "carol")).toEqual(["with carol"]);
  await enter("carol");
  await write(alice, "back");
  await carol.until("the second", () => carol.received.length === 2);
  expect(textsOf(carol)).toEqual(["with carol", "back"]);
  const all = ["before", "with carol", "not pulled", "without carol", "back"];
  await bob.until("all", () => bob.received.length === all.length);
  expect(textsOf(bob)).toEqual(all);
});

test("Who was away reads neither a message that was taken back nor the edits before it, but learns of the recall", async () => {
  const alice = await server.client("alice");
  const about = await write(alice, "oops");
  await write(alice, "kept");
  const recall = { type: BODY.recall, ackMessageId: about };
  const answer = await alice.upload(String((serial += 1)), GROUP, recall, { to });
  expect(answer.status?.errorCode).toBe(0);
  const bob = await server.client("bob");
  await pull(bob, "bob");
  expect(bob.received.map((each) => [each.type, each.text, each.about])).toEqual([
    [BODY.groupChat, "kept", ""],
    [BODY.recall, "", about],
  ]);
});

test("What waits in the groups and in the own inbox comes in the order of the messages", async () => {
  const alice = await server.client("alice");
  const sent = Array.from({ length: 100 }, (_, n) => `${n % 3 === 0 ? "person" : "group"} ${n}`);
  for (const text of sent) {
    if (text.startsWith("group")) await write(alice, text);
    else await alice.text(String((serial += 1)), "bob", text);
  }
  expect(await pull(await server.client("bob"), "bob")).toEqual(sent);
});

test("What entered the inboxes of members before groups had one comes first, and once", async () => {
  const alice = await server.client("alice");
  for (const text of ["old 1", "old 2"]) await write(alice, text);
  // As it was stored then.
  await database.db.execute(sql`
    INSERT INTO chat_inbox (user_name, key, message_id)
    SELECT 'bob', key, message_id FROM chat_inbox WHERE user_name = ${`#${GROUP}`}`);
  await database.db.execute(sql`INSERT INTO chat_inbox_head VALUES ('bob', 2)`);
  await database.db.execute(sql`DELETE FROM chat_inbox WHERE user_name = ${`#${GROUP}`}`);
  await database.db.execute(sql`UPDATE im_group_members SET inbox_from = NULL`);
  await write(alice, "new");
  expect(await pull(await server.client("bob"), "bob")).toEqual(["old 1", "old 2", "new"]);
});

test("Members at two processes get each message of both once and in one order", async () => {
  const bus = createLocalBus(pino({ level: "silent" }));
  const one = await startTestServer({ database, bus });
  const two = await startTestServer({ database, bus });
  try {
    const alice = await one.client("alice");
    const bob = await two.client("bob");
    const carols = [await one.client("carol", "web_1"), await two.client("carol", "web_2")];
    for (let n = 0; n < 20; n += 1) {
      await Promise.all([write(alice, `alice ${n}`), write(bob, `bob ${n}`)]);
    }
    for (const carol of carols) await carol.until("all", () => carol.received.length >= 40);
    const [first = [], second = []] = carols.map(textsOf);
    expect(second).toEqual(first);
    expect(new Set(first).size).toBe(40);
    for (const name of ["alice", "bob"]) {
      expect(first.filter((text) => text.startsWith(name))).toEqual(
        Array.from({ length: 20 }, (_, n) => `${name} ${n}`),
      );
    }
    await bob.until("alice's", () => bob.received.length >= 20);
    expect(bob.received).toHaveLength(20);
  } finally {
    await one.close();
    await two.close();
  }
});

test("The inbox of a dissolved group is deleted", async () => {
  const alice = await server.client("alice");
  await write(alice, "gone");
  await database.db.execute(sql`DELETE FROM im_groups WHERE id = ${GROUP}`);
  await server.gateway.store.sweep(Date.now());
  const { rows } = await database.pool.query("SELECT FROM chat_inbox");
  expect(rows).toHaveLength(0);
});

test("What a member has deleted does not come back on a device that was away", async () => {
  const alice = await server.client("alice");
  const deleted = await write(alice, "deleted");
  await write(alice, "kept");
  await database.db.execute(
    sql`INSERT INTO chat_erased (user_name, message_id) VALUES ('bob', ${deleted}::bigint)`,
  );
  const bob = await server.client("bob");
  expect((await bob.unread()).unread?.[0]?.n).toBe(1);
  expect(await pull(bob, "bob")).toEqual(["kept"]);
  const carol = await server.client("carol");
  expect(await pull(carol, "carol")).toEqual(["deleted", "kept"]);
});
