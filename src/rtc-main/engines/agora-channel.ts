/** One channel of the Agora cloud (docs/calls.md#agora-engine), as a call of two and a group call use it: join, publish, subscribe, renew, leave. */
import type {
  IAgoraRTC,
  IAgoraRTCClient,
  IAgoraRTCRemoteUser,
  ILocalTrack,
  RemoteStreamType,
} from "agora-rtc-sdk-ng";
import type { AgoraAccess } from "../../shared/protocol/media-port.ts";
import type { MediaDeps } from "../deps.ts";
import type { AgoraStatsSource } from "../stats/agora.ts";
import type { Tally } from "../tally.ts";
import type { IceState, Kind, LocalTracks } from "../engine.ts";

/** Longest wait for the SDK's `join`, which never rejects without a network. */
export const JOIN_TIMEOUT_MS = 15_000;

/** The low picture of a dual stream: a quarter of the width and height of 640x360, as the low layer of the media node. */
export const LOW_STREAM = { width: 160, height: 90, framerate: 15, bitrate: 150 } as const;
/** The numbers of `RemoteStreamType`, whose values are in the package, which is loaded late. */
const STREAM_OF: Readonly<Record<"high" | "low", RemoteStreamType>> = { high: 0, low: 1 };

const STATE_OF: Readonly<Record<string, IceState>> = {
  CONNECTING: "checking",
  CONNECTED: "connected",
  RECONNECTING: "disconnected",
  DISCONNECTED: "closed",
};

export interface ChannelEvents {
  state(state: IceState): void;
  /** This person sends this kind from now on; a person who comes back sends again without an end. */
  sends(uid: number, kind: Kind): void;
  /** @param kind without it the person has left */
  ends(uid: number, kind?: Kind): void;
  /** The token ends soon, or has ended. */
  expiring(): void;
  failed(step: string, cause: unknown): void;
}

/** What arrives of a person. */
export interface Arriving {
  readonly track: MediaStreamTrack;
  /** Calls the handler when the first frame or packet was decoded. */
  onFirst(handler: () => void): void;
}

export interface AgoraChannel {
  /** Sets the tracks to send; null sends nothing. */
  setTracks(tracks: LocalTracks): void;
  /** @returns null when nothing comes: the person stopped, or the channel is closed */
  subscribe(uid: number, kind: Kind): Promise<Arriving | null>;
  unsubscribe(uid: number, kind: Kind): Promise<void>;
  /** Which picture of a dual stream is received. */
  setLayer(uid: number, layer: "high" | "low"): Promise<void>;
  /** Continues with this token. Without effect while the present one is valid. */
  renew(token: string): void;
  /** The source of statistics; null while the channel is not joined. */
  readonly stats: AgoraStatsSource | null;
  /** Reports the state, and a token that ends, again. */
  replay(): void;
  /** Idempotent. */
  close(): Promise<void>;
}

/** @param options.dual sends each picture in a high and a low stream */
export function createAgoraChannel(
  deps: Pick<MediaDeps, "loadAgora" | "clock" | "report">,
  options: {
    readonly access: AgoraAccess;
    readonly tracks: LocalTracks;
    readonly tally: Tally;
    readonly dual: boolean;
  },
  events: ChannelEvents,
): AgoraChannel {
  const { access, tally, dual } = options;
  const published = new Map<Kind, { source: MediaStreamTrack; track: ILocalTrack }>();
  const people = new Map<number, IAgoraRTCRemoteUser>();
  let tracks = options.tracks;
  let client: IAgoraRTCClient | null = null;
  let sdk: IAgoraRTC | null = null;
  let joined = false;
  let closed = false;
  let last: IceState | null = null;
  /** "ended": the cloud has removed this account from the channel. */
  let token: "valid" | "ending" | "ended" = "valid";
  let undoPeer: () => void = () => undefined;

  const become = (state: IceState): void => {
    if (closed || state === last) return;
    last = state;
    events.state(state);
  };
  const fail = (step: string, cause: unknown): void => {
    if (closed) return;
    deps.report(`agora ${step} failed: ${String(cause)}`);
    events.failed(step, cause);
  };

  let queue: Promise<void> = Promise.resolve();
  const publish = async (kind: Kind): Promise<void> => {
    if (closed || !joined || client === null || sdk === null) return;
    const now = published.get(kind);
    const source = tracks[kind];
    if ((now?.source ?? null) === source) return;
    if (now !== undefined) {
      published.delete(kind);
      await client.unpublish(now.track);
    }
    if (source === null || closed) return;
    const track =
      kind === "audio"
        ? sdk.createCustomAudioTrack({ mediaStreamTrack: source })
        : sdk.createCustomVideoTrack({ mediaStreamTrack: source });
    published.set(kind, { source, track });
    await client.publish(track);
  };
  const publishAll = (): void => {
    queue = queue
      .then(() => publish("audio"))
      .then(() => publish("video"))
      .catch((error: unknown) => fail("publish", error));
  };

  const expiring = (state: "ending" | "ended"): void => {
    token = state;
    events.expiring();
  };
  const renew = async (next: string): Promise<void> => {
    const before = token;
    if (closed || !joined || client === null || before === "valid") return;
    token = "valid";
    if (before === "ending") return client.renewToken(next);
    published.clear();
    await client.join(access.appId, access.channel, next, access.uid);
    publishAll();
  };

  const kindOf = (kind: string): Kind | null =>
    kind === "audio" || kind === "video" ? kind : null;
  function listen(to: IAgoraRTCClient): void {
    to.on("connection-state-change", (state: string) => {
      const mapped = STATE_OF[state];
      if (mapped !== undefined) become(mapped);
    });
    to.on("user-published", (user: IAgoraRTCRemoteUser, what: string) => {
      const kind = kindOf(what);
      if (kind === null) return;
      people.set(Number(user.uid), user);
      events.sends(Number(user.uid), kind);
    });
    to.on("user-unpublished", (user: IAgoraRTCRemoteUser, what: string) => {
      const kind = kindOf(what);
      if (kind !== null) events.ends(Number(user.uid), kind);
    });
    to.on("user-left", (user: IAgoraRTCRemoteUser) => {
      people.delete(Number(user.uid));
      events.ends(Number(user.uid));
    });
    to.on("token-privilege-will-expire", () => expiring("ending"));
    to.on("token-privilege-did-expire", () => expiring("ended"));
  }
  const start = async (): Promise<void> => {
    become("checking");
    sdk = await deps.loadAgora();
    if (closed) return;
    sdk.disableLogUpload();
    sdk.setLogLevel(3);
    client = sdk.createClient({ mode: "rtc", codec: "vp8" });
    undoPeer = tally.open("peers");
    listen(client);
    if (dual) {
      client.setLowStreamParameter(LOW_STREAM);
      await client.enableDualStream();
      if (closed) return;
    }
    let timer: { cancel(): void } | null = null;
    const late = new Promise<never>((_resolve, reject) => {
      timer = deps.clock.after(JOIN_TIMEOUT_MS, () => reject(new Error("join timed out")));
    });
    try {
      await Promise.race([
        client.join(access.appId, access.channel, access.token, access.uid),
        late,
      ]);
    } finally {
      (timer as { cancel(): void } | null)?.cancel();
    }
    joined = true;
    publishAll();
  };
  const leave = async (): Promise<void> => {
    undoPeer();
    client?.removeAllListeners();
    await client?.leave();
  };

  start().catch((error: unknown) => {
    fail("join", error);
    become("failed");
    leave().catch(() => undefined);
  });

  return {
    setTracks(next) {
      tracks = next;
      publishAll();
    },
    async subscribe(uid, kind) {
      const user = people.get(uid);
      if (closed || client === null || user === undefined) return null;
      const track = await client.subscribe(user, kind);
      if (closed || !("getMediaStreamTrack" in track)) return null;
      return {
        track: track.getMediaStreamTrack(),
        onFirst: (handler) => track.on("first-frame-decoded", handler),
      };
    },
    async unsubscribe(uid, kind) {
      const user = people.get(uid);
      if (!closed && user !== undefined) await client?.unsubscribe(user, kind);
    },
    async setLayer(uid, layer) {
      if (!closed) await client?.setRemoteVideoStreamType(uid, STREAM_OF[layer]);
    },
    renew(next) {
      renew(next).catch((error: unknown) => fail("renewal", error));
    },
    get stats() {
      return joined && !closed ? client : null;
    },
    replay() {
      if (last !== null) events.state(last);
      if (token !== "valid") events.expiring();
    },
    async close() {
      if (closed) return;
      closed = true;
      published.clear();
      await leave().catch((error: unknown) => deps.report(`agora leave failed: ${String(error)}`));
    },
  };
}
