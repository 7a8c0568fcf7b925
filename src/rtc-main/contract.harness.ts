/**
 * A tab for the contract of the engines (contract.test.ts): what the core says is the same for every engine, and each bench supplies what the
 * other side and the network do.
 */
import { writeCloudDescription } from "../shared/domain/cloud-description.ts";
import type { Layer } from "../shared/protocol/confr-model.ts";
import { type MediaEvent, mediaEventSchema } from "../shared/protocol/media-port.ts";
import type { StreamSample } from "../shared/protocol/qoe.ts";
import { fakeWorld } from "./browser.fake.ts";
import { settle } from "./clock.fake.ts";
import type { FakeConnection } from "./connections/connection.fake.ts";
import { FakeElement } from "./element.fake.ts";
import { createFakeAgora, type FakeAgora } from "./engines/agora-sdk.fake.ts";
import type { Kind } from "./engine.ts";
import type { FakeTrack } from "./media/devices.fake.ts";
import { createMediaHost } from "./owner/host.ts";
import { FakePort } from "./owner/port.fake.ts";

export const CLOUD = { appId: "app", channel: "channel", token: "t", uid: 1 };
const OWN = "own";

/** A person of the other side, by the number at the cloud. */
export const rtcIdOf = (person: number): string => `r${person}`;
export const streamOf = (person: number): string => `st${person}`;

interface Sent {
  readonly audio: FakeTrack | null;
  readonly video: FakeTrack | null;
}
type Tab = ReturnType<typeof openTab>;

/** What differs between the engines. */
interface Way {
  readonly engine: Record<string, unknown>;
  /** Joins with what the person sends, as far as the core commands it. */
  join(): Promise<void>;
  /** This person comes and sends sound and picture; the first frame and packet arrive. */
  enter(person: number): Promise<void>;
  leave(person: number): Promise<void>;
  sent(): Sent;
  /** The layer that the sender or the node was asked for. Group calls only. */
  layer(person: number): Layer;
  /** What came of this person. */
  arrived(person: number, kind: Kind): FakeTrack | undefined;
}
export interface Bench extends Tab, Way {
  /** The name that stands in the tests. */
  readonly name: string;
  readonly group: boolean;
  /** The fake of the cloud; null: the engine uses none. */
  readonly agora: FakeAgora | null;
}

function openTab(agora: FakeAgora | null) {
  const world = fakeWorld();
  const deps = {
    ...world.deps,
    ...(agora === null ? {} : { loadAgora: () => Promise.resolve(agora.sdk) }),
  };
  const host = createMediaHost(deps);
  const port = new FakePort();
  host.connect(port as unknown as MessagePort);
  const send = (command: Record<string, unknown>): void => port.send({ epoch: 1, ...command });
  const pass = async (ms: number): Promise<void> => {
    world.clock.pass(ms);
    await settle();
  };
  /** What the core got, checked against the schema of the port. */
  const events = (): MediaEvent[] => port.sent.map((each) => mediaEventSchema.parse(each));
  return {
    world,
    host,
    port,
    send,
    pass,
    events,
    /** The events of the connections, inside or outside of `conference`, as words. */
    said(): string[] {
      return events().flatMap((event) => {
        const body = event.t === "conference" ? event.body : event;
        if (body.t === "ice") return [`${body.rtcId} ${body.state}`];
        if (body.t === "first-media") return [`${body.rtcId} first ${body.kind}`];
        return body.t === "token-expiring" || body.t === "failed" ? [body.t] : [];
      });
    },
    async samples(): Promise<StreamSample[]> {
      send({ t: "sample", id: `s${port.sent.length}` });
      await settle();
      const answer = events().findLast((event) => event.t === "samples");
      return answer?.t === "samples" ? answer.samples : [];
    },
    local(settings: { audioMuted?: boolean; videoOff?: boolean }): Promise<void> {
      send({ t: "local", audioMuted: false, videoOff: false, ...settings });
      return settle();
    },
    /** Another core takes over, and gets everything from the beginning. @returns what it hears */
    async anotherCore(): Promise<FakePort> {
      const next = new FakePort();
      host.connect(next as unknown as MessagePort);
      await settle();
      return next;
    },
    bind(id: string): FakeElement {
      const element = new FakeElement();
      host.bindStream(id, element as unknown as HTMLVideoElement);
      return element;
    },
  };
}

const trackOf = (element: FakeElement): FakeTrack | null =>
  (element.srcObject as { getTracks(): FakeTrack[] } | null)?.getTracks()[0] ?? null;
export const shown = trackOf;

/** Sound and picture flow, with the statistics that a browser has of them. */
async function flow(tab: Tab, pc: FakeConnection): Promise<void> {
  for (const transceiver of pc.getTransceivers()) pc.receive(transceiver);
  const at = tab.world.clock.now();
  const stat = (kind: Kind, type: "inbound-rtp" | "outbound-rtp") => ({
    id: `${type} ${kind}`,
    timestamp: at,
    type,
    kind,
    ...(type === "inbound-rtp"
      ? { bytesReceived: 9000, packetsReceived: 90, packetsLost: 2 }
      : { bytesSent: 5000, packetsSent: 50 }),
    ...(kind === "video" ? { frameWidth: 640, frameHeight: 360, framesPerSecond: 20 } : {}),
    ...(kind === "video" && type === "inbound-rtp" ? { framesDecoded: 9 } : {}),
    ...(kind === "audio" ? { audioLevel: 0.5 } : {}),
  });
  const type = pc.getTransceivers().some(({ direction }) => direction !== "sendonly");
  const all = [
    ...(pc.getTransceivers().some(({ direction }) => direction !== "recvonly")
      ? [stat("audio", "outbound-rtp"), stat("video", "outbound-rtp")]
      : []),
    ...(type ? [stat("audio", "inbound-rtp"), stat("video", "inbound-rtp")] : []),
  ];
  pc.stats = new Map(all.map((one) => [one.id, one]));
  pc.ice("connected");
  await tab.pass(60);
}
const sentBy = (pc: FakeConnection | undefined): Sent => {
  const sentOf = (kind: Kind) =>
    (pc?.getTransceivers().find(({ receiver }) => receiver.track.kind === kind)?.sender
      .track as FakeTrack | null) ?? null;
  return { audio: sentOf("audio"), video: sentOf("video") };
};
const arrivedBy = (pc: FakeConnection | undefined, kind: Kind): FakeTrack | undefined =>
  pc?.getTransceivers().find(({ receiver }) => receiver.track.kind === kind)?.receiver.track;

/** A call of two over a connection of the browser. */
function nativeCall(tab: Tab): Way {
  let pc: FakeConnection | undefined;
  return {
    engine: { kind: "native" },
    async join() {
      tab.send({ t: "offer", rtcId: OWN, iceRestart: false });
      await settle();
      pc = tab.world.connections.at(-1);
    },
    async enter() {
      tab.send({ t: "description", rtcId: OWN, type: "answer", sdp: "answer" });
      await settle();
      if (pc !== undefined) await flow(tab, pc);
    },
    async leave() {
      tab.send({ t: "close", rtcId: OWN });
      await settle();
    },
    sent: () => sentBy(pc),
    layer: () => "high",
    arrived: (_person, kind) => arrivedBy(pc, kind),
  };
}

const decode = (agora: FakeAgora, person: number): void => {
  for (const kind of ["audio", "video"]) agora.received.get(`${person} ${kind}`)?.decode();
};
/** What the cloud does, in a call of two and in a group call. */
const inCloud = (tab: Tab, agora: FakeAgora) => ({
  async enter(person: number): Promise<void> {
    agora.publishes(person, "audio");
    agora.publishes(person, "video");
    await settle();
    decode(agora, person);
    await tab.pass(60);
  },
  async leave(person: number): Promise<void> {
    agora.leaves(person);
    await settle();
  },
  sent: agora.sent,
  arrived: (person: number, kind: Kind) => agora.received.get(`${person} ${kind}`)?.source,
});
function agoraCall(tab: Tab, agora: FakeAgora): Way {
  return {
    engine: { kind: "agora", ...CLOUD },
    join: settle,
    ...inCloud(tab, agora),
    layer: agora.layer,
  };
}

/** The core's commands of a group call: the same for both engines. */
const groupCommands = (tab: Tab) => {
  const command = async (body: Record<string, unknown>): Promise<void> => {
    tab.send({ t: "conference", body });
    await settle();
  };
  return {
    async publish(): Promise<void> {
      const limits = { maxVideoBitrate: null, maxAudioBitrate: null };
      const how = { type: 0, vcodes: ["VP8"], simulcast: true, restart: false, ...limits };
      await command({ t: "publish", rtcId: OWN, ...how });
    },
    async subscribe(person: number, sdp: string): Promise<void> {
      const rtcId = rtcIdOf(person);
      const head = { streamId: streamOf(person), memId: `m${person}`, type: 0, restart: false };
      await command({ t: "subscribe", rtcId, ...head, video: true, audio: true });
      await command({ t: "answer", rtcId, sdp });
    },
    answer: (sdp: string) => command({ t: "answer", rtcId: OWN, sdp }),
    close: (person: number) => command({ t: "close", rtcId: rtcIdOf(person) }),
  };
};
/** The layer that the core was asked for, which it passes on to the node. */
const wishOf = (tab: Tab, person: number): Layer => {
  const wish = tab.events().findLast((event) => {
    return (
      event.t === "conference" &&
      event.body.t === "wish" &&
      event.body.streamId === streamOf(person)
    );
  });
  return wish?.t === "conference" && wish.body.t === "wish" ? wish.body.layer : "high";
};
function nativeGroup(tab: Tab): Way {
  const core = groupCommands(tab);
  const byPerson = new Map<number, FakeConnection>();
  let published: FakeConnection | undefined;
  return {
    engine: { kind: "conference" },
    async join() {
      await core.publish();
      published = tab.world.connections.at(-1);
      await core.answer("answer");
      if (published !== undefined) await flow(tab, published);
    },
    async enter(person) {
      await core.subscribe(person, "answer");
      const pc = tab.world.connections.at(-1);
      if (pc === undefined) return;
      byPerson.set(person, pc);
      await flow(tab, pc);
    },
    leave: core.close,
    sent: () => sentBy(published),
    layer: (person) => wishOf(tab, person),
    arrived: (person, kind) => arrivedBy(byPerson.get(person), kind),
  };
}
function agoraGroup(tab: Tab, agora: FakeAgora): Way {
  const core = groupCommands(tab);
  const cloud = inCloud(tab, agora);
  return {
    ...cloud,
    engine: { kind: "conference", cloud: CLOUD },
    async join() {
      await core.publish();
      await core.answer(writeCloudDescription({ uid: CLOUD.uid, sends: true }));
    },
    async enter(person) {
      await core.subscribe(person, writeCloudDescription({ uid: person, sends: true }));
      await cloud.enter(person);
    },
    async leave(person) {
      await cloud.leave(person);
      await core.close(person);
    },
    layer: (person) => (agora.received.has(`${person} video`) ? agora.layer(person) : "none"),
  };
}

const BENCHES = {
  "native, a call of two": { group: false, cloud: false },
  "agora, a call of two": { group: false, cloud: true },
  "native, a group call": { group: true, cloud: false },
  "agora, a group call": { group: true, cloud: true },
} as const;
type BenchName = keyof typeof BENCHES;
export const ALL = Object.keys(BENCHES) as BenchName[];
export const GROUPS = ALL.filter((name) => BENCHES[name].group);
export const CLOUDS = ALL.filter((name) => BENCHES[name].cloud);

/** Opens a tab that owns the media by this engine, and has not joined yet. */
export async function openBench(name: BenchName): Promise<Bench & { own(): Promise<void> }> {
  const { group, cloud } = BENCHES[name];
  const agora = cloud ? createFakeAgora() : null;
  const tab = openTab(agora);
  const way =
    agora === null
      ? (group ? nativeGroup : nativeCall)(tab)
      : (group ? agoraGroup : agoraCall)(tab, agora);
  return {
    ...tab,
    ...way,
    name,
    group,
    agora,
    async own() {
      tab.send({
        t: "own",
        callId: "call-1",
        media: "video",
        audioMuted: false,
        videoOff: false,
        rtcCfg: { iceServers: [] },
        engine: way.engine,
      });
      await settle();
    },
  };
}
/** As `openBench`, and joined. */
export async function joined(name: BenchName) {
  const bench = await openBench(name);
  await bench.own();
  await bench.join();
  return bench;
}
export { OWN };
