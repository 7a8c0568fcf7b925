/** The negotiation of one conference connection: commands to the tab, requests to the server, and the handling of their answers. */
import type { StreamType } from "../../../shared/domain/conference-types.ts";
import type { ConferenceConnectionEvent } from "../../../shared/domain/conference-connection.ts";
import type { ConferenceMediaCommand } from "../../../shared/protocol/confr-media.ts";
import { type ConferenceStream, type VideoCodec } from "../../../shared/protocol/confr-model.ts";
import {
  CONFR_END,
  CONFR_RESULT,
  type MediaDescription,
  writeDescription,
} from "../../../shared/protocol/confr-signalling.ts";
import { RESULT, OP } from "../../../shared/protocol/signalling.ts";
import type { PublishSettings } from "../../../shared/protocol/confr-publish.ts";
import { sendSettings } from "./publication.ts";
import type { Connection, OwnType, PublishWish, SubscribeWish } from "./connection.ts";
import type { Answer } from "./session.ts";
import type { ConferenceRequest } from "./session.ts";

export interface NegotiationDeps {
  readonly ask: (request: ConferenceRequest) => Promise<Answer>;
  readonly sendWithoutAnswer: (request: ConferenceRequest) => string | null;
  readonly command: (command: ConferenceMediaCommand) => void;
  /** Id, type, codec, flags and size of what this member publishes. */
  readonly own: (type: OwnType) => {
    readonly id: string | null;
    readonly sentAs: StreamType;
    readonly vcodec: VideoCodec | undefined;
    readonly voff: 0 | 1;
    readonly aoff: 0 | 1;
    readonly resolution: ConferenceStream["resolution"];
  };
  /** How the own stream of a type is sent. */
  readonly settings: (type: OwnType) => PublishSettings;
  readonly reachable: () => boolean;
  /** Whether the connection still exists. */
  readonly isKnown: (one: Connection) => boolean;
  readonly dispatch: (one: Connection, type: ConferenceConnectionEvent["type"]) => void;
  /** @param cver the version of the conference that has the stream */
  readonly onPublished: (
    one: Connection,
    type: OwnType,
    stream: ConferenceStream,
    cver: number | undefined,
  ) => void;
  /** The server refused, and another attempt would not change that. */
  readonly onRefused: (one: Connection, answer: Answer, endReason: number | null) => void;
}

export interface Negotiation {
  /** Starts the connection `rtcId`, or restarts its ICE with `again`. */
  begin(one: Connection, rtcId: string, again: boolean): void;
  /** Tells the server which media and layer of a subscription it should send. */
  select(one: Connection): void;
  /** The tab has made an offer. */
  offered(one: Connection, rtcId: string, sdp: string, again: boolean): Promise<void>;
  /** The media node has sent its description. */
  described(rtcId: string, description: MediaDescription): void;
  /** The tab has answered an offer of the media node. */
  answered(one: Connection, rtcId: string, sdp: string): Promise<void>;
}

/** Results of failures to publish that may pass: a later attempt can succeed. */
const PASSING: readonly number[] = [
  CONFR_RESULT.mediaUnavailable,
  RESULT.requestTimeout,
  RESULT.clientFailure,
];

export function createNegotiation(deps: NegotiationDeps): Negotiation {
  const isCurrent = (one: Connection, rtcId: string, turn: number): boolean =>
    one.rtcId === rtcId && one.turn === turn && deps.isKnown(one);
  const subscription = ({ layer }: Connection, { stream, video, audio }: SubscribeWish) => ({
    subSId: stream.id,
    subSVideo: video,
    subSAudio: audio,
    layer,
  });
  const publication = ({ vcodes }: Connection, { type, ext }: PublishWish) => {
    const { id, sentAs, voff, aoff, resolution } = deps.own(type);
    return {
      pubS: {
        ...(id === null ? {} : { id }),
        type: sentAs,
        voff,
        aoff,
        vcodes: [...vcodes],
        resolution,
        ext,
      },
    };
  };

  function failed(one: Connection, answer: Answer, again: boolean): void {
    const { result, signal } = answer;
    // Without a session nothing was refused: the request is repeated after the next enter.
    if (signal === null && !deps.reachable()) return;
    const endReason = signal !== null && "endReason" in signal ? (signal.endReason ?? null) : null;
    // What is subscribed may be sent as long as it exists, unless this browser cannot play it.
    const mayPass =
      one.wish.kind === "sub" ? endReason !== CONFR_END.codecUnsupported : PASSING.includes(result);
    if (again || mayPass) return deps.dispatch(one, "refused");
    deps.onRefused(one, answer, endReason);
  }

  return {
    begin(one, rtcId, again) {
      const { wish } = one;
      if (wish.kind === "sub") {
        const { id: streamId, memId, type } = wish.stream;
        const { video, audio } = wish;
        const head = { t: "subscribe", rtcId, streamId, memId, type } as const;
        deps.command({ ...head, video, audio, restart: again });
        return;
      }
      const { sentAs } = deps.own(wish.type);
      deps.command({
        t: "publish",
        rtcId,
        type: sentAs,
        vcodes: [...one.vcodes],
        restart: again,
        ...sendSettings(sentAs, deps.settings(wish.type)),
      });
    },
    select(one) {
      if (one.wish.kind !== "sub" || one.rtcId === null) return;
      deps.sendWithoutAnswer({
        op: OP.subscribe,
        ...subscription(one, one.wish),
        rtcId: one.rtcId,
      });
    },
    async offered(one, rtcId, sdp, again) {
      const { turn, wish } = one;
      const answer = await deps.ask({
        op: OP.offer,
        rtcId,
        sdp: writeDescription({ type: "OFFER", sdp }),
        ...(wish.kind === "pub" ? publication(one, wish) : subscription(one, wish)),
      });
      if (!isCurrent(one, rtcId, turn)) return;
      const { signal, result } = answer;
      if (result !== RESULT.ok || signal?.op !== OP.response) return failed(one, answer, again);
      if (wish.kind === "pub" && signal.stream !== undefined) {
        deps.onPublished(one, wish.type, signal.stream, signal.cver);
      }
    },
    described(rtcId, { type, sdp }) {
      deps.command({ t: type === "ANSWER" ? "answer" : "offer", rtcId, sdp });
    },
    async answered(one, rtcId, sdp) {
      const { turn } = one;
      const { result } = await deps.ask({
        op: OP.answer,
        rtcId,
        sdp: writeDescription({ type: "ANSWER", sdp }),
      });
      if (result !== RESULT.ok && isCurrent(one, rtcId, turn) && deps.reachable()) {
        deps.dispatch(one, "refused");
      }
    },
  };
}
