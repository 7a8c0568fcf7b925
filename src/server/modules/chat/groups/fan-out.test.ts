/** What one message to a group costs: numbers of statements, bus messages and frames, never times. */
import { sql } from "drizzle-orm";
import pino from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { GROUP_LIMITS } from "../../../../shared/protocol/rest/im-groups.ts";
import { createLocalBus } from "../../../base/cluster/bus.ts";
import { openTestDatabase } from "../../../base/database/database.harness.ts";
import type { Database } from "../../../base/database/index.ts";
import type { Bus } from "../../../base/module.ts";
import { emptyDatabase, startTestServer, type TestServer } from "../chat.harness.ts";
import { APP_KEY, type TestClient } from "../client.harness.ts";
import { BODY, CONTENT, GROUP_DOMAIN } from "../wire/wire.ts";

let database: Database;
let server: TestServer;
let statements: string[] = [];
let published: string[] = [];

beforeAll(async () => {
  database = await openTestDatabase();
  const seen = new Set<unknown>();
  database.pool.on("acquire", (client) => {
    if (seen.has(client)) return;
    seen.add(client);
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    client.query = ((...given: [string | { text: string }]) => {
      const [said] = given;
      statements.push(typeof said === "string" ? said : said.text);
      return query(...given);
    }) as typeof client.query;
  });
}, 60_000);
afterAll(() => database.close());
beforeEach(async () => {
  await emptyDatabase(database.db);
  const bus = createLocalBus(pino({ level: "silent" }));
  const counted: Bus = {
    ...bus,
    publish(topic, message) {
      published.push(topic);
      return bus.publish(topic, message);
    },
  };
  server = await startTestServer({ database, bus: counted });
});
afterEach(() => server.close());

/** A group of `alice`, `bob`, `carol` and as many others as make it this large. */
async function makeGroup(id: string, size: number): Promise<void> {
  await database.db.execute(sql`
    INSERT INTO accounts (username, nickname, chat_user_name, password_hash)
    SELECT name, name, name, 'x' FROM (
      SELECT unnest(ARRAY['alice', 'bob', 'carol']) AS name
      UNION ALL SELECT 'member' || n FROM generate_series(4, ${size}::int) n) people
    ON CONFLICT DO NOTHING`);
  await database.db.execute(sql`
    INSERT INTO im_groups (id, name, owner_id, public, approval, allow_invites)
    SELECT ${id}, 'group', a.id, false, false, false FROM accounts a WHERE a.chat_user_name = 'alice'`);
  await database.db.execute(sql`
    INSERT INTO im_group_members (group_id, account_id)
    SELECT ${id}, id FROM accounts ORDER BY id LIMIT ${size}::int`);
}

async function costOf(sender: TestClient, others: readonly TestClient[], groupId: string) {
  for (const other of others) other.auto = false;
  const before = others.map((other) => other.notices);
  statements = [];
  published = [];
  const body = { type: BODY.groupChat, contents: [{ type: CONTENT.text, text: "集合" }] };
  const to = { appKey: APP_KEY, name: groupId, domain: GROUP_DOMAIN };
  const answer = await sender.upload(`1${groupId}`, groupId, body, { to });
  expect(answer.status?.errorCode).toBe(0);
  await Promise.all(
    others.map((other, i) =>
      other.until("the notice", () => other.notices > (before[i] ?? Number.POSITIVE_INFINITY)),
    ),
  );
  // Everything that the server sent earlier arrives before this answer.
  await Promise.all(others.map((other) => other.unread()));
  const cost = {
    statements: statements.filter((text) => !text.includes("count(*)")).length,
    published: [...published].sort(),
    frames: others.map((other, i) => other.notices - (before[i] ?? 0)),
  };
  for (const other of others) other.auto = true;
  return cost;
}

const rowsOf = async (): Promise<number> => {
  const { rows } = await database.pool.query<{ n: number }>(
    "SELECT count(*)::int AS n FROM chat_inbox",
  );
  return rows[0]?.n ?? 0;
};

test("A reaction, an edit, a recall and an event for all members are one entry each", async () => {
  await makeGroup("5003", 1000);
  const alice = await server.client("alice");
  const bob = await server.client("bob");
  const to = { appKey: APP_KEY, name: "5003", domain: GROUP_DOMAIN };
  const contents = [{ type: CONTENT.text, text: "集合" }];
  const sent = await alice.upload("1", "5003", { type: BODY.groupChat, contents }, { to });
  const about = sent.serverId ?? "";
  const actor = { userName: "alice", resource: "web_1" };
  const { groups, reactions } = server.gateway;
  const entries = [await rowsOf()];
  const after = async (done: Promise<unknown>): Promise<void> => {
    await done;
    entries.push(await rowsOf());
  };
  await after(reactions.add(actor, BigInt(about), "👍"));
  await after(groups.announce(actor, "5003", "今天开会"));
  await after(groups.muteAll(actor, "5003", true));
  const edit = { type: BODY.edit, editMessageId: about, contents };
  await after(alice.upload("2", "5003", edit, { to }));
  const recall = { type: BODY.recall, ackMessageId: about };
  await after(alice.upload("3", "5003", recall, { to }));
  expect(entries).toEqual([1, 2, 3, 4, 5, 6]);
  await bob.until("all of it", () => bob.received.length >= 4);
});

test("Members at another process are served from what came over the bus, and the store answers when that got lost", async () => {
  await makeGroup("5004", 3);
  let isLost = false;
  const bus = createLocalBus(pino({ level: "silent" }));
  const losing: Bus = {
    ...bus,
    publish: async (topic, message) => {
      if (!isLost || topic !== "chat:groups") await bus.publish(topic, message);
    },
  };
  const here = await startTestServer({ database, bus: losing });
  const there = await startTestServer({ database, bus });
  try {
    const alice = await here.client("alice");
    const bob = await there.client("bob");
    const to = { appKey: APP_KEY, name: "5004", domain: GROUP_DOMAIN };
    const write = async (id: string, text: string): Promise<void> => {
      const body = { type: BODY.groupChat, contents: [{ type: CONTENT.text, text }] };
      expect((await alice.upload(id, "5004", body, { to })).status?.errorCode).toBe(0);
    };
    await bob.unread();
    statements = [];
    for (const n of [1, 2, 3]) await write(`${n}`, `${n}`);
    await bob.until("the messages", () => bob.received.length === 3);
    expect(statements.filter((text) => text.includes("lateral"))).toEqual([]);
    isLost = true;
    await write("4", "4");
    isLost = false;
    // The periodic sign of life reveals the lost message.
    expect((await bob.unread()).unread?.[0]?.n).toBe(1);
    bob.sync({ queue: { name: "bob" } });
    await bob.until("the lost one", () => bob.received.length === 4);
    expect(statements.filter((text) => text.includes("lateral"))).not.toEqual([]);
    isLost = true;
    await write("5", "5");
    isLost = false;
    // The next message reveals the loss too, because its predecessor is unknown.
    await write("6", "6");
    await bob.until("both", () => bob.received.length === 6);
    expect(bob.received.map((each) => each.text)).toEqual(["1", "2", "3", "4", "5", "6"]);
  } finally {
    await here.close();
    await there.close();
  }
});

test("A message costs a group of 5000 no more statements, bus messages or frames than a group of three", async () => {
  await makeGroup("5001", 3);
  await makeGroup("5002", GROUP_LIMITS.members);
  const alice = await server.client("alice");
  const others = [
    await server.client("bob"),
    await server.client("carol", "web_1"),
    await server.client("carol", "web_2"),
  ];
  const small = await costOf(alice, others, "5001");
  const large = await costOf(alice, others, "5002");
  expect(large).toEqual(small);
  expect(large.frames).toEqual([1, 1, 1]);
  // One for all receivers and the sender's other devices.
  expect(large.published).toEqual(["chat:groups"]);
  const { rows } = await database.pool.query<{ user_name: string }>(
    "SELECT i.user_name FROM chat_inbox i JOIN chat_message m ON m.id = i.message_id WHERE m.conversation = '#5002'",
  );
  // It is stored once.
  expect(rows).toEqual([{ user_name: "#5002" }]);
});
