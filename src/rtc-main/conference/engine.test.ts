import { describe, expect, it } from "vitest";
import { coversRow } from "../../shared/domain/conference-catalogue.harness.ts";
import { type MediaEvent, mediaEventSchema } from "../../shared/protocol/media-port.ts";
import {
  type FakeConnection,
  FakeElement,
  FakePort,
  type FakeTrack,
  fakeWorld,
  settle,
} from "../browser.fake.ts";
import { createMediaHost } from "../owner/host.ts";
import { METER_MS } from "./meter.ts";
import { WISH_MS } from "./wishes.ts";

const OFFER = "v=0\r\nm=audio 9\r\nm=video 9\r\n";

async function conference(options: { serial?: boolean } = {}) {
  const world = fakeWorld(options);
  const host = createMediaHost(world.deps);
  const port = new FakePort();
  host.connect(port as unknown as MessagePort);
  const say = (body: Record<string, unknown>): void => port.send({ t: "confr", epoch: 1, body });
  const own = (more: Record<string, unknown> = {}): void =>
    port.send({
      t: "own",
      epoch: 1,
      callId: "confr-1",
      media: "video",
      audioMuted: false,
      videoOff: false,
      rtcCfg: { iceServers: [] },
      engine: { kind: "conference" },
      ...more,
    });
  own();
  await settle();
  const told = (t: string) =>
    port.of("confr").flatMap(({ body }) => {
      const event = body as Record<string, unknown>;
      return event["t"] === t ? [event] : [];
    });
  const publish = async (rtcId: string, more: Record<string, unknown> = {}) => {
    say({
      t: "publish",
      rtcId,
      type: 0,
      vcodes: ["H264", "VP8"],
      simulcast: true,
      restart: false,
      maxVideoBitrate: null,
      maxAudioBitrate: null,
      ...more,
    });
    await settle();
    return world.connections.at(-1) as FakeConnection;
  };
  const subscribe = async (rtcId: string, streamId: string, more: Record<string, unknown> = {}) => {
    say({
      t: "subscribe",
      rtcId,
      streamId,
      memId: "m2",
      type: 0,
      sdp: OFFER,
      video: true,
      audio: true,
      ...more,
    });
    await settle();
    return world.connections.at(-1) as FakeConnection;
  };
  /** Delivers tracks with flowing media. */
  const flow = async (pc: FakeConnection): Promise<void> => {
    for (const transceiver of pc.getTransceivers()) pc.receive(transceiver);
    pc.stats = new Map<string, unknown>([
      ["a", { type: "inbound-rtp", kind: "audio", packetsReceived: 1 }],
      ["v", { type: "inbound-rtp", kind: "video", framesDecoded: 1 }],
    ]);
    await pass(60);
  };
  const pass = async (ms: number): Promise<void> => {
    world.clock.pass(ms);
    await settle();
  };
  const bind = (id: string) => {
    const element = new FakeElement();
    const unbind = host.bindStream(id, element as unknown as HTMLVideoElement);
    return { element, unbind };
  };
  const shown = (element: FakeElement): FakeTrack | null =>
    (element.srcObject as { getTracks(): FakeTrack[] } | null)?.getTracks()[0] ?? null;
  return { world, host, port, own, say, told, publish, subscribe, flow, pass, bind, shown };
}
type Conference = Awaited<ReturnType<typeof conference>>;
const videoOf = (pc: FakeConnection): FakeTrack =>
  pc.getTransceivers().find(({ receiver }) => receiver.track.kind === "video")!.receiver.track;

describe("publishing", () => {
  it("offers sound, a high and a low layer in the preferred codec order, and limits only the low layer", async () => {
    const { world, publish, told } = await conference();
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
    expect(told("description")).toEqual([
      expect.objectContaining({ rtcId: "p1", type: "offer", restart: false }),
    ]);
    expect(told("resolution")).toEqual([{ t: "resolution", rtcId: "p1", w: 640, h: 360 }]);
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
    const { world, say, publish, told } = await conference();
    say({ t: "candidates", rtcId: "p1", cands: [{ candidate: "early" }] });
    const pc = await publish("p1");
    expect(pc.added).toEqual([]);
    say({ t: "answer", rtcId: "p1", sdp: "answer" });
    await settle();
    expect(pc.added.map(({ candidate }) => candidate)).toEqual(["early"]);
    pc.ice("connected");
    await publish("p1", { restart: true });
    expect(world.connections).toHaveLength(1);
    expect(told("description").at(-1)).toMatchObject({ restart: true, type: "offer" });
    expect(told("ice")).toEqual([{ t: "ice", rtcId: "p1", state: "connected" }]);
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

  it(coversRow("event.candidate", "others carry the connection"), async () => {
    const { world, say, publish, told } = await conference();
    const pc = await publish("p1");
    say({ t: "answer", rtcId: "p1", sdp: "answer" });
    say({ t: "candidates", rtcId: "p1", cands: [{ candidate: "bad" }, { candidate: "good" }] });
    await settle();
    expect(pc.added.map(({ candidate }) => candidate)).toEqual(["good"]);
    expect(told("failed")).toEqual([]);
    expect(world.reports).toEqual(["candidate refused: Error: bad candidate"]);
  });

  it(
    coversRow(
      "event.sdp",
      "says that a connection cannot be made, or its answer not be read, and goes on",
    ),
    async () => {
      const { world, say, publish, told } = await conference();
      const pc = await publish("p1");
      say({ t: "answer", rtcId: "p1", sdp: "bad" });
      await settle();
      expect(told("failed")).toMatchObject([
        { rtcId: "p1", error: { code: "conference.link-failed" } },
      ]);
      expect(pc.closed).toBe(false);
      say({ t: "close", rtcId: "p1" });
      expect(pc.closed).toBe(true);
      // A command with the same id opens a new connection.
      await publish("p1");
      expect(world.connections).toHaveLength(2);
    },
  );
});

describe("a screen", () => {
  it("is captured before the tab owns media, published unscaled, and its end is reported", async () => {
    const { world, host, publish, told, bind, shown } = await conference();
    expect(await host.captureScreen({ audio: true })).toBe(true);
    expect(told("screen")).toEqual([{ t: "screen", on: true, audio: true }]);
    expect(world.devices.displayAsked[0]).toMatchObject({ systemAudio: "include" });
    expect(world.devices.displayAsked[0]?.audio).toMatchObject({ restrictOwnAudio: true });
    const [, , video, audio] = world.devices.tracks;
    expect(video?.contentHint).toBe("detail");
    const { element } = bind("screen");
    expect(shown(element)).toBe(video);
    const pc = await publish("s1", { type: 1 });
    expect(pc.getTransceivers().map(({ sender }) => sender.track)).toEqual([audio, video]);
    video?.end();
    expect(told("screen").at(-1)).toEqual({ t: "screen", on: false, audio: false });
    expect([video?.stopped, audio?.stopped, shown(element)]).toEqual([true, true, null]);
  });

  it(
    coversRow(
      "event.denied",
      "declined is no error; one that was not captured cannot be published",
    ),
    async () => {
      const { world, host, publish, told } = await conference();
      world.devices.refuseDisplay = "NotAllowedError";
      expect(await host.captureScreen({ audio: false })).toBe(false);
      await publish("s1", { type: 1 });
      expect(told("failed")).toMatchObject([{ rtcId: "s1", error: { code: "media.open-failed" } }]);
      expect(world.connections).toHaveLength(0);
    },
  );

  it("that was captured before the tab owns the media is reported once it does", async () => {
    const { host, port, own, told } = await conference();
    port.send({ t: "release", epoch: 1 });
    await host.captureScreen({ audio: false });
    expect(told("screen")).toEqual([]);
    own({ epoch: 2 });
    await settle();
    expect(told("screen")).toEqual([{ t: "screen", on: true, audio: false }]);
  });

  it("stops with the conference and by command", async () => {
    const { world, host, port, say } = await conference();
    await host.captureScreen({ audio: false });
    say({ t: "stop-screen" });
    expect(world.devices.tracks.at(-1)?.stopped).toBe(true);
    await host.captureScreen({ audio: false });
    port.send({ t: "release", epoch: 1 });
    expect(world.devices.tracks.at(-1)?.stopped).toBe(true);
  });
});

describe("subscribing", () => {
  it("answers the node's offer, plays the sound, shows the picture and reports the first media", async () => {
    const { world, subscribe, flow, told, bind, shown } = await conference();
    const { element } = bind("st1");
    const pc = await subscribe("r1", "st1");
    expect(told("description")).toMatchObject([{ rtcId: "r1", type: "answer" }]);
    await flow(pc);
    expect(shown(element)).toBe(videoOf(pc));
    expect(element.muted).toBe(true);
    expect(world.audio).toHaveLength(1);
    expect(
      told("first-media")
        .map(({ kind }) => kind)
        .toSorted(),
    ).toEqual(["audio", "video"]);
  });

  it("keeps the old connection's picture until the new connection has one", async () => {
    const { say, subscribe, flow, bind, shown } = await conference();
    const { element } = bind("st1");
    const old = await subscribe("r1", "st1");
    await flow(old);
    const next = await subscribe("r2", "st1");
    for (const transceiver of next.getTransceivers()) next.receive(transceiver);
    expect(shown(element)).toBe(videoOf(old));
    await flow(next);
    expect(shown(element)).toBe(videoOf(next));
    say({ t: "close", rtcId: "r1" });
    expect(shown(element)).toBe(videoOf(next));
    say({ t: "close", rtcId: "r2" });
    expect(shown(element)).toBeNull();
  });

  it("falls back to the older connection when the newer one is closed", async () => {
    const { say, subscribe, flow, bind, shown } = await conference();
    const { element } = bind("st1");
    const old = await subscribe("r1", "st1");
    await flow(old);
    const next = await subscribe("r2", "st1");
    await flow(next);
    say({ t: "close", rtcId: "r2" });
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

  it(coversRow("stream.turns", "one at a time where the browser needs it"), async () => {
    const { world, say, subscribe, pass } = await conference({ serial: true });
    await subscribe("r1", "st1");
    await subscribe("r2", "st2");
    await subscribe("r3", "st3");
    expect(world.connections).toHaveLength(1);
    world.connections[0]?.ice("connected");
    await settle();
    expect(world.connections).toHaveLength(2);
    say({ t: "close", rtcId: "r2" });
    await settle();
    expect(world.connections).toHaveLength(3);
    await subscribe("r4", "st4");
    // The third one never connects.
    await pass(10_000);
    expect(world.connections).toHaveLength(4);
  });
});

describe("sound", () => {
  it("that autoplay refused is one state for all streams, and one click plays all", async () => {
    const all = await conference();
    const { world, host, port } = all;
    const create = world.deps.createAudioElement;
    Object.assign(world.deps, {
      createAudioElement() {
        const made = create();
        (made as unknown as FakeElement).refuse = "NotAllowedError";
        return made;
      },
    });
    for (const [rtcId, id] of [
      ["r1", "st1"],
      ["r2", "st2"],
    ] as const) {
      const pc = await all.subscribe(rtcId, id);
      pc.receive(pc.getTransceivers()[0]!);
    }
    await settle();
    expect(port.of("autoplay")).toMatchObject([{ blocked: true }]);
    expect(host.getState().autoplayBlocked).toBe(true);
    for (const element of world.audio) element.refuse = null;
    await host.resumePlayback();
    expect(port.of("autoplay")).toMatchObject([{ blocked: true }, { blocked: false }]);
    expect(host.getState().autoplayBlocked).toBe(false);
  });

  it("goes to the chosen output, also for later streams", async () => {
    const { world, host, subscribe, flow } = await conference();
    world.devices.list = [
      { kind: "audiooutput", deviceId: "default", label: "Default" },
      { kind: "audiooutput", deviceId: "phones", label: "Phones" },
    ];
    await flow(await subscribe("r1", "st1"));
    await host.changeDevice("audiooutput", "phones");
    await flow(await subscribe("r2", "st2"));
    expect(world.audio.map(({ sink }) => sink)).toEqual(["phones", "phones"]);
    await expect(host.changeDevice("audiooutput", FakeElement.noSink)).rejects.toMatchObject({
      code: "media.no-device",
    });
    expect(world.audio.map(({ sink }) => sink)).toEqual(["phones", "phones"]);
    expect(await host.mediaDevices("audiooutput")).toMatchObject([
      { deviceId: "default", current: false },
      { deviceId: "phones", current: true },
    ]);
  });

  it(
    coversRow(
      "time.getMediaMeterIntervalMillis",
      "who is heard is told on change, loudest first, the own microphone too unless it is muted",
    ),
    async () => {
      const { world, port, publish, subscribe, flow, told, host, pass } = await conference();
      const own = await publish("p1");
      const one = await subscribe("r1", "st1");
      const two = await subscribe("r2", "st2");
      await flow(one);
      await flow(two);
      const level = (pc: FakeConnection, value: number): void => {
        pc.getTransceivers()[0]!.receiver.level = value;
      };
      own.stats = new Map([["m", { type: "media-source", kind: "audio", audioLevel: 0.3 }]]);
      level(one, 0.2);
      level(two, 0.04);
      await pass(METER_MS);
      expect(told("talking").at(-1)).toEqual({ t: "talking", streamIds: ["self", "st1"] });
      expect(host.localLevel()).toBe(0.3);
      level(two, 0.9);
      await pass(METER_MS);
      expect(told("talking").at(-1)).toEqual({ t: "talking", streamIds: ["st2", "self", "st1"] });
      const before = told("talking").length;
      await pass(METER_MS);
      expect(told("talking")).toHaveLength(before);
      // A short pause does not count.
      level(one, 0);
      await pass(METER_MS);
      expect(told("talking")).toHaveLength(before);
      port.send({ t: "local", epoch: 1, audioMuted: true, videoOff: false });
      level(two, 0);
      for (let i = 0; i < 4; i += 1) await pass(METER_MS);
      expect(told("talking").at(-1)).toEqual({ t: "talking", streamIds: [] });
      expect(world.devices.tracks[0]?.enabled).toBe(false);
      expect(host.localLevel()).toBe(0);
    },
  );
});

it("WebAudio measures the own level when the statistics lack it", async () => {
  const { world, port, publish, told, host, pass } = await conference();
  const own = await publish("p1");
  own.stats = new Map([["m", { type: "media-source", kind: "audio" }]]);
  world.loudness = 0.4;
  await pass(METER_MS);
  expect(told("talking").at(-1)).toEqual({ t: "talking", streamIds: ["self"] });
  expect(host.localLevel()).toBe(0.4);
  expect(world.listening.size).toBe(1);
  port.send({ t: "release", epoch: 1 });
  await pass(METER_MS);
  expect(world.listening.size).toBe(0);
});

it(coversRow("time.judgeTalkingByInstantGE", "from 0.05 on"), async () => {
  const { subscribe, flow, told, pass } = await conference();
  for (const [rtcId, id, level] of [
    ["r1", "below", 0.0499],
    ["r2", "at", 0.05],
  ] as const) {
    const pc = await subscribe(rtcId, id);
    await flow(pc);
    pc.getTransceivers()[0]!.receiver.level = level;
  }
  await pass(METER_MS);
  expect(told("talking")).toEqual([{ t: "talking", streamIds: ["at"] }]);
});

describe("wishes", () => {
  const layers = ({ told }: Conference) => told("wish").map(({ layer }) => layer);

  it("a large tile requests the high layer, a small one the low layer, a hidden or missing one none", async () => {
    const all = await conference();
    const { world, subscribe, pass, bind } = all;
    const { element, unbind } = bind("st1");
    await subscribe("r1", "st1");
    await pass(0);
    expect(layers(all)).toEqual(["high"]);
    world.look(element, { visible: true, width: 320 });
    await pass(WISH_MS);
    world.look(element, { visible: false, width: 320 });
    await pass(WISH_MS);
    world.look(element, { visible: true, width: 321 });
    await pass(WISH_MS);
    unbind();
    await pass(WISH_MS);
    expect(layers(all)).toEqual(["high", "low", "none", "high", "none"]);
  });

  it("the larger of two tiles decides, and a tile that appears with its stream causes no earlier lower wish", async () => {
    const all = await conference();
    const { world, subscribe, pass, bind } = all;
    await subscribe("r1", "st1");
    await pass(WISH_MS - 1);
    expect(layers(all)).toEqual([]);
    const small = bind("st1");
    world.look(small.element, { visible: true, width: 160 });
    await pass(0);
    const large = bind("st1");
    await pass(WISH_MS);
    large.unbind();
    await pass(WISH_MS);
    expect(layers(all)).toEqual(["low", "high", "low"]);
  });

  it("a flickering tile causes at most two wishes per second", async () => {
    const all = await conference();
    const { world, subscribe, pass, bind } = all;
    const { element } = bind("st1");
    await subscribe("r1", "st1");
    for (let i = 0; i < 100; i += 1) {
      world.look(element, { visible: i % 2 === 0, width: 640 });
      await pass(20);
    }
    expect(layers(all).length).toBeLessThanOrEqual(5);
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
    expect(host.claim()).toEqual({ callId: "confr-1", ownerEpoch: 1, rtcIds: ["p1", "r1"] });
    const next = new FakePort();
    host.connect(next as unknown as MessagePort);
    const bodies = next.of("confr").map(({ body }) => body as Record<string, unknown>);
    expect(new Set(bodies.map(({ t }) => t))).toEqual(
      new Set(["ice", "first-media", "wish", "talking", "screen"]),
    );
    expect(next.of("owned")).toHaveLength(1);
    expect(next.of("capture")).toMatchObject([{ audio: "on", video: "on" }]);
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
      .of("samples")
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
