/** Reads the rows of a list, as it is filtered and sorted now, for a print. */
import { useCallback, useEffect, useRef, useState } from "react";
import type { ListCallId, Row } from "../../../shared/protocol/rest/page-calls.ts";
import { serverNow, useCore } from "../../state/services.ts";
import { showError } from "../../state/show-message.ts";
import { eachPage, type ListRequest } from "../../state/allRows.ts";

/** Most rows of a print: about forty sheets. */
export const MOST_PRINTED = 2000;

export interface Print<T> {
  readonly rows: readonly T[];
  readonly total: number;
  /** ms since the epoch */
  readonly at: number;
}
export interface Printing<T> {
  /** null while nothing is read. */
  readonly state: { readonly done: number; readonly total: number } | null;
  /** What is ready to be printed. */
  readonly print: Print<T> | null;
  start(): void;
  /** Ends reading, or puts the print away. */
  end(): void;
}

export function usePrint<I extends ListCallId>(request: ListRequest<I>): Printing<Row<I>> {
  const core = useCore();
  const { rest } = core.commands;
  const [state, setState] = useState<Printing<Row<I>>["state"]>(null);
  const [print, setPrint] = useState<Print<Row<I>> | null>(null);
  const run = useRef(0);
  const latest = useRef(request);
  useEffect(() => {
    latest.current = request;
  });
  const end = useCallback(() => {
    run.current += 1;
    setState(null);
    setPrint(null);
  }, []);
  useEffect(() => () => void (run.current += 1), []);
  const start = useCallback(async (): Promise<void> => {
    const thisRun = (run.current += 1);
    setState({ done: 0, total: 0 });
    const read: Row<I>[] = [];
    let all = 0;
    try {
      const onPage = (rows: readonly Row<I>[], total: number): boolean => {
        if (run.current !== thisRun) return false;
        read.push(...rows);
        all = total;
        setState({ done: read.length, total: Math.min(total, MOST_PRINTED) });
        return true;
      };
      await eachPage(rest, latest.current, onPage, MOST_PRINTED);
      if (run.current === thisRun) setPrint({ rows: read, total: all, at: serverNow(core) });
    } catch (error) {
      if (run.current === thisRun) showError(error);
    }
    if (run.current === thisRun) setState(null);
  }, [core, rest]);
  return { state, print, start: useCallback(() => void start(), [start]), end };
}
