/**
 * What docs/conferences.md requires of conferences, one row each: rules, texts, codes, reasons, timings. The type binds each row to the
 * function that checks it: a test file exports its functions by title (`rowChecks`), and a title begins with the ids of the rows
 * that it proves:
 *
 *     export const checks = rowChecks({
 *       "publish.audience: …": async () => …,
 *       "end.23, end.24: publishing stops and a notice says why": async () => …,
 *     });
 *
 * So the compiler refuses a row without a function, and a function whose row has another name or is gone. In a table of cases the field
 * `covers` names the row. The imports are types alone: no test runs here.
 * Not in this catalogue: one-to-one calls, live layouts, statistics.
 */
import type { checks as faceControl } from "../../src/conference-lib/face/remote-control.test.ts";
import type { checks as faceRecording } from "../../src/conference-lib/face/recording.test.ts";
import type { checks as faceClient } from "../../src/conference-lib/face/client.test.ts";
import type { checks as faceCamera } from "../../src/conference-lib/face/remote-camera.test.ts";
import type { Covered } from "../../src/conference-lib/face/refusals.test.ts";
import type { checks as mainCamera } from "../../src/rtc-main/conference/camera-control.test.ts";
import type { checks as mainEngine } from "../../src/rtc-main/conference/engine.test.ts";
import type { checks as mainControl } from "../../src/rtc-main/control/control.test.ts";
import type { checks as mainScreen } from "../../src/rtc-main/conference/screen.test.ts";
import type { checks as mainSound } from "../../src/rtc-main/conference/sound.test.ts";
import type { checks as mainCallDevices } from "../../src/rtc-main/media/call-devices.test.ts";
import type { checks as mainDevices } from "../../src/rtc-main/media/devices.test.ts";
import type { checks as mainOpen } from "../../src/rtc-main/media/open.test.ts";
import type { checks as mainDownload } from "../../src/rtc-main/recording/download.test.ts";
import type { checks as mainRecorder } from "../../src/rtc-main/recording/recorder.test.ts";
import type { checks as mainReading } from "../../src/rtc-main/sound/reading.test.ts";
import type { checks as serverRecording } from "../../src/server/modules/conferences/recording.test.ts";
import type { checks as coreRecording } from "../../src/workers/core/conferences/recording.test.ts";
import type { checks as serverAdminRest } from "../../src/server/modules/conferences/admin-rest.test.ts";
import type { checks as serverAnnotations } from "../../src/server/modules/conferences/annotations.test.ts";
import type { checks as serverMembership } from "../../src/server/modules/conferences/membership.test.ts";
import type { checks as serverRest } from "../../src/server/modules/conferences/rest.test.ts";
import type { checks as serverRoles } from "../../src/server/modules/conferences/roles.test.ts";
import type { checks as serverStreams } from "../../src/server/modules/conferences/streams.test.ts";
import type { checks as serverTalking } from "../../src/server/modules/conferences/talking.test.ts";
import type { checks as serverWire } from "../../src/server/modules/conferences/wire.test.ts";
import type { checks as pictureSpace } from "../../src/shared/domain/picture-space.test.ts";
import type { RowsOf } from "../../src/shared/row-checks.harness.ts";
import { TRACK_ROWS, type TrackChecks } from "./catalogue-tracks.ts";
import type { checks as coreCameraRequests } from "../../src/workers/core/conferences/camera-requests.test.ts";
import type { checks as coreConferences } from "../../src/workers/core/conferences/conferences.test.ts";
import type { checks as coreControlled } from "../../src/workers/core/conferences/control/controlled.test.ts";
import type { checks as coreController } from "../../src/workers/core/conferences/control/controller.test.ts";
import type { checks as coreConnections } from "../../src/workers/core/conferences/connections.test.ts";
import type { checks as coreRefusals } from "../../src/workers/core/conferences/refusals.test.ts";
import type { checks as coreRemoteCamera } from "../../src/workers/core/conferences/remote-camera.test.ts";
import type { checks as coreSession } from "../../src/workers/core/conferences/session.test.ts";

import { CAMERA_ROWS } from "./camera-rows.ts";

/** Which part must implement the row: the core, the tab's media code, the server, or the library's public API. */
type CatalogueSide = "core" | "main" | "server" | "face";
export interface CatalogueRow {
  /** Number of the section in the platform's specification. */
  readonly section: "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9";
  /** A text that is shown or thrown, word for word; else the rule in short. "our own": not in the specification. */
  readonly text: string;
  readonly side: CatalogueSide;
}

/** The functions by their titles. */
type Checks = TrackChecks &
  typeof faceClient &
  typeof faceControl &
  typeof mainControl &
  typeof pictureSpace &
  typeof coreControlled &
  typeof coreController &
  typeof faceCamera &
  typeof mainCamera &
  typeof coreCameraRequests &
  typeof coreRemoteCamera &
  typeof faceRecording &
  typeof mainDownload &
  typeof mainRecorder &
  typeof mainReading &
  typeof serverRecording &
  typeof coreRecording &
  typeof mainEngine &
  typeof mainScreen &
  typeof mainSound &
  typeof mainCallDevices &
  typeof mainDevices &
  typeof mainOpen &
  typeof serverAdminRest &
  typeof serverAnnotations &
  typeof serverMembership &
  typeof serverRest &
  typeof serverRoles &
  typeof serverStreams &
  typeof serverTalking &
  typeof serverWire &
  typeof coreConferences &
  typeof coreConnections &
  typeof coreRefusals &
  typeof coreSession;
/** The rows that a function checks. */
export type CheckedRow = RowsOf<keyof Checks> | Covered;
/** A catalogue with a row for each check, and no other. */
export type Catalogue = Readonly<Record<CheckedRow, CatalogueRow>>;

const row = (
  section: CatalogueRow["section"],
  side: CatalogueSide,
  text: string,
): CatalogueRow => ({ section, side, text });

export const CONFERENCE_CATALOGUE: Catalogue = {
  ...TRACK_ROWS,
  ...CAMERA_ROWS,
  // --- §1 annotations
  "draw.over": row("1", "server", "draw annotations over a stream"),
  "draw.late": row("1", "server", "our own: late joiners have the annotations"),
  "draw.roles": row("1", "server", "our own: who draws, undoes and erases"),
  "draw.clear": row("1", "server", "our own: who clears all and forbids drawing"),
  "draw.rate": row("1", "server", "our own: at most 30 messages a second of a person"),
  "draw.ends": row("1", "server", "our own: annotations end with their stream"),

  // --- §3 and §7 the wire
  "enter.member": row("3", "server", "a member is id, name, res with ops and vcodes"),
  "enter.vcodes": row("3", "server", "the enter response has vcodes"),
  "enter.ticket": row("7", "server", "enter: ticket, also named tkt"),
  "message.answer": row("7", "server", "an answer is op 1001 with tsxId, sessId and result"),
  "message.request": row("7", "server", "1002: memId and arg as JSON, answered by 1001"),
  "message.text": row("7", "server", "1003: memId and arg"),
  "role.own": row("7", "server", "role update 412 goes to the member concerned alone"),

  // --- §4 roles
  "role.ids": row("4", "core", "admin 7, talker 3, audience 1"),
  "role.entered": row("4", "core", "the role comes from the enter response"),
  "role.event": row("4", "core", "the role follows role-update events (role and roleToken)"),
  "role.enforced": row("4", "server", "the server enforces what a role may do"),

  // --- §4 signalling session
  "session.enter": row("4", "core", "connecting, then enter (op 200)"),
  "session.buffered": row("4", "core", "buffered messages are released after about 100 ms"),
  "session.buffered-fail": row("4", "core", "on failure the buffered messages fail with -9527"),
  "session.online": row("4", "core", "it reconnects when the network returns"),
  "session.check": row("4", "core", "it reconnects when the periodic check finds it disconnected"),
  "session.offline": row("4", "core", "when offline, the socket closes and retries stop"),
  "session.one": row("4", "core", "only one current call: a second setup raises CurrentCalling"),
  "session.rebuild": row("4", "core", "50 ms after an enter, failed connections are rebuilt"),
  "session.sync": row("4", "core", "periodic sync starts when an enter succeeds"),
  "session.resume": row("4", "core", "the session is resumed with its former sessId"),
  "session.exit": row("4", "core", "the end of a session removes the streams and fires an exit"),
  "session.close": row("4", "core", "the signalling session closes 500 ms later"),
  "session.disband": row("4", "core", "exit with close: op 204, reason 11, closes after 100 ms"),
  "session.exit-callback": row("4", "core", "all state is cleared, and the exit is reported once"),
  "session.grace": row(
    "4",
    "server",
    "after a short loss a member is listed once, else not at all",
  ),

  // --- §4 streams
  "stream.published": row("4", "core", "with autoSub a published stream is subscribed"),
  "stream.republished": row("4", "core", "a stream with another sver is subscribed again"),
  "stream.removed": row("4", "core", "the connection of an unpublished or removed stream closes"),
  "stream.reuse": row("4", "core", "subscribe reuses a connection that has the tracks"),
  "stream.turns": row("4", "main", "Safari: one subscription at a time"),
  "stream.rollback": row("4", "main", "a failed constraint rolls back"),
  "stream.video-on": row("4", "main", "turning video on again rolls back when it fails"),
  "stream.hangup": row("4", "core", "hanging up the active stream clears the av or desktop slot"),
  "stream.audience": row("4", "core", "a change to audience ends the own av and desktop streams"),
  "stream.control": row("4", "core", "op 400 says which parts of a stream are off"),

  // --- §4 connection states
  "ice.weak": row("4", "core", "disconnected: network-weak after 1 s"),
  "ice.restart": row("4", "core", "a lost connection first restarts ICE"),
  "ice.rebuild": row("4", "core", "failed: closed and rebuilt after an interval"),
  "ice.exhausted": row("4", "core", "beyond iceRebuildCount it closes with push-fail or sub-fail"),
  "ice.push": row("4", "core", "connected: push-success (local)"),
  "ice.sub": row("4", "core", "connected: sub-success (remote)"),
  "ice.closed": row("4", "core", "a connection that closes by itself counts as failed"),
  "ice.moved": row("4", "core", "a rebuild publishes and subscribes again, also in another tab"),

  // --- §4 end reasons of op 107
  "end.21": row("4", "core", "switch the video codec"),
  "end.21-skip": row("4", "core", "skipped if the current codec equals the new first codec"),
  "end.22": row("4", "core", "codec not supported for subscribing"),
  "end.23": row("4", "core", "too many video publishers"),
  "end.24": row("4", "core", "too many desktop publishers"),
  "end.other": row("4", "core", "otherwise the peer connection is closed"),
  "end.lost": row("4", "core", "the node lost the connection: it is rebuilt (our own)"),
  "end.21-server": row(
    "4",
    "server",
    "a publisher with a codec that not all decode gets reason 21",
  ),
  "end.22-server": row("4", "server", "a subscriber without a common codec gets reason 22"),
  "end.23-server": row("4", "server", "a publisher beyond maxVideoCount gets reason 23"),
  "end.24-server": row("4", "server", "a publisher beyond maxPubDesktopCount gets reason 24"),

  // --- §4 requests and mute
  "request.talker": row("4", "core", "op2 21 goes from a member to the admin"),
  "request.admin": row("4", "core", "op2 22 goes from a member to the admin"),
  "request.agree": row("4", "core", "the admin agrees: role 3 or 7 by a manager call"),
  "request.refuse": row("4", "core", "the admin refuses with result 1"),
  "request.relayed": row("4", "server", "only the member and the admin get requests and answers"),
  "mute.all": row("4", "core", "mute-all is for non-admins"),
  "mute.all-change": row("4", "core", "mute-all is sent only when the value changes"),
  "mute.one": row("4", "core", "op2 23 and 24 mute and unmute one member"),
  "mute.told": row("4", "face", "onMuteAll and onUnMuteAll fire for non-admins on change"),

  // --- §5 joining and publishing
  "join.required": row("5", "face", "the roomName is required at joinRoom"),
  "join.appkey": row("5", "face", "the appkey is split at '#' into organisation and app"),
  "join.twice": row("5", "core", "had joined confr ... please call exitConference"),
  "join.twice-face": row("5", "face", "had joined confr ... please call exitConference"),
  "join.type": row("5", "core", "not support conf type"),
  "publish.current": row("5", "core", "current closed"),
  "publish.not-open": row("5", "core", "pubS null or stream not open"),
  "publish.audience": row("5", "core", "Audience not allow publish"),
  "publish.audience-server": row("5", "server", "Audience not allow publish"),
  "publish.repeat": row(
    "5",
    "core",
    "Audio and video stream has been published. not allow repeat publish.",
  ),
  "publish.repeat-desktop": row(
    "5",
    "core",
    "Desktop stream has been published. not allow repeat publish.",
  ),
  "publish.repeat-server": row(
    "5",
    "server",
    "Audio and video stream has been published. not allow repeat publish.",
  ),
  "camera.switch": row("5", "face", "switching is skipped if video is off or there is one device"),
  "element.attributes": row("2", "face", "elements carry stream id, audio-off and video-off"),
  "element.changed": row("2", "face", "onMediaChanaged, carrying video, audio, voff and aoff"),
  "live.cfg": row("5", "face", "addLive also needs liveCfg"),
  "live.layout": row("5", "face", "updateLiveLayout needs liveId and regions"),
  "live.role": row("5", "face", "addLive and updateLiveLayout need confrId and the admin role"),
  "mixer.repeat-face": row("5", "face", "AudioMixerStreamRepeatPublish"),
  "mixer.not-sub": row("8", "face", "AudioMixerStreamNotAllowSub"),
  "mixer.only-video": row("8", "face", "AudioMixerStreamNotAllowOnlySubVideo"),
  "publish.repeat-mixer": row("5", "server", "AudioMixerStreamRepeatPublish"),
  "publish.mixed-desktop": row("5", "core", "confr mix. not allow desktop with audio."),
  "publish.mixed-desktop-server": row("5", "server", "confr mix. not allow desktop with audio."),
  "share.safari": row("5", "face", "desktop sharing with a ticket is refused on Safari"),
  "share.confr-id": row("5", "face", "shareDesktop confrId is required"),

  // --- §5 subscribing
  "subscribe.mixed": row("5", "core", "a mixed audio stream with audio: audio is forced off"),
  "subscribe.unknown": row("5", "core", "an unknown or own stream is refused"),
  "subscribe.same-rtc": row("5", "server", "a stream and its connection share the same rtcId"),
  "subscribe.safari": row("5", "face", "SubFailSafariNotAllowSubBeforePub"),
  "bind.stream": row("5", "face", "Bad stream"),

  // --- §5 messages
  "message.accept": row("5", "server", "sent only if the target's acptOps include the op"),
  "message.exempt": row("5", "server", "requests 21 to 24 are exempt"),
  "request.no-admin": row("5", "core", "requests need an admin in the conference"),
  "message.sess-id": row("5", "core", "message sessId error..."),
  "message.sess-id-server": row("5", "server", "message sessId error..."),
  "message.no-sess-id": row("5", "core", "non-response events without a sessId are refused"),

  // --- §5 admin operations
  "admin.role": row("5", "core", "muteAll and unmuteAll need the admin role and a conference"),
  "admin.role-token": row("5", "core", "roleToken is not have"),
  "admin.role-server": row("5", "server", "admin calls need the present role 7 and a roleToken"),
  "mute.role": row("5", "core", "mute and unmute work only when the caller's role is 7"),
  "mute.member": row("5", "core", "muteBymemberId needs an existing member"),
  "degrade.lower": row("5", "core", "degradeRole needs a role strictly lower than the current one"),
  "degrade.server": row("5", "server", "role degrade goes only downward"),
  "attrs.key": row("5", "core", "options.key is not have"),
  "attrs.joined": row("5", "core", "please set_confr_attrs after joined"),
  "request.confr-id": row("5", "face", "requestToTalker and requestToAdmin need confrId"),
  "disband.token": row("5", "core", "deleting a conference requires the admin token"),

  // --- §8 results
  "result.0": row("8", "core", "success"),
  "result.-9527.timeout": row("8", "core", "-9527 enter timeout"),
  "result.-9527.closed": row("8", "core", "-9527 session closed"),
  "result.-95270": row("8", "core", "-95270 reconnect failed"),
  "result.-408": row("8", "core", "message request timeout"),
  "result.-507": row("8", "core", "member not found or does not accept the op"),
  "result.-405": row("8", "core", "unsupported control"),
  "result.-523": row("8", "core", "error when granting talker"),
  "refuse.-9527": row("8", "core", "-9527: close with reason 4"),
  "refuse.-95270": row("8", "core", "-95270: close with reason 4"),
  "refuse.-500": row("8", "core", "-500: close with reason 4"),
  "refuse.-502": row("8", "core", "-502: close with reason 4"),
  "refuse.-504": row("8", "core", "-504: close with reason 4"),
  "refuse.-508": row("8", "core", "-508: close with reason 4"),
  "refuse.-510": row("8", "core", "-510: close with reason 4"),
  "refuse.-506": row("8", "core", "-506: close with reason 11"),
  "refuse.-501": row("8", "core", "-501: close with reason 11"),
  "refuse.other": row("8", "core", "any other refusal: close with reason 2"),

  // --- §8 reasons of an exit
  "exit.0": row("8", "core", "the person left"),
  "exit.6": row("8", "core", "the connection was lost for too long"),
  "exit.10": row("8", "core", "another device of the same person replaced this one"),
  "exit.11": row("8", "core", "the conference was closed"),
  "exit.12": row("8", "core", "the person was kicked (our own)"),
  "exit.11-server": row(
    "8",
    "server",
    "at the end each member learns of its own exit, then of the end",
  ),
  "exit.12-server": row("8", "server", "the kicked member and all others are informed"),

  // --- recording, pictures, the sound meter
  "record.flag": row("4", "server", "recording starts with flag 1 and stops with flag 0"),
  "record.connected": row("5", "server", "recording requires a connected stream"),
  "record.stream-connected": row("5", "core", "recording requires a connected stream"),
  "record.restart": row("4", "core", "a recording is restarted if its connection changed"),
  "record.types": row("9", "main", "recorder types vp9, vp8, video/webm, then empty"),
  "record.canvas": row("9", "main", "canvas capture frame rate default 25"),
  "capture.tag": row("2", "face", "video elements answer captureVideo"),
  "sound.monitor": row("5", "face", "sound-change monitoring needs a media-meter interval above 0"),
  "sound.transmission": row("5", "face", "media-transmission monitoring warns without its helper"),
  "meter.window": row("9", "main", "2048-sample buffers, slow smoothing 0.95/0.05"),
  "meter.clip": row("9", "main", "clipping threshold 0.99"),
  "meter.energy": row("3", "main", "trackTotalAudioEnergy"),
  "time.object-url": row("9", "main", "object URL revoked after 40000 ms"),

  // --- §8 events
  "event.ws-close": row("8", "core", "WSClose: reconnecting"),
  "event.ws-error": row("8", "core", "WSError: as WSClose"),
  "event.refuse-enter": row("8", "core", "ServerRefuseEnter, EnterFail: the exit has the reason"),
  "event.push-fail": row("8", "core", "PushFail"),
  "event.sub-fail": row("8", "core", "SubFail"),
  "event.codecs": row("8", "core", "SubFailNotSupportVCodes"),
  "event.calling": row("8", "core", "CurrentCalling"),
  "event.open-media": row("8", "main", "OpenMediaError"),
  "event.candidate": row("8", "main", "a candidate that can't be added ends nothing"),
  "event.sdp": row("8", "main", "a faulty description counts as an ICE failure"),
  "event.denied": row("8", "main", "declining to share a screen is not an error"),
  "event.refused-server": row("8", "server", "refusals carry error and errorMessage"),

  // --- §8 texts
  "text.current-closed": row("8", "core", "current closed"),
  "text.closed-face": row("8", "face", "current closed"),
  "text.service": row("8", "core", "a message that asks for the service with a ticket first"),
  "text.service-face": row("8", "face", "a message that asks for the service with a ticket first"),
  "publish.unsupported": row("8", "face", "Unspported pubS"),
  "text.confr": row("8", "core", "confr is not exist"),
  "text.no-input": row("8", "main", "getUserMedia error: not have input device"),

  // --- §9 timings, by the spec's names
  "time.reconnect": row("9", "core", "reconnect 13"),
  "time.reconnectDelay": row("9", "core", "reconnectDelay 3000"),
  "time.enterTimeout": row("9", "core", "enterTimeout 20000"),
  "time.checkConnectIntervalMillis": row("9", "core", "checkConnectIntervalMillis 1000"),
  "time.getCopyIntervalMillis": row("9", "core", "getCopyIntervalMillis 30000"),
  "time.iceRebuildCount": row("9", "core", "iceRebuildCount 3"),
  "time.iceRebuildIntervalMillis": row("9", "core", "iceRebuildIntervalMillis 500"),
  "time.bufferedReleaseMillis": row("9", "core", "buffered message release about 100 ms"),
  "time.exitDelayMillis": row("9", "core", "exit delay 100 ms"),
  "time.sessionCloseMillis": row("9", "core", "session close delay 500 ms"),
  "time.codecSwitchMillis": row("9", "core", "codec-switch rebuild 300 ms"),
  "time.networkWeakMillis": row("9", "core", "network-weak delay 1000 ms"),
  "time.rebuildAfterEnterMillis": row("9", "core", "rebuild after enter 50 ms"),
  "time.getMediaMeterIntervalMillis": row("9", "main", "getMediaMeterIntervalMillis 400"),
  "time.judgeTalkingByInstantGE": row("9", "main", "judgeTalkingByInstantGE 0.05"),
  "limit.server": row("9", "server", "100 talkers, 600 audience, 9 videos, 2 desktops"),

  // --- control of a shared screen
  "control.id": row("3", "core", "controller id cId: 6 random characters"),
  "control.trigger": row("3", "main", "btn 1, 2, 4, 8, 16; oper 0 to 4"),
  "control.actions": row("3", "core", "input action: oper, btn, sn, time, x and y"),
  "control.sn": row("3", "core", "sn: the sequence number of an action"),
  "control.request": row("4", "core", "the controlled side receives a request (evt 1)"),
  "control.accept": row("4", "core", "otherwise it accepts (result 0)"),
  "control.busy": row("4", "core", "busy if another member already controls the stream"),
  "control.release": row("4", "core", "a release (evt 2) frees control"),
  "control.keep-alive": row("4", "core", "keep-alive messages (evt 3) for controlled streams"),
  "control.freed-leave": row("4", "core", "freed when the controller leaves"),
  "control.freed-stream": row("4", "core", "freed when the stream is removed"),
  "control.freed-end": row("4", "core", "freed when the call hangs up"),
  "control.freed-silent": row("4", "core", "freed without input within the control timeout"),
  "control.controller-freed": row("4", "core", "the same, seen by the controller"),
  "control.newer": row("4", "core", "a newer control object replaces older ones"),
  "control.touch": row(
    "4",
    "main",
    "a double touch (20 px, 500 ms) snaps to the previous position",
  ),
  "control.not-sub": row("5", "core", "Not allow control. cause by the stream not sub"),
  "control.ops": row(
    "5",
    "core",
    "a member without the needed op, or without op 1003, is not asked",
  ),
  "control.message": row("7", "core", "op2 30 with evt, streamId, cId, actions, sn"),
  "control.-402": row("8", "core", "-402: remote control rejected"),
  "control.-403": row("8", "core", "-403: remote control busy"),
  "control.-405": row("8", "core", "-405: unsupported panel control"),
  "control.results": row("8", "core", "results of a request; an unknown one means not allowed"),
  "control.callbacks": row(
    "8",
    "face",
    "onReject, onBusy, onRemoteControlTimeout, onNotAllowRemoteControl",
  ),
  "control.late": row("8", "core", "-408: message request timeout"),
  "control.other": row("8", "core", "Other has been controled."),
  "control.timings": row("9", "core", "control check interval and control timeout"),
  "control.scale": row("9", "main", "coordinates scaled by 10000"),
  "control.window": row("9", "core", "sending while the unacknowledged size is below a limit"),
  "control.buffer": row(
    "9",
    "core",
    "track buffer 1000; when full, half of the unread is compacted",
  ),
  "control.tag-events": row(
    "3",
    "face",
    "events remoteControl and freeRemoteControl of an element",
  ),
  "control.face-side": row(
    "4",
    "face",
    "our own: the host page is asked, agrees, stops and executes",
  ),
  "control.send": row("9", "core", "our own: at most one message in 20 ms"),
  "control.stopped": row(
    "4",
    "core",
    "our own: the controlled person stops it at any time (evt 4)",
  ),
  "control.ended": row("4", "core", "our own: the controller is told, or reads it from -405"),
  "control.expire": row("4", "core", "our own: a request ends after a minute"),
  "control.no-stale-input": row("4", "core", "our own: input of a lost session is dropped"),
  "control.thin": row("9", "core", "our own: buttons and keys are never compacted"),
  "control.outside": row("4", "main", "our own: outside of the picture there is no input"),
  "control.executor": row("4", "main", "our own: what executes input"),
  "control.released-keys": row("4", "main", "our own: nothing stays pressed"),
};
