/** The rows that a list call answers, loaded when they become visible. */
import { useCallback, useEffect, useRef, useState } from "react";
import type {
  Filters,
  ListCallId,
  PageCallInput,
  Row,
} from "../../shared/protocol/rest/page-calls.ts";
import { keepTrying } from "./recover.ts";
import { useCore, useOutage, useSlice } from "./services.ts";

const LIMIT = 200;
/** Number of cached pages; the oldest are dropped first. */
const KEPT = 40;
const SEARCH_DELAY = 250;

export interface Rows<T> {
  readonly total: number;
  readonly state: "loading" | "ready" | "failed";
  row(index: number): T | undefined;
  need(from: number, to: number): void;
  retry(): void;
}

export interface RowsQuery<I extends ListCallId> {
  /** Id of the call. */
  readonly call: I;
  readonly keyword: string;
  readonly filters?: Filters<I>;
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
  refresh,
}: RowsQuery<I>): Rows<Row<I>> {
  const core = useCore();
  const { commands } = core;
  const reachable = useOutage() === null;
  const { supplierId } = useSlice("session");
  const [pages, setPages] = useState<ReadonlyMap<number, readonly Row<I>[]>>(new Map());
  const [total, setTotal] = useState(0);
  const [state, setState] = useState<Rows<Row<I>>["state"]>("loading");
  const [attempt, setAttempt] = useState(0);
  const turn = useRef(0);
  const asked = useRef(new Set<number>());
  const seen = useRef({ from: 0, to: LIMIT - 1 });
  const word = keyword.trim();
  const filtered = JSON.stringify(filters ?? {});

  const fetchPage = useCallback(
    (page: number, mine: number, first: boolean): Promise<void> => {
      if (asked.current.has(page)) return Promise.resolve();
      asked.current.add(page);
      const query = {
        ...(JSON.parse(filtered) as Filters<I>),
        cursor: page + 1,
        limit: LIMIT,
        ...(word === "" ? {} : { keyword: word }),
      };
      // The compiler cannot put the parts of a call together whose id is a type parameter.
      const answer = commands.rest.call<I>({ call, query } as unknown as PageCallInput<I>);
      return (answer as Promise<Page<Row<I>>>).then(
        (found) => {
          if (turn.current !== mine) return;
          setTotal(found.total);
          setState("ready");
          setPages((before) => {
            const next = new Map(first ? [] : before);
            next.delete(page);
            next.set(page, found.records);
            for (const old of next.keys()) {
              if (next.size <= KEPT) break;
              next.delete(old);
              asked.current.delete(old);
            }
            return next;
          });
        },
        (error: unknown) => {
          asked.current.delete(page);
          throw error;
        },
      );
    },
    [commands, call, word, filtered],
  );
  const need = useCallback(
    (from: number, to: number) => {
      seen.current = { from, to };
      for (let page = Math.floor(from / LIMIT); page * LIMIT <= to; page += 1) {
        // a failed page is requested again when its rows are needed again, or after the outage
        fetchPage(page, turn.current, false).catch(() => undefined);
      }
    },
    [fetchPage],
  );
  useEffect(() => {
    if (!reachable) return undefined;
    const mine = ++turn.current;
    let end = (): void => {};
    const timer = setTimeout(
      () => {
        asked.current = new Set();
        end = keepTrying(
          () => fetchPage(Math.floor(seen.current.from / LIMIT), mine, true),
          // keep rows that are already loaded
          () => setState((now) => (turn.current === mine && now !== "ready" ? "failed" : now)),
          () => core.state.session.status === "anonymous",
        );
      },
      word === "" ? 0 : SEARCH_DELAY,
    );
    return () => {
      clearTimeout(timer);
      end();
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another company, a retry or a refresh repeats the request
  }, [core, fetchPage, word, supplierId, attempt, refresh, reachable]);

  return {
    total,
    // during an outage the bar at the top already explains why nothing loads
    state: state === "failed" && !reachable ? "loading" : state,
    row: (index) => pages.get(Math.floor(index / LIMIT))?.[index % LIMIT],
    need,
    retry: useCallback(() => {
      setState("loading");
      setAttempt((n) => n + 1);
    }, []),
  };
}
