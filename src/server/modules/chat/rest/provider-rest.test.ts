import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Database } from "../../../base/database/index.ts";
import { openTestDatabase } from "../../../base/database/database.harness.ts";
import { accounts } from "../../../base/database/schema/base.ts";
import { PAIR_FREE } from "../../../base/http/login-guard.ts";
import { createKeptFailures } from "../../../base/limits/kept-failures.ts";
import { emptyDatabase, SECRET, startTestServer } from "../chat.harness.ts";
import type { TestServer } from "../chat.harness.ts";
import { BODY, MessageBodyCodec, MetaCodec } from "../wire/wire.ts";

let database: Database;
let server: TestServer;
beforeAll(async () => {
  database = await openTestDatabase();
}, 60_000);
afterAll(() => database.close());
beforeEach(async () => {
  await emptyDatabase(database.db);
  server = await startTestServer({ database });
});
afterEach(() => server.close());

async function call(
  method: string,
  path: string,
  token: string,
  body?: unknown,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(`http://${server.base}/hyzh/console${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const login = (username: string, password: string) =>
  call("POST", "/token", "", { grant_type: "password", username, password });

test("An unknown name and a wrong password get the same answer; only a correct password reveals that its user is banned", async () => {
  await server.addSession("alice", "one");
  await server.addSession("banned", "none");
  await server.db
    .update(accounts)
    .set({ disabledAt: new Date() })
    .where(eq(accounts.username, "banned"));
  const good = server.gateway.credentials.password("alice");
  expect(good).toHaveLength(32);
  expect((await login("alice", good)).status).toBe(200);
  const plain = async (answer: ReturnType<typeof login>) => {
    const { status, body } = await answer;
    return { status, body: { ...body, timestamp: 0 } };
  };
  const wrong = await plain(login("alice", "wrong"));
  expect(wrong).toMatchObject({
    status: 400,
    body: { error: "invalid_grant", error_description: "invalid password" },
  });
  expect(await plain(login("nobody", good))).toEqual(wrong);
  expect(await plain(login("banned", "wrong"))).toEqual(wrong);
  // Derived with the server's secret and therefore correct, but for a name without an account.
  expect(await plain(login("nobody", server.gateway.credentials.password("nobody")))).toEqual(
    wrong,
  );
  expect(await login("banned", server.gateway.credentials.password("banned"))).toMatchObject({
    status: 403,
    body: { error_description: "user not activated" },
  });
  // bob's password does not work for alice, and one session's password does not work for another session.
  expect((await login("alice", server.gateway.credentials.password("bob"))).status).toBe(400);
  const bound = server.gateway.credentials.password("alice", "one");
  expect((await login("alice", bound)).status).toBe(200);
  expect((await login("alice", bound.replace(/one$/, "two"))).status).toBe(400);
  // Correctly derived, but for a login that does not exist.
  expect((await login("alice", server.gateway.credentials.password("alice", "x"))).status).toBe(
    400,
  );
});

test("Wrong passwords slow down only their name at their address", async () => {
  await server.addSession("alice", "one");
  const good = server.gateway.credentials.password("alice");
  const statuses = [];
  for (let i = 0; i < 100; i += 1) statuses.push((await login("bob", "wrong")).status);
  expect(statuses.slice(0, PAIR_FREE)).toEqual(Array.from({ length: PAIR_FREE }, () => 400));
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(90);
  expect((await login("alice", good)).status).toBe(200);
});

test("Wrong passwords count at every process, and not against the login of the console", async () => {
  await server.addSession("alice", "one");
  const good = server.gateway.credentials.password("alice");
  for (let i = 0; i < PAIR_FREE; i += 1) expect((await login("alice", "wrong")).status).toBe(400);
  const other = await startTestServer({ database });
  try {
    const answer = await fetch(`http://${other.base}/hyzh/console/token`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ grant_type: "password", username: "alice", password: good }),
    });
    expect([answer.status, await answer.json()]).toMatchObject([429, { error: "reach_limit" }]);
  } finally {
    await other.close();
  }
  const failures = createKeptFailures({ db: database.db, secret: SECRET });
  const key = "127.0.0.1\nalice";
  const times = await failures.times([
    { kind: "chat-token", key },
    { kind: "login", key },
    { kind: "login-address", key: "127.0.0.1" },
  ]);
  expect(times.map(({ length }) => length)).toEqual([PAIR_FREE, 0, 0]);
});

test("The history marks own messages as read: one by its receipt, all by the receipt of the conversation", async () => {
  const alice = await server.client("alice");
  const bob = await server.client("bob");
  const token = { alice: await server.token("alice"), bob: await server.token("bob") };
  const marks = async (me: "alice" | "bob", peer: string) => {
    const { body } = await call("POST", `/users/${me}/messageroaming`, token[me], {
      queue: `${peer}@easemob.com`,
      start: null,
      pull_number: 10,
      is_positive: true,
    });
    const { msgs } = body["data"] as { msgs: { msg: string }[] };
    return msgs.map(({ msg }) => {
      const meta = MetaCodec.decode(Buffer.from(msg, "base64"));
      const { contents, meta: own } = MessageBodyCodec.decode(meta.payload ?? new Uint8Array());
      const read = own === undefined ? undefined : (JSON.parse(own) as object);
      return [contents?.[0]?.text, read];
    });
  };
  const yes = { isRead: true, isDelivered: true };

  await alice.text("301", "bob", "first");
  const { serverId = "" } = await alice.text("302", "bob", "second");
  await bob.text("303", "alice", "answer");
  await alice.text("304", "carol", "another conversation");
  await bob.upload("305", "alice", { type: BODY.readAck, ackMessageId: serverId });
  expect(await marks("alice", "bob")).toEqual([
    ["first", undefined],
    ["second", yes],
    ["answer", undefined],
  ]);
  await bob.upload("306", "alice", { type: BODY.channelAck });
  await alice.text("307", "bob", "third");
  expect(await marks("alice", "bob")).toEqual([
    ["first", yes],
    ["second", yes],
    ["answer", undefined],
    ["third", undefined],
  ]);
  expect(await marks("bob", "alice")).toEqual(
    ["first", "second", "answer", "third"].map((text) => [text, undefined]),
  );
  expect(await marks("alice", "carol")).toEqual([["another conversation", undefined]]);
  await bob.upload("308", "alice", { type: BODY.channelAck });
  await server.restart();
  expect((await marks("alice", "bob")).at(-1)).toEqual(["third", yes]);
});

test("The history pages in both directions, without commands, and only for its two members", async () => {
  const alice = await server.client("alice");
  const bob = await server.client("bob");
  for (let i = 0; i < 5; i += 1) {
    await (i % 2 === 0 ? alice : bob).text(String(100 + i), i % 2 === 0 ? "bob" : "alice", `h${i}`);
  }
  await alice.cmd("200", "bob", "sendRing");
  const token = await server.token("bob");

  async function page(start: string | null, is_positive: boolean, as = "bob", who = token) {
    const { body, status } = await call("POST", `/users/${as}/messageroaming`, who, {
      queue: `${as === "carol" ? "bob" : "alice"}@easemob.com`,
      start,
      pull_number: 2,
      is_positive,
    });
    expect(status).toBe(200);
    const data = body["data"] as { msgs: { msg: string }[]; next_key: string; is_last: boolean };
    const texts = data.msgs.map((m) => {
      const meta = MetaCodec.decode(Buffer.from(m.msg, "base64"));
      return MessageBodyCodec.decode(meta.payload ?? new Uint8Array()).contents?.[0]?.text;
    });
    return { texts, next: data.next_key, last: data.is_last };
  }

  const newest = await page(null, false);
  expect(newest).toMatchObject({ texts: ["h4", "h3"], last: false });
  const older = await page(newest.next, false);
  expect(older).toMatchObject({ texts: ["h2", "h1"], last: false });
  expect(await page(older.next, false)).toMatchObject({ texts: ["h0"], last: true });
  const oldest = await page("-1", true);
  expect(oldest).toMatchObject({ texts: ["h0", "h1"], last: false });
  expect(await page(oldest.next, true)).toMatchObject({ texts: ["h2", "h3"] });

  expect(await page(null, false, "carol", await server.token("carol"))).toMatchObject({
    texts: [],
  });
  const foreign = await call("POST", "/users/alice/messageroaming", token, {
    queue: "bob@easemob.com",
  });
  expect(foreign.status).toBe(403);
});

test("Conversations, contacts, blocks, token expiry, presence and profile answer with 200", async () => {
  const alice = await server.client("alice", "web_a");
  await alice.text("1", "bob", "hello");
  const token = await server.token("bob");
  const list = await call("GET", "/sdk/user/bob/user_channels/list?limit=20", token);
  expect(list.body["data"]).toMatchObject({ channel_infos: [{ session_to: "alice" }] });
  expect((await call("GET", "/users/bob/contacts/users", token)).body["data"]).toEqual([
    "alice",
    "carol",
  ]);
  expect((await call("GET", "/users/bob/blocks/users", token)).body["data"]).toEqual([]);
  const expires = await call("GET", "/sdk/users/bob/token/expires", token);
  expect(expires.body["expire_timestamp"]).toBeGreaterThan(Date.now());
  const presence = await call("POST", "/users/bob/presence/3600", token, {
    usernames: ["alice", "mallory"],
  });
  // Nothing about people whom the caller may not talk to.
  expect(presence.body["result"]).toMatchObject([{ uid: "alice", status: { web_a: "1" } }]);
  expect((await call("PUT", "/metadata/user/bob", token, "nickname=%E9%B2%8D")).status).toBe(200);
  const profile = await call("POST", "/metadata/user/get", token, { targets: ["bob"] });
  expect(profile.body["data"]).toEqual({ bob: { nickname: "鲍" } });
});

test("A missing token is answered with 401, an unknown call with 404, a bad body with 400, all in the provider's format", async () => {
  expect(await call("GET", "/users/bob/contacts/users", "nonsense")).toMatchObject({
    status: 401,
    body: { error: "unauthorized" },
  });
  const token = await server.token("bob");
  expect(await call("POST", "/chatrooms", token, {})).toMatchObject({
    status: 404,
    body: { error: "service_resource_not_found" },
  });
  expect(await call("POST", "/users/bob/messageroaming", token, { queue: "x" })).toMatchObject({
    status: 400,
    body: { error: "illegal_argument" },
  });
});
