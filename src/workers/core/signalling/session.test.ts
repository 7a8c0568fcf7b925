import { describe, expect, it } from "vitest";
import { AppError } from "../../../shared/errors.ts";
import { createFakeClock, settle } from "../core.fake.ts";
import {
  createSignallingSession,
  type ServerFrame,
  type SessionDeps,
  type SessionTimings,
} from "./session.ts";
import { createFakeTransport } from "./transport.fake.ts";

interface Request {
  readonly op: number;
  readonly text?: string;
}
type Frame =
  | (ServerFrame & { readonly op: 1001 })
  | (ServerFrame & { readonly op: 101 | 300 | 1003 });

const TICKET = { confrId: "c", memName: "me", tktId: "first", url: "/", type: "P2P" } as const;
const TIMINGS: SessionTimings = {
  enterMillis: 1_000,
  entry: { millis: 3_000, attempts: 2 },
  requestMillis: 500,
  pingTimeoutMillis: 200,
  releaseMillis: 100,
  wake: { everyMillis: 50, sleptMillis: 400 },
};

function world(over: Partial<SessionDeps<Request, Frame>> = {}) {
  const clock = createFakeClock();
  const transport = createFakeTransport();
  const log: unknown[][] = [];
  const reports: string[] = [];
  let ids = 0;
  const session = createSignallingSession<Request, Frame>({
    env: {
      clock,
      newId: () => `t${(ids += 1)}`,
      log: (_area, _level, text) => void reports.push(text),
    },
    name: "test",
    timings: TIMINGS,
    connect: transport.connect,
    ticket: { ...TICKET, timestamp: 1 },
    sessId: null,
    read: (message) =>
      typeof message === "object" && message !== null && "op" in message
        ? (message as Frame)
        : null,
    enterFrame: ({ tktId }, sessId) => ({ op: 200, tktId, sessId }),
    mayHold: ({ op }) => op === 1003,
    renew: () => Promise.resolve({ ...TICKET, timestamp: 1, tktId: "second" }),
    onEntered: (_answer, resumed) => log.push(["entered", resumed]),
    onLost: () => log.push(["lost"]),
    onRefused: ({ reason, result }) => log.push(["refused", reason, result]),
    onEvent: ({ op }) => log.push(["event", op]),
    onPong: () => log.push(["pong"]),
    ...over,
  });
  /** Answers the last frame with this op. */
  const answer = async (op: number, part: object = {}): Promise<void> => {
    const tsxId = transport.sent.findLast((frame) => frame["op"] === op)?.["tsxId"];
    transport.receive({ op: 1001, tsxId, sessId: "s1", result: 0, ...part });
    await settle();
  };
  const accept = async (): Promise<void> => {
    transport.accept();
    await settle();
  };
  const enter = async (part: object = {}): Promise<void> => {
    session.open();
    await accept();
    await answer(200, part);
  };
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 50) {
      clock.advance(Math.min(50, left));
      await settle();
    }
  };
  const frames = (op: number) => transport.sent.filter((frame) => frame["op"] === op);
  return { clock, transport, log, reports, session, answer, accept, enter, pass, frames };
}

describe("entering", () => {
  it("The enter carries the ticket, and the answer makes the session entered", async () => {
    const w = world();
    await w.enter();
    expect(w.transport.sent).toEqual([{ op: 200, tktId: "first", sessId: null, tsxId: "t1" }]);
    expect([w.log, w.session.entered]).toEqual([[["entered", false]], true]);
  });

  it("A refusal ends the session with the end reason of its result", async () => {
    const w = world();
    await w.enter({ result: -506 });
    expect([w.log, w.transport.state]).toEqual([[["refused", 11, -506]], "closed"]);
    expect(w.clock.pending).toBe(0);
  });

  it("Without an answer the connection is replaced, until the time to enter is over", async () => {
    const w = world();
    w.session.open();
    await w.accept();
    await w.pass(1_000);
    expect(w.transport.reconnects).toEqual(["no answer to enter"]);
    await w.pass(2_000);
    expect([w.log, w.clock.pending]).toEqual([[["refused", 4, -9527]], 0]);
  });

  it("A session that never was inside fails after its attempts", () => {
    const w = world();
    w.session.open();
    w.transport.lose("failed", 0);
    w.transport.lose("failed", 1);
    expect(w.log).toEqual([]);
    w.transport.lose("failed", 2);
    expect([w.log, w.transport.state]).toEqual([[["refused", 4, -95270]], "closed"]);
  });

  it("A session without a limit, or one that an earlier core had, tries for ever", async () => {
    for (const over of [{ timings: { ...TIMINGS, entry: null } }, { sessId: "s0" }]) {
      const w = world(over);
      w.session.open();
      for (let i = 0; i < 50; i += 1) w.transport.lose("failed", i);
      await w.pass(60_000);
      expect(w.log).toEqual([]);
      w.session.close();
    }
  });
});

describe("the ticket", () => {
  it("A bad one is renewed once, and the next connection enters with the new one", async () => {
    const w = world();
    await w.enter({ result: -500 });
    expect([w.log, w.transport.reconnects]).toEqual([[], ["ticket renewed"]]);
    expect(w.transport.ticket.tktId).toBe("second");
    await w.accept();
    expect(w.transport.sent.at(-1)).toMatchObject({ op: 200, tktId: "second" });
    await w.answer(200, { result: -500 });
    expect(w.log).toEqual([["refused", 4, -500]]);
  });

  it("A connection that the server closes for a bad ticket waits for the new one", async () => {
    let deliver = (): void => undefined;
    const renewed = new Promise<void>((resolve) => {
      deliver = resolve;
    });
    let asked = 0;
    const w = world({
      async renew() {
        asked += 1;
        await renewed;
        return { ...TICKET, timestamp: 1, tktId: "second" };
      },
    });
    await w.enter();
    w.transport.lose("bad-ticket");
    w.transport.lose("bad-ticket");
    await w.accept();
    expect([asked, w.frames(200).length]).toEqual([1, 1]);
    deliver();
    await settle();
    expect(w.transport.sent.at(-1)).toMatchObject({ op: 200, tktId: "second", sessId: "s1" });
    await w.answer(200, { resumed: true });
    expect(w.log).toEqual([["entered", false], ["lost"], ["entered", true]]);
  });

  it("A renewal that fails ends the session, unless it may be tried again", async () => {
    const refused = world({ renew: () => Promise.reject(new AppError("auth.required")) });
    await refused.enter({ result: -500 });
    expect(refused.log).toEqual([["refused", 4, -500]]);

    const offline = world({ renew: () => Promise.reject(new AppError("network.offline")) });
    await offline.enter({ result: -500 });
    expect([offline.log, offline.transport.state]).toEqual([[], "open"]);
    offline.session.close();
  });
});

describe("a lost connection", () => {
  it("It is resumed with its session id, and requests under way fail", async () => {
    const w = world();
    await w.enter();
    const asked = w.session.ask({ op: 201 });
    w.transport.lose();
    expect(await asked).toMatchObject({ result: -9527 });
    await w.accept();
    expect(w.transport.sent.at(-1)).toMatchObject({ op: 200, sessId: "s1" });
    await w.answer(200, { resumed: true });
    expect(w.log).toEqual([["entered", false], ["lost"], ["entered", true]]);
  });

  it("One that another device replaced ends the session, unless several may be inside", async () => {
    const w = world();
    await w.enter();
    w.transport.lose("replaced");
    expect([w.log.at(-1), w.transport.state]).toEqual([["refused", 10, -554], "closed"]);

    const contended = world({ contended: () => true });
    await contended.enter();
    contended.transport.lose("replaced");
    expect([contended.log.at(-1), contended.transport.state]).toEqual([["lost"], "connecting"]);
    contended.session.close();
  });

  it("A ping without an answer replaces the connection, and an answered one is reported", async () => {
    const w = world();
    await w.enter();
    w.transport.beat();
    await w.answer(100, { op: 101 });
    expect(w.log.at(-1)).toEqual(["pong"]);
    w.session.probe(100);
    await w.pass(100);
    expect(w.transport.reconnects).toEqual(["no pong"]);
    w.session.close();
  });

  it("A hurried ping has three round trips, and the given time at least", async () => {
    const w = world();
    await w.enter();
    w.transport.beat();
    await w.pass(60);
    await w.answer(100, { op: 101 });
    w.session.hurry(50);
    await w.pass(150);
    expect(w.transport.reconnects).toEqual([]);
    await w.pass(30);
    expect(w.transport.reconnects).toEqual(["no pong"]);
    w.session.close();
  });

  it("A connection that is known to lead nowhere is replaced at once, and not while it is replaced", async () => {
    const w = world();
    await w.enter();
    w.session.replace("moved");
    expect(w.transport.reconnects).toEqual(["moved"]);
    w.transport.lose();
    w.session.replace("moved");
    expect(w.transport.reconnects).toEqual(["moved"]);
    w.session.close();
  });

  it("A machine that slept makes the session ping", async () => {
    const w = world();
    await w.enter();
    await w.pass(1_000);
    expect(w.frames(100)).toEqual([]);
    const { now } = w.clock;
    // the clock goes on while the timers stand still
    Object.assign(w.clock, { now: () => now() + 500 });
    await w.pass(50);
    expect(w.frames(100)).toHaveLength(1);
    w.session.close();
  });
});

describe("requests", () => {
  it("What may wait is sent after the enter, in order; the rest is lost at once", async () => {
    const w = world();
    w.session.open();
    const first = w.session.ask({ op: 1003, text: "a" });
    expect(w.session.sendWithoutAnswer({ op: 1003, text: "b" })).not.toBeNull();
    expect(await w.session.ask({ op: 201 })).toMatchObject({ result: -9527 });
    expect(w.session.sendWithoutAnswer({ op: 201 })).toBeNull();
    await w.accept();
    await w.answer(200);
    await w.pass(50);
    expect(w.frames(1003)).toEqual([]);
    await w.pass(50);
    expect(w.frames(1003)).toMatchObject([
      { text: "a", sessId: "s1" },
      { text: "b", sessId: "s1" },
    ]);
    w.transport.receive({ op: 1001, tsxId: w.frames(1003)[0]?.["tsxId"], result: -405 });
    expect(await first).toMatchObject({ result: -405 });
    w.session.close();
  });

  it("A request whose frame the server could not read has the server's result", async () => {
    const w = world();
    await w.enter();
    const asked = w.session.ask({ op: 201 });
    const tsxId = w.frames(201)[0]?.["tsxId"];
    w.transport.receive({ op: 1001, tsxId, result: -9527, msg: "bad frame" });
    expect(await asked).toEqual({ result: -9527, msg: "bad frame", signal: null });
    expect(w.reports).toEqual(["test: frame refused (-9527) bad frame"]);
    w.session.close();
  });

  it("Frames of another session and unreadable ones are reported and dropped", async () => {
    const w = world();
    await w.enter();
    w.transport.receive({ op: 300, sessId: "other" });
    w.transport.receive(null);
    w.transport.receiveBad("not JSON");
    expect(w.reports).toEqual([
      "message sessId error...",
      "test: a message could not be understood",
      "test: not JSON",
    ]);
    w.transport.receive({ op: 300, sessId: "s1" });
    expect(w.log).toEqual([
      ["entered", false],
      ["event", 300],
    ]);
    w.session.close();
  });
});

describe("leaving", () => {
  it("The last request is answered before the connection closes", async () => {
    const w = world();
    await w.enter();
    const left = w.session.leave({ op: 201 }, 300);
    expect([w.session.entered, w.transport.state]).toEqual([false, "open"]);
    await w.answer(201);
    expect(await left).toMatchObject({ result: 0 });
    expect([w.transport.state, w.clock.pending]).toEqual(["closed", 0]);
  });

  it("Without an answer, and without a session, it closes all the same", async () => {
    const w = world();
    await w.enter();
    const left = w.session.leave({ op: 201 }, 300);
    await w.pass(300);
    expect(await left).toMatchObject({ result: -408 });
    expect(w.transport.state).toBe("closed");

    const outside = world();
    outside.session.open();
    expect(await outside.session.leave({ op: 201 }, 300)).toMatchObject({ result: -9527 });
    expect([outside.transport.state, outside.clock.pending]).toEqual(["closed", 0]);
  });

  it("A closed session sends nothing and reports nothing more", async () => {
    const w = world();
    await w.enter();
    w.session.close();
    w.session.close();
    w.transport.receive({ op: 300, sessId: "s1" });
    expect(w.session.sendWithoutAnswer({ op: 1003 })).toBeNull();
    expect([w.log, w.clock.pending]).toEqual([[["entered", false]], 0]);
  });
});
