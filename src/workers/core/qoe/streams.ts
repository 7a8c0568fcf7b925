/** Values per stream of a call: takes samples, returns slice entries and periodic quality records (type 1). */
import {
  estimatedMos,
  ratesOf,
  type ScoreState,
  scoreStep,
  START_SCORE,
  type StreamRates,
} from "../../../shared/domain/quality.ts";
import { STREAM_TYPE } from "../../../shared/domain/conference-types.ts";
import type { QualityRecord, StreamSample } from "../../../shared/protocol/qoe.ts";
import type { QualitySlice } from "../../../shared/protocol/state.ts";
import type { QoeCall } from "./contracts.ts";

export const POINTS = 120;

interface Watched {
  last: StreamSample;
  score: ScoreState;
  entry: QualitySlice["streams"][string];
}
export interface Watching {
  /** Adds the samples of one poll. */
  addSamples(
    samples: readonly StreamSample[],
  ): readonly { sample: StreamSample; rates: StreamRates }[];
  entry(id: string): QualitySlice["streams"][string] | undefined;
  /** Ids of streams whose connection was missing in the last poll. */
  gone(samples: readonly StreamSample[]): readonly string[];
}

const round = (value: number | null, digits = 0): number | null =>
  value === null ? null : Math.round(value * 10 ** digits) / 10 ** digits;

export function createStreams(call: QoeCall): Watching {
  const watched = new Map<string, Watched>();
  return {
    addSamples(samples) {
      const expected = call.expected();
      return samples.map((sample) => {
        const before = watched.get(sample.id);
        const rates = ratesOf(sample, before?.last ?? null);
        const score = scoreStep(
          before?.score ?? START_SCORE,
          sample.kind,
          rates,
          expected[sample.direction][sample.kind],
        );
        const points = [
          ...(before?.entry.points ?? []).slice(-(POINTS - 1)),
          {
            at: rates.at,
            kbps: round(rates.kbps, 1),
            loss: round(rates.loss, 1),
            rtt: round(rates.rtt),
            fps: round(rates.fps, 1),
            jitter: round(rates.jitter, 1),
            freezes: rates.freezes,
          },
        ];
        const mos =
          sample.kind === "audio" && rates.loss !== null
            ? round(estimatedMos(rates.rtt ?? 0, rates.jitter ?? 0, rates.loss), 2)
            : null;
        watched.set(sample.id, {
          last: sample,
          score,
          entry: {
            id: sample.id,
            callId: call.callId,
            direction: sample.direction,
            kind: sample.kind,
            quality: score.score,
            mos,
            points,
          },
        });
        return { sample, rates };
      });
    },
    entry: (id) => watched.get(id)?.entry,
    gone(samples) {
      const now = new Set(samples.map((sample) => sample.id));
      const gone = [...watched.keys()].filter((id) => !now.has(id));
      for (const id of gone) watched.delete(id);
      return gone;
    },
  };
}

/** The periodic record of one stream; numbers are rounded to integers. */
export function periodicRecord(
  call: QoeCall,
  sample: StreamSample,
  rates: StreamRates,
): QualityRecord {
  const local = sample.direction === "local";
  const whole = (value: number | null): number => Math.round(value ?? 0);
  return {
    kind: 1,
    confrId: call.confrId,
    memId: call.memId,
    memName: call.memName,
    time: Math.round(sample.at),
    sessionId: call.sessionId,
    streamType: STREAM_TYPE.camera,
    sId: sample.id,
    rtcId: sample.rtcId,
    isPub: local,
    subMemName: local ? "" : call.peerName,
    subMemId: "",
    media: sample.kind,
    packets: whole(sample.packets),
    bytes: whole(sample.bytes),
    packetsLost: whole(sample.packetsLost),
    packetLossRate: whole(rates.loss),
    KBps: whole(rates.kbps === null ? null : rates.kbps / 8),
    frameWidth: whole(sample.width),
    frameHeight: whole(sample.height),
    fps: whole(rates.fps),
    rtt: whole(rates.rtt),
    audioInputLevel: whole(sample.audioLevel === null ? null : sample.audioLevel * 100),
  };
}
