/** Rows of the catalogue (catalogue.ts) for own tracks, typed events and the events of elements. */
import type { checks as faceConditions } from "../../src/conference-lib/face/conditions.test.ts";
import type { checks as faceFailures } from "../../src/conference-lib/face/failures.test.ts";
import type { checks as faceMixer } from "../../src/conference-lib/face/mixed.test.ts";
import type { checks as facePublishing } from "../../src/conference-lib/face/publishing.test.ts";
import type { RowsOf } from "../../src/shared/row-checks.harness.ts";
import type { checks as mainMix } from "../../src/rtc-main/conference/mix.test.ts";
import type { checks as coreMixing } from "../../src/workers/core/conferences/mixing.test.ts";
import type { checks as coreSocket } from "../../src/workers/core/signalling/socket-transport.test.ts";
import type { checks as coreHosts } from "../../src/workers/core/library-hosts.test.ts";
import type { checks as coreRest } from "../../src/workers/core/conferences/rest.test.ts";
import type { checks as coreRewrites } from "../../src/workers/core/conferences/rewrites.test.ts";
import type { checks as coreLive } from "../../src/workers/core/conferences/live-commands.test.ts";
import type { checks as coreSignals } from "../../src/workers/core/conferences/signals.test.ts";
import type { checks as coreSettings } from "../../src/workers/core/library-settings.test.ts";

export type TrackChecks = typeof faceConditions &
  typeof faceFailures &
  typeof faceMixer &
  typeof facePublishing &
  typeof mainMix &
  typeof coreMixing &
  typeof coreHosts &
  typeof coreSocket &
  typeof coreRest &
  typeof coreRewrites &
  typeof coreLive &
  typeof coreSettings &
  typeof coreSignals;

const face = (section: "1" | "2" | "3" | "4" | "5" | "7" | "8" | "9", text: string) =>
  ({ section, side: "face", text }) as const;
const core = (section: "1" | "2" | "4" | "5" | "6" | "7" | "8" | "9", text: string) =>
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
  "mixer.recorded": core("1", "our own: a recording has the own sound and the mix"),
  "mixer.section": main("our own: the mix comes back over the section that sends"),
  "mixer.element": main("a hidden autoplay audio element per mixed-audio stream"),
  "mixer.rebuilt": main("our own: it goes on over a connection that is built again"),
  "face.mixer": face("1", "an audio-mixer stream is published"),
  "face.mixer-events": face("8", "AudioMixerStreamNotAllowSub, …OnlySubVideo, …RepeatPublish"),
  "face.mix": face("9", "mixed audio stream id '0'"),
  "live.create": core("7", "liveCfg of the request for a ticket"),
  "live.rest": core("7", "livecfg, live/layout and DELETE delete/live"),
  "live.admin": core("5", "addLive and updateLiveLayout need the admin role and a roleToken"),
  "face.live-delete": face("5", "deleteLive without liveId or admin rights only warns"),
  "failure.join": face("8", "-200 join_fail"),
  "failure.devices": face("8", "-201 open_user_media_fail"),
  "failure.push": face("8", "-203 push_fail"),
  "failure.sub": face("8", "-203 sub_fail"),
  "failure.off": face("8", "-203 voff_fail, aoff_fail"),
  "failure.constraints": face("8", "-203 ChanageVideoConstraints_fail"),
  "failure.camera": face("8", "-203 switch_camera_fail"),
  "failure.server": face("7", "errors are tagged server_refuse, or http_error with the status"),
  "hosts.https": core("7", "server.json: rest.hosts; only https hosts are kept"),
  "hosts.token": core("7", "POST /{org}/{app}/token: reachability of the REST prefix"),
  "hosts.fallbacks": core("7", "the DNS fallback list has three hosts"),
  "deploy.found": core("7", "an optional JSON deploy config"),
  "deploy.rewrites": core("7", "it rewrites the socket host, candidates and turn servers"),
  "ticket.query": core("7", "ticket?_ct={time}[&REGION][&CONFRID]"),
  "publish.tracks": face("4", "our own: tracks of the host page are published, and given back"),
  "publish.first-fail": face("8", "PushFail of a publication that never was"),
  "publish.constraints": face("4", "a change of constraints"),
  "publish.constraints-fail": face("4", "it rolls the constraints back on an open-media error"),
  "socket.origin": core("2", "a path is prefixed with the configured origin or the page's host"),
  "socket.scheme": core("2", "the scheme is ws or wss according to the page protocol"),
  "socket.counter": core("2", "a counter is appended as a query parameter on each connection"),
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
  "typed.ice-fail": face("8", "ICE connect fail"),
  "typed.candidate": face("8", "add-candidate error"),
  "signal.ice-fail": core("8", "ICE connect fail; session-description errors are treated as it"),
  "signal.candidate": core("8", "add-candidate error"),
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
