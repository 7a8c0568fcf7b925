/** Missed calls that the person has not seen in the list of past calls (docs/calls.md#missed-calls). */
import { useEffect, useRef, useState } from "react";
import { serverNow, useCore, usePageVisible } from "./services.ts";
import { usePreference } from "./usePreference.ts";
import { useRead } from "./useRead.ts";

/** Preference: when the person saw the list of past calls last, ms since the epoch. */
const SEEN = "calls.seen";
/** ms; older calls are no news. */
const NEWS = 7 * 24 * 3_600_000;

const readSeen = (kept: unknown): number => (typeof kept === "number" ? kept : 0);

function useSeen() {
  const [seen, write] = usePreference(SEEN, readSeen);
  const core = useCore();
  const [oldest] = useState(() => serverNow(core) - NEWS);
  return [Math.max(seen, oldest), write] as const;
}

const useMissed = (since: number) => {
  const query = { direction: "in", result: "missed", since, limit: 1, searchCount: true } as const;
  const { answer } = useRead({ call: "calls.records", query });
  return answer.state === "ready" ? (answer.data.total ?? 0) : 0;
};

/** @returns their number */
export function useMissedCalls(): number {
  const [since] = useSeen();
  return useMissed(since);
}

/** For the list of past calls: the person sees them now. */
export function useSeesMissedCalls(): void {
  const core = useCore();
  const [since, write] = useSeen();
  const missed = useMissed(since);
  const visible = usePageVisible();
  const seesNew = visible && missed > 0;
  const latest = useRef(write);
  useEffect(() => {
    latest.current = write;
  });
  useEffect(() => {
    if (seesNew) latest.current(serverNow(core));
  }, [core, seesNew]);
}
