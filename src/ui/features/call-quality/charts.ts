/** What the charts of one side of a call show, of its streams and events. Pure. */
import type { FoundCause } from "../../../shared/domain/call-causes.ts";
import { pollsOf, type Seen } from "../../../shared/domain/call-moments.ts";
import type { TimelineEvent, TimelineSide } from "../../../shared/protocol/call-timeline.ts";
import { QUALITY_EVENT } from "../../../shared/protocol/qoe.ts";
import type { TimeSeries } from "../../components/charts/contracts.ts";
import { CALL_CHARTS, type Line, type Word } from "./lines.ts";

const JOINED: Readonly<Record<Line["of"], (values: readonly number[]) => number>> = {
  sum: (values) => values.reduce((a, b) => a + b, 0),
  most: (values) => Math.max(...values),
  least: (values) => Math.min(...values),
};

function valueOf(poll: readonly Seen[], { direction, kind, figure, of }: Line): number | null {
  const values = poll.flatMap(({ stream, point }) => {
    if (direction !== undefined && stream.direction !== direction) return [];
    if (kind !== undefined && stream.kind !== kind) return [];
    return point[figure] ?? [];
  });
  return values.length === 0 ? null : JOINED[of](values);
}

export interface CallChart {
  readonly title: Word;
  readonly series: readonly TimeSeries[];
}

/** @returns the times, and the charts that have any figure */
export function chartsOf(
  side: TimelineSide,
  text: (word: Word) => string,
): { readonly x: readonly number[]; readonly charts: readonly CallChart[] } {
  const polls = pollsOf(side.streams);
  const charts = CALL_CHARTS.map(({ title, lines }) => ({
    title,
    series: lines.flatMap((line): TimeSeries[] => {
      const y = polls.map((poll) => valueOf(poll, line));
      if (y.every((value) => value === null)) return [];
      const { name, colour, unit, shape, scale } = line;
      return [
        {
          name: text(name),
          colour,
          unit,
          y,
          ...(shape === undefined ? {} : { shape }),
          ...(scale === undefined ? {} : { scale }),
        },
      ];
    }),
  }));
  return {
    x: polls.map((poll) => poll[0]?.point.at ?? 0),
    charts: charts.filter(({ series }) => series.length > 0),
  };
}

/** Events that stand as moments in the charts. */
export const EVENT_WORDS: Readonly<Partial<Record<number, Word>>> = {
  [QUALITY_EVENT.enter]: "enter",
  [QUALITY_EVENT.connected]: "connected",
  [QUALITY_EVENT.poor]: "poor",
  [QUALITY_EVENT.disconnected]: "disconnected",
  [QUALITY_EVENT.takeover]: "takeover",
  [QUALITY_EVENT.serverRestarted]: "server",
  [QUALITY_EVENT.moved]: "moved",
};

/** Changes of the pair of addresses as events. The first event names the first pair. */
export function routesOf({ streams }: TimelineSide): readonly TimelineEvent[] {
  const found: TimelineEvent[] = [];
  let last = "";
  for (const poll of pollsOf(streams)) {
    const point = poll.find((seen) => seen.point.route !== null)?.point;
    const now = `${point?.pair ?? ""} ${point?.route ?? ""}`;
    if (point?.route == null || now === last) continue;
    last = now;
    found.push({ at: point.at, code: 0, rtcId: null, detail: point.route });
  }
  return found;
}

/** The first and the last time of a measurement; null when there is none. */
export function timesOf(
  sides: readonly TimelineSide[],
): { readonly from: number; readonly to: number } | null {
  const times = sides.flatMap(({ streams, events }) => [
    ...streams.flatMap(({ points }) => [points[0]?.at, points.at(-1)?.at]),
    ...events.map(({ at }) => at),
  ]);
  const known = times.filter((at) => at !== undefined);
  if (known.length === 0) return null;
  return known.reduce(({ from, to }, at) => ({ from: Math.min(from, at), to: Math.max(to, at) }), {
    from: Number.POSITIVE_INFINITY,
    to: 0,
  });
}

/** A cause is a side's own when its sending or machine suffers, and concerns what it receives otherwise. */
export const toneOf = ({ from }: FoundCause, { memName }: TimelineSide): "bad" | "warn" =>
  from === null || from === memName ? "bad" : "warn";
