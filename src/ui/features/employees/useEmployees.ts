/** Pages of the company's employees, loaded when their rows become visible. */
import { useCallback, useEffect, useRef, useState } from "react";
import type { Employee } from "../../../shared/protocol/rest/entities.ts";
import { keepTrying } from "../../state/recover.ts";
import { useCore, useOutage, useSlice } from "../../state/services.ts";

const LIMIT = 200;
/** Number of cached pages; the oldest are dropped first. */
const KEPT = 40;
const SEARCH_DELAY = 250;

export interface EmployeeRows {
  readonly total: number;
  readonly state: "loading" | "ready" | "failed";
  row(index: number): Employee | undefined;
  need(from: number, to: number): void;
  retry(): void;
}

/** @param refresh a change loads the list again */
export function useEmployees(keyword: string, refresh: number): EmployeeRows {
  const core = useCore();
  const { commands } = core;
  const reachable = useOutage() === null;
  const { supplierId } = useSlice("session");
  const [pages, setPages] = useState<ReadonlyMap<number, readonly Employee[]>>(new Map());
  const [total, setTotal] = useState(0);
  const [state, setState] = useState<EmployeeRows["state"]>("loading");
  const [attempt, setAttempt] = useState(0);
  const turn = useRef(0);
  const asked = useRef(new Set<number>());
  const seen = useRef({ from: 0, to: LIMIT - 1 });
  const word = keyword.trim();

  const fetchPage = useCallback(
    (page: number, mine: number, first: boolean): Promise<void> => {
      if (asked.current.has(page)) return Promise.resolve();
      asked.current.add(page);
      return commands.employees
        .list({ cursor: page + 1, limit: LIMIT, ...(word === "" ? {} : { keyword: word }) })
        .then(
          (answer) => {
            if (turn.current !== mine) return;
            setTotal(answer.total);
            setState("ready");
            setPages((before) => {
              const next = new Map(first ? [] : before);
              next.delete(page);
              next.set(page, answer.records);
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
    [commands, word],
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
