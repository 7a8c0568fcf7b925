/** Every timing of a call in one place (docs/calls.md#timeouts). All in ms. */
import { CALL_TIMEOUTS } from "../../../shared/domain/call.ts";
import { OWNER_TIMINGS } from "../media-owner/timings.ts";
import { SILENCE_TIMINGS } from "../signalling/silences.ts";

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
  /** After the other side left without ending the call: the call ends unless another device of theirs enters within this time. */
  peerLeftMillis: 3_000,
  /** After the confirmation: another device that answered too may not know yet that it was not chosen. */
  contendedMillis: 5_000,
  /** Connection. */
  ...SILENCE_TIMINGS,
  /** Silent for this long although the socket answers: ICE restarts. */
  silentMillis: 500,
  networkWeakMillis: 1_000,
  iceRestartDelayMillis: 1_500,
  iceRestartTimeoutMillis: 5_000,
  iceWaitBuildMillis: 8_000,
  iceRebuildCount: 3,
  iceRebuildIntervalMillis: 500,
  wantOfferMillis: 5_000,
  /** A former connection is kept so long after its successor is up, unless sound and picture come by the successor sooner. */
  formerMillis: 2_000,
  /** The call ends when media are lost and no peer could be reached for this long. */
  giveUpMillis: 60_000,
  ...OWNER_TIMINGS,
  /** From the provisional accept of a ring until it shows, with signalling over chat. */
  provisionalRingMillis: 500,
  /** Between two rings that were not confirmed. */
  ringRetryMillis: 2_000,
  /** Timeout of a command message's acknowledgement by chat. */
  chatSendTimeoutMillis: 10_000,
  /** For messages that a restarted core repeats. */
  chatRetries: 10,
  chatRetryMillis: 1_000,
} as const;
export type CallConfig = { readonly [K in keyof typeof CALL_CONFIG]: number };
