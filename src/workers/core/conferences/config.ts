/** All timings of a conference (docs/conferences.md#session, docs/conferences.md#connections), in ms, and a few counts. */
import { CALL_CONFIG, type CallConfig } from "../calls/config.ts";
import { SILENCE_TIMINGS } from "../signalling/silences.ts";

export const CONFERENCE_CONFIG = {
  /** A count: the failed reconnects after which a session that was never entered fails. */
  reconnect: 13,
  /** The longest pause between two attempts to open the socket. */
  reconnectDelay: 3_000,
  /** The time for all attempts of a session that was never entered. */
  enterTimeout: 20_000,
  requestTimeout: 10_000,
  checkConnectIntervalMillis: 1_000,
  /** A check that runs this much after the previous one means that the machine slept. The socket may then be dead without an event. */
  sleptMillis: 5_000,
  pingIntervalMillis: 10_000,
  pingTimeoutMillis: 3_000,
  getCopyIntervalMillis: 30_000,
  /** The pause between an enter and the sending of held requests. */
  bufferedReleaseMillis: 100,
  exitDelayMillis: 100,
  sessionCloseMillis: 500,
  /** The pause before a removed own stream is published again. A change of role that forbids it arrives in the next frame. */
  republishDelayMillis: 100,
  /** How long the server keeps a request for a role. */
  requestLifeMillis: 60_000,
  /** How long a member may take to answer a control of its camera, and to send a picture over a slow network. */
  cameraAnswerMillis: 10_000,
  cameraPictureMillis: 20_000,
  /** How long the owner tab may take to control its camera. */
  cameraTabMillis: 8_000,
  /** The pause between two notices of the same member's zoom or focus. */
  cameraNoticeMillis: 10_000,
  /** A device that opens within this time needed no permission prompt. The others are not shown that it is off meanwhile. */
  promptMillis: 1_500,
  codecSwitchMillis: 300,
  rebuildAfterEnterMillis: 50,
  networkWeakMillis: 1_000,
  iceRestartDelayMillis: 500,
  ...SILENCE_TIMINGS,
  iceRestartTimeoutMillis: 3_000,
  iceWaitBuildMillis: 6_000,
  iceRebuildCount: 3,
  /** A count: the subscriptions that are built at once. */
  buildAtOnce: 6,
  iceRebuildIntervalMillis: 500,
  /** The pause before a failed connection is tried again. */
  retryFailedMillis: 5_000,
  /** A session that is lost for longer than this ends the conference. */
  giveUpMillis: 10 * 60_000,
  wishDelayMillis: 100,
  /** How often both sides of the control of a screen check each other; the controller also sends its keep-alive then. */
  ctrlCheckIntervalMillis: 10_000,
  /** Without a message for this long, the control of a screen ends. */
  ctrlTimeoutMillis: 30_000,
  /** The shortest pause between two messages of a controller. */
  ctrlSendMillis: 20,
  /** Input of a controller without an answer for this long counts as lost. */
  ctrlLostMillis: 5_000,
  /** The pause before the controlled side answers input. The platform's library waits for answers, so this limits its messages. */
  ctrlAnswerMillis: 50,
  /** Counts: messages of a controller without an answer, actions that wait to be sent, and actions of one message. */
  ctrlWindow: 10,
  ctrlBuffer: 1000,
  ctrlBatch: 500,
  /** After a change of the machine's addresses connections are built again at once. false: ICE restarts, when it notices. */
  rebuildPeerConnectionWhenNetworkChanaged: true,
} as const;
export type ConferenceConfig = {
  readonly [K in keyof typeof CONFERENCE_CONFIG]: (typeof CONFERENCE_CONFIG)[K] extends boolean
    ? boolean
    : number;
};

/** The timings with what a host page sets. */
export const configWith = (settings: {
  readonly [K in keyof ConferenceConfig]?: ConferenceConfig[K] | undefined;
}): ConferenceConfig => ({
  ...CONFERENCE_CONFIG,
  ...Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)),
});

/** The owner of a conference's media uses the timings of calls. */
export const OWNER_CONFIG: CallConfig = CALL_CONFIG;
