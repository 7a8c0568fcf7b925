/** The present conference as the quality room sees it. */
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
    uploadTicket: ticket.qoeTktId ?? null,
    // a tab that is still opening its media has nothing to say, which is no lack of data
    sample: (id) =>
      model.slice.status === "joined" && model.slice.owner?.ready === true && sample(id),
    // many streams: what of one does not flow shows at its tile, and is no word on the whole
    expected: () => ({
      local: { audio: false, video: false },
      remote: { audio: false, video: false },
    }),
    onNoData: () => undefined,
  };
}
