import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { sql } from "drizzle-orm";
import pino from "pino";
import { createLocalBus } from "../../base/cluster/bus.ts";
import { chatMessage } from "../../base/database/schema/chat.ts";
import type { Database } from "../../base/database/index.ts";
import { openTestDatabase } from "../../base/database/database.harness.ts";
import { emptyDatabase, startTestServer } from "./chat.harness.ts";
import type { TestServer } from "./chat.harness.ts";
import { openClient, type TestClient } from "./client.harness.ts";
import { BODY, COMMAND, KICK, MSyncCodec, ROUTE } from "./wire/wire.ts";

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

const texts = (c: TestClient): string[] => c.received.map((r) => r.text);

test("A login with a valid token returns the resource and turns compression off", async () => {
  const client = await openClient(server.base);
  const answer = await client.login("alice", "web_x", await server.token("alice"));
  expect(answer.status?.errorCode).toBe(0);
  expect(answer.resource).toBe("web_x");
  expect(answer.protocolCompressType ?? []).toEqual([]);
  const { expires_in } = JSON.parse(answer.authToken ?? "{}") as { expires_in: number };
  expect(expires_in).toBeGreaterThan(Date.now());
});

test("A login with an invalid token or another user's token is refused, and the socket closes", async () => {
  for (const token of ["no-token", await server.token("bob")]) {
    const client = await openClient(server.base);
    const answer = await client.login("alice", "web_x", token);
    expect(answer.status).toMatchObject({
      errorCode: 1,
      reason: "Sorry, token or password does not match login info",
    });
    await client.until("closed", () => client.closed !== null);
    expect(client.closed?.code).toBe(4401);
  }
});

test("A text is announced by a notice, pulled, and acknowledged by its key", async () => {
  const alice = await server.client("alice");
  const bob = await server.client("bob");
  const ack = await alice.text("1001", "bob", "你好");
  expect(ack.status?.errorCode).toBe(0);
  expect(ack.metaId).toBe("1001");
  await bob.until("message", () => bob.received.length === 1);
  expect(bob.received[0]).toMatchObject({ id: ack.serverId, from: "alice", text: "你好" });
  const [batch] = bob.batches;
  expect(batch?.isLast ?? false).toBe(false);
  expect((await bob.unread()).unread ?? []).toEqual([]);
});

test("Commands and texts sent while the recipient is offline arrive once and in order at its next login", async () => {
  const alice = await server.client("alice");
  await Promise.all(
    Array.from({ length: 100 }, (_, i) => alice.text(String(2000 + i), "bob", `m${i}`)),
  );
  const bob = await server.client("bob");
  const { unread } = await bob.unread();
  expect(unread?.[0]?.n).toBe(100);
  bob.sync({ queue: { name: "bob" } });
  await bob.until("all", () => bob.received.length >= 100);
  expect(texts(bob)).toEqual(Array.from({ length: 100 }, (_, i) => `m${i}`));
  expect((await bob.unread()).unread ?? []).toEqual([]);
});

test("An online-only message reaches connected devices and is never queued", async () => {
  const alice = await server.client("alice");
  const away = await alice.cmd("3001", "bob", "sendRing", { routetype: ROUTE.online });
  expect(away.status?.errorCode).toBe(0);
  const bob = await server.client("bob");
  expect((await bob.unread()).unread ?? []).toEqual([]);
  await alice.cmd("3002", "bob", "sendRing", { routetype: ROUTE.online });
  await bob.until("ring", () => bob.received.length === 1);
  expect(bob.received[0]?.action).toBe("sendRing");
  expect((await bob.unread()).unread ?? []).toEqual([]);
});

test("A resend with the same id and content gets the same server id and creates no second message", async () => {
  const alice = await server.client("alice");
  const bob = await server.client("bob");
  const first = await alice.text("4001", "bob", "once");
  const again = await alice.text("4001", "bob", "once");
  expect(again.serverId).toBe(first.serverId);
  await bob.until("once", () => bob.batches.length === 1);
  await bob.unread();
  await server.restart();
  const later = await server.client("alice");
  expect((await later.text("4001", "bob", "once")).serverId).toBe(first.serverId);
  // The SDK's ids are not unique across devices: different content under the same id is another message.
  const other = await later.text("4001", "bob", "twice");
  expect(other.serverId).not.toBe(first.serverId);
  const back = await server.client("bob");
  back.sync({ queue: { name: "bob" } });
  await back.until("second", () => back.received.length === 1);
  expect([...texts(bob), ...texts(back)]).toEqual(["once", "twice"]);
});

test("Resends within one burst are recognised as well", async () => {
  const alice = await server.client("alice");
  const bob = await server.client("bob");
  const acks = await Promise.all([alice.text("4101", "bob", "a"), alice.text("4102", "bob", "b")]);
  const again = await Promise.all(
    ["4103", "4102"].map((id) => alice.text(id, "bob", id === "4102" ? "b" : "c")),
  );
  expect(again[1]?.serverId).toBe(acks[1]?.serverId);
  await bob.until("three", () => bob.received.length === 3);
  expect(texts(bob)).toEqual(["a", "b", "c"]);
});

test("Another login of the same device replaces the former one, which gets a reason", async () => {
  const first = await server.client("alice", "web_1");
  const second = await server.client("alice", "web_1");
  await first.until("closed", () => first.closed !== null);
  expect(first.statistics).toEqual([KICK.otherLogin]);
  expect(first.closed?.code).toBe(4409);
  expect((await second.unread()).status?.errorCode).toBe(0);
  expect(second.closed).toBeNull();
});

test("An administrative kick informs the client and closes the socket", async () => {
  const alice = await server.client("alice");
  server.gateway.kick("alice", "by the administrator");
  await alice.until("closed", () => alice.closed !== null);
  expect(alice.statistics).toEqual([KICK.kicked]);
});

test("The sixth device of a user disconnects the oldest", async () => {
  const devices: TestClient[] = [];
  for (let i = 0; i < 6; i += 1) devices.push(await server.client("alice", `web_${i}`));
  const [oldest] = devices;
  await oldest?.until("closed", () => oldest.closed !== null);
  expect(oldest?.statistics).toEqual([KICK.kicked]);
  expect(devices.slice(1).map((d) => d.closed)).toEqual([null, null, null, null, null]);
});

test("Each device of a user has its own cursor", async () => {
  const alice = await server.client("alice");
  const one = await server.client("bob", "web_1");
  const two = await server.client("bob", "web_2");
  two.socket.terminate();
  await two.until("closed", () => two.closed !== null);
  await alice.text("5001", "bob", "hello");
  await one.until("first device", () => one.received.length === 1);
  const back = await server.client("bob", "web_2");
  back.sync({ queue: { name: "bob" } });
  await back.until("second device", () => back.received.length === 1);
  expect(texts(back)).toEqual(["hello"]);
  // A new device starts at the position of the user's furthest device.
  await one.until("acknowledged", () => one.batches.length === 1);
  await one.unread();
  const fresh = await server.client("bob", "web_3");
  expect((await fresh.unread()).unread ?? []).toEqual([]);
});

test("The sender's other devices get a copy, the sending device does not", async () => {
  const desk = await server.client("alice", "desk");
  const laptop = await server.client("alice", "laptop");
  await desk.text("5101", "bob", "from the desk");
  await laptop.until("copy", () => laptop.received.length === 1);
  expect(laptop.received[0]).toMatchObject({ from: "alice", text: "from the desk" });
  expect((await desk.unread()).unread ?? []).toEqual([]);
});

test("After a broken connection, only unacknowledged messages arrive again", async () => {
  const alice = await server.client("alice");
  const bob = await server.client("bob");
  await alice.text("6001", "bob", "one");
  await bob.until("one", () => bob.batches.length === 1);
  await bob.unread();
  bob.auto = false;
  await alice.text("6002", "bob", "two");
  bob.sync({ queue: { name: "bob" } });
  await bob.until("two", () => bob.received.length === 2);
  const lost = bob.batches.at(-1)?.nextKey;
  bob.socket.terminate();
  const again = await server.client("bob");
  again.sync({ queue: { name: "bob" } });
  await again.until("two again", () => again.received.length === 1);
  expect(texts(again)).toEqual(["two"]);
  // The SDK would not acknowledge a key that it has seen before.
  expect(again.batches[0]?.nextKey).not.toBe(lost);
});

test("A receipt reaches the sender only if it comes from the recipient of the message", async () => {
  const alice = await server.client("alice");
  const bob = await server.client("bob");
  const carol = await server.client("carol");
  const { serverId = "" } = await alice.text("7001", "bob", "read me");
  await bob.until("text", () => bob.received.length === 1);
  const forged = await carol.upload("7002", "alice", {
    type: BODY.readAck,
    ackMessageId: serverId,
  });
  expect(forged.status).toMatchObject({ errorCode: 1, reason: "message not found" });
  await bob.upload("7003", "alice", { type: BODY.deliverAck, ackMessageId: serverId });
  await bob.upload("7004", "alice", { type: BODY.readAck, ackMessageId: serverId });
  await alice.until("receipts", () => alice.received.length === 2);
  expect(alice.received.map((r) => [r.type, r.about, r.from])).toEqual([
    [BODY.deliverAck, serverId, "bob"],
    [BODY.readAck, serverId, "bob"],
  ]);
});

test("Only the sender can recall a message, and the recall is delivered", async () => {
  const alice = await server.client("alice");
  const bob = await server.client("bob");
  const { serverId = "" } = await alice.text("7101", "bob", "oops");
  await bob.until("text", () => bob.received.length === 1);
  const forged = await bob.upload("7102", "alice", { type: BODY.recall, ackMessageId: serverId });
  expect(forged.status?.errorCode).toBe(1);
  const recall = await alice.upload("7103", "bob", { type: BODY.recall, ackMessageId: serverId });
  expect(recall.status?.errorCode).toBe(0);
  await bob.until("recall", () => bob.received.length === 2);
  expect(bob.received[1]).toMatchObject({ type: BODY.recall, about: serverId });
  const page = await server.gateway.archive.history("bob", "alice", null, false, 10);
  expect(page.metas).toEqual([]);
});

test("People who share no company cannot write to each other, and no user can write in another's name", async () => {
  const alice = await server.client("alice");
  const bob = await server.client("bob");
  const refused = await alice.text("8001", "mallory", "hi");
  expect(refused.status).toMatchObject({ errorCode: 1, reason: "nonroster" });
  await alice.upload(
    "8002",
    "bob",
    { from: { name: "carol" }, contents: [{ type: 0, text: "spoofed" }] },
    { from: { name: "carol", domain: "easemob.com" } },
  );
  await bob.until("text", () => bob.received.length === 1);
  expect(bob.received[0]?.from).toBe("alice");
});

test("A text over the limit is refused with the reason that the SDK knows", async () => {
  const alice = await server.client("alice");
  const refused = await alice.text("8101", "bob", "长".repeat(5001));
  expect(refused.status).toMatchObject({ errorCode: 7, reason: "Sorry, data is too large" });
});

test("What stands beside the content of a message counts towards its 64 KiB", async () => {
  const alice = await server.client("alice");
  const beside = (id: string, length: number) =>
    alice.text(id, "bob", "x", { ext: [{ key: "k", type: 7, stringValue: "x".repeat(length) }] });
  expect((await beside("8102", 60_000)).status).toMatchObject({ errorCode: 0 });
  expect((await beside("8103", 66_000)).status).toMatchObject({
    errorCode: 7,
    reason: "Sorry, data is too large",
  });
});

test("More frames than the rate allows close the socket", async () => {
  const alice = await server.client("alice");
  for (let i = 0; i < 600; i += 1) alice.command(COMMAND.unread);
  await alice.until("closed", () => alice.closed !== null);
  expect(alice.closed?.code).toBe(4429);
});

test("The receipts after a long absence do not hit the rate limit, because each delivered message grants one frame", async () => {
  const alice = await server.client("alice");
  for (let round = 0; round < 3; round += 1) {
    const sender = round === 0 ? alice : await server.client("alice", `web_${round}`);
    await Promise.all(
      Array.from({ length: 300 }, (_, i) => sender.text(String(1 + round * 300 + i), "bob", "x")),
    );
  }
  const bob = await server.client("bob");
  bob.sync({ queue: { name: "bob" } });
  await bob.until("all", () => bob.received.length === 900);
  await Promise.all(
    bob.received.map((m, i) =>
      bob.upload(String(90_000 + i), "alice", { type: BODY.deliverAck, ackMessageId: m.id }),
    ),
  );
  expect(bob.closed).toBeNull();
}, 30_000);

test("A heartbeat with nothing unread ends a pull that the client still considers open", async () => {
  const bob = await server.client("bob");
  await bob.unread();
  await bob.until("end", () => bob.ends > 0);
});

test("An unsupported command and a frame before the login close the socket with a reason", async () => {
  const alice = await server.client("alice");
  alice.command(COMMAND.notice);
  await alice.until("closed", () => alice.closed !== null);
  expect(alice.closed).toEqual({ code: 4400, reason: "unsupported command" });
  const nobody = await openClient(server.base);
  nobody.command(COMMAND.unread);
  await nobody.until("closed", () => nobody.closed !== null);
  expect(nobody.closed?.code).toBe(4401);
});

test("Subscribers learn when a user connects and disconnects", async () => {
  const alice = await server.client("alice");
  await server.gateway.archive.subscribe("alice", ["bob"], Date.now() + 60_000);
  const bob = await server.client("bob", "web_b");
  await alice.until("online", () => alice.received.length === 1);
  bob.socket.close();
  await alice.until("offline", () => alice.received.length === 2);
  const states = alice.received.map(
    (r) =>
      (JSON.parse(r.text) as { data: { values: { uid: string; status: object }[] } }).data.values,
  );
  // One value per event, because the SDK gives all values of one event the same statusDetails.
  expect(states).toMatchObject([
    [{ uid: "bob", status: { web_b: "1" } }],
    [{ uid: "bob", status: {} }],
  ]);
});

test("The end of a session closes its sockets and invalidates its password, while other sessions continue", async () => {
  await server.addSession("alice", "session-1");
  await server.addSession("alice", "session-2");
  const token = await server.token("alice", "session-1");
  const bound = await server.client("alice", "web_1", token);
  const other = await server.client("alice", "web_2", await server.token("alice", "session-2"));
  expect(server.gateway.hub.allSessionsHere()).toEqual(new Set(["session-1", "session-2"]));
  await server.endSession("session-1");
  await bound.until("closed", () => bound.closed !== null);
  expect(bound.closed?.code).toBe(4401);
  expect(await server.token("alice", "session-1")).toBeUndefined();
  const again = await openClient(server.base);
  expect((await again.login("alice", "web_1", token)).status?.errorCode).toBe(1);
  expect((await other.unread()).status?.errorCode).toBe(0);
});

test("A login that ends while its device connects closes the socket", async () => {
  await server.addSession("alice", "session-1");
  const token = await server.token("alice", "session-1");
  const { store } = server.gateway;
  const open = store.openCursor.bind(store);
  const spy = vi.spyOn(store, "openCursor").mockImplementationOnce(async (...cursor) => {
    // After the login was found valid, before the hub knows the device.
    await server.endSession("session-1");
    return open(...cursor);
  });
  const client = await openClient(server.base);
  await client.login("alice", "web_1", token);
  await client.until("closed", () => client.closed !== null);
  expect(client.closed?.code).toBe(4401);
  expect(server.gateway.hub.isHere("alice")).toBe(false);
  expect(spy).toHaveBeenCalledOnce();
});

test("The metrics count sockets and messages", async () => {
  const alice = await server.client("alice");
  await alice.text("9001", "bob", "counted");
  const text = await server.metrics.metrics();
  expect(text).toContain("chat_sockets 1");
  expect(text).toContain("chat_messages_total 1");
});

test("After a restart each device continues at its position", async () => {
  const alice = await server.client("alice");
  const bob = await server.client("bob");
  await alice.text("9101", "bob", "before");
  await bob.until("before", () => bob.batches.length === 1);
  await bob.unread();
  await alice.text("9102", "carol", "while away");
  await server.restart();
  expect(bob.closed?.code ?? 1012).toBe(1012);
  const back = await server.client("bob");
  expect((await back.unread()).unread ?? []).toEqual([]);
  const carol = await server.client("carol");
  carol.sync({ queue: { name: "carol" } });
  await carol.until("while away", () => carol.received.length === 1);
  expect(texts(carol)).toEqual(["while away"]);
});

test("1000 malformed frames and forged ids store nothing and disturb no other user", async () => {
  const alice = await server.client("alice");
  const bob = await server.client("bob");
  const { serverId: theirs = "" } = await alice.text("9900", "bob", "private");
  await bob.until("private", () => bob.received.length === 1);
  const stored = async () => await server.db.select().from(chatMessage).orderBy(chatMessage.id);
  const before = await stored();
  const good = MSyncCodec.encode({
    command: COMMAND.sync,
    payload: Buffer.from("0a1a08011a0b12036d616c6c6f7279280132090801", "hex"),
  });
  const token = await server.token("mallory");
  const tokens = { alice: await server.token("alice") };
  let seed = 7;
  const random = (n: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % n;
  };
  const bits = (): Buffer => {
    const bytes = Buffer.from(good);
    for (let k = 0; k < 3; k += 1) bytes[random(bytes.length)] = random(256);
    return bytes;
  };
  const broken: readonly (() => Buffer | string)[] = [
    () => Buffer.from(Array.from({ length: 1 + random(200) }, () => random(256))),
    () => Buffer.from(good.subarray(0, 1 + random(good.length - 1))),
    bits,
    bits,
    // Every field of MSync encoded as a number, which is valid for only a few of them.
    () => Buffer.from([1 + random(15), 7].flatMap((tag) => [tag << 3, random(128)])),
    () => '{"command":0}',
    // A login command with an invalid payload.
    () => Buffer.concat([MSyncCodec.encode({ command: COMMAND.provision }), Buffer.from("4a02ff")]),
    () => Buffer.alloc(300 * 1024, random(256)),
  ];
  const foreign: readonly ((c: TestClient, id: string) => Promise<unknown>)[] = [
    (c, id) => c.text(id, "alice", "not a colleague", { from: { name: "bob" } }),
    (c, id) => c.upload(id, "bob", { type: BODY.recall, ackMessageId: theirs }),
    (c, id) => c.upload(id, "alice", { type: BODY.readAck, ackMessageId: theirs }),
    (c, id) => c.upload(id, "alice", { type: BODY.deliverAck, ackMessageId: theirs }),
    (c, id) => c.upload(id, "bob", { type: BODY.chat, from: { name: "alice" } }),
    (c, id) => c.upload(id, "bob", { type: 99, contents: [] }),
    async (c) => {
      const { ends } = c;
      c.sync({ queue: { name: "bob" }, key: "9223372036854775807" });
      await c.until("end", () => c.ends > ends);
    },
  ];

  const stranger = await server.client("mallory", "web_ids", token);
  for (let i = 0; i < 1000; i += 1) {
    if (i % 4 === 3) {
      const answer = await foreign[random(foreign.length)]?.(stranger, String(1 + i));
      if (answer !== undefined) {
        expect((answer as { status: { errorCode: number } }).status.errorCode).not.toBe(0);
      }
      continue;
    }
    const client = await openClient(server.base);
    // Without a login, as oneself, and with another user's token.
    if (i % 4 === 0) await client.login("mallory", `fuzz_${i % 3}`, token);
    if (i % 100 === 1) {
      expect((await client.login("mallory", "fuzz_x", tokens.alice)).status?.errorCode).toBe(1);
    } else client.sendRaw(broken[random(broken.length)]?.() ?? "");
    client.socket.close();
    await client.until("closed", () => client.closed !== null);
  }
  expect(stranger.closed).toBeNull();
  expect(stranger.received).toEqual([]);
  expect(await stored()).toEqual(before);
  expect((await alice.text("9901", "bob", "still here")).status?.errorCode).toBe(0);
  await bob.until("still here", () => bob.received.length === 2);
  expect(alice.closed).toBeNull();
  expect(alice.received.filter((r) => r.from === "mallory")).toEqual([]);
}, 60_000);

test("Users on two processes reach each other, and a login on the other process replaces the same device", async () => {
  const bus = createLocalBus(pino({ level: "silent" }));
  const one = await startTestServer({ database, bus });
  const two = await startTestServer({ database, bus });
  try {
    const alice = await one.client("alice");
    const bob = await two.client("bob");
    await alice.text("9501", "bob", "across");
    await bob.until("text", () => bob.received.length === 1);
    await bob.cmd("9502", "alice", "sendRing", { routetype: ROUTE.online });
    await alice.until("ring", () => alice.received.length === 1);
    const moved = await two.client("alice");
    await alice.until("replaced", () => alice.closed !== null);
    expect(alice.statistics).toEqual([KICK.otherLogin]);
    expect((await moved.unread()).status?.errorCode).toBe(0);
  } finally {
    await one.close();
    await two.close();
  }
});

test("Parallel messages of several senders each keep their sender's order", async () => {
  const bob = await server.client("bob");
  const senders = await Promise.all([server.client("alice"), server.client("carol")]);
  await Promise.all(
    senders.flatMap((sender, s) =>
      Array.from({ length: 150 }, (_, i) => sender.text(String(1 + i), "bob", `${s}:${i}`)),
    ),
  );
  await bob.until("all", () => bob.received.length >= 300);
  for (const s of [0, 1]) {
    expect(texts(bob).filter((t) => t.startsWith(`${s}:`))).toEqual(
      Array.from({ length: 150 }, (_, i) => `${s}:${i}`),
    );
  }
});

test("An inbox keeps its newest entries, and transient messages expire", async () => {
  const alice = await server.client("alice");
  await alice.text("9601", "bob", "kept in the history");
  const { serverId: old = "" } = await alice.cmd("9602", "bob", "sendRing");
  await server.db.execute(sql`update chat_inbox_head set last_key = 5000 where user_name = 'bob'`);
  await server.gateway.store.sweep(Date.now());
  const bob = await server.client("bob");
  expect((await bob.unread()).unread ?? []).toEqual([]);
  expect(await server.gateway.store.message(BigInt(old))).toBeDefined();
  await server.gateway.store.sweep(Date.now() + 8 * 86_400_000);
  expect(await server.gateway.store.message(BigInt(old))).toBeUndefined();
  const page = await server.gateway.archive.history("bob", "alice", null, false, 10);
  expect(page.metas).toHaveLength(1);
});
