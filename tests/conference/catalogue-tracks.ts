/** Rows of the catalogue (catalogue.ts) for own tracks, typed events and the events of elements. */
import type { checks as faceConditions } from "../../src/conference-lib/face/conditions.test.ts";
import type { checks as facePublishing } from "../../src/conference-lib/face/publishing.test.ts";
import type { RowsOf } from "../../src/shared/row-checks.harness.ts";
import type { checks as coreSignals } from "../../src/workers/core/conferences/signals.test.ts";

export type TrackChecks = typeof faceConditions & typeof facePublishing & typeof coreSignals;

const face = (section: "3" | "4" | "5" | "7" | "8" | "9", text: string) =>
  ({ section, side: "face", text }) as const;
const core = (section: "7" | "8", text: string) => ({ section, side: "core", text }) as const;

export const TRACK_ROWS = {
  "publish.bitrates": face("9", "maxVideoBitrate, maxAudioBitrate"),
  "publish.forced": face("9", "video, minimum video and audio bitrates can be forced"),
  "element.events": face("3", "video elements answer these events: hungup … freeRemoteControl"),
  "typed.push-fail": face("8", "PushFail"),
  "typed.sub-fail": face("8", "SubFail"),
  "typed.success": face("4", "push-success (local) or sub-success (remote) fires"),
  "typed.weak": face("4", "a network-weak callback fires after 1 s"),
  "typed.open-media": face("8", "open media error. {name} when get camera"),
  "typed.nonactive": face("8", "NotAllowedStreamNonactive with message 'stream non-active'"),
  "typed.refuse-enter": face("8", "ServerRefuseEnter"),
  "typed.enter-fail": face("8", "EnterFail"),
  "typed.sub-codecs": face("8", "SubFailNotSupportVCodes"),
  "typed.network": face("8", "NetworkChanaged"),
  "typed.ticket": face("8", "our own: the ticket is about to end, or has ended"),
  "typed.live": face("7", "452 live configs changed: liveCfgs"),
  "typed.desktop-denied": face("8", "OpenDesktopMediaAccessDenied"),
  "signal.network": core("8", "NetworkChanaged"),
  "signal.ticket": core("8", "our own: the ticket is about to end, or has ended"),
  "signal.codecs": core("8", "SubFailNotSupportVCodes"),
  "signal.live": core("7", "452 live configs changed"),
  "signal.refused": core("8", "ServerRefuseEnter"),
  "signal.failed": core("8", "EnterFail"),
} as const satisfies Readonly<Record<RowsOf<keyof TrackChecks>, object>>;
