/** Op 102: publishes a stream, publishes it again, or restarts its connection. */
import { CONFR_OP, type VideoCodec } from "../../../shared/protocol/confr-signalling.ts";
import { RESULT } from "../../../shared/protocol/signalling.ts";
import { flagsOf, heldOf } from "./holding.ts";
import { type Frame, type MediaCalls, reply, TAKEN, UNAVAILABLE } from "./media-calls.ts";
import { tellOne } from "./state.ts";
import { commonCodecs, putStream, REFUSALS, reserve, tellStream } from "./streams.ts";
import type { Session } from "./types.ts";

const DEFAULT_CODECS: readonly VideoCodec[] = ["VP8", "H264"];

/** Whether the offer has a section of this kind. A section with port 0 may be bundled and still be used. */
const offers = (sdp: string, kind: "audio" | "video"): boolean =>
  new RegExp(`^m=${kind} `, "m").test(sdp);

export function createPublish({ connections, verdictOf, restart }: MediaCalls) {
  return async function publish(
    session: Session,
    frame: Frame<typeof CONFR_OP.publish>,
  ): Promise<void> {
    const { conference, sessId } = session;
    const { tsxId, rtcId, sdp, pubS } = frame;
    const head = { op: CONFR_OP.publish, tsxId, sessId, rtcId } as const;
    const known = connections.find(session, rtcId);
    if (known !== undefined) {
      const done = known.kind === "pub" && known.ready ? await restart(known, sdp) : TAKEN;
      const stream = conference.streams.get(known.streamId)?.info;
      reply(session, {
        ...head,
        ...done,
        ...(done.result === RESULT.ok && stream !== undefined ? { stream } : {}),
      });
      return;
    }
    const place = reserve(session, {
      id: pubS.id,
      type: pubS.type,
      voff: pubS.voff,
      hasVideo: offers(sdp, "video"),
      hasAudio: offers(sdp, "audio"),
    });
    if ("result" in place) {
      const { endReason } = place;
      reply(session, { ...head, ...place });
      if (endReason !== undefined) {
        tellOne(session, { op: CONFR_OP.terminate, sessId, rtcId, endReason });
      }
      return;
    }
    const { streamId } = place;
    const node = connections.place(conference);
    if (node === null) {
      conference.publishing.delete(place);
      reply(session, { ...head, ...UNAVAILABLE });
      return;
    }
    const connection = connections.open(session, { node, rtcId, kind: "pub", streamId });
    const given = pubS.vcodes.length === 0 ? DEFAULT_CODECS : pubS.vcodes;
    // A client that publishes again may do so in order to change the codec, so its order counts.
    const first =
      pubS.id === undefined ? conference.spec.vcodes.filter((c) => given.includes(c)) : [];
    const wanted = [...first, ...given.filter((codec) => !first.includes(codec))];
    // Codecs that all members support come first, so that nobody has to switch.
    const common = commonCodecs(wanted, conference.sessions.values());
    const held = heldOf(flagsOf(session, pubS.type, pubS));
    const vcodes = [...common, ...wanted.filter((codec) => !common.includes(codec))];
    try {
      const { answer, ...media } = await connections.request(
        connection,
        node.publish({ id: connection.id, confrId: conference.spec.id, offer: sdp, vcodes, held }),
      );
      const valid = conference.publishing.delete(place) && !conference.ended;
      if (!valid || !connections.isOpen(connection)) {
        connections.close(connection);
        const audience = !session.gone && session.member.role === 1;
        reply(session, {
          ...head,
          ...(audience ? { result: RESULT.notAllowed, msg: REFUSALS.audience } : UNAVAILABLE),
        });
        return;
      }
      for (const other of connections.of(streamId)) {
        if (other !== connection) connections.close(other);
      }
      connections.found({ id: streamId });
      connection.ready = true;
      const { type, voff, aoff, resolution, ext } = pubS;
      const stream = putStream(
        session,
        {
          id: streamId,
          type,
          rtcId,
          voff,
          aoff,
          resolution,
          ext,
          ...media,
          layers: [...media.layers],
        },
        wanted,
      );
      // An admin may have muted the member while the node answered.
      const now = heldOf(stream.info);
      if (now.audio !== held.audio || now.video !== held.video) node.hold(connection.id, now);
      reply(session, { ...head, result: RESULT.ok, sdp: answer, stream: stream.info });
      tellStream(conference, stream);
    } catch (error) {
      conference.publishing.delete(place);
      connections.close(connection);
      reply(session, { ...head, ...verdictOf(error, "publish") });
    }
  };
}
