/** Pages of the company's employees, fetched as their rows come into sight. */
import { useCallback, useEffect, useRef, useState } from "react";
import type { Employee } from "../../../shared/protocol/rest/entities.ts";
import { useCore, useLink, useSlice } from "../../state/services.ts";

const LIMIT = 200;
/** Pages kept: beyond them the oldest go. */
const KEPT = 40;
const SEARCH_DELAY = 250;

export interface EmployeeRows {
  readonly total: number;
  readonly state: "loading" | "ready" | "failed";
  row(index: number): Employee | undefined;
  need(from: number, to: number): void;
  retry(): void;
}

/** @param refresh asked anew when it changes */
export function useEmployees(keyword: string, refresh: number): EmployeeRows {
  const { commands } = useCore();
  const link = useLink();
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
    (page: number, mine: number, first: boolean) => {
      if (asked.current.has(page)) return;
      asked.current.add(page);
      commands.employees
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
          () => {
            asked.current.delete(page);
            if (turn.current === mine && first) setState("failed");
          },
        );
    },
    [commands, word],
  );
  const need = useCallback(
    (from: number, to: number) => {
      seen.current = { from, to };
      for (let page = Math.floor(from / LIMIT); page * LIMIT <= to; page += 1) {
        fetchPage(page, turn.current, false);
      }
    },
    [fetchPage],
  );
  useEffect(() => {
    if (link.state !== "ready") return undefined;
    const mine = ++turn.current;
    const timer = setTimeout(
      () => {
        asked.current = new Set();
        fetchPage(Math.floor(seen.current.from / LIMIT), mine, true);
      },
      word === "" ? 0 : SEARCH_DELAY,
    );
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another company, a retry and a refresh ask anew
  }, [fetchPage, word, supplierId, attempt, refresh, link.state]);

  return {
    total,
    state,
    row: (index) => pages.get(Math.floor(index / LIMIT))?.[index % LIMIT],
    need,
    retry: useCallback(() => {
      setState("loading");
      setAttempt((n) => n + 1);
    }, []),
  };
}
