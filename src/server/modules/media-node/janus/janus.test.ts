/** Tests the Janus client against a fake that implements the used part of the protocol. tests/media has the real server. */
import type { AddressInfo } from "node:net";
import pino from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocketServer, type WebSocket } from "ws";
import { createManualClock, type ManualClock } from "../../../host.harness.ts";
import type { NodeEvent } from "../contracts.ts";
import { browserOffer, receiverOffer, SSRC } from "../sfu/sfu.harness.ts";
import { planPublish } from "../sdp/plan.ts";
import { planSubscribe } from "../sdp/subscribe-plan.ts";
import { answeredSection, writeSdp } from "../sdp/write.ts";
import { createJanusNode, type JanusNode } from "./index.ts";

interface Heard {
  readonly janus: string;
  readonly handle_id?: number;
  readonly apisecret?: string;
  readonly body?: Record<string, unknown>;
  readonly jsep?: { readonly type: string; readonly sdp: string };
}

let server: WebSocketServer;
let sockets: WebSocket[];
let heard: Heard[];
let events: NodeEvent[];
let clock: ManualClock;
let node: JanusNode;
let refuse: Record<string, unknown> | null;
let autoLive: boolean;

const plan = planPublish(browserOffer({ videos: 2 }), ["VP8"]);
const janusOffer = (): string => {
  const { ice, sections } = planSubscribe(receiverOffer(), plan);
  const written = sections.map((section) =>
    answeredSection(section, ({ kind }) => ({
      ssrc: kind === "video" ? SSRC.high : SSRC.audio,
      rtxSsrc: 0,
      stream: "j",
    })),
  );
  return writeSdp({ ...ice, candidates: [] }, written);
};
/** A subscriber whose payload types are not the publisher's: it gets the offer of Janus. */
const FOREIGN = receiverOffer().replaceAll(/\b96\b/g, "120");
/** The answer of a browser to an offer of Janus. */
const browserAnswer = (offer: string): string =>
  offer
    .replaceAll("a=sendonly", "a=recvonly")
    .replaceAll("a=setup:actpass", "a=setup:active")
    .replaceAll(/a=(?:ssrc|msid).*\r\n/g, "");

async function until(ok: () => boolean): Promise<void> {
  await expect.poll(ok, { interval: 5 }).toBe(true);
}

beforeEach(async () => {
  sockets = [];
  heard = [];
  events = [];
  refuse = null;
  autoLive = true;
  let id = 100;
  server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  server.on("connection", (socket) => {
    sockets.push(socket);
    expect(socket.protocol).toBe("janus-protocol");
    socket.on("message", (data) => {
      const m = JSON.parse(String(data)) as Heard & { transaction: string };
      heard.push(m);
      const { transaction } = m;
      const sendToNode = (body: unknown): void => socket.send(JSON.stringify(body));
      if (m.janus === "create" || m.janus === "attach") {
        sendToNode({ janus: "success", transaction, data: { id: (id += 1) } });
      } else if (m.janus === "message") {
        sendToNode({ janus: "ack", transaction });
        const request = m.body?.["request"];
        const data = refuse ?? { videoroom: "event" };
        const jsep =
          request === "joinandconfigure"
            ? { type: "answer", sdp: "v=0\r\nanswer" }
            : request === "join" || m.body?.["restart"] === true
              ? { type: "offer", sdp: janusOffer() }
              : undefined;
        const plugindata = { plugin: "janus.plugin.videoroom", data };
        sendToNode({
          janus: "event",
          sender: m.handle_id,
          transaction,
          plugindata,
          ...(jsep && { jsep }),
        });
        if (request === "joinandconfigure" && autoLive)
          sendToNode({ janus: "webrtcup", sender: m.handle_id });
      } else sendToNode({ janus: "ack", transaction });
    });
  });
  await new Promise((resolve) => server.once("listening", resolve));
  clock = createManualClock();
  node = createJanusNode({
    name: "janus-1",
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    secret: "s3cret",
    capacity: 10,
    clock,
    log: pino({ level: "silent" }),
    onStats: () => undefined,
  });
  node.onEvent((event) => events.push(event));
  await until(() => node.up);
});
afterEach(async () => {
  await node.close();
  await node.close();
  for (const socket of sockets) socket.terminate();
  await new Promise((resolve) => server.close(resolve));
});

const publish = (id = "p") =>
  node.publish({
    id,
    conferenceId: "c",
    offer: browserOffer({ videos: 2 }),
    vcodes: ["VP8"],
    maxVideoBitrate: 900_000,
  });
const subscribe = (id = "s") =>
  node.subscribe({
    id,
    conferenceId: "c",
    publisher: "p",
    offer: FOREIGN,
    video: true,
    audio: true,
    layer: "high",
  });
const bodies = () => heard.flatMap((m) => (m.body === undefined ? [] : [m.body]));
const push = (body: unknown): void => sockets.at(-1)?.send(JSON.stringify(body));

describe("a Janus node", () => {
  it("sends the secret and an offer written by the node when a member publishes into the conference's room", async () => {
    expect(await publish()).toMatchObject({
      answer: "v=0\r\nanswer",
      vcodec: "VP8",
      layers: ["low", "high"],
      hasAudio: true,
    });
    expect(heard.every((m) => m.apisecret === "s3cret")).toBe(true);
    expect(bodies().map((b) => [b["request"], b["room"]])).toEqual([
      ["create", "c"],
      ["joinandconfigure", "c"],
    ]);
    expect(bodies()[1]).toMatchObject({ ptype: "publisher", id: "p", bitrate: 900_000 });
    await until(() => events.some((e) => e.t === "state" && e.state === "connected"));
    // There is one room per conference.
    await publish("q");
    expect(bodies().filter((b) => b["request"] === "create")).toHaveLength(1);
  });

  it("uses an existing room and reports the reason of a refused join", async () => {
    refuse = { error_code: 427, error: "Room c already exists" };
    await expect(publish()).rejects.toMatchObject({
      code: "conference.invalid",
      details: { reason: "Room c already exists" },
    });
    // The reason is that of the join, not of the room. The handle is detached.
    expect(bodies().map((b) => b["request"])).toEqual(["create", "joinandconfigure"]);
    await until(() => heard.some((m) => m.janus === "detach"));
    expect(await node.stats()).toMatchObject({ publishers: 0 });
  });

  it("answers a subscriber's offer from the offer of Janus, and again when ICE restarts", async () => {
    await publish();
    const offer = receiverOffer()
      .replaceAll("a=mid:1", "a=mid:v")
      .replace("BUNDLE 0 1", "BUNDLE 0 v")
      .replaceAll("a=ice-ufrag:abcd", "a=ice-ufrag:theirs");
    const wish = {
      conferenceId: "c",
      publisher: "p",
      video: true,
      audio: true,
      layer: "high",
    } as const;
    const { type, sdp } = await node.subscribe({ id: "s", ...wish, offer });
    expect(type).toBe("answer");
    expect(sdp.match(/a=(?:mid|setup|ice-ufrag|sendonly).*/g)).toEqual([
      "a=mid:0",
      "a=sendonly",
      "a=ice-ufrag:abcd",
      "a=setup:passive",
      "a=mid:v",
      "a=sendonly",
      "a=ice-ufrag:abcd",
      "a=setup:passive",
    ]);
    const started = () => heard.filter((m) => m.body?.["request"] === "start");
    expect(started()[0]?.jsep?.sdp.match(/a=(?:mid|setup|ice-ufrag|recvonly).*/g)).toEqual([
      "a=mid:0",
      "a=recvonly",
      "a=ice-ufrag:theirs",
      "a=setup:active",
      "a=mid:1",
      "a=recvonly",
      "a=ice-ufrag:theirs",
      "a=setup:active",
    ]);
    // A candidate names a section of Janus.
    const candidate = "candidate:1 1 udp 1 192.0.2.5 9 typ host";
    node.candidates("s", [{ candidate, sdpMid: "v", sdpMLineIndex: 1 }]);
    await until(() => heard.some((m) => m.janus === "trickle"));
    expect(heard.find((m) => m.janus === "trickle")).toMatchObject({
      candidate: { candidate, sdpMid: "0", sdpMLineIndex: 0 },
    });
    const again = offer.replaceAll("theirs", "later");
    expect(await node.restart("s", again)).toMatchObject({ type: "answer" });
    expect(started().at(-1)?.jsep?.sdp).toContain("a=ice-ufrag:later");
    await expect(
      node.restart(
        "s",
        again.replace("m=audio 9 UDP/TLS/RTP/SAVPF 111", "m=audio 9 UDP/TLS/RTP/SAVPF 0"),
      ),
    ).rejects.toMatchObject({ code: "conference.invalid" });
  });

  it("makes the offer where the subscriber's payload types are not the publisher's", async () => {
    await publish();
    const done = await subscribe();
    expect(done).toEqual({ type: "offer", sdp: janusOffer() });
    expect(bodies().at(-1)).toMatchObject({ request: "join" });
    await node.answer("s", browserAnswer(done.sdp));
    expect(bodies().at(-1)).toMatchObject({ request: "start" });
    expect(await node.restart("s", FOREIGN)).toMatchObject({ type: "offer" });
  });

  it("makes a subscriber wait for its publisher, then switches layers and pauses without a new offer", async () => {
    autoLive = false;
    await publish();
    const asked = subscribe();
    await until(() => heard.filter((m) => m.janus === "attach").length === 3);
    expect(bodies().some((b) => b["request"] === "join")).toBe(false);
    const handle = heard.find((m) => m.body?.["request"] === "joinandconfigure")?.handle_id;
    push({ janus: "webrtcup", sender: handle });
    const { sdp: offer } = await asked;
    expect(bodies().at(-1)).toMatchObject({
      request: "join",
      ptype: "subscriber",
      streams: [
        { feed: "p", mid: "0" },
        { feed: "p", mid: "1" },
      ],
    });
    await node.answer("s", browserAnswer(offer));
    expect(bodies().at(-1)).toMatchObject({ request: "start" });
    const sentBefore = bodies().length;
    node.select("s", { video: true, audio: true, layer: "low" });
    await until(() => bodies().length === sentBefore + 1);
    expect(bodies().at(-1)).toEqual({
      request: "switch",
      streams: [{ feed: "p", mid: "2", sub_mid: "1" }],
    });
    node.select("s", { video: false, audio: false, layer: "low" });
    await until(() => bodies().length === sentBefore + 2);
    expect(bodies().at(-1)).toEqual({
      request: "configure",
      streams: [
        { mid: "0", send: false },
        { mid: "1", send: false },
      ],
    });
    // Repeating the wish sends nothing.
    node.select("s", { video: false, audio: false, layer: "low" });
    expect(await node.restart("s", FOREIGN)).toEqual({ type: "offer", sdp: offer });
    expect(bodies()).toHaveLength(sentBefore + 3);
    expect(SSRC.low).toBeGreaterThan(0);
  });

  it("holds a publisher's sections before the answer goes out and requests a keyframe on release", async () => {
    await node.publish({
      id: "p",
      conferenceId: "c",
      offer: browserOffer({ videos: 2 }),
      vcodes: ["VP8"],
      held: { video: true, audio: false },
    });
    const moderated = () =>
      bodies().flatMap((b) =>
        b["request"] === "moderate" ? [[b["id"], b["mid"], b["mute"]]] : [],
      );
    expect(moderated()).toEqual([
      ["p", "1", true],
      ["p", "2", true],
    ]);
    node.hold("p", { video: false, audio: true });
    await until(() => bodies().at(-1)?.["keyframe"] === true);
    expect(moderated().slice(2)).toEqual([
      ["p", "0", true],
      ["p", "1", false],
      ["p", "2", false],
    ]);
    // A publisher that Janus fails to hold is closed, so that no held packet passes.
    refuse = { error_code: 499, error: "refused" };
    node.hold("p", { video: true, audio: true });
    await until(() => events.some((e) => e.t === "state" && e.id === "p" && e.state === "failed"));
  });

  it("closes subscribers with their publisher and destroys the room with its last connection", async () => {
    await publish();
    const { sdp: offer } = await subscribe();
    await node.answer("s", browserAnswer(offer));
    const handle = heard.find((m) => m.body?.["request"] === "joinandconfigure")?.handle_id;
    push({ janus: "hangup", sender: handle, reason: "ICE failed" });
    await until(() => events.some((e) => e.t === "state" && e.state === "closed"));
    expect(events.filter((e) => e.t === "state").slice(-2)).toEqual([
      { t: "state", id: "p", state: "failed" },
      { t: "state", id: "s", state: "closed" },
    ]);
    await until(() => bodies().some((b) => b["request"] === "destroy"));
    await until(() => heard.filter((m) => m.janus === "detach").length === 2);
  });

  it("sends a keepalive every 25 s and disconnects from a silent server", async () => {
    const beats = () => heard.filter((m) => m.janus === "keepalive").length;
    clock.advance(25_000);
    await until(() => beats() === 1);
    clock.advance(25_000);
    await until(() => beats() === 2);
    // The server stops reading, so it acknowledges nothing.
    sockets.at(-1)?.pause();
    for (let i = 0; i < 4; i += 1) clock.advance(25_000);
    await until(() => events.some((e) => e.t === "down"));
  });

  it("emits down and refuses work when the socket is lost, then reconnects with a new, empty session", async () => {
    await publish();
    const waiting = subscribe("never");
    await waiting;
    sockets.at(-1)?.terminate();
    await until(() => events.some((e) => e.t === "down"));
    expect(node.up).toBe(false);
    await expect(publish("q")).rejects.toMatchObject({ code: "conference.media-unavailable" });
    await expect(node.answer("never", "v=0")).rejects.toMatchObject({
      code: "conference.media-unavailable",
    });
    clock.advance(200);
    await until(() => events.at(-1)?.t === "up");
    expect(await node.stats()).toMatchObject({ publishers: 0, subscribers: 0 });
    await publish();
    expect(bodies().filter((b) => b["request"] === "create")).toHaveLength(2);
  });

  it("ignores messages that it cannot parse", async () => {
    for (const text of ["", "{", "[]", "null", '{"janus":5}', '{"janus":"event","sender":"x"}']) {
      sockets.at(-1)?.send(text);
    }
    await publish();
    expect(node.up).toBe(true);
  });
});
