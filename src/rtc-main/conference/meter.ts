/** Who is heard: looks at the levels of all streams, tells when it changes. A syllable's pause is no change. */
import type { MediaClock, MediaTimer } from "../deps.ts";

/** ms between two looks (getMediaMeterIntervalMillis). */
export const METER_MS = 400;
/** From this level on somebody talks (judgeTalkingByInstantGE). */
export const TALKING = 0.05;
/** ms that somebody counts as talking after the last sound. */
const HOLD_MS = 800;

export interface Meter {
  start(): void;
  /** Tells it again, to a core that is new. */
  replay(): void;
  close(): void;
}

/**
 * @param levels by stream id, 0..1
 * @param tell ids, loudest first
 */
export function createMeter(
  clock: MediaClock,
  levels: () => Promise<ReadonlyMap<string, number>>,
  tell: (streamIds: string[]) => void,
): Meter {
  const heardAt = new Map<string, number>();
  let talking: string[] = [];
  let timer: MediaTimer | null = null;
  let closed = false;

  const measure = async (): Promise<void> => {
    const now = await levels();
    if (closed) return;
    const at = clock.now();
    for (const [id, level] of now) if (level >= TALKING) heardAt.set(id, at);
    for (const [id, last] of heardAt) {
      if (!now.has(id) || at - last >= HOLD_MS) heardAt.delete(id);
    }
    const heard = [...heardAt.keys()].sort((a, b) => (now.get(b) ?? 0) - (now.get(a) ?? 0));
    // who is the loudest of the same ones changes all the time
    const same = heard.length === talking.length && heard.every((id) => talking.includes(id));
    if (same) return;
    talking = heard;
    tell(heard);
  };
  const tick = (): void => {
    measure()
      .catch(() => undefined)
      .finally(() => {
        if (!closed) timer = clock.after(METER_MS, tick);
      });
  };
  return {
    start() {
      if (!closed) timer ??= clock.after(METER_MS, tick);
    },
    replay() {
      if (talking.length > 0) tell(talking);
    },
    close() {
      closed = true;
      timer?.cancel();
    },
  };
}

/** Level of a receiver's sound, 0..1; 0 where the browser does not say. */
export async function receivedLevel(receiver: RTCRtpReceiver): Promise<number> {
  const [source] = receiver.getSynchronizationSources?.() ?? [];
  if (source?.audioLevel !== undefined) return source.audioLevel;
  // without the header extension the level is in the statistics alone
  return levelIn(await receiver.getStats(), "inbound-rtp") ?? 0;
}

/** Level of the own microphone, 0..1; null where the browser does not say (Firefox). */
export async function sentLevel(sender: RTCRtpSender): Promise<number | null> {
  return levelIn(await sender.getStats(), "media-source");
}

function levelIn(report: RTCStatsReport, type: string): number | null {
  for (const stat of report.values() as Iterable<{ type: string; audioLevel?: number }>) {
    if (stat.type === type && stat.audioLevel !== undefined) return stat.audioLevel;
  }
  return null;
}
