/** Op 102 with subSId: subscribes to a stream over a separate connection. Op 205 changes what it carries. */
import { CONFR_END, CONFR_RESULT } from "../../../shared/protocol/confr-signalling.ts";
import { RESULT, OP } from "../../../shared/protocol/signalling.ts";
import {
  describe,
  type Frame,
  type MediaCalls,
  NO_CONNECTION,
  type Offer,
  reply,
  TAKEN,
  UNAVAILABLE,
} from "./media-calls.ts";
import { sendToMember } from "./state.ts";
import { commonCodecs } from "./streams.ts";
import type { Session, StreamState, Verdict } from "./types.ts";

const NO_STREAM: Verdict = { result: RESULT.notFound, msg: "流不存在" };
const OWN_STREAM: Verdict = { result: RESULT.notAllowed, msg: "不能订阅自己的流" };

export function createSubscribe({ connections, verdictOf, restart }: MediaCalls) {
  /**
   * Handles a codec that the subscriber cannot decode. If another codec suits all subscribers, it asks the publisher to use it
   * (reason 21). Otherwise it informs the subscriber that it cannot receive this stream (reason 22).
   */
  function codecTrouble(
    session: Session,
    stream: StreamState,
  ): (Verdict & { endReason?: number }) | null {
    const [vcodec] = stream.info.vcodes;
    const { vcodes } = session.member;
    if (vcodec === undefined || vcodes.length === 0 || vcodes.includes(vcodec)) return null;
    const { conference } = session;
    const subscribers = connections
      .connectionsOf(stream.info.id)
      .filter(({ kind }) => kind === "sub");
    const common = commonCodecs(stream.vcodes, [session, ...subscribers.map((s) => s.session)]);
    if (common.length === 0) {
      return {
        result: RESULT.notAllowed,
        msg: "SubFailNotSupportVCodes",
        endReason: CONFR_END.codecUnsupported,
      };
    }
    const now = conference.deps.clock.now();
    if (now >= stream.switchingUntil) {
      stream.switchingUntil = now + conference.deps.timings.codecSwitch;
      sendToMember(stream.owner, {
        op: OP.terminate,
        sessId: stream.owner.sessId,
        rtcId: stream.rtcId,
        endReason: CONFR_END.switchCodec,
        useVCodes: common,
      });
    }
    return { result: CONFR_RESULT.mediaUnavailable, msg: "正在切换视频编码，请稍候" };
  }

  async function subscribe(
    session: Session,
    frame: Frame<typeof OP.offer>,
    subSId: string,
    { sdp, fingerprint }: Offer,
  ): Promise<void> {
    const { conference, sessId } = session;
    const { rtcId, subSVideo = true, subSAudio = true, layer = "high", cctx } = frame;
    const answer = (verdict: Verdict & { endReason?: number }): void =>
      reply(session, frame, { rtcId, streamId: subSId, ...verdict });
    const stream = conference.streams.get(subSId);
    if (stream === undefined) return answer(NO_STREAM);
    if (stream.owner === session) return answer(OWN_STREAM);
    const known = connections.find(session, rtcId);
    if (known !== undefined && known.fingerprint === fingerprint && known.streamId === subSId) {
      const { verdict, description } = known.ready ? await restart(known, sdp) : TAKEN;
      known.cctx = cctx;
      answer(verdict);
      if (description !== undefined) describe(known, description);
      return;
    }
    if (known?.kind === "pub") return answer(TAKEN.verdict);
    const trouble = subSVideo ? codecTrouble(session, stream) : null;
    if (trouble !== null) {
      answer(trouble);
      const { endReason } = trouble;
      if (endReason !== undefined) {
        sendToMember(session, { op: OP.terminate, sessId, rtcId, endReason });
      }
      return;
    }
    const publisher = connections
      .connectionsOf(subSId)
      .find(({ kind, ready }) => kind === "pub" && ready);
    if (publisher === undefined) return answer(UNAVAILABLE);
    // One connection per stream, plus slack for those being set up.
    if (connections.countOf(session) > 2 * conference.streams.size + 8) {
      return answer({ ...UNAVAILABLE, msg: "同时建立的连接过多" });
    }
    // The client built its connection again under the same rtcId.
    if (known !== undefined) connections.close(known);
    const { node } = publisher;
    const connection = connections.open(session, {
      node,
      rtcId,
      kind: "sub",
      streamId: subSId,
      fingerprint,
      cctx,
    });
    try {
      const description = await connections.request(
        connection,
        node.subscribe({
          id: connection.id,
          conferenceId: conference.spec.id,
          publisher: publisher.id,
          offer: sdp,
          video: subSVideo,
          audio: subSAudio,
          layer,
        }),
      );
      if (!connections.isOpen(connection)) return answer(UNAVAILABLE);
      for (const other of connections.connectionsOf(subSId)) {
        if (other.session === session && other !== connection && other.ready) {
          connections.close(other);
        }
      }
      connection.ready = true;
      connection.layer = layer;
      answer({ result: RESULT.ok });
      describe(connection, description);
    } catch (error) {
      connections.close(connection);
      answer(verdictOf(error, "subscribe"));
    }
  }

  /** Op 205: changes what a subscription is sent. */
  function select(session: Session, frame: Frame<typeof OP.subscribe>): void {
    const { rtcId, subSId, subSVideo, subSAudio } = frame;
    const answer = (verdict: Verdict): void => reply(session, frame, { rtcId, ...verdict });
    const stream = session.conference.streams.get(subSId);
    const known = connections.find(session, rtcId);
    if (stream === undefined || known?.kind !== "sub" || known.streamId !== subSId || !known.ready)
      return answer(NO_CONNECTION);
    // A connection that carries sound goes on without the picture.
    const trouble = subSVideo ? codecTrouble(session, stream) : null;
    if (trouble !== null) return answer(trouble);
    const { layer = known.layer } = frame;
    known.layer = layer;
    known.node.select(known.id, { video: subSVideo, audio: subSAudio, layer });
    answer({ result: RESULT.ok });
  }
  return { subscribe, select };
}
