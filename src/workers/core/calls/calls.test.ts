import { afterEach, describe, expect, it } from "vitest";
import { CALL_TEXTS, CANCEL_DONE } from "../../../shared/domain/call-texts.ts";
import { AppError, ERROR_CATALOGUE } from "../../../shared/errors.ts";
import { OP } from "../../../shared/protocol/signalling.ts";
import { createWorld, type Person, type World } from "./call.harness.ts";

let world: World;
let people: Person[] = [];
function setUp(): { a: Person; b: Person; w: World } {
  world = createWorld();
  const a = world.person("ann");
  const b = world.person("bob");
  people = [a, b];
  return { a, b, w: world };
}

/** After each test no timer, socket or media may be left. */
afterEach(async () => {
  for (const person of people) {
    if (person.call.status !== undefined && person.call.status !== "idle") await person.hangup();
  }
  await world.run(12_000);
  expect(world.server.sockets.size).toBe(0);
  expect(world.clock.pending).toBe(0);
  for (const person of people) {
    expect(person.call.owner ?? null).toBeNull();
    for (const tab of person.tabs.values()) expect(tab.epoch).toBeNull();
    person.calls.stop();
  }
});

async function connect(a: Person, b: Person, w: World): Promise<string> {
  const starting = a.start(b.user);
  await w.run(100);
  const { callId } = await starting;
  await b.answer();
  await w.run(300);
  expect([a.call.status, b.call.status]).toEqual(["chat", "chat"]);
  expect([a.call.connection, b.call.connection]).toEqual(["connected", "connected"]);
  return callId;
}
const offersOf = (w: World) => w.server.relayed.filter(({ body }) => body.op === OP.offer);

it("The slice names one tab that shows the notification of a ring, and another when that tab closes", async () => {
  const { a, b, w } = setUp();
  b.addTab("bob-2", 20);
  const starting = a.start("bob");
  await w.run(100);
  await starting;
  expect(b.call.ringTab).toBe("bob-2");
  b.leaveTab(b.tabs.get("bob-2")!);
  expect(b.call.ringTab).toBe("bob-1");
  await a.hangup();
  await w.run(100);
  expect(b.call.ringTab).toBeNull();
});

it("The caller's description is ready while it rings, and leaves when the callee enters, not before", async () => {
  const { a, b, w } = setUp();
  const starting = a.start("bob");
  await w.run(100);
  await starting;
  expect(a.call.status).toBe("receivedRing");
  expect(a.first.commandsOfType("offer")).toHaveLength(1);
  expect(b.first.commandsOfType("own")).toEqual([]);
  // Longer than a connection may take: an offer that nobody has is not a failure.
  await w.run(20_000);
  expect(w.server.relayed).toEqual([]);
  expect(a.first.commandsOfType("offer")).toHaveLength(1);
  await b.answer();
  await w.run(300);
  expect(w.server.relayed[0]).toMatchObject({ from: "ann", body: { op: OP.offer } });
  expect(offersOf(w)).toHaveLength(1);
  expect([a.call.connection, b.call.connection]).toEqual(["connected", "connected"]);
});

describe("a successful call", () => {
  it("It rings, is answered, connects and ends, with texts and outcome on both sides", async () => {
    const { a, b, w } = setUp();
    const starting = a.start("bob", "voice");
    await w.run(50);
    const { callId } = await starting;
    expect(a.call).toMatchObject({
      status: "receivedRing",
      direction: "out",
      peer: { userName: "bob", name: "BOB" },
      info: {
        channel: "channel1",
        callId,
        type: 1,
        media: "voice",
        fromUser: "ann",
        toUser: "bob",
      },
      owner: { tabId: "ann-1", ready: true },
    });
    expect(b.call).toMatchObject({
      status: "confirmRing",
      direction: "in",
      peer: { userName: "ann", name: "ANN" },
      info: { channel: "channel1", callId, fromUser: "ann", toUser: "bob" },
      owner: null,
    });
    expect(a.texts()).toEqual(
      [CALL_TEXTS.sayRingDelivered.text, CALL_TEXTS.sayRingSent.text].sort(),
    );
    expect(b.call.deadline).toBe(w.sent[0]!.ts + 30_000);
    await b.answer();
    await w.run(300);
    expect([a.call.status, b.call.status]).toEqual(["chat", "chat"]);
    expect([a.call.connection, b.call.connection]).toEqual(["connected", "connected"]);
    expect([a.call.deadline, b.call.deadline]).toEqual([null, null]);
    expect(w.server.sockets.size).toBe(2);
    expect(offersOf(w)).toHaveLength(1);
    expect(
      w.sent.map((m) => [m.action, m.fromUser, m.toUser, m.fromUserDevId, m.toUserDevId]),
    ).toEqual([
      ["sendRing", "ann", "bob", "ann-pc", ""],
      ["confirmRing", "bob", "ann", "bob-pc", "ann-pc"],
      ["sendAnswer", "bob", "ann", "bob-pc", "ann-pc"],
      ["confirmAnswer", "ann", "bob", "ann-pc", "bob-pc"],
    ]);
    await w.run(5_000);
    await a.hangup();
    await a.hangup();
    await w.run(1000);
    expect([a.call.status, b.call.status]).toEqual(["idle", "idle"]);
    expect(a.call.lastOutcome).toMatchObject({ callId, outcome: "ended" });
    expect(b.call.lastOutcome).toMatchObject({ callId, outcome: "ended" });
    expect(a.call.lastOutcome!.duration).toBeGreaterThanOrEqual(5_000);
    expect(b.texts()).toContain(CALL_TEXTS.sayPeerEnded.text);
    expect(a.texts()).not.toContain(CALL_TEXTS.sayPeerEnded.text);
    expect(w.server.terminated).toEqual([{ from: "ann", reason: 0 }]);
    expect(a.first.commandsOfType("release")).toHaveLength(1);
    expect(a.qoe.log).toContain("start");
    expect(a.qoe.log).toContain("event 2");
  });

  it("Another call can follow at once, with one socket per person", async () => {
    const { a, b, w } = setUp();
    await connect(a, b, w);
    await b.hangup();
    await w.run(50);
    await connect(b, a, w);
    expect(w.server.sockets.size).toBe(2);
  });

  it("The next call neither waits for the end of the last one nor keeps its socket", async () => {
    const { a, b, w } = setUp();
    await connect(a, b, w);
    for (const socket of w.server.sockets) w.server.deaf.add(socket);
    await a.hangup();
    expect(w.server.sockets.size).toBe(2);
    await Promise.all([a.start("bob"), w.run(100)]);
    expect([a.call.status, b.call.status]).toEqual(["receivedRing", "confirmRing"]);
    const ofAnn = [...w.server.sockets].filter(({ memName }) => memName === "ann");
    expect(ofAnn.map((socket) => w.server.deaf.has(socket))).toEqual([false]);
  });

  it("The other side learns about mute and camera", async () => {
    const { a, b, w } = setUp();
    b.first.hasVideo = false;
    await connect(a, b, w);
    expect(a.call.remote).toEqual({ audioMuted: false, videoOff: true });
    expect(b.call.local.hasVideo).toBe(false);
    await a.setLocal({ audioMuted: true });
    await w.run(50);
    expect(b.call.remote).toEqual({ audioMuted: true, videoOff: false });
    expect(a.first.commandsOfType("local").at(-1)).toMatchObject({
      audioMuted: true,
      videoOff: false,
    });
  });
});

describe("two people who call each other at once", () => {
  it.each([0, 10, 20, 50, 100, 150, 200, 400])(
    "They are connected when the second dials %i ms after the first, in either order",
    async (gap) => {
      for (const swapped of [false, true]) {
        const { a, b, w } = setUp();
        const [first, second] = swapped ? [b, a] : [a, b];
        const one = first.start(second.user);
        await w.run(gap);
        const two = second.start(first.user);
        await w.run(600);
        const ids = await Promise.all([one, two]);
        expect([a.call.status, b.call.status]).toEqual(["chat", "chat"]);
        expect([a.call.connection, b.call.connection]).toEqual(["connected", "connected"]);
        expect(a.call.info?.callId).toBe(b.call.info?.callId);
        expect(ids.map(({ callId }) => callId)).toContain(a.call.info?.callId);
        for (const person of [a, b]) {
          expect(person.texts()).not.toContain(CALL_TEXTS.sayPeerBusy.text);
          expect(person.store.notices.filter(({ style }) => style === "error")).toEqual([]);
        }
        expect(w.server.sockets.size).toBe(2);
        await a.hangup();
        await w.run(1000);
        expect([a.call.status, b.call.status]).toEqual(["idle", "idle"]);
      }
    },
  );
});

describe("a ring during a conference", () => {
  it("The ring is answered with busy, and the person in the conference gets an info notice", async () => {
    const { a, b, w } = setUp();
    b.enterConference();
    await Promise.all([a.start("bob"), w.run(300)]);
    expect([a.call.status, b.call.status ?? "idle"]).toEqual(["idle", "idle"]);
    expect(a.texts()).toContain(CALL_TEXTS.sayPeerBusy.text);
    expect(b.store.notices).toEqual([
      expect.objectContaining({
        style: "info",
        key: "call-missed-in-conference",
        text: "ANN 来电：您正在会议中，已回复忙碌",
      }),
    ]);
  });
});

describe("do-not-disturb", () => {
  it("The caller reads so at once with the person's own words, and nothing rings; the person reads a quiet line and has a missed call", async () => {
    const { a, b, w } = setUp();
    b.setQuiet({ on: true, note: "开会中，三点后回电" });
    await Promise.all([a.start("bob", "voice"), w.run(300)]);
    expect([a.call.status, b.call.status ?? "idle"]).toEqual(["idle", "idle"]);
    expect(a.call.lastOutcome).toMatchObject({ outcome: "quiet", duration: null });
    expect(a.texts()).toContain("对方已开启勿扰，暂时无法接听：开会中，三点后回电");
    expect(a.http.reports).toMatchObject([{ direction: "out", result: "no-response" }]);
    expect(b.store.notices).toEqual([
      expect.objectContaining({
        style: "info",
        key: "call-quiet",
        text: "ANN 来电：您已开启来电勿扰，已告知对方",
      }),
    ]);
    expect(b.http.reports).toMatchObject([
      { direction: "in", result: "missed", peer: "ann", media: "voice", answeredAt: null },
    ]);
  });

  it("Without own words the caller reads the plain text, and a caller whose ring is repeated is refused once", async () => {
    const { a, b, w } = setUp();
    b.setQuiet({ on: true, note: "" });
    await Promise.all([a.start("bob"), w.run(5_000)]);
    expect(a.texts()).toContain(CALL_TEXTS.sayPeerQuiet.text);
    expect(w.sent.map(({ action }) => action)).toEqual(["sendRing", "confirmRing"]);
    b.setQuiet({ on: false, note: "" });
    const starting = a.start("bob");
    await w.run(100);
    await starting;
    expect(b.call.status).toBe("confirmRing");
  });
});

describe("a call that is not established", () => {
  it("A third caller gets busy, and the two continue their call", async () => {
    const { a, b, w } = setUp();
    const c = w.person("cat");
    people.push(c);
    await connect(a, b, w);
    await Promise.all([c.start("bob"), w.run(300)]);
    expect(c.call.status).toBe("idle");
    expect(c.call.lastOutcome).toMatchObject({ outcome: "busy", duration: null });
    expect(c.texts()).toContain(CALL_TEXTS.sayPeerBusy.text);
    expect(b.call.status).toBe("chat");
  });

  it("A refused call ends on both sides with the outcome refused", async () => {
    const { a, b, w } = setUp();
    await Promise.all([a.start("bob"), w.run(100)]);
    await b.answer(false);
    await w.run(100);
    expect([a.call.status, b.call.status]).toEqual(["idle", "idle"]);
    expect(a.texts()).toContain(CALL_TEXTS.sayPeerRefused.text);
    expect([a, b].map((p) => p.call.lastOutcome?.outcome)).toEqual(["refused", "refused"]);
  });

  it("A cancelled call ends on both sides", async () => {
    const { a, b, w } = setUp();
    await Promise.all([a.start("bob"), w.run(100)]);
    await a.hangup();
    await w.run(100);
    expect([a.call.status, b.call.status]).toEqual(["idle", "idle"]);
    expect(a.store.notices.at(-1)).toMatchObject({ style: "error", text: CANCEL_DONE.text });
    expect(b.texts()).toEqual([CALL_TEXTS.sayPeerCancelled.text]);
  });

  it("A cancel that cannot be sent shows an error to the caller", async () => {
    const { a, w } = setUp();
    await Promise.all([a.start("bob"), w.run(100)]);
    w.failing.add("cancelCall");
    await a.hangup();
    await w.run(100);
    expect(a.texts().at(-1)).toBe(ERROR_CATALOGUE["call.cancel-failed"].zh);
  });

  it("A call cancelled before its ring was sent sends nothing", async () => {
    const { a, b, w } = setUp();
    a.first.prompt = true;
    const starting = a.start("bob");
    await w.run(100);
    expect(a.call.status).toBe("sendRing");
    await a.hangup();
    a.first.opened();
    await w.run(100);
    await starting;
    expect(w.sent).toEqual([]);
    expect(b.call.status ?? "idle").toBe("idle");
  });

  it("A call that is not answered ends after 30 s, with a text on both sides", async () => {
    const { a, b, w } = setUp();
    await Promise.all([a.start("bob"), w.run(100)]);
    w.losing.add("cancelCall");
    await w.run(29_000);
    expect([a.call.status, b.call.status]).toEqual(["receivedRing", "confirmRing"]);
    await w.run(1_200);
    expect([a.call.status, b.call.status]).toEqual(["idle", "idle"]);
    expect(a.texts().at(-1)).toBe(CALL_TEXTS.sayNoResponse.text);
    expect(b.texts().at(-1)).toBe(CALL_TEXTS.sayNotAnswered.text);
    expect(a.call.lastOutcome?.outcome).toBe("no-response");
    expect(b.call.lastOutcome?.outcome).toBe("not-answered");
  });

  it("A call to an offline person ends after 30 s without a reply", async () => {
    const { a, w } = setUp();
    w.losing.add("sendRing");
    await Promise.all([a.start("bob"), w.run(100)]);
    expect(a.call.status).toBe("sendRing");
    await w.run(30_200);
    expect(a.texts()).toEqual([CALL_TEXTS.sayRingSent.text, CALL_TEXTS.sayNoResponse.text]);
  });

  it("The ring is repeated every 2 s until it is confirmed, so that a callee who comes online is reached", async () => {
    const { a, b, w } = setUp();
    w.losing.add("sendRing");
    await Promise.all([a.start("bob"), w.run(100)]);
    await w.run(4_000);
    expect([a.call.status, b.call.status ?? "idle"]).toEqual(["sendRing", "idle"]);
    w.losing.delete("sendRing");
    await w.run(2_100);
    expect([a.call.status, b.call.status]).toEqual(["receivedRing", "confirmRing"]);
    const rings = w.sent.filter((m) => m.action === "sendRing").length;
    await w.run(6_000);
    expect(w.sent.filter((m) => m.action === "sendRing")).toHaveLength(rings);
    expect(a.call.status).toBe("receivedRing");
  });

  it("A call without a confirmation ends 60 s after the answer", async () => {
    const { a, b, w } = setUp();
    await Promise.all([a.start("bob"), w.run(100)]);
    w.losing.add("sendAnswer");
    w.losing.add("cancelCall");
    a.crashCore();
    await b.answer();
    await w.run(59_500);
    expect(b.call.status).toBe("sendAnswer");
    await w.run(1_000);
    expect(b.call.status).toBe("idle");
    expect(b.texts().at(-1)).toBe(CALL_TEXTS.sayNoConfirm.text);
    a.first.epoch = null;
    a.startCore({ kv: { get: async () => undefined, set: async () => {}, del: async () => {} } });
  });

  it("Dialling oneself, or during a call, fails with the command's error and without a notice", async () => {
    const { a, b, w } = setUp();
    await expect(a.start("ann")).rejects.toMatchObject({ code: "call.self" });
    await connect(a, b, w);
    const before = a.store.notices.length;
    await expect(a.start("bob")).rejects.toMatchObject({ code: "call.busy-self" });
    await expect(a.start("ann")).rejects.toMatchObject({ code: "call.self" });
    expect(a.store.notices).toHaveLength(before);
    expect(a.call.status).toBe("chat");
  });

  it("A call that is not allowed fails with the command's error and without a notice", async () => {
    const { a, w } = setUp();
    a.http.refuse = new AppError("auth.forbidden");
    const starting = a.start("bob");
    starting.catch(() => undefined);
    await w.run(100);
    await expect(starting).rejects.toMatchObject({ code: "call.not-allowed" });
    expect(a.call.status).toBe("idle");
    expect(a.store.notices).toEqual([]);
    expect(w.sent).toEqual([]);
  });

  it("A call without a device fails with the command's error, and the other side never rings", async () => {
    const { a, w } = setUp();
    a.first.openError = new AppError("media.no-device").toWire();
    const starting = a.start("bob");
    starting.catch(() => undefined);
    await w.run(100);
    await expect(starting).rejects.toMatchObject({ code: "media.no-device" });
    expect(a.call.lastOutcome?.outcome).toBe("media.no-device");
    expect(w.sent).toEqual([]);
  });

  it("A ring, an answer or a confirmation that cannot be sent ends the call with its text", async () => {
    const { a, b, w } = setUp();
    w.failing.add("sendRing");
    const starting = a.start("bob");
    starting.catch(() => undefined);
    await w.run(100);
    await expect(starting).rejects.toMatchObject({ code: "call.ring-send-failed" });
    w.failing.clear();

    w.failing.add("sendAnswer");
    await Promise.all([a.start("bob"), w.run(100)]);
    await b.answer();
    await w.run(100);
    expect(b.texts().at(-1)).toBe(ERROR_CATALOGUE["call.answer-send-failed"].zh);
    await a.hangup();
    await w.run(100);
    w.failing.clear();

    w.failing.add("confirmAnswer");
    await Promise.all([a.start("bob"), w.run(100)]);
    await b.answer();
    await w.run(200);
    expect(a.texts().at(-1)).toBe(ERROR_CATALOGUE["call.confirm-send-failed"].zh);
    expect([a.call.status, b.call.status]).toEqual(["idle", "idle"]);
  });

  it("The call ends on both sides when the callee accepts and has no device", async () => {
    const { a, b, w } = setUp();
    b.first.openError = new AppError("media.permission-denied").toWire();
    await Promise.all([a.start("bob"), w.run(100)]);
    await b.answer();
    await w.run(300);
    expect([a.call.status, b.call.status]).toEqual(["idle", "idle"]);
    expect(b.texts()).toContain(ERROR_CATALOGUE["media.permission-denied"].zh);
  });
});

describe("messages that do not fit", () => {
  it("A reply with another channel ends the call; one with another call id does not", async () => {
    const { a, w } = setUp();
    w.losing.add("sendRing");
    await Promise.all([a.start("bob"), w.run(100)]);
    const ring = w.sent[0]!;
    const reply = {
      ...ring,
      action: "confirmRing" as const,
      status: true,
      fromUser: "bob",
      toUser: "ann",
      toUserDevId: "",
    };
    a.receive({ ...reply, callId: "other" });
    expect(a.texts().at(-1)).toBe(CALL_TEXTS.sayRingCallMismatch.text);
    expect(a.call.status).toBe("sendRing");
    a.receive({ ...reply, channel: "other" });
    expect(a.texts().at(-1)).toBe(CALL_TEXTS.sayRingChannelMismatch.text);
    expect(a.call.status).toBe("idle");
  });

  it("An answer with another channel ends the call; one with another call id does not", async () => {
    const { a, w } = setUp();
    w.losing.add("sendRing");
    await Promise.all([a.start("bob"), w.run(100)]);
    const answer = {
      ...w.sent[0]!,
      action: "sendAnswer" as const,
      result: "accept",
      fromUser: "bob",
      toUser: "ann",
      toUserDevId: "",
    };
    a.receive({ ...answer, callId: "other" });
    expect(a.texts().at(-1)).toBe(CALL_TEXTS.sayAnswerCallMismatch.text);
    a.receive({ ...answer, channel: "other" });
    expect(a.texts().at(-1)).toBe(CALL_TEXTS.sayAnswerChannelMismatch.text);
    expect(a.call.status).toBe("idle");
  });

  it("A reply to another device of the person is ignored", async () => {
    const { a, w } = setUp();
    w.losing.add("sendRing");
    await Promise.all([a.start("bob"), w.run(100)]);
    const reply = { ...w.sent[0]!, fromUser: "bob", toUser: "ann", toUserDevId: "ann-phone" };
    a.receive({ ...reply, action: "confirmRing", status: false });
    a.receive({ ...reply, action: "sendAnswer", result: "refuse" });
    expect(a.call.status).toBe("sendRing");
  });

  it("Messages of strangers are ignored, also under another person's name", async () => {
    const { a, b, w } = setUp();
    await connect(a, b, w);
    const ring = w.sent[0]!;
    const cancel = { ...ring, action: "cancelCall" as const, fromUser: "eve", toUser: "bob" };
    b.receive(cancel, "eve");
    b.receive({ ...cancel, fromUser: "ann" }, "eve");
    await w.run(100);
    expect(b.call.status).toBe("chat");
  });

  it("A call answered on another device of the person ends here and continues there", async () => {
    const { a, b, w } = setUp();
    const b2 = w.person("bob", "bob-phone");
    people.push(b2);
    await Promise.all([a.start("bob"), w.run(100)]);
    expect([b.call.status, b2.call.status]).toEqual(["confirmRing", "confirmRing"]);
    await b2.answer();
    await w.run(300);
    expect(b.call.status).toBe("idle");
    expect(b.texts()).toEqual([CALL_TEXTS.sayElsewhere.text]);
    expect([a.call.status, b2.call.status]).toEqual(["chat", "chat"]);
  });

  it("When one device of a person refuses, the person's other devices stop ringing", async () => {
    const { a, b, w } = setUp();
    const b2 = w.person("bob", "bob-phone");
    people.push(b2);
    await Promise.all([a.start("bob"), w.run(100)]);
    await b2.answer(false);
    await w.run(100);
    expect([a, b, b2].map((p) => p.call.status)).toEqual(["idle", "idle", "idle"]);
    expect(w.sent.at(-1)).toMatchObject({ action: "cancelCall", fromUser: "ann", toUserDevId: "" });
    expect(b.texts()).toEqual([CALL_TEXTS.sayPeerCancelled.text]);
    // The device that refused shows no text. The caller shows only the refusal.
    expect(b2.texts()).toEqual([]);
    expect(b2.call.lastOutcome?.outcome).toBe("refused");
    expect(a.texts()).not.toContain(CANCEL_DONE.text);
  });

  it("A login that ends, ends the call on both sides, and the other side reads why", async () => {
    const { a, b, w } = setUp();
    await connect(a, b, w);
    a.setUser(null);
    await w.run(1000);
    expect([a.call.status, b.call.status]).toEqual(["idle", "idle"]);
    expect(b.texts()).toContain(CALL_TEXTS.sayNoAccess.text);
  });
});
