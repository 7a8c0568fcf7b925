/** Contacts by page and search word: one request at a time, the newest search wins. */
import { useCallback, useEffect, useRef, useState } from "react";
import type { Contact } from "../../../shared/protocol/rest/entities.ts";
import { useCore, useLink, useSlice } from "../../state/services.ts";

/** Page size of the list (console spec §9, default 20, made larger for a list that scrolls). */
const LIMIT = 50;
const SEARCH_DELAY = 250;

export interface Contacts {
  readonly list: readonly Contact[];
  readonly state: "loading" | "ready" | "failed";
  readonly hasMore: boolean;
  readonly loadingMore: boolean;
  more(): void;
  retry(): void;
}

export function useContacts(keyword: string): Contacts {
  const core = useCore();
  const link = useLink();
  const { supplierId } = useSlice("session");
  const [list, setList] = useState<readonly Contact[]>([]);
  const [total, setTotal] = useState(0);
  const [state, setState] = useState<Contacts["state"]>("loading");
  const [loadingMore, setLoadingMore] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const run = useRef(0);
  const cursor = useRef(1);

  const fetchPage = useCallback(
    async (page: number, word: string, mine: number): Promise<void> => {
      const answer = await core.commands.people.list({
        cursor: page,
        limit: LIMIT,
        ...(word === "" ? {} : { keyword: word }),
      });
      if (run.current !== mine) return;
      cursor.current = page;
      setTotal(answer.total);
      setList((now) => {
        const known = new Set(page === 1 ? [] : now.map((c) => c.userName));
        const fresh = answer.records.filter((c) => !known.has(c.userName));
        return page === 1 ? answer.records : [...now, ...fresh];
      });
      setState("ready");
    },
    [core],
  );

  const word = keyword.trim();
  useEffect(() => {
    if (link.state !== "ready") return;
    const mine = ++run.current;
    const timer = setTimeout(
      () => {
        fetchPage(1, word, mine).catch(() => {
          if (run.current === mine) setState("failed");
        });
      },
      word === "" ? 0 : SEARCH_DELAY,
    );
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a retry and another company ask anew
  }, [fetchPage, word, attempt, supplierId, link.state]);

  const more = useCallback(() => {
    const mine = run.current;
    setLoadingMore(true);
    fetchPage(cursor.current + 1, word, mine)
      .catch(() => undefined)
      .finally(() => setLoadingMore(false));
  }, [fetchPage, word]);

  const retry = useCallback(() => {
    setState("loading");
    setAttempt((n) => n + 1);
  }, []);
  return { list, state, hasMore: list.length < total, loadingMore, more, retry };
}
