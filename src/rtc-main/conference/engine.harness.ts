/** Sets up tests of the conference engine: one tab, one core, fake devices and connections. */
import { fakeWorld } from "../browser.fake.ts";
import { settle } from "../clock.fake.ts";
import type { FakeConnection } from "../connections/connection.fake.ts";
import { FakeElement } from "../element.fake.ts";
import type { FakeTrack } from "../media/devices.fake.ts";
import { FakePort } from "../owner/port.fake.ts";
import { createMediaHost } from "../owner/host.ts";

/** A tab that owns the media of a conference, with what its core says and hears. */
export async function conference(options: { serial?: boolean } = {}) {
  const world = fakeWorld(options);
  const host = createMediaHost(world.deps);
  const port = new FakePort();
  host.connect(port as unknown as MessagePort);
  const sendCommand = (body: Record<string, unknown>): void =>
    port.send({ t: "conference", epoch: 1, body });
  const own = (more: Record<string, unknown> = {}): void =>
    port.send({
      t: "own",
      epoch: 1,
      callId: "conference-1",
      media: "video",
      audioMuted: false,
      videoOff: false,
      rtcCfg: { iceServers: [] },
      engine: { kind: "conference" },
      ...more,
    });
  own();
  await settle();
  const eventsOfType = (t: string) =>
    port.sentOfType("conference").flatMap(({ body }) => {
      const event = body as Record<string, unknown>;
      return event["t"] === t ? [event] : [];
    });
  const publish = async (rtcId: string, more: Record<string, unknown> = {}) => {
    sendCommand({
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
    sendCommand({
      t: "subscribe",
      rtcId,
      streamId,
      memId: "m2",
      type: 0,
      video: true,
      audio: true,
      restart: false,
      ...more,
    });
    await settle();
    sendCommand({ t: "answer", rtcId, sdp: "answer" });
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
  return {
    world,
    host,
    port,
    own,
    sendCommand,
    eventsOfType,
    publish,
    subscribe,
    flow,
    pass,
    bind,
    shown,
  };
}
export type Conference = Awaited<ReturnType<typeof conference>>;
export const videoOf = (pc: FakeConnection): FakeTrack =>
  pc.getTransceivers().find(({ receiver }) => receiver.track.kind === "video")!.receiver.track;
