/** How far an upload or a download is and how fast, for the tabs: at most ten times a second, and the last of it in any case. */
import type { Clock, Timer } from "../contracts.ts";

/** ms between two reports, and over which the speed is measured. */
const REPORT_EVERY = 100;
const MEASURED = 1_000;

interface Progress {
  /** @param bytes so far @param size null while it is unknown */
  reached(bytes: number, size: number | null): void;
  /** Reports no more. Idempotent. */
  stop(): void;
}

/** What comes too early for a report is kept for the next one, so that the last of it shows even when nothing follows. */
export function createProgress(
  clock: Pick<Clock, "now" | "after">,
  report: (progress: { readonly bytes: number; readonly rate: number }) => void,
): Progress {
  let reportedAt = Number.NEGATIVE_INFINITY;
  let measured: { readonly at: number; readonly bytes: number } | null = null;
  let rate = 0;
  let latest = 0;
  let kept: Timer | null = null;
  const stop = (): void => {
    kept?.cancel();
    kept = null;
  };
  const reportLatest = (): void => {
    stop();
    reportedAt = clock.now();
    report({ bytes: latest, rate });
  };
  return {
    reached(bytes, size) {
      const now = clock.now();
      latest = bytes;
      measured ??= { at: now, bytes };
      const passed = now - measured.at;
      if (passed >= MEASURED) {
        rate = Math.round((Math.max(0, bytes - measured.bytes) * 1000) / passed);
        measured = { at: now, bytes };
      }
      const early = reportedAt + REPORT_EVERY - now;
      if (early <= 0 || (size !== null && bytes >= size)) reportLatest();
      else kept ??= clock.after(early, reportLatest);
    },
    stop,
  };
}
