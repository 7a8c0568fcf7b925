/** The current conference as the quality module sees it. */
import type { QoeCall } from "../qoe/contracts.ts";
import type { KeptConference } from "./kept.ts";
import type { Model } from "./model.ts";

export function watchedConference(
  model: Model,
  kept: KeptConference,
  sample: (id: string) => boolean,
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
      model.slice.status === "joined" && model.slice.owner?.ready === true && sample(id),
    // A stream that does not flow is shown on its tile. It says nothing about the whole conference.
    expected: () => ({
      local: { audio: false, video: false },
      remote: { audio: false, video: false },
    }),
    onNoData: () => undefined,
  };
}
