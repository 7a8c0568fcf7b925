/** Values per stream of a call: takes samples, returns slice entries and what is known of each stream. */
import { judgeStream, type StreamJudgement } from "../../../shared/domain/quality.ts";
import type { StreamSample } from "../../../shared/protocol/qoe.ts";
import type { QualitySlice } from "../../../shared/protocol/state.ts";
import type { QoeCall } from "./contracts.ts";

export const POINTS = 120;

interface Watched {
  readonly judged: StreamJudgement;
  readonly entry: QualitySlice["streams"][string];
}
export interface Watching {
  /** Adds the samples of one poll. */
  addSamples(samples: readonly StreamSample[]): readonly StreamJudgement[];
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
        const { direction, kind, rtcId } = sample;
        const about = call.about?.(rtcId, direction);
        const judged = judgeStream(
          before?.judged ?? null,
          sample,
          (about?.flows ?? expected[direction])[kind],
          about,
        );
        const { rates, mos } = judged;
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
        watched.set(sample.id, {
          judged,
          entry: {
            id: sample.id,
            callId: call.callId,
            direction: sample.direction,
            kind: sample.kind,
            quality: judged.score.score,
            mos: round(mos, 2),
            points,
          },
        });
        return judged;
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
