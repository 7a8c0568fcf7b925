/** A read of what changes all the time and touches no tag: it is asked again while the page is shown. */
import { useEffect } from "react";
import type { PageCallId, PageCallInput } from "../../../shared/protocol/rest/page-calls.ts";
import { useRead } from "../../state/useRead.ts";

/** @param every ms between two reads */
export function useSteadyRead<I extends PageCallId>(input: PageCallInput<I> | null, every: number) {
  const read = useRead(input, true);
  const { refresh } = read;
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") refresh();
    }, every);
    return () => clearInterval(timer);
  }, [refresh, every]);
  return read;
}
