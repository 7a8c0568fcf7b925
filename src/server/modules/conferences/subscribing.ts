/** Op 205: subscribes to a stream over a separate connection. The same connection again changes what it carries. */
import { CONFR_END, CONFR_OP, CONFR_RESULT } from "../../../shared/protocol/confr-signalling.ts";
import { RESULT } from "../../../shared/protocol/signalling.ts";
import { type Frame, type MediaCalls, reply, TAKEN, UNAVAILABLE } from "./media-calls.ts";
import { tellOne } from "./state.ts";
import { commonCodecs } from "./streams.ts";
import type { Session, StreamState, Verdict } from "./types.ts";

export function createSubscribe({ connections, verdictOf, restart }: MediaCalls) {
  /**
   * Handles a codec that the subscriber cannot decode. If another codec suits all subscribers, it asks the publisher to use it
   * (reason 21). Otherwise it informs the subscriber that it cannot receive this stream (reason 22).
   */
  function codecTrouble(
    session: Session,
    stream: StreamState,
  ): (Verdict & { endReason?: number }) | null {
    const { vcodec, hasVideo } = stream.info;
    const { vcodes } = session.member;
    if (!hasVideo || vcodec === null || vcodes.length === 0 || vcodes.includes(vcodec)) return null;
    const { conference } = session;
    const subscribers = connections.of(stream.info.id).filter(({ kind }) => kind === "sub");
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
      tellOne(stream.owner, {
        op: CONFR_OP.terminate,
        sessId: stream.owner.sessId,
        rtcId: stream.info.rtcId,
        endReason: CONFR_END.switchCodec,
        vcodes: common,
      });
    }
    return { result: CONFR_RESULT.mediaUnavailable, msg: "正在切换视频编码，请稍候" };
  }

  async function subscribe(
    session: Session,
    frame: Frame<typeof CONFR_OP.subscribe>,
  ): Promise<void> {
    const { conference, sessId } = session;
    const { tsxId, rtcId, subSId, subSVideo, subSAudio, layer } = frame;
    const answer = (verdict: Verdict & { sdp?: string; endReason?: number }): void =>
      reply(session, { op: CONFR_OP.subscribe, tsxId, sessId, rtcId, ...verdict });
    const stream = conference.streams.get(subSId);
    if (stream === undefined) return answer({ result: RESULT.notFound, msg: "流不存在" });
    if (stream.owner === session) {
      return answer({ result: RESULT.notAllowed, msg: "不能订阅自己的流" });
    }
    const known = connections.find(session, rtcId);
    if (
      known !== undefined &&
      (known.kind === "pub" || known.streamId !== subSId || !known.ready)
    ) {
      return answer(TAKEN);
    }
    const trouble = subSVideo ? codecTrouble(session, stream) : null;
    if (trouble !== null) {
      answer(trouble);
      const { endReason } = trouble;
      // A connection that carries sound continues.
      if (endReason !== undefined && known === undefined) {
        tellOne(session, { op: CONFR_OP.terminate, sessId, rtcId, endReason });
      }
      return;
    }
    if (known !== undefined) {
      if (frame.restart) return answer(await restart(known));
      known.node.select(known.id, { video: subSVideo, audio: subSAudio, layer });
      return answer({ result: RESULT.ok });
    }
    const publisher = connections.of(subSId).find(({ kind, ready }) => kind === "pub" && ready);
    if (publisher === undefined) return answer(UNAVAILABLE);
    // One connection per stream, plus slack for those being set up.
    if (connections.countOf(session) > 2 * conference.streams.size + 8) {
      return answer({ result: RESULT.notAllowed, msg: "同时建立的连接过多" });
    }
    const { node } = publisher;
    const connection = connections.open(session, { node, rtcId, kind: "sub", streamId: subSId });
    try {
      const { offer } = await connections.request(
        connection,
        node.subscribe({
          id: connection.id,
          confrId: conference.spec.id,
          publisher: publisher.id,
          video: subSVideo,
          audio: subSAudio,
          layer,
        }),
      );
      if (!connections.isOpen(connection)) return answer(UNAVAILABLE);
      for (const other of connections.of(subSId)) {
        if (other.session === session && other !== connection && other.ready) {
          connections.close(other);
        }
      }
      connection.ready = true;
      answer({ result: RESULT.ok, sdp: offer });
    } catch (error) {
      connections.close(connection);
      answer(verdictOf(error, "subscribe"));
    }
  }
  return subscribe;
}
