/** The current conference as the quality module sees it. */
import { STREAM_TYPE } from "../../../shared/domain/conference-types.ts";
import type { AboutStream, QoeCall } from "../qoe/contracts.ts";
import type { KeptConference } from "./kept.ts";
import type { Media } from "./media-contracts.ts";
import type { Model } from "./model.ts";
import { shouldFlow } from "./quality.ts";

/** Pixels of a picture in a small tile: the small layer is enough for it. */
const SMALL = 160 * 90;

export function watchedConference(
  model: Model,
  kept: KeptConference,
  media: Pick<Media, "sample" | "rtcIdOf">,
): QoeCall {
  const { confrId, ticket, me, sessId } = kept;
  return {
    callId: confrId,
    confrId,
    sessionId: sessId ?? "",
    memId: model.slice.self?.memId ?? "",
    memName: me,
    peerName: "",
    uploadUrl: ticket.qoeUpUrl ?? null,
    // A tab that is still opening its media has no samples. That must not count as missing data.
    sample: (id) =>
      model.slice.status === "joined" && model.slice.owner?.ready === true && media.sample(id),
    about(rtcId): AboutStream | undefined {
      const { members, streams } = model.slice;
      const stream = Object.values(streams).find((one) => media.rtcIdOf(one) === rtcId);
      if (stream === undefined) return undefined;
      return {
        id: stream.id,
        type: stream.type,
        memId: stream.memId,
        memName: members[stream.memId]?.memName ?? "",
        screen: stream.type === STREAM_TYPE.screen,
        pixels: !stream.located && stream.layer !== "high" ? SMALL : null,
        flows: shouldFlow(stream),
      };
    },
    // A stream that does not flow is shown on its tile. It says nothing about the whole conference.
    expected: () => ({
      local: { audio: false, video: false },
      remote: { audio: false, video: false },
    }),
    devices: () => ({ microphone: model.slice.local.microphone, camera: model.slice.local.camera }),
    onNoData: () => undefined,
  };
}
