/** The negotiation of one conference connection: commands to the tab, requests to the server, and the handling of their answers. */
import type { ConferenceConnectionEvent } from "../../../shared/domain/conference-connection.ts";
import type { ConferenceConnectionState } from "../../../shared/domain/conference-states.ts";
import type { ConfrCommand } from "../../../shared/protocol/confr-media.ts";
import {
  CONFR_OP,
  CONFR_RESULT,
  type ConfrStream,
  type Layer,
  type VideoCodec,
} from "../../../shared/protocol/confr-signalling.ts";
import { RESULT } from "../../../shared/protocol/signalling.ts";
import type { Timer } from "../contracts.ts";
import type { Answer } from "./pending.ts";
import type { ConferenceRequest } from "./session.ts";

export type OwnType = 0 | 1;
export interface PublishWish {
  readonly kind: "pub";
  readonly type: OwnType;
  readonly ext: string;
}
export interface SubscribeWish {
  readonly kind: "sub";
  readonly stream: ConfrStream;
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
  timer: Timer | null;
  /** The layer that the tiles need. Used by subscriptions only. */
  layer: Layer;
  vcodes: readonly VideoCodec[];
  /** Grows each time the connection is closed. Answers to requests of an earlier turn are ignored. */
  turn: number;
  /** Whether the media node may be asked to restart ICE. False after it refused once. */
  restarts: boolean;
}

export interface NegotiationDeps {
  readonly ask: (request: ConferenceRequest) => Promise<Answer>;
  readonly say: (request: ConferenceRequest) => string | null;
  readonly command: (command: ConfrCommand) => void;
  /** Id, codec, flags and size of the own stream of a type. */
  readonly own: (type: OwnType) => {
    readonly id: string | null;
    readonly vcodec: VideoCodec | null;
    readonly voff: 0 | 1;
    readonly aoff: 0 | 1;
    readonly resolution: ConfrStream["resolution"];
  };
  readonly reachable: () => boolean;
  /** Whether the connection still exists. */
  readonly isKnown: (one: Connection) => boolean;
  readonly dispatch: (one: Connection, type: ConferenceConnectionEvent["type"]) => void;
  readonly onPublished: (one: Connection, type: OwnType, stream: ConfrStream) => void;
  /** The server refused, and another attempt would not change that. */
  readonly onRefused: (one: Connection, answer: Answer, endReason: number | null) => void;
}

export interface Negotiation {
  /** Starts the connection `rtcId`, or restarts its ICE with `again`. */
  begin(one: Connection, rtcId: string, again: boolean): void;
  /** Tells the server which media and layer of a subscription it should send. */
  select(one: Connection): void;
  offered(one: Connection, rtcId: string, sdp: string, again: boolean): Promise<void>;
  answered(one: Connection, rtcId: string, sdp: string): Promise<void>;
}

/** Results of failures that may pass: a later attempt can succeed. */
const PASSING: readonly number[] = [
  CONFR_RESULT.mediaUnavailable,
  RESULT.requestTimeout,
  RESULT.clientFailure,
];

export function createNegotiation(deps: NegotiationDeps): Negotiation {
  const isCurrent = (one: Connection, rtcId: string, turn: number): boolean =>
    one.rtcId === rtcId && one.turn === turn && deps.isKnown(one);
  const subscription = ({ stream, video, audio }: SubscribeWish, layer: Layer) => ({
    op: CONFR_OP.subscribe,
    subSId: stream.id,
    subSVideo: video,
    subSAudio: audio,
    layer,
  });

  function failed(one: Connection, answer: Answer, again: boolean): void {
    const { result, signal } = answer;
    // Without a session nothing was refused: the request is repeated after the next enter.
    if (signal === null && !deps.reachable()) return;
    if (again) {
      if (result === RESULT.notAllowed) one.restarts = false;
      return deps.dispatch(one, "refused");
    }
    if (PASSING.includes(result)) return deps.dispatch(one, "refused");
    const endReason = signal !== null && "endReason" in signal ? (signal.endReason ?? null) : null;
    deps.onRefused(one, answer, endReason);
  }

  async function subscribe(
    one: Connection,
    wish: SubscribeWish,
    rtcId: string,
    restart: boolean,
  ): Promise<void> {
    const { turn } = one;
    const answer = await deps.ask({ ...subscription(wish, one.layer), rtcId, restart });
    if (!isCurrent(one, rtcId, turn)) return;
    const { signal, result } = answer;
    if (result !== RESULT.ok || signal?.op !== CONFR_OP.subscribe || signal.sdp === undefined) {
      return failed(one, answer, restart);
    }
    const { id: streamId, memId, type } = wish.stream;
    const { video, audio } = wish;
    const { sdp } = signal;
    deps.command({ t: "subscribe", rtcId, streamId, memId, type, sdp, video, audio });
  }

  return {
    begin(one, rtcId, again) {
      const { wish } = one;
      if (wish.kind === "sub") {
        void subscribe(one, wish, rtcId, again);
        return;
      }
      deps.command({
        t: "publish",
        rtcId,
        type: wish.type,
        vcodes: [...one.vcodes],
        simulcast: wish.type === 0,
        restart: again,
        // Congestion feedback finds the bitrate that can be sent.
        maxVideoBitrate: null,
        maxAudioBitrate: null,
      });
    },
    select(one) {
      if (one.wish.kind !== "sub" || one.rtcId === null) return;
      deps.say({ ...subscription(one.wish, one.layer), rtcId: one.rtcId, restart: false });
    },
    async offered(one, rtcId, sdp, again) {
      if (one.wish.kind !== "pub") return;
      const { turn } = one;
      const { type, ext } = one.wish;
      const { id, voff, aoff, resolution } = deps.own(type);
      const answer = await deps.ask({
        op: CONFR_OP.publish,
        rtcId,
        sdp,
        pubS: {
          ...(id === null ? {} : { id }),
          type,
          voff,
          aoff,
          vcodes: [...one.vcodes],
          resolution,
          ext,
        },
      });
      if (!isCurrent(one, rtcId, turn)) return;
      const { signal, result } = answer;
      if (result !== RESULT.ok || signal?.op !== CONFR_OP.publish || signal.sdp === undefined) {
        return failed(one, answer, again);
      }
      deps.command({ t: "answer", rtcId, sdp: signal.sdp });
      if (signal.stream !== undefined) deps.onPublished(one, type, signal.stream);
    },
    async answered(one, rtcId, sdp) {
      const { turn } = one;
      const { result } = await deps.ask({ op: CONFR_OP.answer, rtcId, sdp });
      if (result !== RESULT.ok && isCurrent(one, rtcId, turn) && deps.reachable()) {
        deps.dispatch(one, "refused");
      }
    },
  };
}
