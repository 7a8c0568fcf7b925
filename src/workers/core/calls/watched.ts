/** The current call as the quality module needs it. */
import type { QoeCall } from "../qoe/contracts.ts";
import type { CallStore } from "./state.ts";

/** @returns null when there is no call */
export function watchedCall(
  calls: CallStore,
  sample: (id: string) => boolean,
  onNoData: QoeCall["onNoData"],
): QoeCall | null {
  const { slice, priv } = calls;
  if (slice.info === null || slice.peer === null || priv === null) return null;
  return {
    callId: slice.info.callId,
    confrId: slice.info.channel,
    sessionId: priv.sessId ?? "",
    memId: priv.memId,
    memName: priv.me,
    peerName: slice.peer.userName,
    uploadUrl: priv.ticket?.qoeUpUrl ?? null,
    // a tab that is still opening its media has no samples, which does not count as missing data
    sample: (id) =>
      calls.slice.status === "chat" && calls.slice.owner?.ready === true && sample(id),
    expected: () => {
      const { local, remote, info } = calls.slice;
      const video = info?.media === "video";
      return {
        local: {
          audio: local.hasAudio && !local.audioMuted,
          video: video && local.hasVideo && !local.videoOff,
        },
        remote: { audio: !remote.audioMuted, video: video && !remote.videoOff },
      };
    },
    onNoData,
  };
}
