/** Listens to the own microphone, one track at a time. */
import type { Listener } from "../sound/meters.ts";

/** Starts with the first call of `level`. */
export function createOwnListener(
  listen: (track: MediaStreamTrack) => Pick<Listener, "level" | "close"> | null,
): {
  level(track: MediaStreamTrack): number;
  close(): void;
} {
  let now: { track: MediaStreamTrack; listener: Pick<Listener, "level" | "close"> | null } | null =
    null;
  const close = (): void => {
    now?.listener?.close();
    now = null;
  };
  return {
    level(track) {
      if (now?.track !== track) {
        close();
        now = { track, listener: listen(track) };
      }
      return now.listener?.level() ?? 0;
    },
    close,
  };
}
