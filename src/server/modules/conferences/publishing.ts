/** Op 102 with pubS, or op 200 with it: publishes a stream, publishes it again, or restarts ICE of its connection. */
import { VIDEO_CODECS } from "../../../shared/protocol/confr-model.ts";
import { type ConferenceServerSignal } from "../../../shared/protocol/confr-signalling.ts";
import { CONFERENCE_REFUSALS } from "../../../shared/domain/conference-refusals.ts";
import { CONFERENCE_ROLE, STREAM_TYPE } from "../../../shared/domain/conference-types.ts";
import { RESULT, OP } from "../../../shared/protocol/signalling.ts";
import type { AnswerBody } from "../../base/signalling/contracts.ts";
import { flagsOf, heldOf } from "./holding.ts";
import {
  describe,
  type Frame,
  type MediaCalls,
  type Offer,
  TAKEN,
  UNAVAILABLE,
} from "./media-calls.ts";
import { sendToMember } from "./state.ts";
import { codecsOf, commonCodecs, putStream, reserve, tellStream } from "./streams.ts";
import type { Session } from "./types.ts";

/** Whether the offer sends this kind. A section with port 0 may be bundled and still be used. */
const offers = (sdp: string, kind: "audio" | "video"): boolean =>
  sdp
    .split(/^(?=m=)/m)
    .some(
      (section) =>
        section.startsWith(`m=${kind} `) && !/^a=(?:recvonly|inactive)\r?$/m.test(section),
    );

export function createPublish({ connections, verdictOf, restart }: MediaCalls) {
  return async function publish(
    session: Session,
    { rtcId, cctx }: Pick<Frame<typeof OP.offer>, "rtcId" | "cctx">,
    pubS: NonNullable<Frame<typeof OP.offer>["pubS"]>,
    { sdp, fingerprint }: Offer,
    answer: (body: AnswerBody<ConferenceServerSignal>) => void,
  ): Promise<void> {
    const { conference, sessId } = session;
    const known = connections.find(session, rtcId);
    if (known !== undefined && known.fingerprint === fingerprint && known.kind === "pub") {
      const { streamId } = known;
      const { verdict, description } = known.ready ? await restart(known, sdp) : TAKEN;
      known.cctx = cctx;
      answer({ rtcId, streamId, ...verdict });
      if (description !== undefined) describe(known, description);
      return;
    }
    if (known?.kind === "sub") return answer({ rtcId, ...TAKEN.verdict });
    const place = reserve(session, {
      id: pubS.id,
      type: pubS.type,
      voff: pubS.voff,
      hasVideo: offers(sdp, "video"),
      hasAudio: offers(sdp, "audio"),
    });
    if ("result" in place) {
      const { endReason } = place;
      answer({ rtcId, ...place });
      if (endReason !== undefined) {
        sendToMember(session, { op: OP.terminate, sessId, rtcId, endReason });
      }
      return;
    }
    const { streamId } = place;
    const node = connections.place(conference);
    if (node === null) {
      conference.publishing.delete(place);
      answer({ rtcId, ...UNAVAILABLE });
      return;
    }
    // The client built its connection again under the same rtcId.
    if (known !== undefined) connections.close(known);
    const connection = connections.open(session, {
      node,
      rtcId,
      kind: "pub",
      streamId,
      fingerprint,
      cctx,
    });
    const given = pubS.vcodes.length === 0 ? VIDEO_CODECS : pubS.vcodes;
    // A client that publishes again may do so in order to change the codec, so its order counts.
    const wanted = codecsOf(pubS.id === undefined ? conference.spec.vcodes : [], given);
    // Codecs that all members support come first, so that nobody has to switch.
    const vcodes = codecsOf(commonCodecs(wanted, conference.sessions.values()), wanted);
    const held = heldOf(flagsOf(session, pubS.type, pubS));
    try {
      const {
        answer: description,
        vcodec,
        ...media
      } = await connections.request(
        connection,
        node.publish({
          id: connection.id,
          conferenceId: conference.spec.id,
          offer: sdp,
          vcodes,
          held,
        }),
      );
      const valid = conference.publishing.delete(place) && !conference.ended;
      if (!valid || !connections.isOpen(connection)) {
        connections.close(connection);
        const audience = !session.gone && session.member.role === CONFERENCE_ROLE.audience;
        answer({
          rtcId,
          ...(audience
            ? { result: RESULT.notAllowed, msg: CONFERENCE_REFUSALS.audience }
            : UNAVAILABLE),
        });
        return;
      }
      for (const other of connections.connectionsOf(streamId)) {
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
          voff,
          aoff,
          resolution,
          ext,
          ...media,
          // A mixer has no picture, whatever is offered.
          hasVideo: media.hasVideo && type !== STREAM_TYPE.mixer,
          vcodes: vcodec === null ? [] : [vcodec],
          layers: [...media.layers],
        },
        rtcId,
        wanted,
      );
      // An admin may have muted the member while the node answered.
      const now = heldOf(stream.info);
      if (now.audio !== held.audio || now.video !== held.video) node.hold(connection.id, now);
      tellStream(conference, stream);
      const { cver } = conference;
      answer({ rtcId, result: RESULT.ok, streamId, stream: stream.info, cver });
      describe(connection, { type: "answer", sdp: description });
    } catch (error) {
      conference.publishing.delete(place);
      connections.close(connection);
      answer({ rtcId, ...verdictOf(error, "publish") });
    }
  };
}
