import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestHost, type TestSocket, until } from "../../host.harness.ts";
import { mutate, pick, seededRandom } from "../../../shared/mutate.harness.ts";
import {
  clientSignalSchema,
  OP,
  serverSignalSchema,
  SIGNALLING_LIMITS,
  WS_CLOSE,
} from "../../../shared/protocol/signalling.ts";
import { createCall, enter, open, rowsIn, startHost } from "./call.harness.ts";

const FRAMES = 1000;

describe("Malformed signalling frames", () => {
  let host: TestHost;
  beforeAll(async () => {
    host = await startHost();
  });
  afterAll(() => host.close());

  /** A call that must not be disturbed. */
  async function talk(a: TestSocket & { sessId: string }, tsxId: string): Promise<void> {
    const body = { op: OP.answer, rtcId: "r", sdp: "v=0" };
    a.send({ op: OP.relay, tsxId, sessId: a.sessId, to: "lina", body });
    expect(await a.waitForFrame({ op: OP.response, tsxId })).toMatchObject({ result: 0 });
  }

  it(`answer or close the socket on each of ${FRAMES} frames, store nothing, and disturb no other call`, async () => {
    const undisturbed = await createCall(host);
    const a = await enter(host, undisturbed.caller);
    const b = await enter(host, undisturbed.callee);
    const attacked = await createCall(host, "wangfang", "zhaolei");
    const victim = await enter(host, attacked.callee);
    const rows = await host.pg.query("select * from conferences order by id");

    const random = seededRandom(20_261_121);
    let socket = await enter(host, attacked.caller);
    let sent = 0;
    let refused = 0;
    let closedFor4400 = 0;
    while (sent < FRAMES) {
      const { sessId } = socket;
      const relay = { op: OP.relay, tsxId: "m", sessId, to: "zhaolei" };
      const cands = [{ candidate: "c", sdpMid: "0", sdpMLineIndex: 0, usernameFragment: "u" }];
      const text = mutate(
        random,
        pick<unknown>(random, [
          {
            op: OP.enter,
            tsxId: "m",
            ticket: attacked.caller,
            nickName: "n",
            resource: "r",
            sessId,
          },
          { op: OP.ping, tsxId: "m", sessId },
          { ...relay, body: { op: OP.offer, rtcId: "r", sdp: "v=0", iceRestart: true } },
          { ...relay, body: { op: OP.candidates, rtcId: "r", cands } },
          { ...relay, body: { op: OP.streamControl, voff: 0, aoff: 1 } },
          { ...relay, body: { op: OP.ping, want: "offer" } },
          { op: OP.terminate, tsxId: "m", sessId: "another", reason: 0 },
          { op: OP.leave, tsxId: "m", sessId: "another" },
        ]),
      );
      // Some mutations produce another valid frame.
      if (readable(text)) continue;
      sent += 1;
      refused += 1;
      const before = socket.frames.length;
      socket.raw(text);
      await until("an answer", () => socket.frames.length > before);
      expect(socket.frames.at(-1), text).toMatchObject({ op: OP.response, result: -9527 });
      if (refused === SIGNALLING_LIMITS.badFrames) {
        expect(await socket.closed()).toBe(WS_CLOSE.badFrames);
        closedFor4400 += 1;
        refused = 0;
        socket = await enter(host, attacked.caller);
        expect(socket.answer).toMatchObject({ result: 0 });
        await talk(a, `n${sent}`);
      }
    }
    expect(closedFor4400).toBe(FRAMES / SIGNALLING_LIMITS.badFrames);
    expect((await host.pg.query("select * from conferences order by id")).rows).toEqual(rows.rows);
    for (const frame of victim.frames) {
      expect([OP.response, OP.memberEntered]).toContain(serverSignalSchema.parse(frame).op);
    }
    expect([...a.frames, ...b.frames].filter((f) => f["result"] === -9527)).toEqual([]);
    expect([a.ws.readyState, b.ws.readyState, victim.ws.readyState]).toEqual([1, 1, 1]);
  });

  it("close the socket when too large or invalid UTF-8, and are refused when binary", async () => {
    const call = await createCall(host, "wangfang", "zhaolei");
    const rows = await rowsIn(host, "conferences");
    const huge = await enter(host, call.caller);
    huge.raw(`{"op":100,"tsxId":"${"x".repeat(SIGNALLING_LIMITS.frameBytes)}"}`);
    expect(await huge.closed()).toBe(1009);
    const binary = await enter(host, call.caller);
    for (let i = 0; i < SIGNALLING_LIMITS.badFrames; i += 1)
      binary.raw(Buffer.from([0xff, 0xfe, i]));
    expect(await binary.closed()).toBe(WS_CLOSE.badFrames);
    expect(binary.frames.filter((f) => f["result"] === -9527)).toHaveLength(
      SIGNALLING_LIMITS.badFrames,
    );
    const text = await open(host);
    text.ws.send(Buffer.from([0x22, 0xff, 0xc0, 0x22]), { binary: false });
    expect(await text.closed()).toBe(1007);
    const again = await enter(host, call.caller);
    expect(again.answer).toMatchObject({ result: 0 });
    expect(await rowsIn(host, "conferences")).toBe(rows);
  });
});

function readable(text: string): boolean {
  try {
    return clientSignalSchema.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}
