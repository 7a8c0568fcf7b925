/** The `agora` engine: the Agora cloud carries the media and does its own signalling. The rtcId is the channel. */
import type {
  IAgoraRTC,
  IAgoraRTCClient,
  IAgoraRTCRemoteUser,
  ILocalTrack,
} from "agora-rtc-sdk-ng";
import { AppError } from "../../shared/errors.ts";
import type { MediaCommand } from "../../shared/protocol/media-port.ts";
import type { MediaDeps } from "../deps.ts";
import type { Tally } from "../tally.ts";
import { agoraSamples } from "../stats/agora.ts";
import type { Engine, EngineEvents, IceState, Kind, LocalTracks } from "./engine.ts";

export type AgoraAccess = Extract<Extract<MediaCommand, { t: "own" }>["engine"], { kind: "agora" }>;

/** Longest wait for the SDK's `join`, which never rejects without a network. */
export const JOIN_TIMEOUT_MS = 15_000;

const ICE_OF: Readonly<Record<string, IceState>> = {
  CONNECTING: "checking",
  CONNECTED: "connected",
  RECONNECTING: "disconnected",
  DISCONNECTED: "closed",
};

export function createAgoraEngine(
  deps: Pick<MediaDeps, "loadAgora" | "clock" | "report">,
  options: { readonly access: AgoraAccess; readonly tracks: LocalTracks; readonly tally: Tally },
  events: EngineEvents,
): Engine {
  const { access, tally } = options;
  const rtcId = access.channel;
  const published = new Map<Kind, { source: MediaStreamTrack; track: ILocalTrack }>();
  const firstMedia = new Map<Kind, number>();
  let tracks = options.tracks;
  let client: IAgoraRTCClient | null = null;
  let sdk: IAgoraRTC | null = null;
  let joined = false;
  let closed = false;
  let lastIce: IceState | null = null;
  /** "ended": the cloud has removed this account from the channel. */
  let token: "valid" | "ending" | "ended" = "valid";
  let undoPeer: () => void = () => undefined;

  const ice = (state: IceState): void => {
    if (closed || state === lastIce) return;
    lastIce = state;
    events.ice(rtcId, state);
  };
  const fail = (step: string, cause: unknown): void => {
    if (closed) return;
    deps.report(`agora ${step} failed: ${String(cause)}`);
    events.failed(new AppError("call.connection-failed", { cause, details: { step } }), rtcId);
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

  const subscribe = async (user: IAgoraRTCRemoteUser, kind: Kind): Promise<void> => {
    if (closed || client === null) return;
    const track = await client.subscribe(user, kind);
    if (closed) return;
    const found = (): void => {
      if (closed || firstMedia.has(kind)) return;
      const at = deps.clock.now();
      firstMedia.set(kind, at);
      events.firstMedia(rtcId, kind, at);
    };
    if ("getMediaStreamTrack" in track) {
      track.on("first-frame-decoded", found);
      events.remoteTrack(rtcId, track.getMediaStreamTrack());
    }
  };

  const expiring = (state: "ending" | "ended"): void => {
    token = state;
    events.tokenExpiring();
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

  const start = async (): Promise<void> => {
    ice("checking");
    sdk = await deps.loadAgora();
    if (closed) return;
    sdk.disableLogUpload();
    sdk.setLogLevel(3);
    client = sdk.createClient({ mode: "rtc", codec: "vp8" });
    undoPeer = tally.open("peers");
    client.on("connection-state-change", (state: string) => {
      const mapped = ICE_OF[state];
      if (mapped !== undefined) ice(mapped);
    });
    client.on("user-published", (user: IAgoraRTCRemoteUser, kind: string) => {
      if (kind !== "audio" && kind !== "video") return;
      subscribe(user, kind).catch((error: unknown) => fail("subscribe", error));
    });
    // What comes after this is shown only once its own first media is reported.
    client.on("user-unpublished", (_user: IAgoraRTCRemoteUser, kind: string) => {
      if (kind !== "audio" && kind !== "video") return;
      firstMedia.delete(kind);
      events.remoteGone(rtcId, kind);
    });
    client.on("user-left", () => {
      firstMedia.clear();
      events.remoteGone(rtcId);
    });
    client.on("token-privilege-will-expire", () => expiring("ending"));
    client.on("token-privilege-did-expire", () => expiring("ended"));
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
    ice("failed");
    leave().catch(() => undefined);
  });

  return {
    // The cloud negotiates on its own, so these commands do nothing.
    offer: () => undefined,
    description: () => undefined,
    candidates: () => undefined,
    closeConnection: () => undefined,
    setPicture: () => undefined,
    configure: () => undefined,
    setTracks(next) {
      tracks = next;
      publishAll();
    },
    renew(next) {
      renew(next).catch((error: unknown) => fail("renewal", error));
    },
    sample: () =>
      Promise.resolve(
        client === null || !joined ? [] : agoraSamples(rtcId, client, deps.clock.now()),
      ),
    rtcIds: () => (closed ? [] : [rtcId]),
    replay() {
      if (lastIce !== null) events.ice(rtcId, lastIce);
      for (const [kind, at] of firstMedia) events.firstMedia(rtcId, kind, at);
      if (token !== "valid") events.tokenExpiring();
    },
    async close() {
      if (closed) return;
      closed = true;
      published.clear();
      await leave().catch((error: unknown) => deps.report(`agora leave failed: ${String(error)}`));
      events.remoteGone(rtcId);
    },
  };
}
