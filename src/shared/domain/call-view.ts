/** Makes of the timeline of a call what its page shows (docs/session.md#quality-of-calls), in steps of few milliseconds each. Pure. */
import type {
  CallTimeline,
  TimelineEvent,
  TimelineSide,
  TimelineStream,
} from "../protocol/call-timeline.ts";
import type { CallView, ReceivedRow, ViewedSide } from "../protocol/call-view.ts";
import { causeSteps } from "./call-causes.ts";
import { CALL_CHARTS, type Line } from "./call-lines.ts";
import { pollsOf, type Seen } from "./call-moments.ts";
import { directionScores } from "./call-timeline.ts";
import { doneAtOnce } from "./steps.ts";

const JOINED: Readonly<Record<Line["of"], (values: readonly number[]) => number>> = {
  sum: (values) => values.reduce((a, b) => a + b, 0),
  most: (values) => Math.max(...values),
  least: (values) => Math.min(...values),
};
/** More digits than a chart shows make a large answer. */
const rounded = (value: number): number => Math.round(value * 100) / 100;

function valueOf(poll: readonly Seen[], { direction, kind, figure, of }: Line): number | null {
  const values: number[] = [];
  for (const { stream, point } of poll) {
    if (direction !== undefined && stream.direction !== direction) continue;
    if (kind !== undefined && stream.kind !== kind) continue;
    const value = point[figure];
    if (value !== null) values.push(value);
  }
  return values.length === 0 ? null : rounded(JOINED[of](values));
}

/** Changes of the pair of addresses as events: the first says which is used. */
function routesOf(polls: readonly (readonly Seen[])[]): TimelineEvent[] {
  const found: TimelineEvent[] = [];
  let last = "";
  for (const poll of polls) {
    const point = poll.find((seen) => seen.point.route !== null)?.point;
    const now = `${point?.pair ?? ""} ${point?.route ?? ""}`;
    if (point?.route == null || now === last) continue;
    last = now;
    found.push({ at: point.at, code: 0, rtcId: null, detail: point.route });
  }
  return found;
}

/** With the charts and lines that have any figure. */
function* sideSteps(side: TimelineSide): Generator<undefined, ViewedSide> {
  const { memName, machine, events, streams } = side;
  const polls = pollsOf(streams);
  yield;
  const charts: ViewedSide["charts"] = [];
  for (const { title, lines } of CALL_CHARTS) {
    const measured = lines
      .map((line) => ({ name: line.name, y: polls.map((poll) => valueOf(poll, line)) }))
      .filter(({ y }) => y.some((value) => value !== null));
    if (measured.length > 0) charts.push({ title, lines: measured });
    yield;
  }
  const times = polls.map((poll) => poll[0]?.point.at ?? 0);
  return { memName, machine, events, routes: routesOf(polls), times, charts };
}

/** First and last time of what was measured. */
function timesOf(sides: readonly TimelineSide[]): CallView["full"] {
  const known = sides
    .flatMap(({ streams, events }) => [
      ...streams.flatMap(({ points }) => [points[0]?.at, points.at(-1)?.at]),
      ...events.map(({ at }) => at),
    ])
    .filter((at) => at !== undefined);
  if (known.length === 0) return null;
  return known.reduce(({ from, to }, at) => ({ from: Math.min(from, at), to: Math.max(to, at) }), {
    from: Number.POSITIVE_INFINITY,
    to: 0,
  });
}

const meanOf = (
  streams: readonly TimelineStream[],
  figure: "mos" | "kbps" | "loss",
): number | null => {
  const values = streams
    .flatMap(({ points }) => points.map((point) => point[figure]))
    .filter((value) => value !== null);
  return values.length === 0 ? null : rounded(JOINED.sum(values) / values.length);
};

function receivedBy({ memName, streams }: TimelineSide): ReceivedRow[] {
  const received = streams.filter(({ direction }) => direction === "remote");
  const senders = [...new Set(received.map(({ from }) => from))].toSorted();
  return senders.map((from) => {
    const own = received.filter((one) => one.from === from);
    const [sounds, pictures] = (["audio", "video"] as const).map((wanted) =>
      own.filter(({ kind }) => kind === wanted),
    );
    return {
      to: memName,
      from,
      mos: meanOf(own, "mos"),
      sound: meanOf(sounds ?? [], "kbps"),
      picture: meanOf(pictures ?? [], "kbps"),
      height: (pictures ?? [])
        .flatMap(({ points }) => points.map(({ height }) => height ?? 0))
        .reduce((most, height) => Math.max(most, height), 0),
      loss: meanOf(own, "loss"),
    };
  });
}

export function* callViewSteps(timeline: CallTimeline): Generator<undefined, CallView> {
  const { confrId, sides } = timeline;
  const causes = [...(yield* causeSteps(timeline))];
  const scores = [...directionScores(timeline)];
  yield;
  const received: ReceivedRow[] = [];
  const viewed: ViewedSide[] = [];
  for (const side of sides) {
    received.push(...receivedBy(side));
    viewed.push(yield* sideSteps(side));
  }
  return { confrId, full: timesOf(sides), scores, causes, received, sides: viewed };
}

export const callViewOf = (timeline: CallTimeline): CallView => doneAtOnce(callViewSteps(timeline));
