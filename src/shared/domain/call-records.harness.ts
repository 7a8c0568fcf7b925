/** For tests: the quality records of a call of two, as both cores would send them, every 2 s. */
import type { QualityRecord } from "../protocol/qoe.ts";

export const CONFR = "conference";
export const START = 1_800_000_000_000;
const POLL = 2000;

/** What one stream is like at a moment. */
export interface Look {
  readonly kbps: number;
  /** Part of the packets that are lost, 0..1. */
  readonly loss: number;
  readonly rtt: number;
  readonly jitter: number;
  readonly fps: number;
  readonly sourceFps: number;
  readonly available: number;
  readonly limited: "none" | "cpu" | "bandwidth";
  readonly coding: number;
  readonly dropped: number;
  readonly freezes: number;
  readonly frozen: number;
  readonly on: boolean;
  readonly sounds: boolean;
  readonly pair: string;
  readonly route: string;
  readonly rtcId: string;
  /** null: the record says nothing of timers, as those of older cores. */
  readonly late: number | null;
}
export interface Where {
  /** ms since the beginning */
  readonly at: number;
  /** Who sends the stream. */
  readonly from: "ann" | "bob";
  readonly kind: "audio" | "video";
  /** Whose record it is. */
  readonly side: "ann" | "bob";
}
export type Event = readonly [at: number, side: "ann" | "bob", event: number, detail?: string];

const GOOD = (kind: "audio" | "video"): Look => ({
  kbps: kind === "audio" ? 32 : 900,
  loss: 0,
  rtt: 40,
  jitter: 4,
  fps: 20,
  sourceFps: 20,
  available: 2500,
  limited: "none",
  coding: 12,
  dropped: 0,
  freezes: 0,
  frozen: 0,
  on: true,
  sounds: true,
  pair: "p1",
  route: "host/host/udp",
  rtcId: "r1",
  late: null,
});

/** @param change how a stream differs from that of a good call at a moment */
export function callRecords(
  seconds: number,
  change: (where: Where) => Partial<Look> = () => ({}),
  events: readonly Event[] = [],
): QualityRecord[] {
  const records: QualityRecord[] = [];
  const counters = new Map<string, { packets: number; bytes: number; lost: number }>();
  const common = (side: string, at: number) => ({
    confrId: CONFR,
    memId: side,
    memName: side,
    time: START + at,
    sessionId: side,
  });
  for (let at = POLL; at <= seconds * 1000; at += POLL) {
    for (const side of ["ann", "bob"] as const) {
      for (const from of ["ann", "bob"] as const) {
        for (const kind of ["audio", "video"] as const) {
          const look = { ...GOOD(kind), ...change({ at, from, kind, side }) };
          const local = from === side;
          const counted = `${side} ${look.rtcId} ${from} ${kind}`;
          const now = counters.get(counted) ?? { packets: 0, bytes: 0, lost: 0 };
          counters.set(counted, now);
          const sent = look.kbps === 0 ? 0 : kind === "audio" ? 100 : Math.max(20, look.kbps / 4);
          const lost = Math.round(sent * look.loss);
          now.packets += local ? sent : sent - lost;
          now.lost += lost;
          now.bytes += look.kbps * 250;
          const video = kind === "video";
          records.push({
            ...common(side, at),
            kind: 1,
            streamType: 0,
            sId: `stream-of-${from}`,
            rtcId: look.rtcId,
            isPub: local,
            subMemName: local ? "" : from,
            subMemId: "",
            media: kind,
            packets: now.packets,
            bytes: now.bytes,
            packetsLost: now.lost,
            packetLossRate: Math.round(look.loss * 100),
            KBps: Math.round(look.kbps / 8),
            frameWidth: video ? 640 : 0,
            frameHeight: video ? 360 : 0,
            fps: video ? look.fps : 0,
            rtt: look.rtt,
            audioInputLevel: 10,
            on: look.on,
            jitter: look.jitter,
            pair: look.pair,
            route: look.route,
            ...(look.late === null ? {} : { late: look.late }),
            ...(look.on && look.kbps > 0
              ? { mos: Math.max(100, Math.round(430 - look.loss * 1000 - look.rtt / 10)) }
              : {}),
            ...(video ? { frames: look.fps * 2, coding: look.coding } : {}),
            ...(local
              ? {
                  available: look.available,
                  ...(video
                    ? { limited: look.limited, sourceFps: look.sourceFps }
                    : { sounds: look.sounds }),
                }
              : {
                  buffer: 30,
                  ...(video
                    ? { dropped: look.dropped, freezes: look.freezes, frozen: look.frozen }
                    : {}),
                }),
          });
        }
      }
    }
  }
  for (const [at, side, event, detail] of events) {
    records.push({
      ...common(side, at),
      kind: 2,
      event,
      ...(detail === undefined ? {} : { detail }),
    });
  }
  return records;
}
