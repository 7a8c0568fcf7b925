import type { IAgoraRTC } from "agora-rtc-sdk-ng";
import { describe, expect, it } from "vitest";
import { streamSampleSchema } from "../../shared/protocol/qoe.ts";
import { fakeWorld } from "../browser.fake.ts";
import { settle } from "../clock.fake.ts";
import { FakeTrack } from "../media/devices.fake.ts";
import { createTally } from "../tally.ts";
import { createAgoraEngine } from "./agora.ts";
import { JOIN_TIMEOUT_MS } from "./agora-channel.ts";

/** Fakes the part of the SDK that the engine uses. */
class FakeClient {
  readonly log: string[] = [];
  readonly handlers = new Map<string, (...args: unknown[]) => void>();
  join: (...args: unknown[]) => Promise<void> = (...args) => {
    this.log.push(`join ${args.join(" ")}`);
    return Promise.resolve();
  };
  on(event: string, handler: (...args: unknown[]) => void): void {
    this.handlers.set(event, handler);
  }
  emit(event: string, ...args: unknown[]): void {
    this.handlers.get(event)?.(...args);
  }
  removeAllListeners(): void {
    this.handlers.clear();
  }
  publish(track: { source: FakeTrack }): Promise<void> {
    this.log.push(`publish ${track.source.kind}`);
    return Promise.resolve();
  }
  unpublish(track: { source: FakeTrack }): Promise<void> {
    this.log.push(`unpublish ${track.source.kind}`);
    return Promise.resolve();
  }
  subscribe(_user: unknown, kind: "audio" | "video") {
    const on = (event: string, handler: () => void): void => {
      this.handlers.set(`${kind} ${event}`, handler);
    };
    return Promise.resolve({ on, getMediaStreamTrack: () => new FakeTrack(kind) });
  }
  renewToken(token: string): Promise<void> {
    this.log.push(`renew ${token}`);
    return Promise.resolve();
  }
  leave(): Promise<void> {
    this.log.push("leave");
    return Promise.resolve();
  }
  getRTCStats = () => ({ RTT: 40 });
  getLocalAudioStats = () => ({
    sendPackets: 5,
    sendBytes: 500,
    sendPacketsLost: 1,
    sendRttMs: 41,
    sendJitterMs: 2,
    sendVolumeLevel: 32767,
  });
  getLocalVideoStats = () => ({ sendPackets: 0 });
  getRemoteAudioStats = () => ({});
  getRemoteVideoStats = () => ({
    7: {
      receiveBytes: 900,
      receivePackets: 9,
      receivePacketsLost: 0,
      decodeFrameRate: 24,
      receiveResolutionWidth: 640,
      receiveResolutionHeight: 360,
      totalFreezeTime: 0,
    },
  });
}

function engineOf(client = new FakeClient()) {
  const world = fakeWorld();
  const tally = createTally();
  const out: string[] = [];
  const custom = (init: { mediaStreamTrack: unknown }) => ({ source: init.mediaStreamTrack });
  const sdk = {
    disableLogUpload: () => undefined,
    setLogLevel: () => undefined,
    createClient: () => client,
    createCustomAudioTrack: custom,
    createCustomVideoTrack: custom,
  } as unknown as IAgoraRTC;
  const tracks = {
    audio: new FakeTrack("audio") as unknown as MediaStreamTrack,
    video: new FakeTrack("video") as unknown as MediaStreamTrack,
  };
  const engine = createAgoraEngine(
    { ...world.deps, loadAgora: () => Promise.resolve(sdk) },
    {
      access: { appId: "app", channel: "channel", token: "t", uid: 1 },
      tracks,
      tally,
    },
    {
      description: () => out.push("description"),
      candidates: () => out.push("candidates"),
      ice: (rtcId, state) => out.push(`${rtcId} ice ${state}`),
      path: () => 0,
      firstMedia: (rtcId, kind) => out.push(`${rtcId} first ${kind}`),
      failed: (error, rtcId) => out.push(`${rtcId} failed ${error.code}`),
      remoteTrack: (rtcId, track) => out.push(`${rtcId} track ${track.kind}`),
      remoteGone: (rtcId, kind) => out.push(`${rtcId} gone ${kind ?? "all"}`),
      tokenExpiring: () => out.push("token expiring"),
    },
  );
  return { world, tally, out, engine, client, tracks };
}

describe("the agora engine", () => {
  it("joins, publishes the own tracks, and unpublishes and republishes the camera", async () => {
    const { client, engine, tracks, out } = engineOf();
    await settle();
    expect(client.log).toEqual(["join app channel t 1", "publish audio", "publish video"]);
    client.emit("connection-state-change", "CONNECTED");
    expect(out).toEqual(["channel ice checking", "channel ice connected"]);
    engine.setTracks({ audio: tracks.audio, video: null });
    await settle();
    engine.setTracks(tracks);
    await settle();
    expect(client.log.slice(3)).toEqual(["unpublish video", "publish video"]);
    expect(engine.rtcIds()).toEqual(["channel"]);
  });

  it("subscribes, shows the track and reports the first media once", async () => {
    const { client, out } = engineOf();
    await settle();
    client.emit("user-published", { uid: 7 }, "video");
    await settle();
    client.emit("video first-frame-decoded");
    client.emit("video first-frame-decoded");
    client.emit("user-unpublished", { uid: 7 }, "video");
    expect(out.slice(1)).toEqual([
      "channel track video",
      "channel first video",
      "channel gone video",
    ]);
  });

  it("reports the first media of a person who left and came back", async () => {
    const { client, out } = engineOf();
    await settle();
    for (let times = 0; times < 2; times += 1) {
      client.emit("user-published", { uid: 7 }, "video");
      await settle();
      client.emit("video first-frame-decoded");
      client.emit("user-left", { uid: 7 });
    }
    const once = ["channel track video", "channel first video", "channel gone all"];
    expect(out.slice(1)).toEqual([...once, ...once]);
  });

  it("asks for another token before its own ends, and again for a new core", async () => {
    const { client, engine, out } = engineOf();
    await settle();
    engine.renew("early");
    client.emit("token-privilege-will-expire");
    engine.replay();
    expect(out.slice(1)).toEqual(["token expiring", "channel ice checking", "token expiring"]);
    engine.renew("next");
    await settle();
    expect(client.log.slice(3)).toEqual(["renew next"]);
    engine.replay();
    expect(out.slice(4)).toEqual(["channel ice checking"]);
  });

  it("joins and publishes again when its token has ended", async () => {
    const { client, engine, out } = engineOf();
    await settle();
    client.emit("token-privilege-will-expire");
    client.emit("token-privilege-did-expire");
    expect(out.slice(1)).toEqual(["token expiring", "token expiring"]);
    engine.renew("next");
    await settle();
    expect(client.log.slice(3)).toEqual([
      "join app channel next 1",
      "publish audio",
      "publish video",
    ]);
  });

  it("reports a renewal that the cloud refuses", async () => {
    const { client, engine, out } = engineOf();
    await settle();
    client.renewToken = () => Promise.reject(new Error("refused"));
    client.emit("token-privilege-will-expire");
    engine.renew("next");
    await settle();
    expect(out.slice(2)).toEqual(["channel failed call.connection-failed"]);
  });

  it("gives up a pending join after 15 s and leaves", async () => {
    const client = new FakeClient();
    client.join = () => new Promise(() => undefined);
    const { out, world, tally } = engineOf(client);
    await settle();
    world.clock.pass(JOIN_TIMEOUT_MS - 1);
    await settle();
    expect(out).toEqual(["channel ice checking"]);
    world.clock.pass(1);
    await settle();
    expect(out.slice(1)).toEqual(["channel failed call.connection-failed", "channel ice failed"]);
    expect(client.log).toEqual(["leave"]);
    expect(tally.read().peers).toBe(0);
  });

  it("returns samples in the core's format", async () => {
    const { engine } = engineOf();
    expect(await engine.sample()).toEqual([]);
    await settle();
    const samples = await engine.sample();
    expect(samples.map((each) => streamSampleSchema.parse(each).id)).toEqual([
      "channel:local:audio",
      "channel:remote:video",
    ]);
    expect(samples[0]).toMatchObject({ rtt: 41, audioLevel: 1, packetsLost: 1 });
    expect(samples[1]).toMatchObject({ rtt: 40, fps: 24, width: 640 });
  });

  it("leaves once on close and emits nothing afterwards", async () => {
    const { engine, client, out, tally } = engineOf();
    await settle();
    await engine.close();
    await engine.close();
    const reportedBefore = out.length;
    client.emit("connection-state-change", "DISCONNECTED");
    expect(client.log.filter((line) => line === "leave")).toHaveLength(1);
    expect(out).toHaveLength(reportedBefore);
    expect(tally.read().peers).toBe(0);
    expect(engine.rtcIds()).toEqual([]);
  });
});
