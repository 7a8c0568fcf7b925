/** The rows that a list call answers, loaded when they become visible, and live (docs/session.md#live-data). */
import { useCallback, useEffect, useRef, useState } from "react";
import type { Answer, Watch } from "../../core-client/contracts.ts";
import type {
  Filters,
  ListCallId,
  PageCallData,
  Paging,
  Row,
  Sort,
} from "../../shared/protocol/rest/page-calls.ts";
import { pageInput } from "./allRows.ts";
import { createRowPages, type RowPages } from "./row-pages.ts";
import { withRowsAhead } from "./rows-ahead.ts";
import { useCore, useOutage, useSlice } from "./services.ts";

const LIMIT = 200;
/** Number of cached rows; the oldest pages are dropped first. */
const KEPT = 8000;
/** Number of pages that are watched; more only while more are visible. A change fetches each of them again. */
const WATCHED = 5;
const SEARCH_DELAY = 250;

/** What reads rows while it renders also says which (`useArrivals`), as nothing else renders it when they arrive. */
export interface Rows<T> extends Pick<RowPages<T>, "arrivals" | "row" | "loaded" | "placeOf"> {
  readonly total: number;
  readonly state: "loading" | "ready" | "failed";
  /** Why the latest request failed; null: it did not. */
  readonly error: Answer<unknown>["error"];
  need(from: number, to: number): void;
  retry(): void;
}

export interface RowsQuery<I extends ListCallId> {
  /** Id of the call. */
  readonly call: I;
  readonly keyword: string;
  readonly filters?: Filters<I>;
  /** null: the list's usual order. */
  readonly sort?: Sort<I> | null;
  /** How the call is asked for a page; stays the same. */
  readonly paging?: Paging | undefined;
  /** Rows of the one page that is shown, and the first of them. Left out: all rows come into sight by scrolling. */
  readonly shown?: { readonly from: number; readonly size: number } | null;
  /** A change loads the list again. */
  readonly refresh: number;
}

interface Page<T> {
  readonly records: readonly T[];
  readonly total: number;
}
export function useRows<I extends ListCallId>({
  call,
  keyword,
  filters,
  sort = null,
  paging,
  shown = null,
  refresh,
}: RowsQuery<I>): Rows<Row<I>> {
  const core = useCore();
  const limit = shown?.size ?? LIMIT;
  const scrolls = shown === null;
  const most = scrolls ? WATCHED : 1;
  const [asks] = useState(paging);
  const pageOf = useCallback((index: number): number => Math.floor(index / limit), [limit]);
  const reachable = useOutage() === null;
  const { supplierId, accountId } = useSlice("session");
  const [pages] = useState(() => createRowPages<Row<I>>(KEPT));
  const [total, setTotal] = useState(0);
  const [state, setState] = useState<Rows<Row<I>>["state"]>("loading");
  const [error, setError] = useState<Rows<Row<I>>["error"]>(null);
  const [attempt, setAttempt] = useState(0);
  /** Pages that are watched, the one needed last at the end. */
  const watched = useRef(new Map<number, Watch>());
  const start = shown?.from ?? 0;
  const seen = useRef({ from: start, to: start + limit - 1 });
  const known = useRef(total);
  useEffect(() => {
    known.current = total;
  });
  const word = keyword.trim();
  const filtered = JSON.stringify(filters ?? {});

  const showPage = useCallback(
    (page: number, answer: Answer<Page<Row<I>>>): void => {
      setError(answer.error);
      if (answer.state !== "ready") {
        // keep rows that are already loaded
        if (answer.state === "failed") setState((now) => (now === "ready" ? now : "failed"));
        return;
      }
      const { records, total: count } = answer.data;
      setTotal(count);
      setState("ready");
      pages.put(page, records);
    },
    [pages],
  );
  const watchPage = useCallback(
    (page: number): void => {
      const before = watched.current.get(page);
      watched.current.delete(page);
      if (before !== undefined) {
        watched.current.set(page, before);
        return;
      }
      const request = {
        call,
        filters: JSON.parse(filtered) as Filters<I>,
        keyword: word,
        sort,
        paging: asks,
      };
      const input = pageInput<I>(request, page + 1, limit);
      const watch = core.watch<I>(input, (answer: Answer<PageCallData<I>>) => {
        if (watched.current.get(page) === watch) showPage(page, answer as Answer<Page<Row<I>>>);
      });
      watched.current.set(page, watch);
      for (const [old, { end }] of watched.current) {
        if (watched.current.size <= most) break;
        if (old >= pageOf(seen.current.from) && old <= pageOf(seen.current.to)) continue;
        watched.current.delete(old);
        end();
      }
    },
    [core, call, word, filtered, sort, asks, limit, most, pageOf, showPage],
  );
  const need = useCallback(
    (from: number, to: number) => {
      const now = { from, to };
      const asked = scrolls ? withRowsAhead(seen.current, now, known.current) : now;
      seen.current = now;
      // until the first page of a new keyword is asked for, there is nothing to add to
      if (watched.current.size === 0) return;
      const last = pageOf(asked.to);
      for (let page = pageOf(asked.from); page <= last; page += 1) watchPage(page);
    },
    [watchPage, pageOf, scrolls],
  );
  useEffect(() => {
    const opened = watched.current;
    const timer = setTimeout(
      () => {
        pages.begin(limit);
        watchPage(pageOf(seen.current.from));
      },
      word === "" ? 0 : SEARCH_DELAY,
    );
    return () => {
      clearTimeout(timer);
      for (const { end } of opened.values()) end();
      opened.clear();
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another person or company begins again
  }, [watchPage, pageOf, pages, limit, word, supplierId, accountId]);
  const wanted = useRef({ attempt, refresh });
  useEffect(() => {
    if (wanted.current.attempt === attempt && wanted.current.refresh === refresh) return;
    wanted.current = { attempt, refresh };
    for (const watch of watched.current.values()) watch.again();
  }, [attempt, refresh]);

  return {
    total,
    // during an outage the bar at the top already explains why nothing loads
    state: state === "failed" && !reachable ? "loading" : state,
    error,
    arrivals: pages.arrivals,
    row: pages.row,
    loaded: pages.loaded,
    placeOf: pages.placeOf,
    need,
    retry: useCallback(() => {
      setState("loading");
      setAttempt((n) => n + 1);
    }, []),
  };
}
