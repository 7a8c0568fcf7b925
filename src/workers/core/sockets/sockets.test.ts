import { expect, test } from "vitest";
import { createFakeEnv, settle, UNREAD_STATS, type FakeEnv } from "../core.fake.ts";
import { createJsonSocket, type JsonSocket, type JsonSocketOptions } from "./index.ts";

function setUp(over: Partial<JsonSocketOptions> = {}): {
  env: FakeEnv;
  socket: JsonSocket;
  log: string[];
} {
  const env = createFakeEnv();
  const log: string[] = [];
  const socket = createJsonSocket({
    env,
    stats: UNREAD_STATS,
    name: "signalling",
    url: () => "ws://host/x",
    onOpen: (again) => void log.push(again ? "open again" : "open"),
    onMessage: (message) => void log.push(`got ${JSON.stringify(message)}`),
    onState: (state, attempts) => void log.push(`${state} ${attempts}`),
    onBadMessage: () => void log.push("bad"),
    ...over,
  });
  return { env, socket, log };
}

const last = (env: FakeEnv) => {
  const socket = env.sockets.at(-1);
  if (socket === undefined) throw new Error("no socket was opened");
  return socket;
};

test("the socket opens, sends and receives JSON, and drops other messages", async () => {
  const { env, socket, log } = setUp();
  expect(socket.send({ a: 1 })).toBe(false);
  socket.open();
  socket.open();
  await settle();
  expect(env.sockets).toHaveLength(1);
  last(env).accept();
  expect(socket.send({ a: 1 })).toBe(true);
  expect(last(env).sent).toEqual([{ a: 1 }]);
  last(env).receive({ b: 2 });
  last(env).receiveText("{");
  last(env).receiveText(new ArrayBuffer(2));
  expect(log).toEqual(["connecting 0", "open 0", "open", 'got {"b":2}', "bad", "bad"]);
});

test("the socket reconnects at once, then with growing delays, and resets the count only after a stable connection", async () => {
  const { env, socket, log } = setUp();
  socket.open();
  await settle();
  last(env).accept();
  env.clock.advance(5_000);
  last(env).end();
  env.clock.advance(0);
  await settle();
  expect(env.sockets).toHaveLength(2);
  last(env).end();
  env.clock.advance(449);
  await settle();
  expect(env.sockets).toHaveLength(2);
  env.clock.advance(1);
  await settle();
  expect(env.sockets).toHaveLength(3);
  last(env).accept();
  expect(log.at(-1)).toBe("open again");
  // closed at once after opening: a server that throws us out must not be hammered
  last(env).end();
  env.clock.advance(1_199);
  await settle();
  expect(env.sockets).toHaveLength(3);
  expect(socket.attempts).toBe(3);
});

test("offline closes the socket without attempts; online reconnects at once with a new count", async () => {
  const { env, socket } = setUp();
  socket.open();
  await settle();
  last(env).accept();
  env.online.set(false);
  expect(socket.state).toBe("waiting");
  expect(last(env).closedWith).toEqual({ code: 1000, reason: "offline" });
  env.clock.advance(3_600_000);
  await settle();
  expect(env.sockets).toHaveLength(1);
  env.online.set(true);
  await settle();
  expect(env.sockets).toHaveLength(2);
  expect(socket.attempts).toBe(0);
});

test("silence beyond the heartbeat's limit counts as a loss", async () => {
  const losses: number[] = [];
  const { env, socket } = setUp({
    heartbeat: { every: 10_000, silence: 25_000, beat: () => ({ op: "beat" }) },
    onLoss: (loss) => void losses.push(loss.code),
  });
  socket.open();
  await settle();
  last(env).accept();
  env.clock.advance(20_000);
  expect(last(env).sent).toEqual([{ op: "beat" }, { op: "beat" }]);
  last(env).receive({});
  env.clock.advance(20_000);
  expect(losses).toEqual([]);
  env.clock.advance(10_000);
  expect(losses).toEqual([4000]);
});

test("the socket gives up when the delays end or onLoss says stop, and a refused address counts as an attempt", async () => {
  let gaveUp = 0;
  const first = setUp({
    url: () => Promise.reject(new Error("no ticket")),
    delays: (attempt) => (attempt < 2 ? 100 : null),
    onGiveUp: () => {
      gaveUp += 1;
    },
  });
  first.socket.open();
  for (let i = 0; i < 3; i += 1) {
    await settle();
    first.env.clock.advance(100);
  }
  expect(first.env.sockets).toHaveLength(0);
  expect(gaveUp).toBe(1);
  expect(first.socket.state).toBe("closed");

  const second = setUp({ onLoss: (loss) => (loss.code === 4403 ? "stop" : undefined) });
  second.socket.open();
  await settle();
  last(second.env).end(4403, "refused");
  expect(second.socket.state).toBe("closed");
  expect(second.env.clock.pending).toBe(0);
});

test("close is clean in every state and leaves no timer; it can be opened again", async () => {
  const { env, socket } = setUp({ heartbeat: { every: 1_000, silence: 5_000 } });
  socket.close();
  socket.open();
  socket.close();
  await settle();
  expect(env.sockets).toHaveLength(0);
  socket.open();
  await settle();
  last(env).accept();
  socket.close();
  socket.close();
  expect(env.clock.pending).toBe(0);
  expect(last(env).closedWith?.code).toBe(1000);
  socket.open();
  await settle();
  expect(env.sockets).toHaveLength(2);
});

test("an attempt that takes too long is followed by the next one", async () => {
  const { env, socket } = setUp();
  socket.open();
  await settle();
  env.clock.advance(10_000);
  env.clock.advance(0);
  await settle();
  expect(env.sockets).toHaveLength(2);
  expect(env.sockets[0]?.closedWith).toEqual({ code: 1000, reason: "" });
});

test("the socket makes no attempt while offline, neither at the start nor after a loss", async () => {
  const first = setUp();
  first.env.online.set(false);
  first.socket.open();
  await settle();
  expect([first.socket.state, first.env.sockets.length]).toEqual(["waiting", 0]);
  first.env.online.set(true);
  await settle();
  expect(first.env.sockets).toHaveLength(1);

  const env = createFakeEnv();
  const network = { online: true, onChange: () => () => {} };
  const socket = createJsonSocket({
    env: { ...env, online: network },
    stats: UNREAD_STATS,
    name: "quality",
    url: () => "ws://host/q",
    onMessage: () => {},
  });
  socket.open();
  await settle();
  last(env).accept();
  network.online = false;
  last(env).end();
  expect(socket.state).toBe("waiting");
  env.clock.advance(60_000);
  await settle();
  expect(env.sockets).toHaveLength(1);
});
