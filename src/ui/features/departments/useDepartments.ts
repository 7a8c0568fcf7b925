/** The departments of the company, live (docs/session.md#live-data). */
import { useCallback, useEffect, useRef, useState } from "react";
import type { Answer, Watch } from "../../../core-client/contracts.ts";
import type { Department } from "../../../shared/protocol/rest/departments.ts";
import { useMay } from "../../state/may.ts";
import { useCore, useOutage, useSlice } from "../../state/services.ts";

export interface Departments {
  readonly state: "loading" | "ready" | "failed";
  readonly error: Answer<unknown>["error"];
  /** In the order of the tree. */
  readonly rows: readonly Department[];
  again(): void;
}

/** Nothing is asked for a person who may not see them. */
export function useDepartments(): Departments {
  const wanted = useMay()("departments.tree");
  const core = useCore();
  const reachable = useOutage() === null;
  const { supplierId, accountId } = useSlice("session");
  const [rows, setRows] = useState<readonly Department[]>([]);
  const [state, setState] = useState<Departments["state"]>("loading");
  const [error, setError] = useState<Departments["error"]>(null);
  const watch = useRef<Watch>(null);
  useEffect(() => {
    if (!wanted) return undefined;
    const opened = core.watch({ call: "departments.tree" }, (answer) => {
      if (answer.state === "ready") setRows(answer.data);
      // rows that are shown stay when a later request fails
      setState((now) => (now === "ready" ? now : answer.state));
      setError(answer.error);
    });
    watch.current = opened;
    return () => {
      opened.end();
      setState("loading");
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another person or company begins again
  }, [core, wanted, supplierId, accountId]);
  return {
    // during an outage the bar at the top already explains why nothing loads
    state:
      !wanted || (state === "failed" && reachable)
        ? "failed"
        : state === "failed"
          ? "loading"
          : state,
    error,
    rows,
    again: useCallback(() => {
      setState("loading");
      watch.current?.again();
    }, []),
  };
}
