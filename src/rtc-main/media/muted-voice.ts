/**
 * Hears whether the person speaks while the microphone is muted (docs/calls.md#muted). The muted track is silent, so a copy of it is
 * analysed in this tab. Nothing sends or records the copy, and it ends with the mute.
 */
import { TALKING } from "../sound/meter.ts";
import type { MediaTimer } from "../clock.ts";
import type { MediaDeps } from "../deps.ts";
import type { Tally } from "../tally.ts";

/** ms between two measurements. */
export const MUTED_VOICE_MS = 200;
/** One loud measurement is a key or a cup: so many within the window are a voice. */
const LOUD_TIMES = 3;
const WINDOW_MS = 2000;
/** ms without sound after which the person counts as silent. */
const SILENT_MS = 4000;

export interface MutedVoice {
  /** Listens to this track from now on; null ends it. */
  listen(track: MediaStreamTrack | null): void;
}

export function createMutedVoice(
  deps: Pick<MediaDeps, "clock" | "listen">,
  tally: Tally,
  changed: (speaks: boolean) => void,
): MutedVoice {
  let source: MediaStreamTrack | null = null;
  let stop = (): void => undefined;
  let speaks = false;

  const setSpeaks = (next: boolean): void => {
    if (next === speaks) return;
    speaks = next;
    changed(next);
  };
  const start = (track: MediaStreamTrack): void => {
    const copy = track.clone();
    copy.enabled = true;
    const listener = deps.listen(copy);
    if (listener === null) return copy.stop();
    const uncount = tally.open("tracks");
    let loudAt: number[] = [];
    let timer: MediaTimer;
    const measure = (): void => {
      const now = deps.clock.now();
      if (listener.level() >= TALKING) loudAt.push(now);
      const last = loudAt.at(-1);
      loudAt = loudAt.filter((at) => now - at < SILENT_MS);
      if (loudAt.filter((at) => now - at < WINDOW_MS).length >= LOUD_TIMES) setSpeaks(true);
      else if (last === undefined || now - last >= SILENT_MS) setSpeaks(false);
      timer = deps.clock.after(MUTED_VOICE_MS, measure);
    };
    timer = deps.clock.after(MUTED_VOICE_MS, measure);
    stop = () => {
      timer.cancel();
      listener.close();
      copy.stop();
      uncount();
    };
  };

  return {
    listen(track) {
      if (track === source) return;
      source = track;
      stop();
      stop = () => undefined;
      setSpeaks(false);
      if (track !== null) start(track);
    },
  };
}
