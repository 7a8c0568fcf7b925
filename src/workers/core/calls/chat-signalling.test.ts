/** Calls whose signalling the chat connection carries (docs/calls.md#signalling-over-chat): no socket is opened in any of these tests. */
import { afterEach, describe, expect, it } from "vitest";
import { CALL_TEXTS, UNHEARD_TEXTS } from "../../../shared/domain/call-texts.ts";
import type { CallSignal, SignalBody } from "../../../shared/protocol/call-signal.ts";
import { END_REASON, OP, RESULT } from "../../../shared/protocol/signalling.ts";
import { createWorld, type Person, type World } from "./call.harness.ts";

let world: World;
let people: Person[] = [];
let opened: string[] = [];
function setUp(...more: [user: string, device: string][]): { a: Person; b: Person; w: World } {
  world = createWorld("chat");
  opened = [];
  world.server.open = () => {
    opened.push("socket");
    throw new Error("a socket was opened");
  };
  const a = world.person("ann");
  const b = world.person("bob");
  people = [a, b, ...more.map(([user, device]) => world.person(user, device))];
  return { a, b, w: world };
}

afterEach(async () => {
  for (const person of people) {
    person.connectChat(true);
    if (person.call.status !== undefined && person.call.status !== "idle") await person.hangup();
  }
  await world.run(12_000);
  expect(opened).toEqual([]);
  expect(world.clock.pending).toBe(0);
  for (const person of people) {
    expect(person.call.owner ?? null).toBeNull();
    person.calls.stop();
  }
});

/** Dials until it rings. */
async function ring(a: Person, b: Person, w: World): Promise<string> {
  const starting = a.start(b.user);
  await w.run(650);
  const { callId } = await starting;
  expect([a.call.status, b.call.status]).toEqual(["receivedRing", "confirmRing"]);
  return callId;
}
async function connect(a: Person, b: Person, w: World): Promise<string> {
  const callId = await ring(a, b, w);
  await b.answer();
  await w.run(300);
  expect(both(a, b, "status")).toEqual(["chat", "chat"]);
  expect(both(a, b, "connection")).toEqual(["connected", "connected"]);
  return callId;
}
const both = (a: Person, b: Person, key: "status" | "connection") => [a.call[key], b.call[key]];
const said = <O extends SignalBody["op"]>(w: World, op: O) =>
  w.chat.signals.filter(
    (one): one is CallSignal & { body: Extract<SignalBody, { op: O }> } => one.body.op === op,
  );
const offers = (w: World) =>
  said(w, OP.relay).flatMap(({ fromUser, body: { body } }) =>
    body.op === OP.offer ? [{ from: fromUser, ...body }] : [],
  );

const rings = (w: World) => w.sent.filter(({ action }) => action === "sendRing");

describe("a call without a signalling server", () => {
  it("It rings, is answered, connects by one offer, and ends for both", async () => {
    const { a, b, w } = setUp();
    const callId = await connect(a, b, w);
    expect(offers(w)).toMatchObject([{ from: "ann", iceRestart: false }]);
    expect(new Set(w.chat.signals.map((one) => one.callId))).toEqual(new Set([callId]));
    await b.setLocal({ audioMuted: true });
    await w.run(50);
    expect(a.call.remote).toEqual({ audioMuted: true, videoOff: false });
    await a.hangup();
    await w.run(1_000);
    expect(both(a, b, "status")).toEqual(["idle", "idle"]);
    expect([a.call.lastOutcome?.outcome, b.call.lastOutcome?.outcome]).toEqual(["ended", "ended"]);
    expect(b.texts()).toContain(CALL_TEXTS.sayPeerEnded.text);
    expect(said(w, OP.terminate).map(({ fromUser, body }) => [fromUser, body.reason])).toEqual([
      ["ann", 0],
    ]);
    expect(w.sent.map(({ action }) => action)).toEqual([
      "sendRing",
      "confirmRing",
      "sendAnswer",
      "confirmAnswer",
    ]);
    expect(w.chat.texts).toEqual([]);
  });

  it("A step of adding people is answered by the other side, and is not reached when that side has no chat", async () => {
    const { a, b, w } = setUp();
    await connect(a, b, w);
    const asked = a.calls.tellGrowth({ step: "ask" });
    await w.run(50);
    await expect(asked).resolves.toBe(true);
    expect(b.growth).toEqual([{ step: "ask" }]);
    a.connectChat(false);
    await expect(a.calls.tellGrowth({ step: "stop" })).resolves.toBe(false);
  });

  it("The ring is accepted provisionally at once and shows after 500 ms", async () => {
    const { a, b, w } = setUp();
    const starting = a.start("bob");
    await w.run();
    const at = w.clock.now();
    expect(said(w, OP.accept)).toMatchObject([{ fromUser: "bob", toUserDevId: "ann-pc" }]);
    expect(b.call.status ?? "idle").toBe("idle");
    await w.run(450);
    w.clock.advance(at + 499 - w.clock.now());
    await w.run();
    expect(b.call.status ?? "idle").toBe("idle");
    w.clock.advance(1);
    await w.run();
    expect(b.call.status).toBe("confirmRing");
    await starting;
  });

  it("A ring that is taken back within the 500 ms never shows", async () => {
    const { a, b, w } = setUp();
    const starting = a.start("bob");
    await w.run(200);
    await starting;
    await a.hangup();
    await w.run(2_000);
    expect(b.call.status ?? "idle").toBe("idle");
    expect(b.texts()).toEqual([]);
  });

  it("A ring that a third person claims to take back shows all the same", async () => {
    const { a, b, w } = setUp();
    const starting = a.start("bob");
    await w.run(200);
    await starting;
    const forged = { ...rings(w)[0]!, fromUser: "eve" };
    b.receive({ ...forged, action: "cancelCall" });
    b.receive({ ...forged, action: "confirmAnswer", result: "accept" });
    await w.run(500);
    expect(both(a, b, "status")).toEqual(["receivedRing", "confirmRing"]);
  });

  it("A refusal and a busy callee end the call as ever", async () => {
    const { a, b, w } = setUp();
    await ring(a, b, w);
    await b.answer(false);
    await w.run(100);
    expect(a.call.lastOutcome?.outcome).toBe("refused");

    b.enterConference();
    const busy = a.start("bob");
    await w.run(700);
    await busy.catch(() => undefined);
    expect(a.call.lastOutcome?.outcome).toBe("busy");
    expect(both(a, b, "status")).toEqual(["idle", "idle"]);
  });

  it("A ring that nobody answers is taken back after 30 s", async () => {
    const { a, b, w } = setUp();
    await ring(a, b, w);
    await w.run(31_000);
    expect(both(a, b, "status")).toEqual(["idle", "idle"]);
    expect([a.call.lastOutcome?.outcome, b.call.lastOutcome?.outcome]).toEqual([
      "no-response",
      "cancelled",
    ]);
  });

  it.each([0, 100, 300, 600])(
    "When both dial, the second %i ms later, one call connects",
    async (gap) => {
      const { a, b, w } = setUp();
      const first = a.start("bob");
      await w.run(gap);
      const second = b.start("ann");
      await w.run(2_000);
      await Promise.allSettled([first, second]);
      expect(both(a, b, "status")).toEqual(["chat", "chat"]);
      expect(both(a, b, "connection")).toEqual(["connected", "connected"]);
      expect(a.call.info?.callId).toBe(b.call.info?.callId);
    },
  );
});

describe("a callee who is not online", () => {
  it("Gets one text at the first of the retries every 2 s, and rings when he comes", async () => {
    const { a, b, w } = setUp();
    b.connectChat(false);
    const starting = a.start("bob", "voice");
    await w.run(1_900);
    await starting;
    expect(w.chat.texts).toEqual([]);
    await w.run(200);
    expect(w.chat.texts).toEqual([{ from: "ann", to: "bob", text: UNHEARD_TEXTS.voice }]);
    await w.run(4_000);
    expect(w.chat.texts).toHaveLength(1);
    expect(w.sent.filter(({ action }) => action === "sendRing")).toHaveLength(4);
    b.connectChat(true);
    await w.run(2_600);
    expect(both(a, b, "status")).toEqual(["receivedRing", "confirmRing"]);
    await b.answer();
    await w.run(300);
    expect(both(a, b, "connection")).toEqual(["connected", "connected"]);
  });

  it("Gets no text when a device has accepted the ring provisionally", async () => {
    const { a, w } = setUp();
    w.losing.add("confirmRing");
    const starting = a.start("bob");
    await w.run(5_000);
    await starting;
    expect(w.sent.filter(({ action }) => action === "sendRing").length).toBeGreaterThan(1);
    expect(w.chat.texts).toEqual([]);
  });
});

describe("losses", () => {
  it("An answer of the media that is lost counts as sent, and the caller rebuilds", async () => {
    const { a, b, w } = setUp();
    await ring(a, b, w);
    let lost = 0;
    w.chat.swallow = ({ body }) =>
      body.op === OP.relay && body.body.op === OP.answer && (lost += 1) === 1;
    await b.answer();
    await w.run(10_000);
    expect(lost).toBeGreaterThan(1);
    expect(both(a, b, "connection")).toEqual(["connected", "connected"]);
  });

  it.each(["caller", "callee"])(
    "What the %s could not say while chat was lost is said when chat is back",
    async (who) => {
      const { a, b, w } = setUp();
      await connect(a, b, w);
      const ownSide = who === "caller" ? a : b;
      ownSide.connectChat(false);
      ownSide.addTab("second", 5);
      ownSide.leaveTab(ownSide.first);
      await w.run(3_000);
      expect(offers(w)).toHaveLength(1);
      ownSide.connectChat(true);
      await w.run(500);
      expect(offers(w)).toHaveLength(2);
      expect(both(a, b, "connection")).toEqual(["connected", "connected"]);
      expect([...ownSide.tabs.get("second")!.rtcIds]).toEqual([offers(w)[1]!.rtcId]);
    },
  );

  it("An offer that chat refuses is said again after 2 s, and nothing is rebuilt", async () => {
    const { a, b, w } = setUp();
    await ring(a, b, w);
    let refused = 0;
    w.chat.refuse = ({ body }) =>
      body.op === OP.relay && body.body.op === OP.offer && (refused += 1) === 1;
    await b.answer();
    await w.run(1_900);
    expect([refused, offers(w).length]).toEqual([1, 0]);
    await w.run(600);
    expect(both(a, b, "connection")).toEqual(["connected", "connected"]);
    expect(offers(w)).toHaveLength(1);
  });

  it("A device that was away unnoticed gets at once what it missed, with the same connection", async () => {
    const { a, b, w } = setUp();
    await connect(a, b, w);
    b.connectChat(false);
    a.addTab("second", 5);
    a.leaveTab(a.first);
    await w.run(1_000);
    expect(offers(w)).toHaveLength(2);
    b.connectChat(true);
    await w.run(500);
    expect(both(a, b, "connection")).toEqual(["connected", "connected"]);
    expect(offers(w)).toHaveLength(3);
    expect(offers(w)[2]!.rtcId).toBe(offers(w)[1]!.rtcId);
  });

  it("A hang-up that the other side missed reaches it when its chat is back", async () => {
    const { a, b, w } = setUp();
    await connect(a, b, w);
    b.connectChat(false);
    await a.hangup();
    await w.run(1_000);
    expect(both(a, b, "status")).toEqual(["idle", "chat"]);
    b.connectChat(true);
    await w.run(100);
    expect(b.call.lastOutcome?.outcome).toBe("ended");
    expect(said(w, OP.terminate).at(-1)).toMatchObject({
      fromUser: "ann",
      body: { reason: END_REASON.closed },
    });
  });

  it("A device that does not answer a ping counts as away until it says that it is inside", async () => {
    const { a, b, w } = setUp();
    await connect(a, b, w);
    w.chat.swallow = ({ fromUser, body }) => fromUser === "bob" && body.op === OP.pong;
    await w.run(56_000);
    w.chat.swallow = null;
    const greetings = said(w, OP.enter).length;
    expect(said(w, OP.ping).length).toBeGreaterThan(0);
    expect(greetings).toBeGreaterThan(2);
    await w.run(3_000);
    expect(both(a, b, "status")).toEqual(["chat", "chat"]);
    await b.setLocal({ videoOff: true });
    await w.run(100);
    expect(a.call.remote.videoOff).toBe(true);
  });

  it.each(["caller", "callee"])(
    "When the core of the %s dies, its next core resumes the call over chat",
    async (who) => {
      const { a, b, w } = setUp();
      const callId = await connect(a, b, w);
      const ownSide = who === "caller" ? a : b;
      const other = who === "caller" ? b : a;
      const tabs = ownSide.crashCore();
      await w.run(500);
      ownSide.startCore();
      for (const tab of tabs) ownSide.joinTab(tab);
      await w.run(1_000);
      expect(both(a, b, "status")).toEqual(["chat", "chat"]);
      expect(ownSide.call.info?.callId).toBe(callId);
      expect(ownSide.call.connection).toBe("connected");
      expect(offers(w)).toHaveLength(1);
      await other.hangup();
      await w.run(500);
      expect(both(a, b, "status")).toEqual(["idle", "idle"]);
    },
  );

  it("The media move to another tab over the same session", async () => {
    const { a, b, w } = setUp();
    await connect(a, b, w);
    b.addTab("second", 5);
    await b.bringHere("second");
    await w.run(400);
    expect(b.call.owner).toMatchObject({ tabId: "second", ready: true });
    expect(both(a, b, "connection")).toEqual(["connected", "connected"]);
    expect(offers(w)).toHaveLength(2);
  });
});

describe("several devices", () => {
  it("One answers: the other stops ringing as answered elsewhere", async () => {
    const { a, b, w } = setUp(["bob", "bob-phone"]);
    const phone = people[2]!;
    await ring(a, b, w);
    expect(phone.call.status).toBe("confirmRing");
    await phone.answer();
    await w.run(300);
    expect(both(a, phone, "status")).toEqual(["chat", "chat"]);
    expect(both(a, phone, "connection")).toEqual(["connected", "connected"]);
    expect(b.call.lastOutcome?.outcome).toBe("elsewhere");
  });

  it("A ring that comes once more after the call went to another device does not ring", async () => {
    const { a, b, w } = setUp(["bob", "bob-phone"]);
    await ring(a, b, w);
    await people[2]!.answer();
    await w.run(300);
    expect(b.call.lastOutcome?.outcome).toBe("elsewhere");
    b.receive(rings(w)[0]!);
    await w.run(1_000);
    expect(b.call.status).toBe("idle");
  });

  it("A ring that another device answers within the 500 ms never shows", async () => {
    const { a, b, w } = setUp(["bob", "bob-phone"]);
    const phone = people[2]!;
    b.connectChat(false);
    await ring(a, phone, w);
    b.connectChat(true);
    b.receive(rings(w)[0]!);
    await w.run(100);
    await phone.answer();
    await w.run(2_000);
    expect(both(a, phone, "status")).toEqual(["chat", "chat"]);
    expect(b.call.status ?? "idle").toBe("idle");
    expect(b.call.lastOutcome ?? null).toBeNull();
  });

  it("A later answer gets -554, and that device ends with reason 10", async () => {
    const { a, b, w } = setUp(["bob", "bob-phone"]);
    const phone = people[2]!;
    await ring(a, b, w);
    // Neither hears which device was chosen, so both go on to the session.
    w.losing.add("confirmAnswer");
    await b.answer();
    await w.run(100);
    await phone.answer();
    await w.run(100);
    w.losing.clear();
    const results = said(w, OP.response).filter(({ toUserDevId }) => toUserDevId === "bob-phone");
    expect(results.map(({ body }) => body.result)).toContain(RESULT.otherDevice);
    expect(
      said(w, OP.terminate).map(({ toUserDevId, body }) => [toUserDevId, body.reason]),
    ).toContainEqual(["bob-phone", 10]);
    expect(phone.call.lastOutcome?.outcome).toBe("elsewhere");
    expect(phone.texts()).toContain(CALL_TEXTS.sayElsewhere.text);
    expect(a.call.status).toBe("chat");
    expect(both(a, b, "connection")).toEqual(["connected", "connected"]);
  });
});

describe("flags and leaving over chat", () => {
  it("Mute and camera are said by op 400 to the one device that has the call, in both directions", async () => {
    const { a, b, w } = setUp();
    await connect(a, b, w);
    const flags = () =>
      said(w, OP.relay).flatMap(({ fromUser, toUserDevId, body: { body } }) =>
        body.op === OP.streamControl ? [[fromUser, toUserDevId, body.voff, body.aoff]] : [],
      );
    const before = flags().length;
    await b.setLocal({ audioMuted: true });
    await w.run(50);
    expect(a.call.remote).toEqual({ audioMuted: true, videoOff: false });
    await a.setLocal({ videoOff: true });
    await w.run(50);
    expect(b.call.remote).toEqual({ audioMuted: false, videoOff: true });
    await b.setLocal({ audioMuted: false });
    await w.run(50);
    expect(a.call.remote).toEqual({ audioMuted: false, videoOff: false });
    expect(flags().slice(before)).toEqual([
      ["bob", "ann-pc", 0, 1],
      ["ann", "bob-pc", 1, 0],
      ["bob", "ann-pc", 0, 0],
    ]);
  });

  it("A device that leaves says so by op 201, and the other one leaves too", async () => {
    const { a, b, w } = setUp();
    const callId = await connect(a, b, w);
    const leave = (device: string) =>
      w.chat.device("bob", device).signals.send({
        callId,
        fromUser: "bob",
        toUser: "ann",
        fromUserDevId: device,
        toUserDevId: "ann-pc",
        body: { op: OP.leave, reason: END_REASON.hangup },
      });
    // Another device of the same person is not inside.
    await leave("bob-phone");
    await w.run(5_000);
    expect(both(a, b, "status")).toEqual(["chat", "chat"]);
    await leave("bob-pc");
    await w.run(10_000);
    expect(both(a, b, "status")).toEqual(["idle", "idle"]);
    expect([a.call.lastOutcome?.outcome, b.call.lastOutcome?.outcome]).toEqual(["ended", "ended"]);
    const leaves = said(w, OP.leave).map(({ fromUser, toUserDevId }) => [fromUser, toUserDevId]);
    // The first two are those above.
    expect(leaves.slice(2)).toEqual([
      ["ann", "bob-pc"],
      ["bob", "ann-pc"],
    ]);
    expect(said(w, OP.terminate)).toEqual([]);
  });
});

describe("end reasons below zero", () => {
  const end = async (w: World, from: Person, to: Person, reason: number): Promise<void> => {
    const { callId } = from.call.info!;
    await w.chat.device(from.user, `${from.user}-other`).signals.send({
      callId,
      fromUser: from.user,
      toUser: to.user,
      fromUserDevId: `${from.user}-pc`,
      toUserDevId: `${to.user}-pc`,
      body: { op: OP.terminate, reason },
    });
    await w.run(300);
  };

  it("-20 makes the caller offer again, and the call goes on", async () => {
    const { a, b, w } = setUp();
    await connect(a, b, w);
    await end(w, b, a, -20);
    expect(offers(w)).toHaveLength(2);
    expect(offers(w)[1]).toMatchObject({ from: "ann" });
    expect(both(a, b, "status")).toEqual(["chat", "chat"]);
    await end(w, a, b, -20);
    expect(offers(w)).toHaveLength(2);
    expect(both(a, b, "status")).toEqual(["chat", "chat"]);
  });

  it("-10 ends the call on this side alone, without a message", async () => {
    const { a, b, w } = setUp();
    await connect(a, b, w);
    const before = w.chat.signals.length;
    await end(w, b, a, -10);
    expect(both(a, b, "status")).toEqual(["idle", "chat"]);
    await w.run(1_000);
    expect(w.chat.signals.slice(before).filter(({ fromUser }) => fromUser === "ann")).toEqual([]);
    expect(w.sent.map(({ action }) => action)).not.toContain("cancelCall");
  });
});
