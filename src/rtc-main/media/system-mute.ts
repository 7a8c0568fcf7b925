/** Notices that the system, or a key of a headset, silences a device that is open: its track is `muted` (docs/calls.md#device-errors). */
import type { MediaClock, MediaTimer } from "../clock.ts";
import type { Tally } from "../tally.ts";

/** ms that a mute has to last: a camera that starts and a headset that changes its mode are muted for a moment. */
export const SYSTEM_MUTE_MS = 600;

export interface SystemMute {
  readonly on: boolean;
  close(): void;
}

/** @param changed called whenever `on` changes */
export function watchSystemMute(
  deps: { readonly clock: MediaClock; readonly tally: Tally },
  track: MediaStreamTrack,
  changed: () => void,
): SystemMute {
  const { clock, tally } = deps;
  let on = false;
  let timer: MediaTimer | null = null;
  const look = (): void => {
    timer?.cancel();
    timer = null;
    if (track.muted === on) return;
    if (track.muted) {
      timer = clock.after(SYSTEM_MUTE_MS, () => {
        on = true;
        changed();
      });
    } else if (on) {
      on = false;
      changed();
    }
  };
  const undo = [tally.listen(track, "mute", look), tally.listen(track, "unmute", look)];
  look();
  return {
    get on() {
      return on;
    },
    close() {
      timer?.cancel();
      for (const run of undo.splice(0)) run();
    },
  };
}
