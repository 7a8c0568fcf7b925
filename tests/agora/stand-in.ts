/**
 * Stands in for the package of the Agora cloud in a page. It has the names and types of the package's own declarations, carries media over
 * connections of the browser, and leaves who is in a channel to `cloud.ts`.
 */
import type {
  IAgoraRTC,
  IAgoraRTCClient,
  IAgoraRTCRemoteUser,
  ILocalTrack,
} from "agora-rtc-sdk-ng";

export type Kind = "audio" | "video";
export type ToCloud =
  | { readonly t: "join"; appId: string; channel: string; token: string; uid: number }
  | { readonly t: "publish" | "unpublish"; readonly kind: Kind }
  | { readonly t: "renew"; readonly token: string }
  /** For the test's own eyes: which picture of a dual stream a member receives. */
  | { readonly t: "layer"; readonly of: number; readonly layer: "high" | "low" }
  | { readonly t: "leave" }
  | { readonly t: "signal"; readonly to: number; readonly data: Signal };
export type FromCloud =
  | { readonly t: "published" | "unpublished"; readonly uid: number; readonly kind: Kind }
  | { readonly t: "left"; readonly uid: number }
  | { readonly t: "expiring" | "expired" }
  | { readonly t: "signal"; readonly from: number; readonly data: Signal };
/** `want` asks for a track; the rest negotiates the connection that carries it, which `id` names. */
interface About {
  readonly id: string;
  readonly kind: Kind;
}
export type Signal =
  | (About & { readonly s: "want" })
  | (About & { readonly s: "layer"; readonly layer: "high" | "low" })
  | (About & { readonly s: "description"; readonly description: RTCSessionDescriptionInit })
  | (About & { readonly s: "candidate"; readonly candidate: RTCIceCandidateInit });

declare global {
  /** Provided by `cloud.ts`. A page may have several clients, each in a channel. */
  var toAgoraCloud: (client: string, message: ToCloud) => Promise<string>;
  /** Provided by the stand-in, for `cloud.ts`. */
  var fromAgoraCloud: ((client: string, message: FromCloud) => void) | undefined;
}

/** Runs in the page. It must not use anything outside of itself. */
export function agoraStandIn(): unknown {
  type Listener = (...args: never[]) => void;
  interface Carried {
    readonly uid: number;
    readonly kind: Kind;
    readonly sends: boolean;
    readonly pc: RTCPeerConnection;
  }
  const SENT_VIDEO = {
    sendBytes: 0,
    sendPackets: 0,
    sendPacketsLost: 0,
    sendJitterMs: 0,
    sendRttMs: 0,
    sendResolutionHeight: 0,
    sendResolutionWidth: 0,
    captureResolutionHeight: 0,
    captureResolutionWidth: 0,
    sendBitrate: 0,
    targetSendBitrate: 0,
    totalDuration: 0,
    totalFreezeTime: 0,
    currentPacketLossRate: 0,
  };
  const receivers = new Map<string, (message: FromCloud) => void>();
  globalThis.fromAgoraCloud = (id, message) => receivers.get(id)?.(message);

  function createClient() {
    const clientId = crypto.randomUUID();
    const ask = async (message: ToCloud): Promise<void> => {
      const refusal = await globalThis.toAgoraCloud(clientId, message);
      if (refusal !== "") throw new Error(refusal);
    };
    const listeners = new Map<string, Listener[]>();
    const emit = (event: string, ...args: unknown[]): void => {
      for (const listener of listeners.get(event) ?? []) listener(...(args as never[]));
    };
    const own = new Map<Kind, MediaStreamTrack>();
    const carried = new Map<string, Carried>();
    const early = new Map<string, RTCIceCandidateInit[]>();
    const arriving = new Map<string, (track: MediaStreamTrack) => void>();
    let state = "DISCONNECTED";
    let dual = false;
    let lowWidth = 160;
    const become = (next: string): void => {
      const before = state;
      state = next;
      if (before !== next) emit("connection-state-change", next, before);
    };
    const close = (matches: (one: Carried) => boolean): void => {
      for (const [id, one] of carried) {
        if (!matches(one)) continue;
        one.pc.close();
        carried.delete(id);
      }
    };
    const signal = (to: number, data: Signal): void => {
      ask({ t: "signal", to, data }).catch(() => undefined);
    };
    const connection = (id: string, uid: number, kind: Kind, sends: boolean): RTCPeerConnection => {
      const pc = new RTCPeerConnection();
      carried.set(id, { uid, kind, sends, pc });
      pc.addEventListener("icecandidate", ({ candidate }) => {
        if (candidate === null) return;
        signal(uid, { id, kind, s: "candidate", candidate: candidate.toJSON() });
      });
      return pc;
    };
    const describe = async (id: string, uid: number, kind: Kind, pc: RTCPeerConnection) => {
      await pc.setLocalDescription();
      const description = pc.localDescription?.toJSON() as RTCSessionDescriptionInit;
      signal(uid, { id, kind, s: "description", description });
    };
    /** Sends the low picture, or the high one, over this connection. */
    const scale = async (id: string, layer: "high" | "low"): Promise<void> => {
      const sender = carried.get(id)?.pc.getSenders()[0];
      const width = sender?.track?.getSettings().width ?? lowWidth;
      if (sender === undefined) return;
      const parameters = sender.getParameters();
      for (const encoding of parameters.encodings) {
        encoding.scaleResolutionDownBy = layer === "low" ? Math.max(1, width / lowWidth) : 1;
      }
      await sender.setParameters(parameters);
    };
    const onSignal = async (from: number, data: Signal): Promise<void> => {
      const { id, kind } = data;
      if (data.s === "want") {
        const track = own.get(kind);
        if (track === undefined) return;
        const pc = connection(id, from, kind, true);
        pc.addTransceiver(track, { direction: "sendonly" });
        await describe(id, from, kind, pc);
      } else if (data.s === "layer") {
        if (dual) await scale(id, data.layer);
      } else if (data.s === "candidate") {
        const pc = carried.get(id)?.pc;
        if (pc?.remoteDescription == null) {
          early.set(id, [...(early.get(id) ?? []), data.candidate]);
        } else await pc.addIceCandidate(data.candidate);
      } else {
        let pc = carried.get(id)?.pc;
        if (pc === undefined) {
          // The answer to an offer that was given up meanwhile.
          if (data.description.type === "answer") return;
          pc = connection(id, from, kind, false);
          pc.addEventListener("track", ({ track }) => {
            arriving.get(id)?.(track);
            arriving.delete(id);
          });
        }
        await pc.setRemoteDescription(data.description);
        if (data.description.type === "offer") await describe(id, from, kind, pc);
        for (const candidate of early.get(id) ?? []) await pc.addIceCandidate(candidate);
        early.delete(id);
      }
    };
    receivers.set(clientId, (message) => {
      if (message.t === "signal") {
        onSignal(message.from, message.data).catch((error: unknown) => console.error(error));
      } else if (message.t === "published") {
        emit("user-published", { uid: message.uid }, message.kind);
      } else if (message.t === "unpublished") {
        close(({ uid, kind, sends }) => !sends && uid === message.uid && kind === message.kind);
        emit("user-unpublished", { uid: message.uid }, message.kind);
      } else if (message.t === "left") {
        close(({ uid }) => uid === message.uid);
        emit("user-left", { uid: message.uid }, "Quit");
      } else if (message.t === "expiring") {
        emit("token-privilege-will-expire");
      } else {
        close(() => true);
        become("DISCONNECTED");
        emit("token-privilege-did-expire");
      }
    });
    const trackOf = (track: ILocalTrack): MediaStreamTrack => track.getMediaStreamTrack();
    const kindOf = (track: ILocalTrack): Kind => trackOf(track).kind as Kind;

    const client = {
      on: (event: string, listener: Listener) => {
        listeners.set(event, [...(listeners.get(event) ?? []), listener]);
      },
      removeAllListeners: () => listeners.clear(),
      async join(...args: Parameters<IAgoraRTCClient["join"]>) {
        const [appId, channel, token, uid] = args;
        become("CONNECTING");
        await ask({ t: "join", appId, channel, token: token ?? "", uid: Number(uid) });
        become("CONNECTED");
        return Number(uid);
      },
      async leave() {
        close(() => true);
        await ask({ t: "leave" });
        become("DISCONNECTED");
      },
      async publish(tracks: ILocalTrack | ILocalTrack[]) {
        for (const track of [tracks].flat()) {
          close(({ kind, sends }) => sends && kind === kindOf(track));
          own.set(kindOf(track), trackOf(track));
          await ask({ t: "publish", kind: kindOf(track) });
        }
      },
      async unpublish(tracks?: ILocalTrack | ILocalTrack[]) {
        for (const track of [tracks ?? []].flat()) {
          own.delete(kindOf(track));
          close(({ kind, sends }) => sends && kind === kindOf(track));
          await ask({ t: "unpublish", kind: kindOf(track) });
        }
      },
      renewToken: (token: string) => ask({ t: "renew", token }),
      async unsubscribe(...[user, kind]: Parameters<IAgoraRTCClient["unsubscribe"]>) {
        const uid = Number(typeof user === "object" ? user.uid : user);
        close((one) => !one.sends && one.uid === uid && one.kind === kind);
      },
      setLowStreamParameter: ({ width }) => {
        if (typeof width === "number") lowWidth = width;
      },
      async enableDualStream() {
        dual = true;
      },
      // The low picture of the stand-in is the high one, made smaller by its sender.
      async setRemoteVideoStreamType(uid, type) {
        const layer = type === 1 ? "low" : "high";
        await ask({ t: "layer", of: Number(uid), layer });
        for (const [id, one] of carried) {
          if (!one.sends && one.uid === Number(uid) && one.kind === "video")
            signal(one.uid, { id, kind: "video", s: "layer", layer });
        }
      },
      async subscribe(user: Pick<IAgoraRTCRemoteUser, "uid">, kind: Kind) {
        const id = crypto.randomUUID();
        const uid = Number(user.uid);
        const track = await new Promise<MediaStreamTrack>((resolve) => {
          arriving.set(id, resolve);
          signal(uid, { id, kind, s: "want" });
        });
        return {
          getMediaStreamTrack: () => track,
          on: (event: string, listener: () => void) => {
            if (event === "first-frame-decoded") track.addEventListener("unmute", listener);
          },
        };
      },
      getRTCStats: () => ({
        Duration: 0,
        RecvBitrate: 0,
        RecvBytes: 0,
        SendBitrate: 0,
        SendBytes: 0,
        UserCount: 2,
        RTT: 1,
        OutgoingAvailableBandwidth: 0,
      }),
      getLocalAudioStats: () => ({
        sendVolumeLevel: 0,
        sendBitrate: 0,
        sendBytes: 0,
        sendPackets: 0,
        sendPacketsLost: 0,
        sendJitterMs: 0,
        sendRttMs: 0,
        currentPacketLossRate: 0,
      }),
      getRemoteAudioStats: () => ({}),
      getRemoteVideoStats: () => ({}),
      getLocalVideoStats: () => ({ ...SENT_VIDEO, sendPackets: own.has("video") ? 1 : 0 }),
      // The names and types are those of the package; the test of types fails when they change.
    } satisfies Pick<
      IAgoraRTCClient,
      | "removeAllListeners"
      | "join"
      | "leave"
      | "renewToken"
      | "getRTCStats"
      | "getLocalAudioStats"
      | "getRemoteAudioStats"
      | "getRemoteVideoStats"
      | "getLocalVideoStats"
      | "unsubscribe"
      | "setLowStreamParameter"
      | "enableDualStream"
      | "setRemoteVideoStreamType"
    > &
      Record<keyof Pick<IAgoraRTCClient, "on" | "publish" | "unpublish" | "subscribe">, unknown>;
    return client;
  }

  const custom = ({ mediaStreamTrack }: { readonly mediaStreamTrack: MediaStreamTrack }) =>
    ({ getMediaStreamTrack: () => mediaStreamTrack }) satisfies Pick<
      ILocalTrack,
      "getMediaStreamTrack"
    >;
  return {
    disableLogUpload: () => undefined,
    setLogLevel: () => undefined,
    createClient,
    createCustomAudioTrack: custom,
    createCustomVideoTrack: custom,
  } satisfies Record<
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
}
