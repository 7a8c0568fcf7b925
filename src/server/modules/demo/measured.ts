/** What the devices of the demo's people measured of its calls: the sound of both directions, every ten seconds of the first minute. */
import { soundScore } from "../../../shared/domain/opinion-score.ts";
import type { QualityRecord } from "../../../shared/protocol/qoe.ts";

const SAMPLES = 6;
const STEP = 10_000;
/** Packets of sound in a step, and their bytes. */
const PACKETS = 500;
const BYTES = 80;

type Periodic = Extract<QualityRecord, { kind: 1 }>;

export interface DemoSide {
  readonly callId: string;
  /** Chat user names. */
  readonly owner: string;
  readonly peer: string;
  /** When the call was answered, ms since the epoch. */
  readonly answeredAt: number;
}

/** @param below a number by chance, less than its argument */
export function measuredRecords(side: DemoSide, below: (end: number) => number): Periodic[] {
  const { callId, owner, peer, answeredAt } = side;
  // One call in eight has a network that loses.
  const loses = below(8) === 0 ? 6 + below(20) : 0;
  const rest = 18 + below(60);
  return [true, false].flatMap((isPub) => {
    let lost = 0;
    return Array.from({ length: SAMPLES }, (_, n): Periodic => {
      const packetLossRate = loses + (below(4) === 0 ? below(3) : 0);
      const rtt = rest + below(12);
      lost += Math.round((PACKETS * packetLossRate) / 100);
      const sent = PACKETS * (n + 1);
      const mos = soundScore({ rtt, jitter: null, buffer: null, loss: packetLossRate });
      return {
        kind: 1,
        confrId: callId,
        memId: owner,
        memName: owner,
        time: answeredAt + STEP * (n + 1),
        sessionId: callId,
        streamType: 0,
        sId: `${callId}:${isPub ? "local" : "remote"}:audio`,
        rtcId: callId,
        isPub,
        subMemName: isPub ? "" : peer,
        subMemId: "",
        media: "audio",
        packets: isPub ? sent : sent - lost,
        bytes: sent * BYTES,
        packetsLost: lost,
        packetLossRate,
        KBps: 4,
        frameWidth: 0,
        frameHeight: 0,
        fps: 0,
        rtt,
        audioInputLevel: 10 + below(40),
        mos: Math.round(mos * 100),
        on: true,
        jitter: 2 + below(8),
        route: "host/host/udp",
      };
    });
  });
}

/** What these records add up to, for the list of measured calls. */
export const scoresOf = (records: readonly Periodic[]) =>
  [true, false].map((isPub) => {
    const own = records.filter((record) => record.isPub === isPub);
    const [first] = own;
    return {
      confrId: first?.confrId ?? "",
      stream: first?.sId ?? "",
      sender: isPub ? (first?.memName ?? "") : (first?.subMemName ?? ""),
      kind: "audio",
      received: !isPub,
      mosSum: own.reduce((sum, { mos }) => sum + (mos ?? 0), 0),
      samples: own.length,
    };
  });
