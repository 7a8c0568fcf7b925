/** Reads all rows that the filter of a list holds, before something is done with them. */
import { useCallback, useEffect, useRef, useState } from "react";
import type { ListCallId, Row } from "../../../shared/protocol/rest/page-calls.ts";
import { textOf } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";
import { showMessage, showError } from "../../state/show-message.ts";
import { eachPage, type ListRequest } from "../../state/allRows.ts";
import { MOST_OF_FILTER } from "./columns.ts";
import { idOf } from "../../state/row-id.ts";
import { LIST_TEXTS } from "./texts.ts";

export interface Collecting<T> {
  /** null while nothing is read. */
  readonly state: { readonly done: number; readonly total: number } | null;
  /**
   * @param wanted whether a row is among them
   * @param then not called when it fails, is cancelled, or the filter changes meanwhile
   */
  start(wanted: (row: T) => boolean, then: (rows: readonly T[]) => void): void;
  cancel(): void;
}

const nameOf = ({ call, filters, keyword }: ListRequest<ListCallId>): string =>
  JSON.stringify([call, filters, keyword.trim()]);

export function useCollect<I extends ListCallId>(request: ListRequest<I>): Collecting<Row<I>> {
  const { rest } = useCore().commands;
  const [state, setState] = useState<Collecting<Row<I>>["state"]>(null);
  const run = useRef(0);
  // The name has the same parts for every call.
  const name = nameOf(request as unknown as ListRequest<ListCallId>);
  const latest = useRef(request);
  const cancel = useCallback(() => {
    run.current += 1;
    setState(null);
  }, []);
  useEffect(() => {
    latest.current = request;
  });
  useEffect(
    () => () => {
      run.current += 1;
      setState(null);
    },
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another filter ends it
    [name],
  );
  const start = useCallback(
    async (
      wanted: (row: Row<I>) => boolean,
      then: (rows: readonly Row<I>[]) => void,
    ): Promise<void> => {
      const thisRun = (run.current += 1);
      setState({ done: 0, total: 0 });
      // a row that moves while the pages are read may stand on two of them
      const found = new Map<string, Row<I>>();
      let all = 0;
      try {
        await eachPage(
          rest,
          latest.current,
          (rows, total) => {
            if (run.current !== thisRun) return false;
            all = total;
            for (const row of rows) found.set(idOf(row), row);
            setState({ done: found.size, total });
            return total <= MOST_OF_FILTER;
          },
          MOST_OF_FILTER,
        );
      } catch (error) {
        if (run.current === thisRun) {
          cancel();
          showError(error);
        }
        return;
      }
      if (run.current !== thisRun) return;
      setState(null);
      if (all > MOST_OF_FILTER) {
        const counts = { total: all, most: MOST_OF_FILTER };
        showMessage("warning", textOf(LIST_TEXTS, "wholeTooMany", counts));
      } else then([...found.values()].filter(wanted));
    },
    [rest, cancel],
  );
  return { state, start: (wanted, then) => void start(wanted, then), cancel };
}
