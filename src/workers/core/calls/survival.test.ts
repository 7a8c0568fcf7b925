/** How a call survives the loss of its tab, core, server or network, and when it ends. */
import { QUALITY_EVENT } from "../../../shared/protocol/qoe.ts";
import { afterEach, describe, expect, it } from "vitest";
import { CALL_TEXTS } from "../../../shared/domain/call-texts.ts";
import { ERROR_CATALOGUE } from "../../../shared/errors.ts";
import { OP, RESULT, WS_CLOSE } from "../../../shared/protocol/signalling.ts";
import { createWorld, type Person, type World } from "./call.harness.ts";

let world: World;
let people: Person[] = [];
async function connected(): Promise<{ a: Person; b: Person; w: World; callId: string }> {
  world = createWorld();
  const a = world.person("ann");
  const b = world.person("bob");
  people = [a, b];
  const starting = a.start("bob");
  await world.run(100);
  const { callId } = await starting;
  await b.answer();
  await world.run(300);
  expect(both(a, b, "status")).toEqual(["chat", "chat"]);
  expect(both(a, b, "connection")).toEqual(["connected", "connected"]);
  return { a, b, w: world, callId };
}
const both = (a: Person, b: Person, key: "status" | "connection") => [a.call[key], b.call[key]];
const offers = (w: World) =>
  w.server.relayed.flatMap(({ from, body }) => (body.op === OP.offer ? [{ from, ...body }] : []));

afterEach(async () => {
  for (const person of people) {
    if (person.call.status !== undefined && person.call.status !== "idle") await person.hangup();
  }
  await world.run(12_000);
  expect(world.server.sockets.size).toBe(0);
  expect(world.clock.pending).toBe(0);
  for (const person of people) person.calls.stop();
});

describe("the owner tab", () => {
  for (const who of ["caller", "callee"] as const) {
    it(`When the ${who}'s owner tab is lost, the best tab takes over: the call id stays, and a new connection is offered`, async () => {
      const { a, b, w, callId } = await connected();
      const [ownSide, other] = who === "caller" ? [a, b] : [b, a];
      const second = ownSide.addTab("second", 5);
      const oldRtc = [...other.first.rtcIds];
      ownSide.leaveTab(ownSide.first);
      expect(ownSide.call.owner).toEqual({ tabId: "second", epoch: 2, ready: false });
      await w.run(300);
      expect(ownSide.call.owner).toEqual({ tabId: "second", epoch: 2, ready: true });
      expect(ownSide.call.info?.callId).toBe(callId);
      expect(both(a, b, "connection")).toEqual(["connected", "connected"]);
      const made = offers(w);
      expect(made).toHaveLength(2);
      expect(made[1]).toMatchObject({ from: ownSide.user, iceRestart: false });
      expect(made[1]!.rtcId).not.toBe(made[0]!.rtcId);
      // The other side has only the new connection.
      expect([...other.first.rtcIds]).toEqual([made[1]!.rtcId]);
      expect(other.first.commandsOfType("close").map((c) => c.rtcId)).toEqual(oldRtc);
      expect([...second.rtcIds]).toEqual([made[1]!.rtcId]);
      expect(other.call.owner?.epoch).toBe(1);
    });
  }

  it("When both sides lose their owner tab at once, the caller's offer wins", async () => {
    const { a, b, w } = await connected();
    a.addTab("a2", 5);
    b.addTab("b2", 5);
    a.leaveTab(a.first);
    b.leaveTab(b.first);
    await w.run(1000);
    expect(
      offers(w)
        .slice(1)
        .map(({ from }) => from),
    ).toEqual(expect.arrayContaining(["ann", "bob"]));
    expect(both(a, b, "connection")).toEqual(["connected", "connected"]);
    const rtcId = offers(w).findLast(({ from }) => from === "ann")!.rtcId;
    expect([...a.tabs.get("a2")!.rtcIds]).toEqual([rtcId]);
    expect([...b.tabs.get("b2")!.rtcIds]).toEqual([rtcId]);
  });

  it("The person can move the media to another tab", async () => {
    const { a, b, w, callId } = await connected();
    const second = a.addTab("second", 5);
    await a.bringHere("second");
    await w.run(300);
    expect(a.first.commandsOfType("release")).toEqual([{ t: "release", epoch: 1 }]);
    expect(a.first.epoch).toBeNull();
    expect(a.call).toMatchObject({
      owner: { tabId: "second", epoch: 2, ready: true },
      info: { callId },
    });
    expect(second.commandsOfType("own")[0]).toMatchObject({ callId, epoch: 2 });
    expect(both(a, b, "connection")).toEqual(["connected", "connected"]);
    // The records say so, on the side whose tab it is.
    const noted = `event ${QUALITY_EVENT.takeover}`;
    expect([a, b].map(({ qoe }) => qoe.log.includes(noted))).toEqual([true, false]);
    await a.bringHere("second");
    await w.run(300);
    expect(second.commandsOfType("own")).toHaveLength(1);
  });

  it("A frozen owner does not keep the media from the tab that takes over", async () => {
    const { a, w } = await connected();
    const second = a.addTab("second", 5);
    a.first.frozen = true;
    await a.bringHere("second");
    await w.run(300);
    expect(second.commandsOfType("own")).toHaveLength(1);
    expect(a.call.owner).toMatchObject({ tabId: "second", ready: true });
    a.first.epoch = null;
  });

  it("The owner keeps the media when the other tab cannot open devices, and events of that tab are dropped", async () => {
    const { a, b, w } = await connected();
    const second = a.addTab("second", 5);
    second.openError = { code: "media.device-busy", message: "x", retryable: true };
    await a.bringHere("second");
    await w.run(500);
    expect(a.call.owner).toEqual({ tabId: "ann-1", epoch: 1, ready: true });
    expect(second.commandsOfType("release")).toEqual([{ t: "release", epoch: 2 }]);
    expect(a.store.notices.map(({ key }) => key)).toContain("media.device-busy");
    expect(both(a, b, "connection")).toEqual(["connected", "connected"]);
    const rtcId = [...a.first.rtcIds][0]!;
    second.emit({ t: "ice", rtcId, state: "failed" }, 2);
    expect(a.call.connection).toBe("connected");
  });

  it("A tab that does not answer is replaced after 3 s", async () => {
    const { a, w } = await connected();
    const deaf = a.addTab("deaf", 9);
    a.addTab("good", 1);
    deaf.frozen = true;
    a.leaveTab(a.first);
    await w.run(2_500);
    expect(a.call.owner).toMatchObject({ tabId: "deaf", ready: false });
    await w.run(1_000);
    expect(a.call.owner).toMatchObject({ tabId: "good", ready: true });
    expect(a.call.connection).toBe("connected");
  });

  it("Another tab takes over when the owner goes into the back/forward cache", async () => {
    const { a, w } = await connected();
    const second = a.addTab("second", 5);
    a.first.emit({ t: "released" });
    a.first.epoch = null;
    await w.run(300);
    expect(a.call.owner).toMatchObject({ tabId: "second", ready: true });
    expect(second.commandsOfType("own")).toHaveLength(1);
  });

  it("An owner that returns from the back/forward cache without its media opens them again", async () => {
    const { a, b, w } = await connected();
    a.first.epoch = null;
    a.joinTab(a.first);
    await w.run(300);
    expect(a.call.owner).toEqual({ tabId: "ann-1", epoch: 2, ready: true });
    expect(both(a, b, "connection")).toEqual(["connected", "connected"]);
  });

  it("Without any tab the call continues in a tab that opens within 10 s, and otherwise ends", async () => {
    const { a, b, w, callId } = await connected();
    a.leaveTab(a.first);
    await w.run(8_000);
    expect(a.call).toMatchObject({ status: "chat", owner: null });
    a.addTab("back");
    await w.run(300);
    expect(a.call).toMatchObject({ status: "chat", connection: "connected", info: { callId } });
    a.leaveTab(a.tabs.get("back")!);
    await w.run(10_500);
    expect(both(a, b, "status")).toEqual(["idle", "idle"]);
    expect(b.texts()).toContain(CALL_TEXTS.sayPeerEnded.text);
  });
});

describe("the core", () => {
  for (const who of ["caller", "callee"] as const) {
    it(`When the ${who}'s core restarts and a tab claims the media, nothing is renegotiated`, async () => {
      const { a, b, w, callId } = await connected();
      const ownSide = who === "caller" ? a : b;
      const { startedAt } = ownSide.call;
      await ownSide.setLocal({ audioMuted: true });
      await w.run(100);
      const sessions = [...w.server.sessions];
      const tabs = ownSide.crashCore();
      await w.run(300);
      ownSide.startCore();
      for (const tab of tabs) ownSide.joinTab(tab);
      await w.run(1_000);
      expect([...w.server.sessions]).toEqual(sessions);
      expect(ownSide.call).toMatchObject({
        status: "chat",
        connection: "connected",
        startedAt,
        info: { callId },
        owner: { tabId: ownSide.first.tabId, epoch: 1, ready: true },
        local: { audioMuted: true },
      });
      expect(offers(w)).toHaveLength(1);
      expect(ownSide.first.commandsOfType("own")).toHaveLength(1);
      expect(w.server.sockets.size).toBe(2);
      await ownSide.hangup();
      await w.run(1_000);
      expect(both(a, b, "status")).toEqual(["idle", "idle"]);
    });

    it(`When the ${who}'s core restarts and its tab is gone, another tab continues with a new connection`, async () => {
      const { a, b, w, callId } = await connected();
      const ownSide = who === "caller" ? a : b;
      ownSide.crashCore();
      ownSide.first.epoch = null;
      await w.run(100);
      ownSide.startCore();
      await w.run(100);
      const next = ownSide.addTab("next");
      await w.run(200);
      expect(ownSide.call.owner).toBeNull();
      await w.run(1_000);
      expect(ownSide.call).toMatchObject({
        status: "chat",
        connection: "connected",
        info: { callId },
        owner: { tabId: "next", epoch: 2, ready: true },
      });
      expect(both(a, b, "connection")).toEqual(["connected", "connected"]);
      expect(offers(w)).toHaveLength(2);
      expect(next.commandsOfType("own")).toHaveLength(1);
    });
  }

  it("When the core restarts during the ring, the call can still be answered", async () => {
    world = createWorld();
    const a = world.person("ann");
    const b = world.person("bob");
    people = [a, b];
    await Promise.all([a.start("bob"), world.run(100)]);
    const tabsA = a.crashCore();
    const tabsB = b.crashCore();
    await world.run(10_000);
    a.startCore();
    b.startCore();
    for (const tab of tabsA) a.joinTab(tab);
    for (const tab of tabsB) b.joinTab(tab);
    await world.run(500);
    expect(both(a, b, "status")).toEqual(["receivedRing", "confirmRing"]);
    await b.answer();
    await world.run(500);
    expect(both(a, b, "connection")).toEqual(["connected", "connected"]);
  });

  it("A core that restarts after the deadline of the ring applies the timeout at once", async () => {
    world = createWorld();
    const a = world.person("ann");
    const b = world.person("bob");
    people = [a, b];
    await Promise.all([a.start("bob"), world.run(100)]);
    const tabs = a.crashCore();
    await world.run(40_000);
    a.startCore();
    for (const tab of tabs) a.joinTab(tab);
    await world.run(500);
    expect(a.call.status).toBe("idle");
    expect(a.texts()).toEqual([CALL_TEXTS.sayNoResponse.text]);
    expect(a.first.epoch).toBeNull();
  });

  it("A core of another account drops the stored call and releases the media claimed for it", async () => {
    const { a, b, w } = await connected();
    const tabs = a.crashCore();
    a.setUser({ accountId: "other", username: "x", name: "x", supplierId: null });
    a.startCore();
    for (const tab of tabs) a.joinTab(tab);
    await w.run(500);
    expect(a.call.status ?? "idle").toBe("idle");
    expect(a.first.epoch).toBeNull();
    await b.hangup();
    w.server.crash();
    w.server.up = true;
  });
});

describe("signalling", () => {
  it("A server restart with 3 s without a socket neither ends the call nor renegotiates", async () => {
    const { a, b, w } = await connected();
    w.server.crash();
    await w.run(3_000);
    expect(w.server.sockets.size).toBe(0);
    expect(both(a, b, "connection")).toEqual(["connected", "connected"]);
    w.server.up = true;
    await w.run(8_000);
    expect(w.server.sockets.size).toBe(2);
    expect(both(a, b, "status")).toEqual(["chat", "chat"]);
    expect(offers(w)).toHaveLength(1);
    await a.setLocal({ audioMuted: true });
    await w.run(100);
    expect(b.call.remote.audioMuted).toBe(true);
  });

  it("When the owner tab is lost while the socket is down, the offer is sent once the socket is back", async () => {
    const { a, b, w } = await connected();
    a.addTab("second");
    w.server.crash();
    a.leaveTab(a.first);
    await w.run(2_000);
    expect(a.call.connection).toBe("restarting");
    w.server.up = true;
    await w.run(8_000);
    expect(both(a, b, "connection")).toEqual(["connected", "connected"]);
  });

  it("Lost relays are sent again", async () => {
    world = createWorld();
    const w = world;
    const a = w.person("ann");
    const b = w.person("bob");
    people = [a, b];
    await Promise.all([a.start("bob"), w.run(100)]);
    w.server.mute = true;
    await b.answer();
    await w.run(2_000);
    expect(both(a, b, "connection")).toEqual(["connecting", "connecting"]);
    w.server.mute = false;
    await w.run(6_000);
    expect(both(a, b, "connection")).toEqual(["connected", "connected"]);
  });

  it("A half-open socket is detected when the media become weak, or by the next ping", async () => {
    const { a, b, w } = await connected();
    const halfOpen = [...w.server.sockets];
    for (const socket of halfOpen) w.server.deaf.add(socket);
    w.net.ice(offers(w)[0]!.rtcId, "disconnected");
    await w.run(1_100);
    expect([...w.server.sockets]).toEqual(halfOpen);
    await w.run(2_500);
    expect([...w.server.sockets].filter((socket) => halfOpen.includes(socket))).toEqual([]);
    await w.run(6_000);
    expect(both(a, b, "connection")).toEqual(["connected", "connected"]);

    const again = [...w.server.sockets];
    for (const socket of again) w.server.deaf.add(socket);
    await w.run(56_000);
    expect(w.server.sockets.size).toBe(2);
    expect([...w.server.sockets].filter((socket) => again.includes(socket))).toEqual([]);
    expect(both(a, b, "connection")).toEqual(["connected", "connected"]);
  });

  it("Hanging up without a socket reaches the other side by chat", async () => {
    const { a, b, w } = await connected();
    w.server.crash();
    await w.run(100);
    await a.hangup();
    await w.run(100);
    expect(w.sent.at(-1)).toMatchObject({ action: "cancelCall", fromUser: "ann" });
    expect(both(a, b, "status")).toEqual(["idle", "idle"]);
    w.server.up = true;
  });

  it("Hanging up on a half-open socket reaches the other side by chat after half a second", async () => {
    const { a, b, w } = await connected();
    for (const socket of w.server.sockets) w.server.deaf.add(socket);
    await a.hangup();
    await w.run(450);
    expect(b.call.status).toBe("chat");
    await w.run(200);
    expect(b.call.status).toBe("idle");
    expect(w.sent.at(-1)).toMatchObject({ action: "cancelCall", fromUser: "ann", toUser: "bob" });
  });

  it("Repeated hang-ups on both sides end the call once", async () => {
    const { a, b, w } = await connected();
    await Promise.all([a.hangup(), a.hangup(), b.hangup(), b.hangup()]);
    await w.run(1_000);
    expect(both(a, b, "status")).toEqual(["idle", "idle"]);
    expect(a.first.commandsOfType("release")).toHaveLength(1);
    expect(w.server.terminated.filter(({ from }) => from === "ann")).toHaveLength(1);
  });

  for (const [result, text] of [
    [RESULT.conferenceGone, CALL_TEXTS.sayInterrupted.text],
    [-504, ERROR_CATALOGUE["signalling.refused"].zh],
    [RESULT.badTicket, ERROR_CATALOGUE["signalling.refused"].zh],
  ] as const) {
    it(`An enter refused with ${result} ends the call`, async () => {
      const { a, w } = await connected();
      w.server.crash();
      w.server.refuse = result;
      w.server.up = true;
      await w.run(3_000);
      expect(a.call.status).toBe("idle");
      expect(a.texts()).toContain(text);
      w.server.refuse = 0;
    });
  }

  it("A refused ticket is renewed once", async () => {
    const { a, b, w } = await connected();
    w.server.crash();
    w.server.refuse = RESULT.badTicket;
    w.server.refusals = 2;
    const renew = a.http.requests.length;
    w.server.up = true;
    await w.run(3_000);
    expect(a.http.requests.length).toBe(renew + 1);
    expect(both(a, b, "status")).toEqual(["chat", "chat"]);
    expect(w.server.sockets.size).toBe(2);
  });

  const socketOf = (w: World, name: string) => {
    const socket = [...w.server.sockets].find(({ memName }) => memName === name);
    if (socket === undefined) throw new Error(`${name} has no socket`);
    return socket;
  };

  it("A side whose session another device has taken reads that the call went there, and it continues", async () => {
    for (const who of ["ann", "bob"] as const) {
      const { a, b, w } = await connected();
      await w.run(6_000);
      const [here, there] = who === "ann" ? [a, b] : [b, a];
      w.server.end(socketOf(w, who), WS_CLOSE.replaced);
      await w.run(5_000);
      expect(here.call.status).toBe("idle");
      expect(here.call.lastOutcome?.outcome).toBe("moved");
      expect(here.texts()).toContain(CALL_TEXTS.sayMoved.text);
      expect([...w.server.sockets].filter(({ memName }) => memName === who)).toEqual([]);
      expect(w.server.terminated).toEqual([]);
      expect(w.sent.filter(({ action }) => action === "cancelCall")).toEqual([]);
      expect(there.call.status).toBe("chat");
      await there.hangup();
      await w.run(1_000);
    }
  });

  it("When two devices answer at once, the chosen one takes its session back from the other", async () => {
    const { b, w } = await connected();
    w.server.end(socketOf(w, "bob"), WS_CLOSE.replaced);
    await w.run(1_000);
    expect(b.call.status).toBe("chat");
    expect(socketOf(w, "bob").memName).toBe("bob");
  });

  it("A socket closed as unauthorised gets a new ticket, once per enter", async () => {
    const { a, b, w } = await connected();
    const before = a.http.requests.length;
    w.server.end(socketOf(w, "ann"), WS_CLOSE.unauthorised);
    await w.run(1_000);
    expect(a.http.requests.length).toBe(before + 1);
    expect(both(a, b, "status")).toEqual(["chat", "chat"]);
    expect(socketOf(w, "ann").memName).toBe("ann");
    // The new ticket is refused too, and no second one is requested.
    w.server.refuse = RESULT.badTicket;
    w.server.end(socketOf(w, "ann"), WS_CLOSE.unauthorised);
    await w.run(3_000);
    expect(a.http.requests.length).toBe(before + 2);
    expect(a.call.status).toBe("idle");
    w.server.refuse = 0;
  });

  it("The call ends 3 s after the other side left without hanging up", async () => {
    const { a, w } = await connected();
    for (const [key] of w.server.members) if (key.endsWith("bob")) w.server.leave(key);
    await w.run(2_500);
    expect(a.call.status).toBe("chat");
    await w.run(1_000);
    expect(a.call.status).toBe("idle");
  });
});

describe("ICE", () => {
  it("A disconnect under one second is not shown; a longer one is shown as weak and then restarts ICE", async () => {
    const { a, b, w } = await connected();
    const rtcId = offers(w)[0]!.rtcId;
    w.net.ice(rtcId, "disconnected");
    await w.run(900);
    w.net.ice(rtcId, "connected");
    await w.run(5_000);
    expect(w.net.restarts).toEqual([]);

    w.net.ice(rtcId, "disconnected");
    await w.run(1_050);
    expect(both(a, b, "connection")).toEqual(["weak", "weak"]);
    await w.run(1_600);
    expect(w.net.restarts).toEqual([rtcId]);
    expect(both(a, b, "connection")).toEqual(["connected", "connected"]);
    expect(offers(w).at(-1)).toMatchObject({ rtcId, iceRestart: true, from: "ann" });
  });

  it("A failed connection restarts ICE at once, is then rebuilt, and in the end fails the call", async () => {
    const { a, b, w } = await connected();
    const rtcId = offers(w)[0]!.rtcId;
    w.net.up = false;
    w.net.ice(rtcId, "failed");
    await w.run(100);
    expect(w.net.restarts).toEqual([rtcId]);
    expect(both(a, b, "connection")).toEqual(["restarting", "restarting"]);
    await w.run(5_600);
    const rebuilt = offers(w).at(-1)!;
    expect(rebuilt.iceRestart).toBe(false);
    expect(rebuilt.rtcId).not.toBe(rtcId);
    await w.run(60_000);
    expect(new Set(offers(w).map((offer) => offer.rtcId)).size).toBe(1 + 3);
    expect(both(a, b, "status")).toEqual(["idle", "idle"]);
    expect(a.texts()).toContain(CALL_TEXTS.sayInterrupted.text);
    expect(b.texts()).toContain(CALL_TEXTS.sayInterrupted.text);
    w.net.up = true;
  });

  it("A browser that gives up each new connection at once does not end the call before the person has read why", async () => {
    const { a, b, w } = await connected();
    w.net.up = false;
    w.net.ice(offers(w)[0]!.rtcId, "failed");
    await w.run(5_600);
    let tried = offers(w)[0]!.rtcId;
    /** Gives up the newest connection as soon as it is there. @returns after how many ms it was there; null when the call is over */
    const giveUp = async (): Promise<number | null> => {
      for (let ms = 0; ms < 20_000; ms += 100) {
        const { rtcId } = offers(w).at(-1)!;
        if (rtcId !== tried) {
          tried = rtcId;
          w.net.ice(rtcId, "failed");
          return ms;
        }
        await w.run(100);
        if (a.call.status === "idle") return null;
      }
      return null;
    };
    const waits = [await giveUp(), await giveUp(), await giveUp()];
    expect(waits[0]).toBe(0);
    for (const ms of waits.slice(1)) expect(ms).toBeGreaterThanOrEqual(8_000);
    expect(await giveUp()).toBeNull();
    expect(both(a, b, "status")).toEqual(["idle", "idle"]);
    w.net.up = true;
  });

  it("When only the callee's side fails, it asks the caller to restart ICE", async () => {
    const { a, b, w } = await connected();
    const rtcId = offers(w)[0]!.rtcId;
    b.first.emit({ t: "ice", rtcId, state: "failed" });
    await w.run(200);
    expect(w.net.restarts).toEqual([rtcId]);
    expect(both(a, b, "connection")).toEqual(["connected", "connected"]);
  });

  it("A lost answer to an ICE restart is sent again, without a rebuild", async () => {
    const { a, b, w } = await connected();
    const rtcId = offers(w)[0]!.rtcId;
    let lost = 0;
    w.server.swallow = (from, body) => from === "bob" && body.op === OP.answer && (lost += 1) === 1;
    a.first.emit({ t: "ice", rtcId, state: "failed" });
    await w.run(2_900);
    expect(a.call.connection).toBe("restarting");
    await w.run(1_000);
    // The first answer was lost, and the second one arrived.
    expect(lost).toBe(2);
    expect(both(a, b, "connection")).toEqual(["connected", "connected"]);
    expect(new Set(offers(w).map((offer) => offer.rtcId)).size).toBe(1);
  });

  it("Without a socket no rebuild is counted; after a minute without socket and media the call ends", async () => {
    const { a, b, w } = await connected();
    const rtcId = offers(w)[0]!.rtcId;
    w.server.crash();
    w.net.up = false;
    w.net.ice(rtcId, "failed");
    await w.run(40_000);
    expect(both(a, b, "status")).toEqual(["chat", "chat"]);
    w.net.up = true;
    w.server.up = true;
    await w.run(15_000);
    expect(both(a, b, "connection")).toEqual(["connected", "connected"]);

    w.server.crash();
    w.net.up = false;
    w.net.ice([...a.first.rtcIds][0]!, "failed");
    await w.run(70_000);
    expect(both(a, b, "status")).toEqual(["idle", "idle"]);
    w.server.up = true;
  });
});
