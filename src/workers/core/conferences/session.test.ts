import { describe, expect, it } from "vitest";
import { OP, pongSchema } from "../../../shared/protocol/signalling.ts";
import { type ConferenceServerSignal } from "../../../shared/protocol/confr-signalling.ts";
import { AppError } from "../../../shared/errors.ts";
import { createFakeEnv, type FakeSocket, settle, UNREAD_STATS } from "../core.fake.ts";
import { CONFERENCE_CONFIG } from "./config.ts";
import { createSession, type SessionDeps } from "./session.ts";
import { rowChecks } from "../../../shared/row-checks.harness.ts";

const TICKET = {
  confrId: "c1",
  memName: "me",
  tktId: "first",
  url: "/conference",
  type: "CONFR",
  timestamp: 1,
} as const;

interface Frame {
  readonly op: number;
  readonly tsxId: string;
  readonly [key: string]: unknown;
}
function world(over: Partial<SessionDeps> = {}) {
  const env = createFakeEnv();
  const reports: unknown[][] = [];
  const session = createSession({
    env,
    stats: UNREAD_STATS,
    config: CONFERENCE_CONFIG,
    ticket: TICKET,
    nickName: "我",
    resource: "core-1",
    ext: "",
    vcodes: ["VP8", "H264"],
    ops: () => [1003],
    sessId: null,
    cver: () => 7,
    renew: () => Promise.resolve({ ...TICKET, tktId: "second" }),
    onEntered: (_answer, resumed) => reports.push(["entered", resumed]),
    onLost: () => reports.push(["lost"]),
    onRefused: ({ reason, result }) => reports.push(["refused", reason, result]),
    onEvent: (signal: ConferenceServerSignal) => reports.push(["event", signal.op]),
    onVersion: (cver) => reports.push(["version", cver]),
    ...over,
  });
  const last = (): FakeSocket => env.sockets.at(-1) as FakeSocket;
  const frames = (socket = last()): Frame[] => socket.sent as Frame[];
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 50) {
      env.clock.advance(Math.min(50, left));
      await settle();
    }
  };
  const accept = async (): Promise<void> => {
    await settle();
    last().accept();
    await settle();
  };
  const answer = async (op: number, part: object = {}): Promise<void> => {
    const frame = frames().findLast((one) => one.op === op);
    last().receive({ op: 1001, tsxId: frame?.tsxId, sessId: "s1", result: 0, ...part });
    await settle();
  };
  /** Opens the session and enters. */
  const enter = async (part: object = {}): Promise<void> => {
    session.open();
    await accept();
    await answer(200, { memId: "me", role: 3, ...part });
  };
  return { env, session, reports, last, frames, pass, accept, answer, enter };
}
type World = ReturnType<typeof world>;
const copyOf = (w: World) => w.session.ask({ op: OP.copy });

/** Results of a refused enter, and the reasons of the ends that follow. */
const REFUSALS = [
  [-500, 4],
  [-501, 11],
  [-502, 4],
  [-504, 4],
  [-506, 11],
  [-508, 4],
  [-510, 4],
  [-9527, 4],
  [-95270, 4],
  [-1, 2],
  [-405, 2],
] as const;

describe("entering", () => {
  it("A refused ticket is renewed once, and a second refusal ends the session", async () => {
    const w = world();
    await w.enter({ result: -500 });
    expect(w.reports).toEqual([]);
    await w.accept();
    expect(w.frames()[0]).toMatchObject({ tkt: { tktId: "second" } });
    await w.answer(200, { result: -500 });
    expect(w.reports).toEqual([["refused", 4, -500]]);
  });
});

describe("requests before the session is entered", () => {
  it("A request that concerns a connection is not held, since the connection repeats it", async () => {
    const w = world();
    w.session.open();
    const asked = w.session.ask({ op: OP.answer, rtcId: "r", sdp: "x" });
    expect(await asked).toMatchObject({ result: -9527 });
    expect(w.session.sendWithoutAnswer({ op: OP.candidates, rtcId: "r", cands: [] })).toBeNull();
  });
});

describe("a lost socket", () => {
  it("A ping of another server is answered by a pong; its ops 103 and 401 are understood", async () => {
    const { env, enter, frames, last, reports } = world();
    await enter();
    const before = frames().length;
    for (const part of [{ tsxId: "p1" }, {}]) last().receive({ op: 100, sessId: "s1", ...part });
    for (const op of [103, 401]) last().receive({ op, sessId: "s1" });
    last().receive({ op: 100, sessId: "another", tsxId: "p2" });
    expect(
      frames()
        .slice(before)
        .map((one) => pongSchema.parse(one)),
    ).toEqual([
      { op: 101, sessId: "s1", tsxId: "p1" },
      { op: 101, sessId: "s1" },
    ]);
    expect(env.reports).toEqual(["signalling: message sessId error..."]);
    expect(reports.slice(-2)).toEqual([
      ["event", 103],
      ["event", 401],
    ]);
  });

  it("An unanswered ping replaces the socket within seconds, and a pong carries the version", async () => {
    const w = world();
    await w.enter();
    await w.pass(CONFERENCE_CONFIG.pingIntervalMillis);
    await w.answer(100, { op: 101, cver: 9 });
    expect(w.reports.at(-1)).toEqual(["version", 9]);
    await w.pass(CONFERENCE_CONFIG.pingIntervalMillis + CONFERENCE_CONFIG.pingTimeoutMillis + 50);
    expect(w.env.sockets).toHaveLength(2);
  });
});

describe("session ids", () => {
  it("Malformed messages are reported and change nothing", async () => {
    const w = world();
    await w.enter();
    for (const bad of [null, 1, [], {}, { op: 300 }, { op: 99, sessId: "s1" }]) {
      w.last().receive(bad);
    }
    w.last().receiveText("{");
    expect([w.reports, w.session.entered]).toEqual([[["entered", false]], true]);
    expect(w.env.reports).toHaveLength(7);
  });
});

it("A closed session has no timer and no socket, and reports nothing more", async () => {
  const w = world();
  await w.enter();
  const asked = copyOf(w);
  w.session.close();
  w.session.close();
  expect(await asked).toMatchObject({ result: -9527 });
  w.last().receive({ op: 301, sessId: "s1", cver: 1, memId: "b", reason: 0 });
  await w.pass(60_000);
  expect([w.reports, w.env.clock.pending, w.env.sockets.length]).toEqual([
    [["entered", false]],
    0,
    1,
  ]);
});

/** Rows of the conference catalogue (tests/conference/catalogue.ts), which is bound to these functions by their type. */
export const checks = rowChecks({
  "session.enter, result.0: Op 200 carries the ticket, the name, the codecs and the accepted ops":
    async () => {
      const w = world();
      await w.enter();
      expect(w.frames()[0]).toMatchObject({
        op: 200,
        tkt: TICKET,
        nickName: "我",
        resource: "core-1",
        res: { ops: [1003], vcodes: ["VP8", "H264"] },
      });
      expect(w.frames()[0]).not.toHaveProperty("sessId");
      expect([w.reports, w.session.entered]).toEqual([[["entered", false]], true]);
    },

  "refuse.-9527, refuse.-95270, refuse.-500, refuse.-502, refuse.-504, refuse.-508, refuse.-510, refuse.-506, refuse.-501, refuse.other: Each refusal closes the session with the end reason of its result":
    async () => {
      for (const [result, reason] of REFUSALS) {
        const w = world({ renew: () => Promise.reject(new AppError("auth.required")) });
        await w.enter({ result, sessId: undefined });
        expect(w.reports).toEqual([["refused", reason, result]]);
        expect(w.last().closedWith).not.toBeNull();
        expect(w.env.clock.pending).toBe(0);
      }
    },

  "result.-9527.timeout, time.enterTimeout: The session fails after enterTimeout without an answer, over all attempts":
    async () => {
      const w = world();
      w.session.open();
      await w.accept();
      await w.pass(10_000);
      // The first attempt is given up, and the next one begins at once.
      expect(w.env.sockets).toHaveLength(2);
      await w.accept();
      await w.pass(CONFERENCE_CONFIG.enterTimeout - 10_100);
      expect(w.reports).toEqual([]);
      await w.pass(100);
      expect(w.reports).toEqual([["refused", 4, -9527]]);
      expect(w.env.clock.pending).toBe(0);
    },

  "result.-95270, time.reconnect: The session fails after the first attempt and 13 reconnects":
    async () => {
      const w = world({ config: { ...CONFERENCE_CONFIG, enterTimeout: 10 * 60_000 } });
      w.session.open();
      let tries = 0;
      while (w.reports.length === 0 && tries < 50) {
        await settle();
        if (w.last().readyState === 0) {
          tries += 1;
          w.last().end(1006);
        }
        await w.pass(CONFERENCE_CONFIG.reconnectDelay);
      }
      expect([w.reports, tries]).toEqual([
        [["refused", 4, -95270]],
        CONFERENCE_CONFIG.reconnect + 1,
      ]);
    },

  "session.buffered, time.bufferedReleaseMillis: They are sent 100 ms after the enter, in order":
    async () => {
      const w = world();
      w.session.open();
      const first = w.session.ask({ op: OP.message, id: "1", arg: "a" });
      void w.session.ask({ op: OP.message, id: "2", arg: "b" });
      await w.accept();
      await w.answer(200);
      await w.pass(50);
      expect(w.frames().map(({ op }) => op)).toEqual([200]);
      await w.pass(50);
      expect(w.frames().map(({ op, id, sessId }) => [op, id, sessId])).toEqual([
        [200, undefined, undefined],
        [1003, "1", "s1"],
        [1003, "2", "s1"],
      ]);
      w.last().receive({ op: 1001, tsxId: w.frames()[1]?.tsxId, sessId: "s1", result: 0 });
      expect(await first).toMatchObject({ result: 0 });
    },

  "session.buffered-fail, result.-9527.closed: They fail with -9527 when the enter is refused":
    async () => {
      const w = world();
      w.session.open();
      const waiting = w.session.ask({ op: OP.message, id: "1", arg: "a" });
      await w.accept();
      await w.answer(200, { result: -502 });
      expect(await waiting).toEqual({ result: -9527, msg: "session closed", signal: null });
      expect(await copyOf(w)).toMatchObject({ result: -9527 });
    },

  "result.-408: A request without an answer ends with -408": async () => {
    const w = world();
    await w.enter();
    const asked = copyOf(w);
    await w.pass(CONFERENCE_CONFIG.requestTimeout);
    expect(await asked).toMatchObject({ result: -408, msg: "message request timeout" });
  },

  "session.resume, event.ws-close: The session is resumed at once with its sessId and version":
    async () => {
      const w = world();
      await w.enter();
      const asked = copyOf(w);
      w.last().end(1006);
      expect(await asked).toMatchObject({ result: -9527 });
      expect(w.reports.at(-1)).toEqual(["lost"]);
      await w.pass(1);
      await w.accept();
      expect(w.env.sockets).toHaveLength(2);
      expect(w.frames()[0]).toMatchObject({ op: 200, sessId: "s1", cver: 7 });
      await w.answer(200, { resumed: true });
      expect(w.reports.at(-1)).toEqual(["entered", true]);
    },

  "event.ws-error: A socket that fails before it opens is replaced": async () => {
    const w = world();
    await w.enter();
    w.last().end(1006);
    await w.pass(100);
    const failing = w.last();
    const before = w.env.sockets.length;
    failing.end(1006);
    await w.pass(CONFERENCE_CONFIG.reconnectDelay);
    expect(w.env.sockets.length).toBeGreaterThan(before);
    await w.accept();
    await w.answer(200, { memId: "me", role: 3, resumed: true });
    expect(w.reports.filter(([what]) => what !== "version")).toEqual([
      ["entered", false],
      ["lost"],
      ["entered", true],
    ]);
  },

  "time.reconnectDelay: The pauses grow with jitter up to reconnectDelay, and an entered session is never given up":
    async () => {
      const w = world();
      await w.enter();
      const gaps: number[] = [];
      for (let i = 0; i < 20; i += 1) {
        const before = w.env.sockets.length;
        w.last().end(1006);
        const from = w.env.clock.now();
        while (w.env.sockets.length === before) await w.pass(50);
        gaps.push(w.env.clock.now() - from);
      }
      expect(gaps[0]).toBeLessThanOrEqual(50);
      expect(gaps[1]).toBeGreaterThan(300);
      expect(Math.max(...gaps)).toBeLessThanOrEqual(CONFERENCE_CONFIG.reconnectDelay);
      expect(w.reports.filter(([what]) => what === "refused")).toEqual([]);
    },

  "session.offline, session.online: Offline, the socket closes and is not retried; online, it opens at once":
    async () => {
      const w = world();
      await w.enter();
      w.env.online.set(false);
      await w.pass(60_000);
      expect(w.env.sockets).toHaveLength(1);
      expect([w.last().closedWith !== null, w.reports.at(-1)]).toEqual([true, ["lost"]]);
      w.env.online.set(true);
      await w.accept();
      expect(w.env.sockets).toHaveLength(2);
    },

  "session.check, time.checkConnectIntervalMillis: After the machine slept, the check finds the dead socket":
    async () => {
      const w = world();
      await w.enter();
      await w.pass(2_000);
      const pings = () => w.frames(w.env.sockets[0]).filter(({ op }) => op === 100).length;
      expect(pings()).toBe(0);
      // Simulate sleep: the clock moves on while the timers stand still.
      w.env.clock.advance(0);
      const now = w.env.clock.now;
      (w.env.clock as { now: () => number }).now = () => now() + 8_000;
      await w.pass(1_000);
      expect(pings()).toBe(1);
      await w.pass(CONFERENCE_CONFIG.pingTimeoutMillis);
      expect(w.env.sockets).toHaveLength(2);
    },

  "exit.10: A session that another device replaced is not reconnected": async () => {
    const w = world();
    await w.enter();
    w.last().end(4409);
    await w.pass(60_000);
    expect([w.reports.at(-1), w.env.sockets.length]).toEqual([["refused", 10, -554], 1]);
  },

  "message.sess-id: A frame of another session is dropped and reported": async () => {
    const w = world();
    await w.enter();
    w.last().receive({ op: 301, sessId: "other", cver: 1, memId: "b", reason: 0 });
    expect([w.reports.at(-1), w.env.reports.at(-1)]).toEqual([
      ["entered", false],
      "signalling: message sessId error...",
    ]);
    w.last().receive({ op: 301, sessId: "s1", cver: 1, memId: "b", reason: 0 });
    expect(w.reports.at(-1)).toEqual(["event", 301]);
  },

  "message.no-sess-id: An event without a session id is dropped and reported": async () => {
    const w = world();
    await w.enter();
    w.last().receive({ op: 107, rtcId: "r", endReason: 11 });
    w.last().receive({ op: 204, endReason: 11 });
    expect(w.reports).toEqual([["entered", false]]);
    const unread = "signalling: conference: a message could not be understood";
    expect(w.env.reports).toEqual([unread, unread]);
  },
});
