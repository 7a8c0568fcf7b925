import { useEffect } from "react";

/**
 * While there is unsaved input, the browser asks before a reload or the end of the tab, and the tab does not reload by itself
 * (docs/shell.md#deployments).
 *
 * @param kept the input is there again after a reload, so the reload for a new build asks nothing
 */
export function useLeaveWarning(unsaved: boolean, kept = false): void {
  useEffect(() => {
    if (!unsaved) return undefined;
    const warn = (event: BeforeUnloadEvent): void => {
      // set while the console itself reloads (`renew` of state/services.ts)
      if (!(kept && "renewing" in document.documentElement.dataset)) event.preventDefault();
    };
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [unsaved, kept]);
}
