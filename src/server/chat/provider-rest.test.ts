import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Database } from "../db/index.ts";
import { openTestDatabase } from "../db/testing.ts";
import { accounts } from "../db/schema/base.ts";
import { emptyDatabase, startTestServer } from "./testkit.ts";
import type { TestServer } from "./testkit.ts";
import { MessageBodyCodec, MetaCodec } from "./wire.ts";

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

test("a wrong password, an unknown user and a banned one are told apart as the SDK does it", async () => {
  await server.addSession("alice", "one");
  await server.addSession("banned", "none");
  await server.db
    .update(accounts)
    .set({ disabledAt: new Date() })
    .where(eq(accounts.username, "banned"));
  const good = server.gateway.credentials.password("alice");
  expect(good).toHaveLength(32);
  expect((await login("alice", good)).status).toBe(200);
  expect(await login("alice", "wrong")).toMatchObject({
    status: 400,
    body: { error: "invalid_grant", error_description: "invalid password" },
  });
  expect(await login("nobody", good)).toMatchObject({
    status: 404,
    body: { error_description: "user not found" },
  });
  expect(await login("banned", good)).toMatchObject({
    status: 403,
    body: { error_description: "user not activated" },
  });
  // bob's password is not alice's, and a session's password is not another session's
  expect((await login("alice", server.gateway.credentials.password("bob"))).status).toBe(400);
  const bound = server.gateway.credentials.password("alice", "one");
  expect((await login("alice", bound)).status).toBe(200);
  expect((await login("alice", bound.replace(/one$/, "two"))).status).toBe(400);
  // well derived, but of no login there is
  expect((await login("alice", server.gateway.credentials.password("alice", "x"))).status).toBe(
    400,
  );
});

test("history pages both ways, without commands, and only for the two who wrote it", async () => {
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

test("conversations, contacts, blocks, token expiry, presence and profile answer with 200", async () => {
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
  // no word about those one may not talk to
  expect(presence.body["result"]).toMatchObject([{ uid: "alice", status: { web_a: "1" } }]);
  expect((await call("PUT", "/metadata/user/bob", token, "nickname=%E9%B2%8D")).status).toBe(200);
  const profile = await call("POST", "/metadata/user/get", token, { targets: ["bob"] });
  expect(profile.body["data"]).toEqual({ bob: { nickname: "鲍" } });
});

test("no token is 401, an unknown call 404, a bad body 400, all in the provider's shape", async () => {
  expect(await call("GET", "/users/bob/contacts/users", "nonsense")).toMatchObject({
    status: 401,
    body: { error: "unauthorized" },
  });
  const token = await server.token("bob");
  expect(await call("POST", "/chatgroups", token, {})).toMatchObject({
    status: 404,
    body: { error: "service_resource_not_found" },
  });
  expect(await call("POST", "/users/bob/messageroaming", token, { queue: "x" })).toMatchObject({
    status: 400,
    body: { error: "illegal_argument" },
  });
});
