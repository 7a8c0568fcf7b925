/** A dump of `chrome://webrtc-internals` as a timeline of one side (docs/session.md#quality-of-calls). Pure. */
import type {
  CallTimeline,
  TimelinePoint,
  TimelineStream,
} from "../../shared/protocol/call-timeline.ts";
import { soundScore } from "../../shared/domain/opinion-score.ts";
import { DUMP_PEER, DUMP_SIDE } from "../../shared/protocol/call-file.ts";
import { z } from "../../shared/zod.ts";

/** One figure over time: `IT01A…-bytesReceived`. The values are a JSON text of one for each second. */
const seriesSchema = z.object({
  startTime: z.coerce.date(),
  endTime: z.coerce.date(),
  statsType: z.string(),
  values: z.string(),
});
const connectionSchema = z.object({
  url: z.string().default(""),
  stats: z.record(z.string(), seriesSchema).default({}),
});
export const webrtcDumpSchema = z.object({
  PeerConnections: z.record(z.string(), connectionSchema),
  UserAgent: z.string().default(""),
});
export type WebrtcDump = z.infer<typeof webrtcDumpSchema>;

const DIRECTIONS = { "inbound-rtp": "remote", "outbound-rtp": "local" } as const;

interface Values {
  readonly startTime: number;
  readonly step: number;
  readonly values: readonly unknown[];
}
type Figures = Map<string, Values>;

function valuesOf({ values, startTime, endTime }: z.infer<typeof seriesSchema>): Values {
  const list: unknown = JSON.parse(values);
  const all: readonly unknown[] = Array.isArray(list) ? list : [];
  const span = endTime.getTime() - startTime.getTime();
  return {
    startTime: startTime.getTime(),
    step: all.length > 1 ? span / (all.length - 1) : 1000,
    values: all,
  };
}

/** Figures by the object that they are about. */
function objectsOf(
  stats: z.infer<typeof connectionSchema>["stats"],
): ReadonlyMap<string, { readonly type: string; readonly figures: Figures }> {
  const objects = new Map<string, { type: string; figures: Figures }>();
  for (const [name, series] of Object.entries(stats)) {
    const at = name.lastIndexOf("-");
    const id = name.slice(0, at);
    const object = objects.get(id) ?? { type: series.statsType, figures: new Map() };
    objects.set(id, object);
    object.figures.set(name.slice(at + 1), valuesOf(series));
  }
  return objects;
}

function streamOf(
  connection: string,
  id: string,
  direction: "local" | "remote",
  figures: Figures,
): TimelineStream | null {
  const bytes = figures.get(direction === "local" ? "bytesSent" : "bytesReceived");
  const kind = figures.get("kind")?.values.find((one) => one === "audio" || one === "video");
  if (bytes === undefined || (kind !== "audio" && kind !== "video")) return null;
  const at = (name: string, time: number): number | null => {
    const series = figures.get(name);
    if (series === undefined) return null;
    const value = series.values[Math.round((time - series.startTime) / series.step)];
    return typeof value === "number" && Number.isFinite(value) ? value : null;
  };
  const text = (name: string, time: number): unknown => {
    const series = figures.get(name);
    return series?.values[Math.round((time - series.startTime) / series.step)];
  };
  const points = bytes.values.map((_, n): TimelinePoint => {
    const time = bytes.startTime + n * bytes.step;
    const grown = (name: string): number | null => {
      const [now, before] = [at(name, time), at(name, time - bytes.step)];
      return n === 0 || now === null || before === null ? null : Math.max(0, now - before);
    };
    const millis = (name: string): number | null => {
      const value = at(name, time);
      return value === null ? null : value * 1000;
    };
    const sent = grown(direction === "local" ? "bytesSent" : "bytesReceived");
    const packets = grown(direction === "local" ? "packetsSent" : "packetsReceived");
    const lost = grown("packetsLost");
    const all = (packets ?? 0) + (direction === "remote" ? (lost ?? 0) : 0);
    const loss = packets === null ? null : all === 0 ? 0 : ((lost ?? 0) * 100) / all;
    const delay = grown("jitterBufferDelay");
    const emitted = grown("jitterBufferEmittedCount");
    const limited = text("qualityLimitationReason", time);
    const frozen = grown("totalFreezesDuration");
    const energy = grown("totalAudioEnergy");
    const jitter = millis("jitter");
    const rtt = millis("roundTripTime");
    const buffer = delay === null || !emitted ? null : (delay * 1000) / emitted;
    return {
      at: Math.round(time),
      on: text("active", time) !== false,
      mos:
        kind === "audio" && loss !== null && sent !== null && sent > 0
          ? soundScore({ rtt, jitter, buffer, loss })
          : null,
      kbps: sent === null ? null : (sent * 8) / bytes.step,
      loss,
      packets: at(direction === "local" ? "packetsSent" : "packetsReceived", time) ?? 0,
      lost: Math.max(0, at("packetsLost", time) ?? 0),
      rtt,
      jitter,
      buffer,
      fps: at("framesPerSecond", time),
      width: at("frameWidth", time),
      height: at("frameHeight", time),
      sourceFps: null,
      frames: grown(direction === "local" ? "framesEncoded" : "framesDecoded"),
      dropped: grown("framesDropped"),
      freezes: grown("freezeCount"),
      frozen: frozen === null ? null : frozen * 1000,
      coding: null,
      limited:
        limited === "cpu" || limited === "bandwidth" || limited === "none" || limited === "other"
          ? limited
          : null,
      available: null,
      sounds: energy === null ? null : energy > 0,
      pair: null,
      route: null,
      late: null,
    };
  });
  return {
    id: `${connection}:${id}`.slice(0, 160),
    rtcId: connection.slice(0, 64),
    direction,
    kind,
    screen: false,
    from: direction === "local" ? DUMP_SIDE : DUMP_PEER,
    points,
  };
}

/** What the other side reports of a sent stream stands in an object of its own, of the same number. */
function withReports(figures: Figures, objects: ReturnType<typeof objectsOf>): Figures {
  const id = figures.get("remoteId")?.values.findLast((one) => typeof one === "string");
  const reported = typeof id === "string" ? objects.get(id)?.figures : undefined;
  if (reported === undefined) return figures;
  const names = ["packetsLost", "roundTripTime", "jitter"];
  const known = names.flatMap((name) => {
    const series = reported.get(name);
    return series === undefined ? [] : [[name, series] as const];
  });
  return new Map([...figures, ...known]);
}

/** @throws SyntaxError when the values of a figure are no JSON */
export function timelineOfDump({ PeerConnections, UserAgent }: WebrtcDump): CallTimeline {
  const streams = Object.entries(PeerConnections).flatMap(([name, { stats }]) => {
    const objects = objectsOf(stats);
    return [...objects].flatMap(([id, { type, figures }]) => {
      const direction = DIRECTIONS[type as keyof typeof DIRECTIONS];
      if (direction === undefined) return [];
      const all = direction === "local" ? withReports(figures, objects) : figures;
      const stream = streamOf(name, id, direction, all);
      return stream === null ? [] : [stream];
    });
  });
  const machine = UserAgent === "" ? [] : [UserAgent.slice(0, 300)];
  return {
    confrId: "webrtc-internals",
    sides: [{ memName: DUMP_SIDE, machine, streams, events: [] }],
  };
}
