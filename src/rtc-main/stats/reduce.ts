/** Reduces a getStats report (8 kB) to one sample per direction and kind (0.5 kB each), which the core evaluates. */
import { QUALITY_LIMITATIONS, type StreamSample } from "../../shared/protocol/qoe.ts";

/** The fields of a statistics object that are read here. A browser may omit any of them. */
interface Stat {
  readonly id: string;
  readonly type: string;
  readonly timestamp: number;
  readonly kind?: string;
  readonly [field: string]: unknown;
}

const num = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) ? value : null;
const ms = (seconds: unknown): number | null => {
  const value = num(seconds);
  return value === null ? null : value * 1000;
};
const sum = (stats: readonly Stat[], field: string): number | null => {
  const values = stats.map((s) => num(s[field])).filter((v) => v !== null);
  return values.length === 0 ? null : values.reduce((a, b) => a + b, 0);
};
const max = (stats: readonly Stat[], field: string): number | null => {
  const values = stats.map((s) => num(s[field])).filter((v) => v !== null);
  return values.length === 0 ? null : Math.max(...values);
};
/** Fields whose value is known. Samples leave out the others. */
const known = <T extends Record<string, unknown>>(fields: T): Known<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as Known<T>;
type Known<T> = { readonly [K in keyof T]?: Exclude<T[K], null> };
const LIMITATIONS: ReadonlySet<unknown> = new Set(QUALITY_LIMITATIONS);
const limitation = (value: unknown): (typeof QUALITY_LIMITATIONS)[number] | null =>
  LIMITATIONS.has(value) ? (value as (typeof QUALITY_LIMITATIONS)[number]) : null;
const atLeastZero = (value: number | null): number => Math.max(0, value ?? 0);

/** The layer with the largest picture that is sent; a layer that is off has no size. */
const largest = (layers: readonly Stat[]): Stat | undefined =>
  layers.toSorted((a, b) => (num(b["frameWidth"]) ?? 0) - (num(a["frameWidth"]) ?? 0))[0];

/** The selected pair. Chromium names it in the transport; Firefox marks it. */
function pairOf(stats: readonly Stat[]): Stat | undefined {
  const chosen = stats.find((s) => s.type === "transport")?.["selectedCandidatePairId"];
  return (
    stats.find((s) => s.type === "candidate-pair" && s.id === chosen) ??
    stats.find(
      (s) => s.type === "candidate-pair" && (s["selected"] === true || s["nominated"] === true),
    )
  );
}

/** The kinds of both candidates of the pair, and the protocol: host, relay, udp. */
function routeOf(stats: readonly Stat[], pair: Stat | undefined): string | null {
  const find = (field: string): Stat | undefined =>
    pair === undefined ? undefined : stats.find(({ id }) => id === pair[field]);
  const [local, remote] = [find("localCandidateId"), find("remoteCandidateId")];
  const kinds = [local?.["candidateType"], remote?.["candidateType"], local?.["protocol"]];
  return kinds.every((one) => typeof one === "string") ? kinds.join("/").slice(0, 32) : null;
}

/** `VP8` of `video/VP8`. */
function codecOf(stats: readonly Stat[], stream: Stat): string | null {
  const mime = stats.find(({ id }) => id === stream["codecId"])?.["mimeType"];
  return typeof mime === "string" ? mime.slice(mime.indexOf("/") + 1).slice(0, 16) : null;
}

/**
 * @param report the result of getStats (a map of id to statistics object)
 * @param now ms since the epoch, used when a timestamp is not wall-clock time
 * @returns one sample per direction and kind that has an RTP stream; simulcast layers are added up
 */
export function reduceStats(
  rtcId: string,
  report: { values(): Iterable<unknown> },
  now: number,
): StreamSample[] {
  const stats = [...report.values()] as Stat[];
  const pair = pairOf(stats);
  const transportRtt = ms(pair?.["currentRoundTripTime"]);
  const available = num(pair?.["availableOutgoingBitrate"]);
  const path = known({ pair: pair?.id.slice(0, 64) ?? null, route: routeOf(stats, pair) });
  const samples: StreamSample[] = [];
  for (const kind of ["audio", "video"] as const) {
    const statsOfType = (type: string): Stat[] =>
      stats.filter((s) => s.type === type && s.kind === kind);
    const base = (direction: "local" | "remote", stat: Stat) => ({
      id: `${rtcId}:${direction}:${kind}`,
      rtcId,
      direction,
      kind,
      // A value before 2001 is not wall-clock time.
      at: stat.timestamp > 1e12 ? stat.timestamp : now,
    });

    const out = statsOfType("outbound-rtp");
    if (out[0] !== undefined) {
      const echo = statsOfType("remote-inbound-rtp");
      const source = stats.find((s) => s.type === "media-source" && s.kind === kind);
      samples.push({
        ...base("local", out[0]),
        bytes: atLeastZero(sum(out, "bytesSent")),
        packets: atLeastZero(sum(out, "packetsSent")),
        packetsLost: sum(echo, "packetsLost") ?? 0,
        rtt: ms(max(echo, "roundTripTime")) ?? transportRtt,
        jitter: ms(max(echo, "jitter")),
        frames: kind === "video" ? sum(out, "framesEncoded") : null,
        framesDropped: null,
        fps: kind === "video" ? max(out, "framesPerSecond") : null,
        width: max(out, "frameWidth"),
        height: max(out, "frameHeight"),
        freezeCount: null,
        pliCount: sum(out, "pliCount"),
        qpSum: sum(out, "qpSum"),
        audioLevel: num(source?.["audioLevel"]),
        concealedSamples: null,
        totalSamples: null,
        ...path,
        ...known({
          availableKbps: available === null ? null : available / 1000,
          codec: codecOf(stats, out[0]),
          codingMillis: ms(sum(out, "totalEncodeTime")),
          limited: limitation(largest(out)?.["qualityLimitationReason"]),
          sourceFps: kind === "video" ? num(source?.["framesPerSecond"]) : null,
          sourceWidth: num(source?.["width"]),
          sourceHeight: num(source?.["height"]),
          energy: num(source?.["totalAudioEnergy"]),
        }),
      });
    }

    const inbound = statsOfType("inbound-rtp");
    if (inbound[0] !== undefined) {
      samples.push({
        ...base("remote", inbound[0]),
        bytes: atLeastZero(sum(inbound, "bytesReceived")),
        packets: atLeastZero(sum(inbound, "packetsReceived")),
        packetsLost: sum(inbound, "packetsLost") ?? 0,
        rtt: transportRtt ?? ms(max(statsOfType("remote-outbound-rtp"), "roundTripTime")),
        jitter: ms(max(inbound, "jitter")),
        frames: kind === "video" ? sum(inbound, "framesDecoded") : null,
        framesDropped: kind === "video" ? sum(inbound, "framesDropped") : null,
        fps: kind === "video" ? max(inbound, "framesPerSecond") : null,
        width: max(inbound, "frameWidth"),
        height: max(inbound, "frameHeight"),
        freezeCount: sum(inbound, "freezeCount"),
        pliCount: sum(inbound, "pliCount"),
        qpSum: sum(inbound, "qpSum"),
        audioLevel: max(inbound, "audioLevel"),
        concealedSamples: sum(inbound, "concealedSamples"),
        totalSamples: sum(inbound, "totalSamplesReceived"),
        ...path,
        ...known({
          codec: codecOf(stats, inbound[0]),
          bufferMillis: ms(sum(inbound, "jitterBufferDelay")),
          bufferedUnits: sum(inbound, "jitterBufferEmittedCount"),
          frozenMillis: ms(sum(inbound, "totalFreezesDuration")),
          codingMillis: ms(sum(inbound, "totalDecodeTime")),
          energy: sum(inbound, "totalAudioEnergy"),
        }),
      });
    }
  }
  return samples;
}
