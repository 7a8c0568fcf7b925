import { describe, expect, it } from "vitest";
import { z } from "../../../shared/zod.ts";
import type { Ticket } from "../../../shared/protocol/rest/rtc.ts";
import type { Admitted, NotAdmitted, SignallingProtocol } from "./contracts.ts";
import { createFrameHandler } from "./frame-handler.ts";

const text = z.string().min(1).max(64);
const request = { tsxId: text, sessId: text };
const schema = z.discriminatedUnion("op", [
  z.object({ op: z.literal(200), tsxId: text, ticket: z.custom<Ticket>().optional() }),
  z.object({ op: z.literal(1), ...request }),
  z.object({ op: z.literal(2), ...request }),
  z.object({ op: z.literal(3), ...request }),
]);
type In = z.infer<typeof schema>;
type Out =
  | { op: 1001; tsxId?: string; sessId?: string; result: number; memId?: string }
  | { op: 300 };
interface TestSession {
  readonly sessId: string;
  socket: unknown;
}

const ticket = { memName: "lina" } as Ticket;
const ENTER = { op: 200, tsxId: "e", ticket };
const settle = async (): Promise<void> => {
  for (let i = 0; i < 10; i += 1) await Promise.resolve();
};

/** Op 1 echoes, op 2 is for admins only and leaves, op 3 fails later. */
function setUp(
  given: {
    admit?: () => Promise<Admitted | NotAdmitted>;
    over?: string;
    beside?: number;
    known?: boolean;
  } = {},
) {
  const sent: object[] = [];
  const closed: number[] = [];
  const errors: [unknown, string][] = [];
  const inside: boolean[] = [];
  let bad = 0;
  const session: TestSession = { sessId: "s", socket: null };
  const protocol: SignallingProtocol<TestSession, In, Out, Admitted> = {
    schema,
    texts: { entered: "entered already", tooMany: "too many" },
    ticketOf: (frame) => frame.ticket ?? null,
    admit: given.admit ?? (() => Promise.resolve({ result: 0, loginSession: "login" })),
    socketsBeside: () => given.beside ?? 0,
    enter(frame, _admission, socket) {
      session.socket = socket;
      return {
        session,
        answer: { result: 0, memId: frame.ticket?.memName ?? "" },
        missed: [{ op: 300 }],
      };
    },
    drop: () => void sent.push({ dropped: true }),
    putOut: () => void sent.push({ out: true }),
    conferenceIdOf: () => "c1",
    over: () => given.over ?? null,
    operations: {
      1: { run: (_, __, from) => from.answer({ result: 0 }) },
      2: {
        refusal: (_, { tsxId }) =>
          tsxId === "admin" ? null : { result: -405, msg: "admins only" },
        run: (_, __, from) => {
          from.answer({ result: 0 });
          from.left();
        },
      },
      3: { run: () => Promise.reject(new Error("no node")) },
    },
  };
  const socket = {
    open: true,
    send: (frame: object) => sent.push(frame) > 0,
    close(code: number) {
      closed.push(code);
      socket.open = false;
    },
  };
  const handler = createFrameHandler(
    socket,
    { address: "192.0.2.1", identify: () => given.known ?? true },
    protocol,
    {
      onBad: () => (bad += 1),
      onInside: (now) => inside.push(now),
      onError: (error, what) => errors.push([error, what]),
    },
  );
  return {
    handler,
    closed,
    errors,
    inside,
    session,
    bad: () => bad,
    /** @returns what was sent since the last call */
    async sendFrame(frame: unknown): Promise<object[]> {
      handler.receive(typeof frame === "string" ? frame : JSON.stringify(frame));
      await settle();
      return sent.splice(0);
    },
  };
}

describe("The frame handler", () => {
  it("enters once, sends the answer before what was missed, and knows where it is", async () => {
    const { handler, sendFrame, inside } = setUp();
    expect([handler.inside, handler.conferenceId, handler.loginSession]).toEqual([
      false,
      null,
      null,
    ]);
    expect(await sendFrame(ENTER)).toEqual([
      { op: 1001, tsxId: "e", sessId: "s", result: 0, memId: "lina" },
      { op: 300 },
    ]);
    expect([handler.inside, handler.conferenceId, handler.loginSession]).toEqual([
      true,
      "c1",
      "login",
    ]);
    expect(await sendFrame(ENTER)).toEqual([
      { op: 1001, tsxId: "e", sessId: "s", result: -9527, msg: "entered already" },
    ]);
    expect(inside).toEqual([true]);
  });

  it("answers frames that it cannot read, with their transaction id when there is one", async () => {
    const { sendFrame, bad } = setUp();
    expect(await sendFrame("{")).toEqual([{ op: 1001, result: -9527, msg: "not JSON" }]);
    const [answer] = await sendFrame({ op: 1, tsxId: "t" });
    expect(answer).toMatchObject({ op: 1001, tsxId: "t", result: -9527 });
    expect(answer).toHaveProperty("msg", expect.stringMatching(/^invalid sessId: /));
    expect(await sendFrame({ op: 99 })).toMatchObject([{ op: 1001, result: -9527 }]);
    expect(bad()).toBe(3);
  });

  it("refuses an enter without a ticket as unreadable", async () => {
    const { sendFrame, bad } = setUp();
    expect(await sendFrame({ op: 200, tsxId: "e" })).toEqual([
      { op: 1001, tsxId: "e", result: -9527, msg: "invalid ticket: required" },
    ]);
    expect(bad()).toBe(1);
  });

  it("refuses a bad ticket and closes, and refuses another result without closing", async () => {
    for (const [result, codes] of [
      [-500, [4401]],
      [-506, []],
    ] as const) {
      const { sendFrame, closed } = setUp({ admit: () => Promise.resolve({ result, msg: "no" }) });
      expect(await sendFrame(ENTER)).toEqual([{ op: 1001, tsxId: "e", result, msg: "no" }]);
      expect(closed).toEqual(codes);
    }
  });

  it("refuses a person with too many sockets and closes", async () => {
    for (const given of [{ beside: 4 }, { known: false }]) {
      const { sendFrame, closed } = setUp(given);
      expect(await sendFrame(ENTER)).toEqual([
        { op: 1001, tsxId: "e", result: -405, msg: "too many" },
      ]);
      expect(closed).toEqual([4429]);
    }
    expect(await setUp({ beside: 3 }).sendFrame(ENTER)).toHaveLength(2);
  });

  it("sends no answer when a ticket cannot be checked, since a refusal would end the call", async () => {
    const { sendFrame, closed, errors } = setUp({
      admit: () => Promise.reject(new Error("database")),
    });
    expect(await sendFrame(ENTER)).toEqual([]);
    expect(closed).toEqual([1013]);
    expect(errors).toEqual([[new Error("database"), "enter"]]);
  });

  it("runs an operation for its own session only, and asks the row who may", async () => {
    const { sendFrame, session, handler, inside } = setUp();
    const lost = (sessId: string) => [
      { op: 1001, tsxId: "t", sessId, result: -9527, msg: "message sessId error..." },
    ];
    expect(await sendFrame({ op: 1, tsxId: "t", sessId: "s" })).toEqual(lost("s"));
    await sendFrame(ENTER);
    expect(await sendFrame({ op: 1, tsxId: "t", sessId: "other" })).toEqual(lost("other"));
    expect(await sendFrame({ op: 1, tsxId: "t", sessId: "s" })).toEqual([
      { op: 1001, tsxId: "t", sessId: "s", result: 0 },
    ]);
    expect(await sendFrame({ op: 2, tsxId: "t", sessId: "s" })).toMatchObject([
      { op: 1001, sessId: "s", result: -405 },
    ]);
    expect(handler.inside).toBe(true);
    expect(await sendFrame({ op: 2, tsxId: "admin", sessId: "s" })).toMatchObject([{ result: 0 }]);
    expect([inside, handler.conferenceId]).toEqual([[true, false], null]);
    // Another socket has taken the session over.
    await sendFrame(ENTER);
    session.socket = {};
    expect(await sendFrame({ op: 1, tsxId: "t", sessId: "s" })).toEqual(lost("s"));
  });

  it("refuses every operation when the conference is over", async () => {
    const { sendFrame } = setUp({ over: "it is over" });
    await sendFrame(ENTER);
    expect(await sendFrame({ op: 1, tsxId: "t", sessId: "s" })).toEqual([
      { op: 1001, tsxId: "t", sessId: "s", result: -9527, msg: "it is over" },
    ]);
  });

  it("puts out a member who has no access any more, and closes a socket that is outside all the same", async () => {
    const { handler, sendFrame, closed } = setUp();
    await sendFrame(ENTER);
    handler.putOut("login session ended");
    expect(closed).toEqual([4401]);
    expect(await sendFrame("{")).toMatchObject([{ out: true }, { op: 1001 }]);
    const outside = setUp();
    outside.handler.putOut("login session ended");
    expect(outside.closed).toEqual([4401]);
    expect(await outside.sendFrame("{")).toMatchObject([{ op: 1001 }]);
  });

  it("reports an operation that fails, and drops the session when the socket is gone", async () => {
    const { sendFrame, errors, handler } = setUp();
    handler.gone();
    expect(await sendFrame({ op: 3, tsxId: "t", sessId: "s" })).toMatchObject([
      { op: 1001, result: -9527 },
    ]);
    await sendFrame(ENTER);
    expect(await sendFrame({ op: 3, tsxId: "t", sessId: "s" })).toEqual([]);
    expect(errors).toEqual([[new Error("no node"), "op 3"]]);
    handler.gone();
    expect(await sendFrame("{")).toMatchObject([{ dropped: true }, { op: 1001, sessId: "s" }]);
  });
});
