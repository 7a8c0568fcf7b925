/** Starts the workers that change the own picture and sound. Only this file names their URLs. */
import type { EffectKind } from "../shared/protocol/effects-worker.ts";

export const spawnEffectsWorker = (kind: EffectKind): Worker =>
  kind === "background"
    ? new Worker(new URL("../workers/effects/background.ts", import.meta.url), {
        type: "module",
        name: "background",
      })
    : new Worker(new URL("../workers/effects/noise.ts", import.meta.url), {
        type: "module",
        name: "noise",
      });
