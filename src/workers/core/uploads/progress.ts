/** How far an upload is and how fast, for the tabs: at most ten times a second. */
import type { Clock } from "../contracts.ts";

/** ms between two reports, and over which the speed is measured. */
const REPORT_EVERY = 100;
const MEASURED = 1_000;

/** @returns takes the bytes that are sent so far */
export function createProgress(
  clock: Pick<Clock, "now">,
  report: (progress: { readonly sent: number; readonly rate: number }) => void,
): (sent: number, size: number) => void {
  let reportedAt = Number.NEGATIVE_INFINITY;
  let measured: { readonly at: number; readonly sent: number } | null = null;
  let rate = 0;
  return (sent, size) => {
    const now = clock.now();
    measured ??= { at: now, sent };
    const passed = now - measured.at;
    if (passed >= MEASURED) {
      const bytes = Math.max(0, sent - measured.sent);
      rate = Math.round((bytes * 1000) / passed);
      measured = { at: now, sent };
    }
    if (now - reportedAt < REPORT_EVERY && sent < size) return;
    reportedAt = now;
    report({ sent, rate });
  };
}
