import { expect, test } from "vitest";
import { countIn, emptyHistogram, addSparse } from "../../../shared/domain/latency-histogram.ts";
import { AppError } from "../../../shared/errors.ts";
import { FLEET_RESULT, REPORT_MS } from "../../../shared/protocol/fleet.ts";
import { settle } from "../core.fake.ts";
import { beBusy, setUp, USER } from "./reports.harness.ts";

const countOf = (flat: readonly number[] = []): number => {
  const histogram = emptyHistogram();
  addSparse(histogram, flat);
  return countIn(histogram);
};

test("a report has what happened since the last one, and how things stand", async () => {
  const core = setUp();
  core.login(USER);
  core.stats.command("chat.send", 4);
  core.stats.command("chat.send", 700, "chat.send-failed");
  core.stats.command("not.known", 1);
  core.stats.fanOut(3);
  core.stats.opsOut(5);
  core.stats.refreshed();
  core.stats.takeover?.();
  core.counters.restarted();
  core.stats.socket("chat", "open");
  core.stats.socketTraffic("chat", "sent");
  core.stats.socket("chat", "waiting", 1, "network");
  core.stats.error(new Error("text of a person 13800138000"));
  core.reports.pageVitals("tab-1", { memory: 50 * 2 ** 20, longTasks: [80, 300] });
  core.store.set(["tabs", "byId", "tab-1"], {
    tabId: "tab-1",
    visible: true,
    focusedAt: 0,
    path: "/secret",
    connectedAt: 0,
    unacked: 3,
  });
  const socket = await core.connect();
  expect(socket.url).toBe("ws://localhost:8080/fleet?ticket=t");
  expect(socket.sent[0]).toMatchObject({ core: "core-1", build: "test" });
  core.clock.advance(REPORT_MS);
  const [first] = await core.sent(socket, 1);
  expect(first).toMatchObject({
    n: 1,
    company: "1",
    tabs: { open: 1, visible: 1 },
    ports: 6,
    queues: { unacked: 3, outbox: 0 },
    commands: { "chat.send": { failed: 1 } },
    ops: 5,
    restarts: 1,
    refreshes: 1,
    takeovers: 1,
    sockets: { chat: { state: "waiting", attempts: 1, opened: 1, sent: 1, lost: { network: 1 } } },
    errors: { "chat.send-failed": 1, uncaught: 1 },
    pages: { measured: 1, memory: 50, largest: 50 },
  });
  expect(Object.keys(first?.commands ?? {})).toEqual(["chat.send"]);
  expect(countOf(first?.commands["chat.send"]?.ms)).toBe(2);
  expect(countOf(first?.pages.longTasks)).toBe(2);
  expect(JSON.stringify(first)).not.toMatch(/138|李娜|lina|secret|text of/);

  socket.receive({ n: 1, result: FLEET_RESULT.ok });
  core.stats.command("people.list", 2);
  core.clock.advance(REPORT_MS);
  const [, second] = await core.sent(socket, 2);
  expect(second).toMatchObject({ n: 2, commands: { "people.list": {} }, ops: 0, restarts: 0 });
  expect(second?.commands["chat.send"]).toBeUndefined();
});

test("what is not sent is added up: after an outage one report has all of it, and nothing counts twice", async () => {
  const core = setUp();
  core.login(USER);
  const socket = await core.connect();
  core.stats.command("chat.send", 1);
  core.clock.advance(REPORT_MS);
  await core.sent(socket, 1);
  // Its answer is lost with the socket.
  socket.end(1006);
  for (let i = 0; i < 40; i += 1) core.stats.command("chat.send", 1);
  const again = await core.connect();
  // The very same bytes, by which the server sees that it may have them.
  expect(core.bytesOf(again)).toEqual(core.bytesOf(socket));
  again.receive({ n: 1, result: FLEET_RESULT.ok });
  core.clock.advance(REPORT_MS);
  const [, next] = await core.sent(again, 2);
  expect(next?.n).toBe(2);
  expect(countOf(next?.commands["chat.send"]?.ms)).toBe(40);
  again.receive({ n: 2, result: FLEET_RESULT.busy });
  core.clock.advance(REPORT_MS);
  expect((await core.sent(again, 3)).map(({ n }) => n)).toEqual([1, 2, 2]);
  again.receive({ n: 2, result: FLEET_RESULT.refused });
  core.clock.advance(REPORT_MS);
  expect((await core.sent(again, 4)).at(-1)?.n).toBe(3);
});

test("after a switch of the company each has a report of its own", async () => {
  const core = setUp();
  core.login(USER);
  const socket = await core.connect();
  core.stats.command("chat.send", 1);
  core.login({ ...USER, supplierId: "2" });
  core.stats.command("people.list", 1);
  core.clock.advance(REPORT_MS);
  await core.sent(socket, 1);
  socket.receive({ n: 1, result: FLEET_RESULT.ok });
  // The one of the company of now waits for its time.
  core.clock.advance(REPORT_MS);
  const [left, now] = await core.sent(socket, 2);
  expect(left).toMatchObject({ company: "1", commands: { "chat.send": {} } });
  expect(now).toMatchObject({ company: "2", commands: { "people.list": {} } });
  expect(now?.commands["chat.send"]).toBeUndefined();
});

test("a logout ends the reports, and the next person's have nothing of the one before", async () => {
  const core = setUp();
  core.login(USER);
  const socket = await core.connect();
  core.stats.command("chat.send", 1);
  core.login(null);
  expect(socket.closedWith).not.toBeNull();
  expect(core.clock.pending).toBe(0);
  core.login({ ...USER, accountId: "8" });
  const next = await core.connect();
  core.clock.advance(REPORT_MS);
  const [report] = await core.sent(next, 1);
  expect(report?.commands).toEqual({});
  core.reports.stop();
  core.reports.stop();
  expect(core.clock.pending).toBe(0);
});

test.each([
  ["the server wants none", () => Promise.resolve(null)],
  ["the server does not know the call", () => Promise.reject(new AppError("request.not-found"))],
] as const)("a core asks no more when %s", async (_, ticket) => {
  const core = setUp({ ticket });
  core.login(USER);
  for (let i = 0; i < 1_200; i += 1) {
    core.clock.advance(1_000);
    await settle();
  }
  expect(core.asked).toBe(1);
  expect(core.env.sockets).toEqual([]);
});

test("a fleet whose server went away comes back over several seconds, and later attempts have longer pauses", async () => {
  const waits: number[] = [];
  for (const random of [0, 0.5, 1]) {
    const core = setUp({ random: () => random });
    core.login(USER);
    const socket = await core.connect();
    const at = core.clock.now();
    socket.end(1012);
    await core.connect();
    waits.push(core.clock.now() - at);
  }
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(5_000);
  expect(Math.max(...waits)).toBeLessThanOrEqual(11_000);
});

test("the end of the login closes the socket, and the core asks for a ticket at once, but once", async () => {
  const core = setUp();
  core.login(USER);
  const socket = await core.connect();
  const asked = core.asked;
  socket.end(4401);
  core.clock.advance(0);
  await settle();
  expect(core.asked).toBe(asked + 1);
  // The server admits the ticket, and closes the socket again before its hello is answered.
  core.env.sockets.at(-1)?.accept();
  core.env.sockets.at(-1)?.end(4401);
  core.clock.advance(4_000);
  await settle();
  expect(core.asked).toBe(asked + 1);
});

test("a report of a busy core has at most 1 kB", async () => {
  const core = setUp();
  core.login(USER);
  const socket = await core.connect();
  beBusy(core);
  core.clock.advance(REPORT_MS);
  const [report] = await core.sent(socket, 1);
  expect(Object.keys(report?.commands ?? {}).length).toBeGreaterThan(25);
  const size = core.bytesOf(socket)[0]?.length ?? 0;
  console.log(`a report of a busy core: ${size} bytes`);
  expect(size).toBeLessThanOrEqual(1_024);
});
