/** Signals of calls as command messages: cut into parts, joined, and checked. */
import { describe, expect, test } from "vitest";
import {
  CALL_SIGNAL_ACTION,
  type CallSignal,
  SIGNAL_PART_BYTES,
  type SignalPart,
} from "../../../../shared/protocol/call-signal.ts";
import { OP } from "../../../../shared/protocol/signalling.ts";
import { partsOf } from "./call-signals.ts";
import { createHarness, type Harness, settle } from "../chat.harness.ts";
import { ChatFailure } from "../provider/port.ts";

const signal = (h: Harness, sdp = "v=0"): CallSignal => ({
  callId: "call",
  fromUser: "bob",
  toUser: "alice",
  fromUserDevId: "bob-pc",
  toUserDevId: h.chat.commands.device(),
  body: {
    op: OP.relay,
    tsxId: "t1",
    body: { op: OP.offer, rtcId: "r1", sdp, iceRestart: false },
  },
});
async function loggedIn(): Promise<Harness & { heard: CallSignal[]; opens: boolean[] }> {
  const h = createHarness();
  const heard: CallSignal[] = [];
  const opens: boolean[] = [];
  h.chat.signals.onSignal((one) => heard.push(one));
  h.chat.signals.onOpen((open) => opens.push(open));
  await settle();
  return { ...h, heard, opens };
}
let mids = 0;
const arrive = (h: Harness, ext: object, from = "bob"): void =>
  h.conn().events.command({
    mid: `s${(mids += 1)}`,
    from,
    to: "alice",
    action: CALL_SIGNAL_ACTION,
    ext: { ...ext },
    time: h.env.clock.now(),
  });
const LONG = `v=0 ${"x".repeat(7_000)} 张伟`;

describe("sending a signal", () => {
  test("A short one is one message, a long one several of at most 3000 bytes, and all must be taken", async () => {
    const h = await loggedIn();
    const out: CallSignal = { ...signal(h, LONG), fromUser: "alice", toUser: "bob" };
    const sent = h.chat.signals.send(out);
    const flying = h.conn().flying.map(({ message }) => message);
    expect(flying).toHaveLength(3);
    for (const message of flying) {
      expect(message).toMatchObject({ kind: "command", to: "bob", action: CALL_SIGNAL_ACTION });
      const { text } = (message as { ext: unknown }).ext as SignalPart;
      expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(SIGNAL_PART_BYTES);
    }
    for (let left = flying.length; left > 0; left -= 1) h.conn().deliver();
    await expect(sent).resolves.toBeUndefined();
    expect(partsOf(signal(h), "s")).toHaveLength(1);
  });

  test("It fails without a connection, after 5 s, and when one part is refused", async () => {
    const h = await loggedIn();
    const late = h.chat.signals.send(signal(h));
    h.env.clock.advance(5_000);
    await expect(late).rejects.toMatchObject({ code: "chat.send-failed" });
    h.conn().deliver();
    const refused = h.chat.signals.send(signal(h, LONG));
    h.conn().answer(new ChatFailure(511, "too large"));
    await expect(refused).rejects.toMatchObject({ code: "chat.send-failed" });
    h.conn().drop();
    expect(h.chat.signals.open()).toBe(false);
    await expect(h.chat.signals.send(signal(h))).rejects.toMatchObject({
      code: "chat.send-failed",
    });
    h.conn().back();
    await settle();
    expect(h.opens).toEqual([true, false, true]);
  });
});

describe("receiving a signal", () => {
  test("Parts are joined in any order, and two signals whose parts mix are told apart", async () => {
    const h = await loggedIn();
    const [first, second] = [signal(h, LONG), signal(h, `${LONG}2`)];
    const [a, b] = [partsOf(first, "1"), partsOf(second, "2")];
    for (const part of [a[2], b[0], a[0], b[1], a[1], b[2]]) arrive(h, part!);
    expect(h.heard).toEqual([first, second]);
    expect(h.env.reports).toEqual([]);
  });

  test("A signal for another device of this person is ignored without a report", async () => {
    const h = await loggedIn();
    const [part] = partsOf({ ...signal(h), toUserDevId: "other" }, "1");
    arrive(h, part!);
    expect([h.heard, h.env.reports]).toEqual([[], []]);
  });

  test.each<[string, (h: Harness) => object, string?]>([
    ["a sender that is not the chat's", (h) => partsOf(signal(h), "1")[0]!, "carol"],
    ["another receiver", (h) => partsOf({ ...signal(h), toUser: "carol" }, "1")[0]!],
    ["no JSON", () => ({ signalId: "1", part: 0, parts: 1, text: "{" })],
    ["an unknown operation", () => ({ signalId: "1", part: 0, parts: 1, text: '{"op":5}' })],
    ["a part beyond all", () => ({ signalId: "1", part: 100, parts: 100, text: "" })],
    ["no text", () => ({ signalId: "1" })],
  ])("One with %s is reported and dropped", async (_name, ext, from = "bob") => {
    const h = await loggedIn();
    arrive(h, ext(h), from);
    expect(h.heard).toEqual([]);
    expect(h.env.reports).toHaveLength(1);
  });

  test("At most 20 signals wait for a part: beyond that the oldest is dropped", async () => {
    const h = await loggedIn();
    for (let id = 0; id <= 20; id += 1) arrive(h, partsOf(signal(h, LONG), `s${id}`)[0]!);
    for (const id of ["s1", "s0"]) {
      for (const part of partsOf(signal(h, LONG), id).slice(1)) arrive(h, part);
    }
    expect(h.heard).toHaveLength(1);
  });
});
