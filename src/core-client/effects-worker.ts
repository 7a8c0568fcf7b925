/** Starts the workers that change the own picture and sound. Only this file names their URLs. */
import type { EffectKind } from "../shared/protocol/effects-worker.ts";
import type { CoreClient } from "./contracts.ts";

const start = (kind: EffectKind): Worker =>
  kind === "background"
    ? new Worker(new URL("../workers/effects/background.ts", import.meta.url), {
        type: "module",
        name: "background",
      })
    : new Worker(new URL("../workers/effects/noise.ts", import.meta.url), {
        type: "module",
        name: "noise",
      });

export const effectsSpawner =
  ({ look }: Pick<CoreClient, "look">) =>
  (kind: EffectKind): Worker => {
    const worker = start(kind);
    // The effect ends as failed; the bar says so when a deployment is the reason.
    worker.addEventListener("error", () => void look());
    return worker;
  };
