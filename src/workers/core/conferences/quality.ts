/**
 * The quality that a tile shows, computed from the owner tab's samples of each stream by the thresholds in docs/calls.md#quality-samples. The
 * ICE state is not used: a connected path may carry nothing, and a path that is weak for a second may lose nothing.
 */
import {
  judgeStream,
  QUALITY_THRESHOLDS,
  type QualityScore,
  type StreamJudgement,
} from "../../../shared/domain/quality.ts";
import { QUALITY_EVENT, type StreamSample } from "../../../shared/protocol/qoe.ts";
import type { ConferenceStreamView } from "../../../shared/protocol/state.ts";
import type { CoreEnv } from "../contracts.ts";
import type { OnQuality } from "./connection-reports.ts";
import type { Model } from "./model.ts";

export interface TileQuality {
  /** @param samples all samples of one poll */
  addSamples(samples: readonly StreamSample[]): void;
  reset(): void;
}

interface Watched {
  readonly rtcId: string;
  readonly kinds: Map<string, StreamJudgement>;
  /** When samples of a stream that should flow began to be missing, in ms since 1970; null while there are samples. */
  missingSince: number | null;
}

/** Which media of a stream should flow now. */
export function shouldFlow(
  stream: ConferenceStreamView,
): Readonly<Record<"audio" | "video", boolean>> {
  const { hasAudio, hasVideo, aoff, voff, located, layer } = stream;
  return {
    audio: hasAudio && aoff === 0 && stream.audio,
    video: hasVideo && voff === 0 && stream.video && (located || layer !== "none"),
  };
}

/** @param deps.rtcIdOf returns the connection that carries a stream here; null when there is none */
export function createTileQuality(deps: {
  readonly env: Pick<CoreEnv, "clock">;
  readonly model: Pick<Model, "slice" | "patchStream">;
  readonly rtcIdOf: (stream: ConferenceStreamView) => string | null;
  readonly onQuality?: OnQuality | undefined;
}): TileQuality {
  const { env, model } = deps;
  const watched = new Map<string, Watched>();

  function judge(stream: ConferenceStreamView, samples: readonly StreamSample[]): QualityScore {
    const rtcId = deps.rtcIdOf(stream);
    if (rtcId === null || stream.connection === "none") {
      watched.delete(stream.id);
      return 2;
    }
    const before = watched.get(stream.id);
    // A rebuilt connection keeps the time since when samples are missing.
    const one: Watched =
      before?.rtcId === rtcId
        ? before
        : { rtcId, kinds: new Map(), missingSince: before?.missingSince ?? null };
    watched.set(stream.id, one);
    const wanted = shouldFlow(stream);
    const own = samples.filter((sample) => sample.rtcId === rtcId);
    const scores: QualityScore[] = own.map((sample) => {
      const judged = judgeStream(one.kinds.get(sample.kind) ?? null, sample, wanted[sample.kind]);
      one.kinds.set(sample.kind, judged);
      return judged.score.score;
    });
    const now = env.clock.now();
    const missing = own.length === 0 && (wanted.audio || wanted.video);
    one.missingSince = missing ? (one.missingSince ?? now) : null;
    if (missing && now - (one.missingSince ?? now) >= QUALITY_THRESHOLDS.noTrafficMillis) return 0;
    return scores.reduce<QualityScore>((worst, score) => (score < worst ? score : worst), 2);
  }

  return {
    addSamples(samples) {
      const { streams } = model.slice;
      for (const id of watched.keys()) if (streams[id] === undefined) watched.delete(id);
      for (const stream of Object.values(streams)) {
        const quality = judge(stream, samples);
        if (quality < stream.quality) {
          const detail = quality === 0 ? "disconnected" : "weak";
          deps.onQuality?.(QUALITY_EVENT.poor, deps.rtcIdOf(stream), detail);
        }
        const seen = samples.find(
          ({ rtcId, kind, width, height }) =>
            kind === "video" &&
            width !== null &&
            height !== null &&
            rtcId === watched.get(stream.id)?.rtcId,
        );
        // If the publisher did not state the picture's size, use the size that arrives.
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
