/** One connection of a conference: what it is for, its state, and the pure steps on it. */
import { STREAM_TYPE, type StreamType } from "../../../shared/domain/conference-types.ts";
import type { ConferenceConnectionEvent } from "../../../shared/domain/conference-connection.ts";
import type { ConferenceConnectionState } from "../../../shared/domain/conference-states.ts";
import type { ConferenceMediaEvent } from "../../../shared/protocol/confr-media.ts";
import type { ConferenceStream, Layer, VideoCodec } from "../../../shared/protocol/confr-model.ts";
import type { ConferenceStreamView } from "../../../shared/protocol/state.ts";
import type { Timer } from "../contracts.ts";

/** What this member publishes: 0 camera and microphone, also as a mixer stream, 1 screen. */
export type OwnType = Exclude<StreamType, typeof STREAM_TYPE.mixer>;
export interface PublishWish {
  readonly kind: "pub";
  readonly type: OwnType;
  readonly ext: string;
}
export interface SubscribeWish {
  readonly kind: "sub";
  readonly stream: ConferenceStream;
  readonly video: boolean;
  readonly audio: boolean;
}
export type Wish = PublishWish | SubscribeWish;

export interface Connection {
  /** `pub:0`, `pub:1`, or the id of the subscribed stream. */
  readonly key: string;
  wish: Wish;
  state: ConferenceConnectionState;
  rtcId: string | null;
  rebuilds: number;
  /** Series of rebuilds that failed in a row. */
  failures: number;
  timer: Timer | null;
  /** The layer that the tiles need. Used by subscriptions only. */
  layer: Layer;
  vcodes: readonly VideoCodec[];
  /** Grows each time the connection is closed. Answers to requests of an earlier turn are ignored. */
  turn: number;
}

/** Assumed when the browser's codecs are unknown. */
export const CODECS: readonly VideoCodec[] = ["VP8", "H264"];

/** What of this member a stream of this type carries. */
export const ownTypeOf = (type: StreamType): OwnType =>
  type === STREAM_TYPE.screen ? type : STREAM_TYPE.camera;
/** The key of a stream's connection. */
export const keyOfStream = (
  stream: Pick<ConferenceStreamView, "id" | "type" | "located">,
): string => (stream.located ? pubKey(ownTypeOf(stream.type)) : stream.id);
export const pubKey = (type: OwnType): string => `pub:${type}`;
export const keyOf = (wish: Wish): string =>
  wish.kind === "pub" ? pubKey(wish.type) : wish.stream.id;

/** @param vcodes the codecs that this browser can send, best first */
export const newConnection = (wish: Wish, vcodes: readonly VideoCodec[]): Connection => ({
  key: keyOf(wish),
  wish,
  state: "none",
  rtcId: null,
  rebuilds: 0,
  failures: 0,
  timer: null,
  layer: "high",
  vcodes,
  turn: 0,
});

/** Whether media can flow. The next core needs these connections. */
export const isEstablished = ({ state }: Connection): boolean =>
  state === "connected" || state === "weak";

/** Whether requests of the connection may be unanswered since the session was lost. */
export const isUnanswered = ({ state }: Connection): boolean =>
  state === "failed" || state === "connecting" || state === "rebuilding";

/** What a state in the tab means to the connection table; null: nothing. */
export function eventOf(
  state: Extract<ConferenceMediaEvent, { t: "ice" }>["state"],
): ConferenceConnectionEvent["type"] | null {
  switch (state) {
    case "checking":
      return "progress";
    case "connected":
    case "completed":
      return "up";
    case "disconnected":
      return "down";
    case "failed":
    case "closed":
      return "lost";
    default:
      return null;
  }
}

/**
 * The codecs to offer after the server asked to switch, best first; null when nothing changes.
 *
 * @param wanted the codecs that the server named
 * @param current the codec that is sent now
 */
export function codecsAfterSwitch(
  known: readonly VideoCodec[],
  wanted: readonly VideoCodec[],
  current: VideoCodec | undefined,
): readonly VideoCodec[] | null {
  const [first] = wanted;
  if (first === undefined || first === current) return null;
  // Keep the other codecs: the next member may support only those.
  return [...new Set([...wanted, ...known])];
}
