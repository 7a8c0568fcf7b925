/** What a person reads while code loads: nothing for a moment, then that it loads, or why it cannot (docs/shell.md#a-missing-script). */
import { useEffect, useRef, useState } from "react";
import { retryNow } from "../state/retry-now.ts";
import { useCoreState, useOutage } from "../state/services.ts";

/** ms in which code usually comes. Words that flash would only disturb. */
const MOMENT = 600;

export type Wait = "moment" | "loading" | "offline" | "down" | "intercepted";

/** While it is mounted, the end of an outage makes the code be requested at once. */
export function useWait(): Wait {
  const { unreachable } = useCoreState();
  const outage = useOutage();
  const [long, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), MOMENT);
    return () => clearTimeout(timer);
  }, []);
  // a core that is being restored needs no code of a page
  const known = outage === "core" ? null : outage;
  const why = known ?? (unreachable ? "down" : null);
  const before = useRef(why);
  useEffect(() => {
    if (before.current !== null && why === null) retryNow();
    before.current = why;
  }, [why]);
  // this code itself failed to load, or it has been on its way for long during an outage
  if (why !== null && (unreachable || long)) return why;
  return long ? "loading" : "moment";
}
