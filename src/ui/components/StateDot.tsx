import type { ReactNode } from "react";
import "./statedot.css";

export type Tone = "good" | "warn" | "bad" | "off";

/** A state in words, with its colour beside it. */
export function StateDot({
  tone,
  children,
}: {
  readonly tone: Tone;
  readonly children: ReactNode;
}) {
  return (
    <span className="state" data-tone={tone}>
      <i aria-hidden="true" />
      {children}
    </span>
  );
}
