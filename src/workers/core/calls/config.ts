/** Every timing of a call in one place (docs/calls.md#timeouts). All in ms. */
import { CALL_TIMEOUTS } from "../../../shared/domain/call.ts";

export const CALL_CONFIG = {
  ...CALL_TIMEOUTS,
  /** Signalling. */
  pingIntervalMillis: 50_000,
  pingTimeoutMillis: 5_000,
  /** A liveness check while the media are weak. */
  probeTimeoutMillis: 2_000,
  enterTimeout: 20_000,
  relayTimeoutMillis: 3_000,
  relayRetryMillis: 2_000,
  sessionCloseMillis: 500,
  /** The other side left the room without a word: the call ends unless another device of theirs enters. */
  peerLeftMillis: 3_000,
  /** After the confirmation: another device that answered too may not have heard yet that it was not chosen. */
  contendedMillis: 5_000,
  /** Connection. */
  networkWeakMillis: 1_000,
  iceRestartDelayMillis: 1_500,
  iceRestartTimeoutMillis: 5_000,
  iceWaitBuildMillis: 8_000,
  iceRebuildCount: 3,
  iceRebuildIntervalMillis: 500,
  wantOfferMillis: 5_000,
  /** Media gone and nobody to negotiate with for this long: the call is over. */
  giveUpMillis: 60_000,
  /** Owner tab. */
  ownedTimeoutMillis: 3_000,
  /** A permission prompt may stand this long; beneath the 30 s that a tab waits for call.start. */
  openedTimeoutMillis: 25_000,
  releasedTimeoutMillis: 500,
  /** Without any tab. */
  ownerGraceMillis: 10_000,
  /** After a restart of the core: how long a claim is waited for, from the first tab on. */
  claimWaitMillis: 300,
  /** Between two rings that nobody has confirmed. */
  ringRetryMillis: 2_000,
  /** Chat's own answer to a command message. */
  chatSendTimeoutMillis: 10_000,
  /** Of what a restarted core says again. */
  chatRetries: 10,
  chatRetryMillis: 1_000,
} as const;
export type CallConfig = { readonly [K in keyof typeof CALL_CONFIG]: number };
