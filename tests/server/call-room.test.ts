/**
 * Tests the core's half of call signalling against the server's half over real sockets, so that the assumptions of each about
 * the other hold.
 */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { WebSocket } from "ws";
import { createSignallingModule } from "../../src/server/modules/signalling/index.ts";
import { AppError } from "../../src/shared/errors.ts";
import { END_REASON, OP, type PeerMessage } from "../../src/shared/protocol/signalling.ts";
import { CALL_CONFIG } from "../../src/workers/core/calls/config.ts";
import { createCallSession, type CallSession } from "../../src/workers/core/calls/session.ts";
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
  origin: host.origin,
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

function roomOf(
  user: string,
  peerName: string,
  admission: Admission,
  over: { tktId?: string; sessId?: string } = {},
) {
  if (admission.ticket === null) throw new Error("no ticket");
  const log: string[] = [];
  const bodies: PeerMessage[] = [];
  const sessions: { sessId: string; resumed: boolean }[] = [];
  const call = createCallSession({
    env: env(),
    stats: UNREAD_STATS,
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
  });
  calls.push(call);
  call.open();
  return { call, log, bodies, sessions };
}

async function call() {
  const created = await ticketsOf("zhangwei").create("zhangwei", "lina");
  const joined = await ticketsOf("lina").join("lina", created.channel);
  const a = roomOf("zhangwei", "lina", created);
  await until("caller entered", () => a.call.entered);
  const b = roomOf("lina", "zhangwei", joined);
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
  const a = roomOf("zhangwei", "lina", created);
  const b = roomOf("lina", "zhangwei", joined);
  await until("both see each other", () => a.call.reachable && b.call.reachable);
  const sessId = a.sessions[0]?.sessId ?? "";
  a.call.abort();
  const next = roomOf("zhangwei", "lina", created, { sessId });
  await until("back in the call", () => next.call.reachable);
  expect(next.sessions).toMatchObject([{ sessId, resumed: true }]);
  expect(await next.call.relay(offer)).toBe(0);
  expect(await b.call.relay(offer)).toBe(0);
  expect(b.log.filter((line) => line.startsWith("exited"))).toEqual([]);
});

it("An invalid ticket is renewed once and then admitted", async () => {
  const created = await ticketsOf("zhangwei").create("zhangwei", "lina");
  const a = roomOf("zhangwei", "lina", created, { tktId: "forged" });
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
