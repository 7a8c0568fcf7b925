/** The causes of a bad call, and from where on something is one (docs/calls.md#causes). */
import { QUALITY_THRESHOLDS } from "./quality.ts";

export const CALL_CAUSES = [
  "loss",
  "delay",
  "bandwidth",
  "cpu",
  "camera",
  "microphone",
  "address",
  "relay",
  "takeover",
  "server",
  /** Nothing flowed, and nothing else says why. */
  "outage",
] as const;
export type CallCause = (typeof CALL_CAUSES)[number];

export interface FoundCause {
  readonly cause: CallCause;
  /** Chat user name of the member whose sending suffers or whose machine it is; null: both directions. */
  readonly from: string | null;
  /** ms since the epoch; the end is null while it lasts. */
  readonly begin: number;
  readonly end: number | null;
}

export const endOf = ({ end }: FoundCause): number => end ?? Number.POSITIVE_INFINITY;

/** Loss in %, bandwidth in kbit/s, times in ms. */
export const CAUSE_LIMITS = {
  /** A condition holds so long before it is a cause, and is away so long before the cause ends. */
  hold: 4000,
  loss: { begins: 8, stays: 4 },
  /** The specification's round trip; two thirds of it keep the cause. */
  delay: { begins: QUALITY_THRESHOLDS.rttMillis, stays: 330 },
  /** What a picture needs, and what sound needs. A connection that is younger still looks for its bandwidth. */
  bandwidth: { picture: 200, sound: 40, stays: 1.5, settled: 10_000 },
  /**
   * Half of the timers of a side are so late. The buffer of received sound hides some 200: where a thread waits so long each time, the
   * machine has no time for a call. With seven programs for each processor that wanted all of it, half of the timers were 10 late, and
   * one of 114 was the latest (docs/figures.md#late-timers). A call that is younger still opens devices and draws its page.
   */
  timers: { begins: 200, stays: 100, settled: 10_000 },
  silence: { camera: 4000, microphone: 10_000, outage: QUALITY_THRESHOLDS.noTrafficMillis },
  /** A connection that is younger still chooses its addresses. */
  settled: 15_000,
  /** What happened at one moment explains what begins so soon after it. */
  echo: 10_000,
  /** A narrow bandwidth and long round trips are compared over such a time at least. */
  compared: 12_000,
} as const;
