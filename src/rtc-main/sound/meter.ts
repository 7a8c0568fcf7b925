/** Measures the levels of all streams and reports who is talking. A pause between syllables does not count as a change. */
import type { MediaClock, MediaTimer } from "../clock.ts";

/** ms between two measurements. */
export const METER_MS = 400;
/** From this level on a stream counts as talking. */
export const TALKING = 0.05;
/** The settings have the specification's names. */
export interface MeterSettings {
  /** ms between two measurements. 0 turns the meter off; then no stream counts as talking. */
  readonly getMediaMeterIntervalMillis: number;
  /** From this `instant` on a stream counts as talking, 0..1. */
  readonly judgeTalkingByInstantGE: number;
}
export const DEFAULT_METER: MeterSettings = {
  getMediaMeterIntervalMillis: METER_MS,
  judgeTalkingByInstantGE: TALKING,
};
/** ms that a stream counts as talking after the last sound. */
const HOLD_MS = 800;

export interface Meter {
  start(): void;
  /** Reports the talking streams again, for a new core. */
  replay(): void;
  close(): void;
}

/**
 * @param levels returns the levels by stream id, 0..1
 * @param onTalking receives the ids of the talking streams, loudest first
 */
export function createMeter(
  clock: MediaClock,
  levels: () => Promise<ReadonlyMap<string, number>>,
  onTalking: (streamIds: string[]) => void,
  { getMediaMeterIntervalMillis, judgeTalkingByInstantGE }: MeterSettings = DEFAULT_METER,
): Meter {
  const heardAt = new Map<string, number>();
  let talking: string[] = [];
  let timer: MediaTimer | null = null;
  let closed = false;

  const measure = async (): Promise<void> => {
    const now = await levels();
    if (closed) return;
    const at = clock.now();
    for (const [id, level] of now) if (level >= judgeTalkingByInstantGE) heardAt.set(id, at);
    for (const [id, last] of heardAt) {
      if (!now.has(id) || at - last >= HOLD_MS) heardAt.delete(id);
    }
    const heard = [...heardAt.keys()].sort((a, b) => (now.get(b) ?? 0) - (now.get(a) ?? 0));
    // Ignore a change of order: the loudest of the same streams changes all the time.
    const same = heard.length === talking.length && heard.every((id) => talking.includes(id));
    if (same) return;
    talking = heard;
    onTalking(heard);
  };
  const tick = (): void => {
    measure()
      .catch(() => undefined)
      .finally(() => {
        if (!closed) timer = clock.after(getMediaMeterIntervalMillis, tick);
      });
  };
  return {
    start() {
      if (closed || getMediaMeterIntervalMillis <= 0) return;
      timer ??= clock.after(getMediaMeterIntervalMillis, tick);
    },
    replay() {
      if (talking.length > 0) onTalking(talking);
    },
    close() {
      closed = true;
      timer?.cancel();
    },
  };
}

/** Level of the last packet of a received sound, 0..1; null where the packets or the browser do not tell it. */
export const packetLevel = (receiver: RTCRtpReceiver): number | null =>
  receiver.getSynchronizationSources?.()[0]?.audioLevel ?? null;

/** Level of a received sound, 0..1; 0 when the browser does not report it. */
export async function receivedLevel(receiver: RTCRtpReceiver): Promise<number> {
  const level = packetLevel(receiver);
  if (level !== null) return level;
  // Without the header extension only the statistics have the level.
  return levelIn(await receiver.getStats(), "inbound-rtp") ?? 0;
}

/** Level of the own microphone, 0..1; null when the browser does not report it (Firefox). */
export async function sentLevel(sender: RTCRtpSender): Promise<number | null> {
  return levelIn(await sender.getStats(), "media-source");
}

function levelIn(report: RTCStatsReport, type: string): number | null {
  for (const stat of report.values() as Iterable<{ type: string; audioLevel?: number }>) {
    if (stat.type === type && stat.audioLevel !== undefined) return stat.audioLevel;
  }
  return null;
}
