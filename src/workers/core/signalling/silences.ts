/**
 * Whether the own network changed (docs/conferences.md#silence, docs/calls.md#change-of-address): a connection is silent, and the socket does not answer either, or was
 * replaced a moment ago.
 */
import type { Clock } from "../contracts.ts";

/** All in ms. */
export const SILENCE_TIMINGS = {
  /** The shortest time that the socket has to answer when a connection is silent. On slow paths it is three round trips. */
  silencePingMillis: 200,
  /**
   * The pause between two such pings: a weak network must not replace the socket again and again. One more ping is allowed meanwhile if
   * the session came back since the last one, because the network may change again over the new socket.
   */
  silencePingPauseMillis: 5_000,
  /** A silence this soon after the session came back belongs to the same change of the network. */
  silenceAfterEnterMillis: 2_000,
} as const;

export interface Silences {
  silent(): void;
  heard(): void;
  /** The tab found other addresses than its connections have, so the socket leads nowhere either. */
  moved(): void;
  /** The server saw another address of this machine. Call it before `resumed`. */
  addressChanged(): void;
  /** The session came back over another socket. @returns whether this ended in `on.moved` */
  resumed(): boolean;
}

export function createSilences(
  deps: {
    readonly env: { readonly clock: Pick<Clock, "now"> };
    readonly config: { readonly [K in keyof typeof SILENCE_TIMINGS]: number };
    /** Replaces the socket unless it answers within `atLeast` ms, or three round trips. */
    readonly hurry: (atLeast: number) => void;
    readonly replaceSocket: () => void;
  },
  on: {
    /** Restarts ICE. */
    readonly changed: () => void;
    /** Builds the connections again, with the addresses that the tab found. */
    readonly moved: () => void;
  },
): Silences {
  const { config } = deps;
  const { clock } = deps.env;
  let silentAt = -Infinity;
  let resumedAt = -Infinity;
  let pingedAt = -Infinity;
  let changedAt = -Infinity;
  let movedAt = -Infinity;
  /** The last ping came within the pause of the one before. */
  let repeated = false;
  /** The session came back since the last ping. */
  let replaced = false;

  function ping(now: number): void {
    const soon = now - pingedAt < config.silencePingPauseMillis;
    if (soon && (repeated || !replaced)) return;
    repeated = soon;
    replaced = false;
    pingedAt = now;
    deps.hurry(config.silencePingMillis);
  }

  return {
    silent() {
      const now = clock.now();
      silentAt = now;
      // Ping in any case: the network may have changed again since the session came back.
      ping(now);
      if (now - resumedAt >= config.silenceAfterEnterMillis) return;
      resumedAt = -Infinity;
      changedAt = now;
      on.changed();
    },
    heard() {
      silentAt = -Infinity;
    },
    moved() {
      const now = clock.now();
      movedAt = now;
      if (now - Math.max(resumedAt, changedAt) >= config.silenceAfterEnterMillis) {
        return deps.replaceSocket();
      }
      // The socket is new and probably knows the new addresses. If it does not answer, the session comes back over another.
      ping(now);
      on.moved();
    },
    addressChanged() {
      movedAt = clock.now();
    },
    resumed() {
      const now = clock.now();
      replaced = true;
      if (now - movedAt < config.silencePingPauseMillis) {
        movedAt = -Infinity;
        silentAt = -Infinity;
        on.moved();
        return true;
      }
      // An older silence was a stream that was muted, or ICE has noticed the loss by itself.
      const changed = now - silentAt < config.silencePingPauseMillis;
      silentAt = -Infinity;
      resumedAt = changed ? -Infinity : now;
      if (changed) {
        changedAt = now;
        on.changed();
      }
      return false;
    },
  };
}
