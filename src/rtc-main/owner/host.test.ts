import { describe, expect, it } from "vitest";
import { type MediaEvent, mediaEventSchema } from "../../shared/protocol/media-port.ts";
import { type FakeWorld, fakeWorld } from "../browser.fake.ts";
import { settle } from "../clock.fake.ts";
import { FakeElement } from "../element.fake.ts";
import { FakeLock } from "./lock.fake.ts";
import { FakePort } from "./port.fake.ts";
import { createMediaHost } from "./host.ts";

const own = (epoch: number, more: Record<string, unknown> = {}) => ({
  t: "own",
  epoch,
  callId: "call-1",
  media: "video",
  audioMuted: false,
  videoOff: false,
  rtcCfg: { iceServers: [] },
  engine: { kind: "native" },
  ...more,
});

function tab(shared: { lock?: FakeLock } = {}) {
  const world = fakeWorld(shared);
  const host = createMediaHost(world.deps);
  const port = new FakePort();
  host.connect(port as unknown as MessagePort);
  return { world, host, port };
}

/** Answers an open offer and makes video flow. */
async function connected(world: FakeWorld, port: FakePort, rtcId: string, epoch: number) {
  port.send({ t: "offer", epoch, rtcId, iceRestart: false });
  await settle();
  port.send({ t: "description", epoch, rtcId, type: "answer", sdp: "answer" });
  await settle();
  const pc = world.connections.at(-1);
  if (pc === undefined) throw new Error("no connection was made");
  for (const transceiver of pc.getTransceivers()) pc.receive(transceiver);
  return pc;
}

it("A browser without RTCPeerConnection is reported before a call", () => {
  const { host, world } = tab();
  expect(() => host.requireConnections()).not.toThrow();
  world.hasConnections = false;
  expect(() => host.requireConnections()).toThrow(
    expect.objectContaining({ code: "media.no-connections" }),
  );
});

it("The sound of a call of two goes to the chosen speaker, chosen before or during the call", async () => {
  const { host, world, port } = tab();
  port.send(own(1));
  await settle();
  await host.changeDevice("audiooutput", "phones");
  await connected(world, port, "r1", 1);
  await settle();
  expect(world.audio.map(({ sink }) => sink)).toEqual(["phones"]);
  await host.changeDevice("audiooutput", "desk");
  expect(world.audio.map(({ sink }) => sink)).toEqual(["desk"]);
  await expect(host.changeDevice("audiooutput", FakeElement.noSink)).rejects.toMatchObject({
    code: "media.no-device",
  });
  expect(world.audio.map(({ sink }) => sink)).toEqual(["desk"]);
});

describe("owning", () => {
  it("says that the person speaks into the muted microphone, until it is on", async () => {
    const { host, world, port } = tab();
    port.send(own(1, { audioMuted: true }));
    await settle();
    world.loudness = 0.2;
    world.clock.pass(600);
    expect(host.getState()).toMatchObject({ owning: true, mutedVoice: true });
    port.send({ t: "local", epoch: 1, audioMuted: false, videoOff: false });
    expect(host.getState().mutedVoice).toBe(false);
    host.dispose();
    expect(host.debugCounts()).toMatchObject({ tracks: 0, timers: 0 });
  });

  it("waits for the former holder of the lock, then sends owned and opens the devices", async () => {
    const lock = new FakeLock();
    const former = await lock.acquire("call-owner", new AbortController().signal);
    const { host, port, world } = tab({ lock });
    port.send(own(1));
    await settle();
    expect(port.types).toEqual([]);
    expect(host.getState().owning).toBe(false);
    expect(host.claim()).toBeNull();
    expect(world.devices.asked).toEqual([]);

    former.release();
    await settle();
    expect(port.types).toEqual(["owned", "opened"]);
    expect(port.sentOfType("opened")[0]).toMatchObject({
      epoch: 1,
      hasAudio: true,
      hasVideo: true,
    });
    expect(host.getState()).toMatchObject({ owning: true, callId: "call-1", localVideo: true });
    expect(host.claim()).toEqual({ callId: "call-1", ownerEpoch: 1, rtcIds: [] });
  });

  it("stops waiting on release and does not take the lock later", async () => {
    const lock = new FakeLock();
    const former = await lock.acquire("call-owner", new AbortController().signal);
    const { port, host } = tab({ lock });
    port.send(own(1));
    port.send({ t: "release", epoch: 1 });
    await settle();
    expect(port.types).toEqual(["released"]);
    former.release();
    await settle();
    expect(lock.holders).toBe(0);
    expect(port.types).toEqual(["released"]);
    expect(host.debugCounts().locks).toBe(0);
  });

  it("for another call replaces the wait of the older one", async () => {
    const lock = new FakeLock();
    const former = await lock.acquire("call-owner", new AbortController().signal);
    const { port, host } = tab({ lock });
    port.send(own(1));
    port.send(own(2, { callId: "call-2" }));
    former.release();
    await settle();
    expect(lock.holders).toBe(1);
    expect(port.sentOfType("owned")).toEqual([{ t: "owned", epoch: 2 }]);
    expect(host.claim()).toMatchObject({ callId: "call-2", ownerEpoch: 2 });
  });

  it("passes the lock to the next tab on release", async () => {
    const lock = new FakeLock();
    const a = tab({ lock });
    const b = tab({ lock });
    a.port.send(own(1));
    await settle();
    b.port.send(own(2));
    await settle();
    expect(b.port.types).toEqual([]);
    a.port.send({ t: "release", epoch: 1 });
    await settle();
    expect(a.port.types.at(-1)).toBe("released");
    expect(b.port.types).toEqual(["owned", "opened"]);
  });

  it("keeps commands that arrive during the wait", async () => {
    const lock = new FakeLock();
    const former = await lock.acquire("call-owner", new AbortController().signal);
    const { port } = tab({ lock });
    port.send(own(1));
    port.send({ t: "offer", epoch: 1, rtcId: "r1", iceRestart: false });
    former.release();
    await settle();
    expect(port.sentOfType("description")).toHaveLength(1);
  });
});

describe("epochs", () => {
  it("make the host drop and report messages of another epoch and invalid messages", async () => {
    const { port, world, host } = tab();
    port.send({ t: "sample", epoch: 1, id: "s" });
    port.send(own(3));
    await settle();
    port.send({ t: "release", epoch: 2 });
    port.send({ t: "release", epoch: 4 });
    port.send(own(2));
    port.send({ t: "nonsense", epoch: 3 });
    port.send("text");
    await settle();
    expect(host.getState().owning).toBe(true);
    expect(port.types).toEqual(["owned", "opened"]);
    expect(world.reports.map((line) => line.split(":")[0])).toEqual([
      "media.stale-owner",
      "media.stale-owner",
      "media.stale-owner",
      "media.stale-owner",
      "core.bad-message",
      "core.bad-message",
    ]);
  });

  it("are part of every event, and all events match the contract", async () => {
    const { port, world } = tab();
    port.send(own(3));
    const pc = await connected(world, port, "r1", 3);
    pc.find("more");
    pc.ice("connected");
    port.send({ t: "sample", epoch: 3, id: "s1" });
    world.clock.pass(100);
    await settle();
    const read = port.sent.map((each): MediaEvent => mediaEventSchema.parse(each));
    expect(read.every((event) => event.epoch === 3)).toBe(true);
    expect(new Set(read.map((event) => event.t))).toEqual(
      new Set(["owned", "opened", "description", "candidates", "ice", "samples"]),
    );
  });

  it("say with the samples how late the timers of the visible tab were", async () => {
    const { port, world } = tab();
    port.send(own(3));
    await connected(world, port, "r1", 3);
    world.clock.stall(650);
    port.send({ t: "sample", epoch: 3, id: "s1" });
    await settle();
    world.showPage(false);
    world.clock.stall(650);
    port.send({ t: "sample", epoch: 3, id: "s2" });
    await settle();
    const events = port.sentOfType("samples").map((each) => mediaEventSchema.parse(each));
    expect(events).toMatchObject([{ id: "s1", late: 400 }, { id: "s2" }]);
    expect(events[1]).not.toHaveProperty("late");
  });

  it("may restart with a new core when the tab owns no media", async () => {
    const { host, port } = tab();
    port.send(own(7));
    await settle();
    port.send({ t: "release", epoch: 7 });
    await settle();
    const next = new FakePort();
    host.connect(next as unknown as MessagePort);
    next.send(own(1));
    await settle();
    expect(next.types).toEqual(["owned", "opened"]);
    expect(port.closed).toBe(true);
  });
});

describe("a restarted core", () => {
  it("finds the media running, receives the current states and continues with its own epoch", async () => {
    const { host, port, world } = tab();
    port.send(own(1));
    const pc = await connected(world, port, "r1", 1);
    pc.ice("connected");
    const before = port.sent.length;

    const next = new FakePort();
    host.connect(next as unknown as MessagePort);
    expect(host.claim()).toEqual({ callId: "call-1", ownerEpoch: 1, rtcIds: ["r1"] });
    expect(next.types).toEqual(["opened", "ice"]);
    next.send(own(2));
    await settle();
    expect(next.sent.slice(2)).toMatchObject([
      { t: "owned", epoch: 2 },
      { t: "opened", epoch: 2 },
      { t: "ice", epoch: 2, rtcId: "r1", state: "connected" },
    ]);
    pc.ice("disconnected");
    expect(next.sent.at(-1)).toMatchObject({ t: "ice", epoch: 2, state: "disconnected" });
    expect(port.sent).toHaveLength(before);
    expect(pc.closed).toBe(false);
    expect(world.devices.asked).toEqual(["audio+video"]);
    expect(world.lock.holders).toBe(1);
  });
});

describe("release", () => {
  it("stops tracks, closes connections and frees the lock once, and is answered every time", async () => {
    const { host, port, world } = tab();
    port.send(own(1));
    const pc = await connected(world, port, "r1", 1);
    expect(host.debugCounts()).toMatchObject({ tracks: 2, peers: 1, locks: 1 });
    port.send({ t: "release", epoch: 1 });
    port.send({ t: "release", epoch: 1 });
    await settle();
    expect(port.sentOfType("released")).toHaveLength(2);
    expect(pc.closed).toBe(true);
    expect(world.devices.tracks.map((track) => track.stopped)).toEqual([true, true]);
    expect(world.lock.holders).toBe(0);
    expect(world.audio.map((element) => element.removed)).toEqual([true]);
    expect(host.getState().owning).toBe(false);
    expect(world.clock.pending).toBe(0);
    expect(Object.values(host.debugCounts())).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });

  it("stops a device that opens too late", async () => {
    const { host, port, world } = tab();
    let open = (): void => undefined;
    world.devices.gate = new Promise((resolve) => (open = resolve));
    port.send(own(1));
    await settle();
    port.send({ t: "release", epoch: 1 });
    open();
    await settle();
    expect(world.devices.tracks.map((track) => track.stopped)).toEqual([true, true]);
    expect(port.types).toEqual(["owned", "released"]);
    expect(host.debugCounts().tracks).toBe(0);
  });

  it("also happens when the page enters the back/forward cache and on dispose", async () => {
    const { host, port, world } = tab();
    port.send(own(1));
    await settle();
    world.freeze();
    await settle();
    expect(world.lock.holders).toBe(0);
    expect(port.types.at(-1)).toBe("released");
    port.send(own(2));
    await settle();
    host.dispose();
    host.dispose();
    await settle();
    expect(world.lock.holders).toBe(0);
    expect(port.closed).toBe(true);
  });
});

describe("speed", () => {
  it("is gained by an offer before the devices are open; the tracks are added later", async () => {
    const { port, world } = tab();
    let open = (): void => undefined;
    world.devices.gate = new Promise((resolve) => (open = resolve));
    port.send(own(1));
    port.send({ t: "offer", epoch: 1, rtcId: "r1", iceRestart: false });
    await settle();
    expect(port.types).toEqual(["owned", "description", "candidates"]);
    const pc = world.connections[0];
    expect(pc?.transceivers.map((each) => each.sender.track)).toEqual([null, null]);
    open();
    await settle();
    expect(pc?.transceivers.map((each) => each.sender.track)).toEqual(world.devices.tracks);
  });
});

describe("sound", () => {
  it("that autoplay refused is reported and resumes after a gesture", async () => {
    const { host, port, world } = tab();
    const create = world.deps.createAudioElement;
    Object.assign(world.deps, {
      createAudioElement() {
        const element = create();
        world.audio[0]!.refuse = "NotAllowedError"; // the one just made
        return element;
      },
    });
    const refusing = createMediaHost(world.deps);
    host.dispose();
    refusing.connect(port as unknown as MessagePort);
    port.send(own(1));
    await connected(world, port, "r1", 1);
    await settle();
    expect(port.sentOfType("autoplay")).toEqual([{ t: "autoplay", epoch: 1, blocked: true }]);
    expect(refusing.getState().autoplayBlocked).toBe(true);
    world.audio[0]!.refuse = null;
    await refusing.resumePlayback();
    expect(port.sentOfType("autoplay").at(-1)).toMatchObject({ blocked: false });
    expect(refusing.getState().autoplayBlocked).toBe(false);
  });
});
