/** Rows of the catalogue (catalogue.ts) for own tracks, typed events and the events of elements. */
import type { checks as faceConditions } from "../../src/conference-lib/face/conditions.test.ts";
import type { checks as faceMixer } from "../../src/conference-lib/face/mixed.test.ts";
import type { checks as facePublishing } from "../../src/conference-lib/face/publishing.test.ts";
import type { RowsOf } from "../../src/shared/row-checks.harness.ts";
import type { checks as mainMix } from "../../src/rtc-main/conference/mix.test.ts";
import type { checks as coreMixing } from "../../src/workers/core/conferences/mixing.test.ts";
import type { checks as coreLive } from "../../src/workers/core/conferences/live-commands.test.ts";
import type { checks as coreSignals } from "../../src/workers/core/conferences/signals.test.ts";
import type { checks as coreSettings } from "../../src/workers/core/library-settings.test.ts";

export type TrackChecks = typeof faceConditions &
  typeof faceMixer &
  typeof facePublishing &
  typeof mainMix &
  typeof coreMixing &
  typeof coreLive &
  typeof coreSettings &
  typeof coreSignals;

const face = (section: "1" | "2" | "3" | "4" | "5" | "7" | "8" | "9", text: string) =>
  ({ section, side: "face", text }) as const;
const core = (section: "1" | "4" | "5" | "6" | "7" | "8" | "9", text: string) =>
  ({ section, side: "core", text }) as const;

const main = (text: string) => ({ section: "2", side: "main", text }) as const;

export const TRACK_ROWS = {
  "mixer.publish": core("1", "an audio-mixer stream is published"),
  "mixer.again": core("4", "our own: it is published again as such, also by another core"),
  "mixer.repeat": core("5", "AudioMixerStreamRepeatPublish"),
  "mixer.sub-sound": core("5", "the sound of a member's mixer stream is not subscribed"),
  "mixer.sub-picture": core("8", "AudioMixerStreamNotAllowOnlySubVideo"),
  "mixer.server": core("1", "types 11 and 12 are mixed: camera and microphone go to the mixer"),
  "mixer.live": core(
    "6",
    "in live conferences the audience subscribes to the mixed stream by itself",
  ),
  "mixer.hangup": core(
    "4",
    "after the hang-up of the own stream the mixed stream is subscribed again",
  ),
  "mixer.choice": core("9", "mixed audio stream id '0': the person may refuse it"),
  "mixer.section": main("our own: the mix comes back over the section that sends"),
  "mixer.element": main("a hidden autoplay audio element per mixed-audio stream"),
  "mixer.rebuilt": main("our own: it goes on over a connection that is built again"),
  "face.mixer": face("1", "an audio-mixer stream is published"),
  "face.mixer-events": face("8", "AudioMixerStreamNotAllowSub, …OnlySubVideo, …RepeatPublish"),
  "face.mix": face("9", "mixed audio stream id '0'"),
  "live.rest": core("7", "livecfg, live/layout and DELETE delete/live"),
  "live.admin": core("5", "addLive and updateLiveLayout need the admin role and a roleToken"),
  "face.live-delete": face("5", "deleteLive without liveId or admin rights only warns"),
  "settings.names": core(
    "9",
    "retry and interval settings come from configuration, by their names",
  ),
  "settings.enter": core("9", "enterTimeout"),
  "settings.copy": core("9", "getCopyIntervalMillis"),
  "settings.upload": core(
    "7",
    "a websocket connects to the quality-upload address from the ticket",
  ),
  "settings.bitrates": face("9", "maxVideoBitrate, maxAudioBitrate and forced ones of a client"),
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
