/** The current call as the quality module needs it. */
import { STREAM_TYPE } from "../../../shared/domain/conference-types.ts";
import { USUAL_STREAM } from "../../../shared/domain/quality.ts";
import type { MediaEvent } from "../../../shared/protocol/media-port.ts";
import { QUALITY_EVENT } from "../../../shared/protocol/qoe.ts";
import type { Qoe, QoeCall } from "../qoe/contracts.ts";
import { ownSends } from "./own-devices.ts";
import type { CallStore } from "./state.ts";

/** The platform names the streams of a call of two so. @param caller whether the caller sends it */
const streamIdOf = (channel: string, caller: boolean): string =>
  `rtc-${channel}__${caller ? "Caller" : "Callee"}`.slice(0, 160);

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
      const sends = ownSends(calls.slice);
      return {
        local: {
          audio: sends.audio,
          video: video && sends.video && local.picture !== "off",
        },
        remote: {
          audio: !remote.audioMuted,
          video: video && !remote.videoOff && remote.picture !== "off",
        },
      };
    },
    about(_rtcId, direction) {
      const { peer, info } = calls.slice;
      const own = direction === "local";
      const { caller = false, me = "" } = calls.priv ?? {};
      const memName = own ? me : (peer?.userName ?? "");
      return {
        ...USUAL_STREAM,
        id: streamIdOf(info?.channel ?? "", caller === own),
        type: STREAM_TYPE.camera,
        memName,
        // In a call of two a member has its name as its id.
        memId: memName,
      };
    },
    devices() {
      const { local, info } = calls.slice;
      return info?.media === "video"
        ? { microphone: local.microphone, camera: local.camera }
        : { microphone: local.microphone };
    },
    onNoData,
  };
}

/** What the owner tab says that belongs to the quality of the call. */
export function noteMediaEvent(qoe: Qoe, event: MediaEvent): void {
  if (event.t === "samples") qoe.samples(event.id, event.samples, event.late);
  else if (event.t === "first-media") qoe.mark("first-media", `${event.kind} ${event.rtcId}`);
  else if (event.t === "autoplay") qoe.mark("autoplay", event.blocked ? "blocked" : "playing");
  else if (event.t === "devices") qoe.mark("devices", event.text);
  else if (event.t === "moved") qoe.event(QUALITY_EVENT.moved, { rtcId: event.rtcId });
  else if (event.t === "ice") {
    qoe.event(QUALITY_EVENT.ice, { rtcId: event.rtcId, detail: event.state });
  }
}
