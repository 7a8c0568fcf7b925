/**
 * Whether the own network changed (docs/conferences.md#silence): a connection is silent, and the socket does not answer either, or was
 * replaced a moment ago.
 */
import type { Clock } from "../contracts.ts";
import type { ConferenceConfig } from "./config.ts";

export interface Silences {
  silent(): void;
  heard(): void;
  /** The session came back over another socket. */
  resumed(): void;
}

export function createSilences(
  deps: {
    readonly env: { readonly clock: Pick<Clock, "now"> };
    readonly config: Pick<
      ConferenceConfig,
      "silencePingMillis" | "silencePingPauseMillis" | "silenceAfterEnterMillis"
    >;
    /** Replaces the socket unless it answers within `atLeast` ms, or three round trips. */
    readonly hurry: (atLeast: number) => void;
  },
  on: { readonly changed: () => void },
): Silences {
  const { config } = deps;
  const { clock } = deps.env;
  let silentAt = -Infinity;
  let resumedAt = -Infinity;
  let pingedAt = -Infinity;

  return {
    silent() {
      const now = clock.now();
      if (now - resumedAt < config.silenceAfterEnterMillis) {
        resumedAt = -Infinity;
        return on.changed();
      }
      silentAt = now;
      if (now - pingedAt < config.silencePingPauseMillis) return;
      pingedAt = now;
      deps.hurry(config.silencePingMillis);
    },
    heard() {
      silentAt = -Infinity;
    },
    resumed() {
      const now = clock.now();
      // An older silence was a stream that was muted, or ICE has noticed the loss by itself.
      const changed = now - silentAt < config.silencePingPauseMillis;
      silentAt = -Infinity;
      resumedAt = changed ? -Infinity : now;
      if (changed) on.changed();
    },
  };
}
