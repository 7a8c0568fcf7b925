/**
 * A fake of the package of the Agora cloud, with one channel in which the test moves the other people. Its names, parameters and statistics
 * are checked against the package's own declarations.
 */
import type {
  AgoraRTCStats,
  IAgoraRTC,
  IAgoraRTCClient,
  IAgoraRTCRemoteUser,
  ILocalTrack,
  LocalAudioTrackStats,
  LocalVideoTrackStats,
  RemoteAudioTrackStats,
  RemoteVideoTrackStats,
} from "agora-rtc-sdk-ng";
import { FakeTrack } from "../media/devices.fake.ts";
import type { Kind } from "../engine.ts";

/** The parts of the declarations that the engines use. Overloaded methods are checked by name. */
type UsedClient = Pick<
  IAgoraRTCClient,
  | "removeAllListeners"
  | "join"
  | "leave"
  | "renewToken"
  | "enableDualStream"
  | "setLowStreamParameter"
  | "setRemoteVideoStreamType"
  | "getRTCStats"
  | "getLocalAudioStats"
  | "getLocalVideoStats"
  | "getRemoteAudioStats"
  | "getRemoteVideoStats"
  | "unsubscribe"
> &
  Record<keyof Pick<IAgoraRTCClient, "on" | "publish" | "unpublish" | "subscribe">, unknown>;
type UsedSdk = Record<
  keyof Pick<
    IAgoraRTC,
    | "disableLogUpload"
    | "setLogLevel"
    | "createClient"
    | "createCustomAudioTrack"
    | "createCustomVideoTrack"
  >,
  unknown
>;

const LOCAL = {
  sendBytes: 5000,
  sendPackets: 50,
  sendPacketsLost: 1,
  sendJitterMs: 2,
  sendRttMs: 40,
  sendBitrate: 80_000,
  currentPacketLossRate: 0,
};
const LOCAL_AUDIO = {
  ...LOCAL,
  codecType: "opus",
  sendVolumeLevel: 16_383.5,
} satisfies LocalAudioTrackStats;
const LOCAL_VIDEO = {
  ...LOCAL,
  codecType: "VP8",
  captureFrameRate: 20,
  captureResolutionWidth: 640,
  captureResolutionHeight: 360,
  sendFrameRate: 20,
  sendResolutionWidth: 640,
  sendResolutionHeight: 360,
  targetSendBitrate: 800_000,
  totalDuration: 10,
  totalFreezeTime: 0,
} satisfies LocalVideoTrackStats;
const REMOTE = {
  transportDelay: 30,
  end2EndDelay: 60,
  receiveBitrate: 80_000,
  receiveDelay: 20,
  receiveBytes: 9000,
  receivePackets: 90,
  receivePacketsLost: 2,
  packetLossRate: 0.02,
  currentPacketLossRate: 0,
  totalDuration: 10,
  totalFreezeTime: 0,
  freezeRate: 0,
  publishDuration: 10_000,
};
const REMOTE_AUDIO = {
  ...REMOTE,
  codecType: "opus",
  receiveLevel: 16_383.5,
  receivePacketsDiscarded: 0,
} satisfies RemoteAudioTrackStats;
const REMOTE_VIDEO = {
  ...REMOTE,
  codecType: "VP8",
  decodeFrameRate: 20,
  receiveResolutionWidth: 640,
  receiveResolutionHeight: 360,
} satisfies RemoteVideoTrackStats;
const RTC = {
  Duration: 10,
  RecvBitrate: 80_000,
  RecvBytes: 9000,
  SendBitrate: 80_000,
  SendBytes: 5000,
  UserCount: 2,
  RTT: 40,
  OutgoingAvailableBandwidth: 2000,
} satisfies AgoraRTCStats;

type Handler = (...args: unknown[]) => void;

/** What arrives of a person: the fake's track, and the frames that the test decodes. */
class FakeRemoteTrack {
  readonly source: FakeTrack;
  #handlers: (() => void)[] = [];
  constructor(kind: Kind, uid: number) {
    this.source = new FakeTrack(kind, `${kind} of ${uid}`);
  }
  on(_event: "first-frame-decoded", handler: () => void): void {
    this.#handlers.push(handler);
  }
  getMediaStreamTrack(): MediaStreamTrack {
    return this.source as unknown as MediaStreamTrack;
  }
  decode(): void {
    for (const handler of this.#handlers) handler();
  }
}

export interface FakeAgora {
  readonly sdk: IAgoraRTC;
  /** What the engine asked of the cloud, in order: `join`, `leave`, `renew`, `dual`. */
  readonly log: string[];
  /** What is sent now. */
  sent(): { audio: FakeTrack | null; video: FakeTrack | null };
  /** What is subscribed now, as `7 audio`, with its track. */
  readonly received: ReadonlyMap<string, FakeRemoteTrack>;
  /** The picture that was asked of a person; high when nothing was asked. */
  layer(uid: number): "high" | "low";
  /** The error with which each join fails; null: joins succeed. */
  refuse: string | null;
  connection(state: string): void;
  publishes(uid: number, kind: Kind): void;
  ends(uid: number, kind: Kind): void;
  leaves(uid: number): void;
  tokenEnds(how: "will" | "did"): void;
}

export function createFakeAgora(): FakeAgora {
  const log: string[] = [];
  const own = new Map<Kind, FakeTrack>();
  const received = new Map<string, FakeRemoteTrack>();
  const layers = new Map<number, "high" | "low">();
  let handlers = new Map<string, Handler>();
  const emit = (event: string, ...args: unknown[]): void => handlers.get(event)?.(...args);
  const trackOf = (track: ILocalTrack): FakeTrack =>
    track.getMediaStreamTrack() as unknown as FakeTrack;
  const statsOf = <T>(kind: Kind, stats: T): Record<string, T> =>
    Object.fromEntries(
      [...received.keys()].flatMap((key) => {
        const [uid = "", of] = key.split(" ");
        return of === kind ? [[uid, stats]] : [];
      }),
    );

  const client = {
    on: (event: string, handler: Handler) => void handlers.set(event, handler),
    removeAllListeners: () => void handlers.clear(),
    async join(...[appId, channel, token, uid]: Parameters<IAgoraRTCClient["join"]>) {
      if (agora.refuse !== null) throw new Error(agora.refuse);
      log.push(`join ${appId} ${channel} ${token} ${uid}`);
      emit("connection-state-change", "CONNECTED", "CONNECTING");
      return Number(uid);
    },
    async leave() {
      log.push("leave");
      own.clear();
    },
    publish(track: ILocalTrack) {
      own.set(trackOf(track).kind, trackOf(track));
      return Promise.resolve();
    },
    unpublish(track: ILocalTrack) {
      own.delete(trackOf(track).kind);
      return Promise.resolve();
    },
    subscribe(user: Pick<IAgoraRTCRemoteUser, "uid">, kind: Kind) {
      const track = new FakeRemoteTrack(kind, Number(user.uid));
      received.set(`${user.uid} ${kind}`, track);
      return Promise.resolve(track);
    },
    unsubscribe: (...[user, kind]: Parameters<IAgoraRTCClient["unsubscribe"]>) => {
      received.delete(`${typeof user === "object" ? user.uid : user} ${kind}`);
      return Promise.resolve();
    },
    async renewToken(token: string) {
      log.push(`renew ${token}`);
    },
    setLowStreamParameter: ({ width, height }) =>
      void log.push(`low ${String(width)}x${String(height)}`),
    async enableDualStream() {
      log.push("dual");
    },
    async setRemoteVideoStreamType(uid, type) {
      layers.set(Number(uid), type === 1 ? "low" : "high");
    },
    getRTCStats: () => RTC,
    getLocalAudioStats: () => (own.has("audio") ? LOCAL_AUDIO : { ...LOCAL_AUDIO, sendPackets: 0 }),
    getLocalVideoStats: () => (own.has("video") ? LOCAL_VIDEO : { ...LOCAL_VIDEO, sendPackets: 0 }),
    getRemoteAudioStats: () => statsOf("audio", REMOTE_AUDIO),
    getRemoteVideoStats: () => statsOf("video", REMOTE_VIDEO),
  } satisfies UsedClient;

  const custom = ({ mediaStreamTrack }: { readonly mediaStreamTrack: MediaStreamTrack }) =>
    ({ getMediaStreamTrack: () => mediaStreamTrack }) satisfies Pick<
      ILocalTrack,
      "getMediaStreamTrack"
    >;
  const sdk = {
    disableLogUpload: () => undefined,
    setLogLevel: () => undefined,
    createClient() {
      handlers = new Map();
      return client;
    },
    createCustomAudioTrack: custom,
    createCustomVideoTrack: custom,
  } satisfies UsedSdk;

  const agora: FakeAgora = {
    sdk: sdk as unknown as IAgoraRTC,
    log,
    refuse: null,
    sent: () => ({ audio: own.get("audio") ?? null, video: own.get("video") ?? null }),
    received,
    layer: (uid) => layers.get(uid) ?? "high",
    connection: (state) => emit("connection-state-change", state),
    publishes: (uid, kind) => emit("user-published", { uid }, kind),
    ends(uid, kind) {
      received.delete(`${uid} ${kind}`);
      emit("user-unpublished", { uid }, kind);
    },
    leaves(uid) {
      for (const kind of ["audio", "video"]) received.delete(`${uid} ${kind}`);
      emit("user-left", { uid }, "Quit");
    },
    tokenEnds(how) {
      if (how === "did") own.clear();
      emit(how === "will" ? "token-privilege-will-expire" : "token-privilege-did-expire");
    },
  };
  return agora;
}
