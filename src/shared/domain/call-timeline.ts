/** Makes the timeline of a call or conference of its stored quality records (docs/calls.md#timeline). Pure. */
import type {
  CallTimeline,
  TimelineEvent,
  TimelinePoint,
  TimelineSide,
  TimelineStream,
} from "../protocol/call-timeline.ts";
import { measuredKey, type QualityRecord, qualityRecordSchema } from "../protocol/qoe.ts";
import { STREAM_TYPE } from "./conference-types.ts";
import { soundScore } from "./opinion-score.ts";
import { doneAtOnce } from "./steps.ts";

type Periodic = Extract<QualityRecord, { kind: 1 }>;

/** A size, a number of frames or a round trip of 0 was not measured. */
const measured = (value: number): number | null => (value === 0 ? null : value);

/** Records of older cores have no score; that of sound follows from what they have. */
function scoreOf(record: Periodic): number | null {
  if (record.mos !== undefined) return record.mos / 100;
  if (record.media !== "audio" || record.KBps === 0) return null;
  return soundScore({
    rtt: record.rtt,
    jitter: null,
    buffer: null,
    loss: record.packetLossRate,
  });
}

function pointOf(record: Periodic): TimelinePoint {
  const video = record.media === "video";
  return {
    at: record.time,
    on: record.on ?? true,
    mos: scoreOf(record),
    kbps: record.KBps * 8,
    loss: record.packetLossRate,
    packets: record.packets,
    lost: record.packetsLost,
    rtt: measured(record.rtt),
    jitter: record.jitter ?? null,
    buffer: record.buffer ?? null,
    fps: video ? record.fps : null,
    width: measured(record.frameWidth),
    height: measured(record.frameHeight),
    sourceFps: record.sourceFps ?? null,
    frames: record.frames ?? null,
    dropped: record.dropped ?? null,
    freezes: record.freezes ?? null,
    frozen: record.frozen ?? null,
    coding: record.coding ?? null,
    limited: record.limited ?? null,
    available: record.available ?? null,
    sounds: record.sounds ?? null,
    pair: record.pair ?? null,
    route: record.route ?? null,
    late: record.late ?? null,
  };
}

function sideOf(memName: string, records: readonly QualityRecord[]): TimelineSide {
  const streams = new Map<string, TimelineStream>();
  const events: TimelineEvent[] = [];
  let machine: string[] = [];
  for (const record of records.toSorted((a, b) => a.time - b.time)) {
    if (record.kind === 0) {
      machine = [record.deviceInfo, record.osVersion, record.networkType, record.sdkVersion];
    } else if (record.kind === 2) {
      const { time: at, event: code, rtcId = null, detail = "" } = record;
      events.push({ at, code, rtcId, detail });
    } else {
      const id = measuredKey(record);
      const known = streams.get(id);
      const stream: TimelineStream = known ?? {
        id,
        rtcId: record.rtcId,
        direction: record.isPub ? "local" : "remote",
        kind: record.media,
        screen: record.streamType === STREAM_TYPE.screen,
        from: record.isPub ? memName : record.subMemName,
        points: [],
      };
      if (known === undefined) streams.set(id, stream);
      stream.points.push(pointOf(record));
    }
  }
  return {
    memName,
    machine: machine.filter((word) => word !== ""),
    streams: [...streams.values()],
    events,
  };
}

/** Records that are read in one step: some milliseconds of work. */
const STEP = 500;

/**
 * The timeline in steps, of 500 records each and of a side each.
 *
 * @param records as they were stored, of all sides and in any order. Those that are no records of ours are left out
 */
export function* timelineSteps(
  confrId: string,
  records: readonly unknown[],
): Generator<undefined, CallTimeline> {
  const sides = new Map<string, QualityRecord[]>();
  for (const [place, one] of records.entries()) {
    if (place % STEP === STEP - 1) yield;
    const read = qualityRecordSchema.safeParse(one);
    if (!read.success || read.data.confrId !== confrId) continue;
    const own = sides.get(read.data.memName) ?? [];
    sides.set(read.data.memName, own);
    own.push(read.data);
  }
  const made: TimelineSide[] = [];
  for (const [memName, own] of sides) {
    yield;
    made.push(sideOf(memName, own));
  }
  return { confrId, sides: made };
}

export const timelineOf = (confrId: string, records: readonly unknown[]): CallTimeline =>
  doneAtOnce(timelineSteps(confrId, records));

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((a, b) => a + b, 0) / values.length;
const worst = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.min(...known);
};

/** Opinion scores of one direction: what a member sends, as the others received it. */
export interface DirectionScore {
  /** Chat user name of the member who sends. */
  readonly from: string;
  readonly sound: number | null;
  readonly picture: number | null;
  /** The worse of both. */
  readonly mos: number | null;
}

/** The mean over time of each stream; a direction is as good as its worse one (docs/calls.md#opinion-scores). */
export function directionScores({ sides }: CallTimeline): readonly DirectionScore[] {
  const all = sides.flatMap(({ streams }) => streams);
  const names = [...new Set(all.map(({ from }) => from))].filter((from) => from !== "");
  return names.map((from) => {
    const meanOf = (kind: "audio" | "video"): number | null => {
      const scores = (direction: "local" | "remote"): number[] =>
        all
          .filter((one) => one.from === from && one.kind === kind && one.direction === direction)
          .flatMap(({ points }) => points.map(({ mos }) => mos))
          .filter((mos) => mos !== null);
      // Who receives it knows freezes and buffers; the sender's figures stand in for those who said nothing.
      return mean(scores("remote")) ?? mean(scores("local"));
    };
    const [sound, picture] = [meanOf("audio"), meanOf("video")];
    return { from, sound, picture, mos: worst([sound, picture]) };
  });
}

/** The worst direction counts. @returns null when nothing was measured */
export const callScore = (timeline: CallTimeline): number | null =>
  worst(directionScores(timeline).map(({ mos }) => mos));
