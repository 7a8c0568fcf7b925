/**
 * What docs/conferences.md requires of conferences, one row each: rules, texts, codes, reasons, timings. A row is proved by
 * a test whose title begins with the row's id and whose function runs (tests/lint/conference-catalogue.test.ts):
 *
 *     it("publish.audience: …", async () => …)
 *     it("end.23, end.24: publishing stops and a notice says why", async () => …)
 *
 * A table of cases has the ids in its cases, as `covers`. Tests name rows by their ids, so that tests in src import nothing of tests/.
 * Not in this catalogue: one-to-one calls, remote camera and screen control, annotations, recording, mixer and live layouts, statistics.
 */

/** Which part must implement the row: the core, the tab's media code, the server, or the library's public API. */
type CatalogueSide = "core" | "main" | "server" | "face";
interface CatalogueRow {
  readonly id: string;
  /** Number of the section in the platform's specification. */
  readonly section: "3" | "4" | "5" | "7" | "8" | "9";
  /** A text that is shown or thrown, word for word; else the rule in short. "our own": not in the specification. */
  readonly text: string;
  readonly side: CatalogueSide;
}

const row = (
  id: string,
  section: CatalogueRow["section"],
  side: CatalogueSide,
  text: string,
): CatalogueRow => ({ id, section, side, text });

export const CONFR_CATALOGUE: readonly CatalogueRow[] = [
  // --- §3 and §7 the wire
  row("enter.member", "3", "server", "a member is id, name, res with ops and vcodes"),
  row("enter.vcodes", "3", "server", "the enter response has vcodes"),
  row("enter.ticket", "7", "server", "enter: ticket, also named tkt"),
  row("message.answer", "7", "server", "an answer is op 1001 with tsxId, sessId and result"),
  row("message.request", "7", "server", "1002: memId and arg as JSON, answered by 1001"),
  row("message.text", "7", "server", "1003: memId and arg"),
  row("role.own", "7", "server", "role update 412 goes to the member concerned alone"),

  // --- §4 roles
  row("role.ids", "4", "core", "admin 7, talker 3, audience 1"),
  row("role.entered", "4", "core", "the role comes from the enter response"),
  row("role.event", "4", "core", "the role follows role-update events (role and roleToken)"),
  row("role.enforced", "4", "server", "the server enforces what a role may do"),

  // --- §4 signalling session
  row("session.enter", "4", "core", "connecting, then enter (op 200)"),
  row("session.buffered", "4", "core", "buffered messages are released after about 100 ms"),
  row("session.buffered-fail", "4", "core", "on failure the buffered messages fail with -9527"),
  row("session.online", "4", "core", "it reconnects when the network returns"),
  row("session.check", "4", "core", "it reconnects when the periodic check finds it disconnected"),
  row("session.offline", "4", "core", "when offline, the socket closes and retries stop"),
  row("session.one", "4", "core", "only one current call: a second setup raises CurrentCalling"),
  row("session.rebuild", "4", "core", "50 ms after an enter, failed connections are rebuilt"),
  row("session.sync", "4", "core", "periodic sync starts when an enter succeeds"),
  row("session.resume", "4", "core", "the session is resumed with its former sessId"),
  row("session.exit", "4", "core", "the end of a session removes the streams and fires an exit"),
  row("session.close", "4", "core", "the signalling session closes 500 ms later"),
  row("session.disband", "4", "core", "exit with close: op 204, reason 11, closes after 100 ms"),
  row("session.exit-callback", "4", "core", "all state is cleared, and the exit is reported once"),
  row(
    "session.grace",
    "4",
    "server",
    "after a short loss a member is listed once, else not at all",
  ),

  // --- §4 streams
  row("stream.published", "4", "core", "with autoSub a published stream is subscribed"),
  row("stream.republished", "4", "core", "a stream with another sver is subscribed again"),
  row("stream.removed", "4", "core", "the connection of an unpublished or removed stream closes"),
  row("stream.reuse", "4", "core", "subscribe reuses a connection that has the tracks"),
  row("stream.turns", "4", "main", "Safari: one subscription at a time"),
  row("stream.rollback", "4", "main", "a failed constraint rolls back"),
  row("stream.video-on", "4", "main", "turning video on again rolls back when it fails"),
  row("stream.hangup", "4", "core", "hanging up the active stream clears the av or desktop slot"),
  row("stream.audience", "4", "core", "a change to audience ends the own av and desktop streams"),
  row("stream.control", "4", "core", "op 400 says which parts of a stream are off"),

  // --- §4 connection states
  row("ice.weak", "4", "core", "disconnected: network-weak after 1 s"),
  row("ice.restart", "4", "core", "a lost connection first restarts ICE"),
  row("ice.rebuild", "4", "core", "failed: closed and rebuilt after an interval"),
  row("ice.exhausted", "4", "core", "beyond iceRebuildCount it closes with push-fail or sub-fail"),
  row("ice.push", "4", "core", "connected: push-success (local)"),
  row("ice.sub", "4", "core", "connected: sub-success (remote)"),
  row("ice.closed", "4", "core", "a connection that closes by itself counts as failed"),
  row("ice.moved", "4", "core", "a rebuild publishes and subscribes again, also in another tab"),

  // --- §4 end reasons of op 107
  row("end.21", "4", "core", "switch the video codec"),
  row("end.21-skip", "4", "core", "skipped if the current codec equals the new first codec"),
  row("end.22", "4", "core", "codec not supported for subscribing"),
  row("end.23", "4", "core", "too many video publishers"),
  row("end.24", "4", "core", "too many desktop publishers"),
  row("end.other", "4", "core", "otherwise the peer connection is closed"),
  row("end.lost", "4", "core", "the node lost the connection: it is rebuilt (our own)"),
  row(
    "end.21-server",
    "4",
    "server",
    "a publisher with a codec that not all decode gets reason 21",
  ),
  row("end.22-server", "4", "server", "a subscriber without a common codec gets reason 22"),
  row("end.23-server", "4", "server", "a publisher beyond maxVideoCount gets reason 23"),
  row("end.24-server", "4", "server", "a publisher beyond maxPubDesktopCount gets reason 24"),

  // --- §4 requests and mute
  row("request.talker", "4", "core", "op2 21 goes from a member to the admin"),
  row("request.admin", "4", "core", "op2 22 goes from a member to the admin"),
  row("request.agree", "4", "core", "the admin agrees: role 3 or 7 by a manager call"),
  row("request.refuse", "4", "core", "the admin refuses with result 1"),
  row("request.relayed", "4", "server", "only the member and the admin get requests and answers"),
  row("mute.all", "4", "core", "mute-all is for non-admins"),
  row("mute.all-change", "4", "core", "mute-all is sent only when the value changes"),
  row("mute.one", "4", "core", "op2 23 and 24 mute and unmute one member"),
  row("mute.told", "4", "face", "onMuteAll and onUnMuteAll fire for non-admins on change"),

  // --- §5 joining and publishing
  row("join.required", "5", "face", "the roomName is required at joinRoom"),
  row("join.appkey", "5", "face", "the appkey is split at '#' into organisation and app"),
  row("join.twice", "5", "core", "had joined confr ... please call exitConference"),
  row("join.twice-face", "5", "face", "had joined confr ... please call exitConference"),
  row("join.type", "5", "core", "not support conf type"),
  row("publish.current", "5", "core", "current closed"),
  row("publish.not-open", "5", "core", "pubS null or stream not open"),
  row("publish.audience", "5", "core", "Audience not allow publish"),
  row("publish.audience-server", "5", "server", "Audience not allow publish"),
  row(
    "publish.repeat",
    "5",
    "core",
    "Audio and video stream has been published. not allow repeat publish.",
  ),
  row(
    "publish.repeat-desktop",
    "5",
    "core",
    "Desktop stream has been published. not allow repeat publish.",
  ),
  row(
    "publish.repeat-server",
    "5",
    "server",
    "Audio and video stream has been published. not allow repeat publish.",
  ),
  row("publish.repeat-mixer", "5", "server", "AudioMixerStreamRepeatPublish"),
  row("publish.mixed-desktop", "5", "core", "confr mix. not allow desktop with audio."),
  row("publish.mixed-desktop-server", "5", "server", "confr mix. not allow desktop with audio."),
  row("share.safari", "5", "face", "desktop sharing with a ticket is refused on Safari"),
  row("share.confr-id", "5", "face", "shareDesktop confrId is required"),

  // --- §5 subscribing
  row("subscribe.mixed", "5", "core", "a mixed audio stream with audio: audio is forced off"),
  row("subscribe.unknown", "5", "core", "an unknown or own stream is refused"),
  row("subscribe.same-rtc", "5", "server", "a stream and its connection share the same rtcId"),
  row("subscribe.safari", "5", "face", "SubFailSafariNotAllowSubBeforePub"),
  row("bind.stream", "5", "face", "Bad stream"),

  // --- §5 messages
  row("message.accept", "5", "server", "sent only if the target's acptOps include the op"),
  row("message.exempt", "5", "server", "requests 21 to 24 are exempt"),
  row("request.no-admin", "5", "core", "requests need an admin in the conference"),
  row("message.sess-id", "5", "core", "message sessId error..."),
  row("message.sess-id-server", "5", "server", "message sessId error..."),
  row("message.no-sess-id", "5", "core", "non-response events without a sessId are refused"),

  // --- §5 admin operations
  row("admin.role", "5", "core", "muteAll and unmuteAll need the admin role and a conference"),
  row("admin.role-token", "5", "core", "roleToken is not have"),
  row("admin.role-server", "5", "server", "admin calls need the present role 7 and a roleToken"),
  row("mute.role", "5", "core", "mute and unmute work only when the caller's role is 7"),
  row("mute.member", "5", "core", "muteBymemberId needs an existing member"),
  row("degrade.lower", "5", "core", "degradeRole needs a role strictly lower than the current one"),
  row("degrade.server", "5", "server", "role degrade goes only downward"),
  row("attrs.key", "5", "core", "options.key is not have"),
  row("attrs.joined", "5", "core", "please set_confr_attrs after joined"),
  row("request.confr-id", "5", "face", "requestToTalker and requestToAdmin need confrId"),
  row("disband.token", "5", "core", "deleting a conference requires the admin token"),

  // --- §8 results
  row("result.0", "8", "core", "success"),
  row("result.-9527.timeout", "8", "core", "-9527 enter timeout"),
  row("result.-9527.closed", "8", "core", "-9527 session closed"),
  row("result.-95270", "8", "core", "-95270 reconnect failed"),
  row("result.-408", "8", "core", "message request timeout"),
  row("result.-507", "8", "core", "member not found or does not accept the op"),
  row("result.-405", "8", "core", "unsupported control"),
  row("result.-523", "8", "core", "error when granting talker"),
  row("refuse.-9527", "8", "core", "-9527: close with reason 4"),
  row("refuse.-95270", "8", "core", "-95270: close with reason 4"),
  row("refuse.-500", "8", "core", "-500: close with reason 4"),
  row("refuse.-502", "8", "core", "-502: close with reason 4"),
  row("refuse.-504", "8", "core", "-504: close with reason 4"),
  row("refuse.-508", "8", "core", "-508: close with reason 4"),
  row("refuse.-510", "8", "core", "-510: close with reason 4"),
  row("refuse.-506", "8", "core", "-506: close with reason 11"),
  row("refuse.-501", "8", "core", "-501: close with reason 11"),
  row("refuse.other", "8", "core", "any other refusal: close with reason 2"),

  // --- §8 reasons of an exit
  row("exit.0", "8", "core", "the person left"),
  row("exit.6", "8", "core", "the connection was lost for too long"),
  row("exit.10", "8", "core", "another device of the same person replaced this one"),
  row("exit.11", "8", "core", "the conference was closed"),
  row("exit.12", "8", "core", "the person was kicked (our own)"),
  row(
    "exit.11-server",
    "8",
    "server",
    "at the end each member learns of its own exit, then of the end",
  ),
  row("exit.12-server", "8", "server", "the kicked member and all others are informed"),

  // --- §8 events
  row("event.ws-close", "8", "core", "WSClose: reconnecting"),
  row("event.ws-error", "8", "core", "WSError: as WSClose"),
  row("event.refuse-enter", "8", "core", "ServerRefuseEnter, EnterFail: the exit has the reason"),
  row("event.push-fail", "8", "core", "PushFail"),
  row("event.sub-fail", "8", "core", "SubFail"),
  row("event.codecs", "8", "core", "SubFailNotSupportVCodes"),
  row("event.calling", "8", "core", "CurrentCalling"),
  row("event.open-media", "8", "main", "OpenMediaError"),
  row("event.candidate", "8", "main", "a candidate that can't be added ends nothing"),
  row("event.sdp", "8", "main", "a faulty description counts as an ICE failure"),
  row("event.denied", "8", "main", "declining to share a screen is not an error"),
  row("event.refused-server", "8", "server", "refusals carry error and errorMessage"),

  // --- §8 texts
  row("text.current-closed", "8", "core", "current closed"),
  row("text.confr", "8", "core", "confr is not exist"),
  row("text.no-input", "8", "main", "getUserMedia error: not have input device"),

  // --- §9 timings, by the spec's names
  row("time.reconnect", "9", "core", "reconnect 13"),
  row("time.reconnectDelay", "9", "core", "reconnectDelay 3000"),
  row("time.enterTimeout", "9", "core", "enterTimeout 20000"),
  row("time.checkConnectIntervalMillis", "9", "core", "checkConnectIntervalMillis 1000"),
  row("time.getCopyIntervalMillis", "9", "core", "getCopyIntervalMillis 30000"),
  row("time.iceRebuildCount", "9", "core", "iceRebuildCount 3"),
  row("time.iceRebuildIntervalMillis", "9", "core", "iceRebuildIntervalMillis 500"),
  row("time.bufferedReleaseMillis", "9", "core", "buffered message release about 100 ms"),
  row("time.exitDelayMillis", "9", "core", "exit delay 100 ms"),
  row("time.sessionCloseMillis", "9", "core", "session close delay 500 ms"),
  row("time.codecSwitchMillis", "9", "core", "codec-switch rebuild 300 ms"),
  row("time.networkWeakMillis", "9", "core", "network-weak delay 1000 ms"),
  row("time.rebuildAfterEnterMillis", "9", "core", "rebuild after enter 50 ms"),
  row("time.getMediaMeterIntervalMillis", "9", "main", "getMediaMeterIntervalMillis 400"),
  row("time.judgeTalkingByInstantGE", "9", "main", "judgeTalkingByInstantGE 0.05"),
  row("limit.server", "9", "server", "100 talkers, 600 audience, 9 videos, 2 desktops"),
];
