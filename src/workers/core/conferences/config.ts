/** Every timing of a conference in one place (docs/conferences.md#session, docs/conferences.md#connections). All in ms but counts. */
import { CALL_CONFIG, type CallConfig } from "../calls/config.ts";

export const CONFERENCE_CONFIG = {
  /** Tries to enter before one that never was inside gives up. */
  reconnect: 13,
  /** The longest pause between two tries of a socket. */
  reconnectDelay: 3_000,
  /** Of one that never was inside, all tries together. */
  enterTimeout: 20_000,
  requestTimeout: 10_000,
  checkConnectIntervalMillis: 1_000,
  /** A check that comes so late tells that the machine slept: the socket may be dead without having said so. */
  sleptMillis: 5_000,
  pingIntervalMillis: 10_000,
  pingTimeoutMillis: 3_000,
  getCopyIntervalMillis: 30_000,
  /** After an enter, before what waited is sent. */
  bufferedReleaseMillis: 100,
  exitDelayMillis: 100,
  sessionCloseMillis: 500,
  /** An own stream that the server took away: a role that changes comes in the next frame. */
  republishDelayMillis: 100,
  /** As long as the server keeps a request for its answer. */
  requestLifeMillis: 60_000,
  /** A device that opens within this time was not asked for: the others need not see it off and on again. */
  promptMillis: 1_500,
  codecSwitchMillis: 300,
  rebuildAfterEnterMillis: 50,
  networkWeakMillis: 1_000,
  iceRestartDelayMillis: 500,
  iceRestartTimeoutMillis: 3_000,
  iceWaitBuildMillis: 6_000,
  iceRebuildCount: 3,
  iceRebuildIntervalMillis: 500,
  /** A stream that could not be had is tried again then. */
  retryFailedMillis: 5_000,
  /** Lost for longer than this, one is out. */
  giveUpMillis: 10 * 60_000,
  wishDelayMillis: 100,
} as const;
export type ConferenceConfig = { readonly [K in keyof typeof CONFERENCE_CONFIG]: number };

/** The owner of the media has the timings of calls. */
export const OWNER_CONFIG: CallConfig = CALL_CONFIG;
