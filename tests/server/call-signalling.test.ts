/**
 * Tests the core's half of call signalling against the server's half over real sockets, so that the assumptions of each about
 * the other hold.
 */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { WebSocket } from "ws";
import { createSignallingModule } from "../../src/server/modules/signalling/index.ts";
import { AppError } from "../../src/shared/errors.ts";
import { END_REASON, OP, type PeerMessage, RESULT } from "../../src/shared/protocol/signalling.ts";
import { CALL_CONFIG } from "../../src/workers/core/calls/config.ts";
import { createCallSession, type CallSession } from "../../src/workers/core/calls/session.ts";
import { socketTransport } from "../../src/workers/core/signalling/socket-transport.ts";
import { createTickets, type Admission } from "../../src/workers/core/calls/tickets.ts";
import type { CoreEnv, Http, SocketLike } from "../../src/workers/core/contracts.ts";
import { createFakeEnv, UNREAD_STATS } from "../../src/workers/core/core.fake.ts";
import { createTestHost, type TestHost, until } from "../../src/server/host.harness.ts";

let host: TestHost;
const calls: CallSession[] = [];
beforeAll(async () => {
  host = await createTestHost({ modules: [createSignallingModule] });
}, 60_000);
afterEach(async () => {
  for (const call of calls.splice(0)) call.abort();
  await host.reset();
});
afterAll(() => host.close());

const env = (): CoreEnv => ({
  ...createFakeEnv(),
  newId: () => crypto.randomUUID(),
  random: () => 0,
  home: host.origin,
  clock: {
    now: () => Date.now(),
    after(ms, run) {
      const timer = setTimeout(run, ms);
      return { cancel: () => clearTimeout(timer) };
    },
  },
  openSocket(url) {
    const socket = new WebSocket(url);
    // ws throws where a browser only reports: when closing a socket that is not open yet.
    socket.on("error", () => undefined);
    return socket as unknown as SocketLike;
  },
});

/** The tickets of a person, requested by the server's REST calls. */
const ticketsOf = (user: string) =>
  createTickets({
    env: env(),
    http: {
      async provider(request, schema) {
        const query = new URLSearchParams(request.query).toString();
        const response = await fetch(`${host.origin}${request.path}?${query}`, {
          method: request.method,
          headers: { "content-type": "application/json", authorization: `Bearer token-${user}` },
          body: JSON.stringify(request.body),
        });
        return schema.parse(await response.json()) as never;
      },
    } satisfies Pick<Http, "provider">,
  });

function sessionOf(
  user: string,
  peerName: string,
  admission: Admission,
  over: { tktId?: string; sessId?: string; beside?: boolean } = {},
) {
  if (admission.ticket === null) throw new Error("no ticket");
  const log: string[] = [];
  const bodies: PeerMessage[] = [];
  const sessions: { sessId: string; resumed: boolean }[] = [];
  const call = createCallSession({
    env: env(),
    connect: socketTransport({ env: env(), stats: UNREAD_STATS, ...CALL_CONFIG }),
    requestMillis: CALL_CONFIG.relayTimeoutMillis,
    config: CALL_CONFIG,
    ticket: { ...admission.ticket, ...(over.tktId === undefined ? {} : { tktId: over.tktId }) },
    nickName: user,
    resource: `${user}-pc`,
    peerName,
    sessId: over.sessId ?? null,
    renew: async () => {
      log.push("renew");
      const got = await ticketsOf(user).join(user, admission.channel);
      if (got.ticket === null) throw new AppError("signalling.refused");
      return got.ticket;
    },
    onEntered: (session) => {
      sessions.push(session);
      log.push("entered");
    },
    onReachable: (reachable) => void log.push(reachable ? "reachable" : "unreachable"),
    onExited: (reason) => void log.push(`exited ${reason}`),
    onBody: (body) => void bodies.push(body),
    onTerminate: (reason) => void log.push(`terminate ${reason}`),
    onRefused: (reason) => void log.push(`refused ${reason}`),
    contended: () => false,
    beside: () => over.beside === true,
    onMove: (news) => void log.push(`move ${news.step}`),
  });
  calls.push(call);
  call.open();
  return { call, log, bodies, sessions };
}

async function call() {
  const created = await ticketsOf("zhangwei").create("zhangwei", "lina");
  const joined = await ticketsOf("lina").join("lina", created.channel);
  const a = sessionOf("zhangwei", "lina", created);
  await until("caller entered", () => a.call.entered);
  const b = sessionOf("lina", "zhangwei", joined);
  await until("both see each other", () => a.call.reachable && b.call.reachable);
  return { a, b, channel: created.channel };
}
const offer: PeerMessage = { op: OP.offer, rtcId: "r1", sdp: "v=0", iceRestart: false };

it("A ticket for a person whom the caller may not call is refused", async () => {
  await expect(ticketsOf("zhangwei").create("zhangwei", "wangfang")).rejects.toMatchObject({
    code: "call.not-allowed",
  });
});

it("A call connects two people, relays in both directions, and ends for both", async () => {
  const { a, b } = await call();
  expect(await a.call.relay(offer)).toBe(0);
  expect(await b.call.relay({ op: OP.streamControl, voff: 1, aoff: 0 })).toBe(0);
  await until("both heard", () => a.bodies.length === 1 && b.bodies.length === 1);
  expect(b.bodies).toEqual([offer]);
  let unheard = false;
  expect(a.call.terminate(END_REASON.hangup, () => (unheard = true))).toBe(true);
  await until("the end reaches the other side", () => b.log.includes("terminate 0"));
  expect(unheard).toBe(false);
});

it("The other side learns who leaves", async () => {
  const { a, b } = await call();
  b.call.close();
  await until("the exit is announced", () => a.log.includes("exited 0"));
  expect(a.call.reachable).toBe(false);
  expect(await a.call.relay(offer)).not.toBe(0);
});

it("Both sides return after a restart of the server, and relays arrive again", async () => {
  const { a, b } = await call();
  await host.reset();
  await until("both lost it", () => a.log.includes("unreachable") && b.log.includes("unreachable"));
  await until("both are back", () => a.call.reachable && b.call.reachable);
  expect(a.log.filter((line) => line === "entered")).toHaveLength(2);
  expect(await a.call.relay(offer)).toBe(0);
  expect(await b.call.relay(offer)).toBe(0);
});

it("A new core resumes the session without a renegotiation at the other side", async () => {
  const created = await ticketsOf("zhangwei").create("zhangwei", "lina");
  const joined = await ticketsOf("lina").join("lina", created.channel);
  const a = sessionOf("zhangwei", "lina", created);
  const b = sessionOf("lina", "zhangwei", joined);
  await until("both see each other", () => a.call.reachable && b.call.reachable);
  const sessId = a.sessions[0]?.sessId ?? "";
  a.call.abort();
  const next = sessionOf("zhangwei", "lina", created, { sessId });
  await until("back in the call", () => next.call.reachable);
  expect(next.sessions).toMatchObject([{ sessId, resumed: true }]);
  expect(await next.call.relay(offer)).toBe(0);
  expect(await b.call.relay(offer)).toBe(0);
  expect(b.log.filter((line) => line.startsWith("exited"))).toEqual([]);
});

it("A second device enters beside the first, cannot end the call, and takes it with the same rights", async () => {
  const { a, b, channel } = await call();
  const admission = await ticketsOf("zhangwei").join("zhangwei", channel);
  const next = sessionOf("zhangwei", "lina", admission, { beside: true });
  await until("the first is asked", () => a.log.includes("move ask"));
  await until("the second is inside", () => next.call.reachable);
  // The first device has said nothing yet, so the call is not the second one's.
  expect(await next.call.move({ step: "take" })).toBe(RESULT.notAllowed);
  expect(await b.call.relay(offer)).toBe(0);
  await until("the first device hears the other side", () => a.bodies.length === 1);
  const claim = { callId: "c", media: "video", peerDevice: "", began: 2, on: 1 } as const;
  const described = { ...claim, audioMuted: false, videoOff: false };
  expect(await a.call.move({ step: "call", call: described })).toBe(0);
  await until("the second knows the call", () => next.log.includes("move call"));
  expect(await next.call.relay({ ...offer, rtcId: "r2" })).toBe(0);
  expect(await b.call.relay({ op: OP.answer, rtcId: "r2", sdp: "v=0" })).toBe(0);
  await until("the answer comes to who offered", () => next.bodies.length === 1);
  expect(a.bodies).toHaveLength(1);
  expect(await next.call.move({ step: "take" })).toBe(0);
  await until("the first device ends", () => a.log.includes("terminate 10"));
  expect(b.log.filter((line) => /^(exited|terminate)/.test(line))).toEqual([]);
  expect(next.call.terminate(END_REASON.hangup, () => undefined)).toBe(true);
  await until("the end reaches the other side", () => b.log.includes("terminate 0"));
});

it("A device that gives up leaves the call to the first; without a first one it does not enter", async () => {
  const { a, b, channel } = await call();
  const admission = await ticketsOf("zhangwei").join("zhangwei", channel);
  const next = sessionOf("zhangwei", "lina", admission, { beside: true });
  await until("the second is inside", () => next.call.reachable);
  next.call.close();
  await until("the first goes on", () => a.log.includes("move drop"));
  expect(await a.call.relay(offer)).toBe(0);
  a.call.close();
  await until("the first has left", () => b.log.includes("exited 0"));
  const late = sessionOf("zhangwei", "lina", admission, { beside: true });
  await until("it is refused", () => late.log.includes("refused 2"));
});

it("A person enters beside own devices only", async () => {
  const { channel } = await call();
  await expect(ticketsOf("wangfang").join("wangfang", channel)).rejects.toMatchObject({
    code: "call.not-allowed",
  });
});

it("An invalid ticket is renewed once and then admitted", async () => {
  const created = await ticketsOf("zhangwei").create("zhangwei", "lina");
  const a = sessionOf("zhangwei", "lina", created, { tktId: "forged" });
  await until("entered", () => a.call.entered);
  expect(a.log).toEqual(["renew", "entered"]);
});

it("A conference that has ended refuses its tickets", async () => {
  const { a, b, channel } = await call();
  a.call.terminate(END_REASON.hangup, () => undefined);
  await until("ended", () => b.log.includes("terminate 0"));
  // The end is announced before it is stored.
  await expect
    .poll(() =>
      ticketsOf("lina")
        .join("lina", channel)
        .then(
          () => null,
          (error: unknown) => error,
        ),
    )
    .toBeInstanceOf(AppError);
});
