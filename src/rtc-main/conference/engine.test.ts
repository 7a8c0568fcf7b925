import { describe, expect, it } from "vitest";
import { type MediaEvent, mediaEventSchema } from "../../shared/protocol/media-port.ts";
import { settle } from "../clock.fake.ts";
import { FakePort } from "../owner/port.fake.ts";
import { METER_MS } from "../sound/meter.ts";
import { LOOK_MS } from "../connections/silence.ts";
import { conference, videoOf } from "./engine.harness.ts";
import { rowChecks } from "../../shared/row-checks.harness.ts";

describe("publishing", () => {
  it("offers sound, a high and a low layer in the preferred codec order, and limits only the low layer", async () => {
    const { world, publish, eventsOfType } = await conference();
    const pc = await publish("p1");
    const [audio, high, low] = pc.getTransceivers();
    expect(pc.getTransceivers().map(({ receiver }) => receiver.track.kind)).toEqual([
      "audio",
      "video",
      "video",
    ]);
    expect(audio?.sender.track).toBe(world.devices.tracks[0]);
    expect(high?.sender.track).toBe(world.devices.tracks[1]);
    expect(low?.sender.track).toBe(world.devices.tracks[1]?.clones[0]);
    expect(high?.encodings).toEqual([]);
    expect(low?.encodings[0]).toMatchObject({ scaleResolutionDownBy: 4, maxBitrate: 150_000 });
    expect(high?.codecs.map(({ mimeType }) => mimeType)).toEqual([
      "video/H264",
      "video/VP8",
      "video/rtx",
      "video/AV1",
    ]);
    expect(eventsOfType("description")).toEqual([
      expect.objectContaining({ rtcId: "p1", type: "offer", restart: false }),
    ]);
    expect(eventsOfType("resolution")).toEqual([{ t: "resolution", rtcId: "p1", w: 640, h: 360 }]);
  });

  it("applies the given limits and offers one layer without simulcast", async () => {
    const { publish } = await conference();
    const pc = await publish("p1", {
      simulcast: false,
      maxVideoBitrate: 800_000,
      maxAudioBitrate: 32_000,
    });
    expect(pc.getTransceivers().map(({ encodings }) => encodings)).toEqual([
      [{ maxBitrate: 32_000 }],
      [{ maxBitrate: 800_000 }],
    ]);
  });

  it("sets the answer, adds candidates and offers an ICE restart on the same connection", async () => {
    const { world, sendCommand, publish, eventsOfType } = await conference();
    sendCommand({ t: "candidates", rtcId: "p1", cands: [{ candidate: "early" }] });
    const pc = await publish("p1");
    expect(pc.added).toEqual([]);
    sendCommand({ t: "answer", rtcId: "p1", sdp: "answer" });
    await settle();
    expect(pc.added.map(({ candidate }) => candidate)).toEqual(["early"]);
    pc.ice("connected");
    await publish("p1", { restart: true });
    expect(world.connections).toHaveLength(1);
    expect(eventsOfType("description").at(-1)).toMatchObject({ restart: true, type: "offer" });
    expect(eventsOfType("ice")).toEqual([{ t: "ice", rtcId: "p1", state: "connected" }]);
  });

  it.each([
    ["says", true],
    ["does not say", false],
  ])("%s during a silence that the machine has other addresses", async (_, moved) => {
    const { world, publish, pass, eventsOfType } = await conference();
    world.hasMoved = moved;
    const pc = await publish("p1");
    pc.ice("connected");
    for (let bytes = 0; bytes < 12; bytes += 1) {
      pc.stats = new Map([
        ["c", { type: "candidate-pair", bytesReceived: bytes, bytesSent: bytes }],
      ]);
      await pass(LOOK_MS);
    }
    for (let bytes = 12; bytes < 20; bytes += 1) {
      pc.stats = new Map([["c", { type: "candidate-pair", bytesReceived: 11, bytesSent: bytes }]]);
      await pass(LOOK_MS);
    }
    expect(eventsOfType("silent")).toEqual([{ t: "silent", rtcId: "p1" }]);
    expect(eventsOfType("moved")).toEqual(moved ? [{ t: "moved", rtcId: "p1" }] : []);
  });

  it("switches the camera off, on and to another one without a new offer", async () => {
    const { world, port, host, publish } = await conference();
    const pc = await publish("p1");
    const [, high, low] = pc.getTransceivers();
    const [, first] = world.devices.tracks;
    port.send({ t: "local", epoch: 1, audioMuted: true, videoOff: true });
    await settle();
    expect([high?.sender.track, low?.sender.track]).toEqual([null, null]);
    expect([first?.stopped, first?.clones[0]?.stopped]).toEqual([true, true]);
    expect(world.devices.tracks[0]?.enabled).toBe(false);
    port.send({ t: "local", epoch: 1, audioMuted: false, videoOff: false });
    await settle();
    expect(high?.sender.track).toBe(world.devices.tracks[2]);
    await host.changeDevice("videoinput", "cam-2");
    expect(high?.sender.track).toBe(world.devices.tracks[3]);
    expect(low?.sender.track).toBe(world.devices.tracks[3]?.clones[0]);
    expect(world.devices.tracks[2]?.stopped).toBe(true);
    expect(pc.log.filter((line) => line === "local offer")).toHaveLength(1);
  });
});

describe("subscribing", () => {
  it("makes an offer, plays the sound, shows the picture and reports the first media", async () => {
    const { world, subscribe, flow, eventsOfType, bind, shown } = await conference();
    const { element } = bind("st1");
    const pc = await subscribe("r1", "st1");
    expect(eventsOfType("description")).toMatchObject([
      { rtcId: "r1", type: "offer", restart: false },
    ]);
    await flow(pc);
    expect(shown(element)).toBe(videoOf(pc));
    expect(element.muted).toBe(true);
    expect(world.audio).toHaveLength(1);
    expect(
      eventsOfType("first-media")
        .map(({ kind }) => kind)
        .toSorted(),
    ).toEqual(["audio", "video"]);
  });

  it("restarts ICE on the same connection, and answers an offer that the node makes in place of an answer", async () => {
    const { world, sendCommand, subscribe, eventsOfType } = await conference();
    await subscribe("r1", "st1");
    await subscribe("r1", "st1", { restart: true });
    expect(eventsOfType("description").at(-1)).toMatchObject({ type: "offer", restart: true });
    sendCommand({ t: "offer", rtcId: "r1", sdp: "offer" });
    await settle();
    expect(eventsOfType("description").at(-1)).toMatchObject({ rtcId: "r1", type: "answer" });
    expect(world.connections).toHaveLength(1);
    expect(world.connections[0]?.getTransceivers()).toHaveLength(2);
  });

  it("keeps the old connection's picture until the new connection has one", async () => {
    const { sendCommand, subscribe, flow, bind, shown } = await conference();
    const { element } = bind("st1");
    const old = await subscribe("r1", "st1");
    await flow(old);
    const next = await subscribe("r2", "st1");
    for (const transceiver of next.getTransceivers()) next.receive(transceiver);
    expect(shown(element)).toBe(videoOf(old));
    await flow(next);
    expect(shown(element)).toBe(videoOf(next));
    sendCommand({ t: "close", rtcId: "r1" });
    expect(shown(element)).toBe(videoOf(next));
    sendCommand({ t: "close", rtcId: "r2" });
    expect(shown(element)).toBeNull();
  });

  it("falls back to the older connection when the newer one is closed", async () => {
    const { sendCommand, subscribe, flow, bind, shown } = await conference();
    const { element } = bind("st1");
    const old = await subscribe("r1", "st1");
    await flow(old);
    const next = await subscribe("r2", "st1");
    await flow(next);
    sendCommand({ t: "close", rtcId: "r2" });
    expect(shown(element)).toBe(videoOf(old));
  });

  it("removes sound or picture when it is no longer subscribed", async () => {
    const { world, subscribe, flow, bind, shown } = await conference();
    const { element } = bind("st1");
    const pc = await subscribe("r1", "st1");
    await flow(pc);
    await subscribe("r1", "st1", { video: false });
    expect(shown(element)).toBeNull();
    expect(world.audio[0]?.removed).toBe(false);
    await subscribe("r1", "st1", { video: true, audio: false });
    expect(shown(element)).toBe(videoOf(pc));
    expect(world.audio[0]?.removed).toBe(true);
    expect(world.connections).toHaveLength(1);
  });
});

describe("a new core", () => {
  it("receives connections, first media, wishes, talking and the screen again while the media continues", async () => {
    const { world, host, publish, subscribe, flow, bind, pass } = await conference();
    bind("st1");
    const out = await publish("p1");
    out.ice("connected");
    const pc = await subscribe("r1", "st1");
    pc.ice("connected");
    await flow(pc);
    pc.getTransceivers()[0]!.receiver.level = 0.5;
    await host.captureScreen({ audio: false });
    await pass(METER_MS);
    expect(host.claim()).toEqual({ callId: "conference-1", ownerEpoch: 1, rtcIds: ["p1", "r1"] });
    const next = new FakePort();
    host.connect(next as unknown as MessagePort);
    const bodies = next.sentOfType("conference").map(({ body }) => body as Record<string, unknown>);
    expect(new Set(bodies.map(({ t }) => t))).toEqual(
      new Set(["ice", "first-media", "wish", "talking", "screen"]),
    );
    expect(next.sentOfType("owned")).toHaveLength(1);
    expect(next.sentOfType("capture")).toMatchObject([{ audio: "on", video: "on" }]);
    expect(world.connections.every(({ closed }) => !closed)).toBe(true);
  });

  it("gets samples per direction and kind, and only events of the contract", async () => {
    const { port, publish, subscribe, flow, pass } = await conference();
    const out = await publish("p1");
    out.find("host");
    const pc = await subscribe("r1", "st1");
    pc.ice("checking");
    await flow(pc);
    out.stats = new Map([
      ["o", { id: "o", type: "outbound-rtp", kind: "audio", timestamp: 1, bytesSent: 5 }],
    ]);
    port.send({ t: "sample", epoch: 1, id: "s1" });
    await pass(METER_MS);
    const ids = port
      .sentOfType("samples")
      .flatMap(({ samples }) => samples as { id: string }[])
      .map(({ id }) => id);
    expect(ids).toEqual(["p1:local:audio", "r1:remote:audio", "r1:remote:video"]);
    const read = port.sent.map((each): MediaEvent => mediaEventSchema.parse(each));
    expect(read.every(({ epoch }) => epoch === 1)).toBe(true);
  });
});

it("A hundred joins and leaves leave nothing open", async () => {
  const all = await conference();
  const { world, host, port, own, publish, subscribe, flow, bind, pass } = all;
  port.send({ t: "release", epoch: 1 });
  const before = host.debugCounts();
  for (let round = 0; round < 100; round += 1) {
    own();
    await settle();
    const unbind = ["self", "st1", "st2"].map((id) => bind(id).unbind);
    await publish("p1");
    await flow(await subscribe("r1", "st1"));
    await subscribe("r2", "st2");
    await host.captureScreen({ audio: true });
    await publish("s1", { type: 1 });
    await pass(METER_MS);
    port.send({ t: "release", epoch: 1 });
    for (const run of unbind) run();
  }
  await settle();
  expect(host.debugCounts()).toEqual(before);
  expect(Object.values(before).every((count) => count === 0)).toBe(true);
  expect(world.connections).toHaveLength(400);
  expect(world.connections.every(({ closed }) => closed)).toBe(true);
  const tracks = world.devices.tracks.flatMap((track) => [track, ...track.clones]);
  expect(tracks.every(({ stopped }) => stopped)).toBe(true);
  expect(world.audio.every(({ removed }) => removed)).toBe(true);
  expect(world.tiles.size).toBe(0);
  expect(world.lock.holders).toBe(0);
  expect(world.clock.pending).toBe(0);
});

/** Rows of the conference catalogue (tests/conference/catalogue.ts), which is bound to these functions by their type. */
export const checks = rowChecks({
  "event.candidate: A candidate that cannot be added ends nothing, others carry the connection":
    async () => {
      const { world, sendCommand, publish, eventsOfType } = await conference();
      const pc = await publish("p1");
      sendCommand({ t: "answer", rtcId: "p1", sdp: "answer" });
      sendCommand({
        t: "candidates",
        rtcId: "p1",
        cands: [{ candidate: "bad" }, { candidate: "good" }],
      });
      await settle();
      expect(pc.added.map(({ candidate }) => candidate)).toEqual(["good"]);
      expect(eventsOfType("failed")).toEqual([]);
      expect(eventsOfType("candidate-refused")).toEqual([{ t: "candidate-refused", rtcId: "p1" }]);
      expect(world.reports).toEqual(["p1: candidate refused: Error: bad candidate"]);
    },

  "event.sdp: The tab says that a connection cannot be made, or its answer not be read, and goes on":
    async () => {
      const { world, sendCommand, publish, eventsOfType } = await conference();
      const pc = await publish("p1");
      sendCommand({ t: "answer", rtcId: "p1", sdp: "bad" });
      await settle();
      expect(eventsOfType("failed")).toMatchObject([
        { rtcId: "p1", error: { code: "conference.connection-failed" } },
      ]);
      expect(pc.closed).toBe(false);
      sendCommand({ t: "close", rtcId: "p1" });
      expect(pc.closed).toBe(true);
      // A command with the same id opens a new connection.
      await publish("p1");
      expect(world.connections).toHaveLength(2);
    },

  "stream.turns: Subscriptions begin one at a time where the browser needs it": async () => {
    const { world, sendCommand, subscribe, pass } = await conference({ serial: true });
    await subscribe("r1", "st1");
    await subscribe("r2", "st2");
    await subscribe("r3", "st3");
    expect(world.connections).toHaveLength(1);
    world.connections[0]?.ice("connected");
    await settle();
    expect(world.connections).toHaveLength(2);
    sendCommand({ t: "close", rtcId: "r2" });
    await settle();
    expect(world.connections).toHaveLength(3);
    await subscribe("r4", "st4");
    // The third one never connects.
    await pass(10_000);
    expect(world.connections).toHaveLength(4);
  },
});
