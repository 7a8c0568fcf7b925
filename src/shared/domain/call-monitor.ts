/**
 * The network monitor of a call (docs/calls.md#call-monitor). It reports once when no data flows in a direction for 3000 ms. The timer
 * restarts when data flows again, but there is no second report. Pure: the core calls it at each poll.
 */
export const CALL_MONITOR = {
  pollMillis: 2000,
  noDataMillis: 3000,
  /** Replaces noDataMillis after a stop, for the next start. */
  resetNoDataMillis: 5000,
} as const;

export interface DirectionMonitor {
  /** ms without data before the report. */
  readonly threshold: number;
  /** When data last flowed or was not expected, ms since the epoch; null before the first poll. */
  readonly since: number | null;
  /** Set by the report and kept, so that the report is not repeated. */
  readonly reported: boolean;
}

export const startDirection = (): DirectionMonitor => ({
  threshold: CALL_MONITOR.noDataMillis,
  since: null,
  reported: false,
});

/** The state after `stop`. */
export const resetDirection = (): DirectionMonitor => ({
  threshold: CALL_MONITOR.resetNoDataMillis,
  since: null,
  reported: false,
});

export interface MonitorStep {
  readonly next: DirectionMonitor;
  /** True once: show onNetWorkDisconnect for this direction. */
  readonly report: boolean;
  /** No data for longer than the threshold at this moment. */
  readonly noData: boolean;
}

/**
 * One poll of one direction.
 *
 * @param at ms since the epoch
 * @param flowing whether audio or video throughput is above zero
 * @param expected false while everything in this direction is muted or paused; silence is then no outage
 */
export function monitorStep(
  state: DirectionMonitor,
  at: number,
  flowing: boolean,
  expected: boolean,
): MonitorStep {
  if (flowing || !expected || state.since === null) {
    return { next: { ...state, since: at }, report: false, noData: false };
  }
  const noData = at - state.since >= state.threshold;
  const report = noData && !state.reported;
  return { next: report ? { ...state, reported: true } : state, report, noData };
}
