/** The helper of media-transmission monitoring, a module of its own (conference-helper): a page that does not watch need not load it. */
import type { TransmissionHelper, TransmissionSample } from "./face/recording.ts";

/** @param now ms */
export const createTransmissionHelper = (
  now: () => number,
  every: (run: () => void, ms: number) => () => void,
): TransmissionHelper => ({
  watch(read, handler, everyMs) {
    const last = new Map<string, { readonly at: number; readonly sample: TransmissionSample }>();
    const look = async (): Promise<void> => {
      for (const sample of await read()) {
        const { trackId, kind, bytes, packetsLost } = sample;
        const before = last.get(trackId);
        const at = now();
        last.set(trackId, { at, sample });
        if (before === undefined || at <= before.at) continue;
        const seconds = (at - before.at) / 1000;
        handler(trackId, "inbound", kind, {
          // A new connection counts from 0.
          bytesPerSecond: Math.max(0, bytes - before.sample.bytes) / seconds,
          packetsLostPerSecond: Math.max(0, packetsLost - before.sample.packetsLost) / seconds,
        });
      }
    };
    return every(() => void look().catch(() => undefined), everyMs);
  },
});

export const helper: TransmissionHelper = createTransmissionHelper(
  () => performance.now(),
  (run, ms) => {
    const handle = setInterval(run, ms);
    return () => clearInterval(handle);
  },
);
