import { describe, expect, it } from "vitest";
import {
  qualityQuerySchema,
  type QualityUpload,
  qualityUploadSchema,
  type StreamSample,
} from "../../../shared/protocol/qoe.ts";
import type { QualitySlice } from "../../../shared/protocol/state.ts";
import type { Store } from "../contracts.ts";
import { createFakeEnv, type FakeEnv, settle, UNREAD_STATS } from "../core.fake.ts";
import { createQoe, type QoeCall } from "./index.ts";
import { createUpload, UPLOAD_CONFIG, uploadAddress } from "./upload.ts";

function fakeStore(): { store: Store; quality: QualitySlice } {
  const quality: QualitySlice = {
    upload: "closed",
    uploadAttempts: 0,
    uploadQueued: 0,
    streams: {},
    events: [],
  };
  const at = (path: readonly (string | number)[]): Record<string, unknown> => {
    let here = { quality } as Record<string, unknown>;
    for (const key of path.slice(0, -1)) here = here[key] as Record<string, unknown>;
    return here;
  };
  return {
    quality,
    store: {
      get: (slice) => (slice === "session" ? { serverTimeOffset: 0 } : quality) as never,
      set: (path, value) => void (at(path)[String(path.at(-1))] = structuredClone(value)),
      del: (path) => void delete at(path)[String(path.at(-1))],
      flush: () => undefined,
      notice: () => undefined,
    },
  };
}

const sample = (over: Partial<StreamSample> = {}): StreamSample => ({
  id: "r1:remote:audio",
  rtcId: "r1",
  direction: "remote",
  kind: "audio",
  at: 0,
  bytes: 0,
  packets: 0,
  packetsLost: 0,
  rtt: 40,
  jitter: 2,
  frames: null,
  framesDropped: null,
  fps: null,
  width: null,
  height: null,
  freezeCount: null,
  pliCount: null,
  qpSum: null,
  audioLevel: 0.5,
  concealedSamples: null,
  totalSamples: null,
  ...over,
});

function setUp(uploadUrl: string | null = null, recordMillis?: number) {
  const env = createFakeEnv();
  const { store, quality } = fakeStore();
  const asked: string[] = [];
  const noData: [string, boolean, boolean][] = [];
  const expected = {
    local: { audio: true, video: false },
    remote: { audio: true, video: false },
  };
  const devices: ReturnType<QoeCall["devices"]> & object = {};
  const traffic: string[] = [];
  /** How many times longer than it should each timer of the core needs. */
  const machine = { slower: 1 };
  const qoe = createQoe({
    env,
    store,
    session: { accessToken: () => Promise.resolve("secret") },
    stats: {
      socket: (name, state) => void traffic.push(`${name} ${state}`),
      socketTraffic: () => undefined,
    },
    precise: () => env.clock.now() * machine.slower,
    recordMillis,
  });
  const call: QoeCall = {
    callId: "call",
    confrId: "conference",
    sessionId: "s1",
    memId: "ann",
    memName: "ann",
    peerName: "bob",
    uploadUrl,
    sample: (id) => {
      asked.push(id);
      return true;
    },
    expected: () => expected,
    devices: () => devices,
    onNoData: (direction, silent, report) => void noData.push([direction, silent, report]),
  };
  /** Runs one poll and answers it with these samples. */
  const poll = (...samples: StreamSample[]): void => {
    env.clock.advance(2000);
    qoe.samples(
      asked.at(-1) ?? "",
      samples.map((each) => ({ ...each, at: env.clock.now() })),
    );
  };
  const reports = (): string[] => noData.filter(([, , report]) => report).map(([d]) => d);
  return {
    env,
    qoe,
    call,
    quality,
    asked,
    noData,
    reports,
    poll,
    expected,
    devices,
    traffic,
    machine,
  };
}

describe("sampling", () => {
  it("Samples are requested every 2 s and kept by stream; unrequested ones are dropped; stop ends the polls", () => {
    const { env, qoe, call, quality, asked, poll } = setUp();
    qoe.start(call);
    env.clock.advance(1999);
    expect(asked).toHaveLength(0);
    env.clock.advance(1);
    expect(asked).toHaveLength(1);
    qoe.samples("stale", [sample()]);
    expect(quality.streams).toEqual({});
    qoe.samples(asked[0]!, [sample({ at: env.clock.now() })]);
    poll(sample({ bytes: 16_000, packets: 90, packetsLost: 10 }));
    const stream = quality.streams["r1:remote:audio"]!;
    expect(stream).toMatchObject({
      callId: "call",
      direction: "remote",
      kind: "audio",
      quality: 2,
    });
    expect(stream.points.at(-1)).toMatchObject({ kbps: 64, loss: 10, rtt: 40, jitter: 2 });
    expect(stream.mos).toBeGreaterThan(3);
    expect(stream.mos).toBeLessThan(4);
    qoe.stop();
    env.clock.advance(20_000);
    expect(asked).toHaveLength(2);
    expect(env.clock.pending).toBe(0);
  });

  it("A stream keeps its newest 120 points, and another connection starts a new series", () => {
    const { qoe, call, quality, poll } = setUp();
    qoe.start(call);
    for (let i = 1; i <= 130; i += 1) poll(sample({ bytes: i * 1000 }));
    expect(quality.streams["r1:remote:audio"]!.points).toHaveLength(120);
    poll(sample({ id: "r2:remote:audio", rtcId: "r2", bytes: 500_000 }));
    expect(Object.keys(quality.streams)).toEqual(["r2:remote:audio"]);
    expect(quality.streams["r2:remote:audio"]!.points).toMatchObject([{ kbps: null }]);
    qoe.close();
  });
});

describe("the monitor", () => {
  it("It reports each direction once after 3 s without data, and reports when data flow again", () => {
    const { qoe, call, poll, reports, noData } = setUp();
    qoe.start(call);
    poll();
    const both = (bytes: number) => [
      sample({ bytes }),
      sample({ id: "r1:local:audio", direction: "local", bytes: 1 }),
    ];
    poll(...both(1));
    poll(...both(5000));
    expect(reports()).toEqual([]);
    poll(...both(9000));
    // 4 s after the first sample only the sent stream stands still.
    expect(reports()).toEqual(["local"]);
    poll(...both(9000));
    poll(...both(9000));
    poll(...both(9000));
    expect(reports()).toEqual(["local", "remote"]);
    poll(...both(20_000));
    expect(noData.slice(-2)).toEqual([
      ["local", true, false],
      ["remote", false, false],
    ]);
    poll(...both(20_000));
    poll(...both(20_000));
    poll(...both(20_000));
    expect(reports()).toEqual(["local", "remote"]);
    qoe.close();
  });

  it("After a stop the next call is reported after 5 s without data", () => {
    const { qoe, call, poll, reports } = setUp();
    qoe.start(call);
    qoe.stop();
    qoe.start({ ...call, callId: "next" });
    const still = [sample({ bytes: 9000 }), sample({ id: "r1:local:audio", direction: "local" })];
    for (let n = 0; n < 3; n += 1) poll(...still);
    // 4 s
    expect(reports()).toEqual([]);
    poll(...still);
    expect(reports()).toEqual(["local", "remote"]);
    qoe.close();
  });

  it("It ignores muted streams", () => {
    const { qoe, call, poll, reports, expected } = setUp();
    expected.local.audio = false;
    expected.remote.audio = false;
    qoe.start(call);
    for (let i = 0; i < 10; i += 1) poll(sample());
    expect(reports()).toEqual([]);
    qoe.close();
  });

  it("A tab that does not answer counts as no data", () => {
    const { env, qoe, call, poll, reports } = setUp();
    qoe.start(call);
    poll(sample({ bytes: 1 }));
    poll(sample({ bytes: 9000 }));
    env.clock.advance(8000);
    expect(reports().sort()).toEqual(["local", "remote"]);
    qoe.close();
  });
});

const sentBatches = (env: FakeEnv): QualityUpload[] =>
  env.sockets.flatMap((socket) => socket.sent.map((each) => qualityUploadSchema.parse(each)));

describe("the upload", () => {
  it("It goes to the ticket's address with its query", () => {
    const url = new URL(
      uploadAddress(
        "/quality?x=1",
        { gatewayBaseUrl: "https://gate.example/base", home: "http://page", appKey: "org#app" },
        { memName: "ann", ts: 5, token: "t" },
      ),
    );
    expect(url.origin + url.pathname).toBe("wss://gate.example/quality");
    expect(Object.fromEntries(url.searchParams)).toEqual({
      x: "1",
      orgName: "org",
      appName: "app",
      memName: "ann",
      ts: "5",
      access_token: "t",
    });
  });

  it("Its address keeps the ticket that came with it, and then has no token", async () => {
    const { env, qoe, call } = setUp("/quality?ticket=the-ticket&rest=");
    qoe.start(call);
    await settle();
    env.sockets[0]!.accept();
    env.clock.advance(500);
    env.sockets[0]!.end();
    env.clock.advance(5_000);
    await settle();
    env.sockets[1]!.accept();
    for (const socket of env.sockets) {
      expect(socket.url).not.toContain("secret");
      expect(new URL(socket.url).searchParams.has("access_token")).toBe(false);
      const query = Object.fromEntries(new URL(socket.url).searchParams);
      expect(qualityQuerySchema.parse(query)).toEqual({ ticket: "the-ticket" });
      expect(qualityUploadSchema.parse(socket.sent[0]).records).toHaveLength(1);
    }
    expect(env.sockets).toHaveLength(2);
    qoe.close();
  });

  it("It sends records of the kinds 0, 1 and 2 with each tick and shows its state", async () => {
    const { env, qoe, call, quality, poll, traffic } = setUp("/quality");
    qoe.start(call);
    await settle();
    expect(traffic).toContain("quality connecting");
    env.sockets[0]!.accept();
    expect(quality.upload).toBe("open");
    qoe.event(2, { rtcId: "r1" });
    poll(sample({ bytes: 100 }));
    env.clock.advance(500);
    const records = sentBatches(env).flatMap((batch) => batch.records);
    expect(records.map((record) => record.kind)).toEqual([0, 2, 1]);
    expect(records[0]).toMatchObject({
      appkey: "hyzh#console",
      confrId: "conference",
      sdkOS: "Web",
    });
    expect(records[0]).toMatchObject({
      deviceInfo: "Chromium 140",
      osVersion: "Linux 6.1",
      networkType: "4g",
    });
    expect(records[1]).toMatchObject({ event: 2, rtcId: "r1", memName: "ann" });
    expect(records[2]).toMatchObject({ sId: "r1:remote:audio", isPub: false, audioInputLevel: 50 });
    expect(quality.uploadQueued).toBe(3);
    for (const { batch } of sentBatches(env)) env.sockets[0]!.receive({ batch, result: 0 });
    expect(quality.uploadQueued).toBe(0);
    qoe.close();
    expect(env.clock.pending).toBe(0);
  });

  it("Its records say how late timers were: those of the core, or of its tab if they were later", async () => {
    const { env, qoe, call, asked, machine } = setUp("/quality");
    qoe.start(call);
    await settle();
    env.sockets[0]!.accept();
    const answer = (tabLate?: number): void => {
      env.clock.advance(2000);
      qoe.samples(asked.at(-1) ?? "", [sample({ at: env.clock.now() })], tabLate);
      for (const { batch } of sentBatches(env)) env.sockets[0]!.receive({ batch, result: 0 });
    };
    answer(3);
    answer(640);
    // Hidden, or of an older build.
    answer();
    machine.slower = 2;
    // The clock jumps when its speed changes.
    answer();
    answer(3);
    env.clock.advance(500);
    const records = sentBatches(env).flatMap((batch) => batch.records);
    expect(records.flatMap((one) => (one.kind === 1 ? [one.late] : []))).toEqual([
      3,
      640,
      undefined,
      undefined,
      250,
    ]);
    qoe.close();
    expect(env.clock.pending).toBe(0);
  });

  it("A tab that is too busy to answer before the next request is heard all the same, each request once", () => {
    const { env, qoe, call, asked, quality } = setUp();
    qoe.start(call);
    const points = () => quality.streams["r1:remote:audio"]?.points.length ?? 0;
    const answer = (place: number): void =>
      qoe.samples(asked[place] ?? "", [sample({ at: env.clock.now(), bytes: env.clock.now() })]);
    env.clock.advance(6000);
    answer(0);
    env.clock.advance(1000);
    answer(1);
    expect(points()).toBe(2);
    answer(1);
    answer(0);
    expect(points()).toBe(2);
    answer(2);
    expect(points()).toBe(3);
    qoe.close();
  });

  it("It records each stream as often as the host page says, while the monitor looks every 2 s", async () => {
    const { env, qoe, call, poll, asked } = setUp("/quality", 10_000);
    qoe.start(call);
    await settle();
    env.sockets[0]!.accept();
    for (let i = 1; i <= 11; i += 1) {
      poll(sample({ bytes: i * 100 }));
      for (const { batch } of sentBatches(env)) env.sockets[0]!.receive({ batch, result: 0 });
    }
    env.clock.advance(500);
    const records = sentBatches(env).flatMap((batch) => batch.records);
    // At 2, 12 and 22 s.
    expect(records.filter(({ kind }) => kind === 1)).toHaveLength(3);
    expect(asked).toHaveLength(11);
    qoe.close();
  });

  it("Records more often than every 2 s ask for samples more often", () => {
    const { env, qoe, call, asked } = setUp(null, 1_000);
    qoe.start(call);
    env.clock.advance(5_000);
    expect(asked).toHaveLength(5);
    qoe.close();
  });

  it("It keeps a batch until it is acknowledged, and sends it again under the same id after a loss", async () => {
    const { env, qoe, call, quality } = setUp("/quality");
    qoe.start(call);
    await settle();
    env.sockets[0]!.accept();
    env.clock.advance(500);
    const first = sentBatches(env);
    expect(first).toHaveLength(1);
    env.sockets[0]!.end();
    qoe.event(5);
    env.clock.advance(4_999);
    expect(env.sockets).toHaveLength(1);
    env.clock.advance(1);
    await settle();
    env.sockets[1]!.accept();
    const again = env.sockets[1]!.sent.map((each) => qualityUploadSchema.parse(each));
    expect(again.map((each) => each.batch)[0]).toBe(first[0]!.batch);
    expect(again.flatMap((each) => each.records.map((r) => r.kind))).toEqual([0, 2]);
    env.sockets[1]!.receive({ batch: again[0]!.batch, result: -429 });
    expect(quality.uploadQueued).toBe(2);
    env.sockets[1]!.receive({ batch: again[0]!.batch, result: -405 });
    expect(quality.uploadQueued).toBe(1);
    expect(env.reports).toContain("quality: a batch was refused (-405)");
    qoe.close();
  });

  it("It tries 10 times, every 5 s, and again when the network returns", async () => {
    const { env, qoe, call } = setUp("/quality");
    qoe.start(call);
    const failAll = async (): Promise<void> => {
      for (let i = 0; i < 20; i += 1) {
        await settle();
        const last = env.sockets.at(-1)!;
        if (last.readyState === 0) last.end();
        env.clock.advance(5_000);
      }
    };
    await settle();
    env.sockets[0]!.end();
    for (let i = 0; i < 3; i += 1) {
      env.clock.advance(5_000);
      await settle();
      env.sockets.at(-1)!.end();
    }
    expect(env.sockets).toHaveLength(4);
    env.online.set(false);
    env.online.set(true);
    await failAll();
    // One socket at the return of the network, and ten more.
    expect(env.sockets).toHaveLength(4 + 1 + 10);
    expect(env.reports).toContain("quality: upload gave up");
    env.online.set(false);
    env.online.set(true);
    await settle();
    expect(env.sockets).toHaveLength(4 + 1 + 10 + 1);
    qoe.close();
    expect(env.clock.pending).toBe(0);
  });

  it("Each change of an own device is an event; a device that was never wanted is none", async () => {
    const { env, qoe, call, poll, devices } = setUp("/quality");
    qoe.start(call);
    await settle();
    env.sockets[0]!.accept();
    const answered = (): void => {
      poll();
      for (const { batch } of sentBatches(env)) env.sockets[0]!.receive({ batch, result: 0 });
    };
    Object.assign(devices, { microphone: "on", camera: "off" });
    answered();
    answered();
    Object.assign(devices, { camera: "on" });
    answered();
    Object.assign(devices, { camera: "unplugged", microphone: undefined });
    answered();
    env.clock.advance(500);
    const details = sentBatches(env)
      .flatMap(({ records }) => records)
      .flatMap((one) => (one.kind === 2 && one.event === 103 ? [one.detail] : []));
    expect([...new Set(details)]).toEqual(["microphone:on", "camera:on", "camera:unplugged"]);
    qoe.close();
  });

  it("A server that started later than the one before was restarted when the socket was lost", async () => {
    const { env, qoe, call, quality } = setUp("/quality");
    qoe.start(call);
    const restarts = () => quality.events.filter(({ kind }) => kind === "server-restarted").length;
    await settle();
    const answer = (at: number, startedAt?: number): void => {
      env.clock.advance(500);
      const socket = env.sockets[at]!;
      for (const each of socket.sent.splice(0)) {
        const { batch } = qualityUploadSchema.parse(each);
        socket.receive({ batch, result: 0, ...(startedAt === undefined ? {} : { startedAt }) });
      }
    };
    const again = async (at: number): Promise<void> => {
      env.sockets[at - 1]!.end();
      qoe.event(5);
      env.clock.advance(5000);
      await settle();
      env.sockets[at]!.accept();
    };
    env.sockets[0]!.accept();
    answer(0, 1000);
    // The same process, one that does not say, and one that is older: of several, another may answer.
    await again(1);
    answer(1, 1000);
    await again(2);
    answer(2);
    await again(3);
    answer(3, 900);
    expect(restarts()).toBe(0);
    const lost = env.clock.now();
    await again(4);
    answer(4, 5000);
    expect(restarts()).toBe(1);
    env.clock.advance(500);
    const record = env.sockets[4]!.sent.flatMap(
      (each) => qualityUploadSchema.parse(each).records,
    ).find((one) => one.kind === 2 && one.event === 102);
    expect(record?.time).toBe(lost);
    qoe.close();
  });

  it("A socket on which records are not answered for 5 s is replaced, one that answers is not", async () => {
    const { env, qoe, call } = setUp("/quality");
    qoe.start(call);
    await settle();
    env.sockets[0]!.accept();
    env.clock.advance(500);
    // Busy: the same batch goes again, on the same socket.
    const [first] = sentBatches(env);
    env.clock.advance(100);
    env.sockets[0]!.receive({ batch: first!.batch, result: -429 });
    env.clock.advance(5500);
    expect(env.sockets).toHaveLength(1);
    expect(sentBatches(env).map(({ batch }) => batch)).toEqual([first!.batch, first!.batch]);
    // Nothing at all is heard any more.
    env.clock.advance(6000);
    await settle();
    expect(env.sockets).toHaveLength(2);
    env.sockets[1]!.accept();
    expect(qualityUploadSchema.parse(env.sockets[1]!.sent[0]).batch).toBe(first!.batch);
    qoe.close();
    expect(env.clock.pending).toBe(0);
  });

  it("It stops 3 s after the call", async () => {
    const { env, qoe, call } = setUp("/quality");
    qoe.start(call);
    await settle();
    env.sockets[0]!.accept();
    qoe.stop();
    env.clock.advance(2_900);
    expect(env.sockets[0]!.closedWith).toBeNull();
    env.clock.advance(200);
    expect(env.sockets[0]!.closedWith).not.toBeNull();
    expect(env.clock.pending).toBe(0);
  });

  it("Its queue is bounded: old periodic records are dropped first, events stay, and a tick sends batches of 500", async () => {
    const env = createFakeEnv();
    const queued: number[] = [];
    const upload = createUpload({
      env,
      stats: UNREAD_STATS,
      session: { accessToken: () => Promise.resolve("t") },
      url: "/quality",
      memName: "ann",
      onState: () => undefined,
      onRestarted: () => undefined,
      onQueued: (records) => void queued.push(records),
    });
    const common = { confrId: "c", memId: "m", memName: "ann", time: 1, sessionId: "s" };
    upload.push({ ...common, kind: 2, event: 0 });
    for (let i = 0; i < UPLOAD_CONFIG.queueRecords + 100; i += 1) {
      upload.push({
        ...common,
        kind: 1,
        streamType: 0,
        sId: String(i),
        rtcId: "r",
        isPub: true,
        subMemName: "",
        subMemId: "",
        media: "audio",
        packets: 0,
        bytes: 0,
        packetsLost: 0,
        packetLossRate: 0,
        KBps: 0,
        frameWidth: 0,
        frameHeight: 0,
        fps: 0,
        rtt: 0,
        audioInputLevel: 0,
      });
    }
    expect(Math.max(...queued)).toBe(UPLOAD_CONFIG.queueRecords);
    await settle();
    env.sockets[0]!.accept();
    const batches = sentBatches(env);
    expect(batches.map((batch) => batch.records.length)).toEqual(Array(10).fill(500));
    expect(batches[0]!.records[0]).toMatchObject({ kind: 2, event: 0 });
    expect(batches.at(-1)!.records.at(-1)).toMatchObject({
      sId: String(UPLOAD_CONFIG.queueRecords + 99),
    });
    upload.close();
    expect(env.clock.pending).toBe(0);
  });
});
