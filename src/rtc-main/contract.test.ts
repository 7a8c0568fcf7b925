/**
 * The contract of the engines, on both: what a tab does with the media of a call or group call, whichever carries them. The other side and
 * the network are fakes; the cloud is one that is checked against the declarations of its package. With real media: tests/agora.
 */
import { describe, expect, it } from "vitest";
import { streamSampleSchema } from "../shared/protocol/qoe.ts";
import { settle } from "./clock.fake.ts";
import { LAYER_REQUEST_MS } from "./conference/requested-layers.ts";
import { JOIN_AGAIN_MS } from "./conference/cloud-engine.ts";
import {
  ALL,
  CLOUDS,
  GROUPS,
  joined,
  openBench,
  OWN,
  rtcIdOf,
  shown,
  streamOf,
} from "./contract.harness.ts";

/** A number of the cloud, and of the connections of a group call. */
const LI = 7;
const WANG = 8;

describe.each(ALL)("%s", (name) => {
  it("joins, and sends the sound and picture of the own devices", async () => {
    const { sent, world, enter, said, host } = await joined(name);
    const [audio, video] = ["audio", "video"].map((kind) =>
      world.devices.tracks.find((track) => track.kind === kind),
    );
    expect(sent()).toEqual({ audio, video });
    await enter(LI);
    const own = said().filter((line) => !line.includes("first") && !line.startsWith(rtcIdOf(LI)));
    expect(own.at(-1)).toMatch(/ connected$/);
    expect(host.getState()).toMatchObject({ owning: true, localVideo: true });
  });

  it("mutes by silence, ends the picture of a closed camera, and brings both back", async () => {
    const { sent, local, enter } = await joined(name);
    await enter(LI);
    await local({ audioMuted: true, videoOff: true });
    expect(sent().audio).toMatchObject({ kind: "audio", enabled: false, stopped: false });
    expect(sent().video).toBeNull();
    await local({});
    expect(sent().audio).toMatchObject({ kind: "audio", enabled: true });
    expect(sent().video).toMatchObject({ kind: "video", stopped: false });
  });

  it("plays the sound and shows the picture of who joins, and says once when the first of both came", async () => {
    const { enter, said, world, bind, host, group, arrived, pass } = await joined(name);
    const tile = group ? bind(streamOf(LI)) : null;
    await enter(LI);
    await pass(5000);
    const first = said().filter((line) => line.includes("first"));
    const rtcId = group ? rtcIdOf(LI) : (first[0]?.split(" ")[0] ?? "");
    expect(first.toSorted()).toEqual([`${rtcId} first audio`, `${rtcId} first video`]);
    expect(world.audio.map(shown)).toContain(arrived(LI, "audio"));
    if (tile !== null) expect(shown(tile)).toBe(arrived(LI, "video"));
    else expect(host.getState().remoteVideo).toBe(true);
  });

  it("writes samples of what is sent and what arrives, in the format of the records", async () => {
    const { enter, samples, group } = await joined(name);
    await enter(LI);
    const found = (await samples()).map((each) => streamSampleSchema.parse(each));
    const keys = found.map(({ direction, kind }) => `${direction} ${kind}`);
    expect(keys.toSorted()).toEqual(["local audio", "local video", "remote audio", "remote video"]);
    for (const sample of found) {
      expect(sample.id).toBe(`${sample.rtcId}:${sample.direction}:${sample.kind}`);
      expect(sample).toMatchObject(
        sample.direction === "local"
          ? { bytes: 5000, packets: 50 }
          : { bytes: 9000, packets: 90, packetsLost: 2 },
      );
      if (sample.kind === "video")
        expect(sample).toMatchObject({ width: 640, height: 360, fps: 20 });
      if (group) expect(sample.rtcId).toBe(sample.direction === "local" ? OWN : rtcIdOf(LI));
    }
  });

  it("says everything again to another core", async () => {
    const { enter, anotherCore } = await joined(name);
    await enter(LI);
    const next = await anotherCore();
    const words = next.sent.map(({ body, ...event }) => ({ ...event, ...(body as object) }));
    expect(words).toContainEqual(expect.objectContaining({ t: "ice", state: "connected" }));
    for (const kind of ["audio", "video"]) {
      expect(words).toContainEqual(expect.objectContaining({ t: "first-media", kind }));
    }
  });

  it("tests microphone, camera and speaker before, without the other side, and uses what was chosen", async () => {
    const { host, world, own, join, enter, sent, agora, pass } = await openBench(name);
    world.devices.list = [
      { kind: "audioinput", deviceId: "mic-2", label: "Headset" },
      { kind: "videoinput", deviceId: "cam-2", label: "Desk" },
    ];
    const views: unknown[] = [];
    const test = await host.preview({ microphone: true, camera: true }, ({ states, picture }) =>
      views.push({ ...states, picture: picture !== null }),
    );
    await settle();
    world.loudness = 0.4;
    expect(test.level()).toBe(0.4);
    expect(views.at(-1)).toEqual({ audio: "on", video: "on", picture: true });
    await host.changeDevice("audioinput", "mic-2");
    await host.changeDevice("videoinput", "cam-2");
    await host.changeDevice("audiooutput", "phones");
    expect(sent()).toEqual({ audio: null, video: null });
    expect(agora?.log ?? []).toEqual([]);
    test.close();
    expect(world.devices.tracks.every(({ stopped }) => stopped)).toBe(true);

    await own();
    await join();
    await enter(LI);
    await pass(0);
    expect(world.devices.constraints.at(-1)).toMatchObject({
      audio: { deviceId: expect.anything() },
      video: { deviceId: expect.anything() },
    });
    expect(sent().audio).toMatchObject({ stopped: false });
    expect(world.audio.at(-1)?.sink).toBe("phones");
  });

  it("leaves nothing behind", async () => {
    const { enter, send, host, port, world, agora, sent } = await joined(name);
    await enter(LI);
    send({ t: "release" });
    await settle();
    expect(port.types.at(-1)).toBe("released");
    expect(Object.values(host.debugCounts()).every((count) => count === 0)).toBe(true);
    expect(world.clock.pending).toBe(0);
    expect(world.devices.tracks.every(({ stopped }) => stopped)).toBe(true);
    expect(world.connections.every(({ closed }) => closed)).toBe(true);
    if (agora !== null) {
      expect(agora.log.at(-1)).toBe("leave");
      expect(sent()).toEqual({ audio: null, video: null });
    }
  });
});

describe.each(GROUPS)("%s of several people", (name) => {
  it("shows each in their own tile, and goes on without who leaves", async () => {
    const { enter, leave, bind, arrived, said } = await joined(name);
    const [li, wang] = [bind(streamOf(LI)), bind(streamOf(WANG))];
    await enter(LI);
    await enter(WANG);
    expect([shown(li), shown(wang)]).toEqual([arrived(LI, "video"), arrived(WANG, "video")]);
    expect(shown(li)).not.toBe(shown(wang));
    await leave(LI);
    expect(shown(li)).toBeNull();
    expect(shown(wang)).toBe(arrived(WANG, "video"));
    expect(said()).not.toContain("failed");
  });

  it("receives the low picture in a small tile, the high one in a large tile, and none in a hidden one", async () => {
    const { enter, bind, layer, world, pass } = await joined(name);
    const tile = bind(streamOf(LI));
    await enter(LI);
    await pass(LAYER_REQUEST_MS);
    expect(layer(LI)).toBe("high");
    world.look(tile, { visible: true, width: 160 });
    await pass(LAYER_REQUEST_MS);
    expect(layer(LI)).toBe("low");
    world.look(tile, { visible: false, width: 160 });
    await pass(LAYER_REQUEST_MS);
    expect(layer(LI)).toBe("none");
    world.look(tile, { visible: true, width: 640 });
    await pass(LAYER_REQUEST_MS);
    expect(layer(LI)).toBe("high");
    expect(shown(tile)).not.toBeNull();
  });

  it("sends a high and a low picture", async () => {
    const { agora, world } = await joined(name);
    if (agora !== null) expect(agora.log).toEqual(["low 160x90", "dual", "join app channel t 1"]);
    else {
      const [published] = world.connections;
      const video = published
        ?.getTransceivers()
        .filter(({ receiver }) => receiver.track.kind === "video");
      expect(video?.map(({ encodings }) => encodings[0]?.scaleResolutionDownBy)).toEqual([
        undefined,
        4,
      ]);
    }
  });

  it("says who is talking", async () => {
    const { enter, events, world, pass } = await joined(name);
    await enter(LI);
    world.loudness = 0.3;
    await pass(1000);
    const talking = events().flatMap((event) =>
      event.t === "conference" && event.body.t === "talking" ? [event.body.streamIds] : [],
    );
    expect(talking.at(-1)?.toSorted()).toEqual(["self", streamOf(LI)]);
  });
});

describe.each(ALL.filter((name) => !CLOUDS.includes(name)))("%s needs no token", (name) => {
  it("and ignores one", async () => {
    const { enter, send, said, world } = await joined(name);
    await enter(LI);
    const before = said();
    send({ t: "token", token: "next" });
    await settle();
    expect(said()).toEqual(before);
    expect(before).not.toContain("token-expiring");
    expect(world.connections.every(({ closed }) => !closed)).toBe(true);
  });
});

describe.each(CLOUDS)("%s with a token", (name) => {
  it("asks for another one before it ends, and goes on with it", async () => {
    const { agora, said, send } = await joined(name);
    agora?.tokenEnds("will");
    expect(said().at(-1)).toBe("token-expiring");
    send({ t: "token", token: "next" });
    await settle();
    expect(agora?.log.at(-1)).toBe("renew next");
  });

  it("joins and sends again when it has ended, and receives the others again", async () => {
    const { agora, send, sent, enter, arrived } = await joined(name);
    await enter(LI);
    agora?.tokenEnds("did");
    send({ t: "token", token: "next" });
    await settle();
    expect(agora?.log.at(-1)).toBe("join app channel next 1");
    expect(sent()).toMatchObject({ audio: { kind: "audio" }, video: { kind: "video" } });
    const before = arrived(LI, "video");
    await enter(LI);
    expect(arrived(LI, "video")).not.toBe(before);
  });
});

describe("agora, a group call that the cloud does not let in", () => {
  it("asks for another token, and joins with it", async () => {
    const bench = await openBench("agora, a group call");
    const { agora, said, send, pass, own, join, sent } = bench;
    if (agora === null) throw new Error("no cloud");
    agora.refuse = "dynamic key expired";
    await own();
    await join();
    await pass(JOIN_AGAIN_MS);
    expect(said().at(-1)).toBe("token-expiring");
    agora.refuse = null;
    send({ t: "token", token: "next" });
    await settle();
    expect(agora.log.at(-1)).toBe("join app channel next 1");
    expect(said().at(-1)).toBe(`${OWN} connected`);
    expect(sent()).toMatchObject({ audio: { kind: "audio" }, video: { kind: "video" } });
  });

  it("fails a stream whose description names no account, as of a tab that does not know the cloud", async () => {
    const { send, said } = await joined("agora, a group call");
    const rtcId = rtcIdOf(LI);
    const head = { rtcId, streamId: streamOf(LI), memId: "m7", type: 0, restart: false };
    const body = { t: "subscribe", ...head, video: true, audio: true };
    send({ t: "conference", body });
    send({ t: "conference", body: { t: "answer", rtcId, sdp: "v=0\r\n" } });
    await settle();
    expect(said().at(-1)).toBe("failed");
  });
});
