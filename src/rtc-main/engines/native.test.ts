import { describe, expect, it } from "vitest";
import type { CallMedia } from "../../shared/protocol/call-message.ts";
import { createNativeEngine } from "./native.ts";
import { fakeWorld } from "../browser.fake.ts";
import { settle } from "../clock.fake.ts";
import { LOOK_MS } from "../connections/silence.ts";
import { withOpusForWeakNetworks } from "../connections/sdp.ts";
import { FakeTrack } from "../media/devices.fake.ts";
import { createTally } from "../tally.ts";

function engineOf(media: CallMedia = "video", onGone: () => void = () => undefined) {
  const world = fakeWorld();
  const tally = createTally();
  const out: string[] = [];
  const audio = new FakeTrack("audio") as unknown as MediaStreamTrack;
  const engine = createNativeEngine(
    world.deps,
    { media, config: { iceServers: [] }, tracks: { audio, video: null }, tally },
    {
      description: (rtcId, type, sdp, restart) =>
        out.push(`${rtcId} ${type}${restart ? " restart" : ""} ${sdp.split("\r\n").join("|")}`),
      candidates: (rtcId, cands) =>
        out.push(`${rtcId} candidates ${cands.map((c) => c.candidate).join(",")}`),
      ice: (rtcId, state) => out.push(`${rtcId} ice ${state}`),
      firstMedia: (rtcId, kind) => out.push(`${rtcId} first ${kind}`),
      path: (rtcId, event) => out.push(`${rtcId} ${event}`),
      failed: (error, rtcId) => out.push(`${rtcId} failed ${error.code}`),
      remoteTrack: (rtcId, track) => out.push(`${rtcId} track ${track.kind}`),
      remoteGone(rtcId) {
        out.push(`${rtcId} gone`);
        onGone();
      },
      tokenExpiring: () => out.push("token expiring"),
    },
  );
  const pc = () => {
    const made = world.connections[0];
    if (made === undefined) throw new Error("no connection was made");
    return made;
  };
  return { world, tally, out, engine, pc };
}
const cand = (candidate: string, usernameFragment?: string) => ({
  candidate,
  sdpMid: "0",
  ...(usernameFragment === undefined ? {} : { usernameFragment }),
});

it("A connection is closed even when its last picture cannot be kept", async () => {
  const { engine, pc, tally } = engineOf("video", () => {
    throw new TypeError("requestFrame is not a function");
  });
  engine.offer("r1", false);
  await settle();
  engine.closeConnection("r1");
  expect(pc().closed).toBe(true);
  expect(tally.read()).toMatchObject({ peers: 0, listeners: 0 });
});

describe("offering", () => {
  it("includes both sections in a video call, even before the camera is open", async () => {
    const { engine, out, pc } = engineOf();
    engine.offer("r1", false);
    await settle();
    expect(out[0]).toBe("r1 offer offer 1|m=audio 9|m=video 9|");
    expect(pc().transceivers.map((each) => each.direction)).toEqual(["sendrecv", "sendrecv"]);
    expect(pc().config.bundlePolicy).toBe("max-bundle");
  });

  it("includes only audio in a voice call", async () => {
    const { engine, out } = engineOf("voice");
    engine.offer("r1", false);
    await settle();
    expect(out[0]).toBe("r1 offer offer 1|m=audio 9|");
  });

  it("restarts ICE on the same connection with the same sections", async () => {
    const { engine, out, world } = engineOf();
    engine.offer("r1", false);
    await settle();
    engine.description("r1", "answer", "answer");
    engine.offer("r1", true);
    await settle();
    expect(world.connections).toHaveLength(1);
    expect(out.filter((line) => line.includes("offer 2"))).toEqual([
      "r1 offer restart offer 2 restart|m=audio 9|m=video 9|",
    ]);
  });

  it("sends a later camera without a new offer", async () => {
    const { engine, out, pc } = engineOf();
    engine.offer("r1", false);
    await settle();
    const video = new FakeTrack("video") as unknown as MediaStreamTrack;
    engine.setTracks({ audio: null, video });
    expect(pc().transceivers.map((each) => each.sender.track)).toEqual([null, video]);
    await settle();
    expect(out.filter((line) => line.includes(" offer "))).toHaveLength(1);
  });
});

describe("a weak network", () => {
  it("asks for Opus with FEC and DTX in what it offers and answers", () => {
    const section = "m=audio 9\r\na=rtpmap:111 opus/48000/2\r\n";
    const asked = withOpusForWeakNetworks(
      `${section}a=fmtp:111 minptime=10;useinbandfec=1\r\na=fmtp:112 x=1\r\n`,
    );
    expect(asked).toBe(
      `${section}a=fmtp:111 minptime=10;useinbandfec=1;usedtx=1\r\na=fmtp:112 x=1\r\n`,
    );
    expect(withOpusForWeakNetworks(asked)).toBe(asked);
    expect(withOpusForWeakNetworks("m=video 9\r\n")).toBe("m=video 9\r\n");
  });

  it("makes the picture 160 lines high, then ends it, then brings it back, without an offer", async () => {
    const { engine, out, pc } = engineOf();
    engine.offer("r1", false);
    await settle();
    const camera = new FakeTrack("video");
    camera.settings = { height: 480 };
    engine.setTracks({ audio: null, video: camera as unknown as MediaStreamTrack });
    const sent = () => pc().transceivers[1]?.sender.parameters["encodings"];
    engine.setPicture("small");
    const small = { scaleResolutionDownBy: 3, maxBitrate: 80_000, maxFramerate: 12 };
    expect(sent()).toEqual([{ active: true, ...small }]);
    engine.setPicture("off");
    expect(sent()).toEqual([{ active: false, ...small }]);
    expect(pc().transceivers[1]?.sender.track).toBe(camera);
    engine.setPicture("full");
    expect(sent()).toEqual([{ active: true, scaleResolutionDownBy: 1 }]);
    expect(out.filter((line) => line.includes(" offer "))).toHaveLength(1);
  });

  it("keeps the picture small on a connection that comes up later", async () => {
    const { engine, pc } = engineOf();
    engine.setPicture("small");
    engine.offer("r1", false);
    await settle();
    expect(pc().transceivers[1]?.sender.parameters["encodings"]).toBeUndefined();
    pc().ice("connected");
    await settle();
    expect(pc().transceivers[1]?.sender.parameters["encodings"]).toMatchObject([
      { active: true, maxBitrate: 80_000 },
    ]);
  });
});

describe("answering", () => {
  it("uses the offer's sections for the own tracks", async () => {
    const { engine, out, pc } = engineOf();
    engine.description("r1", "offer", "m=audio 9\r\nm=video 9\r\n");
    await settle();
    expect(out[0]).toBe("r1 answer answer|");
    expect(pc().transceivers.map((each) => each.direction)).toEqual(["sendrecv", "sendrecv"]);
    expect(pc().transceivers[0]?.sender.track).not.toBeNull();
  });

  it("makes video inactive in a voice call", async () => {
    const { engine, pc } = engineOf("voice");
    const sdp = "m=audio 9\r\na=sendrecv\r\nm=video 9\r\na=sendrecv\r\na=mid:1\r\n";
    engine.description("r1", "offer", sdp);
    await settle();
    expect(pc().remoteDescription?.sdp).toBe(
      "m=audio 9\r\na=sendrecv\r\nm=video 9\r\na=inactive\r\na=mid:1\r\n",
    );
    expect(pc().transceivers.map((each) => each.direction)).toEqual(["sendrecv", "inactive"]);
  });

  it("rolls back an own open offer together with its sections", async () => {
    const { engine, out, pc } = engineOf();
    engine.offer("r1", false);
    await settle();
    engine.description("r1", "offer", "m=audio 9\r\nm=video 9\r\n");
    await settle();
    expect(pc().transceivers.map((each) => each.mid)).toEqual(["0", "1"]);
    expect(out.some((line) => line.startsWith("r1 answer"))).toBe(true);
    expect(out.some((line) => line.includes("failed"))).toBe(false);
  });

  it("drops an answer without an offer, and fails the connection after an unreadable description", async () => {
    const { engine, out, world } = engineOf();
    engine.description("r1", "answer", "answer");
    engine.offer("r2", false);
    await settle();
    engine.description("r2", "answer", "answer");
    engine.description("r2", "answer", "answer");
    engine.description("r3", "offer", "bad");
    await settle();
    expect(out.filter((line) => line.includes("failed"))).toEqual([
      "r3 failed call.connection-failed",
    ]);
    expect(world.reports).toHaveLength(3);
  });
});

describe("ICE servers", () => {
  it("apply to existing and future connections when they change", async () => {
    const { engine, world } = engineOf();
    engine.offer("r1", false);
    engine.configure({ iceServers: [{ urls: "turn:new" }] });
    engine.offer("r2", false);
    await settle();
    expect(world.connections.map((each) => each.config)).toEqual([
      { iceServers: [{ urls: "turn:new" }], bundlePolicy: "max-bundle" },
      { iceServers: [{ urls: "turn:new" }], bundlePolicy: "max-bundle" },
    ]);
  });

  it("that the browser refuses fail the connection, not the tab", async () => {
    const { engine, out, world, tally } = engineOf();
    Object.assign(world.deps, {
      createConnection() {
        throw new SyntaxError("bad url");
      },
    });
    engine.offer("r1", false);
    engine.description("r2", "offer", "m=audio 9\r\n");
    await settle();
    expect(out).toEqual(["r1 failed call.connection-failed", "r2 failed call.connection-failed"]);
    expect(tally.read().peers).toBe(0);
  });
});

describe("candidates", () => {
  it("from the other side wait for their description, even before the connection exists", async () => {
    const { engine, pc } = engineOf();
    engine.candidates("r1", [cand("early")]);
    engine.offer("r1", false);
    engine.candidates("r1", [cand("later"), cand("")]);
    await settle();
    expect(pc().added).toEqual([]);
    engine.description("r1", "answer", "answer");
    await settle();
    expect(pc().added.map((each) => each.candidate)).toEqual(["early", "later", ""]);
    engine.candidates("r1", [cand("now")]);
    await settle();
    expect(pc().added.at(-1)?.candidate).toBe("now");
  });

  it("of a later description wait for it", async () => {
    const { engine, pc } = engineOf();
    engine.description("r1", "offer", "m=audio 9\r\na=ice-ufrag:one\r\n");
    engine.candidates("r1", [cand("first", "one"), cand("second", "two")]);
    await settle();
    expect(pc().added.map((each) => each.candidate)).toEqual(["first"]);
    engine.description("r1", "offer", "m=audio 9\r\na=ice-ufrag:two\r\n");
    await settle();
    expect(pc().added.map((each) => each.candidate)).toEqual(["first", "second"]);
  });

  it("from this side are sent after their description, then in batches of 20 ms", async () => {
    const { engine, out, pc, world } = engineOf();
    engine.offer("r1", false);
    await settle();
    expect(out.map((line) => line.split(" ")[1])).toEqual(["offer", "candidates"]);
    pc().find("a");
    pc().find("b");
    world.clock.pass(19);
    expect(out).toHaveLength(2);
    world.clock.pass(1);
    expect(out.slice(2)).toEqual(["r1 candidates a,b"]);
    pc().find("c");
    pc().find(null);
    expect(out.at(-1)).toBe("r1 candidates c");
  });
});

describe("a connection on which nothing arrives", () => {
  async function silent(moved: boolean) {
    const made = engineOf();
    const { engine, pc, world } = made;
    world.hasMoved = moved;
    engine.offer("r1", false);
    await settle();
    pc().ice("connected");
    let bytes = 0;
    const look = async (arrives: boolean): Promise<void> => {
      bytes += arrives ? 100 : 0;
      const sent = Number(pc().stats.get("p")?.["bytesSent" as never] ?? 0) + 100;
      pc().stats.set("p", { type: "candidate-pair", bytesReceived: bytes, bytesSent: sent });
      world.clock.pass(LOOK_MS);
      await settle();
    };
    for (let looks = 0; looks < 12; looks += 1) await look(true);
    for (let looks = 0; looks < 6; looks += 1) await look(false);
    return { ...made, look };
  }

  it("is reported within 400 ms, and so is the next packet", async () => {
    const { out, look, engine, world } = await silent(false);
    expect(out.slice(-1)).toEqual(["r1 silent"]);
    await look(true);
    expect(out.slice(-1)).toEqual(["r1 heard"]);
    await engine.close();
    expect(world.clock.pending).toBe(0);
  });

  it("is reported as moved when the machine has none of its addresses any more", async () => {
    const { out } = await silent(true);
    expect(out.slice(-2)).toEqual(["r1 silent", "r1 moved"]);
  });
});

describe("media and states", () => {
  it("are reported once: the first frame and the first packet", async () => {
    const { engine, out, pc, world } = engineOf();
    engine.offer("r1", false);
    await settle();
    for (const transceiver of pc().getTransceivers()) pc().receive(transceiver);
    world.clock.pass(200);
    await settle();
    expect(out.filter((line) => line.includes("first"))).toEqual([]);
    pc().stats.set("a", { type: "inbound-rtp", kind: "audio", packetsReceived: 1 });
    pc().stats.set("v", { type: "inbound-rtp", kind: "video", framesDecoded: 0 });
    world.clock.pass(50);
    await settle();
    pc().stats.set("v", { type: "inbound-rtp", kind: "video", framesDecoded: 1 });
    // Timers of a hidden tab are slow; "unmute" of the track comes earlier.
    pc().transceivers[1]?.receiver.track.dispatchEvent(new Event("unmute"));
    await settle();
    world.clock.pass(5000);
    await settle();
    expect(out.filter((line) => line.includes("first"))).toEqual([
      "r1 first audio",
      "r1 first video",
    ]);
    expect(world.clock.pending).toBe(0);
  });

  it("are reported once per state, and a failed DTLS handshake as failed", async () => {
    const { engine, out, pc } = engineOf();
    engine.offer("r1", false);
    await settle();
    pc().ice("checking");
    pc().ice("checking");
    pc().ice("connected");
    pc().connectionState = "failed";
    pc().dispatchEvent(new Event("connectionstatechange"));
    expect(out.filter((line) => line.includes("ice"))).toEqual([
      "r1 ice checking",
      "r1 ice connected",
      "r1 ice failed",
    ]);
  });

  it("of a closed connection are no longer reported, and it does not open again", async () => {
    const { engine, out, pc, tally, world } = engineOf();
    engine.offer("r1", false);
    await settle();
    for (const transceiver of pc().getTransceivers()) pc().receive(transceiver);
    engine.closeConnection("r1");
    engine.closeConnection("r1");
    expect(out.at(-1)).toBe("r1 gone");
    const reportedBefore = out.length;
    pc().ice("closed");
    engine.candidates("r1", [cand("late")]);
    engine.description("r1", "offer", "m=audio 9\r\n");
    world.clock.pass(1000);
    await settle();
    expect(out).toHaveLength(reportedBefore);
    expect(world.connections).toHaveLength(1);
    expect(Object.values(tally.read())).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(world.clock.pending).toBe(0);
  });
});
