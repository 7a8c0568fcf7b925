import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openSocket, type TestHost, until } from "../../host.harness.ts";
import { mutate, pick, seededRandom } from "../../../shared/mutate.harness.ts";
import {
  CONFR_PATH,
  CONFR_SOCKET_LIMITS,
  confrClientSchema,
  confrServerSchema,
} from "../../../shared/protocol/confr-signalling.ts";
import { SIGNALLING_PATH, WS_CLOSE, OP } from "../../../shared/protocol/signalling.ts";
import { HEARTBEAT_MS } from "../../base/socket-guard.ts";
import { STALE_MS, TOUCH_MS } from "../signalling/index.ts";
import { AV, offerText } from "./conference.harness.ts";
import type { FakeNode } from "./node.fake.ts";
import { type Joined, join, startHost, ticket } from "./host.harness.ts";
import { ENTER_TIMEOUT_MS } from "../../base/signalling/sockets.ts";
import { CONFERENCE_TIMINGS } from "./types.ts";

const op = OP;
let host: TestHost & { readonly node: FakeNode };
beforeAll(async () => {
  host = await startHost({ STUN_URL: "stun:t:3478" });
}, 60_000);
afterEach(() => host.reset());
afterAll(() => host.close());

const gauge = async (name: string): Promise<number> =>
  Number(new RegExp(`^${name} (\\d+)`, "m").exec(await host.metrics())?.[1]);
const endOf = async (id: string): Promise<unknown> => {
  const sql = "SELECT end_reason FROM conferences WHERE id = $1";
  return (await host.pg.query<{ end_reason: unknown }>(sql, [id])).rows[0]?.end_reason;
};

async function meeting() {
  const made = await ticket(host, "zhangwei", {}, "1");
  const confrId = made.confrId ?? "";
  const admin = await join(host, made.ticket);
  const given = await ticket(host, "lina", { confrId });
  const lina = await join(host, given.ticket);
  return { confrId, made, given, admin, lina };
}
async function publish(member: Joined, rtcId: string, more: object = {}) {
  const frame = { op: op.offer, rtcId, sdp: offerText(AV), pubS: { type: 0, ...more } };
  member.send({ ...frame, tsxId: rtcId, sessId: member.sessId });
  return member.waitForFrame({ op: op.response, tsxId: rtcId });
}

describe("The socket of a conference", () => {
  it("gives ICE servers to a member that enters by ticket only, accepts the ticket's type in any case, and accepts it only for its own conference", async () => {
    const made = await ticket(host, "zhangwei", {}, "1");
    const other = await ticket(host, "zhangwei", {}, "1");
    if (made.ticket === undefined) throw new Error("no ticket");
    const shouted = { ...made.ticket, type: "confr" } as unknown as typeof made.ticket;
    const inside = await join(host, shouted);
    expect(inside.answer).toMatchObject({
      result: 0,
      rtcCfg: { iceServers: [{ urls: "stun:t:3478" }] },
    });
    const moved = await join(host, { ...made.ticket, confrId: other.confrId ?? "" });
    expect(moved.answer).toMatchObject({ result: -500 });
  });

  it("passes a captured picture on in the answer of a member, in one frame", async () => {
    const { admin, lina } = await meeting();
    const ask = JSON.stringify({ op2: 21 });
    const request = { op: op.controlRequest, tsxId: "q", memId: "zhangwei", arg: ask };
    lina.send({ ...request, sessId: lina.sessId });
    await admin.waitForFrame({ op: op.controlRequest });
    const arg = JSON.stringify({ pic: "x".repeat(1_500_000) });
    const answer = { op: op.response, tsxId: "q", memId: "lina", result: 0, arg };
    admin.send({ ...answer, sessId: admin.sessId });
    expect(await lina.waitForFrame({ op: op.response, memId: "zhangwei", tsxId: "q" })).toEqual({
      ...answer,
      sessId: lina.sessId,
      memId: "zhangwei",
    });
  });

  it("carries a conference: streams to the others, subscriptions, texts, the end", async () => {
    const { confrId, made, admin, lina } = await meeting();
    expect(made.rtcCfg).toEqual({ iceServers: [{ urls: "stun:t:3478" }] });
    expect(await admin.waitForFrame({ op: op.memberEntered })).toMatchObject({
      mem: { id: "lina" },
    });
    const published = await publish(admin, "r1");
    const { id } = published["stream"] as { id: string };
    await lina.waitForFrame({ op: op.streamAdded });
    const wish = { rtcId: "s1", subSId: id, subSVideo: true, subSAudio: true };
    lina.send({ op: op.offer, tsxId: "s", sessId: lina.sessId, sdp: offerText(AV), ...wish });
    expect(await lina.waitForFrame({ op: op.response, rtcId: "s1" })).toMatchObject({
      result: 0,
      streamId: id,
    });
    lina.send({ op: op.message, tsxId: "m", sessId: lina.sessId, id: "1", arg: "好" });
    expect(await admin.waitForFrame({ op: op.message })).toMatchObject({
      memId: "lina",
      arg: "好",
    });
    expect(await gauge("conference_members")).toBe(2);
    expect(await gauge("signalling_sockets")).toBe(2);
    admin.send({ op: op.closeConference, tsxId: "x", sessId: admin.sessId });
    await lina.waitForFrame({ op: op.closeConference, reason: 11 });
    host.clock.advance(CONFERENCE_TIMINGS.close);
    expect([await admin.closed(), await lina.closed()]).toEqual([1000, 1000]);
    await until("the end is stored", async () => (await endOf(confrId)) === 11);
    await until("nobody is left", async () => (await gauge("signalling_sockets")) === 0);
    expect(await gauge("conference_members")).toBe(0);
    for (const frame of [...admin.frames, ...lina.frames]) confrServerSchema.parse(frame);
  });

  it("returns after a restart of the server with the same member and stream ids and the stored state", async () => {
    const { confrId, made, given, admin, lina } = await meeting();
    const published = await publish(lina, "r1");
    const { id, sver } = published["stream"] as { id: string; sver: number };
    const desk = await join(host, given.ticket, { resource: "desk" });
    await host.restart();
    expect(await admin.closed()).toBe(WS_CLOSE.shutdown);
    expect(await endOf(confrId)).toBeNull();
    host.clock.advance(2000);
    // The second device first.
    const desk2 = await join(host, given.ticket, { resource: "desk", sessId: desk.sessId });
    const lina2 = await join(host, given.ticket, { sessId: lina.sessId });
    const admin2 = await join(host, made.ticket, { sessId: admin.sessId });
    expect(desk2.answer).toMatchObject({ memId: desk.answer["memId"], resumed: false });
    expect(lina2.answer).toMatchObject({ memId: "lina", resumed: false, role: 3 });
    expect(admin2.answer).toMatchObject({ memId: "zhangwei", role: 7 });
    const again = await publish(lina2, "r2", { id });
    expect(again).toMatchObject({ result: 0, stream: { id } });
    expect((again["stream"] as { sver: number }).sver).toBeGreaterThan(sver);
  });

  it("is resumed after a cut, and the membership ends when nobody returns", async () => {
    const { given, admin, lina } = await meeting();
    await publish(lina, "r1");
    lina.ws.terminate();
    await until("the loss is noticed", async () => (await gauge("signalling_sockets")) === 1);
    const back = await join(host, given.ticket, { sessId: lina.sessId, cver: 3 });
    expect(back.answer).toMatchObject({ resumed: true, streams: [{ memId: "lina" }] });
    back.ws.terminate();
    await until("the loss is noticed", async () => (await gauge("signalling_sockets")) === 1);
    expect(await gauge("conference_members")).toBe(2);
    host.clock.advance(CONFERENCE_TIMINGS.grace);
    expect(await admin.waitForFrame({ op: op.memberExited })).toMatchObject({ reason: 6 });
    expect(admin.frames.filter((f) => f["op"] === op.memberExited)).toHaveLength(1);
    expect(await gauge("conference_members")).toBe(1);
    expect([...host.node.open]).toEqual([]);
  });

  it("is closed with its login session, whose tickets become invalid", async () => {
    const { given, admin, lina } = await meeting();
    expect(host.directory.openSessions()).toContain("session-lina");
    host.directory.endSession("session-lina");
    expect(await lina.closed()).toBe(WS_CLOSE.unauthorised);
    const refused = await join(host, given.ticket);
    expect(refused.answer).toMatchObject({ result: -500 });
    expect(await refused.closed()).toBe(WS_CLOSE.unauthorised);
    expect(admin.ws.readyState).toBe(1);
  });

  it("accepts no ticket that is forged, of another conference, or of a one-to-one call", async () => {
    const { given, made } = await meeting();
    const other = await ticket(host, "lina", {}, "1");
    const call = await ticket(host, "zhangwei", { confrType: 13, callee: "lina" });
    for (const bad of [
      { ...given.ticket, memName: "zhangwei" },
      { ...given.ticket, confrId: other.confrId },
      { ...given.ticket, tktId: `${given.ticket?.tktId ?? ""}x` },
      { ...given.ticket, tktId: made.roleToken },
      call.ticket,
    ]) {
      const socket = await join(host, bad as typeof given.ticket);
      expect(socket.answer, JSON.stringify(bad)).toMatchObject({ result: -500 });
      expect(socket.answer).not.toHaveProperty("mems");
    }
    // The socket of calls does not accept a conference's ticket either.
    const socket = await openSocket(host.origin + SIGNALLING_PATH);
    socket.send({ op: op.enter, tsxId: "e", ticket: given.ticket });
    expect(await socket.waitForFrame({ op: op.response })).toMatchObject({ result: -506 });
  });

  it("must enter within ten seconds, and a dead peer is detected", async () => {
    const idle = await openSocket(host.origin + CONFR_PATH);
    const { admin } = await meeting();
    host.clock.advance(ENTER_TIMEOUT_MS);
    expect(await idle.closed()).toBe(WS_CLOSE.unauthorised);
    admin.ws.pause();
    host.clock.advance(HEARTBEAT_MS);
    host.clock.advance(HEARTBEAT_MS);
    await until("all are gone", async () => (await gauge("signalling_sockets")) === 0);
    admin.ws.resume();
  });

  it("is retried when the database cannot be queried", async () => {
    const made = await ticket(host, "zhangwei", {}, "1");
    await host.pg.query("ALTER TABLE conferences RENAME TO hidden");
    const socket = await openSocket(host.origin + CONFR_PATH);
    socket.send({ op: op.enter, tsxId: "e", ticket: made.ticket });
    expect(await socket.closed()).toBe(1013);
    expect(socket.frames).toEqual([]);
    await host.pg.query("ALTER TABLE hidden RENAME TO conferences");
    expect((await join(host, made.ticket)).answer).toMatchObject({ result: 0 });
  });

  it("prevents the sweep of its conference, while an empty one is swept", async () => {
    const { confrId, admin } = await meeting();
    const empty = (await ticket(host, "zhangwei", {}, "1")).confrId ?? "";
    let passed = 0;
    while ((await endOf(empty)) === null && passed < STALE_MS * 3) {
      host.clock.advance(HEARTBEAT_MS);
      passed += HEARTBEAT_MS;
      admin.send({ op: op.ping, tsxId: `p${passed}`, sessId: admin.sessId });
      await admin.waitForFrame({ op: op.pong, tsxId: `p${passed}` });
    }
    expect(await endOf(empty)).toBe(6);
    expect(passed).toBeLessThan(STALE_MS + 2 * TOUCH_MS);
    expect(await endOf(confrId)).toBeNull();
  }, 60_000);

  it("answers or closes on malformed frames, binary frames and a flood, while another conference continues", async () => {
    const calm = await meeting();
    const made = await ticket(host, "wangfang", {}, "2");
    let socket = await join(host, made.ticket);
    const random = seededRandom(7);
    let refused = 0;
    for (let sent = 0; sent < 200;) {
      const head = { tsxId: "m", sessId: socket.sessId };
      const text = mutate(
        random,
        pick<object>(random, [
          {
            op: op.offer,
            ...head,
            rtcId: "r",
            sdp: offerText(AV),
            pubS: { type: 0, vcodes: ["VP8"] },
          },
          { op: op.subscribe, ...head, rtcId: "s", subSId: "x", subSVideo: true, subSAudio: true },
          { op: op.candidates, ...head, rtcId: "r", cands: ["c"] },
          { op: op.controlRequest, ...head, memId: "lina", arg: JSON.stringify({ op2: 21 }) },
          { op: op.message, ...head, id: "1", arg: "x", memId: "lina" },
        ]),
      );
      if (readable(text)) continue;
      sent += 1;
      refused += 1;
      const before = socket.frames.length;
      socket.raw(text);
      const now = socket;
      await until("an answer", () => now.frames.length > before);
      expect(socket.frames.at(-1)).toMatchObject({ op: op.response, result: -9527 });
      if (refused < CONFR_SOCKET_LIMITS.badFrames) continue;
      expect(await socket.closed()).toBe(WS_CLOSE.badFrames);
      refused = 0;
      socket = await join(host, made.ticket);
    }
    socket.raw(Buffer.from([1, 2, 3]));
    expect(
      await socket.waitForFrame({ op: op.response, msg: "binary frames are not understood" }),
    ).toBeDefined();
    for (let i = 0; i < CONFR_SOCKET_LIMITS.burst + 30; i += 1) {
      socket.send({ op: op.ping, tsxId: "p", sessId: socket.sessId });
    }
    expect(await socket.closed()).toBe(WS_CLOSE.tooMany);
    calm.admin.send({ op: op.message, tsxId: "t", sessId: calm.admin.sessId, id: "1", arg: "x" });
    expect(await calm.lina.waitForFrame({ op: op.message })).toMatchObject({ arg: "x" });
    expect(calm.lina.frames).toHaveLength(2);
  }, 60_000);

  it("starts the media node with the server while an open conference has had a member lately, and not otherwise", async () => {
    await meeting();
    const before = host.node.warmed;
    await host.restart();
    expect(host.node.warmed).toBe(before + 1);
    host.clock.advance(STALE_MS + 1);
    await host.restart();
    expect(host.node.warmed).toBe(before + 1);
  });
});

function readable(text: string): boolean {
  try {
    return confrClientSchema.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}
