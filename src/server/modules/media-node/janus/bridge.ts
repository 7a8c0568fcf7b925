/**
 * Lets a subscriber's offer meet an offer of Janus, whose videoroom never answers a subscriber. Each side gets an answer that is
 * written from the other side's offer: ICE settles who controls, and the subscriber begins the DTLS handshake.
 */
import { parseSdp, type Sdp } from "../sdp/parse.ts";
import { ABS_SEND_TIME_URI, invalid } from "../sdp/plan.ts";
import type { SubscribePlan } from "../sdp/subscribe-plan.ts";
import { answeredSection, type WrittenSection, writeSdp } from "../sdp/write.ts";

export interface Bridge {
  /** The answer to Janus. */
  readonly toJanus: string;
  /** The answer to the subscriber. */
  readonly toSubscriber: string;
}

/**
 * Janus sends each packet by the payload type of its publisher, so the subscriber's offer must have the same one for the codec.
 *
 * @param stream name of the media stream
 * @returns null when the payload types differ
 */
export function bridge(plan: SubscribePlan, offer: string, stream: string): Bridge | null {
  const janus = parseSdp(offer);
  if (typeof janus === "string") throw invalid(janus);
  const ice = janus.sections[0]?.ice ?? null;
  if (ice === null) throw invalid("ICE or DTLS parameters are missing");
  const answers = janus.sections.map((section) => answerTo(section, plan));
  if (answers.some((answer) => answer === null)) return null;
  const written = plan.sections.map((section) =>
    answeredSection(
      section.route === null ? section : { ...section, route: { ...section.route, rtx: null } },
      ({ kind }) => ({
        ssrc: janus.sections.find((one) => one.kind === kind)?.ssrcs[0] ?? 0,
        rtxSsrc: 0,
        stream,
      }),
    ),
  );
  const candidates = janus.sections.flatMap((section) => section.candidates);
  return {
    toJanus: writeSdp(
      { ...plan.ice, setup: "active", candidates: plan.candidates },
      answers.filter((answer) => answer !== null),
    ),
    toSubscriber: writeSdp({ ...ice, setup: "passive", candidates }, written),
  };
}

/** @returns null when Janus would send by a payload type that the subscriber has not offered for the codec */
function answerTo(section: Sdp["sections"][number], plan: SubscribePlan): WrittenSection | null {
  const route = section.kind === "audio" ? plan.audio : plan.video;
  const map = section.maps[0];
  if (route === null || map === undefined || map.payloadType !== route.payloadType) return null;
  const { kind, payloadType, codec, fmtp, feedback, absSendTime } = route;
  return {
    kind,
    mid: section.mid,
    direction: "recvonly",
    payloadType,
    codec,
    fmtp,
    feedback: feedback.filter((one) => map.feedback.includes(one)),
    extensions: absSendTime === 0 ? [] : [{ id: absSendTime, uri: ABS_SEND_TIME_URI }],
  };
}
