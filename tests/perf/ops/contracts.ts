/** What the bench gives the page of the peer. Times are ms since the epoch. */
export interface PeerCharts {
  readonly from: number;
  readonly to: number;
  /** px of each chart of our page. */
  readonly width: number;
  readonly height: number;
  /** For each chart its series, as points. */
  readonly charts: readonly (readonly (readonly (readonly [
    time: number,
    value: number | null,
  ])[])[])[];
}

declare global {
  /** @returns ms of script */
  var drawCharts: (charts: PeerCharts) => number;
  var panTo: (from: number, to: number) => void;
  var shownFrom: number;
  var shownSpan: number;
}
