/** What holds in one direction of one side at one moment: the facts of which causes are made (docs/calls.md#causes). Pure. */
import type { TimelinePoint, TimelineStream } from "../protocol/call-timeline.ts";
import { reachedByHalf } from "./timer-lateness.ts";

/** ms */
const WINDOW = {
  /** Samples of one poll lie closer together. */
  poll: 900,
  /** Loss is counted over such a time: what is sent is known by the other side's reports, which come every few seconds. */
  local: 8000,
  remote: 4000,
  /** The round trip at rest is the least of such a time. */
  rest: 60_000,
  /** Late timers are those of several samples. */
  timers: 5000,
} as const;
const LEAST_PACKETS = 20;

export interface Seen {
  readonly stream: TimelineStream;
  readonly point: TimelinePoint;
}

export interface Moment {
  /** ms since the epoch */
  readonly at: number;
  /** Whether a sound or picture should flow. */
  readonly sound: boolean;
  readonly picture: boolean;
  /** % of the packets of the last seconds; null: too few. */
  readonly loss: number | null;
  /** ms; null while unknown. */
  readonly rtt: number | null;
  /** The least round trip of the last minute, ms. */
  readonly restRtt: number | null;
  /** kbit/s that the browser expects to be able to send; null for what is received. */
  readonly available: number | null;
  /** Nothing of what should flow flows. */
  readonly silent: boolean;
  /** The computer does not keep up with the pictures. */
  readonly overloaded: boolean;
  /** ms by which timers were late in half of the samples of the last seconds at least; null while unknown. */
  readonly lateTimers: number | null;
  /** The camera gives no frame, the microphone no sound, although it should. */
  readonly noFrames: boolean;
  readonly noSound: boolean;
  readonly relayed: boolean;
  /** Other addresses than in the sample before, of the same connection. */
  readonly rerouted: boolean;
  /** ms since the first sample of this connection. */
  readonly age: number;
  /** ms since the first sample of all connections. */
  readonly callAge: number;
}

/** Share of the camera's frames that a computer which keeps up sends, at least; and of dropped frames, at most. */
const KEEPS_UP = { sent: 0.5, dropped: 0.3, leastFrames: 10, leastFps: 8, coding: 90 } as const;

function isOverloaded({ stream, point }: Seen): boolean {
  if (stream.kind !== "video" || stream.screen || !point.on) return false;
  const { limited, fps, sourceFps, dropped, frames, coding } = point;
  if (stream.direction === "remote") {
    const all = (frames ?? 0) + (dropped ?? 0);
    return all >= KEEPS_UP.leastFrames && (dropped ?? 0) >= KEEPS_UP.dropped * all;
  }
  if (limited === "cpu") return true;
  if (limited === "bandwidth" || fps === null || sourceFps === null) return false;
  const late = sourceFps >= KEEPS_UP.leastFps && fps < KEEPS_UP.sent * sourceFps;
  return late && (coding === null || coding >= KEEPS_UP.coding / 2);
}

/** Points of each poll, oldest first. */
export function pollsOf(streams: readonly TimelineStream[]): Seen[][] {
  const all = streams
    .flatMap((stream) => stream.points.map((point) => ({ stream, point })))
    .toSorted((a, b) => a.point.at - b.point.at);
  const polls: Seen[][] = [];
  for (const seen of all) {
    const last = polls.at(-1);
    const first = last?.[0];
    if (last !== undefined && first !== undefined && seen.point.at - first.point.at < WINDOW.poll)
      last.push(seen);
    else polls.push([seen]);
  }
  return polls;
}

const maxOf = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
};

/** Polls that are looked at in one step: some milliseconds of work. */
const STEP = 400;

/** The moments of what a side sends, or of what it receives of one member, in steps. */
export function* momentSteps(
  streams: readonly TimelineStream[],
): Generator<undefined, readonly Moment[]> {
  const before = new Map<string, TimelinePoint[]>();
  const began = new Map<string, number>();
  const rests: { at: number; rtt: number }[] = [];
  const lates: { at: number; late: number }[] = [];
  const moments: Moment[] = [];
  let callBegan: number | null = null;
  for (const [place, poll] of pollsOf(streams).entries()) {
    if (place % STEP === STEP - 1) yield;
    const at = poll[0]?.point.at ?? 0;
    callBegan ??= at;
    let [packets, lost] = [0, 0];
    let rerouted = false;
    for (const { stream, point } of poll) {
      const known = before.get(stream.id) ?? [];
      if (!began.has(stream.rtcId)) began.set(stream.rtcId, point.at);
      const last = known.at(-1);
      if (last?.pair != null && point.pair !== null && last.pair !== point.pair) rerouted = true;
      const width = WINDOW[stream.direction];
      const kept = known.filter(
        (one) => point.at - one.at <= width && one.packets <= point.packets,
      );
      const [first] = kept;
      if (first !== undefined) {
        const gone = Math.max(0, point.lost - first.lost);
        lost += gone;
        packets += point.packets - first.packets + (stream.direction === "remote" ? gone : 0);
      }
      before.set(stream.id, [...kept, point]);
    }
    const rtt = maxOf(poll.map(({ point }) => point.rtt));
    if (rtt !== null) rests.push({ at, rtt });
    while (rests[0] !== undefined && at - rests[0].at > WINDOW.rest) rests.shift();
    const late = maxOf(poll.map(({ point }) => point.late));
    if (late !== null) lates.push({ at, late });
    while (lates[0] !== undefined && at - lates[0].at > WINDOW.timers) lates.shift();
    const due = poll.filter(({ point }) => point.on && point.kbps !== null);
    const cameras = poll.filter(
      ({ stream, point }) => stream.kind === "video" && !stream.screen && point.on,
    );
    const ages = poll.map(({ stream, point }) => point.at - (began.get(stream.rtcId) ?? point.at));
    moments.push({
      at,
      sound: poll.some(({ stream, point }) => stream.kind === "audio" && point.on),
      picture: cameras.length > 0,
      loss: packets < LEAST_PACKETS ? null : Math.min(100, (lost / packets) * 100),
      rtt,
      restRtt: rests.length === 0 ? null : Math.min(...rests.map((one) => one.rtt)),
      available: maxOf(
        poll.map(({ stream, point }) => (stream.direction === "local" ? point.available : null)),
      ),
      silent: due.length > 0 && due.every(({ point }) => point.kbps === 0),
      overloaded: poll.some(isOverloaded),
      lateTimers: reachedByHalf(lates.map((one) => one.late)),
      noFrames: cameras.some(
        ({ stream, point }) =>
          stream.direction === "local" && (point.sourceFps ?? point.frames) === 0,
      ),
      noSound: poll.some(
        ({ stream, point }) =>
          stream.kind === "audio" &&
          stream.direction === "local" &&
          point.on &&
          point.sounds === false,
      ),
      relayed: poll.some(({ point }) => point.route?.includes("relay") === true),
      rerouted,
      age: Math.min(...ages),
      callAge: at - callBegan,
    });
  }
  return moments;
}
