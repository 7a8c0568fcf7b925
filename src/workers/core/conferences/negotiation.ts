/** How one connection of a conference comes about: orders to the tab, requests to the server, and what their answers mean. */
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
  /** pub:0, pub:1, or the stream's id. */
  readonly key: string;
  wish: Wish;
  state: ConferenceConnectionState;
  rtcId: string | null;
  rebuilds: number;
  timer: Timer | null;
  /** Of a subscription: what the tiles need. */
  layer: Layer;
  vcodes: readonly VideoCodec[];
  /** An answer to what was built before is nobody's. */
  turn: number;
  /** A node that has once refused to restart ICE is not asked again. */
  restarts: boolean;
}

export interface NegotiationDeps {
  readonly ask: (request: ConferenceRequest) => Promise<Answer>;
  readonly say: (request: ConferenceRequest) => string | null;
  readonly command: (command: ConfrCommand) => void;
  /** Flags and id of what is published under a type, and the codec that it has. */
  readonly own: (type: OwnType) => {
    readonly id: string | null;
    readonly vcodec: VideoCodec | null;
    readonly voff: 0 | 1;
    readonly aoff: 0 | 1;
    readonly resolution: ConfrStream["resolution"];
  };
  readonly reachable: () => boolean;
  /** Whether it is known still. */
  readonly isKnown: (one: Connection) => boolean;
  readonly dispatch: (one: Connection, type: ConferenceConnectionEvent["type"]) => void;
  readonly onPublished: (one: Connection, type: OwnType, stream: ConfrStream) => void;
  /** No second try will change it. */
  readonly onRefused: (one: Connection, answer: Answer, endReason: number | null) => void;
}

export interface Negotiation {
  /** The connection `rtcId` is to be made, or with `again` its ICE restarted. */
  begin(one: Connection, rtcId: string, again: boolean): void;
  /** Changes what comes over a subscription. */
  select(one: Connection): void;
  offered(one: Connection, rtcId: string, sdp: string, again: boolean): Promise<void>;
  answered(one: Connection, rtcId: string, sdp: string): Promise<void>;
}

/** What the next try may well get. */
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
    // without the session nothing was refused: what is entered anew is asked anew
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
        // what can be sent is found by feedback
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
