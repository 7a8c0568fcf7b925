/** How good a past call was, by what was measured (docs/calls.md#records). */
import type { Tone } from "../../components/StateDot.tsx";

interface Measured {
  /** ms; null when it was not measured. */
  readonly rtt: number | null;
  /** Percent. */
  readonly loss: number;
}

/** Above these, people notice (ITU-T G.114 for the delay, G.1028 for the loss). */
const FAIR = { loss: 2, rtt: 300 } as const;
const POOR = { loss: 8, rtt: 600 } as const;

const beyond = ({ rtt, loss }: Measured, limit: { loss: number; rtt: number }): boolean =>
  loss > limit.loss || (rtt ?? 0) > limit.rtt;

export function qualityOf(measured: Measured): {
  readonly tone: Tone;
  readonly name: "good" | "fair" | "poor";
} {
  if (beyond(measured, POOR)) return { tone: "bad", name: "poor" };
  if (beyond(measured, FAIR)) return { tone: "warn", name: "fair" };
  return { tone: "good", name: "good" };
}
