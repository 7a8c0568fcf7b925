/**
 * The quality that a tile shows: from what the owner tab counts of each stream, by the thresholds in docs/conferences.md#quality. The state of
 * ICE says nothing here: a connection that stands may carry nothing, and one that is weak for a second may lose nothing.
 */
import {
  QUALITY_THRESHOLDS,
  type QualityScore,
  ratesOf,
  type ScoreState,
  scoreStep,
  START_SCORE,
} from "../../../shared/domain/quality.ts";
import type { StreamSample } from "../../../shared/protocol/qoe.ts";
import type { ConfrStreamView } from "../../../shared/protocol/state.ts";
import type { CoreEnv } from "../contracts.ts";
import type { Model } from "./model.ts";

export interface TileQuality {
  /** All samples of one poll. */
  take(samples: readonly StreamSample[]): void;
  reset(): void;
}

interface Watched {
  readonly rtcId: string;
  readonly kinds: Map<string, { readonly last: StreamSample; readonly score: ScoreState }>;
  /** Since when nothing at all is counted of a stream that should come; ms since the epoch. */
  missingSince: number | null;
}

/** What should flow of a stream now. */
function expected(stream: ConfrStreamView): Readonly<Record<"audio" | "video", boolean>> {
  const { hasAudio, hasVideo, aoff, voff, located, layer } = stream;
  return {
    audio: hasAudio && aoff === 0 && stream.audio,
    video: hasVideo && voff === 0 && stream.video && (located || layer !== "none"),
  };
}

/** @param deps.rtcIdOf the connection that carries a stream here; null: none */
export function createTileQuality(deps: {
  readonly env: Pick<CoreEnv, "clock">;
  readonly model: Pick<Model, "slice" | "patchStream">;
  readonly rtcIdOf: (stream: ConfrStreamView) => string | null;
}): TileQuality {
  const { env, model } = deps;
  const watched = new Map<string, Watched>();

  function judge(stream: ConfrStreamView, samples: readonly StreamSample[]): QualityScore {
    const rtcId = deps.rtcIdOf(stream);
    if (rtcId === null || stream.link === "none") {
      watched.delete(stream.id);
      return 2;
    }
    const before = watched.get(stream.id);
    // a connection that is built anew does not forget how long nothing has come
    const one: Watched =
      before?.rtcId === rtcId
        ? before
        : { rtcId, kinds: new Map(), missingSince: before?.missingSince ?? null };
    watched.set(stream.id, one);
    const wanted = expected(stream);
    const own = samples.filter((sample) => sample.rtcId === rtcId);
    const scores: QualityScore[] = own.map((sample) => {
      const known = one.kinds.get(sample.kind);
      const rates = ratesOf(sample, known?.last ?? null);
      const score = scoreStep(known?.score ?? START_SCORE, sample.kind, rates, wanted[sample.kind]);
      one.kinds.set(sample.kind, { last: sample, score });
      return score.score;
    });
    const now = env.clock.now();
    const missing = own.length === 0 && (wanted.audio || wanted.video);
    one.missingSince = missing ? (one.missingSince ?? now) : null;
    if (missing && now - (one.missingSince ?? now) >= QUALITY_THRESHOLDS.noTrafficMillis) return 0;
    return scores.reduce<QualityScore>((worst, score) => (score < worst ? score : worst), 2);
  }

  return {
    take(samples) {
      const { streams } = model.slice;
      for (const id of watched.keys()) if (streams[id] === undefined) watched.delete(id);
      for (const stream of Object.values(streams)) {
        const quality = judge(stream, samples);
        const seen = samples.find(
          ({ rtcId, kind, width, height }) =>
            kind === "video" &&
            width !== null &&
            height !== null &&
            rtcId === watched.get(stream.id)?.rtcId,
        );
        // one whose publisher did not say how large it is, as it arrives
        const size =
          stream.resolution === null && !stream.located && stream.layer === "high" && seen != null
            ? { resolution: { w: Math.round(seen.width ?? 0), h: Math.round(seen.height ?? 0) } }
            : {};
        model.patchStream(stream.id, { quality, ...size });
      }
    },
    reset: () => watched.clear(),
  };
}
